"""Arrays from shapes, numbers and ranges."""

import math
import operator
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import random

from ..core.operators.arguments import plain
from ..core.operators.quotients import exact_sum
from ..core.operators.record import op, records
from ..core.operators.rows import Face, args
from ..core.spec import Array, ArrayLike, Dtype, Ints, Key, Number, Real, Static
from ..core.values import dtype as mstype
from ..core.values.promote import kind_of
from ..core.values.tensor import Tensor, to_array, wrap
from ..ops.shapes import number_of_axes
from ..ops.views import itself_or_new
from .arrays import array, cast_to, dtype_of, floats, np_composite, np_op, sizes


@np_op("asarray")
def _asarray(a: ArrayLike, dtype: Dtype | None = None) -> Array:
    """The argument as a Tensor; Python numbers give int32, float32 or bool.

    Example:
        >>> print(np.asarray([1, 2, 3]))
        [1 2 3]
    """
    return cast_to(array(a), dtype)


records["numpy.asarray"].view = itself_or_new(lambda args, out: args[0].dtype == out.dtype)


@np_composite("array")
def _array(obj: Any, dtype: Dtype | None = None, copy: bool = True, ndmin: int = 0) -> Array:
    """A Tensor of the argument (a copy of it unless `copy` is False), with at least `ndmin` axes.

    Example:
        >>> print(np.array([[1, 2], [3, 4]], dtype=mindspore.float32))
        [[1. 2.]
         [3. 4.]]
    """
    if isinstance(obj, Tensor):
        made = records["numpy.asarray"](obj, dtype)
        if made is obj and copy:
            made = records["numpy.copy"](obj)
    elif isinstance(obj, np.ndarray):
        made = wrap(to_array(obj, None if dtype is None else mstype.from_numpy(dtype_of(dtype))))
    else:
        made = records["numpy.asarray"](obj, dtype)
    for _ in range(ndmin - made.ndim):
        made = made.expand_dims(0)
    return made


@np_op("copy")
def _copy(a: ArrayLike) -> Array:
    """A copy of the argument (a name of MindSpore 1.x)."""
    return array(a)


@np_op("asfarray")
def _asfarray(a: ArrayLike, dtype: Dtype = mstype.float32) -> Array:
    """The argument as a Tensor of floats; with None as `dtype` it keeps its own."""
    if dtype is None:
        return array(a)
    wanted = dtype_of(dtype)
    return array(a).astype(wanted if kind_of(wanted) == 2 else np.float32)


def _filled(name, value, doc):
    def run(shape: Static[Ints], dtype: Dtype = mstype.float32) -> Array:
        return jnp.full(sizes(shape), value, dtype_of(dtype) or np.float32)

    run.__name__, run.__doc__ = name, f"{doc}\n\n    Example:\n        >>> np.{name}((2, 3))\n    "
    np_op(name)(run)


_filled("zeros", 0, "A Tensor of zeros.")
_filled("ones", 1, "A Tensor of ones.")
_filled("empty", 0, "A Tensor whose content is of no importance; zeros here.")


@np_op("full")
def _full(shape: Static[Ints], fill_value: ArrayLike, dtype: Dtype | None = None) -> Array:
    """A Tensor of the given shape filled with `fill_value` (an array-like that broadcasts to it).

    Example:
        >>> print(np.full((2, 2), 3))
        [[3 3]
         [3 3]]
    """
    filling = array(fill_value)
    is_number = not filling.ndim and (filling.dtype == np.bool_ or getattr(fill_value, "weak_type", True))
    return cast_to(
        jnp.broadcast_to(filling, sizes(shape)), dtype if is_number else None
    )  # an array keeps its dtype, as in MindSpore


def _like(name, value):
    def run(a: ArrayLike, dtype: Dtype | None = None, shape: int | None = None) -> Array:
        a = array(a)
        return jnp.full(a.shape if shape is None else sizes(shape), value, dtype_of(dtype) or a.dtype)

    first = "prototype" if name == "empty_like" else "a"
    run.__name__ = name
    run.__doc__ = (
        f"A Tensor of {'ones' if value else 'zeros'} with the shape and dtype of another, unless they are given."
    )
    np_op(Face(name, args(first, dtype=None, shape=None), to={first: "a"}))(run)


_like("zeros_like", 0)
_like("ones_like", 1)
_like("empty_like", 0)


@np_op("full_like")
def _full_like(a: ArrayLike, fill_value: ArrayLike, dtype: Dtype | None = None, shape: int | None = None) -> Array:
    """A Tensor filled with `fill_value`, with the shape and dtype of another, unless they are given."""
    a = array(a)
    return _full(a.shape if shape is None else shape, fill_value, a.dtype if dtype is None else dtype)


