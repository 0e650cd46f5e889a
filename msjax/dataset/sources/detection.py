"""Images with boxes of objects: VOC, COCO, KITTI."""

import collections
import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal
from xml.etree import ElementTree

import numpy as np

from ...core.constructor import with_arguments
from ...core.keywords import old_keywords
from ...core.spec.checking import checked
from ...core.spec.rules import Like
from ..check import check, check_file
from ..engine import samplers
from ..engine.cache import DatasetCache
from ..engine.node import MappableDataset
from ..rules import Folder, NumSamples, PositiveInt32, ReadableFile
from .base import (
    EntrySource,
    UsageDecodingSource,
    declare,
    expect_file,
    list_images,
    once,
    read_lines,
    text,
    with_sections_of,
)

if TYPE_CHECKING:
    from ..engine.samplers import SamplerLike

_META = {"_meta-filename": text}  # given to operations under this name, hidden from iterators unless renamed


def no_pk_sampler(source: Any, sampler: "SamplerLike | None"):
    check(not isinstance(sampler, samplers.PKSampler), f"{type(source).__name__} doesn't support PKSampler.")


class VOCDataset(EntrySource):
    """PASCAL VOC; columns image and target (uint8), or image (uint8), bbox (float32: x, y, width, height), label,
    difficult and truncate (uint32) with a row for each object.

    Args:
        dataset_dir (str): folder with `ImageSets`, `JPEGImages` and so on.
        task (str, optional): "Segmentation" or "Detection". Default: "Segmentation".
        usage (str, optional): name of the file in `ImageSets` that lists the images. Default: "train".
        class_indexing (dict, optional): class to label, of "Detection"; objects of other classes are left out.
            Default: None, which numbers the sorted classes.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: False.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.
        extra_metadata (bool, optional): add a column `_meta-filename`; rename it to see it. Default: False.
        decrypt (callable, optional): function from a path to the bytes of the file. Default: None.

    Raises:
        ValueError: a folder or file does not exist, or an argument is out of range.
        RuntimeError: an annotation is missing or damaged.
    """

    _SETS = {"Segmentation": "Segmentation", "Detection": "Main"}

    @old_keywords(mode="usage")
    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        task: Literal["Segmentation", "Detection"] = "Segmentation",
        usage: str = "train",
        class_indexing: dict | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
        extra_metadata: Like[bool] = False,
        decrypt: Callable | None = None,
    ):
        check(task == "Detection" or class_indexing is None, "class_indexing is not supported in Segmentation task.")
        declare(self, MappableDataset, extra_metadata=False)
        check_file(self._list, "usage")

    @property
    def _list(self):
        return os.path.join(self.dataset_dir, "ImageSets", self._SETS[self.task], f"{self.usage}.txt")

    @property
    def columns(self):
        if self.task == "Segmentation":
            kinds = {"image": "image", "target": "image"}
        else:
            kinds = {
                "image": "image",
                "bbox": np.float32,
                "label": np.uint32,
                "difficult": np.uint32,
                "truncate": np.uint32,
            }
        return {**kinds, **(_META if self.extra_metadata else {})}

    @property
    def _names(self):
        return [line.split()[0] for line in read_lines(self._list, "the list of images") if line.strip()]

    @once
    def _objects(self):
        """Image to its objects: (class, box, difficult, truncated)."""
        return {name: self._read(os.path.join(self.dataset_dir, "Annotations", f"{name}.xml")) for name in self._names}

    def _read(self, path):
        expect_file(path, "an annotation of VOC")
        try:
            objects = []
            for node in ElementTree.parse(path).getroot().iter("object"):
                box = [float(node.find("bndbox").find(side).text) for side in ("xmin", "ymin", "xmax", "ymax")]
                check(
                    box[0] <= box[2] and box[1] <= box[3],
                    f"Invalid annotation, the box {box} in {path} ends before it begins.",
                    RuntimeError,
                )
                flags = [int(getattr(node.find(flag), "text", 0) or 0) for flag in ("difficult", "truncated")]
                box = [box[0], box[1], box[2] - box[0], box[3] - box[1]]
                objects.append((node.find("name").text, box, *flags))
            return objects
        except (ElementTree.ParseError, AttributeError, TypeError, ValueError) as error:
            raise RuntimeError(f"Invalid annotation, {path} is not an annotation of VOC: {error}.") from error

    @once
    def _labels(self):
        found = sorted({name for objects in self._objects.values() for name, *_ in objects})
        return self.class_indexing or {name: label for label, name in enumerate(found)}

    def scan(self):
        rows = []
        for name in self._names:
            meta = (name,) * self.extra_metadata
            image = os.path.join(self.dataset_dir, "JPEGImages", f"{name}.jpg")
            if self.task == "Segmentation":
                rows.append((image, os.path.join(self.dataset_dir, "SegmentationClass", f"{name}.png"), *meta))
                continue
            objects = [entry for entry in self._objects[name] if entry[0] in self._labels]
            if objects:
                kinds, boxes, difficult, truncated = zip(*objects)
                values = (
                    [[self._labels[kind]] for kind in kinds],
                    [[flag] for flag in difficult],
                    [[flag] for flag in truncated],
                )
                rows.append((image, boxes, *values, *meta))
        return rows

    def get_class_indexing(self):
        """Class to label, a dict; NotImplementedError for "Segmentation"."""
        if self.task != "Detection":
            raise NotImplementedError("Only 'Detection' support get_class_indexing.")
        return self._labels


