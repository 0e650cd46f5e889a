"""Image datasets in their real layouts, and how each is opened: one row of a table per dataset and variant."""

import json

import numpy as np
from source_files import idx, image, mat, pixels, put


def _idx_pair(folder, images, labels, seed, count=3):
    rng = np.random.RandomState(seed)
    put(folder, images, idx(rng.randint(0, 256, (count, 28, 28)).astype(np.uint8)))
    put(folder, labels, idx(rng.randint(0, 10, count).astype(np.uint8)))


def mnist(folder):
    for seed, part in enumerate(("train", "t10k")):
        _idx_pair(folder, f"{part}-images-idx3-ubyte", f"{part}-labels-idx1-ubyte", seed, 3 + seed)


def emnist(folder):
    for seed, part in enumerate(("train", "test")):
        prefix = f"emnist-letters-{part}"
        _idx_pair(folder, f"{prefix}-images-idx3-ubyte", f"{prefix}-labels-idx1-ubyte", seed)


def qmnist(folder):
    rng = np.random.RandomState(1)
    # MindSpore asks for the true sizes of the test file only where it splits it, at row 10,000.
    for part, count in (("qmnist-train", 3), ("qmnist-test", 10002), ("xnist", 2)):
        put(folder, f"{part}-images-idx3-ubyte", idx(rng.randint(0, 256, (count, 28, 28)).astype(np.uint8)))
        put(folder, f"{part}-labels-idx2-int", idx(rng.randint(0, 10, (count, 8)).astype(np.int32)))


def cifar10(folder):
    rng = np.random.RandomState(2)
    for name in [f"data_batch_{i}.bin" for i in (1, 2, 3, 4, 5)] + ["test_batch.bin"]:
        put(folder, name, rng.randint(0, 10, (2, 3073)).astype(np.uint8).tobytes())


def cifar100(folder):
    rng = np.random.RandomState(3)
    for name in ("train.bin", "test.bin"):
        put(folder, name, rng.randint(0, 20, (2, 3074)).astype(np.uint8).tobytes())


def image_folder(folder):
    for seed, name in enumerate(("dog/a.jpg", "cat/b.jpg", "cat/a.jpg", "dog/c.PNG", "dog/other.txt")):
        put(folder, name, image(seed))


def voc(folder):
    for number, name in enumerate(("2007_000032", "2007_000027")):
        put(folder, f"JPEGImages/{name}.jpg", image(number))
        put(folder, f"SegmentationClass/{name}.png", image(number + 5))
        boxes = "".join(
            f"<object><name>{kind}</name><pose>Left</pose><truncated>{i}</truncated><difficult>{1 - i}</difficult>"
            f"<bndbox><xmin>{i + 1}</xmin><ymin>{i + 2}</ymin><xmax>{i + 3}</xmax><ymax>{i + 5}</ymax></bndbox>"
            f"</object>"
            for i, kind in enumerate(("person", "car")[: number + 1])
        )
        put(
            folder,
            f"Annotations/{name}.xml",
            f"<annotation><filename>{name}.jpg</filename><size><width>4</width></size>{boxes}</annotation>",
        )
    for task in ("Main", "Segmentation"):
        put(folder, f"ImageSets/{task}/train.txt", "2007_000032\n2007_000027\n")
        put(folder, f"ImageSets/{task}/val.txt", "2007_000027\n")


