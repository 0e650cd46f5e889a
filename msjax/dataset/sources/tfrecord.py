"""`TFRecordDataset`: reads TFRecord files without TensorFlow."""

import logging
from typing import Literal

import numpy as np

from ...core.constructor import given, with_arguments
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue
from ...mindrecord.tfrecord import count_records, parse_example, read_records
from ..check import check
from ..engine.cache import DatasetCache
from ..engine.node import SourceDataset, UnionBaseDataset
from ..engine.samplers import Shuffle
from ..rules import NumSamples, PositiveInt32
from .base import Files, FilesSource, declare, find_files, once, text
from .schema import Schema

_log = logging.getLogger("msjax.dataset")


class TFRecordDataset(FilesSource, UnionBaseDataset):
    """TFRecord files of Example messages; a column for each feature.

    Without a schema, features become int64, float32, or uint8 (bytes) of one dimension, sorted by name.

    Args:
        dataset_files (Union[str, list[str]]): paths, which may be patterns such as "*.tfrecord".
        schema (Union[str, Schema], optional): types and shapes of the columns, or the path of a JSON file with them.
            Default: None, the features of the first record.
        columns_list (list[str], optional): the columns to read. Default: None, all.
        num_samples (int, optional): at most so many rows. Default: None: as many as the schema says, or all.
        num_parallel_workers (int, optional): accepted. Default: None.
        shuffle (Union[bool, Shuffle], optional): False, or what is shuffled. Default: Shuffle.GLOBAL.
        num_shards (int, optional): number of parts the data is divided into. Default: None.
        shard_id (int, optional): which part. Default: None.
        shard_equal_rows (bool, optional): divide rows evenly instead of whole files. Default: False.
        cache (DatasetCache, optional): accepted. Default: None.
        compression_type (str, optional): "", "ZLIB" or "GZIP". Default: None, "".

    Raises:
        ValueError: a pattern matches no file, or an argument is out of range.
        TypeError: an argument is of the wrong type.
        RuntimeError: a file is damaged, a feature is missing or not of its type or shape, or there are fewer files than
            shards.
    """

    @checked
    @with_arguments
    def __init__(
        self,
        dataset_files: Files,
        schema: str | Schema | None = None,
        columns_list: list | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        shard_equal_rows: bool | None = False,
        cache: DatasetCache | None = None,
        compression_type: AsValue[Literal["", "ZLIB", "GZIP"]] | None = None,
    ):
        if schema is not None:
            schema = Schema(schema) if isinstance(schema, str) else schema
            num_samples = num_samples or schema.num_rows or None
        declare(
            self,
            SourceDataset,
            {**given(self), "schema": schema, "num_samples": num_samples},
            columns_list=list,
            shard_equal_rows=False,
            compression_type="",
        )
        self.dataset_files = find_files(dataset_files)
        self._by_file = self.num_shards > 1 and (not self.shard_equal_rows or self.compression_type)
        check(
            not self._by_file or len(self.dataset_files) >= self.num_shards,
            f"Invalid file, numbers of tfrecord file should not less than num_shards when shard_equal_rows is false, "
            f"but got numbers of tfrecord file: {len(self.dataset_files)}, num_shards: {self.num_shards}.",
            ValueError if self.compression_type else RuntimeError,
        )

    @once
    def _columns(self):
        """Name to (type, shape) of the schema, or to (None, None) where the records tell."""
        if self.schema is not None:
            known = self.schema.columns
        else:
            first = next(
                (data for file in self.dataset_files for data in read_records(file, self.compression_type)), None
            )
            check(first is not None, f"Invalid data, there is no record in {self.dataset_files}.", RuntimeError)
            known = dict.fromkeys(sorted(self._parse(self.dataset_files[0], first)), (None, None))
        for name in self.columns_list:
            check(
                name in known,
                f"Invalid columns_list, tfrecord file failed to find column name: {name}; there are {list(known)}.",
                RuntimeError,
            )
        return {name: known[name] for name in self.columns_list or known}

    @property
    def column_names(self):
        return list(self._columns)

    def files(self):
        return self.dataset_files

    def _of_shard(self, files):
        return files[self.shard_id :: self.num_shards] if self._by_file else files

    def _in_order(self, run, epoch):
        return self._of_shard(super()._in_order(run, epoch))

    @once
    def _counted(self):
        # MindSpore counts the files that a shard has before they are shuffled.
        count = sum(self.file_size(file) for file in self._of_shard(self.dataset_files))
        return count * self.num_shards if self._by_file else count

    def file_size(self, file: str):
        return count_records(file, self.compression_type)

    def _parts(self, files, read):
        return [read(file) for file in files] if self._by_file else super()._parts(files, read)

    def _parse(self, file, data, wanted=None):
        try:
            return parse_example(data, wanted)
        except ValueError as error:
            raise RuntimeError(f"Invalid file, {file}: {error}") from error

    def file_rows(self, file: str):
        columns = self._columns
        for number, data in enumerate(read_records(file, self.compression_type)):
            features = self._parse(file, data, columns)
            try:
                yield tuple([_column(name, features, *kind) for name, kind in columns.items()])
            except ValueError as error:
                raise RuntimeError(
                    f"map operation: [ParseExample] failed. The corresponding data file is: {file}, "
                    f"record {number}. {error}"
                ) from error


def _column(name, features, kind, shape):
    """The array of one feature."""
    found, values = features.get(name, (None, None))
    if values is None:
        raise ValueError(f"Feature name: {name} is required in schema but could not be found in tfrecord file.")
    if kind is None:
        return _bytes(values, max(map(len, values), default=0)) if found == "bytes" else np.asarray(values)
    if found is None:
        array = text([]) if kind == "string" else np.empty(0, kind)
    elif found == "bytes":
        if kind not in ("string", "uint8"):
            raise ValueError(
                f"The data type loaded from the example for feature name: {name} does not match the "
                f"predefined type in schema, the actual type: string, but the predefined type: {kind}."
            )
        array = (
            text([value.decode("utf-8", "surrogateescape") for value in values])
            if kind == "string"
            else _bytes(values, int(np.prod(shape)) // max(len(values), 1) if shape and -1 not in shape else 0)
        )
    else:
        if kind == "string":
            raise ValueError(
                f"The data type loaded from the example for feature name: {name} does not match the "
                f"predefined type in schema, the actual type: {found}, but the predefined type: string."
            )
        array = values.astype(kind)
    try:
        return array if shape is None else array.reshape(shape)
    except ValueError:
        raise ValueError(
            f"Column shape of {name} defined in schema does not match the shape actually load: {shape} "
            f"and {list(array.shape)}."
        ) from None


def _bytes(values, width):
    """Byte strings as one uint8 array, each filled up with spaces to `width`."""
    return np.frombuffer(b"".join(value.ljust(width) for value in values), np.uint8)
