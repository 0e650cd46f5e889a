"""Products, norms, polynomials, differences, and questions about arrays and dtypes."""

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ..core.operators.record import op, records
from ..core.operators.rows import Face, args
from ..core.spec import Array, ArrayLike, Axis, Dtype, Ints, Nested, Number, Real, Static
from ..core.values import dtype as mstype
from ..core.values.promote import kind_of, promote, result_dtype
from ..core.values.tensor import Tensor
from ..ops.linalg.matmul import factors_fit, summed_over
from ..ops.linalg.singular import singular_values
from ..ops.shapes import number_of_axes
from .arrays import array, arrays, cast_to, dtype_of, floats, in_order, np_composite, np_op, promoted


@np_op("matmul", residuals=True)
def _matmul(x1: ArrayLike, x2: ArrayLike, dtype: Dtype | None = None) -> Array:
    """Matrix product over the last two axes.

    Example:
        >>> np.matmul(np.ones((2, 3)), np.ones((3, 4))).shape
        (2, 4)
    """
    first, second = arrays(x1, x2)
    factors_fit("numpy.matmul", first.shape, second.shape)
    return cast_to(jnp.matmul(first, second), dtype, wide=True)


@np_op("dot", residuals=True)
def _dot(a: ArrayLike, b: ArrayLike) -> Array:
    """Sum of products over the last axis of a and the last but one of b; of vectors a number."""
    return jnp.dot(*arrays(a, b))


@np_op("inner", residuals=True)
def _inner(a: ArrayLike, b: ArrayLike) -> Array:
    """Sum of products over the last axes."""
    return jnp.inner(*arrays(a, b))


@np_op("matrix_power")
def _matrix_power(a: ArrayLike, n: Static[int]) -> Array:
    """A square matrix multiplied by itself n times; the inverse for negative n."""
    return jnp.linalg.matrix_power(array(a), n)


@np_op("outer")
def _outer(a: ArrayLike, b: ArrayLike) -> Array:
    """The product of each element of a with each of b."""
    return jnp.outer(*arrays(a, b))


@np_op("kron")
def _kron(a: ArrayLike, b: ArrayLike) -> Array:
    """The Kronecker product."""
    return records["kron"].fn(*arrays(a, b))


@np_op("tensordot", residuals=True)
def _tensordot(a: ArrayLike, b: ArrayLike, axes: Static[Nested] = 2) -> Array:
    """Sum of products over several axes of both: a number of them, or two tuples."""
    return summed_over(*arrays(a, b), axes)


@np_op(Face("multi_dot", args("arrays"), to={"arrays": "arrays_"}), residuals=True)
def _multi_dot(arrays_: ArrayLike) -> Array:
    """The product of several matrices; the first and the last may be vectors."""
    if len(arrays_) < 2:
        raise ValueError(f"For 'multi_dot', expected at least two arrays, but got {len(arrays_)}.")
    return jnp.linalg.multi_dot(arrays(*arrays_))


@np_op("cross")
def _cross(
    a: ArrayLike,
    b: ArrayLike,
    axisa: Static[int] = -1,
    axisb: Static[int] = -1,
    axisc: Static[int] = -1,
    axis: Static[Axis] = None,
) -> Array:
    """The vector product of vectors with three elements, or two and a 0; of two that have two: its third element."""
    a, b = arrays(a, b)
    for x, at in ((a, axisa), (b, axisb)):
        if x.ndim == 0 or x.shape[at if axis is None else axis] not in (2, 3):
            raise ValueError(
                f"For 'cross', the vectors must have 2 or 3 elements, but got shapes {a.shape} and {b.shape}."
            )
    if axis is not None:
        axisa = axisb = axisc = axis
    dtype = a.dtype
    if dtype == np.bool_:  # products and differences of the numbers 0 and 1
        a, b = a.astype(np.int8), b.astype(np.int8)
    a, b = jnp.moveaxis(a, axisa, -1), jnp.moveaxis(b, axisb, -1)
    flat = a.shape[-1] == b.shape[-1] == 2
    out = jnp.cross(*(jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, 3 - x.shape[-1])]) for x in (a, b)))
    return (out[..., 2] if flat else jnp.moveaxis(out, -1, axisc)).astype(dtype)