def coco(folder):
    names = [
        {"id": 17, "file_name": "000017.jpg", "height": 3, "width": 4},
        {"id": 5, "file_name": "000005.jpg", "height": 3, "width": 4},
    ]
    for entry in names:
        put(folder, f"train/{entry['file_name']}", image(entry["id"]))
    categories = [{"id": 1, "name": "person", "isthing": 1}, {"id": 7, "name": "car", "isthing": 0}]
    boxes = [
        {
            "id": i,
            "image_id": image_id,
            "bbox": [i, 1, 2.5, 3],
            "category_id": kind,
            "iscrowd": i % 2,
            "area": 4.5 + i,
            "num_keypoints": 2,
            "segmentation": {"counts": [5, i, 2], "size": [3, 4]} if i % 2 else [[float(i), 2, 3, 4, 5, 6], [7, 8]],
            "keypoints": [1, 2, 2, 4, 5, i],
        }
        for i, (image_id, kind) in enumerate(((17, 1), (5, 7), (17, 7)))
    ]
    put(folder, "instances.json", json.dumps({"images": names, "annotations": boxes, "categories": categories}))
    captions = [{"id": i, "image_id": image_id, "caption": f"caption {i}"} for i, image_id in enumerate((17, 5, 17))]
    put(folder, "captions.json", json.dumps({"images": names, "annotations": captions}))
    segments = [
        {
            "image_id": image_id,
            "file_name": name,
            "segments_info": [{"id": 3, "category_id": kind, "iscrowd": 0, "bbox": [1, 2, 3, 4], "area": 12}],
        }
        for image_id, name, kind in ((17, "000017.jpg", 1), (5, "000005.jpg", 7))
    ]
    put(folder, "panoptic.json", json.dumps({"images": names, "annotations": segments, "categories": categories}))


def celeba(folder):
    lines = ["3", " ".join(f"Attribute_{i}" for i in range(40))]
    rng = np.random.RandomState(4)
    for number in (1, 2, 3):
        put(folder, f"00000{number}.jpg", image(number))
        lines.append(f"00000{number}.jpg  " + " ".join(str(v) for v in rng.choice([-1, 1], 40)))
    put(folder, "list_attr_celeba.txt", "\n".join(lines) + "\n")
    put(folder, "list_eval_partition.txt", "000001.jpg 0\n000002.jpg 1\n000003.jpg 2\n")


def flickr(folder):
    lines = []
    for number in (1, 2):
        put(folder, f"images/{number}.jpg", image(number))
        lines += [f"{number}.jpg#{i}\tcaption {i} of {number} ." for i in range(5)]
    put(folder, "token.txt", "\n".join(lines) + "\n")


def usps(folder):
    rng = np.random.RandomState(5)
    for name in ("usps", "usps.t"):
        rows = [
            f"{rng.randint(1, 11)} " + " ".join(f"{i + 1}:{v:.6f}" for i, v in enumerate(rng.uniform(-1, 1, 256)))
            for _ in range(2)
        ]
        put(folder, name, " \n".join(rows) + " \n")


def svhn(folder):
    for seed, part in enumerate(("train", "test", "extra")):
        rng = np.random.RandomState(seed)
        put(
            folder,
            f"{part}_32x32.mat",
            mat(X=rng.randint(0, 256, (32, 32, 3, 3)).astype(np.uint8), y=np.array([[10], [3], [seed]], np.uint8)),
        )


def stl10(folder):
    rng = np.random.RandomState(6)
    for part in ("train", "test", "unlabeled"):
        put(folder, f"{part}_X.bin", rng.randint(0, 256, (2, 3 * 96 * 96)).astype(np.uint8).tobytes())
    for part in ("train", "test"):
        put(folder, f"{part}_y.bin", rng.randint(1, 11, 2).astype(np.uint8).tobytes())


def places365(folder):
    put(folder, "categories_places365.txt", "/a/airfield 0\n/a/alley 1\n")
    for part in ("standard", "challenge"):
        put(folder, f"places365_train_{part}.txt", "/a/airfield/1.jpg 0\n/a/alley/2.jpg 1\n")
        put(folder, f"data_256_{part}/a/airfield/1.jpg", image(1))
        put(folder, f"data_256_{part}/a/alley/2.jpg", image(2))
        put(folder, f"data_large_{part}/a/airfield/1.jpg", image(3))
        put(folder, f"data_large_{part}/a/alley/2.jpg", image(4))
    put(folder, "places365_val.txt", "Places365_val_00000001.jpg 1\nPlaces365_val_00000002.jpg 0\n")
    for number in (1, 2):
        put(folder, f"val_256/Places365_val_0000000{number}.jpg", image(number + 5))
        put(folder, f"val_large/Places365_val_0000000{number}.jpg", image(number + 8))


