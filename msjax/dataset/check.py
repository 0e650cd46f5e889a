"""Argument checks shared by every part of the dataset package.

Exception types and the way a message names argument, expectation and value follow MindSpore's validators.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.spec.checking import compare
from .rules import INT32_MAX, Columns, NumSamples, PositiveInt32, ReadableFile

if TYPE_CHECKING:
    from .engine.samplers import SamplerLike, Shuffle


def check(condition: Any, message: str, exc: Any = ValueError):
    """Raises `exc(message)` unless `condition` holds."""
    if not condition:
        raise exc(message)


def check_type(value: Any, types: type | tuple[type, ...], name: str):
    """Raises TypeError unless `value` is of one of `types`; a bool does not pass for an int."""
    types = types if isinstance(types, tuple) else (types,)
    wrong_bool = isinstance(value, bool) and bool not in types and int in types
    if wrong_bool or not isinstance(value, types):
        shown = '""' if isinstance(value, str) and not value else value
        raise TypeError(f"Argument {name} with value {shown} is not of type {list(types)}, but got {type(value)}.")


def check_list_of(values: Any, types: type | tuple[type, ...], name: str):
    """Raises TypeError unless `values` is a list or tuple whose items are all of `types`."""
    check_type(values, (list, tuple), name)
    for i, value in enumerate(values):
        check_type(value, types, f"{name}[{i}]")


def check_interval(
    value: Any, low: float, high: float, name: str, *, left_open: bool = False, right_open: bool = False
):
    """Raises ValueError unless `value` lies between `low` and `high` (closed ends by default)."""
    above = value > low if left_open else value >= low
    below = value < high if right_open else value <= high
    if not (above and below):
        interval = f"{'(' if left_open else '['}{low}, {high}{')' if right_open else ']'}"
        raise ValueError(f"Input {name}{' ' if name else ''}is not within the required interval of {interval}.")


def check_integer(value: Any, name: str, low: float = -(2**31), high: float = INT32_MAX):
    """Raises unless `value` is an int between `low` and `high`, both included."""
    check_type(value, int, name)
    check_interval(value, low, high, name)


def check_columns(columns: str | Sequence[str], name: str):
    """Raises unless `columns` is a column name or a list of distinct, non-empty column names."""
    compare("dataset", name, columns, Columns)


def check_file(path: str, name: str = "dataset_file"):
    """Raises unless `path` names a file that can be read."""
    compare("dataset", name, path, ReadableFile)


def check_workers(value: Any):
    """Raises unless `value` is a positive int.

    MindSpore also refuses more workers than the machine has cores; a script written for a large server runs here.
    """
    compare("dataset", "num_parallel_workers", value, PositiveInt32)


def check_sampling(
    *,
    num_samples: int | None = None,
    shuffle: "bool | Shuffle | None" = None,
    sampler: "SamplerLike | None" = None,
    num_shards: int | None = None,
    shard_id: int | None = None,
):
    """Raises where the common sampling arguments of a source contradict one another."""
    compare("dataset", "num_samples", num_samples, NumSamples | None)
    if sampler is not None:
        check(shuffle is None, "sampler and shuffle cannot be specified at the same time.", RuntimeError)
        check(
            num_shards is None and shard_id is None,
            "sampler and sharding cannot be specified at the same time.",
            RuntimeError,
        )
        check(num_samples is None, "sampler and num_samples cannot be specified at the same time.", RuntimeError)
    if num_shards is not None:
        compare("dataset", "num_shards", num_shards, PositiveInt32)
        check(shard_id is not None, "num_shards is specified and currently requires shard_id as well.", RuntimeError)
        check_type(shard_id, int, "shard_id")
        check_interval(shard_id, 0, num_shards - 1, "shard_id")
    check(num_shards is not None or shard_id is None, "shard_id is specified but num_shards is not.", RuntimeError)


def check_rows(indices: np.ndarray, first: int, size: int):
    """Raise RuntimeError for a row number below `first`, or not below `size`."""
    for i in indices[(indices < first) | (indices >= size)][:1]:
        raise RuntimeError(f"Invalid data, sampler gave index {i} for a dataset of {size} rows.")


def is_iterable(value: object):
    """Whether `iter(value)` works; as in MindSpore it is called, which counts for a sampler that draws there."""
    try:
        iter(value)
    except TypeError:
        return False
    return True
