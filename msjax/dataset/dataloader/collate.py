"""How samples become a batch: `default_collate` joins them, `default_convert` makes Tensors of one."""

import copy
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from ..check import check
from ..engine.iterators import tensor_maker


def _like(original, items):
    """A container of the kind of `original` with other items, or a list (dict) where it cannot be made so."""
    try:
        if isinstance(original, MutableMapping):
            new = copy.copy(original)
            new.update(items)
            return new
        if isinstance(original, MutableSequence):
            new = copy.copy(original)
            for i, item in enumerate(items):
                new[i] = item
            return new
        return type(original)(items)
    except TypeError:
        return items


def _walk(data, leaf):
    """`data` with `leaf` applied to every value that is not a container; a tuple becomes a list, a named tuple stays
    one.
    """
    if isinstance(data, Mapping):
        return _like(data, {key: _walk(item, leaf) for key, item in data.items()})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(_walk(item, leaf) for item in data))
    if isinstance(data, tuple):
        return [_walk(item, leaf) for item in data]
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _like(data, [_walk(item, leaf) for item in data])
    return leaf(data)


def default_convert(data: Any):
    """`data` with its NumPy arrays and scalars as Tensors, within dicts, lists and tuples too.

    Example:
        >>> import numpy as np
        >>> from msjax.dataset.dataloader import default_convert
        >>> default_convert({"x": np.array([1, 2]), "name": "a"})
        {'x': Tensor(shape=[2], dtype=Int64, value= [1, 2]), 'name': 'a'}
    """
    tensor = tensor_maker()
    return _walk(data, lambda item: tensor(np.asarray(item)) if isinstance(item, (np.ndarray, np.generic)) else item)


def join(batch: Any):
    """Samples as a batch of arrays: arrays and Tensors are stacked, numbers become an array, strings a list.

    Raises:
        TypeError: a sample is of a type that cannot be joined.
        RuntimeError: sequences differ in length.
    """
    first = batch[0]
    if isinstance(first, np.ndarray):
        check(
            first.dtype.kind not in "SUO",
            f"NumPy arrays with dtype {first.dtype} are not supported for collation.",
            TypeError,
        )
        return np.stack(batch)
    if hasattr(first, "asnumpy"):
        return np.stack([item.asnumpy() for item in batch])
    if isinstance(first, (np.generic, bool, int)):
        return np.array(batch)
    if isinstance(first, float):
        return np.array(batch, np.float64)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return _like(first, {key: join([item[key] for item in batch]) for key in first})
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(join(list(items)) for items in zip(*batch, strict=True)))
    if isinstance(first, Sequence):
        check(
            len({len(item) for item in batch}) == 1,
            "Each element in list of batch must be of equal size.",
            RuntimeError,
        )
        items = [join(list(column)) for column in zip(*batch, strict=True)]
        return items if isinstance(first, tuple) else _like(first, items)
    raise TypeError(f"Cannot find the appropriate collate function for type {type(first)} in collate_fn_map.")


def default_collate(batch: list):
    """Samples as a batch of Tensors.

    Args:
        batch (list): samples of one structure: arrays, Tensors, numbers, strings, dicts, lists, tuples.

    Returns:
        The same structure over Tensors with a new first axis (over lists, for strings).

    Example:
        >>> from msjax.dataset.dataloader import default_collate
        >>> default_collate([(1, "a"), (2, "b")])
        [Tensor(shape=[2], dtype=Int64, value= [1, 2]), ['a', 'b']]
    """
    return default_convert(join(batch))
