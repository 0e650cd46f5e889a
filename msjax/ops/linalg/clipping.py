"""Tensors scaled down so that their norm is at most a limit."""

import numbers
from typing import Annotated, Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.compat import Tracer
from ...core.operators.record import composite, op, records
from ...core.settings import context
from ...core.spec import Array, Number, Operand, Real
from ...core.spec.rules import NonEmpty
from ...core.trace.frame import current
from ...core.values.promote import kind_of
from ...core.values.tensor import Tensor
from .distances import vector_norm_of


def _norm(x, order):
    """In float32, or in the type of whole numbers: as in MindSpore, their norm loses its fraction."""
    norm = vector_norm_of(x.astype(jnp.float32), order, still=True)
    return norm.astype(x.dtype) if kind_of(x.dtype) < 2 else norm


@op(name="clip_factor", ops=False)
def clip_factor(tensors: Array, limit: Operand, order: Any):
    """The factor for all Tensors that brings their common norm down to at most `limit`."""
    total = _norm(jnp.stack([_norm(t, order) for t in tensors]), order).astype(jnp.float32)
    factor = limit / (total + 1e-6)
    return jnp.where(factor < 1, factor, 1.0), total


@composite(ops=True)
def clip_by_norm(x: Any, max_norm: Real, norm_type: Number = 2.0, error_if_nonfinite: bool = False):
    """A Tensor, or all of a list or tuple together, scaled down so that the norm is at most max_norm.

    Raises:
        RuntimeError: the norm is not finite, and error_if_nonfinite.

    Example:
        >>> print(ops.clip_by_norm(Tensor([3.0, 4.0]), 1.0))
        [0.5999999  0.79999983]
    """
    many = isinstance(x, (tuple, list))
    if many and len({v.dtype for v in x}) > 1:
        raise TypeError(
            f"For 'clip_by_norm', the Tensors of 'x' must be of one type, but got {[str(v.dtype) for v in x]}."
        )
    factor, total = records["clip_factor"](list(x) if many else [x], max_norm, float(norm_type))
    if error_if_nonfinite and not np.isfinite(total.asnumpy()):
        raise RuntimeError(f"For 'clip_by_norm', the norm of order {norm_type} of 'x' is not finite.")
    whole = any(kind_of(v.jax_array.dtype) < 2 for v in (x if many else [x]))
    if whole and not isinstance(factor.jax_array, Tracer) and factor.item() == 1:
        return x  # in its dtype, as it was
    scale = records["scale_by"]
    return tuple(scale(v, factor) for v in x) if many else scale(x, factor)


@op(name="scale_by", ops=False)
def scale_by(x: Array, factor: Operand):
    """x times a factor, in the dtype of x; whole numbers become float32."""
    return (x * factor).astype(x.dtype if kind_of(x.dtype) > 1 else jnp.float32)


@op(name="global_norm_clip", ops=False)
def global_norm_clip(tensors: Array, clip_norm: Operand):
    """All Tensors scaled so that their common norm is at most clip_norm."""
    total = jnp.sqrt(sum(jnp.sum(lax.square(t.astype(jnp.float32))) for t in tensors))
    limit = jnp.asarray(clip_norm, jnp.float32)
    total = jnp.where(total >= limit, total, limit)  # NaN clips nothing
    return tuple((t * limit / total).astype(t.dtype) for t in tensors)


@composite(ops=True)
def clip_by_global_norm(x: Annotated[tuple | list, NonEmpty] | Tensor, clip_norm: Number = 1.0, use_norm: Any = None):
    """A Tensor, or those of a list or tuple, scaled by one factor, so that the norm of all together is at most clip_norm.

    Example:
        >>> ops.clip_by_global_norm((Tensor([3.0]), Tensor([4.0])), 1.0)
        (Tensor(shape=[1], dtype=Float32, value= [ 6.00000024e-01]), Tensor(shape=[1], dtype=Float32, value= [ 8.00000012e-01]))
    """
    if use_norm is not None:
        raise ValueError(f"For 'clip_by_global_norm', the 'use_norm' can only be None, but got {use_norm!r}.")
    if isinstance(clip_norm, bool) or not isinstance(clip_norm, numbers.Real):  # no Tensor, either
        raise TypeError(
            f"For 'clip_by_global_norm', the 'clip_norm' must be a number, but got {type(clip_norm).__name__}."
        )
    clipped = records["global_norm_clip"]([x] if isinstance(x, Tensor) else list(x), clip_norm)
    if isinstance(x, Tensor):
        return clipped[0]
    compiled = current() is not None or context.is_graph_mode()  # there it is a Cell
    return list(clipped) if compiled and isinstance(x, list) else clipped
