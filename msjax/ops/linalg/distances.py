"""Norms of vectors and matrices, distances, covariance, renormalization."""

import math
import numbers
from typing import Annotated, Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.record import op
from ...core.operators.rows import Face, Method, Prim, args
from ...core.spec import Array, Axis, Dtype, Ints, Number, Real
from ...core.spec.rules import Holding, Rank
from ...core.values import dtype as mstype
from ...core.values.promote import cast, promote_product
from ..dtypes import floats_only, rounded_once
from ..elementwise.math import absolute, to_float
from ..reduce.reduction import axes_of
from ..reduce.reduction import sum as total
from ..shape.shaping import axis_of
from ..shapes import ANY, number_of_axes, same_shape
from .singular import singular_values

_LEAST = 1e-12  # LpNorm gives no smaller norm


def _root(total, p):
    """The p-th root of a sum of powers; its gradient at 0 is 0."""
    safe = jnp.where(total == 0, 1, total)
    return jnp.where(total == 0, 0, jnp.sqrt(safe) if p == 2 else jnp.power(safe, 1 / p)).astype(total.dtype)


def vector_norm_of(x, order, axes=None, keepdims=False, still=False):
    """Norm over axes; `still`: its gradient at a vector of zeros is 0, not NaN, and powers of float16 do not overflow."""
    if still and x.dtype == jnp.float16:
        return vector_norm_of(x.astype(jnp.float32), order, axes, keepdims, still).astype(x.dtype)
    size = jnp.abs(x) if jnp.issubdtype(x.dtype, jnp.complexfloating) else absolute(x)
    if order == 2:
        squares = lax.square(size) if not jnp.issubdtype(x.dtype, jnp.complexfloating) else lax.real(x * jnp.conj(x))
        total = jnp.sum(squares, axis=axes, keepdims=keepdims)
        return _root(total, 2) if still else jnp.sqrt(total)
    if order == math.inf:
        return jnp.max(size, axis=axes, keepdims=keepdims)
    if order == -math.inf:
        return jnp.min(size, axis=axes, keepdims=keepdims)
    if order == 0:
        return jnp.sum(x != 0, axis=axes, keepdims=keepdims).astype(size.dtype)
    if order == 1:
        return jnp.sum(size, axis=axes, keepdims=keepdims)
    total = jnp.sum(jnp.power(size, order), axis=axes, keepdims=keepdims)
    return _root(total, order) if still and order > 0 else jnp.power(total, 1 / order)


def _matrix(name, x, order, axes, keepdims):
    row, column = (axis_of(name, a, x.ndim) for a in axes)
    if row == column:
        raise ValueError(f"For '{name}', the two axes must be different, but got {axes}.")
    if order in (None, "fro"):
        return vector_norm_of(x, 2, (row, column), keepdims)
    if order in ("nuc", 2, -2):
        if x.dtype.itemsize == 2:
            x = x.astype(jnp.float32)  # of half precision the norm is float32, too
        reduce = {"nuc": jnp.sum, 2: jnp.max, -2: jnp.min}[order]
        out = reduce(singular_values(jnp.moveaxis(x, (row, column), (-2, -1))), axis=-1)
        return jnp.expand_dims(out, tuple(sorted((row, column)))) if keepdims else out
    if order in (1, -1, math.inf, -math.inf):
        first, second = (row, column) if abs(order) == 1 else (column, row)
        sums = jnp.sum(absolute(x), axis=first, keepdims=True)
        out = (jnp.max if order > 0 else jnp.min)(sums, axis=second, keepdims=True)
        return out if keepdims else jnp.squeeze(out, (row, column))
    raise ValueError(
        f"For '{name}', the 'ord' must be one of 'fro', 'nuc', inf, -inf, 1, -1, 2, -2 for a matrix, but got {order!r}."
    )


def _at_least(norm, least, p):
    """A norm of order p, or `least` where it is less; the gradient is that of the formula with `least` for the norm, as MindSpore's."""
    short = jnp.where(norm < least, norm, 0)
    part = short * lax.stop_gradient(jnp.power(short / least, p - 1))
    return jnp.where(norm < least, least + part - lax.stop_gradient(part), norm).astype(norm.dtype)