@np_op("arange")
def _arange(
    start: Static[Real], stop: Static[Real | None] = None, step: Static[Real | None] = None, dtype: Dtype | None = None
) -> Array:
    """Numbers from `start` (0 if only one is given) up to but without `stop`, `step` apart; ints give int32, floats
    float32.

    Example:
        >>> print(np.arange(0, 5, 2))
        [0 2 4]
    """
    if stop is None:
        start, stop = 0, start
    step = 1 if step is None else step
    whole = all(isinstance(v, (int, np.integer)) for v in (start, stop, step))
    return jnp.asarray(
        np.arange(start, stop, step).astype(dtype_of(dtype, wide=True) or (np.int32 if whole else np.float32))
    )


def _spaced(start, stop, num, endpoint, axis):
    if num < 0:
        raise ValueError(f"For 'linspace', 'num' must not be negative, but got {num}.")
    start, stop = floats(start), floats(stop)
    gaps = num - 1 if endpoint else num
    step = (
        (stop - start) / gaps
        if gaps > 0
        else jnp.full(jnp.broadcast_shapes(start.shape, stop.shape), jnp.nan, start.dtype)
    )
    return jnp.linspace(start, stop, num, endpoint=endpoint, axis=axis), step


@np_op("linspace")
def _linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Dtype | None = None,
    axis: int = 0,
) -> Array:
    """`num` numbers from `start` to `stop`, evenly spaced; with `retstep` also the distance between them.

    Example:
        >>> print(np.linspace(0, 1, 5))
        [0.   0.25 0.5  0.75 1.  ]
    """
    made, step = _spaced(start, stop, num, endpoint, axis)
    made = cast_to(made, dtype)
    return (made, step) if retstep else made


@np_op("logspace")
def _logspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    base: Number = 10.0,
    dtype: Dtype | None = None,
    axis: int = 0,
) -> Array:
    """`base` to the power of evenly spaced numbers."""
    exponents, _ = _spaced(start, stop, num, endpoint, axis)
    return cast_to(jnp.power(jnp.asarray(base, exponents.dtype), exponents), dtype)


@np_op("geomspace")
def _geomspace(
    start: ArrayLike, stop: ArrayLike, num: int = 50, endpoint: bool = True, dtype: Dtype | None = None, axis: int = 0
) -> Array:
    """`num` numbers from `start` to `stop`, each the same multiple of the one before."""
    start, stop = floats(start), floats(stop)
    exponents, _ = _spaced(jnp.zeros_like(start), jnp.ones_like(stop), num, endpoint, axis)
    ratio = jnp.expand_dims(stop / start, axis)
    powers = jnp.where((ratio < 0) & (exponents > 0), jnp.nan, jnp.power(ratio, exponents))  # at the end, too
    return cast_to(jnp.expand_dims(start, axis) * powers, dtype)


@np_op("eye")
def _eye(N: Static[int], M: Static[int | None] = None, k: int = 0, dtype: Dtype = mstype.float32) -> Array:
    """N rows and M columns with ones on the k-th diagonal."""
    return jnp.eye(N, M, k, dtype_of(dtype))


@np_op("identity")
def _identity(n: Static[int], dtype: Dtype = mstype.float32) -> Array:
    """The square matrix with ones on the diagonal."""
    return jnp.eye(n, dtype=dtype_of(dtype))


@np_op("tri")
def _tri(N: Static[int], M: Static[int | None] = None, k: int = 0, dtype: Dtype = mstype.float32) -> Array:
    """N rows and M columns with ones at and below the k-th diagonal."""
    return jnp.tri(N, M, k, dtype_of(dtype))


def _rows(m):
    """A vector as the rows of a square matrix; another array as it is."""
    return jnp.broadcast_to(m, (m.size, m.size)) if m.ndim == 1 else m


@np_op("tril")
def _tril(m: ArrayLike, k: int = 0):
    """The last two axes with zeros above the k-th diagonal."""
    return jnp.tril(_rows(array(m)), k)


@np_op("triu")
def _triu(m: ArrayLike, k: int = 0):
    """The last two axes with zeros below the k-th diagonal."""
    return jnp.triu(_rows(array(m)), k)


@np_op("diag")
def _diag(v: ArrayLike, k: int = 0) -> Array:
    """The k-th diagonal of a matrix, or the matrix with a vector on it."""
    return jnp.diag(array(v), k)


@np_op("diagflat")
def _diagflat(v: ArrayLike, k: int = 0) -> Array:
    """The matrix with all elements of v on the k-th diagonal."""
    return jnp.diagflat(array(v), k)


@np_op("diagonal")
def _diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """The elements at equal positions of two axes, along a new last axis."""
    return jnp.diagonal(array(a), offset, axis1, axis2)


