"""MnistDataset: images and labels in idx files, plain or gzipped."""

import math
import os
import struct
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...core.spec.checking import checked
from ...files.archives import gunzip
from ..check import check
from ..engine.cache import DatasetCache
from ..engine.node import MappableDataset, VisionBaseDataset
from ..rules import Folder, NumSamples, PositiveInt32

if TYPE_CHECKING:
    from ..engine.samplers import SamplerLike

_IMAGES, _LABELS = 2051, 2049  # magic numbers: unsigned bytes in 3 and in 1 dimensions


def read_idx(path: str, magic: int):
    """The content of an idx file as an array of uint8 (or of big-endian ints, for type code 0x0C).

    Args:
        path (str): the file; a name that ends with .gz is unpacked.
        magic (int): the number that the file must start with.

    Raises:
        RuntimeError: the file is cut off, or starts with another number.
    """
    if path.endswith(".gz"):
        try:
            data = np.frombuffer(gunzip(path), np.uint8)
        except (OSError, EOFError, ValueError, zlib.error) as err:
            raise RuntimeError(f"Invalid file, {path} is not a complete gzip file: {err}") from err
    else:
        data = np.memmap(path, np.uint8, "r") if os.path.getsize(path) else np.empty(0, np.uint8)
    header = 4 + 4 * (magic & 0xFF)
    check(len(data) >= header, f"Invalid file, {path} is too short for an idx file: {len(data)} bytes.", RuntimeError)
    found, *shape = struct.unpack(f">{header // 4}I", data[:header].tobytes())
    check(
        found == magic,
        f"Invalid file, {path} should start with the idx magic number {magic}, but got: {found}.",
        RuntimeError,
    )
    dtype = np.dtype(">i4") if (magic >> 8) & 0xFF == 0x0C else np.dtype(np.uint8)
    needed = header + dtype.itemsize * math.prod(shape)
    check(
        len(data) >= needed,
        f"Invalid file, {path} is truncated: its header tells of {needed} bytes, but it has {len(data)}.",
        RuntimeError,
    )
    return data[header:needed].view(dtype).reshape(shape)


class IdxDataset(MappableDataset, VisionBaseDataset):
    """Base class of sources with images and labels in pairs of idx files.

    A subclass defines `_pairs()`. All images are of one size; labels become uint32.
    """

    column_names = ["image", "label"]

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._files = {}  # what was read; shared with the copies that iterators make

    def _pairs(self):
        """(images file, labels file) in the order of the rows."""
        raise NotImplementedError(f"{type(self).__name__} has to implement _pairs().")

    def _load(self):
        if not self._files:
            images, labels = [], []
            for image_file, label_file in self._pairs():
                images.append(read_idx(image_file, _IMAGES))
                labels.append(read_idx(label_file, _LABELS))
                check(
                    len(images[-1]) == len(labels[-1]),
                    f"Invalid data, the number of images and labels differs: {image_file} has {len(images[-1])}, "
                    f"{label_file} has {len(labels[-1])}.",
                    RuntimeError,
                )
            self._files.update(
                images=images[0] if len(images) == 1 else np.concatenate(images),
                labels=np.concatenate(labels).astype(np.uint32),
            )
        return self._files["images"], self._files["labels"]

    def size(self):
        return len(self._load()[1])

    def row(self, index: int):
        images, labels = self._load()
        return np.array(images[index])[..., None], np.array(labels[index])

    def rows_at(self, indices: Sequence[int]):
        images, labels = self._load()
        return [np.asarray(images[indices])[..., None], labels[indices]]

    def class_labels(self):
        return self._load()[1]


class MnistDataset(IdxDataset):
    """The MNIST handwritten digits: `image` uint8 of shape (28, 28, 1), `label` uint32.

    Args:
        dataset_dir (str): folder with train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and
            t10k-labels-idx1-ubyte, or some of them; each may be gzipped (.gz).
        usage (str, optional): "train", "test" (the t10k files) or "all"; None: all.
        num_samples (int, optional): at most so many rows.
        num_parallel_workers (int, optional): accepted; the files are mapped into memory.
        shuffle (bool, optional): None and True: shuffle.
        sampler (Union[Sampler, Iterable], optional): chooses rows.
        num_shards (int, optional): number of parts the data is divided into.
        shard_id (int, optional): which part.
        cache (DatasetCache, optional): accepted.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: the folder has no such files, a file is damaged, or arguments contradict one another.

    Example:
        >>> import pathlib
        >>> import struct
        >>> import msjax.dataset as ds
        >>> folder = pathlib.Path(
        ...     "mnist"
        ... )  # a folder with the two files of the training set, here of three black images
        >>> folder.mkdir()
        >>> images = struct.pack(">4i", 2051, 3, 28, 28) + bytes(3 * 28 * 28)
        >>> written = (folder / "train-images-idx3-ubyte").write_bytes(images)
        >>> written = (folder / "train-labels-idx1-ubyte").write_bytes(struct.pack(">2i", 2049, 3) + bytes([5, 0, 4]))
        >>> data = ds.MnistDataset("mnist", usage="train", shuffle=False)
        >>> data.output_shapes()
        [[28, 28, 1], []]
        >>> [int(row["label"]) for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]
        [5, 0, 4]
    """

    @checked
    def __init__(
        self,
        dataset_dir: Folder,
        usage: Literal["train", "test", "all"] | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        super().__init__(
            num_parallel_workers=num_parallel_workers,
            sampler=sampler,
            num_samples=num_samples,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )
        self.dataset_dir = dataset_dir
        self.usage = "all" if usage is None else usage

    def _pairs(self):
        prefixes = {"train": ["train"], "test": ["t10k"], "all": ["train", "t10k"]}[self.usage]
        names = sorted(os.listdir(self.dataset_dir))

        def find(kind):
            found = [name for name in names if any(f"{prefix}-{kind}" in name for prefix in prefixes)]
            plain = {name.removesuffix(".gz") for name in found if not name.endswith(".gz")}
            return [name for name in found if not (name.endswith(".gz") and name.removesuffix(".gz") in plain)]

        images, labels = find("images-idx3-ubyte"), find("labels-idx1-ubyte")
        check(
            images and labels,
            f"Invalid data, {type(self).__name__} API can't read the data file (interface mismatch or no data "
            f"found). Check file path: {self.dataset_dir}: it should hold {' and '.join(prefixes)} files named like "
            f"{prefixes[0]}-images-idx3-ubyte and {prefixes[0]}-labels-idx1-ubyte (or those with .gz).",
            RuntimeError,
        )
        check(
            len(images) == len(labels),
            "Invalid data, num of image files should be equal to num of label files under directory: "
            f"{self.dataset_dir}, but got num of image files: {len(images)}, num of label files: {len(labels)}.",
            RuntimeError,
        )
        return [
            (os.path.join(self.dataset_dir, a), os.path.join(self.dataset_dir, b))
            for a, b in zip(images, labels, strict=True)
        ]
