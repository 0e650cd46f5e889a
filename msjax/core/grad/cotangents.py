"""The cotangents that a backward pass starts from, and zero cotangents for inputs that the pass does not reach."""

import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..trace.numbers import TracedNumber
from ..values import dtype as mstype
from ..values.tensor import Tensor, wrap
from ..values.tensor_trees import is_tensor, map_tensors


def output_cotangents(differentiable: list[bool], outs: Sequence, sens: Tensor | None, compiled: bool = False):
    """Cotangents of the differentiable outputs: ones, or the given ones. Errors are MindSpore's; in compiled code it takes one element for all.

    compiled: whether the gradient is part of a compiled function.
    """
    count, outs = len(outs), [o for o, use in zip(outs, differentiable) if use]
    if sens is None:
        return [jnp.ones(o.shape, o.dtype) for o in outs]
    given = _given(sens, count)
    if len(given) == count:
        given = [g for g, use in zip(given, differentiable) if use]
    if len(given) != len(outs):
        raise (TypeError if compiled else RuntimeError)(
            f"The given sens gradient's size should be same as out of network! For 'grad', 'sens' must have one Tensor for each of the "
            f"{len(outs)} outputs, but got {len(given)}."
        )
    given = [g._data if is_tensor(g) else jnp.asarray(g, o.dtype) for g, o in zip(given, outs)]
    for g, o in zip(given, outs):
        (_check_compiled if compiled else _check_eager)(g, o)
    return [
        jnp.broadcast_to(g.reshape(o.shape) if g.size == o.size else g.reshape(()), o.shape).astype(o.dtype)
        for g, o in zip(given, outs)
    ]


def _check_compiled(g, o):
    """In a graph a cotangent has the dtype of the output, and its shape or one element for all."""
    if g.dtype != o.dtype:
        given, wanted = _dtypes(g, o)
        raise TypeError(
            f"Type Join Failed: dtype1 = {given}, dtype2 = {wanted}. 'sens' must have the dtype of the output."
        )
    if g.shape != o.shape and g.size != 1:
        raise ValueError(_another_shape(g, o))


def _check_eager(g, o):
    """In eager code it has shape and dtype of the output; that of an output without axes is any single number."""
    if not o.shape and g.size == 1:
        return
    if g.shape != o.shape:
        raise (ValueError if g.shape else RuntimeError)(_another_shape(g, o))
    if g.dtype != o.dtype:
        given, wanted = _dtypes(g, o)
        raise TypeError(f"The dtype should be {wanted}, but got {given}: 'sens' must have the dtype of the output.")


def _dtypes(*arrays):
    return [mstype.from_numpy(a.dtype) for a in arrays]


def _another_shape(g, o):
    return f"For 'grad', the shape of 'sens' must be that of the output, {tuple(o.shape)}, but got {tuple(g.shape)}."


def check_nested(value: Any, sens: Any):
    """Raises TypeError where `sens` is not nested as the output `value`: MindSpore's graphs join the two."""
    wanted, got = _abstract(value), _abstract(sens)
    if wanted is None or isinstance(value, TracedNumber):
        return
    if got != wanted or got in _NESTED and len(value) != len(sens):
        raise TypeError(
            f"Type Join Failed: Abstract type {got} cannot join with {wanted}. 'sens' must be nested as the output is."
        )
    if isinstance(value, dict):
        value, sens = value.values(), sens.values()
    for v, s in zip(value, sens) if got in _NESTED else ():
        check_nested(v, s)


_NESTED = {"AbstractTuple", "AbstractList", "AbstractDictionary"}


def _abstract(value):
    """MindSpore's name for what a value is in a graph, or None."""
    if is_tensor(value):
        return "AbstractTensor"
    if value is None:
        return "AbstractNone"
    kinds = (
        (bool | int | float, "AbstractScalar"),
        (tuple, "AbstractTuple"),
        (list, "AbstractList"),
        (dict, "AbstractDictionary"),
    )
    return next((name for kind, name in kinds if isinstance(value, kind)), None)


def _given(sens, count):
    """The cotangents in `sens`, one for each of the `count` outputs that are Tensors.

    A number counts as a cotangent only where `sens` has exactly `count` items. Otherwise the numbers stand for outputs that are no
    Tensors, which have no cotangent.
    """
    leaves = jax.tree_util.tree_leaves(sens, is_leaf=is_tensor)
    return [v for v in leaves if len(leaves) == count or is_tensor(v)]


def as_tensor(value: Any):
    return value if is_tensor(value) else Tensor(value)


@functools.cache
def _ones():
    return jax.jit(lambda x: jnp.ones(x.shape, x.dtype))


@functools.cache
def _zeros():
    return jax.jit(lambda x: jnp.zeros(x.shape, x.dtype))


def zeros_like(box: Tensor):
    """Zeros of the shape and dtype of a Tensor, which may be one that is only described."""
    array = box._lent
    return wrap(_zeros()(array) if isinstance(array, jax.Array) else jnp.zeros(array.shape, array.dtype))


def eager_cotangents(primary: list[Tensor], differentiable: list[bool], sens: Tensor | None):
    if sens is None:
        return [wrap(_ones()(b._data)) for b, use in zip(primary, differentiable) if use]
    arrays = output_cotangents(differentiable, [b._data for b in primary], sens)
    given = _given(sens, len(primary))
    if len(given) == len(arrays) and all(
        is_tensor(g) and g._data.shape == a.shape and g._data.dtype == a.dtype for g, a in zip(given, arrays)
    ):
        return given  # keeps the tokens: gradients with respect to sens
    return [wrap(a) for a in arrays]


def fill_like(factor: Any):
    """For `sens`: a cotangent that is `factor` (number or Tensor of one element) in every element."""

    def fill(value):
        def one(box):
            number = factor._data.reshape(()) if is_tensor(factor) else factor
            return wrap(jnp.broadcast_to(jnp.asarray(number, box._data.dtype), box.shape))

        return map_tensors(one, value)

    return fill