def _as(x, dtype):
    """x in a dtype; in floats for None."""
    return to_float(x) if dtype is None else cast(x, mstype.to_numpy(dtype))


def _whole(x, dtype):
    return dtype is None and x.dtype.kind in "iub"


def _of_matrix(name, x, order, axes, keepdims, dtype):
    """The norm of a matrix in a dtype. Of whole numbers order 1 gives int64, and infinity their dtype."""
    if _whole(x, dtype) and order in (1, -1):
        return _matrix(name, x.astype(jnp.int64), order, axes, keepdims)
    if _whole(x, dtype) and order in (math.inf, -math.inf) and x.dtype != bool:
        return _matrix(name, x, order, axes, keepdims).astype(x.dtype)
    return _matrix(name, _as(x, dtype), order, axes, keepdims)


def _of_vector(x, order, axes, keepdims, dtype, still=False):
    """The norm of a vector in a dtype. Of whole numbers order 0 gives int64, and infinity their dtype."""
    if _whole(x, dtype) and order == 0:
        return jnp.sum(x != 0, axis=axes, keepdims=keepdims, dtype=jnp.int64)
    if _whole(x, dtype) and order in (math.inf, -math.inf) and x.dtype != bool:
        return vector_norm_of(x, order, axes, keepdims)
    return vector_norm_of(_as(x, dtype), order, axes, keepdims, still)


def _norm(name, x, order, axes, keepdims, dtype):
    if (
        axes is None
        and order is not None
        and x.ndim == 2
        or isinstance(axes, (tuple, list))
        and len(axes) == 2
        and order is not None
    ):
        return _of_matrix(name, x, order, axes or (0, 1), keepdims, dtype)
    if order in ("fro", "nuc"):
        raise TypeError(
            f"For '{name}', the 'ord' {order!r} is for two axes, but got axes {axes} of a Tensor of shape {x.shape}."
        )
    immediate = order is None or axes is None and order == 2 and x.ndim == 1
    axes = axes_of(name, axes, x.ndim)
    if _whole(x, dtype) and isinstance(order, int) and order > 0 and not immediate:
        raise TypeError(f"For '{name}' of order {order}, the type of the Tensor must be a float, but got {x.dtype}.")
    whole = isinstance(order, int)
    out = _of_vector(x, 2 if order is None else order, axes, keepdims, dtype, still=whole)
    return _at_least(out, _LEAST, order) if whole and order > 0 and not immediate else out  # an int asks for LpNorm


@op(
    ops=Face("norm", args("A", ord=None, dim=None, keepdim=False).only(dtype=None)),
    tensor=Method("norm", args(ord=None, dim=None, keepdim=False).only(dtype=None)),
    mint=Face("linalg.norm", args("A", ord=None, dim=None, keepdim=False).only(dtype=None)),
)
def norm(
    A: Array, ord: Real | str | None = None, dim: Axis = None, keepdim: bool = False, dtype: Dtype | None = None
) -> Array:
    """Norm of a vector or matrix.

    Args:
        A: Tensor.
        ord: None, a number, inf, -inf, "fro" or "nuc".
        dim: axis or pair of axes; None takes all.
        keepdim: keep the axes with length 1.
        dtype: dtype of the computation.

    Example:
        >>> print(ops.norm(Tensor([3.0, 4.0])))
        5.0
    """
    return _norm("norm", A, ord, dim, keepdim, dtype)


@op(name="mint_norm", ops=False, mint=Face("norm", args("input", p="fro", dim=None, keepdim=False).only(dtype=None)))
def mint_norm(
    input: Array, p: Real | str = "fro", dim: Axis = None, keepdim: bool = False, dtype: Dtype | None = None
) -> Array:
    """Norm of order p over axes (all by default)."""
    x = _as(input, dtype)
    if p == "nuc":
        return _matrix("norm", x, p, dim or (0, 1), keepdim)
    return vector_norm_of(x, 2 if p in ("fro", None) else p, axes_of("norm", dim, x.ndim), keepdim, still=True)


