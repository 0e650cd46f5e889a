"""Calls of mindspore.numpy (`np`) that are recorded from MindSpore and replayed here: one expression a line.

The inputs are INPUTS below; an expression that MindSpore's CPU build cannot run is left out of the golden file by the
recorder.
"""

INPUTS = {
    "i": ([[1, 2], [3, 4]], "int32"),
    "l": ([[1, 2], [3, 4]], "int64"),
    "f": ([[1.5, 2.0], [3.0, 4.0]], "float32"),
    "h": ([[0.5, 0.25], [0.75, 0.375]], "float16"),
    "d": ([[0.5, 0.25], [0.75, 0.375]], "float64"),
    "b": ([[True, False], [True, True]], "bool"),
    "u": ([[1, 2], [3, 200]], "uint8"),
    "v": ([3.0, 1.0, 2.0, 5.0, 4.0], "float32"),
    "w": ([1.0, 2.0, 3.0], "float32"),
    "k": ([3, 1, 2, 3, 1], "int32"),
    "n": ([[1.0, float("nan")], [3.0, 4.0]], "float32"),
    "t": ([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]], "float32"),
    "s": ([[-1.5, 0.0], [2.5, -0.5]], "float32"),
    "q": ([0.2, 0.5, 0.9], "float32"),
}
_UNARY = (
    "abs sin cos tan arcsin arctan sinh cosh tanh arcsinh exp exp2 expm1 log log2 log1p log10 sqrt square cbrt floor "
    "ceil rint trunc fix sign negative positive reciprocal deg2rad rad2deg radians isnan isfinite isinf isneginf "
    "isposinf signbit logical_not bitwise_not invert fabs"
).split()
_REDUCE = (
    "sum mean max min amax amin std var ptp count_nonzero argmax argmin nansum nanmax nanmin nanmean nanstd nanvar "
    "nancumsum cumsum cumprod average sometrue"
).split()
_BINARY = (
    "add subtract multiply divide true_divide floor_divide mod remainder fmod power float_power maximum minimum hypot "
    "arctan2 logaddexp logaddexp2 heaviside copysign gcd lcm equal not_equal less less_equal greater greater_equal "
    "logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor matmul dot inner outer kron tensordot "
    "divmod isclose"
).split()
_PAIRS = ("i, l", "i, h", "b, i", "h, 2.5", "[[1, 2], [3, 4]], f", "s, f")
EXPRESSIONS = [f"np.{n}({x})" for n in _UNARY for x in ("i", "h", "q", "[1.5, 2.5]")]
EXPRESSIONS += [f"np.{n}({x})" for n in ("arccos", "arcsin", "arctanh") for x in ("q", "h")] + [
    "np.arccosh(f)",
    "np.arccosh(i)",
    "np.sin(f, dtype=mindspore.float16)",
]
EXPRESSIONS += [f"np.{n}({x})" for n in _REDUCE for x in ("i", "h", "n", "t, axis=1", "[1, 2, 3]")]
EXPRESSIONS += [
    f"np.{n}(t, axis={a}, keepdims=True)"
    for n in ("sum", "mean", "max", "var", "nansum", "count_nonzero")
    for a in ("1", "(0, 2)")
]
EXPRESSIONS += [f"np.{n}({p})" for n in _BINARY for p in _PAIRS]
EXPRESSIONS += [  # what is True or False: some functions take numbers for it
    f"np.{call}, {flag}={value})"
    for call, flags in {
        "sum(t": "keepdims",
        "sometrue(t": "keepdims",
        "nanmax(t": "keepdims",
        "nansum(t": "keepdims",
        "linspace(1, 5, 3": "endpoint retstep",
        "logspace(1, 5, 3": "endpoint",
        "geomspace(1, 5, 3": "endpoint",
        "cov(f": "rowvar bias",
        "corrcoef(f": "rowvar",
        "meshgrid(v, w": "sparse",
        "setdiff1d(k, k": "assume_unique",
        "intersect1d(k, k": "assume_unique return_indices",
        "isclose(f, f": "equal_nan",
        "array_equal(f, f": "equal_nan",
        "isin(k, k": "invert",
        "unique(k": "return_inverse",
    }.items()
    for flag in flags.split()
    for value in ("1", "0", "None")
]
EXPRESSIONS += """
np.arange(5)
np.arange(1, 6)
np.arange(1, 6, 2)
np.arange(1.0)
np.arange(0, 1, 0.25)
np.arange(5, dtype=mindspore.float32)
np.arange(5.0, 1.0, -1.5)
np.array([1, 2, 3])
np.array([1.0, 2])
np.array([[True, False]])
np.array(3)
np.array(2.5)
np.array(f, dtype=mindspore.int32)
np.array([1, 2], ndmin=2)
np.asarray([1, 2])
np.asarray((1.5, 2))
np.asarray(f)
np.asfarray([1, 2])
np.asfarray(i)
np.zeros(3)
np.zeros((2, 3), mindspore.int32)
np.zeros((2, 3), "int32")
np.zeros((2,), int)
np.zeros((2,), float)
np.ones((2, 2))
np.ones(2, bool)
np.full((2, 2), 3)
np.full((2, 2), 3.5)
np.full((2, 2), [1, 2])
np.full(2, True)
np.full((2,), 3, mindspore.float16)
np.full((2, 2), w[:2])
np.full_like(i, 5)
np.full_like(f, 5)
np.full_like(f, 5, shape=(3,))
np.zeros_like(i)
np.zeros_like([1, 2])
np.ones_like(f, dtype=mindspore.int32)
np.ones_like(h, shape=(3,))
np.empty_like(i).shape
np.empty((2, 3)).shape
np.eye(3)
np.eye(2, 3, 1)
np.eye(3, dtype=mindspore.int32)
np.identity(2)
np.tri(3)
np.tri(3, 4, 1)
np.tril(f)
np.triu(f, 1)
np.tril(t)
np.diag(w)
np.diag(f)
np.diag(f, 1)
np.diag(w, -1)
np.diagflat(f)
np.diagflat([1, 2], 1)
np.diagonal(f)
np.diagonal(t, 0, 0, 2)
np.trace(f)
np.trace(i)
np.trace(t, 1, 1, 2)
np.linspace(0, 1, 5)
np.linspace(0, 4, 5)
np.linspace(0, 1, 4, endpoint=False)
np.linspace(0, 1, 5, retstep=True)
np.linspace(0, 4, 5, dtype=mindspore.int32)
np.linspace(w, 4, 3)
np.linspace(w, 4, 3, axis=1)
np.logspace(0, 2, 3)
np.logspace(0, 2, 3, base=2)
np.logspace(0, 2, 4, endpoint=False)
np.geomspace(1, 1000, 4)
np.geomspace(1, 256, 9)
np.meshgrid(w, v)
np.meshgrid(w, v, indexing='ij')
np.meshgrid(w, v, sparse=True)
np.mgrid[0:3, 0:2]
np.mgrid[-1:1:5j]
np.ogrid[0:3, 0:2]
np.ogrid[0:1:3j]
np.indices((2, 3))
np.indices((2, 3), sparse=True)
np.diag_indices(3)
np.diag_indices(2, 3)
np.tril_indices(3)
np.tril_indices(3, 1, 4)
np.triu_indices(3)
np.triu_indices(3, -1)
np.tril_indices_from(f)
np.triu_indices_from(f, 1)
np.ix_([0, 1], [2, 3])
np.ix_(k, k)
np.bartlett(5)
np.blackman(5)
np.hamming(5)
np.hanning(5)
np.hanning(1)
np.bartlett(0).shape
np.vander(w)
np.vander(w, 2)
np.vander(w, increasing=True)
np.reshape(f, (4,))
np.reshape(f, -1)
np.reshape([1, 2, 3, 4], (2, 2))
np.ravel(t)
np.ravel([1.0, 2])
np.transpose(t)
np.transpose(t, (1, 0, 2))
np.swapaxes(t, 0, 2)
np.moveaxis(t, 0, -1)
np.moveaxis(t, (0, 1), (-1, 0))
np.rollaxis(t, 2)
np.rollaxis(t, 0, 2)
np.expand_dims(f, 0)
np.expand_dims(f, (0, 3))
np.squeeze(f[None])
np.squeeze(f[None], 0)
np.concatenate((f, f))
np.concatenate((f, f), axis=1)
np.concatenate((i, f), axis=-1)
np.concatenate([i, l])
np.concatenate((f, f), axis=None)
np.append(w, v)
np.append(f, f, axis=0)
np.append([1, 2], 3)
np.stack((f, f))
np.stack((f, f), axis=-1)
np.hstack((w, v))
np.hstack((f, f))
np.vstack((w, w))
np.vstack((f, w[:2]))
np.dstack((f, f))
np.dstack((w, w))
np.column_stack((w, w))
np.column_stack((f, w[:2]))
np.split(v[:4], 2)
np.split(v, [1, 3])
np.split(t, 3, axis=2)
np.array_split(v, 2)
np.array_split(v, 3)
np.hsplit(f, 2)
np.vsplit(f, 2)
np.dsplit(t, 3)
np.dsplit(t, [1])
np.tile(w, 2)
np.tile(f, (2, 1))
np.tile(w, (2, 2))
np.repeat(w, 2)
np.repeat(f, 2, axis=0)
np.repeat(f, [1, 2], axis=1)
np.repeat(3, 4)
np.broadcast_to(w, (2, 3))
np.broadcast_arrays(f, w[:2])
np.flip(t)
np.flip(t, 1)
np.fliplr(f)
np.flipud(f)
np.roll(v, 2)
np.roll(f, 1)
np.roll(f, 1, 0)
np.roll(t, (1, -1), (0, 2))
np.rot90(f)
np.rot90(f, 2)
np.rot90(t, 1, (1, 2))
np.atleast_1d(3.0)
np.atleast_1d(f, 2)
np.atleast_2d(w)
np.atleast_3d(w)
np.atleast_3d(f)
np.pad(f, 1)
np.pad(w, (1, 2))
np.pad(f, ((1, 0), (0, 2)), constant_values=5)
np.pad(f, 1, mode='edge')
np.pad(w, 2, mode='reflect')
np.pad(w, 2, mode='symmetric')
np.pad(w, 2, mode='wrap')
np.pad(w, 2, mode='mean')
np.pad(w, 2, mode='maximum')
np.pad(w, 2, mode='minimum')
np.pad(w, 2, mode='linear_ramp', end_values=0)
np.pad(w, 2, mode='maximum', stat_length=1)
np.where(b, f, i)
np.where(b, 1, 0)
np.where(b, f, 0)
np.where(b)
np.where(f > 2, f, f * 10)
np.take(v, [0, 2])
np.take(f, [1, 0], axis=1)
np.take(v, 1)
np.take(v, [9, -9])
np.take(v, [9, -1], mode='wrap')
np.take_along_axis(f, np.argmax(f, 1)[:, None], 1)
np.choose([0, 1, 0], [w, w * 10])
np.select([w > 2, w > 1], [w, w * 10])
np.select([[True, False], [False, True]], [[1, 2], [3, 4]], 9)
np.searchsorted(w, 2)
np.searchsorted(w, [0.5, 2, 9])
np.searchsorted(w, [2, 3], side='right')
np.searchsorted(v, [2.5], sorter=[1, 2, 0, 4, 3])
np.digitize(v, w)
np.digitize([0.5, 2, 9], [1, 2, 3], right=True)
np.unique(k)
np.unique(k, return_inverse=True)
np.unique(l, return_inverse=True)
np.unique(t, return_inverse=True)
np.unique(v)
np.bincount(k)
np.bincount(k, minlength=6)
np.bincount(k, weights=v)
np.bincount([0, 1, 1], length=4)
np.histogram(v, 3)
np.histogram(v, [0, 2, 6])
np.histogram(v, 2, range=(0, 4))
np.histogram(v, 3, density=True)
np.histogram(v, 3, weights=v)
np.histogram_bin_edges(v, 4)
np.histogram_bin_edges(v, 2, (0, 6))
np.histogram2d(v, v, 2)
np.histogramdd(t.reshape(4, 3), bins=2)
np.in1d(v, w)
np.isin(f, [2, 3])
np.isin(i, [2, 3], invert=True)
np.intersect1d(v, w)
np.intersect1d(v, w, return_indices=True)
np.setdiff1d(v, w)
np.argwhere(b)
np.array_equal(f, f)
np.array_equal(f, w)
np.array_equal(n, n, equal_nan=True)
np.array_equiv(w, [w, w])
np.array_str(w)
np.isscalar(3)
np.isscalar(f)
np.size(f)
np.size(t, 1)
np.isclose(f, f + 1e-9)
np.isclose(n, n, equal_nan=True)
np.clip(v, 2, 4)
np.clip(v, None, 4)
np.clip(i, 2, 3)
np.clip([1, 2, 3], 2, 2)
np.cross(w, v[:3])
np.cross(f, f * 2)
np.cross([1, 2, 3], [4, 5, 6])
np.dot(w, w)
np.dot(f, w[:2])
np.dot(2, f)
np.inner(w, w)
np.inner(t, w)
np.matmul(t, w)
np.matmul(f, f)
np.matmul(t, t.transpose(0, 2, 1))
np.multi_dot([f, f, w[:2]])
np.outer(w, w)
np.outer([1, 2], [3, 4])
np.kron(w, [1, 2])
np.kron(f, f)
np.tensordot(t, t, ((1, 2), (1, 2)))
np.tensordot(f, f, 1)
np.norm(w)
np.norm(f)
np.norm(f, 1)
np.norm(f, np.inf)
np.norm(w, 1)
np.norm(w, 0)
np.norm(w, -np.inf)
np.norm(f, axis=1)
np.norm(f, 'fro')
np.norm(f, axis=0, keepdims=True)
np.norm(w, 3)
np.norm(i)
np.average(f, axis=0)
np.average(f, weights=[[1, 2], [3, 4]])
np.average(f, axis=1, weights=w[:2])
np.average(f, axis=0, returned=True)
np.cov(f)
np.cov(w, v[:3])
np.cov(f, rowvar=False)
np.cov(f, bias=True)
np.cov(f, fweights=[1, 2])
np.cov(f, aweights=[1.0, 2.0])
np.corrcoef(f)
np.corrcoef([[1.0, 2, 3], [2.0, 1, 5]])
np.convolve(w, [0.0, 1, 0.5])
np.convolve(w, [0.0, 1, 0.5], 'same')
np.convolve(w, [0.0, 1], 'valid')
np.convolve([1, 2, 3], [4, 5])
np.correlate(w, [0.0, 1, 0.5])
np.correlate(w, [0.0, 1, 0.5], 'full')
np.correlate(w, [0.0, 1, 0.5], 'same')
np.diff(v)
np.diff(v, 2)
np.diff(t, axis=1)
np.diff(v, prepend=0)
np.diff(v, append=[1.0, 2.0])
np.ediff1d(v)
np.ediff1d(v, to_end=[99.0], to_begin=0.0)
np.gradient(v)
np.gradient(v, 2.0)
np.gradient(t, axis=2)
np.gradient(f)
np.interp(q, [0.0, 0.5, 1.0], [1.0, 2.0, 4.0])
np.interp([-1.0, 2.0], [0.0, 1.0], [1.0, 2.0])
np.interp([-1.0, 2.0], [0.0, 1.0], [1.0, 2.0], left=-9.0, right=9.0)
np.trapz(v)
np.trapz(v, dx=2.0)
np.trapz(f, [1.0, 3.0])
np.trapz(t, axis=0)
np.unwrap([0.0, 1.0, 7.0, 8.0])
np.polyadd([1, 2], [3])
np.polyadd([1.0, 2], [3.0, 4, 5])
np.polysub([1, 2], [3, 4, 5])
np.polymul([1, 2], [3, 4])
np.polyder([1, 2, 3])
np.polyder([1.0, 2, 3], 2)
np.polyint([1.0, 2, 3])
np.polyint([3.0, 2], 1, 5)
np.polyint([3.0, 2], 2)
np.polyval([1, 2, 3], 2)
np.polyval([1.0, 2, 3], w)
np.polyval(w, f)
np.ravel_multi_index(([1, 0], [0, 1]), (2, 2))
np.ravel_multi_index([[3, 6, 6], [4, 5, 1]], (7, 6))
np.ravel_multi_index([[3, 6, 6], [4, 5, 1]], (7, 6), order='F')
np.unravel_index([3, 2], (2, 2))
np.unravel_index(5, (2, 3))
np.unravel_index([3, 5], (3, 2), order='F')
np.apply_along_axis(np.sum, 0, f)
np.apply_along_axis(lambda x: x * 2, 1, f)
np.apply_over_axes(np.sum, t, [0, 2])
np.piecewise(w, [w < 2, w >= 2], [-1, 1])
np.piecewise(w, [w < 2, w >= 2], [lambda x: -x, lambda x: x * 10])
np.promote_types(mindspore.float32, mindspore.int32)
np.promote_types(np.float16, np.float64)
np.result_type('i2', np.float32, True)
np.result_type(i, 2.5)
np.sum(f, initial=10)
np.sum(f, dtype=mindspore.float16)
np.sum(i, dtype=mindspore.float32)
np.mean(i, dtype=mindspore.float32)
np.max(f, axis=0, initial=2.5)
np.max(f, initial=0, where=b)
np.std(f, ddof=1)
np.var(f, axis=1, ddof=1)
np.cumsum(f, axis=1)
np.cumsum(i, dtype=mindspore.float32)
np.cumprod(f, axis=0)
np.cumsum(f * 40, dtype=mindspore.int8)
np.cumsum(i, dtype=mindspore.bool_)
np.cumsum(i.astype(mindspore.int8), dtype=mindspore.int8)
np.cumsum(i, dtype=bool)
np.nancumsum(n, dtype=mindspore.int8)
np.cumprod(f * 40, dtype=mindspore.int8)
np.cumprod(i * 100000)
np.cumprod(i, dtype=int)
np.cumprod(i, dtype=mindspore.bool_)
np.cumprod(i.astype(mindspore.uint8))
np.nansum(f * 100, dtype=mindspore.int8)
np.nansum(n, dtype="float")
np.sum(f * -40, dtype=mindspore.uint8)
np.mean(i, dtype=float)
np.matmul(f, f.T, dtype=int)
np.divmod(i, 2, dtype=int)
np.cov(f, dtype="float")
np.arange(3, dtype=int)
np.arange(3, dtype="float")
np.indices((2, 2), dtype=bool)
np.histogramdd(t.reshape(4, 3), bins=np.arange(12).reshape(3, 4))
np.histogramdd(t.reshape(4, 3), bins=np.array([2, 3, 4]))
np.histogram2d(v, v, bins=np.array([[0, 1, 2], [1, 2, 3]]))
np.histogram2d(v, v, bins=[0, 1, 2])
np.histogram(v, np.array([[0, 1, 2]]))
np.rand(2, dtype="int32")
np.rand(2, dtype=float)
np.rand(1, 1.5)
np.rand().shape
np.randn(2, dtype=mindspore.int32)
np.randn(2, dtype=None)
np.randint(1.5)
np.randint(0)
np.randint(2, 1)
np.randint(1, 5, (1.5,))
np.randint(1, 5, 3, dtype="float32")
np.randint(1, 5, 3, dtype=mindspore.uint8)
np.zeros((1.5,))
np.randint(0, 5, (2, 3)).shape
np.randint(5).shape
np.rand(2, 3).shape
np.randn(2, 3).dtype
np.rand(2).dtype
np.randint(0, 5, (2,)).dtype
np.fft.fft(w)
np.fft.rfft(v, 4)
np.fft.irfft(np.fft.rfft(v[:4]))
np.fft.fft2(f)
np.fft.fftshift(v)
np.fft.fftfreq(4, 0.5)
np.pi
np.nan
np.inf
np.int_
np.float_
np.float32
""".strip().splitlines()


def namespace(Tensor, mindspore, np, numpy):
    """What the expressions see."""
    made = {name: Tensor(numpy.array(value, dtype)) for name, (value, dtype) in INPUTS.items()}
    return {**made, "np": np, "mindspore": mindspore}


def shown(value, numpy):
    """The result as JSON: ["Float32", shape, flat values] of a Tensor, a list for a sequence, repr for the rest."""
    if hasattr(value, "asnumpy"):
        array = value.asnumpy()
        flat = array.reshape(-1).tolist()
        return [str(value.dtype), list(array.shape), [repr(v) if isinstance(v, complex) else v for v in flat]]
    if isinstance(value, (tuple, list)):
        return {type(value).__name__: [shown(v, numpy) for v in value]}
    return repr(value) if not isinstance(value, float) else value
