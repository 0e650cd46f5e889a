"""Base classes of sources: argument checks by table, rows from entries, rows from arrays, rows from files."""

import glob
import inspect
import itertools
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import numpy as np

from ...core.constructor import given, with_arguments
from ...core.spec.checking import checked, compare
from ...core.spec.rules import Length
from .. import config
from ..check import check
from ..engine.cache import DatasetCache
from ..engine.draw import Draw
from ..engine.node import MappableDataset, ShuffleLevel, SourceDataset, VisionBaseDataset, first_rows, gather
from ..engine.random_order import shuffle_buffer
from ..engine.samplers import Shuffle
from ..rules import Folder, NumSamples, PositiveInt32
from .damage import read_as_told, rows_as_told
from .turns import in_turns

if TYPE_CHECKING:
    from ..engine.samplers import SamplerLike

_SAMPLING = ("num_parallel_workers", "num_samples", "shuffle", "sampler", "num_shards", "shard_id", "cache")


# --- arguments --------------------------------------------------------------------------------------------------------


DEFAULTS = {"decode": False, "extensions": list, "class_indexing": dict}


def declare(source: Any, base: Any, values: dict | None = None, /, **defaults):
    """Keep the arguments of a constructor, and pass the sampling arguments to the base class.

    Args:
        source: the dataset; each argument that is not about sampling becomes an attribute. Where its class has `usages`, `usage` is one
            of them, or None.
        base: MappableDataset or SourceDataset.
        values (dict, optional): the arguments; None: as they were given (the constructor has `with_arguments`).
        defaults: what is kept for an argument that is None, or a function that makes it; `DEFAULTS` has the common ones.
    """
    source._found = {}
    sampling = {}
    for name, value in (given(source) if values is None else values).items():
        if name in _SAMPLING:
            sampling[name] = value
            continue
        if name == "usage" and hasattr(source, "usages"):
            compare(type(source).__name__, name, value, Literal[tuple(source.usages)] | None)
        if value is None:
            value = defaults.get(name, DEFAULTS.get(name))
            value = value() if callable(value) else value
        setattr(source, name, value)
    base.__init__(source, **sampling)


class once:
    """A property that is computed when it is first needed, and shared with the copies that iterators make of a
    source.
    """

    def __init__(self, function: Callable):
        self.function, self.__doc__ = function, function.__doc__

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, source, owner=None):
        if source is None:
            return self
        if self.name not in source._found:
            source._found[self.name] = self.function(source)
        return source._found[self.name]


# --- files ------------------------------------------------------------------------------------------------------------


def expect_file(path: str, what: str):
    """The path of a required file.

    Raises:
        RuntimeError: it is not; the message says what was expected there.
    """
    check(os.path.isfile(path), f"Invalid file, failed to open {path}: {what} was expected there.", RuntimeError)
    return path


def expect_folder(path: str, what: str):
    """The path of a required folder; RuntimeError if it does not exist."""
    check(os.path.isdir(path), f"Invalid directory, failed to open {path}: {what} was expected there.", RuntimeError)
    return path


def read_lines(path: str, what: str):
    """The lines of a text file, without their ends; RuntimeError if it is not there or not UTF-8."""
    try:
        with open(expect_file(path, what), encoding="utf-8", newline="\n") as stream:
            return [line.rstrip("\n").removesuffix("\r") for line in stream]
    except UnicodeDecodeError as error:
        raise RuntimeError(f"Invalid file, {path} is no UTF-8 text: {error}.") from error


def read_bytes(path: str, what: str = "an image"):
    """The bytes of a file as a uint8 array; RuntimeError if it is not there."""
    try:
        return np.fromfile(path, np.uint8)
    except OSError as error:
        raise RuntimeError(
            f"Invalid file, failed to open {path}: {what} was expected there ({error.strerror})."
        ) from error


def list_folder(path: str, what: str, extensions: Sequence[str] | None = None):
    """Sorted names in a folder, of `extensions` where given; RuntimeError if it is not there."""
    names = sorted(os.listdir(expect_folder(path, what)))
    return [name for name in names if extensions is None or os.path.splitext(name)[1].lower() in extensions]


