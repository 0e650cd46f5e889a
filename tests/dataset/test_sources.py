"""Every source reads its files as MindSpore does: rows against goldens, and what happens where files are missing."""

import doctest
import importlib
import inspect
import json
import os
import pathlib
import pickle

import golden_files
import numpy as np
import pytest
import source_formats_text
import source_formats_vision
from helpers import signature_text
from source_files import describe_rows, fill, image, put, wav

import msjax.dataset as ds
from msjax import mindrecord
from msjax.core.keywords import documented

GOLDENS = golden_files.read("sources")
CASES = {
    name: (make, kind, arguments)
    for name, make, kind, arguments in [*source_formats_vision.CASES, *source_formats_text.CASES]
}


def rows_of(dataset):
    return list(dataset.create_tuple_iterator(num_epochs=1, output_numpy=True))


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Makes the files of a case once for all cases that read them."""
    made = {}

    def get(make):
        key = make.__qualname__ + str(make.__defaults__)
        if key not in made:
            made[key] = str(tmp_path_factory.mktemp("source"))
            make(made[key])
        return made[key]

    return get


@pytest.mark.parametrize("name", CASES)
def test_rows_are_mindspores(name, folders):
    make, kind, arguments = CASES[name]
    dataset = getattr(ds, kind)(**fill(arguments, folders(make)))
    golden = GOLDENS[name]
    assert dataset.get_col_names() == golden["columns"]
    rows, expected = describe_rows(rows_of(dataset)), golden["rows"]
    if kind == "TedliumDataset":  # MindSpore gives silence for every recording
        rows, expected = ([[row[0][:2], *row[1:]] for row in table] for table in (rows, expected))
        rows, expected = (sorted(table, key=repr) for table in (rows, expected))  # of files in no order there
    assert rows == expected
    assert dataset.get_dataset_size() == len(expected)


def test_goldens_and_cases_belong_together():
    assert set(GOLDENS) == {*CASES, "signatures"}


@pytest.mark.parametrize("name", GOLDENS["signatures"])
def test_signatures_are_mindspores(name):
    kind = getattr(ds, name, None) or getattr(mindrecord, name)
    assert signature_text(kind) == GOLDENS["signatures"][name]


# --- beside the rows --------------------------------------------------------------------------------------------------


def opened(name, folders, **more):
    make, kind, arguments = CASES[name]
    return getattr(ds, kind)(**{**fill(arguments, folders(make)), **more})


def test_every_kind_of_source_can_be_split(folders):
    kinds = {kind: name for name, (_, kind, _) in CASES.items()}
    for name in kinds.values():
        dataset = opened(name, folders)
        size = dataset.get_dataset_size()
        if isinstance(dataset, ds.MappableDataset) and size > 1:
            parts = dataset.split([size - 1, 1], randomize=False)
            assert [part.get_dataset_size() for part in parts] == [size - 1, 1], name


@pytest.mark.parametrize(
    "name, expected",
    [
        ("folder", {"cat": 0, "dog": 1}),
        ("folder_index", {"dog": 5, "cat": 2}),
        ("folder_one", {"dog": 5}),
        ("voc_detect", {"car": 0, "person": 1}),
        ("voc_index", {"car": 3}),
        ("coco_Detection", {"person": [1], "car": [7]}),
        ("coco_Panoptic", {"person": [1, 1], "car": [7, 0]}),
        ("manifest_train", {"cat": 0, "dog": 1}),
        ("manifest_index", {"dog": 4, "cat": 6}),
        ("caltech101_all", {"Faces": 0, "accordion": 1}),
    ],
)
def test_class_indexing(name, expected, folders):
    assert opened(name, folders).get_class_indexing() == expected


@pytest.mark.parametrize(
    "name, expected",
    [
        ("folder", 2),
        ("folder_one", 1),
        ("caltech256", 2),
        ("manifest_train", 2),
        ("manifest_eval", 1),
        ("omniglot_None", 3),
        ("rendered_all", 2),
        ("lsun_train", 2),
        ("imdb_all", 2),
        ("voc_detect", None),
        ("sun397", None),
        ("svhn_train", None),
    ],
)
def test_number_of_classes(name, expected, folders):
    assert opened(name, folders).num_classes() == expected


@pytest.mark.parametrize("name", ["voc_segment", "coco_Stuff"])
def test_class_indexing_of_other_tasks_is_refused(name, folders):
    with pytest.raises(NotImplementedError, match="support get_class_indexing"):
        opened(name, folders).get_class_indexing()


def test_flowers_have_102_names(folders):
    indexing = opened("flowers_all", folders).get_class_indexing()
    assert len(indexing) == 102 and indexing["pink primrose"] == 0 and indexing["blackberry lily"] == 101


@pytest.mark.parametrize(
    "name, column, expected",
    [("voc_index", "_meta-filename", "2007_000027"), ("coco_meta", "_meta-filename", "000017")],
)
def test_file_names_show_when_renamed(name, column, expected, folders):
    dataset = opened(name, folders)
    assert column not in next(dataset.create_dict_iterator(1, output_numpy=True))
    assert next(dataset.rename(column, "file").create_dict_iterator(1, output_numpy=True))["file"] == expected


@pytest.mark.parametrize("name", ["folder", "voc_segment", "coco_Detection", "celeba"])
def test_decrypt_reads_the_files(name, folders):
    seen = []

    def decrypt(path):
        seen.append(path)
        return pathlib.Path(path).read_bytes()

    dataset = opened(name, folders, decrypt=decrypt)
    assert describe_rows(rows_of(dataset)) == GOLDENS[name]["rows"]
    assert seen and all(map(os.path.isfile, seen))
    with pytest.raises(TypeError, match="'decrypt' must be a function"):
        opened(name, folders, decrypt=3)


def test_cifar(tmp_path):
    rng = np.random.RandomState(2)
    kept = {
        name: rng.randint(0, 10, (2, 3074)).astype(np.uint8)
        for name in [*(f"data_batch_{i}.bin" for i in range(1, 6)), "test_batch.bin", "train.bin", "test.bin"]
    }
    for name, data in kept.items():
        put(
            str(tmp_path / ("ten" if "_" in name else "hundred")),
            name,
            (data if "_" not in name else data[:, 1:]).tobytes(),
        )
    train = rows_of(ds.Cifar10Dataset(str(tmp_path / "ten"), "train", shuffle=False))
    assert len(train) == 10 and len(rows_of(ds.Cifar10Dataset(str(tmp_path / "ten"), shuffle=False))) == 12
    image_, label = train[3]
    data = kept["data_batch_2.bin"][1]
    assert np.array_equal(image_, data[2:].reshape(3, 32, 32).transpose(1, 2, 0)) and label == data[1]
    assert label.dtype == np.uint32 and label.shape == ()
    image_, coarse, fine = rows_of(ds.Cifar100Dataset(str(tmp_path / "hundred"), "test", shuffle=False))[0]
    assert (coarse, fine) == tuple(kept["test.bin"][0][:2])
    assert np.array_equal(image_, kept["test.bin"][0][2:].reshape(3, 32, 32).transpose(1, 2, 0))
    both = rows_of(ds.Cifar100Dataset(str(tmp_path / "hundred"), shuffle=False))  # "all" reads the test file first
    assert [int(row[2]) for row in both] == [*kept["test.bin"][:, 1], *kept["train.bin"][:, 1]]
    put(str(tmp_path / "hundred"), "train.bin", b"x" * 100)
    with pytest.raises(RuntimeError, match="train.bin has 100 bytes, which is not a multiple of the 3074"):
        rows_of(ds.Cifar100Dataset(str(tmp_path / "hundred"), "train"))


def test_qmnist_splits_the_test_file(folders):
    first, rest = (opened("qmnist_test10k", folders, usage=usage, num_samples=None) for usage in ("test10k", "test50k"))
    assert (first.get_dataset_size(), rest.get_dataset_size()) == (10000, 2)
    whole = opened("qmnist_test10k", folders, usage="all", num_samples=None)
    assert whole.get_dataset_size() == 10002 + 3 + 2


def test_fake_images_repeat():
    dataset = ds.FakeImageDataset(20, (4, 5, 3), 7, base_seed=3, shuffle=False)
    rows, again = rows_of(dataset), rows_of(dataset)
    assert all(np.array_equal(a[0], b[0]) and a[1] == b[1] for a, b in zip(rows, again))
    assert rows[0][0].shape == (4, 5, 3) and rows[0][0].dtype == np.uint8 and rows[0][1].dtype == np.uint32
    assert len({row[0].tobytes() for row in rows}) == 20 and {int(row[1]) for row in rows} <= set(range(7))
    other = rows_of(ds.FakeImageDataset(20, (4, 5, 3), 7, base_seed=4, shuffle=False))
    assert not np.array_equal(rows[0][0], other[0][0])
    with pytest.raises(ValueError, match="'image_size' must be a tuple or a list of 3 items"):
        ds.FakeImageDataset(image_size=(3, 4))


def test_random_dataset():
    schema = ds.Schema()
    for name, kind, shape in (
        ("image", "uint8", [2, 3]),
        ("label", "int32", []),
        ("text", "string", [1]),
        ("f", "float16", None),
    ):
        schema.add_column(name, kind, shape)
    dataset = ds.RandomDataset(total_rows=3, schema=schema)
    rows = rows_of(dataset)
    assert [(value.dtype.kind, value.shape) for value in rows[0]] == [
        ("u", (2, 3)),
        ("i", ()),
        ("U", (1,)),
        ("f", (1,)),
    ]
    assert dataset.get_dataset_size() == len(rows) == 3
    assert len(rows_of(ds.RandomDataset(schema=schema, num_samples=2, columns_list=["label"]))) == 2
    assert len(rows_of(ds.RandomDataset(total_rows=4))) == 4
    with pytest.raises(RuntimeError, match="column 'nope' does not exist"):
        ds.RandomDataset(schema=schema, columns_list=["nope"])


def test_sampling_of_entries(folders):
    assert len(rows_of(opened("folder", folders, num_samples=2))) == 2
    assert len(rows_of(opened("folder", folders, num_shards=2, shard_id=1))) == 3
    sampler = ds.PKSampler(1)
    labels = [int(row[1]) for row in rows_of(opened("folder", folders, shuffle=None, sampler=sampler))]
    assert labels == [0, 1]
    ds.config.set_seed(3)
    mixed = [row[0].tobytes() for row in rows_of(opened("caltech256", folders, shuffle=True))]
    assert sorted(mixed) == sorted(row[0].tobytes() for row in rows_of(opened("caltech256", folders)))
    with pytest.raises(ValueError, match="doesn't support PKSampler"):
        opened("celeba", folders, shuffle=None, sampler=sampler)


def test_text_is_sharded_and_shuffled(folders):
    parts = [[str(row[0]) for row in rows_of(opened("text_two", folders, num_shards=2, shard_id=i))] for i in range(2)]
    assert parts == [["first line", "third  line "], ["grüße", "last without end"]]
    ds.config.set_seed(1)
    dataset = opened("text_two", folders, shuffle=ds.Shuffle.FILES, num_parallel_workers=1)
    orders = {tuple(str(value) for (value,) in rows_of(dataset)) for _ in range(6)}
    assert len(orders) == 1  # one seed, one order
    epochs = {
        tuple(str(value) for (value,) in epoch)
        for epoch in (list(it) for it in [dataset.create_tuple_iterator(num_epochs=8, output_numpy=True)] * 8)
    }
    a, b = ("first line", "third  line "), ("grüße", "last without end")
    assert epochs == {a + b, b + a}


@pytest.mark.parametrize(
    "settings, rows",
    [
        ({"num_parallel_workers": 1}, "a0 a1 b0 b1 b2 c0 c1 c2 c3 d0 e0 e1 e2"),
        ({"num_parallel_workers": 2}, "a0 b0 a1 b1 c0 b2 c1 d0 c2 c3 e0 e1 e2"),
        ({"num_parallel_workers": 2, "num_samples": 6}, "a0 b0 a1 b1 c0 b2"),
    ],
)
def test_workers_read_files_in_turns(settings, rows, tmp_path):
    """Recorded from MindSpore: each worker has files of its own, and gives a row in its turn."""
    names = {"b": 3, "a": 2, "c": 4, "d": 1, "e": 3}
    paths = [put(str(tmp_path), f"{n}.txt", "".join(f"{n}{i}\n" for i in range(k))) for n, k in names.items()]
    assert " ".join(str(row[0]) for row in rows_of(ds.TextFileDataset(paths, shuffle=False, **settings))) == rows


def test_long_csv_fields(tmp_path):
    path = put(str(tmp_path), "train.csv", '"1","' + "x" * 200000 + '"\n')
    put(str(tmp_path), "test.csv", "")
    assert rows_of(ds.YelpReviewDataset(os.path.dirname(path), "train"))[0][1].tolist() == "x" * 200000


@pytest.mark.parametrize("width, channels", [(1, 1), (2, 2), (3, 1), (4, 1)])
def test_wave_widths(width, channels, tmp_path):
    put(str(tmp_path), "1_0_1_1_1_1_1_1.wav", wav(1, 50, 8000, channels, width))
    samples, rate, label = rows_of(ds.YesNoDataset(str(tmp_path)))[0]
    assert samples.shape == (1, 50 * channels) and samples.dtype == np.float32
    assert 0.5 < np.abs(samples).max() <= 1.02 and abs(samples.mean()) < 0.4 and rate == 8000


@pytest.mark.parametrize("name, old, new", [("voc_detect", "mode", "usage"), ("celeba_valid", "dataset_type", "usage")])
def test_argument_names_of_1_x(name, old, new, folders):
    make, kind, arguments = CASES[name]
    arguments = {"usage": "train", **fill(arguments, folders(make))}
    value = arguments.pop(new)
    assert describe_rows(rows_of(getattr(ds, kind)(**arguments, **{old: value}))) == GOLDENS[name]["rows"]
    with pytest.raises(TypeError, match=f"'{old}' is MindSpore 1.x's name of '{new}'"):
        getattr(ds, kind)(**arguments, **{old: value, new: value})


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind, arguments, error, match",
    [
        ("ImageFolderDataset", {"dataset_dir": "{}/none"}, ValueError, "'dataset_dir' must be a str naming a folder"),
        ("ImageFolderDataset", {"dataset_dir": 3}, TypeError, "dataset_dir"),
        ("ImageFolderDataset", {"dataset_dir": "{}", "decode": 1}, TypeError, "decode"),
        ("ImageFolderDataset", {"dataset_dir": "{}", "extensions": ".jpg"}, TypeError, "extensions"),
        ("ImageFolderDataset", {"dataset_dir": "{}", "shuffle": 3}, TypeError, "shuffle"),
        ("ImageFolderDataset", {"dataset_dir": "{}", "num_samples": "a"}, TypeError, "num_samples"),
        ("ImageFolderDataset", {"dataset_dir": "{}", "num_shards": 2}, RuntimeError, "requires shard_id"),
        ("ImageFolderDataset", {"dataset_dir": "{}", "num_shards": 2, "shard_id": 2}, ValueError, "shard_id"),
        ("Cifar10Dataset", {"dataset_dir": "{}", "usage": "valid"}, ValueError, "'usage' must be one of"),
        ("EMnistDataset", {"dataset_dir": "{}", "name": "words"}, ValueError, "'name' must be one of"),
        (
            "VOCDataset",
            {"dataset_dir": "{}", "task": "Boxes"},
            ValueError,
            "'task' must be 'Segmentation' or 'Detection', but got 'Boxes'",
        ),
        ("VOCDataset", {"dataset_dir": "{}"}, ValueError, "Segmentation/train.txt' with type"),
        ("VOCDataset", {"dataset_dir": "{}", "class_indexing": {}}, ValueError, "class_indexing is not supported"),
        (
            "CocoDataset",
            {"dataset_dir": "{}", "annotation_file": "{}/a.json"},
            ValueError,
            "'annotation_file' must be a str naming a file",
        ),
        ("CelebADataset", {"dataset_dir": "{}", "usage": "dev"}, ValueError, "'usage' must be"),
        ("DIV2KDataset", {"dataset_dir": "{}", "scale": 5}, ValueError, "'scale' must be one of 2, 3"),
        ("DIV2KDataset", {"dataset_dir": "{}", "scale": 8, "downgrade": "unknown"}, ValueError, "only in bicubic"),
        (
            "DIV2KDataset",
            {"dataset_dir": "{}", "scale": 2, "downgrade": "mild"},
            ValueError,
            "requires scale equal to 4",
        ),
        ("CityscapesDataset", {"dataset_dir": "{}", "usage": "train_extra"}, ValueError, "'usage' must be one of"),
        ("SVHNDataset", {"dataset_dir": "{}"}, ValueError, "train_32x32.mat' with type"),
        ("STL10Dataset", {"dataset_dir": "{}", "usage": "test"}, ValueError, "test_X.bin' with type"),
        ("SBDataset", {"dataset_dir": "{}"}, FileNotFoundError, "train.txt not found"),
        ("SBUDataset", {"dataset_dir": "{}"}, ValueError, "urls.txt' with type"),
        ("Flowers102Dataset", {"dataset_dir": "{}"}, ValueError, "jpg does not exist"),
        ("LSUNDataset", {"dataset_dir": "{}", "classes": ["moon"]}, ValueError, "'classes' must be"),
        ("LFWDataset", {"dataset_dir": "{}", "task": "faces"}, ValueError, "'task' must be"),
        (
            "TedliumDataset",
            {"dataset_dir": "{}", "release": "release3", "usage": "dev"},
            ValueError,
            "'usage' must be 'all' or None",
        ),
        ("TextFileDataset", {"dataset_files": "{}/no*.txt"}, ValueError, "patterns did not match any files"),
        ("TextFileDataset", {"dataset_files": "{}"}, ValueError, "patterns did not match any files"),  # a folder
        ("TextFileDataset", {"dataset_files": []}, ValueError, "of at least 1 items"),
        (
            "CSVDataset",
            {"dataset_files": "{}/a.csv", "field_delim": ";;"},
            ValueError,
            "'field_delim' must be a str of one character",
        ),
        ("CLUEDataset", {"dataset_files": "{}/a.csv", "task": "X"}, ValueError, "'task' must be one of"),
        ("Multi30kDataset", {"dataset_dir": "{}", "language_pair": ["en", "fr"]}, ValueError, "language_pair"),
        ("IWSLT2016Dataset", {"dataset_dir": "{}", "valid_set": "x"}, ValueError, "valid_set"),
    ],
)
def test_bad_arguments(kind, arguments, error, match, tmp_path):
    put(str(tmp_path), "a.csv", "a\n1\n")
    with pytest.raises(error, match=match):
        getattr(ds, kind)(**fill(arguments, str(tmp_path)))


@pytest.mark.parametrize(
    "kind, arguments, match",
    [
        ("ImageFolderDataset", {}, "no valid data was found for ImageFolderDataset"),
        ("FashionMnistDataset", {}, "FashionMnistDataset API can't read the data file"),
        ("EMnistDataset", {"name": "mnist"}, "emnist-mnist-test-images-idx3-ubyte: an idx file was expected"),
        ("Cifar10Dataset", {}, r"has no file \*data_batch\*.bin"),
        ("SemeionDataset", {}, "semeion.data: the digits of Semeion was expected"),
        ("CelebADataset", {}, "list_attr_celeba.txt: the attributes of CelebA was expected"),
        ("KITTIDataset", {}, "image_2: images of KITTI was expected"),
        ("Places365Dataset", {}, "places365_train_standard.txt: the list of images was expected"),
        ("PennTreebankDataset", {}, "ptb.test.txt: text was expected"),
        ("AGNewsDataset", {}, "test.csv: a CSV file was expected"),
        ("SQuADDataset", {}, "holds no file train-v"),
        ("IMDBDataset", {}, "pos: reviews of IMDb was expected"),
        ("YesNoDataset", {}, "no valid data was found"),
        ("CMUArcticDataset", {}, "txt.done.data: the transcripts of CMU Arctic was expected"),
        ("USPSDataset", {}, "usps: the digits of USPS in LIBSVM format was expected"),
    ],
)
def test_missing_files_are_named(kind, arguments, match, tmp_path):
    with pytest.raises(RuntimeError, match=match) as error:
        rows_of(getattr(ds, kind)(str(tmp_path), **arguments))
    assert str(tmp_path) in str(error.value)


def test_files_that_are_damaged(tmp_path, folders):
    folder = str(tmp_path)
    put(folder, "dog/a.jpg", image(1)), put(folder, "dog/b/c.jpg", image(1))
    with pytest.raises(RuntimeError, match="b, should be file, but got directory"):
        rows_of(ds.ImageFolderDataset(folder))
    put(folder, "broken/dog/a.jpg", b"no image at all")
    with pytest.raises(RuntimeError, match="a.jpg.*failed to decode"):
        rows_of(ds.ImageFolderDataset(folder + "/broken", decode=True))
    put(folder, "yes/1_0_0_0_0_0_0_0.wav", wav(1)[:-7])
    with pytest.raises(RuntimeError, match="1_0_0_0_0_0_0_0.wav is cut short"):
        rows_of(ds.YesNoDataset(folder + "/yes"))
    put(folder, "x.csv", "a,b\n1,2\n3\n")
    with pytest.raises(RuntimeError, match="x.csv at line 3. Error message: it has 1 fields"):
        rows_of(ds.CSVDataset(folder + "/x.csv"))
    with pytest.raises(RuntimeError, match="parse failed at line 2, type does not match"):
        rows_of(ds.CSVDataset(put(folder, "y.csv", "a,b\n1,x\n"), column_defaults=[0, 0]))
    with pytest.raises(RuntimeError, match="should have different names"):
        rows_of(ds.CSVDataset(put(folder, "z.csv", "a,a\n1,x\n")))
    for name, rows in (("cut", 'a,b\n1,"2\n'), ("after", 'a,b\n"1"2,3\n')):
        with pytest.raises(RuntimeError, match=f"failed to parse csv file: .*{name}.csv"):
            rows_of(ds.CSVDataset(put(folder, f"{name}.csv", rows)))
    with pytest.raises(RuntimeError, match="should have different names"):
        rows_of(ds.CSVDataset(folder + "/cut.csv", column_names=["a", "a"]))
    dataset = ds.CSVDataset(put(folder, "none.csv", "a,b\n"))
    assert dataset.get_dataset_size() == 0
    with pytest.raises(RuntimeError, match="CSVDataset found no row in"):
        rows_of(dataset)
    with pytest.raises(RuntimeError, match="TextFileDataset found no row in"):
        rows_of(ds.TextFileDataset(put(folder, "none.txt", "")))
    assert (
        ds.CSVDataset(folder + "/y.csv", column_defaults=[0, 0]).get_dataset_size() == 1
    )  # rows are counted, not read
    put(folder, "bad.txt", b"\xff\xfe\xfa")
    with pytest.raises(RuntimeError, match="bad.txt is no UTF-8 text"):
        rows_of(ds.TextFileDataset(folder + "/bad.txt"))
    with pytest.raises(RuntimeError, match="data.manifest at line 1 can not be read"):
        rows_of(ds.ManifestDataset(put(folder, "data.manifest", "{oops\n")))
    for usage, source, said in (
        ("eval", "no.jpg", "failed to read"),
        ("train", "bad", "2 bytes"),
        (None, "x", "'usage' is missing"),
    ):
        put(folder, "bad", b"BM")
        line = {"source": f"{folder}/{source}", "annotation": []} | ({"usage": usage} if usage else {})
        with pytest.raises(RuntimeError, match=f"Invalid manifest file, .*{said}"):
            rows_of(ds.ManifestDataset(put(folder, "data.manifest", json.dumps(line)), "train"))
    with pytest.raises(RuntimeError, match="attribute of 'images' is missing"):
        rows_of(ds.CocoDataset(folder, put(folder, "coco.json", "{}")))


def test_sources_can_go_to_other_processes(folders):
    for name in ("folder", "MnistDataset_train", "text_one", "commands_all"):
        dataset = opened(name, folders)
        rows_of(dataset)
        copy = pickle.loads(pickle.dumps(dataset))
        assert describe_rows(rows_of(copy)) == describe_rows(rows_of(dataset))


@pytest.mark.parametrize("name", [name for name in GOLDENS["signatures"] if hasattr(ds, name)])
def test_every_argument_is_documented(name):
    kind = getattr(ds, name)
    assert all(parameter.name in inspect.getdoc(kind) for parameter in documented(kind.__init__)[1:])


@pytest.mark.parametrize(
    "module",
    [
        "mindrecord.writer",
        "mindrecord.reader",
        "mindrecord.page",
        "mindrecord.save",
        "mindrecord.crypt",
        "dataset.sources.texts",
        "dataset.sources.mindrecord",
        "dataset.sources.schema",
    ],
)
def test_examples_of_the_documentation(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # examples write files
    result = doctest.testmod(importlib.import_module(f"msjax.{module}"))
    assert result.attempted and not result.failed


def test_all_of_lsun_is_what_has_labels(tmp_path):
    """MindSpore reads the same files in this order; it gives each folder a label of its own."""
    source_formats_vision.lsun(tmp_path)
    data = ds.LSUNDataset(str(tmp_path), usage="all", shuffle=False)
    assert [int(label) for _, label in rows_of(data)] == [0, 0, 0, 1, 1, 2, 2]
    assert data.num_classes() == 3


def test_cifar_reads_the_files_that_are_there(tmp_path):
    """As MindSpore does, of folders with these files at their full size: 20000, 20000, 10000, 10000 rows, and none."""
    rows = np.arange(2 * 3074, dtype=np.uint8).reshape(2, 3074) % 10
    for name, width in (
        ("data_batch_2.bin", 3073),
        ("data_batch_x.bin", 3073),
        ("test_batch.bin", 3073),
        ("fine.bin", 3073),
    ):
        (tmp_path / name).write_bytes(rows[:, :width].tobytes())
    sizes = {
        usage: len(list(ds.Cifar10Dataset(str(tmp_path), usage).create_tuple_iterator(num_epochs=1)))
        for usage in ("all", "train", "test")
    }
    assert sizes == {"all": 6, "train": 4, "test": 2}
    (tmp_path / "test_batch.bin").unlink()
    assert ds.Cifar10Dataset(str(tmp_path)).get_dataset_size() == 4
    with pytest.raises(RuntimeError, match="has no file"):
        ds.Cifar10Dataset(str(tmp_path), "test").get_dataset_size()
    hundred = tmp_path / "hundred"
    hundred.mkdir()
    (hundred / "train.bin").write_bytes(rows.tobytes())
    assert ds.Cifar100Dataset(str(hundred)).get_dataset_size() == 2
