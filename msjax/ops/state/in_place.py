"""In-place forms: `x.add_(y)` computes what `x.add(y)` computes and makes x hold it.

One table says which operator each comes from; the shape and dtype of x stay.
"""

import math as _math

import jax.numpy as jnp
import numpy as np

from ...core.operators.record import composite, op, records
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ..activation import functions as activation
from ..elementwise import arithmetic, math
from ..index import gathering, scattering
from ..linalg import diagonals, matmul
from ..shape import creation

# the families that register what the table below names
_FAMILIES = (activation, arithmetic, creation, diagonals, gathering, math, matmul, scattering)


def stored(name, x, value):
    """A result in the dtype of the Tensor that receives it; its shape must be the same."""
    if value.shape != x.shape:
        raise ValueError(
            f"For '{name}', the result must have the shape of the Tensor, {x.shape}, but got {value.shape}."
        )
    if jnp.issubdtype(value.dtype, jnp.inexact) and not jnp.issubdtype(x.dtype, jnp.inexact):
        raise TypeError(
            f"For '{name}', a result of dtype {value.dtype} can not be stored in a Tensor of dtype {x.dtype}."
        )
    return value.astype(x.dtype)


def inplace(record_name, face, more=()):
    """Register the in-place form of an operator: `face` is the Tensor method's spec, `more` are further faces of
    `op`."""
    source = records[record_name]
    source.signature()
    name = face.split("(", 1)[0]
    names = [p.name for p in source.params]
    given = ", ".join(f"{p.name}={'_default_' + p.name}" if p.default is not p.empty else p.name for p in source.params)
    namespace = {f"_default_{p.name}": p.default for p in source.params if p.default is not p.empty}
    namespace.update(_fn=source.fn, _stored=stored)
    body = f"def {name}({given}):\n    return _stored({name!r}, {names[0]}, _fn({', '.join(names)}))\n"
    exec(compile(body, f"<inplace {name}>", "exec"), namespace)
    made = namespace[name]
    made.__doc__ = f"In-place form of `{record_name}`: the Tensor then holds the result, and is returned."
    operands = tuple(n for n, is_operand in zip(names, source.operand) if is_operand)
    static = tuple(names[i] for i in source.static)
    op(
        made,
        name=f"inplace_{name}",
        ops=dict(more).get("ops", False),
        mint=dict(more).get("mint"),
        tensor=face,
        writes=(0,),
        operands=operands,
        static=static,
    )


# operator, Tensor method, other faces
_TABLE = (
    ("add", "add_(other, *, alpha=1)", ()),
    ("sub", "sub_(other, *, alpha=1)", ()),
    ("mul", "mul_(other)", ()),
    ("div", "div_(other, *, rounding_mode=None)", ()),
    ("floor_divide", "floor_divide_(other)", ()),
    ("remainder", "remainder_(other)", ()),
    ("exp", "exp_()", ()),
    ("log", "log_()", ()),
    ("floor", "floor_()", ()),
    ("sign", "sign_()", ()),
    ("erfinv", "erfinv_()", {"ops": "erfinv_(input)"}),
    ("sigmoid", "sigmoid_()", {"ops": "inplace_sigmoid(input)"}),
    ("tanh", "tanh_()", {"ops": "tanh_(input)", "mint": "nn.functional.tanh_(input)"}),
    ("clamp", "clamp_(min=None, max=None)", {"ops": "clamp_(input, min=None, max=None)"}),
    ("masked_fill", "masked_fill_(mask, value)", ()),
    ("index_fill", "index_fill_(dim, index, value)", ()),
    ("index_add_scaled", "index_add_(dim, index, source, *, alpha=1)", ()),
    ("scatter_add_elements", "scatter_add_(dim, index, src)", ()),
    ("addmm", "addmm_(mat1, mat2, *, beta=1, alpha=1)", ()),
    ("fill_like", "fill_(value)", ()),
    ("fill_diagonal", "fill_diagonal_(fill_value, wrap=False)", ()),
    ("power", "pow_(exponent)", ()),
    ("sqrt", "sqrt_()", ()),
    ("abs", "abs_()", ()),
    ("neg", "neg_()", ()),
    ("reciprocal", "reciprocal_()", ()),
    ("round", "round_(decimals=0)", ()),
    ("ceil", "ceil_()", ()),
    ("square", "square_()", ()),
)
for _name, _face, _more in _TABLE:
    inplace(_name, _face, _more)