def sub_folders(path: str, what: str):
    """Sorted names of the folders in a folder; RuntimeError if it is not there."""
    return [name for name in list_folder(path, what) if os.path.isdir(os.path.join(path, name))]


IMAGE_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def list_images(path: str, what: str, extensions: Sequence[str] | None = IMAGE_EXTENSIONS):
    """Sorted paths of the image files in a folder; RuntimeError if it is not there."""
    return [os.path.join(path, name) for name in list_folder(path, what, extensions)]


Files: TypeAlias = Annotated[str, Length(at_least=1)] | Annotated[list[str], Length(at_least=1)]  # paths or patterns


def find_files(patterns: Sequence[str]):
    """Sorted paths of the files that match a pattern or a list of them; folders that match do not count.

    Raises:
        ValueError: a pattern matches nothing.
    """
    patterns = [patterns] if isinstance(patterns, str) else patterns
    found, missing = [], []
    for pattern in patterns:
        # a file's own name may have characters of patterns
        paths = [pattern] if os.path.isfile(pattern) else glob.glob(pattern, recursive=True)
        matches = [path for path in paths if os.path.isfile(path)]
        found += matches
        if not matches:
            missing.append(pattern)
    check(not missing, f"The following patterns did not match any files: {missing}.")
    return sorted(found)


# --- rows -------------------------------------------------------------------------------------------------------------


def text(value: Any):
    """A string, or a list of strings, as an array."""
    return np.array(value, dtype=np.str_)


class EntrySource(MappableDataset, VisionBaseDataset):
    """A source with one file or line for each row.

    A subclass defines `columns`, a dict from name to kind, and `scan()`, which lists the rows: a tuple with a value for
    each column. Kinds are "image" (path: the file, decoded if the user asked for it), "file" (path: the bytes), `text`,
    or a NumPy type.
    """

    columns = {"image": "image", "label": np.uint32}
    decode, decrypt = False, None

    @property
    def labelled(self):
        """The class names, if `num_classes` counts them; None otherwise. Set by `scan`."""
        return self._found.get("classes")

    @labelled.setter
    def labelled(self, classes: int):
        self._found["classes"] = classes

    @property
    def column_names(self):
        return list(self.columns)

    def scan(self):
        """The rows: a list of tuples."""
        raise NotImplementedError(f"{type(self).__name__} has to implement scan().")

    @once
    def entries(self):
        """The result of `scan`, made once, on first use."""
        with read_as_told(self):
            entries = self.scan()
        check(
            entries,
            f"Invalid data, no valid data was found for {type(self).__name__}: "
            f"{getattr(self, 'dataset_dir', None) or getattr(self, 'dataset_file', None)} holds none of the "
            f"files that were expected there.",
            RuntimeError,
        )
        return entries

    def size(self):
        return len(self.entries)

    def row(self, index: int):
        entry = self.entries[index]
        with read_as_told(self):
            return tuple([self._value(kind, value) for kind, value in zip(self.columns.values(), entry, strict=True)])

    def _value(self, kind, value):
        if kind == "image":
            return self.image(value)
        if kind == "file":
            return read_bytes(value, "a file")
        return text(value) if kind is text else np.array(value, kind)

    def image(self, path: str):
        """An image file: its bytes, or the RGB pixels where decoding was asked for."""
        data = read_bytes(path) if self.decrypt is None else np.frombuffer(self.decrypt(path), np.uint8)
        return decode(data, path) if self.decode else data

    def class_labels(self):
        column = next((i for i, kind in enumerate(self.columns.values()) if isinstance(kind, type)), None)
        if column is None:
            return super().class_labels()
        return np.array([np.asarray(entry[column]).reshape(-1)[0] for entry in self.entries])

    def num_classes(self):
        self.entries  # noqa: B018 - the scan finds the classes
        return None if self.labelled is None else len(self.labelled)


