"""Image sets that fit into memory: the MNIST relatives, CIFAR, STL-10, SVHN, Semeion, USPS."""

import os
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...core.constructor import with_arguments
from ...core.spec.checking import checked
from ..check import check, check_file
from ..engine.cache import DatasetCache
from ..engine.node import MappableDataset, SourceDataset, VisionBaseDataset
from ..engine.samplers import Shuffle
from ..rules import Folder, NumSamples, PositiveInt32
from .base import (
    ArraySource,
    FilesSource,
    FolderSource,
    UsageSource,
    declare,
    expect_file,
    read_lines,
    with_sections_of,
)
from .matlab import read_matlab
from .mnist import IdxDataset, MnistDataset, read_idx

if TYPE_CHECKING:
    from ..engine.samplers import SamplerLike


class FashionMnistDataset(MnistDataset):
    """Fashion-MNIST; columns image (uint8, 28 x 28 x 1) and label (uint32)."""

    __doc__ = with_sections_of(UsageSource, __doc__)


class KMnistDataset(MnistDataset):
    """Kuzushiji-MNIST; columns image (uint8, 28 x 28 x 1) and label (uint32)."""

    __doc__ = with_sections_of(UsageSource, __doc__)


class EMnistDataset(IdxDataset):
    """Extended MNIST; columns image (uint8, 28 x 28 x 1, as in the files: rows and columns swapped) and label (uint32).

    Args:
        dataset_dir (str): the folder.
        name (str): "byclass", "bymerge", "balanced", "letters", "digits" or "mnist".
        usage (str, optional): "train", "test" or "all". Default: None, all.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): accepted. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: a file is missing or damaged.
    """

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        name: Literal["byclass", "bymerge", "balanced", "letters", "digits", "mnist"],
        usage: Literal["train", "test", "all"] | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, IdxDataset, usage="all")

    def _pairs(self):
        return [
            tuple(
                _idx_file(self.dataset_dir, f"emnist-{self.name}-{part}-{kind}")
                for kind in ("images-idx3-ubyte", "labels-idx1-ubyte")
            )
            for part in ("test", "train")
            if self.usage in (part, "all")
        ]


class QMnistDataset(ArraySource):
    """QMNIST; columns image (uint8, 28 x 28 x 1) and label (uint32, or 8 numbers of uint32).

    Args:
        dataset_dir (str): the folder.
        usage (str, optional): "train", "test", "test10k", "test50k", "nist" or "all". Default: None, all.
        compat (bool, optional): give the class alone instead of the 8 numbers of the label file. Default: True.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): accepted. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: a file is missing or damaged.
    """

    _TEST = "qmnist-test"
    # part: the file's name, the first row and the one behind the last
    _PARTS = {
        "train": ("qmnist-train", 0, None),
        "test": (_TEST, 0, None),
        "test10k": (_TEST, 0, 10000),
        "test50k": (_TEST, 10000, None),
        "nist": ("xnist", 0, None),
    }
    _ALL = ("test", "train", "nist")

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        usage: Literal["train", "test", "test10k", "test50k", "nist", "all"] | None = None,
        compat: bool | None = True,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, MappableDataset, compat=True, usage="all")

    def load(self):
        images, labels = [], []
        for part in self._ALL if self.usage == "all" else (self.usage,):
            name, start, stop = self._PARTS[part]
            images.append(read_idx(_idx_file(self.dataset_dir, f"{name}-images-idx3-ubyte"), 0x803)[start:stop])
            labels.append(read_idx(_idx_file(self.dataset_dir, f"{name}-labels-idx2-int"), 0xC02)[start:stop])
        labels = np.concatenate(labels).astype(np.uint32)
        return [np.concatenate(images)[..., None], np.ascontiguousarray(labels[:, 0]) if self.compat else labels]