@op(
    ops=Face("vector_norm", args("x", ord=2, axis=None, keepdims=False).only(dtype=None)),
    mint=Face(
        "linalg.vector_norm",
        args("x", ord=2, dim=None, keepdim=False).only(dtype=None),
        to={"dim": "axis", "keepdim": "keepdims"},
    ),
)
def vector_norm(
    x: Array, ord: Real = 2, axis: Axis = None, keepdims: bool = False, dtype: Dtype | None = None
) -> Array:
    """Norm over axes, all elements counted as one vector.

    Example:
        >>> print(ops.vector_norm(Tensor([3.0, 4.0])))
        5.0
    """
    return _of_vector(x, ord, axes_of("vector_norm", axis, x.ndim), keepdims, dtype)


@op(
    ops=Face("matrix_norm", args("A", ord="fro", axis=(-2, -1), keepdims=False).only(dtype=None)),
    mint=Face(
        "linalg.matrix_norm",
        args("A", ord="fro", dim=(-2, -1), keepdim=False).only(dtype=None),
        to={"dim": "axis", "keepdim": "keepdims"},
    ),
)
def matrix_norm(
    A: Array, ord: Real | str = "fro", axis: Ints = (-2, -1), keepdims: bool = False, dtype: Dtype | None = None
) -> Array:
    """Norm of matrices in two axes.

    Example:
        >>> print(ops.matrix_norm(Tensor([[3.0, 4.0]])))
        5.0
    """
    return _of_matrix("matrix_norm", A, ord, axis, keepdims, dtype)


@op(prim=Prim("NuclearNorm", inputs=("x",)), ops=False)
def nuclear_norm(x: Array, dim: Axis = None, keepdim: bool = False) -> Array:
    """Sum of the singular values of matrices in two axes."""
    if dim is None:
        number_of_axes("NuclearNorm", 2, x=x.shape)
    return _matrix("NuclearNorm", x, "nuc", dim or (0, 1), keepdim)


@op(prim=Prim("LpNorm", inputs=("input",)), ops=False)
def lp_norm(input: Array, axis: Axis, p: int = 2, keep_dims: bool = False, epsilon: Number = _LEAST) -> Array:
    """Norm of order p over axes, at least epsilon."""
    axes = axes_of("LpNorm", axis, input.ndim)
    sizes = absolute(input)
    largest = lax.stop_gradient(jnp.max(sizes, axis=axes, keepdims=True, initial=0))
    some = largest != 0  # NaN, too, which is not greater than 0
    # high powers of small numbers are 0 in float32; an infinity over itself is NaN
    unit = jnp.where(some & jnp.isfinite(largest), largest, 1)
    total = jnp.sum(jnp.power(sizes / unit, p), axis=axes, keepdims=True)
    root = jnp.where(some, jnp.power(jnp.where(some, total, 1), 1 / p) * unit, 0)  # no gradient of the root at 0
    out = _at_least(root, epsilon, p).astype(input.dtype)
    return out if keep_dims else jnp.squeeze(out, axes)


@op(prim=Prim("L2Normalize", inputs=("x",)), ops=True)
@rounded_once  # the cube of 1 / length, which the gradient has, is too large for float16
def l2_normalize(x: Array, axis: Ints = 0, epsilon: Number = 1e-4) -> Array:
    """Vectors along an axis divided by their length.

    Example:
        >>> print(ops.L2Normalize(axis=-1)(Tensor([[3.0, 4.0]])))
        [[0.6 0.8]]
    """
    number_of_axes("L2Normalize", range(1, ANY), TypeError, x=x.shape)
    axes = axes_of("L2Normalize", axis, x.ndim)
    return x * lax.rsqrt(jnp.maximum(jnp.sum(lax.square(x), axis=axes, keepdims=True), epsilon).astype(x.dtype))


def _minkowski(difference, p, axis=-1):
    """Norm of differences; its gradient at 0 is 0."""
    size = absolute(difference)
    if p == 0:
        return jnp.sum(difference != 0, axis).astype(difference.dtype)
    if p == math.inf:
        return jnp.max(size, axis)
    if p == 1:
        return jnp.sum(size, axis)
    total = jnp.sum(jnp.where(size == 0, 0, jnp.power(jnp.where(size == 0, 1, size), p)), axis)
    return _root(total, p).astype(difference.dtype)


def _wide(x):
    """float16 as float32: its differences and powers may be too large."""
    return x.astype(jnp.float32) if x.dtype == jnp.float16 else x