def photo_tour(folder):
    put(folder, "liberty/patches0000.bmp", image(1, 1024, 1024, 1, "BMP"))
    put(folder, "liberty/info.txt", "".join(f"{i // 3} 0\n" for i in range(5)))
    put(folder, "liberty/m50_100000_100000_0.txt", "0 0 0 1 0 0 0\n1 0 0 4 1 0 0\n")


def sbu(folder):
    names = ["m_3326_3596303505_3ce4c20529.jpg", "m_2522_4182181099_c3c23ab1cc.jpg"]
    for number, name in enumerate(names):
        put(folder, f"sbu_images/{name}", image(number))
    put(
        folder,
        "SBU_captioned_photo_dataset_urls.txt",
        "http://static.flickr.com/3326/3596303505_3ce4c20529.jpg\nhttp://static.flickr.com/1/absent.jpg\n"
        "http://static.flickr.com/2522/4182181099_c3c23ab1cc.jpg\n",
    )
    put(folder, "SBU_captioned_photo_dataset_captions.txt", "a red bus \nnot there\ntwo dogs\n")


def semantic_boundary(folder):
    from scipy.sparse import csc_matrix

    for number, name in enumerate(("2008_000002", "2008_000003")):
        put(folder, f"img/{name}.jpg", image(number))
        edges = np.empty((20, 1), object)
        rng = np.random.RandomState(number)
        for i in range(20):
            edges[i, 0] = csc_matrix((rng.rand(3, 4) > 0.6).astype(np.uint8))
        kinds = [("Boundaries", object), ("Segmentation", object), ("CategoriesPresent", object)]
        entry = np.empty((1, 1), kinds)
        entry[0, 0] = (edges, pixels(number, channels=1), np.array([[1]], np.uint8))
        put(folder, f"cls/{name}.mat", mat(GTcls=entry))
    put(folder, "train.txt", "2008_000002\n")
    put(folder, "val.txt", "2008_000003\n")
    put(folder, "train_noval.txt", "2008_000003\n")


def semeion(folder):
    rng, rows = np.random.RandomState(7), []
    for _ in range(3):
        flags = np.eye(10, dtype=int)[rng.randint(10)]
        rows.append(" ".join(f"{v:.4f}" for v in rng.randint(0, 2, 256)) + " " + " ".join(map(str, flags)) + " ")
    put(folder, "semeion.data", "\n".join(rows) + "\n")


def caltech101(folder):
    for kind, shown in (("Faces", "Faces_2"), ("accordion", "accordion")):
        for number in (1, 2):
            put(folder, f"101_ObjectCategories/{kind}/image_000{number}.jpg", image(number + len(kind)))
            put(
                folder,
                f"Annotations/{shown}/annotation_000{number}.mat",
                mat(obj_contour=np.arange(6.0).reshape(2, 3) + number),
            )
    put(folder, "101_ObjectCategories/BACKGROUND_Google/image_0001.jpg", image(9))


def caltech256(folder):
    for kind, count in (("001.ak47", 2), ("002.american-flag", 1)):
        for number in range(count):
            put(folder, f"{kind}/{kind[:3]}_000{number + 1}.jpg", image(number + count))


def cityscapes(folder):
    for part, town, seed in (("train", "aachen", 1), ("train", "bochum", 2), ("val", "ulm", 3), ("test", "bonn", 4)):
        stem = f"{part}/{town}/{town}_000000_000019"
        put(folder, f"leftImg8bit/{stem}_leftImg8bit.png", image(seed))
        put(folder, f"gtFine/{stem}_gtFine_color.png", image(seed + 4))
        put(folder, f"gtFine/{stem}_gtFine_instanceIds.png", image(seed + 8, channels=1))
        put(folder, f"gtFine/{stem}_gtFine_labelIds.png", image(seed + 12, channels=1))
        put(folder, f"gtFine/{stem}_gtFine_polygons.json", json.dumps({"imgHeight": 3, "objects": [{"label": town}]}))
        if part == "train":
            for kind in ("color", "instanceIds", "labelIds"):
                put(folder, f"gtCoarse/{stem}_gtCoarse_{kind}.png", image(seed + 16))
            put(folder, f"gtCoarse/{stem}_gtCoarse_polygons.json", "{}")