@op(ops="zero_(input)", tensor="zero_()", writes=(0,))
def zero_(input):
    """Fill a Tensor with zeros, and return it.

    Example:
        >>> ops.zeros((2,)).zero_()
    """
    return jnp.zeros_like(input)


@op(ops=False, tensor="copy_(src, non_blocking=False)", writes=(0,), operands=("self", "src"))
def copy_(self, src, non_blocking=False):
    """Copy the elements of another Tensor (broadcast) into this one, and return it."""
    return jnp.broadcast_to(src.astype(self.dtype), self.shape)


@op(ops=False, tensor="index_copy_(dim, index, tensor)", writes=(0,), static=("dim",))
def index_copy_(self, dim, index, tensor):
    """Copy the slices of another Tensor to the slices `index` along an axis, and return this Tensor."""
    return self.at[(slice(None),) * (dim % self.ndim) + (index,)].set(tensor.astype(self.dtype))


@op(
    ops="put_(input, index, source, accumulate=False)",
    tensor="put_(index, source, accumulate=False)",
    writes=(0,),
    operands=("input", "index", "source"),
)
def put_(input, index, source, accumulate=False):
    """Put the elements of `source` at places counted in C order (or add them), and return the Tensor.

    Example:
        >>> ops.zeros((2, 2)).put_(Tensor([3]), Tensor([1.0]))
    """
    flat = input.reshape(-1).at[index.reshape(-1)]
    values = source.reshape(-1).astype(input.dtype)
    return (flat.add(values) if accumulate else flat.set(values)).reshape(input.shape)


@op(name="index_put_inplace", ops=False, writes=(0,), operands=("x", "values", "indices"))
def index_put_inplace(x, values, indices, accumulate):
    """Put values at positions given by one integer or bool Tensor for each leading axis."""
    at = x.at[tuple(indices)]
    return (at.add if accumulate else at.set)(jnp.asarray(values).astype(x.dtype))


@composite(ops=False, tensor="index_put_(indices, values, accumulate=False)", name="index_put_")
def index_put_(self, indices, values, accumulate=False):
    """Put values at positions given by one Tensor for each leading axis (or add them), and return the Tensor."""
    if not accumulate:
        self[tuple(indices)] = values
        return self
    return records["index_put_inplace"](self, values, tuple(indices), True)


@op(name="scatter_inplace", ops=False, writes=(0,), operands=("self", "index", "src"), static=("dim",))
def scatter_inplace(self, dim, index, src, reduce=None):
    """Put elements along an axis."""
    names = {None: "scatter", "add": "scatter_add_elements", "multiply": "scatter_mul_elements"}
    if reduce not in names:
        raise ValueError(f"For 'scatter_', the 'reduce' must be None, 'add' or 'multiply', but got {reduce!r}.")
    return records[names[reduce]].fn(self, dim, index, src)


@composite(ops=False, tensor="scatter_(dim, index, src=None, *, value=None, reduce=None)", name="scatter_")
def scatter_(self, dim, index, src=None, value=None, reduce=None):
    """Put the elements of `src` (or one value) at `index` along an axis, and return the Tensor."""
    return records["scatter_inplace"](self, dim, index, src if value is None else value, reduce)


def _masked_scatter(input, mask, source):
    mask = jnp.broadcast_to(mask, input.shape).reshape(-1)
    place = jnp.clip(jnp.cumsum(mask) - 1, 0, source.size - 1)
    return jnp.where(mask, source.reshape(-1)[place].astype(input.dtype), input.reshape(-1)).reshape(input.shape)


@op(prim="MaskedScatter()(x, mask, updates)", ops=False, tensor="masked_scatter(mask, source)")
def masked_scatter(input, mask, source):
    """A Tensor with the elements where the mask is True replaced by those of `source`, in order."""
    return _masked_scatter(input, mask, source)


inplace("masked_scatter", "masked_scatter_(mask, source)")


@composite(ops=False, tensor="set_(source=None, storage_offset=0, size=None, stride=None)", name="set_")
def set_(self, source=None, storage_offset=0, size=None, stride=None):
    """Make this Tensor hold the content of another, whatever its shape; without one, nothing (shape (0,)).

    Args:
        source: Tensor. size, stride: take elements of it, in this shape and with these steps (by default those of C order).
        storage_offset: the first element that is taken.

    Raises:
        TypeError: `source` is no Tensor. ValueError: an offset or stride without a size.
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


@composite(ops=False, tensor="requires_grad_(requires_grad=True)", name="requires_grad_")
def requires_grad_(self, requires_grad=True):
    """Say whether gradients are wanted for this Tensor, and return it."""
    self.requires_grad = requires_grad
    return self
