"""Products as the compiler of CPUs has fast kernels for them: read from the weights as they are stored, without a copy in another dtype or order.

A network says what it computes; the program here computes the same from other equations:

- A product with bfloat16 weights is summed in float32, which that compiler does without making float32 of the weights. A single row is
  computed as two, for which there is a kernel where for one there is none.
- A product with weights of 8 bits is one of whole numbers. The other factor becomes two of them, the second for what the first leaves, which is
  15 bits of the largest number of its row.
- A factor of attention whose axes were exchanged (`key.swapaxes(-1, -2)`) is read in the order in which it lies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ..core.compat import evaluate_equation
from ..core.program.interpreter import Interpreter
from ..core.program.primitives import family_of, name_of
from .weights import Rounded, Turned, restored

_STEPS = 127  # the largest whole number of 8 bits
_FINER = 2 * _STEPS  # steps of the second number in one of the first


def computed(function: Callable, weights: dict, *given: Any, step: jax.Array | None = None, by_cpu: bool = True) -> Any:
    """`function(values, *given)`, where `values` are weights as `Weights.now` gives them; within a trace.

    step: the counter of the loop around, as for `restored`. by_cpu: whether a CPU computes it. Elsewhere products stay as they are: the compiler reads
    whole numbers within them. But rows of a table are taken of its whole numbers, or it would be made whole for them.
    """
    if not by_cpu and not any(isinstance(value, (Rounded, Turned)) for value in weights.values()):
        return function(weights, *given)
    values = {name: _factor(value, step) for name, value in weights.items()}
    shapes = {name: jax.ShapeDtypeStruct(value.shape, value.dtype) for name, value in values.items()}
    program, out = jax.make_jaxpr(function, return_shape=True)(shapes, *given)
    found = (_Products() if by_cpu else _Rows()).run(
        program, [values[name] for name in sorted(values)] + jax.tree.leaves(given)
    )
    return jax.tree.unflatten(jax.tree.structure(out), map(_whole, found))


class Factor:
    """A lazy array: another array with its axes permuted, or one that is stored as integers with scales.

    value: array or Rounded. permutation: the axes of `value` in the order of the array. dtype: of the array. step: as for `restored`.
    """

    def __init__(
        self, value: jax.Array | Rounded, permutation: Sequence[int], dtype: Any, step: jax.Array | None = None
    ):
        self.value, self.permutation, self.dtype, self.step = value, tuple(permutation), jnp.dtype(dtype), step

    @property
    def rounded(self):
        """Whether it is stored as whole numbers."""
        return isinstance(self.value, Rounded)

    @property
    def shape(self):
        """The shape of the array."""
        shape = (self.value.whole if self.rounded else self.value).shape
        return tuple(shape[axis] for axis in self.permutation)

    def turned(self, permutation: Sequence[int]) -> Factor:
        """The Factor with its axes in another order."""
        return Factor(self.value, [self.permutation[axis] for axis in permutation], self.dtype, self.step)

    def whole(self):
        """The array itself."""
        value = self.value
        if self.rounded:
            value = restored({"": value}, self.step)[""].astype(self.dtype)
        return value if self.permutation == tuple(range(value.ndim)) else jnp.transpose(value, self.permutation)


def _factor(value, step):
    if isinstance(value, Turned):
        return _factor(value.value, step).turned((1, 0))
    dtype = value.like.dtype if isinstance(value, Rounded) else value.dtype
    array = value.whole if isinstance(value, Rounded) else value
    return Factor(value, range(array.ndim), dtype, step)


def _whole(value):
    return value.whole() if isinstance(value, Factor) else value


class _Rows(Interpreter):
    """Takes rows of a table of whole numbers from it; all else is computed of whole arrays."""

    def enters(self, eqn: Any, given: list, around: str) -> bool:
        return family_of(name_of(eqn)) == "calls"

    def equation(self, eqn: Any, given: list, around: str) -> list:
        made = self.other_form(eqn, name_of(eqn), given)
        return evaluate_equation(eqn, list(map(_whole, given))) if made is None else [made]

    def other_form(self, eqn: Any, name: str, given: list):
        """The result of an equation in another form; None where it stays as it is."""
        first = given[0] if given else None
        if not isinstance(first, Factor):
            return None
        if name == "transpose":
            return first.turned(eqn.params["permutation"])
        if first.rounded and name == "gather":
            return _rows(eqn, first, _whole(given[1]))
        if first.rounded and name == "convert_element_type" and jnp.issubdtype(eqn.params["new_dtype"], jnp.floating):
            return Factor(first.value, first.permutation, eqn.params["new_dtype"], first.step)
        return None


class _Products(_Rows):
    """Besides, products as the compiler of CPUs has kernels for them."""

    def other_form(self, eqn: Any, name: str, given: list):
        if name == "dot_general":
            return _product(eqn, *given)
        first = given[0] if given else None
        if name == "transpose" and not isinstance(first, Factor):
            given = [Factor(first, range(first.ndim), first.dtype)]
        return super().other_form(eqn, name, given)


def _rows(eqn, table, indices):
    """Rows of a table of whole numbers; None for another gather."""
    numbers, out = eqn.params["dimension_numbers"], eqn.outvars[0].aval
    if (
        table.permutation != (0, 1)
        or table.value.scale.shape[1] != 1
        or numbers.collapsed_slice_dims != (0,)
        or tuple(numbers.start_index_map) != (0,)
        or tuple(numbers.offset_dims) != (out.ndim - 1,)
        or eqn.params["slice_sizes"] != (1, table.shape[1])
    ):
        return None
    (whole,) = evaluate_equation(eqn, [table.value.whole, indices], fill_value=0)
    (scale,) = evaluate_equation(eqn, [table.value.scale, indices], slice_sizes=(1, 1))
    return (whole.astype(jnp.float32) * scale).astype(out.dtype)


def _product(eqn, left, right):
    """A product in its other form; None where it stays as it is."""
    (over_left, over_right), (batch_left, batch_right) = eqn.params["dimension_numbers"]
    out = eqn.outvars[0].aval
    matrix = isinstance(right, Factor) and len(right.shape) == 2 and not batch_right and len(over_right) == 1
    if matrix and right.rounded:
        left = _whole(left)
        if jnp.issubdtype(left.dtype, jnp.floating):
            return _of_whole_numbers(left, over_left[0], right, over_right[0], out)
    left, over_left, batch_left = _as_it_lies(left, over_left, batch_left)
    right, over_right, batch_right = _as_it_lies(right, over_right, batch_right)
    numbers = (over_left, over_right), (batch_left, batch_right)
    free = [n for axis, n in enumerate(left.shape) if axis not in (*over_left, *batch_left)]
    if left.dtype == right.dtype == jnp.bfloat16:
        return _in_float32(left, right, numbers, free, out)
    return evaluate_equation(eqn, [left, right], dimension_numbers=numbers)[0]


def _as_it_lies(value, over, batch):
    """(array, the axes that are summed over, those of the batch) for a product in which the array is not turned, where that gives the same axes."""
    if not isinstance(value, Factor):
        return value, over, batch
    axes = value.permutation
    free = [axes[i] for i in range(len(axes)) if i not in (*over, *batch)]
    if value.rounded or free != sorted(free):
        return value.whole(), over, batch
    return value.value, tuple(axes[i] for i in over), tuple(axes[i] for i in batch)


def _in_float32(left, right, numbers, free, out):
    """A product of bfloat16, summed in float32."""
    single = math.prod(free) == 1 and len(free) > 0
    if single:
        axis = next(i for i in range(left.ndim) if i not in (*numbers[0][0], *numbers[1][0]))
        left = jnp.concatenate([left, left], axis)
    made = lax.dot_general(left, right, numbers, preferred_element_type=jnp.float32)
    if single:
        made = lax.slice_in_dim(made, 0, 1, axis=len(numbers[1][0]))
        made = made.reshape(out.shape)
    return made.astype(out.dtype)


def _of_whole_numbers(left, over, right, axis, out):
    """`left` (..., K, ...) times a matrix of whole numbers of 8 bits, of which each row has a scale."""
    rows = jnp.moveaxis(left, over, -1).astype(jnp.float32)
    summed = right.permutation[axis]  # the axis of the stored matrix that is summed over
    scaled_axis = 0 if right.value.scale.shape[1] == 1 else 1
    if summed == scaled_axis:  # the scales belong to what is summed
        rows = rows * right.value.scale.reshape(-1)
    whole, scale = right.value.whole, jnp.max(jnp.abs(rows), axis=-1, keepdims=True) / _STEPS
    scaled = rows / jnp.where(scale == 0, 1, scale)
    coarse = jnp.round(scaled)
    fine = jnp.round((scaled - coarse) * _FINER)
    both = jnp.stack([coarse, fine]).reshape(-1, rows.shape[-1]).astype(jnp.int8)
    made = lax.dot_general(both, whole, (((1,), (summed,)), ((), ())), preferred_element_type=jnp.int32)
    coarse, fine = made.astype(jnp.float32).reshape(2, *rows.shape[:-1], -1)
    made = (coarse + fine / _FINER) * scale
    if summed != scaled_axis:
        made = made * right.value.scale.reshape(-1)
    return made.astype(out.dtype)
