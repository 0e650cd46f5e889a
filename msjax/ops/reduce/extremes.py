"""Largest and smallest elements along axes, and where they stand."""

from typing import Annotated, Any

import jax.numpy as jnp

from ...core.operators import views
from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, Unsaid, args
from ...core.spec import Array, Axis, Dtype, MaybeArray, Operand, Real, Shown, Static
from ...core.values import dtype as mstype
from ...core.values.promote import cast
from ...core.values.tensor import Tensor
from ..index.gathering import with_place
from ..shapes import ANY, number_of_axes
from .reduction import axes_of, check_number


def _extreme(name, reduce, input, axis, keepdims, initial, where):
    axes = axes_of(name, axis, input.ndim)
    if where is True:
        where = None
    if where is not None and initial is None:
        raise ValueError(f"For '{name}', when 'where' is given, 'initial' must be given too, but got None.")
    if initial is not None:
        initial = cast(initial, input.dtype)
        if initial.size != 1:
            raise ValueError(f"For '{name}', 'initial' must have one element, but got shape {initial.shape}.")
        initial = initial.reshape(())
    return reduce(input, axis=axes, keepdims=keepdims, initial=initial, where=where)


@op(
    prim=Prim(
        "ReduceMax", init=args(keep_dims=False), call=args("x", axis=()), to={"keep_dims": "keepdims", "x": "input"}
    ),
    ops=(
        Face("amax", args("input", axis=None, keepdims=False).only(initial=None, where=None)),
        Face("reduce_max", args("x", axis=(), keep_dims=False), to={"x": "input", "keep_dims": "keepdims"}),
    ),
    tensor=Method("amax", args(axis=None, keepdims=False).only(initial=None, where=None)),
    mint=Face("amax", args("input", dim=(), keepdim=False), to={"dim": "axis", "keepdim": "keepdims"}),
)
def amax(
    input: Operand,
    axis: Static[Axis] = None,
    keepdims: bool = False,
    initial: Operand | None = None,
    where: Array | None = None,
):
    """The largest element over axes (all by default); equal ones share the gradient.

    Example:
        >>> print(ops.amax(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [2. 4.]
    """
    return _extreme("amax", jnp.max, input, axis, keepdims, initial, where)


@op(
    prim=Prim(
        "ReduceMin", init=args(keep_dims=False), call=args("x", axis=()), to={"keep_dims": "keepdims", "x": "input"}
    ),
    ops=(
        Face("amin", args("input", axis=None, keepdims=False).only(initial=None, where=None)),
        Face("reduce_min", args("x", axis=(), keep_dims=False), to={"x": "input", "keep_dims": "keepdims"}),
    ),
    tensor=Method("amin", args(axis=None, keepdims=False).only(initial=None, where=None)),
    mint=Face("amin", args("input", dim=(), keepdim=False), to={"dim": "axis", "keepdim": "keepdims"}),
)
def amin(
    input: Operand,
    axis: Static[Axis] = None,
    keepdims: bool = False,
    initial: Operand | None = None,
    where: Array | None = None,
) -> Array:
    """The smallest element over axes (all by default); equal ones share the gradient.

    Example:
        >>> print(ops.amin(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [1. 3.]
    """
    return _extreme("amin", jnp.min, input, axis, keepdims, initial, where)


def _with_index(choose, input, axis, keepdims):
    """(the chosen element along an axis, its index): the gradient goes to the first of equal elements."""
    axis = axes_of("max", axis, input.ndim)
    if input.ndim == 0:
        return input, jnp.zeros((), jnp.int64)
    if isinstance(axis, tuple):
        raise TypeError(f"For 'max' and 'min' with indices, the 'axis' must be an int, but got {axis}.")
    return with_place(input, jnp.expand_dims(choose(input, axis=axis), axis), axis, keepdims)


@op(name="max_with_index", ops=False)
def max_with_index(input: Array, axis: Static[int] = 0, keepdims: bool = False):
    """The largest element along an axis, and its index."""
    return _with_index(jnp.argmax, input, axis, keepdims)


@op(name="min_with_index", ops=False)
def min_with_index(input: Array, axis: Static[int] = 0, keepdims: bool = False):
    """The smallest element along an axis, and its index."""
    return _with_index(jnp.argmin, input, axis, keepdims)


@op(prim=Prim("ArgMaxWithValue", inputs=("x",)), ops=False)
def arg_max_with_value(x: Array, axis: int | None = 0, keep_dims: bool = False) -> tuple[Array, Array]:
    """The index of the largest element along an axis, and the element; without an axis the largest of all, and 0."""
    if axis is None:
        return jnp.max(x), jnp.zeros((), jnp.int64)
    return max_with_index(x, axis, keep_dims)[::-1]


