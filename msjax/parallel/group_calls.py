"""Shared code of the communication functions: handles, checks, and the calls on Tensors."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from ..core.compat import Tracer
from ..core.operators.record import op as _op
from ..core.operators.record import records
from ..core.spec import Array
from ..core.values.tensor import Tensor
from . import exchange as _exchange
from .collectives import REDUCTIONS, dealt
from .places import place_of

if TYPE_CHECKING:
    from .places import Place

_AVERAGE = "avg"


class CommHandle:
    """The result of an asynchronous call: `wait()` returns when the result is there."""

    def __init__(self, tensors: Sequence[Tensor] = ()):
        self._tensors = tensors

    def wait(self):
        """Wait until the results are there (an error of the communication comes here)."""
        jax.block_until_ready([t.jax_array for t in self._tensors if not isinstance(t.jax_array, Tracer)])


def done(async_op: bool, *tensors):
    """The handle that an asynchronous call returns; None for a call that is not."""
    return CommHandle(tensors) if async_op else None


def ready(name: str, *tensors, group: str | None = None, op: str = "sum", async_op: bool = False):
    """Check the arguments that all functions share; the Place of the group."""
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"For '{name}', the input must be a Tensor, but got {type(tensor).__name__}.")
    if group is not None and not isinstance(group, str):
        raise TypeError(f"For '{name}', the 'group' must be str or None, but got {type(group).__name__}.")
    if not isinstance(async_op, bool):
        raise TypeError(f"For '{name}', the 'async_op' must be bool, but got {type(async_op).__name__}.")
    if op not in (*REDUCTIONS, _AVERAGE):
        raise ValueError(f"For '{name}', the 'op' must be one of {(*REDUCTIONS, _AVERAGE)}, but got {op!r}.")
    return place_of(name, group)


def many(name: str, values: Any, place: "Place"):
    """The list, checked: as many items as the group has processes."""
    if not isinstance(values, (list, tuple)) or len(values) != place.size:
        raise ValueError(
            f"For '{name}', the list must have as many items as the group has processes, {place.size}, but got {values!r}."
        )
    return values


def peer(name: str, rank: int, what: Any, place: "Place"):
    """`place.index_of` an int, TypeError for anything else."""
    if isinstance(rank, bool) or not isinstance(rank, int):
        raise TypeError(f"For '{name}', the '{what}' must be int, but got {type(rank).__name__}.")
    return place.index_of(name, what, rank)


def fill(name: str, target: Any, source: Any):
    """Write a Tensor into a given one of as many elements and the same dtype."""
    if not isinstance(target, Tensor):
        raise TypeError(f"For '{name}', the output must be a Tensor, but got {type(target).__name__}.")
    if target.size != source.size or target.dtype != source.dtype:
        raise ValueError(
            f"For '{name}', the output must have the shape and dtype {source.shape}, {source.dtype}, "
            f"but got {target.shape}, {target.dtype}."
        )
    given = source if target.shape == source.shape else source.reshape(target.shape)
    target._assign(given.jax_array, given._var)


@_op(ops=False, name="communicate", dynamic=True, residuals=True)
def _communicate(x: Array, how: Any, settings: Any, place: Any):
    return getattr(_exchange, how)(x, *settings, place)


def value(how: Any, tensor: Tensor, *settings, place: "Place"):
    """The result of a function of `exchange`, named `how`, for a Tensor. An average is the sum divided by the size of the group."""
    if _AVERAGE in settings:
        total = value(how, tensor, *["sum" if s == _AVERAGE else s for s in settings], place=place)
        root = settings[1:] if how == "reduce" else ()
        return total if root and root[0] != _exchange.member(place) else total / place.size
    return records["communicate"](tensor, how, settings, place)


@_op(ops=False, name="deal_out", dynamic=True, residuals=True)
def _deal_out(x: Array, send: Any, receive: Any, place: Any):
    return dealt(x, send, receive, place)


def exchanged(tensor: Tensor, send: Any, receive: Any, place: "Place"):
    """Pieces of a flat Tensor dealt out to all, and those that come in: numbers of elements for and from each process."""
    return records["deal_out"](tensor, tuple(send), tuple(receive), place)


def joined(tensors: Sequence[Tensor]):
    """Tensors flat, one behind the other."""
    return records["concat_flat"](tuple(tensors))


@_op(ops=False, name="concat_flat")
def _concat_flat(tensors: Array):
    return jnp.concatenate([t.reshape(-1) for t in tensors])


def split(tensor: Tensor, sizes: Sequence[int]):
    """Pieces of a flat Tensor, of so many elements."""
    ends = np.cumsum([0, *sizes]).tolist()
    return [tensor[ends[i] : ends[i + 1]] for i in range(len(sizes))]


def single_sizes(name: str, tensor: Tensor, sizes: Sequence[int], place: "Place"):
    """Elements of each slice of the first axis: of the given lengths, or of equal ones."""
    if not sizes:
        if tensor.shape[0] % place.size:
            raise ValueError(
                f"For '{name}', the first axis must be divisible by the number of processes, {place.size}, but got {tensor.shape}."
            )
        sizes = [tensor.shape[0] // place.size] * place.size
    return [n * math.prod(tensor.shape[1:]) for n in many(name, sizes, place)]
