"""Limits and types of the record format, and the checks of file names and parameters that its users share."""

import enum
import functools
import inspect
import os
from collections.abc import Callable
from typing import Annotated, TypeAlias

from ..core.spec.checking import compare
from ..core.spec.rules import Raises, That, Within
from .exceptions import ParamValueError

MIN_HEADER_SIZE, MAX_HEADER_SIZE = 16 * 1024, 128 * 1024 * 1024
MIN_PAGE_SIZE, MAX_PAGE_SIZE = 32 * 1024, 256 * 1024 * 1024
DEFAULT_HEADER_SIZE, DEFAULT_PAGE_SIZE = 16 * 1024 * 1024, 32 * 1024 * 1024
MIN_SHARD_COUNT, MAX_SHARD_COUNT = 1, 1000
MIN_CONSUMER_COUNT = 1
MIN_FILE_SIZE = 8

VALID_ATTRIBUTES = ["int32", "int64", "float32", "float64", "string", "bytes"]
VALID_ARRAY_ATTRIBUTES = ["int32", "int64", "float32", "float64"]
# Python type of a value: the field types that it may fill
VALUE_TYPE_MAP = {
    "int": ("int32", "int64"),
    "float": ("float32", "float64"),
    "str": ("string",),
    "bytes": ("bytes",),
    "int32": ("int32",),
    "int64": ("int64",),
    "float32": ("float32",),
    "float64": ("float64",),
    "ndarray": tuple(VALID_ARRAY_ATTRIBUTES),
}

_FORBIDDEN = frozenset("\\/:*?\"<>|`&';")


class MSRStatus(enum.IntEnum):
    """Result of a record operation."""

    SUCCESS = 0
    FAILED = 1


SUCCESS = MSRStatus.SUCCESS
FAILED = MSRStatus.FAILED


def MAX_CONSUMER_COUNT():  # noqa: N802 - a function under a constant's name, as in MindSpore
    """The largest number of consumers: the cores of the machine."""
    return max(os.cpu_count() or 1, MIN_CONSUMER_COUNT)


def _last(path):
    return os.path.basename(path)


_REFUSED = Raises(type=ParamValueError, value=ParamValueError)
FileName: TypeAlias = Annotated[
    str,
    That("that is not empty", len),
    That("that does not end with '/'", lambda path: not path.endswith("/")),
    That("without \\/:*?\"<>|`&;' in the name of the file", lambda path: not _FORBIDDEN & set(_last(path))),
    That("without spaces around that name", lambda path: _last(path) == _last(path).strip(" ")),
    _REFUSED,
]
ShardCount: TypeAlias = Annotated[int | bool, Within("[1, 1000]"), _REFUSED]
Flag: TypeAlias = Annotated[bool, _REFUSED]
Position: TypeAlias = Annotated[int | bool, Within("[0, inf)"), _REFUSED]
RowCount: TypeAlias = Annotated[int | bool, Within("[1, inf)"), _REFUSED]
Name: TypeAlias = Annotated[str, _REFUSED]
Partitions: TypeAlias = Annotated[int | bool, Raises(type=ValueError)]


def check_filename(path: str, arg_name: str = ""):
    """Refuse a file name that the format cannot keep (empty, ending with "/", special characters, outer spaces).

    Raises:
        ParamValueError: `path` is not a usable name.
    """
    compare("mindrecord", arg_name or "file name", path, FileName)
    return True


def check_shard_num(shard_num: int):
    """Refuse a number of shards that is not an int in [1, 1000]."""
    compare("mindrecord", "shard_num", shard_num, ShardCount)


def check_parameter(function: Callable):
    """Decorate a constructor: check its ``file_name`` and ``num_consumer`` before it runs."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def checked(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        names = bound.arguments["file_name"]
        for name in names if isinstance(names, list) else [names]:
            check_filename(name)
        consumers = bound.arguments.get("num_consumer")
        compare("mindrecord", "num_consumer", consumers, Annotated[int | bool, _REFUSED])
        # MindSpore's default of 4 is not checked; a machine with fewer cores must still be able to read.
        if "num_consumer" in signature.bind(*args, **kwargs).arguments and not (
            MIN_CONSUMER_COUNT <= consumers <= MAX_CONSUMER_COUNT()
        ):
            raise ParamValueError(
                f"Parameter num_consumer: {consumers} should between {MIN_CONSUMER_COUNT} and {MAX_CONSUMER_COUNT()}."
            )
        return function(*args, **kwargs)

    return checked


def check_record_file(path: str):
    """Size of the file at `path` in bytes.

    Raises:
        RuntimeError: there is no regular file, or it is too small to be a record file or its index.
    """
    if not os.path.exists(path):
        names = "mindrecord file and meta file" if path.endswith(".db") else "mindrecord file"
        raise RuntimeError(
            f"The input: {path} is not exists, the file can not be found. Please check whether the mindrecord file exists and "
            f"do not rename the mindrecord file. 'FileWriter' writes it: check whether {path} exists and do not rename the {names}."
        )
    if not os.path.isfile(path):
        raise RuntimeError(f"The input: {path} should be a regular file.")
    size = os.path.getsize(path)
    if size < MIN_FILE_SIZE:
        raise RuntimeError(
            f"Invalid file, the size of mindrecord file: {size} is smaller than the lower limit: "
            f"{MIN_FILE_SIZE}.\n Please check file path: {path} and use 'FileWriter' to generate valid "
            f"mindrecord files."
        )
    return size
