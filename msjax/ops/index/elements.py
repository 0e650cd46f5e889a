"""One element of a Tensor as a Python number, and a Tensor with one element replaced."""

import math
import numbers
from typing import Any

import numpy as np

from ...core.compat import Tracer
from ...core.operators.record import composite, records
from ...core.operators.rows import Face, Method, args
from ...core.spec import Array
from ...core.values.tensor import host_array
from .indexing import checked


@composite(ops=False, tensor=("item", Method("_item", args())), mint=Face("item", args("input"), to={"input": "self"}))
def item(self: Array, index: Any = None):
    """The only element as a Python number; ValueError if the Tensor has several.

    index: as in MindSpore 1.x to 2.2 the place of an element, an int (in C order) or a tuple of ints; it is given as a Tensor.

    Example:
        >>> Tensor([1.5]).item()
        1.5
    """
    if index is not None:
        if isinstance(index, bool) or not isinstance(index, (int, tuple)):
            raise TypeError(
                f"For 'Tensor.item', the 'index' must be an int or a tuple of ints, but got {type(index).__name__}."
            )
        place = _position(index, self.shape)
        if len(place) != self.ndim:
            raise ValueError(
                f"For 'Tensor.item', the 'index' must have {self.ndim} numbers, one for each axis, but got {index}."
            )
        return self[place]
    array = self.jax_array
    if array.size != 1:
        raise ValueError(
            f"The tensor should have only one element, but got {array.size}, more than one element is ambiguous."
        )
    return array.reshape(()).item() if isinstance(array, Tracer) else host_array(array).reshape(()).item()


def _position(position, shape):
    """A place, an int (in C order) or a tuple, as a tuple."""
    if not isinstance(position, int):
        return position
    return tuple(int(p) for p in np.unravel_index(checked(position, math.prod(shape)), shape)) if shape else ()


@composite(ops=False, tensor="itemset")
def itemset(self: Array, *args: Any) -> Array:
    """A Tensor with one element replaced, by `itemset(value)` or `itemset(position, value)`; the position is an int (in C
    order) or a tuple.
    """
    if not args:
        raise ValueError("For 'Tensor.itemset', there must be a value, but got no argument.")
    *where, value = args
    if not isinstance(value, numbers.Number):
        raise TypeError(f"For 'Tensor.itemset', the value must be a number, but got {type(value).__name__}.")
    position = where[0] if where else 0
    if not where and self.jax_array.size != 1:
        raise IndexError(
            f"For 'Tensor.itemset' without a position, the Tensor must have one element, but got {self.jax_array.size}."
        )
    position = _position(position, self.shape)
    twin = self.value()
    if not self.shape:
        return records["fill_like"](self, value)
    twin[position] = value
    return twin