def decode(data: Any, path: str):
    """RGB pixels of an image file, uint8 of shape (height, width, 3)."""
    from ..vision.files import decode_image  # OpenCV is only needed where something is decoded

    return decode_image(data, f"Decode of {path}")


class ArraySource(MappableDataset, VisionBaseDataset):
    """A source that fits into memory: a subclass defines `load()`, one array for each column with the rows first."""

    column_names = ["image", "label"]

    def load(self):
        """The columns."""
        raise NotImplementedError(f"{type(self).__name__} has to implement load().")

    @once
    def arrays(self):
        """The result of `load`, made once, on first use."""
        with read_as_told(self):
            arrays = self.load()
        counts = {len(array) for array in arrays}
        check(
            len(counts) == 1,
            f"Invalid data, the files in {self.dataset_dir} hold unlike numbers of rows: "
            f"{[len(array) for array in arrays]} for {self.column_names}.",
            RuntimeError,
        )
        return arrays

    def size(self):
        return len(self.arrays[0])

    def row(self, index: int):
        return tuple([array[index, ...] for array in self.arrays])

    def rows_at(self, indices: Sequence[int]):
        return [array[indices] for array in self.arrays]

    def class_labels(self):
        return self.arrays[self._label_column()]


class FilesSource(SourceDataset):
    """A source that reads files from beginning to end.

    A subclass defines `files()`, a list, and `file_rows(file)`, which yields row tuples. An entry of the list may be
    anything that `file_rows` understands. Rows of several files come in turns, as of MindSpore's workers, who have a file each.
    """

    by_name = True  # whether files are read in the order of their names
    whole_files = False  # whether one worker reads both parts of a file that a shard begins and ends with

    def files(self):
        """The files to read."""
        raise NotImplementedError(f"{type(self).__name__} has to implement files().")

    def file_rows(self, file: str):
        """The rows of one file."""
        raise NotImplementedError(f"{type(self).__name__} has to implement file_rows().")

    def file_size(self, file: str):
        """How many rows a file has."""
        return sum(1 for _ in rows_as_told(self, file))

    @once
    def _sizes(self):
        return {str(file): self.file_size(file) for file in self._listed()}

    def _listed(self):
        return sorted(self.files()) if self.by_name else list(self.files())

    @once
    def _counted(self):
        return sum(self._sizes[str(file)] for file in self.files())

    def source_size(self):
        return self._counted

    def _in_order(self, run, epoch):
        """The files of one epoch. Shards shuffle them with the number of the epoch, so that all have the same order."""
        files = self._listed()
        if self.shuffle_flag in (ShuffleLevel.GLOBAL, ShuffleLevel.FILES):
            seed, step = (None, 0) if self.num_shards == 1 else (1, 1)
            files = [files[i] for i in Draw(run, epoch, self).shuffled(self, range(len(files)), seed, step)]
        return files

    def _parts(self, files, read):
        """The rows of this shard, an iterable for each file: of all rows that part which is this shard's, from the first row on again
        behind the last one, so that all shards have the same number.
        """
        if self.num_shards == 1:
            return [read(file) for file in files]
        total, parts = self._source_rows(), []
        count = -(-total // self.num_shards)
        first = self.shard_id * count % max(total, 1)
        for low, high in ((first, first + count), (0, first + count - total)):
            begin = 0
            for file in files:
                size = self._sizes[str(file)]
                if max(low - begin, 0) < min(high - begin, size):
                    parts.append(itertools.islice(read(file), max(low - begin, 0), min(high - begin, size)))
                begin += size
        return parts

    def _buffer(self, run):
        if not run.seeded:  # any will do: nothing has to be counted before the first row
            return self.shuffle_rows
        # As in MindSpore four times the average of rows in a file, at most 10,000; 10,000 where there are fewer rows than files.
        rows = -(-sum(self._sizes[str(file)] for file in self.files()) // self.num_shards)
        average = min(rows, self.num_samples or rows) // len(self.files())
        return min(4 * average or self.shuffle_rows, self.shuffle_rows)

    def blocks(self, run: Any, epoch: int):
        files = self._in_order(run, epoch)
        begun = []  # files of which a row was read

        def read(file):
            rows = iter(self.file_rows(file))
            for row in rows:
                begun.append(file)
                yield row
                yield from rows

        parts = self._parts(files, read)
        workers = min(
            len(files if self.whole_files else parts), self.num_parallel_workers or config.get_num_parallel_workers()
        )
        blocks = gather(in_turns(parts, workers) if workers > 1 else itertools.chain.from_iterable(parts))
        if self.num_samples:
            blocks = first_rows(blocks, self.num_samples)
        if self.shuffle_flag is ShuffleLevel.GLOBAL:
            blocks = shuffle_buffer(blocks, self._buffer(run), run.twister(self, epoch, self.get_dataset_size))
        yield from blocks
        check(begun, f"Invalid data, {type(self).__name__} found no row in {files}.", RuntimeError)


# --- the signatures that many sources share ---------------------------------------------------------------------------


def with_sections_of(source: type, text: str):
    """The docstring of a source: its own text, then *Args* and *Raises* of the class that its arguments come from."""
    sections = inspect.cleandoc(source.__doc__).partition("\n\n")[2]
    return f"{inspect.cleandoc(text)}\n\n{sections}"


class FolderSource:
    """Arguments of a source over a folder.

    Args:
        dataset_dir (str): the folder.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        TypeError: an argument is of the wrong type.
        RuntimeError: sampling arguments contradict one another; while reading, a file is missing or damaged.
    """

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, MappableDataset)


class DecodingSource:
    """Arguments of a source of image files.

    Args:
        dataset_dir (str): the folder.
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
        TypeError: an argument is of the wrong type.
        RuntimeError: sampling arguments contradict one another; while reading, a file is missing or damaged.
    """

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, MappableDataset)


