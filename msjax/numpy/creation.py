"""Arrays from shapes, numbers and ranges."""

import math
import operator

import jax.numpy as jnp
import numpy as np
from jax import random

from ..core.operators.arguments import plain
from ..core.operators.record import op, records
from ..core.values import dtype as mstype
from ..core.values.promote import kind_of
from ..core.values.tensor import Tensor, to_array, wrap
from .arrays import array, cast_to, dtype_of, floats, np_composite, np_op, sizes


@np_op("asarray(a, dtype=None)", operands=("a",))
def _asarray(a, dtype=None):
    """The argument as a Tensor; Python numbers give int32, float32 or bool.

    Example:
        >>> np.asarray([1, 2, 3])
    """
    return cast_to(array(a), dtype)


@np_composite("array(obj, dtype=None, copy=True, ndmin=0)")
def _array(obj, dtype=None, copy=True, ndmin=0):
    """A Tensor of the argument (a copy of it unless `copy` is False), with at least `ndmin` axes.

    Example:
        >>> np.array([[1, 2], [3, 4]], dtype=mindspore.float32)
    """
    if isinstance(obj, Tensor):
        made = (
            (obj if dtype is None else records["numpy.asarray"](obj, dtype))
            if not copy
            else records["numpy.asarray"](obj, dtype)
        )
    elif isinstance(obj, np.ndarray):
        made = wrap(to_array(obj, None if dtype is None else mstype.from_numpy(dtype_of(dtype))))
    else:
        made = records["numpy.asarray"](obj, dtype)
    for _ in range(ndmin - made.ndim):
        made = made.expand_dims(0)
    return made


@np_op("copy(a)")
def _copy(a):
    """A copy of the argument (a name of MindSpore 1.x)."""
    return array(a)


@np_op("asfarray(a, dtype=mindspore.float32)")
def _asfarray(a, dtype=mstype.float32):
    """The argument as a Tensor of floats."""
    wanted = dtype_of(dtype) if dtype is not None else np.dtype(np.float32)
    return array(a).astype(wanted if kind_of(wanted) == 2 else np.float32)


def _filled(name, value, doc):
    def run(shape, dtype=mstype.float32):
        return jnp.full(sizes(shape), value, dtype_of(dtype) or np.float32)

    run.__name__, run.__doc__ = name, f"{doc}\n\n    Example:\n        >>> np.{name}((2, 3))\n    "
    np_op(f"{name}(shape, dtype=mindspore.float32)", static=("shape",))(run)


_filled("zeros", 0, "A Tensor of zeros.")
_filled("ones", 1, "A Tensor of ones.")
_filled("empty", 0, "A Tensor whose content is of no importance; zeros here.")


@np_op("full(shape, fill_value, dtype=None)", static=("shape",))
def _full(shape, fill_value, dtype=None):
    """A Tensor of the given shape filled with `fill_value` (an array-like that broadcasts to it).

    Example:
        >>> np.full((2, 2), 3)
    """
    return cast_to(jnp.broadcast_to(array(fill_value), sizes(shape)), dtype)


def _like(name, value):
    def run(a, dtype=None, shape=None):
        a = array(a)
        return jnp.full(a.shape if shape is None else sizes(shape), value, dtype_of(dtype) or a.dtype)

    first = "prototype" if name == "empty_like" else "a"
    run.__name__ = name
    run.__doc__ = (
        f"A Tensor of {'ones' if value else 'zeros'} with the shape and dtype of another, unless they are given."
    )
    np_op(f"{name}({first}, dtype=None, shape=None)")(run)


_like("zeros_like", 0)
_like("ones_like", 1)
_like("empty_like", 0)


@np_op("full_like(a, fill_value, dtype=None, shape=None)")
def _full_like(a, fill_value, dtype=None, shape=None):
    """A Tensor filled with `fill_value`, with the shape and dtype of another, unless they are given."""
    a = array(a)
    return jnp.broadcast_to(array(fill_value), a.shape if shape is None else sizes(shape)).astype(
        dtype_of(dtype) or a.dtype
    )


@np_op("arange(start, stop=None, step=None, dtype=None)", static=("start", "stop", "step"))
def _arange(start, stop=None, step=None, dtype=None):
    """Numbers from `start` (0 if only one is given) up to but without `stop`, `step` apart; ints give int32, floats
    float32.

    Example:
        >>> np.arange(0, 5, 2)
    """
    if stop is None:
        start, stop = 0, start
    step = 1 if step is None else step
    whole = all(isinstance(v, (int, np.integer)) for v in (start, stop, step))
    return jnp.asarray(np.arange(start, stop, step).astype(dtype_of(dtype) or (np.int32 if whole else np.float32)))


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