@np_op("norm")
def _norm(x: ArrayLike, ord: Real | str | None = None, axis: Static[Axis] = None, keepdims: bool = False) -> Array:
    """A norm of vectors or matrices, or of all elements.

    Args:
        x: array-like.
        ord: None, a number, inf, -inf, "fro" or "nuc".
        axis: int, pair of ints, or None.
        keepdims: keep axes of length 1.

    Example:
        >>> print(np.norm(np.array([3.0, 4.0])))
        5.0
    """
    given, x = array(x), floats(x)
    of_vectors = x.ndim == 1 or ord is None if axis is None else isinstance(axis, int) or len(axis) == 1
    if given.dtype.kind in "iu" and (
        ord in (np.inf, -np.inf) or ord in (1, -1) and not of_vectors
    ):  # sums and extremes
        whole = jnp.linalg.norm(given.astype(jnp.float64), ord, axis, keepdims)
        return whole.astype(jnp.int64).astype(given.dtype)
    if of_vectors and ord not in (np.inf, -np.inf) and x.dtype.itemsize == 2:
        x = x.astype(jnp.float32)  # these powers are float32
    if axis is None and ord is None:
        total = jnp.sum(x * x)
        safe = jnp.where(total == 0, 1, total)
        made = jnp.where(total == 0, 0, jnp.sqrt(safe)).astype(x.dtype)
        return made.reshape((1,) * x.ndim) if keepdims else made
    if ord in (2, -2, "nuc") and not of_vectors:
        axes = (-2, -1) if axis is None else tuple(axis)
        found = singular_values(jnp.moveaxis(x, axes, (-2, -1)))
        made = {2: jnp.max, -2: jnp.min, "nuc": jnp.sum}[ord](found, -1)
        return jnp.expand_dims(made, tuple(sorted(a % x.ndim for a in axes))) if keepdims else made
    return jnp.linalg.norm(x, ord, axis, keepdims)


# --- statistics of several variables
@np_op("cov")
def _cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
    dtype: Dtype | None = None,
) -> Array:
    """Covariance matrix of variables given as rows (or as columns).

    Example:
        >>> print(np.cov(np.array([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0]])))
        [[ 1.  -0.5]
         [-0.5  1. ]]
    """
    weights = [None if w is None else array(w) for w in (fweights, aweights)]
    m, y = (None if v is None else floats(v) for v in (m, y))
    m = m if jnp.iscomplexobj(m) else m.astype(jnp.float32)  # as MindSpore, float64 too
    y = None if y is None else y.astype(m.dtype)
    return cast_to(jnp.cov(m, y, rowvar, bool(bias), ddof, *weights), dtype, True)


@np_op("corrcoef")
def _corrcoef(x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, dtype: Dtype | None = None) -> Array:
    """Correlation coefficients of variables given as rows (or as columns)."""
    return cast_to(jnp.corrcoef(floats(x), None if y is None else floats(y), rowvar), dtype, wide=True)


# --- signals
def _sliding(fn, a, v, mode, name):
    a, v = arrays(a, v)
    if a.ndim > 1 or v.ndim > 1:
        raise ValueError(f"For '{name}', only vectors are allowed, but got shapes {a.shape} and {v.shape}.")
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"For '{name}', 'mode' must be 'full', 'same' or 'valid', but got {mode!r}.")
    kind = a.dtype
    made = fn(jnp.atleast_1d(a), jnp.atleast_1d(v), mode=mode)
    return made.astype(kind)


@np_op("convolve")
def _convolve(a: ArrayLike, v: ArrayLike, mode: str = "full") -> Array:
    """The convolution of two vectors: all of it, as long as the longer one, or where they overlap wholly."""
    return _sliding(jnp.convolve, a, v, mode, "convolve")


