"""Limits and types of the record format, and the checks of file names and parameters that its users share."""

import enum
import functools
import inspect
import os
from collections.abc import Callable

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


def check_filename(path: str, arg_name: str = ""):
    """Refuse a file name that the format cannot keep (empty, ending with "/", special characters, outer spaces).

    Raises:
        ParamValueError: `path` is not a usable name.
    """
    if not path:
        subject = f"'{arg_name}'" if arg_name else "File path"
        raise ParamValueError(f"{subject} is not allowed None or empty!")
    if not isinstance(path, str):
        raise ParamValueError(f"File path: {path} is not string.")
    if path.endswith("/"):
        raise ParamValueError("File path can not end with '/'")
    name = os.path.basename(path)
    if _FORBIDDEN & set(name):
        raise ParamValueError("File name should not contains \\/:*?\\\"<>|`&;\\'")
    if name != name.strip(" "):
        raise ParamValueError("File name should not start/end with space.")
    return True


def check_shard_num(shard_num: int):
    """Refuse a number of shards that is no int in [1, 1000]."""
    if shard_num is None:
        raise ParamValueError("Parameter shard_num is None.")
    if not isinstance(shard_num, int):
        raise ParamValueError("Parameter shard_num's type is not int.")
    if not MIN_SHARD_COUNT <= shard_num <= MAX_SHARD_COUNT:
        raise ParamValueError(
            f"Parameter shard_num's value: {shard_num} should between {MIN_SHARD_COUNT} and {MAX_SHARD_COUNT}."
        )


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
        if consumers is None:
            raise ParamValueError("Parameter num_consumer is None.")
        if not isinstance(consumers, int):
            raise ParamValueError("Parameter num_consumer is not int.")
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