@np_op("linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0)")
def _linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    """`num` numbers from `start` to `stop`, evenly spaced; with `retstep` also the distance between them.

    Example:
        >>> np.linspace(0, 1, 5)
    """
    made, step = _spaced(start, stop, num, endpoint, axis)
    made = cast_to(made, dtype)
    return (made, step) if retstep else made


@np_op("logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0)")
def _logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """`base` to the power of evenly spaced numbers."""
    exponents, _ = _spaced(start, stop, num, endpoint, axis)
    return cast_to(jnp.power(jnp.asarray(base, exponents.dtype), exponents), dtype)


@np_op("geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0)")
def _geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """`num` numbers from `start` to `stop`, each the same multiple of the one before."""
    start, stop = floats(start), floats(stop)
    exponents, _ = _spaced(jnp.zeros_like(start), jnp.ones_like(stop), num, endpoint, axis)
    ratio = jnp.expand_dims(stop / start, axis)
    return cast_to(jnp.expand_dims(start, axis) * jnp.power(ratio, exponents), dtype)


@np_op("eye(N, M=None, k=0, dtype=mindspore.float32)", static=("N", "M"))
def _eye(N, M=None, k=0, dtype=mstype.float32):
    """N rows and M columns with ones on the k-th diagonal."""
    return jnp.eye(N, M, k, dtype_of(dtype))


@np_op("identity(n, dtype=mindspore.float32)", static=("n",))
def _identity(n, dtype=mstype.float32):
    """The square matrix with ones on the diagonal."""
    return jnp.eye(n, dtype=dtype_of(dtype))


@np_op("tri(N, M=None, k=0, dtype=mindspore.float32)", static=("N", "M"))
def _tri(N, M=None, k=0, dtype=mstype.float32):
    """N rows and M columns with ones at and below the k-th diagonal."""
    return jnp.tri(N, M, k, dtype_of(dtype))


def _rows(m):
    """A vector as the rows of a square matrix; another array as it is."""
    return jnp.broadcast_to(m, (m.size, m.size)) if m.ndim == 1 else m


@np_op("tril(m, k=0)")
def _tril(m, k=0):
    """The last two axes with zeros above the k-th diagonal."""
    return jnp.tril(_rows(array(m)), k)


@np_op("triu(m, k=0)")
def _triu(m, k=0):
    """The last two axes with zeros below the k-th diagonal."""
    return jnp.triu(_rows(array(m)), k)


@np_op("diag(v, k=0)")
def _diag(v, k=0):
    """The k-th diagonal of a matrix, or the matrix with a vector on it."""
    return jnp.diag(array(v), k)


@np_op("diagflat(v, k=0)")
def _diagflat(v, k=0):
    """The matrix with all elements of v on the k-th diagonal."""
    return jnp.diagflat(array(v), k)


@np_op("diagonal(a, offset=0, axis1=0, axis2=1)")
def _diagonal(a, offset=0, axis1=0, axis2=1):
    """The elements at equal positions of two axes, along a new last axis."""
    return jnp.diagonal(array(a), offset, axis1, axis2)


@np_op("trace(a, offset=0, axis1=0, axis2=1, dtype=None)")
def _trace(a, offset=0, axis1=0, axis2=1, dtype=None):
    """Sum of a diagonal; of integers as int64."""
    x = jnp.diagonal(array(a), offset, axis1, axis2)
    if dtype is None and kind_of(x.dtype) == 1:
        x = x.astype(jnp.int64)
    x = cast_to(x, dtype)
    return jnp.any(x, -1) if x.dtype == np.bool_ else jnp.sum(x, -1, dtype=x.dtype)


@np_op("vander(x, N=None, increasing=False)")
def _vander(x, N=None, increasing=False):
    """The powers of x as columns."""
    return jnp.vander(array(x), N, increasing)


# --- grids and indices
@op(name="numpy.grids", ops=False, operands=("xi",))
def _grids(xi, sparse, indexing):
    """Coordinates of the grid that vectors span."""
    return list(jnp.meshgrid(*[array(x).reshape(-1) for x in xi], sparse=sparse, indexing=indexing))