@composite(ops=False, tensor="argmax_with_value", name="argmax_with_value_method")
def argmax_with_value_method(self: Array, axis: int | None = 0, keep_dims: bool = False) -> tuple[Array, Array]:
    """The largest element along an axis, and its index (the Primitive gives the index first); without an axis the largest of all, and 0."""
    if axis is None:
        return records["arg_max_with_value"](self, None, keep_dims)
    return records["max_with_index"](self, axis, keep_dims)


@op(prim=Prim("ArgMinWithValue", inputs=("x",)), ops=False)
def arg_min_with_value(x: Array, axis: int | None = 0, keep_dims: bool = False) -> tuple[Array, Array]:
    """The index of the smallest element along an axis, and the element; without an axis the smallest of all, and 0."""
    if axis is None:
        return jnp.min(x), jnp.zeros((), jnp.int64)
    return min_with_index(x, axis, keep_dims)[::-1]


@composite(ops=False, tensor="argmin_with_value", name="argmin_with_value_method")
def argmin_with_value_method(self: Array, axis: int | None = 0, keep_dims: bool = False) -> tuple[Array, Array]:
    """The smallest element along an axis, and its index (the Primitive gives the index first); without an axis the smallest of all, and 0."""
    if axis is None:
        return records["arg_min_with_value"](self, None, keep_dims)
    return records["min_with_index"](self, axis, keep_dims)


def _chosen(which, input, axis, keepdims, initial, where):
    """(element, index) along an axis, among what `where` chooses, if it is given; no element is beyond `initial`, if it is given."""
    if initial is not None:
        initial = records["cast"](initial, input.dtype)
        input = records[f"{which}imum"](input, initial)
    if where is not None:
        input = records["where"](where, input, initial)
    return records[f"{which}_with_index"](input, axis, keepdims)


def _add_function(which, word):
    plain = records[f"a{which}"]

    def of_function(
        input: Array, axis: Axis = None, keepdims: bool = False, initial: Real | None = None, where: MaybeArray = None
    ) -> tuple[Array, Array]:
        if axis is None:  # as in MindSpore, all other arguments are without meaning then
            return plain(input, None, False, None, None), Tensor(0, mstype.int64)
        check_number(which, initial, tensors=False)
        return _chosen(which, input, axis, keepdims, initial, where)

    of_function.__doc__ = f"The {word} element along an axis and its index; without an axis the {word} of all and 0."
    composite(
        of_function,
        name=f"{which}_function",
        ops=Face(which, args("input", axis=None, keepdims=False).only(initial=None, where=None)),
    )


def _add_method(which, word):
    both, plain = records[f"{which}_with_index"], records[f"a{which}"]

    def of_method(
        self: Array,
        dims: Any,
        axis: Axis = None,
        keepdims: bool = False,
        initial: Real | None = None,
        where: Annotated[bool, Shown("bool | Tensor")] = True,
        return_indices: bool = False,
        dim: Axis = None,
        keepdim: bool = False,
    ):
        along, (axis, keepdims, initial, where, return_indices) = Unsaid.read(
            axis, keepdims, initial, where, return_indices
        )  # one of these chooses the overload that gives no index unless it is asked for
        if where is None:
            raise TypeError(f"For 'Tensor.{which}', 'where' must be a bool or a Tensor, but got None.")
        where = None if where is True else where
        if dims:
            if len(dims) > 2 or len(dims) == 2 and not isinstance(dims[1], bool):
                raise TypeError(f"Tensor.{which} takes (dim, keepdim=False) by position, but got {dims}.")
            along = along or views.copies()  # compiled code takes positions for MindSpore 1.x's (axis, keepdims)
            dim, keepdim = dims if len(dims) == 2 else (dims[0], keepdim)
        if dim is not None and not along and not isinstance(dim, (tuple, list)):
            return both(self, dim, keepdim)
        axis = dim if axis is None else axis
        check_number(which, initial, tensors=axis is None)
        keep = keepdim or keepdims
        if axis is None:  # as in MindSpore, all other arguments are without meaning then
            return plain(self, None, False, None, None)
        if isinstance(axis, (tuple, list)) and not return_indices:
            return plain(self, axis, keep, initial, where)
        found = _chosen(which, self, axis, keep, initial, where)
        return found if return_indices else found[0]

    of_method.__doc__ = (
        f"The {word} element of all, with `dim` along an axis together with its index, with `axis` along axes alone."
    )
    composite(
        of_method,
        name=f"{which}_method",
        ops=False,
        tensor=Method(
            which,
            args(
                "*dims",
                axis=Unsaid(None),
                keepdims=Unsaid(False),
                initial=Unsaid(None),
                where=Unsaid(True),
                return_indices=Unsaid(False),
                dim=None,
                keepdim=False,
            ),
        ),
    )