@np_op("trace")
def _trace(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Dtype | None = None) -> Array:
    """Sum of a diagonal; of integers as int64, of uint64 as it is."""
    x = jnp.diagonal(array(a), offset, axis1, axis2)
    if dtype is None and kind_of(x.dtype) == 1 and x.dtype != np.uint64:
        x = x.astype(jnp.int64)
    x = cast_to(x, dtype)
    return jnp.any(x, -1) if x.dtype == np.bool_ else exact_sum(x, -1)


@np_op("vander")
def _vander(x: ArrayLike, N: int | None = None, increasing: bool = False):
    """The powers of x as columns."""
    return jnp.vander(array(x), N, increasing)


# --- grids and indices
@op(name="numpy.grids", ops=False)
def _grids(xi: ArrayLike, sparse: Any, indexing: Any):
    """Coordinates of the grid that vectors span."""
    return list(jnp.meshgrid(*[array(x).reshape(-1) for x in xi], sparse=sparse, indexing=indexing))


@np_composite("meshgrid")
def _meshgrid(*xi: Any, sparse: bool = False, indexing: str = "xy"):
    """Coordinates of the grid that vectors span, one Tensor for each.

    Example:
        >>> np.meshgrid(np.arange(3), np.arange(2))
        [Tensor(shape=[2, 3], dtype=Int32, value=
        [[0, 1, 2],
         [0, 1, 2]]), Tensor(shape=[2, 3], dtype=Int32, value=
        [[0, 0, 0],
         [1, 1, 1]])]
    """
    return records["numpy.grids"](xi, bool(sparse), indexing)


@np_op("indices")
def _indices(dimensions: Static[Ints], dtype: Dtype = mstype.int32, sparse: bool = False) -> Array:
    """The position along each axis, for every element of a grid."""
    kind = dtype_of(dtype, wide=True)
    grids = jnp.meshgrid(*[jnp.arange(n).astype(kind) for n in sizes(dimensions)], sparse=sparse, indexing="ij")
    return list(grids)


def _pairs(made):
    return tuple(jnp.asarray(m, jnp.int32) for m in made)


@np_op("diag_indices")
def _diag_indices(n: Static[int], ndim: int = 2) -> tuple[Array, ...]:
    """Indices of the main diagonal, one Tensor for each axis."""
    return (jnp.arange(n, dtype=jnp.int32),) * ndim


@np_op("tril_indices")
def _tril_indices(n: Static[int], k: int = 0, m: int | None = None):
    """Rows and columns of the elements at and below a diagonal."""
    return _pairs(np.tril_indices(n, math.floor(k), m))


@np_op("triu_indices")
def _triu_indices(n: Static[int], k: int = 0, m: int | None = None):
    """Rows and columns of the elements at and above a diagonal."""
    return _pairs(np.triu_indices(n, math.ceil(k), m))


@np_op("tril_indices_from")
def _tril_indices_from(arr: ArrayLike, k: int = 0):
    """`tril_indices` for the shape of a matrix."""
    arr = array(arr)
    number_of_axes("tril_indices_from", 2, arr=arr.shape)
    return _pairs(np.tril_indices(arr.shape[0], math.floor(k), arr.shape[1]))


@np_op("triu_indices_from")
def _triu_indices_from(arr: ArrayLike, k: int = 0):
    """`triu_indices` for the shape of a matrix."""
    arr = array(arr)
    number_of_axes("triu_indices_from", 2, arr=arr.shape)
    return _pairs(np.triu_indices(arr.shape[0], math.ceil(k), arr.shape[1]))


@np_op("ix_")
def _ix_(*args: Any) -> tuple[Array, ...]:
    """Vectors reshaped so that they index the grid that they span."""
    return jnp.ix_(*[array(a) for a in args])


class _Grid:
    """`mgrid` and `ogrid`: slices give ranges; an imaginary step is a number of points, the end included.

    Example:
        >>> print(np.mgrid[0:3, 0:2])
        [[[0 0]
          [1 1]
          [2 2]]
        <BLANKLINE>
         [[0 1]
          [0 1]
          [0 1]]]
    """

    def __init__(self, sparse):
        self.sparse = sparse

    def __getitem__(self, keys):
        ranges = [self._range(key) for key in (keys if isinstance(keys, tuple) else (keys,))]
        common = np.result_type(*ranges)
        if not isinstance(keys, tuple):
            return Tensor(ranges[0])
        made = np.meshgrid(*[r.astype(common) for r in ranges], sparse=self.sparse, indexing="ij")
        return [Tensor(m) for m in made] if self.sparse else Tensor(np.stack(made))

    @staticmethod
    def _range(key):
        if not isinstance(key, slice):
            raise TypeError(f"For 'mgrid' and 'ogrid', the index must be made of slices, but got {key!r}.")
        start, stop, step = (plain(v) for v in (key.start or 0, key.stop, key.step if key.step is not None else 1))
        if isinstance(step, complex):
            return np.linspace(start, stop, int(abs(step)), dtype=np.float32)
        whole = all(isinstance(v, (int, np.integer)) for v in (start, stop, step))
        return np.arange(start, stop, step).astype(np.int32 if whole else np.float32)