def div2k(folder):
    for part, number in (("train", 1), ("train", 2), ("valid", 801)):
        put(folder, f"DIV2K_{part}_HR/{number:04d}.png", image(number))
        put(folder, f"DIV2K_{part}_LR_bicubic/X2/{number:04d}x2.png", image(number + 3))
        put(folder, f"DIV2K_{part}_LR_unknown/X4/{number:04d}x4.png", image(number + 4))
        put(folder, f"DIV2K_{part}_LR_mild/{number:04d}x4m.png", image(number + 5))
        put(folder, f"DIV2K_{part}_LR_x8/{number:04d}x8.png", image(number + 6))


def flowers102(folder):
    for number in range(1, 7):
        put(folder, f"jpg/image_{number:05d}.jpg", image(number))
        put(folder, f"segmim/segmim_{number:05d}.jpg", image(number + 6))
    put(folder, "imagelabels.mat", mat(labels=np.array([[3, 1, 2, 77, 102, 5]], np.uint8)))
    put(
        folder,
        "setid.mat",
        mat(
            trnid=np.array([[2, 4]], np.uint16),
            tstid=np.array([[1, 3, 6]], np.uint16),
            valid=np.array([[5]], np.uint16),
        ),
    )


def food101(folder):
    for seed, name in enumerate(("apple_pie/1", "apple_pie/2", "baby_back_ribs/3")):
        put(folder, f"images/{name}.jpg", image(seed))
    put(folder, "meta/classes.txt", "apple_pie\nbaby_back_ribs\n")
    put(folder, "meta/train.txt", "apple_pie/2\nbaby_back_ribs/3\n")
    put(folder, "meta/test.txt", "apple_pie/1\n")


def lfw(folder):
    for seed, name in enumerate(("Ann_Bee/Ann_Bee_0001", "Ann_Bee/Ann_Bee_0002", "Cy_Dee/Cy_Dee_0001")):
        put(folder, f"lfw_funneled/{name}.jpg", image(seed))
        put(folder, f"lfw/{name}.jpg", image(seed + 3))
        put(folder, f"lfw-deepfunneled/{name}.jpg", image(seed + 6))
    put(folder, "lfw-names.txt", "Ann_Bee\t2\nCy_Dee\t1\n")
    put(folder, "people.txt", "2\n1\nAnn_Bee\t2\n1\nCy_Dee\t1\n")
    put(folder, "peopleDevTrain.txt", "1\nAnn_Bee\t2\n")
    put(folder, "peopleDevTest.txt", "1\nCy_Dee\t1\n")
    put(folder, "pairs.txt", "1\t1\nAnn_Bee\t1\t2\nAnn_Bee\t1\tCy_Dee\t1\n")
    put(folder, "pairsDevTrain.txt", "1\nAnn_Bee\t1\t2\nAnn_Bee\t2\tCy_Dee\t1\n")
    put(folder, "pairsDevTest.txt", "1\nAnn_Bee\t2\t1\nCy_Dee\t1\tAnn_Bee\t1\n")


def lsun(folder):
    for seed, name in enumerate(
        (
            "bedroom_train/b",
            "bedroom_train/a",
            "classroom_train/c",
            "bedroom_val/d",
            "classroom_val/e",
            "test/f",
            "tower_train/g",
            "tower_val/h",
        )
    ):
        put(folder, f"{name}.jpg", image(seed))


def manifest(folder):
    lines = []
    for seed, (name, usage, labels) in enumerate(
        (("1.JPEG", "TRAIN", ["dog"]), ("2.JPEG", "TRAIN", ["cat", "dog"]), ("3.JPEG", "EVAL", ["fox"]))
    ):
        path = put(folder, name, image(seed))
        lines.append(
            json.dumps(
                {
                    "source": path,
                    "usage": usage,
                    "id": f"id{seed}",
                    "annotation": [{"type": "modelarts/image_classification", "name": kind} for kind in labels],
                }
            )
        )
    put(folder, "data.manifest", "\n".join(lines) + "\n")


