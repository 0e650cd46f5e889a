"""Sources whose images come in pairs or patches, and sources that invent their data: DIV2K, PhotoTour, SBD, fakes."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from ...core.constructor import given, with_arguments
from ...core.spec.checking import checked
from ...core.spec.rules import Given, Length
from ..check import check
from ..engine.cache import DatasetCache
from ..engine.node import MappableDataset, SourceDataset, VisionBaseDataset
from ..rules import Folder, NumSamples, PositiveInt32
from .base import ArraySource, EntrySource, declare, decode, expect_file, list_images, once, read_bytes, read_lines
from .matlab import read_matlab
from .schema import Schema

if TYPE_CHECKING:
    from ..engine.samplers import SamplerLike


class DIV2KDataset(EntrySource):
    """DIV2K; columns hr_image and lr_image (uint8), the large image and its small version.

    Args:
        dataset_dir (str): the folder.
        usage (str, optional): "train", "valid" or "all". Default: "train".
        downgrade (str, optional): "bicubic", "unknown", "mild", "difficult" or "wild". Default: "bicubic".
        scale (int, optional): 2, 3, 4 or 8; 8 only with "bicubic", and 4 alone with the last three. Default: 2.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: None, False.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        RuntimeError: a file is missing.
    """

    columns = {"hr_image": "image", "lr_image": "image"}
    _OF_2018 = ("mild", "difficult", "wild")

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        usage: Literal["train", "valid", "all"] = "train",
        downgrade: Literal["bicubic", "unknown", "mild", "difficult", "wild"] = "bicubic",
        scale: Given[Literal[2, 3, 4, 8]] = 2,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        check(scale != 8 or downgrade == "bicubic", "DIV2KNode: scale equal to 8 is allowed only in bicubic downgrade.")
        check(
            downgrade not in self._OF_2018 or scale == 4, f"DIV2KNode: {downgrade} downgrade requires scale equal to 4."
        )
        declare(self, MappableDataset)

    def scan(self):
        if self.scale == 8:
            folder, end = "LR_x8", "x8"
        elif self.downgrade in self._OF_2018:
            folder, end = f"LR_{self.downgrade}", f"x4{self.downgrade[0]}"
        else:
            folder, end = os.path.join(f"LR_{self.downgrade}", f"X{self.scale}"), f"x{self.scale}"
        rows = []
        for part in ("train", "valid") if self.usage == "all" else (self.usage,):
            root = os.path.join(self.dataset_dir, f"DIV2K_{part}_")
            for path in list_images(f"{root}HR", "large images of DIV2K"):
                name = os.path.splitext(os.path.basename(path))[0]
                rows.append(
                    (path, expect_file(os.path.join(root + folder, f"{name}{end}.png"), "a small image of DIV2K"))
                )
        return rows


class PhotoTourDataset(ArraySource):
    """PhotoTour patches; columns image (uint8, 64 x 64 x 1), or image1, image2 and matches (uint32, whether both show
    one point).

    Args:
        dataset_dir (str): folder of the sets' folders.
        name (str): "notredame", "yosemite", "liberty", or one of them with "_harris" behind it.
        usage (str, optional): "train" (single patches) or "test" (pairs). Default: None, train.
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

    _SETS = ("notredame", "yosemite", "liberty", "notredame_harris", "yosemite_harris", "liberty_harris")
    _SIDE, _PATCHES = 64, 16  # pixels of a patch, patches in a row of an image

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        name: Literal["notredame", "yosemite", "liberty", "notredame_harris", "yosemite_harris", "liberty_harris"],
        usage: Literal["train", "test"] | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, MappableDataset, usage="train")

    @property
    def column_names(self):
        return ["image"] if self.usage == "train" else ["image1", "image2", "matches"]

    def _lines(self, name):
        path = os.path.join(self.dataset_dir, self.name, name)
        return [
            [int(word) for word in line.split()] for line in read_lines(path, "a list of PhotoTour") if line.strip()
        ]

    def load(self):
        count = len(self._lines("info.txt"))
        folder, side, across = os.path.join(self.dataset_dir, self.name), self._SIDE, self._PATCHES
        patches = []
        for path in list_images(folder, "patches of PhotoTour", (".bmp",)):
            image = decode(read_bytes(path), path)[..., 0]
            check(
                image.shape == (side * across,) * 2,
                f"Invalid file, {path} should have {side * across} x {side * across} pixels, but has {image.shape}.",
                RuntimeError,
            )
            patches.append(image.reshape(across, side, across, side).swapaxes(1, 2).reshape(-1, side, side, 1))
        patches = np.concatenate(patches)[:count] if patches else np.empty((0, side, side, 1), np.uint8)
        check(
            len(patches) == count,
            f"Invalid data, {folder} holds {len(patches)} patches, but info.txt lists {count}.",
            RuntimeError,
        )
        if self.usage == "train":
            return [patches]
        pairs = np.array(self._lines("m50_100000_100000_0.txt")).reshape(-1, 7)
        return [patches[pairs[:, 0]], patches[pairs[:, 3]], (pairs[:, 1] == pairs[:, 4]).astype(np.uint32)]


