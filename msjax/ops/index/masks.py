"""`x[mask] = value`: MindSpore's two rules for it, one of PYNATIVE_MODE and one of compiled code."""

import jax.numpy as jnp
import numpy as np

from ...core.compat import Tracer
from ...core.operators import views
from ...core.operators.record import op, records
from ...core.spec import Array, Operand
from ...core.values import dtype as mstype
from ...core.values.promote import written
from ...core.values.tensor import Tensor, host_array


def fit(value, shape):
    """The value broadcast to the shape that is written; surplus leading axes of length 1 are dropped."""
    while value.ndim > len(shape) and value.shape[0] == 1:
        value = value[0]
    try:
        return jnp.broadcast_to(value, shape)
    except ValueError:
        raise ValueError(
            f"For 'tensor setitem', the value of shape {value.shape} can not be broadcast to the indexed part of "
            f"shape {shape}."
        ) from None


def write_by_mask(x, index, value):
    """`x[mask] = value`; False if the index is something else.

    In PYNATIVE_MODE all True elements take one value, or the k-th takes the k-th. Compiled code chooses instead, as
    `where(mask, value, x)` does; mask and value get missing axes behind their own there, not before them as in NumPy.

    Raises:
        ValueError: the mask, or the value, has another shape than x.
    """
    mask = _lone_mask(index)
    if mask is None:
        return False
    shape, rest, compiled = getattr(value, "shape", ()), x.ndim - mask.ndim, views.copies()
    each = mask.shape == x.shape[: mask.ndim]
    many = len(shape) > max(rest, 0) and shape[0] != 1  # a value for each True element
    traced = isinstance(mask.jax_array, Tracer)
    chooses = not isinstance(index, tuple) and (compiled or not each and not shape and isinstance(index, Tensor))
    if chooses:
        if _widened(mask.shape, x.shape) is None:
            refuse_unlike(mask, x, ValueError)
        if _widened(shape, x.shape) is None:
            if not each or many and traced:
                raise ValueError(
                    f"For 'tensor setitem', the value of shape {shape} can not be broadcast to the Tensor of shape "
                    f"{x.shape}, of which compiled code chooses by the mask."
                )
            chooses = False  # a row, or as many values as are True: x[mask] = x[mask] * 2
    elif not each:
        if isinstance(index, Tensor):
            refuse_unlike(mask, x, ValueError)
        return False
    if many and not chooses and not traced:
        count = int(host_array(mask.jax_array).sum())
        if not count:
            return True
        if count != shape[0]:
            raise ValueError(f"For 'tensor setitem', the mask has {count} True elements, but got {shape[0]} values.")
    records["setitem_mask"](x, mask, value, chooses)
    return True


def refuse_unlike(mask, x, error, axis=0):
    """An error unless the mask has the axes of x from `axis` on."""
    if mask.shape != x.shape[axis : axis + mask.ndim]:
        raise error(
            f"The shape of the mask {mask.shape} at index {axis} does not match the shape of the indexed Tensor "
            f"{x.shape}."
        )


def _widened(shape, whole):
    """A shape with axes of length 1 added behind; None if it can not be broadcast to the whole one."""
    wide = (*shape, *(1,) * (len(whole) - len(shape)))
    return wide if len(wide) == len(whole) and all(w in (1, n) for w, n in zip(wide, whole)) else None


def _lone_mask(index):
    """The mask of `x[mask]`, or None."""
    if isinstance(index, tuple) and len(index) == 1:
        index = index[0]
    if isinstance(index, (np.ndarray, list)) and not isinstance(index, Tensor):
        first = index
        while isinstance(first, (list, tuple)) and first:
            first = first[0]
        if not isinstance(first, (bool, np.bool_, np.ndarray)) or isinstance(first, np.ndarray) and first.dtype != bool:
            return None
        index = Tensor(index)
    return index if isinstance(index, Tensor) and index.ndim and index.dtype == mstype.bool_ else None


@op(ops=False, writes=(0,))
def setitem_mask(x: Array, mask: Array, value: Operand, chooses: bool = False):
    """x with the elements where `mask` is True replaced: by one value, by a row, or by one value each in order.

    chooses: by the value at the same place.
    """
    value = written(value, x.dtype, IndexError)
    if chooses:
        mask, value = (v.reshape(_widened(v.shape, x.shape)) for v in (mask, value))
        return jnp.where(mask, value, x)
    rest = x.shape[mask.ndim :]
    wide = mask.reshape(mask.shape + (1,) * len(rest))
    if not value.size:  # x[mask] = x[mask] * 2 where nothing is True
        return x
    while value.ndim > len(rest) + 1 and value.shape[0] == 1:
        value = value[0]
    if value.ndim <= len(rest) or value.shape[0] == 1:
        value = value[0] if value.ndim > len(rest) else value
        return jnp.where(wide, jnp.broadcast_to(fit(value, rest), x.shape), x)
    order = jnp.cumsum(mask.reshape(-1)) - 1  # the k-th True element takes the k-th value
    rows = jnp.broadcast_to(value, (value.shape[0], *rest))[jnp.clip(order, 0, value.shape[0] - 1)]
    return jnp.where(wide, rows.reshape(x.shape), x)
