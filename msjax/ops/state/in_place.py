"""In-place forms: `x.add_(y)` computes `x.add(y)` and stores the result in x.

One table says which operator each comes from; the shape and dtype of x stay.
"""

import inspect
import math as _math
from typing import Any

import jax.numpy as jnp
import numpy as np

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Method, Prim, args, row_of
from ...core.spec import Array, Axis, Integers, Ints, MaybeArray, Number, Operand, Static
from ...core.values import dtype as mstype
from ...core.values.promote import cast, written
from ...core.values.tensor import Tensor
from ..activation import functions as activation
from ..elementwise import arithmetic, math
from ..index import gathering, scattering
from ..linalg import diagonals, matmul
from ..shape import creation

# the families that register what the table below names
_FAMILIES = (activation, arithmetic, creation, diagonals, gathering, math, matmul, scattering)


def stored(name: str, x: Any, value: Any):
    """A result in the dtype of the Tensor that receives it; its shape must be the same."""
    if value.shape != x.shape:
        raise ValueError(
            f"For '{name}', the result must have the shape of the Tensor, {x.shape}, but got {value.shape}."
        )
    if jnp.issubdtype(value.dtype, jnp.inexact) and not jnp.issubdtype(x.dtype, jnp.inexact):
        raise TypeError(
            f"For '{name}', a result of dtype {value.dtype} can not be stored in a Tensor of dtype {x.dtype}."
        )
    return written(value, x.dtype)


def inplace(record_name: str, face: Any, more: Any = ()):
    """Register the in-place form of an operator: `face` is the Tensor method, `more` are further faces of `op`."""
    source = records[record_name]
    source.signature()
    fn, name = source.fn, row_of(face, Method).name

    def made(*values):
        return stored(name, values[0], fn(*values))

    made.__name__, made.__signature__ = name, inspect.Signature(source.params)
    made.__doc__ = f"In-place form of `{record_name}`: the Tensor then holds the result, and is returned."
    op(
        made,
        name=f"inplace_{name}",
        ops=dict(more).get("ops", False),
        mint=dict(more).get("mint"),
        tensor=face,
        writes=(0,),
    )


# operator, Tensor method, other faces
_TABLE = (
    ("add", Method("add_", args("other").only(alpha=1)), ()),
    ("sub", Method("sub_", args("other").only(alpha=1)), ()),
    ("mul", Method("mul_", args("other")), ()),
    ("div", Method("div_", args("other").only(rounding_mode=None)), ()),
    ("floor_divide", "floor_divide_", ()),
    ("remainder", "remainder_", ()),
    ("exp", "exp_", ()),
    ("log", "log_", ()),
    ("floor", "floor_", ()),
    ("sign", "sign_", ()),
    ("erfinv", "erfinv_", {"ops": "erfinv_"}),
    ("sigmoid", "sigmoid_", {"ops": "inplace_sigmoid"}),
    ("tanh", "tanh_", {"ops": "tanh_", "mint": "nn.functional.tanh_"}),
    ("clamp", "clamp_", {"ops": "clamp_"}),
    ("masked_fill", "masked_fill_", ()),
    ("index_fill", Method("index_fill_", args("dim", "index", "value"), to={"dim": "axis"}), ()),
    ("index_add_scaled", Method("index_add_", args("dim", "index", "source").only(alpha=1)), ()),
    ("scatter_add_elements", "scatter_add_", ()),
    ("addmm", Method("addmm_", args("mat1", "mat2").only(beta=1, alpha=1)), ()),
    ("fill_like", "fill_", ()),
    ("fill_diagonal", "fill_diagonal_", ()),
    ("power", "pow_", ()),
    ("sqrt", "sqrt_", ()),
    ("abs", "abs_", ()),
    ("neg", "neg_", ()),
    ("reciprocal", "reciprocal_", ()),
    ("round", "round_", ()),
    ("ceil", "ceil_", ()),
    ("square", "square_", ()),
)
for _name, _face, _more in _TABLE:
    inplace(_name, _face, _more)


@op(ops=True, tensor="zero_", writes=(0,))
def zero_(input: Array):
    """Fill a Tensor with zeros, and return it.

    Example:
        >>> print(ops.zeros((2,)).zero_())
        [0. 0.]
    """
    return jnp.zeros_like(input)


@op(ops=False, tensor="copy_", writes=(0,))
def copy_(self: Array, src: Array, non_blocking: bool = False):
    """Copy the elements of another Tensor (broadcast) into this one, and return it."""
    return jnp.broadcast_to(cast(src, self.dtype), self.shape)


@op(ops=False, tensor="index_copy_", writes=(0,))
def index_copy_(self: Array, dim: Static[Axis], index: Integers, tensor: Array):
    """Copy the slices of another Tensor to the slices `index` along an axis, and return this Tensor."""
    return self.at[(slice(None),) * (dim % self.ndim) + (index,)].set(cast(tensor, self.dtype))