class SBDataset(EntrySource):
    """Semantic boundaries; columns image (uint8) and task (uint8): 20 planes of boundaries, or classes of the pixels.

    Args:
        dataset_dir (str): folder with `img` and `cls`.
        task (str, optional): "Boundaries" or "Segmentation". Default: "Boundaries".
        usage (str, optional): "train", "val", "train_noval" or "all". Default: "all".
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: 1.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        decode (bool, optional): give RGB pixels instead of the bytes of the file. Default: None, False.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        FileNotFoundError: the list of images does not exist.
        RuntimeError: another file is missing.
    """

    columns = {"image": "image", "task": "truth"}

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        task: Literal["Boundaries", "Segmentation"] | None = "Boundaries",
        usage: Literal["train", "val", "train_noval", "all"] | None = "all",
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = 1,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
    ):
        declare(self, MappableDataset, task="Segmentation", usage="all")
        for path in self._lists():
            check(os.path.exists(path), f"SBDataset: {path} not found", FileNotFoundError)

    def _lists(self):
        return [
            os.path.join(self.dataset_dir, f"{part}.txt")
            for part in (("train", "val") if self.usage == "all" else (self.usage,))
        ]

    def scan(self):
        names = [line.strip() for path in self._lists() for line in read_lines(path, "the list of images")]
        return [
            (os.path.join(self.dataset_dir, "img", f"{name}.jpg"), os.path.join(self.dataset_dir, "cls", f"{name}.mat"))
            for name in names
            if name
        ]

    def _value(self, kind, value):
        if kind != "truth":
            return super()._value(kind, value)
        found = read_matlab(value, "the truth of an image", "GTcls")
        try:
            truth = found[0][self.task][0]
            return truth if self.task == "Segmentation" else np.stack([plane[0] for plane in truth])
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            raise RuntimeError(f"Invalid file, {value} holds no truth of an image: {error!r}.") from error


class FakeImageDataset(MappableDataset, VisionBaseDataset):
    """Random images; columns image (uint8) and label (uint32). A row is the same in every epoch and every run.

    Args:
        num_images (int, optional): rows. Default: 1000.
        image_size (Union[list, tuple], optional): height, width, channels. Default: (224, 224, 3).
        num_classes (int, optional): labels are below this. Default: 10.
        base_seed (int, optional): images of another seed are others. Default: 0.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: an argument is out of range.
        TypeError: an argument is of the wrong type.
    """

    column_names = ["image", "label"]

    @checked
    @with_arguments
    def __init__(
        self,
        num_images: PositiveInt32 = 1000,
        image_size: Annotated[Sequence[PositiveInt32], Length(3)] = (224, 224, 3),
        num_classes: PositiveInt32 = 10,
        base_seed: int | None = 0,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(
            self,
            MappableDataset,
            {("classes" if name == "num_classes" else name): value for name, value in given(self).items()},
            base_seed=0,
        )

    def size(self):
        return self.num_images

    @once
    def _labels(self):
        return (
            np.random.default_rng([self.base_seed & 0xFFFFFFFF, self.num_images])
            .integers(0, self.classes, self.num_images)
            .astype(np.uint32)
        )

    def row(self, index: int):
        rng = np.random.default_rng([self.base_seed & 0xFFFFFFFF, index])
        return rng.integers(0, 256, tuple(self.image_size), np.uint8), self._labels[index, ...]

    def class_labels(self):
        return self._labels


class RandomDataset(SourceDataset, VisionBaseDataset):
    """Random values of the columns of a schema.

    Args:
        total_rows (int, optional): rows. Default: None, as many as the schema says, or a random number.
        schema (Union[str, Schema], optional): a schema, or the path of a JSON file with one. Default: None, which takes
            columns of random types and shapes.
        columns_list (list[str], optional): the columns to give. Default: None, all.
        num_samples (int, optional): rows, in the place of `total_rows`. Default: None.
        num_parallel_workers (int, optional): accepted. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.
        shuffle (bool, optional): accepted; random rows have no order. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: sampling arguments contradict one another, or a column does not exist.
    """

    _DTYPES = (
        "bool",
        "int8",
        "uint8",
        "int16",
        "uint16",
        "int32",
        "uint32",
        "int64",
        "uint64",
        "float16",
        "float32",
        "float64",
    )

    @checked
    @with_arguments
    def __init__(
        self,
        total_rows: int | None = None,
        schema: str | Schema | None = None,
        columns_list: list | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        cache: DatasetCache | None = None,
        shuffle: bool | None = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
    ):
        declare(self, SourceDataset, {**given(self), "shuffle": False}, total_rows=0, columns_list=list)
        schema = Schema(schema) if isinstance(schema, str) and schema else schema
        rng = np.random.default_rng()
        if schema:
            self._columns = {
                name: (kind, tuple(abs(size) for size in shape or (1,)) if shape != [] else ())
                for name, (kind, shape) in schema.columns.items()
            }
        else:
            self._columns = {
                f"c{i}": (str(rng.choice(self._DTYPES)), tuple(rng.integers(1, 9, rng.integers(1, 4)).tolist()))
                for i in range(rng.integers(1, 5))
            }
        for name in self.columns_list:
            check(
                name in self._columns,
                f"Invalid columns_list, column '{name}' does not exist in the schema, which has {list(self._columns)}.",
                RuntimeError,
            )
        rows = self.num_samples or self.total_rows or (schema.num_rows if schema else 0)
        self.total_rows = rows or int(rng.integers(1, 101))
        self._seed = int(rng.integers(1 << 62))

    @property
    def column_names(self):
        return list(self.columns_list) or list(self._columns)

    def source_size(self):
        return self.total_rows

    def rows(self, epoch: int = 0):
        rng = np.random.default_rng([self._seed, epoch])
        for _ in range(self.total_rows):
            yield tuple(self._random(rng, *self._columns[name]) for name in self.column_names)

    @staticmethod
    def _random(rng, kind, shape):
        if kind == "string":
            return np.full(shape, "".join(rng.choice(list("abcdefghij"), 8)))
        dtype = np.dtype(kind)
        if dtype.kind == "f":
            return np.asarray(rng.standard_normal(shape), dtype)
        if dtype.kind == "b":
            return np.asarray(rng.integers(0, 2, shape), dtype)
        return np.asarray(rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, shape, dtype, endpoint=True))