class CocoDataset(EntrySource):
    """COCO; column image (uint8) and the columns of the task, one row for each annotation in them.

    "Detection": bbox (float32), category_id, iscrowd (uint32); "Stuff": segmentation (float32, padded with -1),
    iscrowd; "Keypoint": keypoints (float32), num_keypoints (uint32); "Panoptic": bbox, category_id, iscrowd, area
    (uint32); "Captioning": captions (string).

    Args:
        dataset_dir (str): folder of the images.
        annotation_file (str): JSON file of the annotations.
        task (str, optional): one of those above. Default: "Detection".
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: False.
        sampler (Sampler, optional): chooses the rows; PKSampler is refused. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.
        extra_metadata (bool, optional): add a column `_meta-filename`; rename it to see it. Default: False.
        decrypt (callable, optional): function from a path to the bytes of the file. Default: None.

    Raises:
        ValueError: a folder or file does not exist, or an argument is out of range.
        RuntimeError: the annotation file lacks something.
    """

    _COLUMNS = {
        "Detection": {"bbox": np.float32, "category_id": np.uint32, "iscrowd": np.uint32},
        "Stuff": {"segmentation": np.float32, "iscrowd": np.uint32},
        "Keypoint": {"keypoints": np.float32, "num_keypoints": np.uint32},
        "Panoptic": {"bbox": np.float32, "category_id": np.uint32, "iscrowd": np.uint32, "area": np.uint32},
        "Captioning": {"captions": text},
    }

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        annotation_file: ReadableFile,
        task: Literal["Detection", "Stuff", "Keypoint", "Panoptic", "Captioning"] = "Detection",
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
        extra_metadata: Like[bool] = False,
        decrypt: Callable | None = None,
    ):
        no_pk_sampler(self, sampler)
        declare(self, MappableDataset, extra_metadata=False)

    @property
    def columns(self):
        return {"image": "image", **self._COLUMNS[self.task], **(_META if self.extra_metadata else {})}

    @once
    def _content(self):
        with open(self.annotation_file, encoding="utf-8") as stream:
            try:
                return json.load(stream)
            except ValueError as error:
                raise RuntimeError(f"Invalid file, {self.annotation_file} is no JSON file: {error}.") from error

    def _named(self, entry, key):
        check(
            key in entry,
            f"Invalid annotation, the attribute of '{key}' is missing in annotation file: {self.annotation_file}.",
            RuntimeError,
        )
        return entry[key]

    def _values(self, annotation):
        """Values of one annotation for the columns of the task."""

        def get(key):
            return self._named(annotation, key)

        if self.task == "Captioning":
            return ([get("caption")],)
        if self.task == "Keypoint":
            return get("keypoints"), [get("num_keypoints")]
        if self.task == "Stuff":
            crowd, shape = get("iscrowd"), get("segmentation")
            return ([self._named(shape, "counts")] if crowd else shape), [crowd]
        values = get("bbox"), [get("category_id")], [annotation.get("iscrowd", 0)]
        return (*values, [get("area")]) if self.task == "Panoptic" else values

    def scan(self):
        content = self._content
        files = {self._named(image, "id"): self._named(image, "file_name") for image in self._named(content, "images")}
        found = collections.defaultdict(list)
        for annotation in self._named(content, "annotations"):
            file = files.get(self._named(annotation, "image_id"))
            check(
                file is not None,
                f"Invalid annotation, the image_id {annotation['image_id']} is not among the "
                f"images of {self.annotation_file}.",
                RuntimeError,
            )
            for part in self._named(annotation, "segments_info") if self.task == "Panoptic" else [annotation]:
                found[file].append(self._values(part))
        rows = []
        for file in files.values():
            if file in found:
                path = os.path.join(self.dataset_dir, file)
                values = [list(column) for column in zip(*found[file])]
                if self.task == "Stuff":  # an annotation has several polygons, each of its own length
                    polygons = [polygon for annotation in values[0] for polygon in annotation]
                    longest = max(map(len, polygons))
                    values[0] = [[*polygon, *[-1] * (longest - len(polygon))] for polygon in polygons]
                rows.append((path, *values, *(os.path.splitext(file)[0],) * self.extra_metadata))
        return rows

    def get_class_indexing(self):
        """Category to a list of its id (and, for "Panoptic", whether it is a thing); only of "Detection" and
        "Panoptic".
        """
        if self.task not in ("Detection", "Panoptic"):
            raise NotImplementedError("Only 'Detection' and 'Panoptic' support get_class_indexing.")
        keys = ("id", "isthing") if self.task == "Panoptic" else ("id",)
        return {
            self._named(category, "name"): [self._named(category, key) for key in keys]
            for category in self._named(self._content, "categories")
        }