def manifest_heads(folder):
    """Lines whose files begin as an image does, and lines whose files do not, each of a class of its own."""
    heads = (b"\xff\xd8\xff", b"\x89PN", b"BM6", b"GIF", b"II*\0", b"RIFF", b"\xff\xd8\xfe", b"hello", b"\x89PG")
    lines = [
        {
            "source": put(folder, f"{number}.jpg", head),
            "usage": "Train",
            "annotation": [{"type": "modelarts/image_classification", "name": "hgfedcbai"[number]}],
        }
        for number, head in enumerate(heads)
    ]
    put(folder, "data.manifest", "\n".join(map(json.dumps, lines)) + "\n")


def omniglot(folder):
    for part in ("images_background", "images_evaluation"):
        for seed, name in enumerate(
            ("Greek/character02/1.png", "Greek/character01/2.png", "Balinese/character01/3.png")
        ):
            put(folder, f"{part}/{name}", image(seed + len(part)))


def rendered_sst2(folder):
    for part in ("train", "valid", "test"):
        for seed, name in enumerate(("positive/1.png", "negative/2.png", "negative/1.png")):
            put(folder, f"{part}/{name}", image(seed + len(part)))


def sun397(folder):
    put(folder, "ClassName.txt", "/a/abbey\n/a/apartment_building/outdoor\n/b/badlands\n")
    for seed, name in enumerate(
        ("a/abbey/sun_1", "a/abbey/sun_2", "a/apartment_building/outdoor/sun_3", "b/badlands/sun_4")
    ):
        put(folder, f"{name}.jpg", image(seed))


def wider_face(folder):
    for part in ("train", "val", "test"):
        for seed in (1, 2):
            put(folder, f"WIDER_{part}/images/0--Parade/0_Parade_{seed}.jpg", image(seed + len(part)))
        if part != "test":
            put(
                folder,
                f"wider_face_split/wider_face_{part}_bbx_gt.txt",
                "0--Parade/0_Parade_1.jpg\n2\n1 2 3 4 0 0 0 0 0 0 \n5 6 7 8 2 1 1 0 2 1 \n"
                "0--Parade/0_Parade_2.jpg\n1\n9 8 7 6 1 0 0 1 0 0 \n",
            )
    put(folder, "wider_face_split/wider_face_test_filelist.txt", "0--Parade/0_Parade_1.jpg\n0--Parade/0_Parade_2.jpg\n")


def kitti(folder):
    for number in (0, 1):
        put(folder, f"data_object_image_2/training/image_2/00000{number}.png", image(number))
        put(folder, f"data_object_image_2/testing/image_2/00000{number}.png", image(number + 2))
        put(
            folder,
            f"data_object_label_2/training/label_2/00000{number}.txt",
            "Pedestrian 0.25 1 -0.20 712.40 143.00 810.73 307.92 1.89 0.48 1.20 1.84 1.47 8.41 0.01\n"
            + "DontCare -1 -1 -10 503.89 169.71 590.61 190.13 -1 -1 -1 -1000 -1000 -1000 -10\n" * number,
        )


def kitti_names(folder):
    for number, names in enumerate((("Misc", "Tram", "Car"), ("car", "Zebra", "DontCare"), ("Van", "Pedestrian"))):
        put(folder, f"data_object_image_2/training/image_2/00000{number}.png", image(number))
        rest = " 0.25 1 -0.20 712.40 143.00 810.73 307.92 1.89 0.48 1.20 1.84 1.47 8.41 0.01\n"
        put(folder, f"data_object_label_2/training/label_2/00000{number}.txt", "".join(name + rest for name in names))