def _add_mint(which, word):
    both, plain = records[f"{which}_with_index"], records[f"a{which}"]

    def of_mint(input: Array, dim: Axis = None, keepdim: bool = False, other: Any = None):
        if isinstance(dim, Tensor) or (isinstance(dim, (bool, float)) and not keepdim) or other is not None:
            return records[f"{which}imum"](input, dim if other is None else other)
        return plain(input, None, False, None, None) if dim is None else both(input, dim, keepdim)

    of_mint.__doc__ = f"The {word} element of all, along `dim` with its index, or of two Tensors."
    composite(
        of_mint,
        name=f"{which}_mint",
        ops=False,
        mint=Face(which, args("input", dim=None, keepdim=False).only(other=None)),
    )


for _which, _word in (("max", "largest"), ("min", "smallest")):
    for _add in (_add_function, _add_method, _add_mint):
        _add(_which, _word)


@op(
    ops=Face("aminmax", args("input").only(axis=0, keepdims=False)),
    tensor=Method("aminmax", args().only(axis=0, keepdims=False)),
)
def aminmax(input: Array, axis: int | None = 0, keepdims: bool = False):
    """The smallest and the largest element along an axis, or of all with None; the gradients go to the first of equal elements.

    Example:
        >>> print(*ops.aminmax(Tensor([[1.0, 2.0], [3.0, 4.0]]), axis=1))
        [1. 3.] [2. 4.]
    """
    if axis is None:
        both = aminmax(input.reshape(-1))
        return tuple(v.reshape((1,) * input.ndim) for v in both) if keepdims else both
    return min_with_index(input, axis, keepdims)[0], max_with_index(input, axis, keepdims)[0]


def _position(choose, input, axis, keepdims, dtype):
    keepdims = bool(keepdims) and axis is not None  # of all elements the position has no axes, as in MindSpore
    axis = axes_of("argmax", axis, input.ndim) if input.ndim else None
    return choose(input, axis=axis, keepdims=keepdims).astype(mstype.to_numpy(dtype))


@op(
    prim=Prim(
        "Argmax",
        init=args(axis=-1, output_type=mstype.int32),
        call=args("x"),
        to={"axis": "dim", "x": "input"},
        fixed={"primitive": True},
    ),
    ops=Face("argmax", args("input", dim=None, keepdim=False)),
    tensor=Method("argmax", args(axis=None, keepdims=False), to={"axis": "dim", "keepdims": "keepdim"}),
    mint=Face("argmax", args("input", dim=None, keepdim=False)),
)
def argmax(
    input: Array,
    dim: Static[Axis] = None,
    keepdim: bool = False,
    output_type: Dtype = mstype.int64,
    primitive: bool = False,
) -> Array:
    """Index of the first largest element along an axis (of all elements, counted in C order, without one).

    Example:
        >>> print(ops.argmax(Tensor([[1.0, 2.0], [4.0, 3.0]]), dim=1))
        [1 0]
    """
    if primitive:
        number_of_axes("Argmax", range(1, ANY), x=input.shape)
    return _position(jnp.argmax, input, dim, keepdim, output_type)


@op(
    prim=Prim(
        "Argmin",
        init=args(axis=-1, output_type=mstype.int32),
        call=args("x"),
        to={"x": "input"},
        fixed={"primitive": True},
    ),
    ops=Face("argmin", args("input", axis=None, keepdims=False)),
    tensor=Method("argmin", args(axis=None, keepdims=False)),
)
def argmin(
    input: Array,
    axis: Static[Axis] = None,
    keepdims: bool = False,
    output_type: Dtype = mstype.int32,
    primitive: bool = False,
) -> Array:
    """Index of the first smallest element along an axis (of all elements, counted in C order, without one), as int32.

    Example:
        >>> print(ops.argmin(Tensor([[1.0, 2.0], [4.0, 3.0]]), axis=1))
        [0 1]
    """
    if primitive:
        number_of_axes("Argmin", range(1, ANY), x=input.shape)
    if input.ndim == 0:
        output_type = mstype.int64
    return _position(jnp.argmin, input, axis, keepdims, output_type)


@op(name="argmin_int64", ops=False, mint="argmin")
def argmin_int64(input: Array, dim: Axis = None, keepdim: bool = False) -> Array:
    """Index of the first smallest element along an axis (of all elements, without one), as int64."""
    return _position(jnp.argmin, input, dim, keepdim, mstype.int64)