def _idx_file(folder, name):
    """Path of an idx file, packed or not."""
    path = os.path.join(folder, name)
    return path + ".gz" if os.path.isfile(path + ".gz") else expect_file(path, "an idx file")


class _CifarSource(UsageSource, ArraySource):
    labels = 1  # bytes of labels before the pixels of an image
    files = {}  # part: what the names of its files contain

    def load(self):
        # What is there is read: many scripts keep the parts in folders of their own and ask for all of such a folder.
        wanted = [text for part, text in self.files.items() if self.usage in (part, "all")]
        names = sorted(
            n for n in os.listdir(self.dataset_dir) if n.endswith(".bin") and any(text in n for text in wanted)
        )
        check(names, f"Invalid folder, {self.dataset_dir} has no file *{wanted[0]}*.bin.", RuntimeError)
        row, data = self.labels + 3072, []
        for name in names:
            what = f"{type(self).__name__.removesuffix('Dataset')} in its binary version"
            path = expect_file(os.path.join(self.dataset_dir, name), what)
            content = np.fromfile(path, np.uint8)
            check(
                content.size and content.size % row == 0,
                f"Invalid file, {path} has {content.size} bytes, which is not a multiple of the {row} bytes of one image; "
                f"re-download it (make sure it is the binary version).",
                RuntimeError,
            )
            data.append(content.reshape(-1, row))
        data = np.concatenate(data)
        images = np.ascontiguousarray(data[:, self.labels :].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1))
        return [images, *(np.ascontiguousarray(data[:, i]).astype(np.uint32) for i in range(self.labels))]


class Cifar10Dataset(_CifarSource):
    """CIFAR-10 in its binary version; columns image (uint8, 32 x 32 x 3) and label (uint32)."""

    __doc__ = with_sections_of(UsageSource, __doc__)
    files = {"train": "data_batch", "test": "test_batch"}


class Cifar100Dataset(_CifarSource):
    """CIFAR-100 in its binary version; columns image (uint8, 32 x 32 x 3), coarse_label and fine_label (uint32)."""

    __doc__ = with_sections_of(UsageSource, __doc__)
    labels = 2
    files = {"train": "train", "test": "test"}
    column_names = ["image", "coarse_label", "fine_label"]

    def class_labels(self):
        return self.arrays[2]


class STL10Dataset(UsageSource, ArraySource):
    """STL-10; columns image (uint8, 96 x 96 x 3) and label (int32, -1 for unlabelled images).

    `usage` is "train", "test", "unlabeled", "train+unlabeled" or "all".
    """

    __doc__ = with_sections_of(UsageSource, __doc__)
    usages = ("train", "test", "unlabeled", "train+unlabeled", "all")
    _PARTS = {"all": ("test", "train", "unlabeled"), "train+unlabeled": ("train", "unlabeled")}

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        usage: str | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, MappableDataset, usage="all")
        if usage is not None:
            for part in self._PARTS.get(usage, (usage,)):
                for kind in "Xy" if part != "unlabeled" else "X":
                    check_file(os.path.join(dataset_dir, f"{part}_{kind}.bin"), "file")

    def load(self):
        images, labels = [], []
        for part in self._PARTS.get(self.usage, (self.usage,)):
            path = expect_file(os.path.join(self.dataset_dir, f"{part}_X.bin"), "the images of STL-10")
            content = np.fromfile(path, np.uint8)
            check(
                content.size % (3 * 96 * 96) == 0,
                f"Invalid file, {path} has {content.size} bytes, which is no "
                f"multiple of the {3 * 96 * 96} of one image.",
                RuntimeError,
            )
            images.append(content.reshape(-1, 3, 96, 96).transpose(0, 3, 2, 1))  # planes are stored column by column
            if part == "unlabeled":
                labels.append(np.full(len(images[-1]), -1, np.int32))
            else:
                path = expect_file(os.path.join(self.dataset_dir, f"{part}_y.bin"), "the labels of STL-10")
                labels.append(np.fromfile(path, np.uint8).astype(np.int32) - 1)
        return [np.ascontiguousarray(np.concatenate(images)), np.concatenate(labels)]