@np_op("correlate")
def _correlate(a: ArrayLike, v: ArrayLike, mode: str = "valid") -> Array:
    """The cross-correlation of two vectors."""
    a, v = arrays(a, v)
    number_of_axes("correlate", 1, a=a.shape, v=v.shape)
    return _sliding(jnp.correlate, a, v, mode, "correlate")


@np_op("diff")
def _diff(
    a: ArrayLike,
    n: Static[int] = 1,
    axis: Static[int] = -1,
    prepend: ArrayLike | None = None,
    append: ArrayLike | None = None,
):
    """Differences of neighbours along an axis, taken n times."""
    a = array(a)
    more = [None if v is None else array(v).astype(a.dtype) for v in (prepend, append)]
    return jnp.diff(a, n, axis, *more)


@np_op("ediff1d")
def _ediff1d(ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None):
    """Differences of neighbours of all elements, with more elements before and after them."""
    ary = array(ary)
    if ary.dtype == np.bool_:  # neighbours that differ
        ends = [np.zeros(0, np.bool_) if v is None else array(v).astype(np.bool_).ravel() for v in (to_begin, to_end)]
        ary = ary.ravel()
        return jnp.concatenate([ends[0], ary[1:] ^ ary[:-1], ends[1]])
    more = [None if v is None else array(v).astype(ary.dtype) for v in (to_end, to_begin)]
    return jnp.ediff1d(ary, *more)


@op(name="numpy.slopes", ops=False)
def _slopes(f: ArrayLike, spacings: Any, axis: Axis):
    """Central differences."""
    return jnp.gradient(floats(f), *spacings, axis=axis)


@np_composite("gradient")
def _gradient(f: Any, *varargs: Any, axis: Axis = None, edge_order: int = 1):
    """Central differences inside, one-sided ones at the ends, along each axis or the given ones.

    Example:
        >>> print(np.gradient(np.array([1.0, 2.0, 4.0])))
        [1.  1.5 2. ]
    """
    if edge_order != 1:
        raise ValueError(f"For 'gradient', 'edge_order' can only be 1, but got {edge_order}.")
    return records["numpy.slopes"](f, varargs, axis)


@np_op("trapz")
def _trapz(y: ArrayLike, x: ArrayLike | None = None, dx: Number = 1.0, axis: Static[int] = -1) -> Array:
    """The integral along an axis by the trapezoidal rule."""
    y = floats(y)
    y = y if y.dtype in (jnp.float16, jnp.bfloat16) else y.astype(jnp.float32)  # also float64, as in MindSpore
    if x is not None:  # the differences in the dtype of x: neighbours of bools that differ
        dx = jnp.diff(array(x)).astype(y.dtype)
        dx = dx.reshape(*dx.shape, *[1] * (y.ndim - axis % y.ndim - dx.ndim))
    first, last = (lax.slice_in_dim(y, *ends, axis=axis) for ends in ((0, -1), (1, None)))
    return jnp.sum((first + last) * dx / 2, axis).astype(y.dtype)


# --- polynomials: coefficients of the highest power first
def _coefficients(name, p):
    number_of_axes(name, (0, 1), p=p.shape)
    return jnp.atleast_1d(p)


def _added(name, combine, doc):
    def run(a1: ArrayLike, a2: ArrayLike) -> Array:
        one, two = (_coefficients(name, x) for x in arrays(a1, a2))
        n = max(one.shape[0], two.shape[0])
        return combine(jnp.pad(one, (n - one.shape[0], 0)), jnp.pad(two, (n - two.shape[0], 0)))

    run.__name__, run.__doc__ = name, f"{doc}\n\n    Example:\n        >>> np.{name}([1, 2], [3])\n    "
    np_op(name)(run)


_added("polyadd", jnp.add, "Sum of two polynomials, coefficients of the highest power first.")
_added("polysub", jnp.subtract, "Difference of two polynomials, coefficients of the highest power first.")


