"""Images in a folder for each class, and relatives of that layout."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from ...core.constructor import with_arguments
from ...core.spec.checking import checked
from ..check import check
from ..engine.cache import DatasetCache
from ..engine.node import MappableDataset
from ..rules import Folder, NumSamples, PositiveInt32
from .base import (
    DecodingSource,
    EntrySource,
    UsageDecodingSource,
    declare,
    list_images,
    once,
    read_lines,
    sub_folders,
    text,
    with_sections_of,
)
from .matlab import read_matlab

if TYPE_CHECKING:
    from ..engine.samplers import SamplerLike


class ImageFolderDataset(EntrySource):
    """Images in a folder for each class; columns image (uint8) and label (int32).

    Args:
        dataset_dir (str): folder of the classes' folders.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        sampler (Sampler, optional): chooses the rows. Default: None.
        extensions (list[str], optional): extensions of the files to read, such as [".jpg"]. Default: None, all files.
        class_indexing (dict, optional): folder name to label; other folders are left out. Default: None, which numbers
            the sorted folders.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: False.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.
        decrypt (callable, optional): function from a path to the bytes of the file. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        TypeError: an argument is of the wrong type.
        RuntimeError: there is no image, or a folder stands where a file was expected.
    """

    columns = {"image": "image", "label": np.int32}

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        sampler: "SamplerLike | None" = None,
        extensions: list | None = None,
        class_indexing: dict | None = None,
        decode: bool | None = False,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
        decrypt: Callable | None = None,
    ):
        declare(self, MappableDataset)

    @once
    def labelled(self):
        """Folder name to label."""
        names = sub_folders(self.dataset_dir, "a folder for each class")
        if self.class_indexing:
            return {name: label for name, label in self.class_indexing.items() if name in names}
        return {name: label for label, name in enumerate(names)}

    def scan(self):
        extensions = {extension.lower() for extension in self.extensions}
        rows = []
        for name in sorted(self.labelled):
            folder = os.path.join(self.dataset_dir, name)
            for file in sorted(os.listdir(folder)):
                path = os.path.join(folder, file)
                if extensions and os.path.splitext(file)[1].lower() not in extensions:
                    continue
                check(
                    os.path.isfile(path),
                    f"Invalid file found: {path}, should be file, but got directory.",
                    RuntimeError,
                )
                rows.append((path, self.labelled[name]))
        return rows

    def get_class_indexing(self):
        """Folder name to label, a dict."""
        return self.class_indexing or dict(self.labelled)


def _class_rows(folder, what, extensions=None):
    """Rows (path, label) of the images in the sorted folders of `folder`, and the folders' names."""
    names = sub_folders(folder, what)
    more = {} if extensions is None else {"extensions": extensions}
    return [
        (path, label)
        for label, name in enumerate(names)
        for path in list_images(os.path.join(folder, name), "images", **more)
    ], names


class Caltech256Dataset(DecodingSource, EntrySource):
    """Caltech 256; columns image (uint8) and label (int32, from 0)."""

    __doc__ = with_sections_of(DecodingSource, __doc__)
    columns = {"image": "image", "label": np.int32}

    def scan(self):
        rows, self.labelled = _class_rows(self.dataset_dir, "a folder for each class of Caltech 256")
        return rows


class Caltech101Dataset(EntrySource):
    """Caltech 101; columns image (uint8), category (int64) and annotation (float64, the contour).

    Args:
        dataset_dir (str): folder with `101_ObjectCategories` and `Annotations`.
        target_type (str, optional): "category", "annotation" or "all": the columns beside the image.
            Default: None, category.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: 1.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: False.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: a file is missing.
    """

    # The annotations of four categories are kept in folders of other names.
    _ANNOTATION_FOLDER = {
        "Faces": "Faces_2",
        "Faces_easy": "Faces_3",
        "Motorbikes": "Motorbikes_16",
        "airplanes": "Airplanes_Side_2",
    }
    _NOT_A_CLASS = "BACKGROUND_Google"

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        target_type: Literal["category", "annotation", "all"] | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = 1,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
    ):
        declare(self, MappableDataset, target_type="category")

    @property
    def columns(self):
        kinds = {"image": "image", "category": np.int64, "annotation": "contour"}
        return {name: kind for name, kind in kinds.items() if self.target_type in (name, "all") or name == "image"}

    @property
    def _images(self):
        return os.path.join(self.dataset_dir, "101_ObjectCategories")

    @once
    def labelled(self):
        names = sub_folders(self._images, "a folder for each category of Caltech 101")
        return {name: label for label, name in enumerate(name for name in names if name != self._NOT_A_CLASS)}

    def scan(self):
        rows = []
        for name, label in self.labelled.items():
            annotations = os.path.join(self.dataset_dir, "Annotations", self._ANNOTATION_FOLDER.get(name, name))
            for path in list_images(os.path.join(self._images, name), "images"):
                number = os.path.splitext(os.path.basename(path))[0].removeprefix("image_")
                values = {
                    "image": path,
                    "category": label,
                    "annotation": os.path.join(annotations, f"annotation_{number}.mat"),
                }
                rows.append(tuple(values[column] for column in self.columns))
        return rows

    def _value(self, kind, value):
        if kind != "contour":
            return super()._value(kind, value)
        return read_matlab(value, "an annotation of Caltech 101", "obj_contour")

    def get_class_indexing(self):
        """Category to label, a dict."""
        return dict(self.labelled)