@op(ops=True, tensor="put_", writes=(0,))
def put_(input: Array, index: Integers, source: Array, accumulate: bool = False) -> Array:
    """Put the elements of `source` at places counted in C order (or add them), and return the Tensor.

    Example:
        >>> print(ops.zeros((2, 2)).put_(Tensor([3]), Tensor([1.0])))
        [[0. 0.]
         [0. 1.]]
    """
    flat = input.reshape(-1).at[index.reshape(-1)]
    values = cast(source.reshape(-1), input.dtype)
    return (flat.add(values) if accumulate else flat.set(values)).reshape(input.shape)


@op(name="index_put_inplace", ops=False, writes=(0,))
def index_put_inplace(x: Array, values: Operand, indices: Integers, accumulate: Any):
    """Put values at positions given by one integer or bool Tensor for each leading axis."""
    at = x.at[tuple(indices)]
    return (at.add if accumulate else at.set)(written(values, x.dtype))


@composite(ops=False, tensor="index_put_", name="index_put_")
def index_put_(self: Array, indices: Any, values: Array, accumulate: bool = False) -> Array:
    """Put values at positions given by one Tensor for each leading axis (or add them), and return the Tensor."""
    if not accumulate:
        self[tuple(indices)] = values
        return self
    return records["index_put_inplace"](self, values, tuple(indices), True)


@op(name="scatter_inplace", ops=False, writes=(0,))
def scatter_inplace(self: Array, dim: Static[Axis], index: Integers, src: Operand, reduce: Any = None):
    """Put elements along an axis."""
    names = {None: "scatter", "add": "scatter_add_elements", "multiply": "scatter_mul_elements"}
    if reduce not in names:
        raise ValueError(f"For 'scatter_', the 'reduce' must be None, 'add' or 'multiply', but got {reduce!r}.")
    return records[names[reduce]].fn(self, dim, index, src)


@composite(
    ops=False, tensor=Method("scatter_", args("dim", "index", src=None).only(value=None, reduce=None)), name="scatter_"
)
def scatter_(
    self: Array, dim: Axis, index: Array, src: Any = None, value: Number | None = None, reduce: str | None = None
) -> Array:
    """Put the elements of `src` (or one value) at `index` along an axis, and return the Tensor."""
    return records["scatter_inplace"](self, dim, index, src if value is None else value, reduce)


def _masked_scatter(input, mask, source):
    mask = jnp.broadcast_to(mask, input.shape).reshape(-1)
    place = jnp.clip(jnp.cumsum(mask) - 1, 0, source.size - 1)
    return jnp.where(mask, source.reshape(-1)[place].astype(input.dtype), input.reshape(-1)).reshape(input.shape)


@op(
    prim=Prim("MaskedScatter", call=args("x", "mask", "updates"), to={"x": "input", "updates": "source"}),
    ops=False,
    tensor="masked_scatter",
)
def masked_scatter(input: Array, mask: Array, source: Array) -> Array:
    """A Tensor with the elements where the mask is True replaced by those of `source`, in order."""
    input = jnp.broadcast_to(input, jnp.broadcast_shapes(input.shape, mask.shape))
    return _masked_scatter(input, mask, source)


inplace("masked_scatter", "masked_scatter_")


@composite(ops=False, tensor="set_", name="set_")
def set_(
    self: Array,
    source: MaybeArray = None,
    storage_offset: int = 0,
    size: Ints | None = None,
    stride: Ints | None = None,
):
    """Store the content of another Tensor in this one, whatever its shape; without one, nothing (shape (0,)).

    Args:
        source: Tensor.
        size, stride: take elements of it, in this shape and with these steps (by default those of C order).
        storage_offset: the first element that is taken.

    Raises:
        TypeError: `source` is not a Tensor. ValueError: an offset or stride without a size.
    """
    if source is None:
        source = Tensor(np.zeros((0,), mstype.to_numpy(self.dtype)))
    if not isinstance(source, Tensor):
        raise TypeError(f"For 'Tensor.set_', the 'source' must be a Tensor, but got {type(source).__name__}.")
    if size is not None:
        if stride is None:
            stride = [_math.prod(size[i + 1 :]) for i in range(len(size))]
        places = storage_offset + sum(np.indices(size)[i] * step for i, step in enumerate(stride))
        if places.size and (places.min() < 0 or places.max() >= source.size):
            raise ValueError(
                f"For 'Tensor.set_', the size {tuple(size)} with stride {tuple(stride)} from {storage_offset} on goes beyond the "
                f"{source.size} elements of 'source'."
            )
        source = source.reshape(-1)[Tensor(places)]
    elif storage_offset or stride is not None:
        raise ValueError("For 'Tensor.set_', 'storage_offset' and 'stride' need a 'size'.")
    self._assign(source.jax_array, source._var)
    return self


@composite(ops=False, tensor="requires_grad_", name="requires_grad_")
def requires_grad_(self: Array, requires_grad: bool = True):
    """Say whether gradients are wanted for this Tensor, and return it."""
    self.requires_grad = requires_grad
    return self