@np_op("polymul")
def _polymul(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Product of two polynomials."""
    return _sliding(jnp.convolve, a1, a2, "full", "polymul")


@np_op("polyval")
def _polyval(p: ArrayLike, x: ArrayLike) -> Array:
    """The polynomial p at x, a float."""
    p, x = _coefficients("polyval", array(p)), array(x)
    dtype = result_dtype(p, x)
    if kind_of(dtype) < 2 or dtype.itemsize == 2:
        dtype = np.dtype(np.float32)
    return jnp.polyval(p.astype(dtype), x.astype(dtype))


@np_op("polyder")
def _polyder(p: ArrayLike, m: Static[int] = 1) -> Array:
    """The m-th derivative of a polynomial."""
    p = _coefficients("polyder", array(p))
    if m < 0:
        raise ValueError(f"For 'polyder', the order of derivative must not be negative, but got {m}.")
    if m >= p.shape[0]:
        return jnp.zeros(0, jnp.float32)
    for _ in range(m):
        p = jnp.multiply(*promote(p[:-1], jnp.arange(p.shape[0] - 1, 0, -1, dtype=jnp.int32)))
    return p


@np_op("polyint")
def _polyint(p: ArrayLike, m: Static[int] = 1, k: Ints | None = None) -> Array:
    """The m-th integral of a polynomial; k are the constants of integration."""
    p = _coefficients("polyint", floats(p))
    if m < 0:
        raise ValueError(f"For 'polyint', the order of integral must not be negative, but got {m}.")
    constants = [0] * m if k is None else list(k) if isinstance(k, (list, tuple)) else [k] * m
    if len(constants) != m:
        raise ValueError(f"For 'polyint', 'k' must be a number or a sequence of {m} numbers, but got {k}.")
    for c in constants:
        divided = p / jnp.arange(p.shape[0], 0, -1).astype(p.dtype)
        p = jnp.concatenate([divided, jnp.asarray([c], p.dtype)])
    return p


# --- questions
@np_op("array_equal")
def _array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False):
    """Whether two arrays have the same shape and elements."""
    a1, a2 = arrays(a1, a2)
    return jnp.array_equal(a1, a2, equal_nan and kind_of(a1.dtype) > 1)


@np_op("array_equiv")
def _array_equiv(a1: ArrayLike, a2: ArrayLike):
    """Whether two arrays are equal after broadcasting."""
    a1, a2 = arrays(a1, a2)
    try:
        jnp.broadcast_shapes(a1.shape, a2.shape)
    except ValueError:
        return jnp.asarray(False)
    return jnp.array_equiv(a1, a2)


@np_composite("array_str")
def _array_str(a: Array):
    """The text of an array's elements."""
    if not isinstance(a, Tensor):
        raise TypeError(f"For 'array_str', the input must be a Tensor, but got {type(a).__name__}.")
    return str(a)


@np_composite("isscalar")
def _isscalar(element: Any):
    """Whether the argument is a number or text, no array."""
    return isinstance(element, (int, float, bool, complex, str))


@np_composite("size")
def _size(a: Any, axis: Axis = None):
    """The number of elements, of all axes or of one."""
    a = records["numpy.asarray"](a, None)
    return a.size if axis is None else a.shape[in_order(axis, a.ndim, "size", flags=True)[0]]


def _kind(value):
    """The dtype that an argument of `result_type` stands for."""
    if isinstance(value, Tensor):
        return value.dtype
    if isinstance(value, (bool, int, float)):
        return mstype.from_numpy(dtype_of(type(value)))
    if isinstance(value, (list, tuple)):
        return records["numpy.asarray"](value, None).dtype
    return mstype.from_numpy(dtype_of(value))


@np_composite("result_type")
def _result_type(*arrays_and_dtypes: Any):
    """The dtype that holds all the arguments: Tensors, numbers, dtypes."""
    made = np.dtype(np.bool_)
    for value in arrays_and_dtypes:
        made = promoted(made, mstype.to_numpy(_kind(value)))
    return mstype.from_numpy(made)


@np_composite("promote_types")
def _promote_types(type1: Dtype, type2: Dtype):
    """The smallest dtype that holds both; integers with a float give that float.

    Example:
        >>> np.promote_types(np.float32, np.float64)
        mindspore.float64
    """
    return mstype.from_numpy(promoted(dtype_of(type1), dtype_of(type2)))


__all__ = []