_SAME = {"shuffle": False}
# name, what makes the files, dataset, arguments ("{}" stands for the folder)
CASES = [
    *(
        (f"{kind}_{usage or 'none'}", mnist, kind, {"dataset_dir": "{}", "usage": usage})
        for kind in ("MnistDataset", "FashionMnistDataset", "KMnistDataset")
        for usage in ("train", "test", None)
    ),
    *(
        (f"emnist_{usage}", emnist, "EMnistDataset", {"dataset_dir": "{}", "name": "letters", "usage": usage})
        for usage in ("train", "test", "all")
    ),
    *(
        (f"qmnist_{usage}", qmnist, "QMnistDataset", {"dataset_dir": "{}", "usage": usage, "compat": compat, **more})
        for usage, compat, more in (("train", True, {}), ("nist", False, {}), ("test10k", False, {"num_samples": 2}))
    ),
    ("folder", image_folder, "ImageFolderDataset", {"dataset_dir": "{}"}),
    (
        "folder_decode",
        image_folder,
        "ImageFolderDataset",
        {"dataset_dir": "{}", "decode": True, "extensions": [".jpg"]},
    ),
    ("folder_index", image_folder, "ImageFolderDataset", {"dataset_dir": "{}", "class_indexing": {"dog": 5, "cat": 2}}),
    ("folder_one", image_folder, "ImageFolderDataset", {"dataset_dir": "{}", "class_indexing": {"dog": 5}}),
    ("voc_segment", voc, "VOCDataset", {"dataset_dir": "{}"}),
    ("voc_segment_decode", voc, "VOCDataset", {"dataset_dir": "{}", "decode": True, "usage": "val"}),
    ("voc_detect", voc, "VOCDataset", {"dataset_dir": "{}", "task": "Detection", "decode": True}),
    (
        "voc_index",
        voc,
        "VOCDataset",
        {"dataset_dir": "{}", "task": "Detection", "class_indexing": {"car": 3}, "extra_metadata": True},
    ),
    *(
        (
            f"coco_{task}",
            coco,
            "CocoDataset",
            {"dataset_dir": "{}/train", "annotation_file": "{}/" + file, "task": task, "decode": True},
        )
        for task, file in (
            ("Detection", "instances.json"),
            ("Stuff", "instances.json"),
            ("Keypoint", "instances.json"),
            ("Panoptic", "panoptic.json"),
            ("Captioning", "captions.json"),
        )
    ),
    (
        "coco_meta",
        coco,
        "CocoDataset",
        {"dataset_dir": "{}/train", "annotation_file": "{}/instances.json", "extra_metadata": True},
    ),
    ("celeba", celeba, "CelebADataset", {"dataset_dir": "{}"}),
    ("celeba_valid", celeba, "CelebADataset", {"dataset_dir": "{}", "usage": "valid", "decode": True}),
    (
        "flickr",
        flickr,
        "FlickrDataset",
        {"dataset_dir": "{}/images", "annotation_file": "{}/token.txt", "decode": True},
    ),
    *(
        (f"usps_{usage}", usps, "USPSDataset", {"dataset_dir": "{}", "usage": usage})
        for usage in ("train", "test", "all")
    ),
    *((f"svhn_{usage}", svhn, "SVHNDataset", {"dataset_dir": "{}", "usage": usage}) for usage in ("train", "all")),
    *(
        (f"stl10_{usage}", stl10, "STL10Dataset", {"dataset_dir": "{}", "usage": usage})
        for usage in ("train", "unlabeled", "train+unlabeled", "all")
    ),
    *(
        (
            f"places_{usage}_{small}",
            places365,
            "Places365Dataset",
            {"dataset_dir": "{}", "usage": usage, "small": small, "decode": True},
        )
        for usage in ("train-standard", "train-challenge", "val")
        for small in (True, False)
    ),
    ("sbu", sbu, "SBUDataset", {"dataset_dir": "{}", "decode": True}),
    ("sb_boundaries", semantic_boundary, "SBDataset", {"dataset_dir": "{}", "decode": True}),
    ("sb_segmentation", semantic_boundary, "SBDataset", {"dataset_dir": "{}", "task": "Segmentation", "usage": "val"}),
    ("semeion", semeion, "SemeionDataset", {"dataset_dir": "{}"}),
    *(
        (
            f"caltech101_{kind}",
            caltech101,
            "Caltech101Dataset",
            {"dataset_dir": "{}", "target_type": kind, "decode": True},
        )
        for kind in ("category", "annotation", "all")
    ),
    ("caltech256", caltech256, "Caltech256Dataset", {"dataset_dir": "{}", "decode": True}),
    *(
        (
            f"cityscapes_{task}_{usage}",
            cityscapes,
            "CityscapesDataset",
            {"dataset_dir": "{}", "task": task, "usage": usage, "decode": True},
        )
        for task, usage in (("instance", "train"), ("semantic", "val"), ("color", "test"), ("polygon", "all"))
    ),
    ("cityscapes_coarse", cityscapes, "CityscapesDataset", {"dataset_dir": "{}", "quality_mode": "coarse"}),
    *(
        (
            f"div2k_{downgrade}_{usage}",
            div2k,
            "DIV2KDataset",
            {"dataset_dir": "{}", "usage": usage, "downgrade": downgrade, "scale": scale, "decode": True},
        )
        for usage, downgrade, scale in (
            ("train", "bicubic", 2),
            ("valid", "unknown", 4),
            ("all", "mild", 4),
            ("train", "bicubic", 8),
        )
    ),
    *(
        (f"flowers_{usage}", flowers102, "Flowers102Dataset", {"dataset_dir": "{}", "usage": usage})
        for usage in ("train", "test", "valid", "all")
    ),
    ("flowers_segment", flowers102, "Flowers102Dataset", {"dataset_dir": "{}", "task": "Segmentation", "decode": True}),
    *(
        (f"food_{usage}", food101, "Food101Dataset", {"dataset_dir": "{}", "usage": usage, "decode": True})
        for usage in ("train", "test", "all")
    ),
    *(
        (f"lfw_{task}_{usage}", lfw, "LFWDataset", {"dataset_dir": "{}", "task": task, "usage": usage, "decode": True})
        for task in ("people", "pairs")
        for usage in ("train", "test", "all", "10fold")
    ),
    ("lfw_original", lfw, "LFWDataset", {"dataset_dir": "{}", "image_set": "original"}),
    *(
        (
            f"lsun_{usage}",
            lsun,
            "LSUNDataset",
            {"dataset_dir": "{}", "usage": usage, "classes": ["classroom", "bedroom"], "decode": True},
        )
        for usage in ("train", "valid", "test")
    ),
    *(
        (
            f"manifest_{usage}",
            manifest,
            "ManifestDataset",
            {"dataset_file": "{}/data.manifest", "usage": usage, "decode": True},
        )
        for usage in ("train", "eval")
    ),
    ("manifest_heads", manifest_heads, "ManifestDataset", {"dataset_file": "{}/data.manifest"}),
    (
        "manifest_index",
        manifest,
        "ManifestDataset",
        {"dataset_file": "{}/data.manifest", "class_indexing": {"dog": 4, "cat": 6}},
    ),
    *(
        (
            f"omniglot_{background}",
            omniglot,
            "OmniglotDataset",
            {"dataset_dir": "{}", "background": background, "decode": True},
        )
        for background in (None, False)
    ),
    *(
        (
            f"rendered_{usage}",
            rendered_sst2,
            "RenderedSST2Dataset",
            {"dataset_dir": "{}", "usage": usage, "decode": True},
        )
        for usage in ("train", "val", "all")
    ),
    ("sun397", sun397, "SUN397Dataset", {"dataset_dir": "{}", "decode": True}),
    *(
        (f"wider_{usage}", wider_face, "WIDERFaceDataset", {"dataset_dir": "{}", "usage": usage, "decode": True})
        for usage in ("train", "valid", "test", "all")
    ),
    *(
        (f"kitti_{usage}", kitti, "KITTIDataset", {"dataset_dir": "{}", "usage": usage, "decode": True})
        for usage in ("train", "test")
    ),
    ("kitti_names", kitti_names, "KITTIDataset", {"dataset_dir": "{}"}),
    *(
        (
            f"photo_tour_{usage}",
            photo_tour,
            "PhotoTourDataset",
            {"dataset_dir": "{}", "name": "liberty", "usage": usage},
        )
        for usage in ("train", "test")
    ),
]
CASES = [(name, make, kind, {**_SAME, **arguments}) for name, make, kind, arguments in CASES]