class SVHNDataset(ArraySource):
    """Street View House Numbers, cropped digits; columns image (uint8, 32 x 32 x 3) and label (uint32).

    `usage` is "train", "test", "extra" or "all". The files are MATLAB's: SciPy reads them.
    """

    __doc__ = with_sections_of(UsageSource, __doc__)
    _PARTS = ("train", "test", "extra")

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        usage: Literal["train", "test", "extra", "all"] | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = 1,
        shuffle: bool | Shuffle | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
    ):
        declare(self, MappableDataset, usage="all")
        for part in self._chosen():
            check_file(os.path.join(dataset_dir, f"{part}_32x32.mat"), "file")

    def _chosen(self):
        return self._PARTS if self.usage == "all" else (self.usage,)

    def load(self):
        paths = [os.path.join(self.dataset_dir, f"{part}_32x32.mat") for part in self._chosen()]
        images, labels = ([read_matlab(path, "digits of SVHN", name) for path in paths] for name in "Xy")
        check(all(x.ndim == 4 for x in images), f"Invalid file, the images of {paths} have no four axes.", RuntimeError)
        images = np.concatenate([x.transpose(3, 0, 1, 2) for x in images])
        labels = np.concatenate([y.reshape(-1) for y in labels]).astype(np.uint32)
        return [np.ascontiguousarray(images), np.where(labels == 10, 0, labels).astype(np.uint32)]


class SemeionDataset(FolderSource, ArraySource):
    """Semeion handwritten digits; columns image (uint8 of 0 and 1, 16 x 16) and label (uint32)."""

    __doc__ = with_sections_of(FolderSource, __doc__)

    def load(self):
        path = os.path.join(self.dataset_dir, "semeion.data")
        rows = [line.split() for line in read_lines(path, "the digits of Semeion") if line.strip()]
        try:
            values = np.array(rows, np.float64).reshape(len(rows), 266)
        except ValueError as error:
            raise RuntimeError(
                f"Invalid file, {path} should have 256 pixels and 10 flags in each line: {error}."
            ) from error
        return [values[:, :256].astype(np.uint8).reshape(-1, 16, 16), values[:, 256:].argmax(1).astype(np.uint32)]


class USPSDataset(FilesSource, VisionBaseDataset):
    """USPS handwritten digits; columns image (uint8, 16 x 16 x 1) and label (uint32).

    Args:
        dataset_dir (str): folder of the files `usps` and `usps.t`.
        usage (str, optional): "train", "test" or "all". Default: None, all.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): accepted. Default: None.
        shuffle (Union[bool, Shuffle], optional): False, or what is shuffled. Default: Shuffle.GLOBAL.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        RuntimeError: a file is missing or damaged.
    """

    column_names = ["image", "label"]
    _NAMES = {"train": "usps", "test": "usps.t"}

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        usage: Literal["train", "test", "all"] | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, SourceDataset, usage="all")

    def files(self):
        return [
            os.path.join(self.dataset_dir, name) for part, name in self._NAMES.items() if self.usage in (part, "all")
        ]

    def file_rows(self, file: str):
        for number, line in enumerate(read_lines(file, "the digits of USPS in LIBSVM format"), 1):
            label, *pixels = line.split() or [""]
            if not label:
                continue
            try:
                values = np.array([pixel.split(":")[1] for pixel in pixels], np.float32).reshape(16, 16, 1)
                yield (
                    ((values + np.float32(1)) / np.float32(2) * np.float32(255)).astype(np.uint8),
                    np.array(int(label) - 1, np.uint32),
                )
            except (IndexError, ValueError) as error:
                raise RuntimeError(
                    f"Invalid file, {file} at line {number} should be a label and 256 pixels, each "
                    f"'index:value': {error}."
                ) from error