def _order(name, p):
    if isinstance(p, bool) or not isinstance(p, numbers.Real):
        raise TypeError(f"For '{name}', the 'p' must be a number, but got {type(p).__name__}.")
    if not p >= 0:
        raise ValueError(f"For '{name}', the 'p' must be a non-negative value, but got {p}.")
    return p * 1.0


@op(
    prim=Prim("Cdist", inputs=("x1", "x2")),
    ops=True,
    mint=Face(
        "cdist", args("x1", "x2", p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"), unused=("compute_mode",)
    ),
)
def cdist(x1: Array, x2: Array, p: Number = 2.0) -> Array:
    """Distances of order p between all rows of x1 and all rows of x2, for each element of a batch.

    Example:
        >>> print(ops.cdist(Tensor([[1.0, 1.0]]), Tensor([[4.0, 5.0]])))
        [[5.]]
    """
    floats_only("Cdist", x1=x1, x2=x2)
    if x1.ndim != x2.ndim:
        raise ValueError(
            f"For 'Cdist', 'x1' and 'x2' must have the same number of axes, but got {x1.ndim} and {x2.ndim}."
        )
    same_shape("Cdist", RuntimeError, batch=x1.shape[:-2], batch_of_x2=x2.shape[:-2])
    distances = _minkowski(_wide(x1)[..., :, None, :] - _wide(x2)[..., None, :, :], _order("Cdist", p))
    return distances.astype(jnp.result_type(x1, x2))


@op(prim=Prim("Pdist", init=args(p=2.0), call=args("x"), to={"x": "input"}), ops=True)
def pdist(input: Array, p: Number = 2.0) -> Array:
    """Distances of order p between all pairs of rows, as one vector.

    Example:
        >>> print(ops.pdist(Tensor([[1.0, 1.0], [4.0, 5.0]])))
        [5.]
    """
    floats_only("Pdist", x=input)
    number_of_axes("Pdist", 2, x=input.shape)
    i, j = np.triu_indices(input.shape[-2], 1)
    x = _wide(input)
    apart = x[..., i, :] - x[..., j, :]
    size = _far_size(apart, -1, p)
    return (_minkowski(apart / size, _order("Pdist", p)) * size[..., 0]).astype(input.dtype)


def _far_size(x, axes, p):
    """The largest magnitude along axes, without a gradient, where powers of it would not fit; else 1, and for order 0, which counts.

    Norms of order p are taken of x divided by it.
    """
    size = lax.stop_gradient(jnp.max(jnp.abs(x), axes, keepdims=True, initial=0))
    far = (size > 1e9) & jnp.isfinite(size) | (size < 1e-9) & (size > 0)
    return jnp.where(far & (jnp.asarray(p) != 0), size, 1)


@op(ops=True)
def dist(input: Array, other: Array, p: int = 2) -> Array:
    """Norm of order p of the difference of two Tensors.

    Example:
        >>> print(ops.dist(Tensor([1.0, 1.0]), Tensor([4.0, 5.0])))
        5.0
    """
    return vector_norm_of(input - other, p, still=True)


@op(ops=True, mint="nn.functional.cosine_similarity")
def cosine_similarity(x1: Array, x2: Array, dim: int = 1, eps: Number = 1e-08) -> Array:
    """Cosine of the angle between vectors along an axis.

    Example:
        >>> print(ops.cosine_similarity(Tensor([[1.0, 0.0]]), Tensor([[1.0, 1.0]])))
        [0.70710677]
    """
    wide = [x.astype(jnp.promote_types(x.dtype, jnp.float32)) for x in (x1, x2)]  # squares of float16 are soon infinite
    # each of its own array: MindSpore does not broadcast them first
    squares = [jnp.sum(x * x, axis_of("cosine_similarity", dim, x.ndim)) if x.ndim else x * x for x in wide]
    product = wide[0] * wide[1]
    length = jnp.sqrt(jnp.maximum(squares[0] * squares[1], eps * eps))
    found = jnp.sum(product, axis_of("cosine_similarity", dim, product.ndim)) / length
    return found.astype(jnp.promote_types(x1.dtype, x2.dtype))


@op(
    prim=Prim("Renorm", init=args("p", "dim", "maxnorm"), call=args("input"), to={"dim": "axis"}),
    ops=True,
    tensor="renorm",
)
def renorm(input: Array, p: int, axis: Axis, maxnorm: Any) -> Array:
    """Slices along an axis scaled down to the norm maxnorm where theirs is larger.

    Example:
        >>> print(ops.renorm(Tensor([[3.0, 4.0]]), 2, 0, 1.0))
        [[0.6 0.8]]
    """
    number_of_axes("Renorm", range(1, ANY), RuntimeError, input=input.shape)
    axis = axis_of("Renorm", axis, input.ndim)
    others = tuple(d for d in range(input.ndim) if d != axis)
    far = _far_size(_wide(input), others, p)
    size = vector_norm_of(input / far.astype(input.dtype), p, others, True, still=True) * far.astype(input.dtype)
    return jnp.where(size > maxnorm, input * (maxnorm / jnp.where(size > maxnorm, size, 1)), input).astype(input.dtype)


@op(
    ops=Face("cov", args("input").only(correction=1, fweights=None, aweights=None)),
    tensor=Method("cov", args().only(correction=1, fweights=None, aweights=None)),
)
def cov(
    input: Annotated[Array, Rank(at_most=2), Holding(but="bool")],
    correction: int = 1,
    fweights: Array | None = None,
    aweights: Array | None = None,
) -> Array:
    """Covariance matrix of variables (rows) of which the columns are observations.

    Example:
        >>> print(ops.cov(Tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]])))
        [[ 1. -1.]
         [-1.  1.]]
    """
    x = to_float(jnp.atleast_2d(input))
    x = x.astype(jnp.promote_types(x.dtype, jnp.float32))
    weights = None
    for w in (fweights, aweights):
        if w is not None:
            weights = w.astype(x.dtype) if weights is None else weights * w.astype(x.dtype)
    count = x.shape[1] if weights is None else jnp.sum(weights)
    mean = jnp.sum(x if weights is None else x * weights, 1, keepdims=True) / count
    if weights is None or not correction or aweights is None:
        divisor = count - correction
    else:
        divisor = count - correction * jnp.sum(weights * aweights.astype(x.dtype)) / count
    centred = x - mean
    out = jnp.matmul(centred if weights is None else centred * weights, centred.T) / jnp.maximum(divisor, 0)
    return jnp.squeeze(out)


@op(prim=Prim("Cross", init=args(dim=-65530), call=args("input", "other")), ops=True, tensor="cross", mint="cross")
def cross(input: Array, other: Array, dim: Axis = None) -> Array:
    """Vector product along an axis of length 3 (by default the first such axis).

    Example:
        >>> print(ops.cross(Tensor([1.0, 0.0, 0.0]), Tensor([0.0, 1.0, 0.0])))
        [0. 0. 1.]
    """
    x, y = jnp.broadcast_arrays(input, other)
    if dim is None or dim == -65530:
        dim = next((i for i, n in enumerate(x.shape) if n == 3), None)
        if dim is None:
            raise ValueError(f"For 'Cross', the inputs must have an axis of length 3, but got shape {x.shape}.")
    axis = axis_of("Cross", dim, x.ndim)
    if x.shape[axis] != 3:
        raise ValueError(f"For 'Cross', the size of inputs dim must be 3, but got {x.shape[axis]}.")
    found = jnp.cross(x, y, axis=axis)
    return found.astype(input.dtype) if found.dtype.kind in "iu" else found


@op(ops=Face("vecdot", args("x", "y").only(axis=-1)))
def vecdot(x: Array, y: Array, axis: int = -1) -> Array:
    """Sum of products along an axis (x conjugated, if complex).

    Example:
        >>> print(ops.vecdot(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])))
        [11.]
    """
    return total(jnp.conj(x) * y, axis)


@op(ops=True)
def kron(input: Array, other: Array) -> Array:
    """Kronecker product.

    Example:
        >>> print(ops.kron(Tensor([[1, 2]]), Tensor([[1, 1]])))
        [[1 1 2 2]]
    """
    if input.dtype == other.dtype == bool:
        return jnp.kron(input.astype(jnp.int8), other.astype(jnp.int8)).astype(bool)
    return jnp.kron(*promote_product(input, other))