class UsageSource:
    """Arguments of a source over a folder that has several parts.

    Args:
        dataset_dir (str): the folder.
        usage (str, optional): which part to read, such as "train", "test" or "all". Default: None.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (bool, optional): whether rows come in random order. Default: None, which shuffles.
        sampler (Sampler, optional): chooses the rows. Default: None.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        TypeError: an argument is of the wrong type.
        RuntimeError: sampling arguments contradict one another; while reading, a file is missing or damaged.
    """

    usages, default_usage = ("train", "test", "all"), "all"

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
        declare(self, MappableDataset, usage=self.default_usage)

    def parts(self):
        """The parts that `usage` names; "all" means all of them, in the order of `usages`."""
        return [part for part in self.usages if part != "all"] if self.usage == "all" else [self.usage]


class UsageDecodingSource(UsageSource):
    """Arguments of a source of image files that has several parts.

    Args:
        dataset_dir (str): the folder.
        usage (str, optional): which part to read, such as "train", "test" or "all". Default: None.
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
        TypeError: an argument is of the wrong type.
        RuntimeError: sampling arguments contradict one another; while reading, a file is missing or damaged.
    """

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        usage: str | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, MappableDataset, usage=self.default_usage)


class TextSource(FilesSource):
    """Arguments of a text source over a folder that has several parts.

    Args:
        dataset_dir (str): the folder.
        usage (str, optional): which part to read, such as "train", "test" or "all". Default: None.
        num_samples (int, optional): at most so many rows. Default: None, all.
        num_parallel_workers (int, optional): accepted. Default: None.
        shuffle (Union[bool, Shuffle], optional): False, or what is shuffled. Default: Shuffle.GLOBAL.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: the folder does not exist, or an argument is out of range.
        TypeError: an argument is of the wrong type.
        RuntimeError: sampling arguments contradict one another; while reading, a file is missing or damaged.
    """

    usages, default_usage = ("train", "test", "all"), "all"
    parts = UsageSource.parts

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_dir: Folder,
        usage: str | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        cache: DatasetCache | None = None,
    ):
        declare(self, SourceDataset, usage=self.default_usage)