@np_composite("meshgrid(*xi, sparse=False, indexing='xy')")
def _meshgrid(*xi, sparse=False, indexing="xy"):
    """Coordinates of the grid that vectors span, one Tensor for each.

    Example:
        >>> np.meshgrid(np.arange(3), np.arange(2))
    """
    return records["numpy.grids"](xi, bool(sparse), indexing)


@np_op("indices(dimensions, dtype=mindspore.int32, sparse=False)", static=("dimensions",))
def _indices(dimensions, dtype=mstype.int32, sparse=False):
    """The position along each axis, for every element of a grid."""
    grids = jnp.meshgrid(
        *[jnp.arange(n, dtype=dtype_of(dtype)) for n in sizes(dimensions)], sparse=sparse, indexing="ij"
    )
    return list(grids)


def _pairs(made):
    return tuple(jnp.asarray(m, jnp.int32) for m in made)


@np_op("diag_indices(n, ndim=2)", static=("n",))
def _diag_indices(n, ndim=2):
    """Indices of the main diagonal, one Tensor for each axis."""
    return (jnp.arange(n, dtype=jnp.int32),) * ndim


@np_op("tril_indices(n, k=0, m=None)", static=("n",))
def _tril_indices(n, k=0, m=None):
    """Rows and columns of the elements at and below a diagonal."""
    return _pairs(np.tril_indices(n, k, m))


@np_op("triu_indices(n, k=0, m=None)", static=("n",))
def _triu_indices(n, k=0, m=None):
    """Rows and columns of the elements at and above a diagonal."""
    return _pairs(np.triu_indices(n, k, m))


@np_op("tril_indices_from(arr, k=0)")
def _tril_indices_from(arr, k=0):
    """`tril_indices` for the shape of a matrix."""
    return _pairs(np.tril_indices(array(arr).shape[0], k, array(arr).shape[1]))


@np_op("triu_indices_from(arr, k=0)")
def _triu_indices_from(arr, k=0):
    """`triu_indices` for the shape of a matrix."""
    return _pairs(np.triu_indices(array(arr).shape[0], k, array(arr).shape[1]))


@np_op("ix_(*args)")
def _ix_(*args):
    """Vectors reshaped so that they index the grid that they span."""
    return jnp.ix_(*[array(a) for a in args])


class _Grid:
    """`mgrid` and `ogrid`: slices give ranges; an imaginary step is a number of points, the end included.

    Example:
        >>> np.mgrid[0:3, 0:2]
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
    def run(M):
        M = operator.index(M)
        if M < 2:
            return jnp.ones(max(M, 0), jnp.float32)
        return jnp.asarray(terms(np.arange(M), M).astype(np.float32))

    run.__name__, run.__doc__ = name, f"{doc}\n\n    Example:\n        >>> np.{name}(5)\n    "
    np_op(f"{name}(M)", static=("M",))(run)


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
@op(name="numpy.uniform", ops=False, random=True, static=("shape",))
def _uniform(key, shape, dtype):
    """Uniform random numbers of [0, 1)."""
    return random.uniform(key, shape, dtype_of(dtype))


@op(name="numpy.normal", ops=False, random=True, static=("shape",))
def _normal(key, shape, dtype):
    """Normal random numbers of mean 0 and deviation 1."""
    return random.normal(key, shape, dtype_of(dtype))


def _shape(shape):
    return sizes(shape[0] if len(shape) == 1 else shape)


@np_composite("rand(*shape, dtype=mindspore.float32)")
def _rand(*shape, dtype=mstype.float32):
    """Uniform random numbers of [0, 1).

    Example:
        >>> np.rand(2, 3).shape
        (2, 3)
    """
    return records["numpy.uniform"](_shape(shape), dtype)


@np_composite("randn(*shape, dtype=mindspore.float32)")
def _randn(*shape, dtype=mstype.float32):
    """Normal random numbers of mean 0 and deviation 1."""
    return records["numpy.normal"](_shape(shape), dtype)


@np_op("randint(minval, maxval=None, shape=None, dtype=mindspore.int32)", random=True, static=("shape",))
def _randint(key, minval, maxval=None, shape=None, dtype=mstype.int32):
    """Uniform random integers of [minval, maxval), or of [0, minval).

    Example:
        >>> np.randint(1, 10, (2, 3)).shape
        (2, 3)
    """
    low, high = (0, minval) if maxval is None else (minval, maxval)
    return random.randint(key, (1,) if shape is None else sizes(shape), low, high, dtype_of(dtype))


__all__ = []
