"""`MindDataset`: reads record files; `OBSMindDataset`: fetches them from object storage first."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import numpy as np

from ...core.keywords import old_keywords
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, That
from ...mindrecord import RecordSet
from ..check import check, check_columns, check_type
from ..engine import samplers
from ..engine.cache import DatasetCache
from ..engine.node import MappableDataset, UnionBaseDataset
from ..engine.samplers import Shuffle
from ..rules import NumSamples, PositiveInt32, ReadableFile
from ..twister import MinimalStandard, first_below
from .base import once, text

if TYPE_CHECKING:
    pass

_MODES = (Shuffle.FILES, Shuffle.INFILE, Shuffle.PARTIAL)
_SAMPLERS = (
    samplers.SubsetRandomSampler,
    samplers.SubsetSampler,
    samplers.PKSampler,
    samplers.DistributedSampler,
    samplers.RandomSampler,
    samplers.SequentialSampler,
)
_WINDOW = 1_000_000  # rows that Shuffle.PARTIAL mixes


class _RecordDraw(samplers.Draw):
    """What is drawn for record files: another generator shuffles, and shards begin anew in each epoch."""

    generator, ahead = MinimalStandard, 1
    endless = True  # with replacement there are more draws than rows where more are asked for

    def drawn(self, size: int, count: int):
        if not self.run.seeded:
            return super().drawn(size, count)
        first = self.run.seed + self.ahead + self.epoch * count
        return np.fromiter(first_below(size, range(first, first + count)), np.int64, count)

    def shuffled(self, sampler: object, items: Sequence, seed: int | None = None, step: int = 1):
        if seed is None and step:
            return super().shuffled(sampler, items)
        return _shuffled(items, (self.run.seed + self.ahead if seed is None else seed) + step * self.epoch)


def _shuffled(items, seed):
    order = list(items)
    MinimalStandard(seed).shuffle(order)
    return np.array(order, np.int64)


def _mixed(rows, seed):
    """Rows shuffled within windows."""
    parts = [_shuffled(rows[i : i + _WINDOW], seed) for i in range(0, len(rows), _WINDOW)]
    return np.concatenate(parts) if parts else rows


class _MixedShard(samplers.DistributedSampler):
    """A shard of `Shuffle.PARTIAL`: its rows are shuffled after they were taken."""

    def choose(self, size: int, draw: Callable):
        return _mixed(super().choose(size, draw), draw.run.seed + draw.ahead + draw.epoch)


class _FileOrder(samplers.BuiltinSampler):
    """Rows in an order that knows where files begin: whole files shuffled, rows shuffled within files, or in
    windows (those of shards by `_MixedShard`).
    """

    def __init__(self, mode: Any, num_samples: int | None = None, sharded: bool = False):
        super().__init__(num_samples)
        self.mode, self.sharded = mode, sharded

    def choose(self, size: int | Sequence[int], draw: Callable):
        ends = [*draw.source.records.ends, size]
        files = [np.arange(start, end) for start, end in zip([0, *ends], ends, strict=False) if start < end]
        first = draw.run.seed + draw.ahead
        if self.sharded or self.mode is Shuffle.PARTIAL:
            parts = self._shuffled_parts(files, first + draw.epoch)
        else:  # each epoch shuffles that of the one before
            done, parts = draw.run.memory.get((id(self), "order"), (-1, files))
            if done > draw.epoch:
                done, parts = -1, files
            for epoch in range(done + 1, draw.epoch + 1):
                parts = self._shuffled_parts(parts, first + epoch)
            draw.run.memory[id(self), "order"] = draw.epoch, parts
        rows = np.concatenate(parts)[: self._limit(size)]
        return _mixed(rows, first + draw.epoch) if self.mode is Shuffle.PARTIAL and not self.sharded else rows

    def _shuffled_parts(self, parts, seed):
        if self.mode is Shuffle.INFILE:
            return [_shuffled(rows, seed) for rows in parts]
        return [parts[i] for i in _shuffled(range(len(parts)), seed)]

    def get_shuffle_mode(self):
        return self.mode

    def is_shuffled(self):
        return True


SupportedSampler = Annotated[
    Any,
    That("a sampler that MindRecord files support", lambda sampler: sampler is None or isinstance(sampler, _SAMPLERS)),
]


class MindDataset(MappableDataset, UnionBaseDataset):
    """Record files, written by `mindspore.mindrecord.FileWriter`; a column for each field, sorted by name.

    Scalars have the types of the schema, bytes are an array of one byte string, strings and arrays are as they were.

    Args:
        dataset_files (Union[str, list[str]]): one file, which stands for all its shards, or exactly the files of a
            list.
        columns_list (list[str], optional): the columns to read. Default: None, all.
        num_parallel_workers (int, optional): threads that read. Default: None.
        shuffle (Union[bool, Shuffle], optional): False, or what is shuffled. Default: None, which shuffles.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        sampler (Sampler, optional): chooses the rows. Default: None.
        padded_sample (dict, optional): a row that is added `num_padded` times, column to value. Default: None.
        num_padded (int, optional): see `padded_sample`. Default: None.
        num_samples (int, optional): at most so many rows. Default: None, all.
        cache (DatasetCache, optional): accepted. Default: None.

    Raises:
        ValueError: a file does not exist, or an argument is out of range.
        TypeError: an argument is of the wrong type.
        RuntimeError: a file is damaged or a column does not exist, or arguments contradict one another.

    Examples:
        >>> import os, tempfile
        >>> from msjax.dataset import MindDataset
        >>> from msjax.mindrecord import FileWriter
        >>> path = os.path.join(tempfile.mkdtemp(), "rows.mindrecord")
        >>> writer = FileWriter(path)
        >>> writer.add_schema({"label": {"type": "int32"}})
        >>> writer.write_raw_data([{"label": 1}, {"label": 2}])
        >>> writer.commit()
        >>> rows = MindDataset(path, shuffle=False).create_dict_iterator(num_epochs=1, output_numpy=True)
        >>> [int(row["label"]) for row in rows]
        [1, 2]
    """

    _draws = _RecordDraw

    @old_keywords(dataset_file="dataset_files", block_reader=None)
    @checked
    def __init__(
        self,
        dataset_files: ReadableFile | list[ReadableFile],
        columns_list: list | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | Shuffle | None = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        sampler: AsValue[SupportedSampler] = None,
        padded_sample: dict | None = None,
        num_padded: int | None = None,
        num_samples: NumSamples | None = None,
        cache: DatasetCache | None = None,
    ):
        _check_padding(columns_list, padded_sample, num_padded)
        check(
            not num_samples or shuffle not in (Shuffle.FILES, Shuffle.INFILE),
            "'Shuffle.FILES' or 'Shuffle.INFILE' and 'num_samples' cannot be specified at the same time.",
        )
        self._found = {}
        self.dataset_files = dataset_files
        self.columns_list = columns_list or []
        self.padded_sample = padded_sample or {}
        self.num_padded = num_padded or 0
        super().__init__(
            num_parallel_workers=num_parallel_workers,
            sampler=sampler,
            num_samples=num_samples,
            shuffle=Shuffle.GLOBAL if shuffle is Shuffle.ADAPTIVE else shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )
        if isinstance(shuffle, Shuffle) and shuffle in _MODES and sampler is None:
            order = _FileOrder(shuffle, None if num_shards else num_samples, num_shards is not None)
            if num_shards is not None:
                kind = _MixedShard if shuffle is Shuffle.PARTIAL else samplers.DistributedSampler
                self.sampler = kind(num_shards, shard_id, shuffle=False, num_samples=num_samples)
                self.sampler.child_sampler = order
            else:
                self.sampler = order
        child = self.sampler.get_child()
        check(
            child is None or isinstance(child, (samplers.DistributedSampler, _FileOrder)) or not self.num_padded,
            "When the padded sample logic is enabled and use sampler chain,the first sampler which is specified by "
            "parameter sampler or (num_shards, shard_id) is not distributed sampling.",
            RuntimeError,
        )

    @once
    def records(self):
        """The rows of the files."""
        records = RecordSet(self.dataset_files)
        records.check_columns(self.columns_list)
        return records

    @once
    def _fields(self):
        """Column to its field of the schema."""
        fields = self.records.fields
        return {name: fields[name] for name in self.columns_list or fields}

    @property
    def column_names(self):
        return list(self._fields)

    def size(self):
        rows, shards = len(self.records) + self.num_padded, getattr(self.sampler, "num_shards", 1)
        check(
            not self.num_padded or rows % shards == 0,
            f"MindDataset: {rows} rows with {self.num_padded} padded ones cannot be divided into {shards} shards: check 'num_padded'.",
            RuntimeError,
        )
        return rows

    def row(self, index: int):
        records = self.records
        if index >= len(records):
            return tuple([_padded(self.padded_sample[name], name, field) for name, field in self._fields.items()])
        row = records.row(index, self.columns_list or None)
        return tuple([_array(row[name], field) for name, field in self._fields.items()])

    def class_labels(self):
        name = getattr(self.sampler, "class_column", "label")
        check(
            name in self.records.fields,
            f"Invalid data, 'class_column': {name} can not found in fields of "
            f"mindrecord files, which are {list(self.records.fields)}. Please check "
            f"'class_column' in PKSampler.",
            RuntimeError,
        )
        return np.unique(self.records.field_values(name), return_inverse=True)[1]

    def __getitem__(self, index):
        check_type(index, int, "index")
        check(index >= 0, f"index cannot be negative, but got {index}.")
        check(
            index < self.size(),
            f"Input index is not within the required interval of [0, {self.size() - 1}], but got {index}.",
            RuntimeError,
        )
        return list(self.row(index))


def _check_padding(columns_list, padded_sample, num_padded):
    if padded_sample is None:
        check(num_padded is None, "num_padded is specified but padded_sample is not.", RuntimeError)
        return
    check(num_padded is not None, "padded_sample is specified and requires num_padded as well.", RuntimeError)
    check(num_padded >= 0, f"num_padded is invalid, num_padded={num_padded}.")
    check(columns_list is not None, "padded_sample is specified and requires columns_list as well.", RuntimeError)
    check_columns(columns_list, "columns_list")
    for name in columns_list:
        check(name in padded_sample, "padded_sample cannot match columns_list.")


def _padded(value, name, field):
    """A value of `padded_sample` as an array."""
    wrong = f"Invalid padded_sample, the value of column: {name} should be string or number but got: {value!r}, check 'padded_sample'."
    if "shape" in field or field["type"] == "bytes":
        wrong = f"Invalid padded_sample, failed to retrieve blob data from padding sample, column: {name}, check 'padded_sample'."
        kinds = np.ndarray, bytes
    else:
        kinds = str, int, float
    check(isinstance(value, kinds), wrong, RuntimeError)
    check(not (isinstance(value, float) and field["type"].startswith("int")), wrong, RuntimeError)
    try:
        return _array(value, field)
    except (ValueError, OverflowError):
        raise RuntimeError(wrong) from None


def _array(value, field):
    """A field of a row as an array."""
    kind = field["type"]
    if kind == "string":
        return text(value)
    if kind == "bytes":
        return np.array([value.tobytes() if isinstance(value, np.ndarray) else value])
    return np.asarray(value, kind)


def _local_folder(server):
    """Where fetched files are kept: /cache/dataset as MindSpore has it, or a temporary folder where that is not
    allowed.
    """
    folder = "/cache/dataset"
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        folder = os.path.join(tempfile.gettempdir(), "msjax_obs", hashlib.sha256(server.encode()).hexdigest()[:16])
        os.makedirs(folder, mode=0o700, exist_ok=True)
    return folder


def _fetch(dataset_files, server, access_key, secret_key):
    """Copies of files "obs://bucket/key" and of their indexes on this machine; local paths as they are."""
    try:
        from obs import ObsClient  # an extra: only needed for files in object storage
    except ImportError as error:
        raise ImportError(
            "OBSMindDataset needs the client of the object storage: pip install esdk-obs-python."
        ) from error
    client, folder, found = ObsClient(access_key_id=access_key, secret_access_key=secret_key, server=server), None, []
    try:
        for path in dataset_files:
            folder = folder or _local_folder(server)
            bucket, _, key = path.split("://", 1)[-1].partition("/")
            target = os.path.join(folder, os.path.basename(key))
            for end in (".db", ""):  # the file itself last: it is only there when both are
                if os.path.exists(target + end):
                    continue
                answer = client.getObject(bucket, key + end, downloadPath=target + end + ".part")
                check(
                    answer.status < 300,
                    f"Failed to fetch {path}{end} from {server}: {getattr(answer, 'errorCode', answer.status)} "
                    f"{getattr(answer, 'errorMessage', '')}.",
                    RuntimeError,
                )
                os.replace(target + end + ".part", target + end)
            found.append(target)
    finally:
        client.close()
    return found


ServerName: TypeAlias = Annotated[
    str, That("that starts with http:// or https://", lambda name: name.startswith(("http://", "https://")))
]


class OBSMindDataset(MindDataset):
    """Record files in object storage (OBS, MinIO, S3), fetched when the dataset is made.

    Args:
        dataset_files (list[str]): files, as "obs://bucket/key".
        server (str): address of the storage; begins with "http://" or "https://".
        ak (str): access key.
        sk (str): secret key.
        sync_obs_path (str): accepted; each process fetches what it needs, so nothing has to be synchronised.
        columns_list (list[str], optional): the columns to read. Default: None, all.
        shuffle (Union[bool, Shuffle], optional): False, or what is shuffled. Default: Shuffle.GLOBAL.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        shard_equal_rows (bool, optional): divide rows evenly; otherwise whole files. Default: True.

    Raises:
        ImportError: the package `esdk-obs-python` is not installed.
        ValueError: an argument is out of range.
        TypeError: an argument is of the wrong type.
        RuntimeError: a file cannot be fetched.
    """

    @checked
    def __init__(
        self,
        dataset_files: list[str],
        server: ServerName,
        ak: str,
        sk: str,
        sync_obs_path: str,
        columns_list: list[str] | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        shard_equal_rows: bool = True,
    ):
        if num_shards and not shard_equal_rows:
            dataset_files, num_shards, shard_id = dataset_files[shard_id::num_shards], None, None
        super().__init__(
            _fetch(dataset_files, server, ak, sk),
            columns_list,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
        )

    def add_sampler(self, new_sampler: Any):
        raise NotImplementedError("add_sampler is not supported for OBSMindDataset.")

    def use_sampler(self, new_sampler: Any):
        raise NotImplementedError("use_sampler is not supported for OBSMindDataset.")