mgrid, ogrid = _Grid(False), _Grid(True)


# --- windows
def _window(name, terms, doc):
    def run(M: Static[int]) -> Array:
        M = operator.index(M)
        if M < 2:
            return jnp.ones(max(M, 0), jnp.float32)
        return jnp.asarray(terms(np.arange(M), M).astype(np.float32))

    run.__name__, run.__doc__ = name, f"{doc}\n\n    Example:\n        >>> np.{name}(5)\n    "
    np_op(name)(run)


_window(
    "bartlett",
    lambda n, m: 1 - np.abs(2 * n - (m - 1)) / (m - 1),
    "The triangular window of M points, zero at its ends.",
)
_window(
    "blackman",
    lambda n, m: 0.42 - 0.5 * np.cos(2 * math.pi * n / (m - 1)) + 0.08 * np.cos(4 * math.pi * n / (m - 1)),
    "The Blackman window of M points.",
)
_window("hamming", lambda n, m: 0.54 - 0.46 * np.cos(2 * math.pi * n / (m - 1)), "The Hamming window of M points.")
_window("hanning", lambda n, m: 0.5 - 0.5 * np.cos(2 * math.pi * n / (m - 1)), "The Hann window of M points.")


# --- random numbers
@op(name="numpy.uniform", ops=False, random=True)
def _uniform(key: Key, shape: Static[Any], dtype: ArrayLike):
    """Uniform random numbers of [0, 1)."""
    return random.uniform(key, shape, dtype_of(dtype))


@op(name="numpy.normal", ops=False, random=True)
def _normal(key: Key, shape: Static[Any], dtype: ArrayLike):
    """Normal random numbers of mean 0 and deviation 1."""
    return random.normal(key, shape, dtype_of(dtype))


def _shape(name, shape):
    if len(shape) > 1 and not all(isinstance(n, int) for n in shape):
        raise TypeError(f"For '{name}', the sizes of the axes must be ints, but got {shape}.")
    return sizes(shape[0] if len(shape) == 1 else shape or 1)


_FLOATS = ("float", mstype.float16, mstype.float32, mstype.float64)
_INTS = ("int", mstype.int8, mstype.int16, mstype.int32, mstype.int64)


def _check_kind(name, dtype, allowed):
    """ValueError unless `dtype` is one of the MindSpore dtypes, or the name of one."""
    named = [str(d).lower() for d in allowed]
    if dtype not in (named if isinstance(dtype, str) else allowed[1:]):
        raise ValueError(f"For '{name}', the 'dtype' must be one of {', '.join(named)}, but got {dtype!r}.")


@np_composite("rand")
def _rand(*shape: Any, dtype: Dtype = mstype.float32) -> Array:
    """Uniform random numbers of [0, 1).

    Example:
        >>> np.rand(2, 3).shape
        (2, 3)
    """
    _check_kind("rand", dtype, _FLOATS)
    return records["numpy.uniform"](_shape("rand", shape), dtype)


@np_composite("randn")
def _randn(*shape: Any, dtype: Dtype = mstype.float32) -> Array:
    """Normal random numbers of mean 0 and deviation 1."""
    _check_kind("randn", dtype, _FLOATS)
    return records["numpy.normal"](_shape("randn", shape), dtype)


@np_op("randint", random=True)
def _randint(
    key: Key,
    minval: Static[Any],
    maxval: Static[Any] = None,
    shape: Static[Ints | None] = None,
    dtype: Dtype = mstype.int32,
) -> Array:
    """Uniform random integers of [minval, maxval), or of [0, minval).

    Raises:
        TypeError: bounds that are not ints. ValueError: no number between them, or a dtype that is not a signed integer.

    Example:
        >>> np.randint(1, 10, (2, 3)).shape
        (2, 3)
    """
    low, high = (0, minval) if maxval is None else (minval, maxval)
    if not (isinstance(low, int) and isinstance(high, int)):
        raise TypeError(f"For 'randint', 'minval' and 'maxval' must be ints, but got {minval!r} and {maxval!r}.")
    if low >= high:
        raise ValueError(f"For 'randint', the numbers must be of [{low}, {high}), which holds none.")
    _check_kind("randint", dtype, _INTS)
    return random.randint(key, (1,) if shape is None else sizes(shape), low, high, dtype_of(dtype, wide=True))


__all__ = []