class KITTIDataset(UsageDecodingSource, EntrySource):
    """KITTI objects; columns image (uint8), and for "train" label (uint32), truncated (float32), occluded (uint32),
    alpha, bbox, dimensions, location and rotation_y (float32) with a row for each object. The labels number the
    sorted names of all annotations.
    """

    __doc__ = with_sections_of(UsageDecodingSource, __doc__)
    usages, default_usage = ("train", "test"), "train"
    # column: the first word of a line, and the one behind the last
    _WORDS = {
        "label": (0, 1),
        "truncated": (1, 2),
        "occluded": (2, 3),
        "alpha": (3, 4),
        "bbox": (4, 8),
        "dimensions": (8, 11),
        "location": (11, 14),
        "rotation_y": (14, 15),
    }

    @property
    def columns(self):
        if self.usage == "test":
            return {"image": "image"}
        return {
            "image": "image",
            **{name: np.uint32 if name in ("label", "occluded") else np.float32 for name in self._WORDS},
        }

    def scan(self):
        part = "training" if self.usage == "train" else "testing"
        folder = os.path.join(self.dataset_dir, "data_object_image_2", part, "image_2")
        labels = os.path.join(self.dataset_dir, "data_object_label_2", part, "label_2")
        images = list_images(folder, "images of KITTI")
        if self.usage == "test":
            return [(path,) for path in images]
        lines = [
            self._lines(os.path.join(labels, os.path.splitext(os.path.basename(path))[0] + ".txt")) for path in images
        ]
        numbers = {name: label for label, name in enumerate(sorted({words[0] for each in lines for words in each}))}
        return [(path, *self._objects(each, numbers)) for path, each in zip(images, lines)]

    @staticmethod
    def _lines(path):
        lines = [line.split() for line in read_lines(path, "an annotation of KITTI") if line.strip()]
        for words in lines:
            check(
                len(words) >= 15,
                f"Invalid annotation, {path} has the line '{' '.join(words)}', which is not in the format of KITTI.",
                RuntimeError,
            )
        return lines

    def _objects(self, lines, numbers):
        values = {name: [] for name in self._WORDS}
        for words in lines:
            words = [numbers[words[0]], *map(float, words[1:15])]
            for name, (start, end) in self._WORDS.items():
                values[name].append(words[start:end])
        # -1 marks what is not known; as an unsigned number it is the largest one
        values["occluded"] = np.array(values["occluded"], np.int64).astype(np.uint32)
        return list(values.values())