class Food101Dataset(UsageDecodingSource, EntrySource):
    """Food 101; columns image (uint8) and label (string)."""

    __doc__ = with_sections_of(UsageDecodingSource, __doc__)
    columns = {"image": "image", "label": text}

    def scan(self):
        rows = []
        for part in self.parts():
            for line in read_lines(os.path.join(self.dataset_dir, "meta", f"{part}.txt"), "the list of images"):
                if line:
                    rows.append((os.path.join(self.dataset_dir, "images", f"{line}.jpg"), line.split("/")[0]))
        return rows


class RenderedSST2Dataset(UsageDecodingSource, EntrySource):
    """Rendered SST2; columns image (uint8) and label (uint32, 0 negative, 1 positive)."""

    __doc__ = with_sections_of(UsageDecodingSource, __doc__)
    usages = ("val", "all", "train", "test")
    _FOLDER = {"test": "test", "train": "train", "val": "valid"}  # in the order in which "all" reads them

    def scan(self):
        rows = []
        for part in [part for part in self._FOLDER if self.usage in (part, "all")]:
            more, self.labelled = _class_rows(
                os.path.join(self.dataset_dir, self._FOLDER[part]), "a folder for each class"
            )
            rows += more
        return rows


class SUN397Dataset(DecodingSource, EntrySource):
    """SUN397 scenes; columns image (uint8) and label (uint32)."""

    __doc__ = with_sections_of(DecodingSource, __doc__)

    def scan(self):
        names = read_lines(os.path.join(self.dataset_dir, "ClassName.txt"), "the names of the classes of SUN397")
        return [
            (path, label)
            for label, name in enumerate(filter(None, names))
            for path in list_images(os.path.join(self.dataset_dir, name.lstrip("/")), "images of SUN397")
        ]


class OmniglotDataset(EntrySource):
    """Omniglot characters; columns image (uint8) and label (int32, a number for each character).

    Args:
        dataset_dir (str): folder with `images_background` and `images_evaluation`.
        background (bool, optional): whether to read the first of them. Default: None, True.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: False.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: there is no image.
    """

    columns = {"image": "image", "label": np.int32}

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        background: bool | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, MappableDataset, background=True)

    def scan(self):
        root = os.path.join(self.dataset_dir, "images_background" if self.background else "images_evaluation")
        self.labelled = [
            os.path.join(root, alphabet, character)
            for alphabet in sub_folders(root, "a folder for each alphabet of Omniglot")
            for character in sub_folders(os.path.join(root, alphabet), "characters")
        ]
        return [(path, label) for label, folder in enumerate(self.labelled) for path in list_images(folder, "images")]


LsunClass = Literal[
    "bedroom", "bridge", "church_outdoor", "classroom", "conference_room", "dining_room", "kitchen", "living_room", "restaurant", "tower"
]  # fmt: skip


class LSUNDataset(EntrySource):
    """LSUN scenes; columns image (uint8) and label (uint32; 0 for test images).

    Args:
        dataset_dir (str): folder of the classes' folders, such as `bedroom_train`.
        usage (str, optional): "train", "valid", "test" or "all", which is the first two, the labelled ones. Default: None, all.
        classes (list[str], optional): the classes to read; labels number them sorted by name. Default: None, all.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: False.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: there is no image.
    """

    _CLASSES = get_args(LsunClass)
    _FOLDER = {"train": "train", "valid": "val"}

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        usage: Literal["train", "test", "valid", "all"] | None = None,
        classes: list[LsunClass] | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, MappableDataset, usage="all", classes=list)

    def scan(self):
        rows = []
        self.labelled = []
        if self.usage in ("train", "valid", "all"):
            there = sub_folders(self.dataset_dir, "folders of LSUN")
            self.labelled = sorted(self.classes) or [
                name for name in self._CLASSES if any(f"{name}_{end}" in there for end in self._FOLDER.values())
            ]
        for label, name in enumerate(self.labelled):
            for part, end in self._FOLDER.items():
                folder = os.path.join(self.dataset_dir, f"{name}_{end}")
                if self.usage in (part, "all") and (self.classes or os.path.isdir(folder)):
                    rows += [(path, label) for path in list_images(folder, f"images of {name}")]
        if self.usage == "test":
            rows = [(path, 0) for path in list_images(os.path.join(self.dataset_dir, "test"), "images of LSUN")]
        return rows


class Places365Dataset(EntrySource):
    """Places365 scenes; columns image (uint8) and label (uint32).

    Args:
        dataset_dir (str): the folder.
        usage (str, optional): "train-standard", "train-challenge" or "val". Default: None, train-standard.
        small (bool, optional): whether to read the 256 x 256 images. Default: True.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: False.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: a file is missing.
    """

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        usage: Literal["train-standard", "train-challenge", "val"] | None = None,
        small: bool | None = True,
        decode: bool | None = False,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, MappableDataset, small=True, usage="train-standard")

    def scan(self):
        size = "256" if self.small else "large"
        kind = self.usage.removeprefix("train-")
        folder = f"val_{size}" if kind == "val" else f"data_{size}_{kind}"
        names = f"places365_{self.usage.replace('-', '_')}.txt"
        rows = []
        for line in read_lines(os.path.join(self.dataset_dir, names), "the list of images"):
            if line:
                name, label = line.rsplit(maxsplit=1)
                rows.append((os.path.join(self.dataset_dir, folder, name.lstrip("/")), int(label)))
        return rows
