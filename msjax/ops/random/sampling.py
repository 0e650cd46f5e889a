"""Random numbers: normal, uniform, integer, gamma, Poisson, Laplace, Bernoulli, permutations, categories.

A call with `seed=` (or a Primitive with seeds) draws from a stream of its own that depends on these seeds and the global seed only;
`generator=` draws from that Generator. Everything else draws from the default generator.
"""

import inspect
import numbers
from collections.abc import Callable
from typing import Annotated, Any

import jax
import jax.numpy as jnp
import numpy as np

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, args
from ...core.spec import Array, Dtype, Ints, Key, Number, Operand, Seed, Static
from ...core.spec.rules import That
from ...core.values import dtype as mstype
from ...core.values.promote import numpy_among, numpy_or
from ...core.values.tensor import Tensor
from .seed_rules import FunctionSeed, IntSeed


def shape_of(name: str, shape: Any):
    """A shape as a tuple of ints."""
    if isinstance(shape, (int, np.integer)) and not isinstance(shape, bool):
        return (int(shape),)
    if not isinstance(shape, (tuple, list)):
        raise TypeError(
            f"For '{name}', the type of 'shape' must be tuple, list or Tensor of int, but got {type(shape).__name__}."
        )
    for v in shape:
        if isinstance(v, bool) or not isinstance(v, (int, np.integer)):
            raise TypeError(f"For '{name}', the elements of 'shape' must be int, but got {v!r}.")
        if v < 0:
            raise ValueError(f"For '{name}', the elements of 'shape' must be non-negative, but got {tuple(shape)}.")
    return tuple(int(v) for v in shape)


def positive_shape(name: str, shape: Any, axes: int = 0):
    """`shape_of` without zeros; axes: the fewest."""
    shape = shape_of(name, shape)
    if 0 in shape or len(shape) < axes:
        raise ValueError(f"For '{name}', the 'shape' must have at least {axes} axes and no 0, but got {shape}.")
    return shape


def _tensor_shape(name, shape):
    """`shape_of` of what was a Tensor: with one axis."""
    if not isinstance(shape, tuple | list) or any(isinstance(v, tuple | list) for v in shape):
        raise ValueError(f"For '{name}', the 'shape' must be a 1-D Tensor, but got {shape}.")
    return shape_of(name, shape)


def _draw(sampler, key, shape, dtype, default=np.float32):
    dtype = numpy_or(dtype, default)
    if dtype.kind not in "fV" and not jnp.issubdtype(dtype, jnp.floating):
        return sampler(key, shape, jnp.float32).astype(dtype)
    return sampler(key, shape, dtype)


# --- standard distributions of a shape
@op(
    random=True,
    ops=Face("standard_normal", args("shape", seed=None)),
    prim=Prim("StandardNormal", init=args(seed=0, seed2=0), call=args("shape")),
)
def standard_normal(key: Key, shape: Static[Any], seed: FunctionSeed = None, seed2: Seed = 0) -> Array:
    """float32 numbers from the standard normal distribution.

    Example:
        >>> ops.standard_normal((2, 3)).shape
        (2, 3)
    """
    return jax.random.normal(key, shape_of("StandardNormal", shape), jnp.float32)


@op(random=True, ops=False, prim=Prim("UniformReal", inputs=("shape",)))
def uniform_real(key: Key, shape: Static[Any], seed: Seed = 0, seed2: Seed = 0) -> Array:
    """float32 numbers, uniform in [0, 1)."""
    return jax.random.uniform(key, shape_of("UniformReal", shape), jnp.float32)


def _laplace(key, shape):
    return jax.random.laplace(key, shape, jnp.float32)


@op(
    random=True,
    ops=Face("standard_laplace", args("shape", seed=None)),
    prim=Prim("StandardLaplace", init=args(seed=0, seed2=0), call=args("shape")),
)
def standard_laplace(key: Key, shape: Static[Ints], seed: FunctionSeed = None, seed2: Seed = 0) -> Array:
    """float32 numbers with the density exp(-|x|) / 2."""
    return _laplace(key, shape_of("StandardLaplace", shape))


@op(random=True, ops=False, prim=Prim("TruncatedNormal", inputs=("shape",)))
def truncated_normal(
    key: Key, shape: Static[Any], dtype: Dtype = mstype.float32, seed: Seed = 0, seed2: Seed = 0
) -> Array:
    """Numbers from the standard normal distribution, drawn again beyond 2."""
    wanted = numpy_among("TruncatedNormal", dtype, "float16 float32 float64")
    shape = positive_shape("TruncatedNormal", shape, 2)
    return jax.random.truncated_normal(key, -2.0, 2.0, shape, jnp.float32).astype(wanted)


@op(random=True, ops=False, prim=Prim("NonDeterministicInts", inputs=("shape",)))
def non_deterministic_ints(key: Key, shape: Static[Any], dtype: Dtype = mstype.int64) -> Array:
    """Integers from the whole range of a type."""
    wanted = numpy_among("NonDeterministicInts", dtype, "int32 int64 uint32 uint64")
    return jax.random.bits(key, positive_shape("NonDeterministicInts", shape, 2), jnp.uint64).astype(wanted)


@op(random=True, ops=False, prim=Prim("Cauchy", init=args("size", median=0.0, sigma=1.0), call=args()))
def cauchy(key: Key, size: Static[Ints], median: Number = 0.0, sigma: Number = 1.0) -> Array:
    """float32 numbers from the Cauchy distribution around `median` with scale `sigma`."""
    if not isinstance(size, list):
        raise TypeError(f"For 'Cauchy', the type of 'size' should be 'list', but got type '{type(size).__name__}'.")
    return jax.random.cauchy(key, shape_of("Cauchy", size), jnp.float32) * sigma + median


@op(random=True, ops=False, tensor="cauchy")
def cauchy_like(key: Key, self: Array, median: Number = 0.0, sigma: Number = 1.0) -> Array:
    """Numbers from the Cauchy distribution, in the Tensor's shape."""
    return (jax.random.cauchy(key, self.shape, jnp.float32) * sigma + median).astype(self.dtype)


@op(random=True, ops=False, prim=Prim("LogNormalReverse", inputs=("input",)), tensor="log_normal")
def log_normal(key: Key, input: Array, mean: Number = 1.0, std: Number = 2.0) -> Array:
    """exp of normal numbers, in the input's shape and type."""
    return jnp.exp(jax.random.normal(key, input.shape, jnp.float32) * std + mean).astype(input.dtype)


# --- distributions with parameters
def _float(parameter):
    """A parameter as float32; a Tensor of float64 as it is."""
    array = jnp.asarray(parameter)
    return array if array.dtype == jnp.float64 and not array.weak_type else array.astype(jnp.float32)


@op(random=True, ops=True)
def normal(key: Key, shape: Static[Ints], mean: Operand, stddev: Operand, seed: FunctionSeed = None) -> Array:
    """Numbers from the normal distribution; the result has `shape`, broadcast with mean and standard deviation.

    Example:
        >>> ops.normal((3, 2), 0.0, 1.0).shape
        (3, 2)
    """
    for what, value in (("mean", mean), ("stddev", stddev)):
        if isinstance(value, (bool, str)):
            raise TypeError(
                f"For 'normal', the type of '{what}' must be int, float or Tensor, but got {type(value).__name__}."
            )
    out = jax.random.normal(key, positive_shape("normal", shape), jnp.float32)
    return out * _float(stddev) + _float(mean)


@op(random=True, ops=False, mint="normal")
def normal_around(key: Key, mean: Array = 0.0, std: Array = 1.0, size: Ints | None = None, generator: Seed = None):
    """Numbers from the normal distribution, one for each mean and deviation, or `size` of them."""
    shape = jnp.broadcast_shapes(jnp.shape(mean), jnp.shape(std)) if size is None else shape_of("normal", size)
    return jax.random.normal(key, shape, jnp.float32) * jnp.asarray(std, jnp.float32) + jnp.asarray(mean, jnp.float32)


@op(random=True, ops=True)
def laplace(key: Key, shape: Static[Ints], mean: Array, lambda_param: Array, seed: FunctionSeed = None) -> Array:
    """Numbers from the Laplace distribution around `mean` with scale `lambda_param`."""
    return _laplace(key, positive_shape("laplace", shape)) * lambda_param + mean


def _with_parameters(shape, *parameters):
    """shape + the broadcast shape of the parameters"""
    return (*shape, *jnp.broadcast_shapes(*(jnp.shape(p) for p in parameters)))


@op(
    random=True,
    ops=Face("gamma", args("shape", "alpha", "beta", seed=None)),
    prim=Prim("Gamma", init=args(seed=0, seed2=0), call=args("shape", "alpha", "beta")),
)
def gamma(
    key: Key, shape: Static[Ints], alpha: Array, beta: Array, seed: FunctionSeed = None, seed2: Seed = 0
) -> Array:
    """Numbers from the gamma distribution with shape `alpha` and rate `beta`, in the shape to which `shape` and theirs broadcast."""
    full = jnp.broadcast_shapes(positive_shape("gamma", shape), jnp.shape(alpha), jnp.shape(beta))
    return jax.random.gamma(key, jnp.asarray(alpha, jnp.float32), full, jnp.float32) / beta


@op(
    random=True,
    ops=Face("random_gamma", args("shape", "alpha", seed=None)),
    prim=Prim("RandomGamma", init=args(seed=0, seed2=0), call=args("shape", "alpha")),
)
def random_gamma(key: Key, shape: Static[Any], alpha: Array, seed: FunctionSeed = None, seed2: Seed = 0) -> Array:
    """Numbers from the gamma distribution with shape `alpha` and rate 1; the result's shape is `shape` followed by
    alpha's.
    """
    full = _with_parameters(positive_shape("random_gamma", _tensor_shape("random_gamma", shape)), alpha)
    return jax.random.gamma(key, jnp.asarray(alpha, jnp.float32), full, jnp.float32).astype(alpha.dtype)


def _poisson(key, rate, shape):
    return jax.random.poisson(jax.random.key(jax.random.bits(key, (), jnp.uint32), impl="threefry2x32"), rate, shape)


@op(
    random=True,
    ops=Face("poisson", args("shape", "mean", seed=None)),
    prim=Prim("Poisson", init=args(seed=0, seed2=0), call=args("shape", "mean")),
)
def poisson(key: Key, shape: Static[Ints], mean: Array, seed: FunctionSeed = None, seed2: Seed = 0) -> Array:
    """int32 numbers from the Poisson distribution, in the shape to which `shape` and the mean's broadcast."""
    return _poisson(key, mean, jnp.broadcast_shapes(positive_shape("poisson", shape), jnp.shape(mean))).astype(
        jnp.int32
    )


@op(
    random=True,
    ops=Face("random_poisson", args("shape", "rate", seed=None, dtype=mstype.float32)),
    prim=Prim("RandomPoisson", init=args(seed=0, seed2=0, dtype=mstype.int64), call=args("shape", "rate")),
)
def random_poisson(
    key: Key, shape: Static[Any], rate: Array, seed: FunctionSeed = None, dtype: Dtype = mstype.float32, seed2: Seed = 0
) -> Array:
    """Numbers from the Poisson distribution; the result's shape is `shape` followed by the rate's.

    Example:
        >>> ops.random_poisson(Tensor([2, 2]), Tensor([1.0, 4.0])).shape
        (2, 2, 2)
    """
    wanted = numpy_among("random_poisson", dtype, "int32 int64 float16 float32 float64")
    return _poisson(key, rate, _with_parameters(_tensor_shape("random_poisson", shape), rate)).astype(wanted)


@op(random=True, ops=False, prim=Prim("UniformInt", inputs=("shape", "minval", "maxval")))
def uniform_int(key: Key, shape: Static[Any], minval: Array, maxval: Array, seed: Seed = 0, seed2: Seed = 0) -> Array:
    """int32 numbers, uniform in [minval, maxval)."""
    if jnp.ndim(minval) or jnp.ndim(maxval):
        raise ValueError("For 'UniformInt', the 'minval' and 'maxval' must be Tensors without axes.")
    return jax.random.randint(
        key, shape_of("UniformInt", shape), jnp.asarray(minval, jnp.int32), jnp.asarray(maxval, jnp.int32), jnp.int32
    )


@op(random=True, ops=True)
def uniform(
    key: Key, shape: Static[Any], minval: Array, maxval: Array, seed: FunctionSeed = None, dtype: Dtype = mstype.float32
) -> Array:
    """Numbers uniform in [minval, maxval), of type float32 or int32; the result has `shape`, broadcast with the bounds.

    Example:
        >>> ops.uniform((4, 2), Tensor(0.0), Tensor(1.0)).shape
        (4, 2)
    """
    wanted = mstype.to_numpy(dtype)
    if wanted not in (np.int32, np.float32):
        raise TypeError(f"For 'uniform', the 'dtype' must be int32 or float32, but got {dtype}.")
    for what, bound in (("minval", minval), ("maxval", maxval)):
        if not hasattr(bound, "dtype"):
            raise TypeError(f"For functional operator[uniform], the input[{what}] must be a Tensor.")
        if bound.dtype != wanted:
            raise TypeError(f"For 'uniform', the type of '{what}' must be {dtype}, but got {bound.dtype}.")
    shape = shape_of("uniform", shape)
    if wanted == np.int32:
        return jax.random.randint(key, shape, minval, maxval, jnp.int32)
    return jax.random.uniform(key, shape, jnp.float32) * (maxval - minval) + minval


@op(random=True, ops=False, prim=Prim("ParameterizedTruncatedNormal", inputs=("shape", "mean", "stdevs", "min", "max")))
def parameterized_truncated_normal(
    key: Key, shape: Static[Any], mean: Array, stdevs: Array, min: Array, max: Array, seed: Seed = 0, seed2: Seed = 0
) -> Array:
    """Normal numbers within [min, max]; the parameters are numbers, or one for each row of the result."""
    shape = shape_of("ParameterizedTruncatedNormal", shape)
    if len(shape) < 2:
        raise ValueError(f"For 'ParameterizedTruncatedNormal', the 'shape' must have at least 2 axes, but got {shape}.")
    mean, stdevs, low, high = (
        jnp.asarray(p).reshape(jnp.shape(p) + (1,) * (len(shape) - jnp.ndim(p))) for p in (mean, stdevs, min, max)
    )
    out = jax.random.truncated_normal(key, (low - mean) / stdevs, (high - mean) / stdevs, shape, jnp.float32)
    return out.astype(mean.dtype) * stdevs + mean


# --- torch-like names
def _sizes(name, size):
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = size[0]
    return shape_of(name, size)


_SAMPLERS = {"rand": jax.random.uniform, "randn": jax.random.normal}


@op(random=True, ops=False)
def draw(
    key: Key,
    kind: Static[str],
    shape: Operand,
    dtype: Dtype | None = None,
    seed: FunctionSeed = None,
    generator: Seed = None,
):
    """Numbers of the kind "rand" (uniform in [0, 1)) or "randn" (standard normal)."""
    return _draw(_SAMPLERS[kind], key, shape, dtype)


def _check_tensor(name, given):
    if not isinstance(given, Tensor):
        raise TypeError(f"For '{name}', the 'input' must be a Tensor, but got {type(given).__name__}.")


def _check_float(name, dtype):
    if dtype is not None and dtype not in mstype.float_type:
        raise ValueError(f"For '{name}', the 'dtype' must be a float type, but got {dtype}.")


def _named_draw(kind, what):
    def run(*size: Any, dtype: Dtype | None = None, seed: int | None = None) -> Array:
        _check_float(kind, dtype)
        return records["draw"](kind, _sizes(kind, size), dtype, seed, None)

    def like(input: Array, seed: int | None = None, *, dtype: Dtype | None = None) -> Array:
        _check_tensor(f"{kind}_like", input)
        dtype = dtype or (input.dtype if kind == "rand" else mstype.float32)
        _check_float(f"{kind}_like", dtype)
        return records["draw"](kind, input.shape, dtype, seed, None)

    def mint_like(input: Array, *, dtype: Dtype | None = None, device: str | None = None) -> Array:
        _check_tensor(f"{kind}_like", input)
        return records["draw"](kind, input.shape, dtype or input.dtype, None, None)

    def with_generator(
        *size: Any, generator: Any = None, dtype: Dtype | None = None, device: str | None = None
    ) -> Array:
        if size and isinstance(size[0], (tuple, list)):  # what stands behind it is ignored, in MindSpore, too
            size = size[:1]
        size = tuple(v.item() if isinstance(v, Tensor) and v.size == 1 else v for v in size)
        return records["draw"](kind, _sizes(kind, size), dtype, None, generator)

    run.__doc__ = f"{what} of the given size.\n\nExample:\n    >>> ops.{kind}(2, 3)\n"
    type_ = "and type " if kind == "rand" else ""
    like.__doc__ = f"{what} in the shape {type_}of a Tensor, of float types only."
    mint_like.__doc__ = f"{what} in the shape and type of a Tensor."
    with_generator.__doc__ = run.__doc__.replace("ops.", "mint.")
    composite(run, name=kind, ops=kind)
    composite(like, name=f"{kind}_like", ops=f"{kind}_like")
    composite(mint_like, name=f"mint_{kind}_like", ops=False, mint=f"{kind}_like")
    composite(with_generator, name=f"mint_{kind}", ops=False, mint=kind)


_named_draw("rand", "Numbers uniform in [0, 1)")
_named_draw("randn", "Numbers from the standard normal distribution")


@op(random=True, ops=Face("randint", args("low", "high", "size", seed=None).only(dtype=None)))
def randint(
    key: Key,
    low: Static[int],
    high: Static[int],
    size: Static[Ints],
    seed: FunctionSeed = None,
    dtype: Dtype | None = None,
    generator: Seed = None,
) -> Array:
    """Integers in [low, high), int64 by default.

    Example:
        >>> ops.randint(0, 10, (2, 3)).shape
        (2, 3)
    """
    for what, value in (("low", low), ("high", high)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"For 'randint', '{what}' must be an int, but got {type(value).__name__}.")
    if low >= high:
        raise ValueError(f"For 'randint', 'low' must be less than 'high', but got low: {low}, high: {high}.")
    if dtype is not None and numpy_or(dtype).kind not in "iuf":
        raise ValueError(f"For 'randint', the 'dtype' must be an int type, but got {dtype}.")
    return jax.random.randint(key, shape_of("randint", size), low, high, jnp.int64).astype(numpy_or(dtype, np.int64))


@composite(ops=Face("randint_like", args("input", "low", "high", seed=None).only(dtype=None)))
def randint_like(input: Array, low: int, high: int, seed: int | None = None, dtype: Dtype | None = None) -> Array:
    """Integers in [low, high) in the shape and type of a Tensor."""
    _check_tensor("randint_like", input)
    dtype = dtype or input.dtype
    if dtype not in mstype.int_type:
        raise ValueError(f"For 'randint_like', the 'dtype' must be an int type, but got {dtype}.")
    return records["randint"](low, high, input.shape, seed, dtype, None)


def _limits(name, given, low, high, size):
    """(low, high, size) of `high, size` or `low, high, size`, of which any may be keywords."""
    wanted = [n for n, v in (("low", low), ("high", high), ("size", size)) if v is None]
    if "low" in wanted and len(given) == len(wanted) - 1:
        wanted.remove("low")
    if len(given) != len(wanted):
        raise TypeError(f"For '{name}', the arguments must be (high, size) or (low, high, size), but got {given}.")
    named = {"low": low, "high": high, "size": size, **dict(zip(wanted, given))}
    return 0 if named["low"] is None else named["low"], named["high"], named["size"]


@composite(ops=False, name="mint_randint", mint="randint")
def mint_randint(
    *args: Any,
    low: int | None = None,
    high: int | None = None,
    size: Ints | None = None,
    generator: Any = None,
    dtype: Dtype | None = None,
    device: str | None = None,
) -> Array:
    """Integers: `randint(high, size)` or `randint(low, high, size)`.

    Example:
        >>> mint.randint(0, 5, size=(2,)).shape
        (2,)
    """
    low, high, size = _limits("randint", args, low, high, size)
    return records["randint"](low, high, size, None, dtype, generator)


@composite(ops=False, name="mint_randint_like", mint="randint_like")
def mint_randint_like(
    input: Array,
    *args: Any,
    low: int | None = None,
    high: int | None = None,
    dtype: Dtype | None = None,
    device: str | None = None,
) -> Array:
    """Integers in the shape and type of a Tensor: `randint_like(input, high)` or `randint_like(input, low, high)`."""
    low, high, size = _limits("randint_like", args, low, high, input.shape)
    return records["randint"](low, high, size, None, dtype or input.dtype, None)


_Offset = Annotated[int, That("not negative", lambda value: value >= 0)]
_OF_PERMUTATIONS = "int8 uint8 int16 int32 int64 float16 bfloat16 float32 float64"


@op(
    random=True,
    ops=Face("randperm", args("n", seed=0, offset=0, dtype=mstype.int64), fixed={"least": 1}),
    prim=Prim("RandpermV2", init=args(seed=0, offset=0, dtype=mstype.int64), call=args("n"), fixed={"least": 1}),
    mint=Face("randperm", args("n").only(generator=None, dtype=mstype.int64)),
)
def randperm(
    key: Key,
    n: Static[Any],
    seed: IntSeed = 0,
    offset: _Offset = 0,
    dtype: Dtype = mstype.int64,
    generator: Seed = None,
    least: int = 0,
) -> Array:
    """The numbers 0 to n - 1 in random order.

    Example:
        >>> sorted(ops.randperm(4).asnumpy().tolist())
        [0, 1, 2, 3]
    """
    n = n[0] if isinstance(n, tuple) else n
    if isinstance(n, bool) or not isinstance(n, int):
        raise TypeError(f"For 'randperm', the type of 'n' must be int, but got {type(n).__name__}.")
    if n < least:
        raise ValueError(f"For 'randperm', the 'n' must be at least {least}, but got {n}.")
    return jax.random.permutation(key, n).astype(numpy_among("randperm", dtype, _OF_PERMUTATIONS))


@op(random=True, ops=False, prim=Prim("Randperm", inputs=("n",)), name="randperm_padded")
def randperm_padded(key: Key, n: Static[Any], max_length: int = 1, pad: int = -1, dtype: Dtype = mstype.int32):
    """The numbers 0 to n - 1 in random order, filled up with `pad` to `max_length`."""
    n = n[0] if isinstance(n, tuple) else n
    if n > max_length:
        raise ValueError(f"For 'Randperm', the 'n' must be at most 'max_length' {max_length}, but got {n}.")
    return jnp.pad(jax.random.permutation(key, n), (0, max_length - n), constant_values=pad).astype(
        numpy_among("Randperm", dtype, "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64")
    )


@op(
    random=True,
    ops=Face("shuffle", args("x", seed=None)),
    prim=Prim("RandomShuffle", init=args(seed=0, seed2=0), call=args("input_x"), to={"input_x": "x"}),
)
def shuffle(key: Key, x: Array, seed: FunctionSeed = None, seed2: Seed = 0) -> Array:
    """The rows of a Tensor in random order.

    Example:
        >>> sorted(ops.shuffle(Tensor([1, 2, 3, 4])).asnumpy().tolist())
        [1, 2, 3, 4]
    """
    return x if x.ndim == 0 else jax.random.permutation(key, x)


# --- in place
def in_place(fn: Callable):
    """Decorator that registers a function that fills a Tensor."""
    _, _, *settings, _ = inspect.signature(fn).parameters.values()
    numbers = {p.name: p.default for p in settings}
    return op(
        fn,
        random=True,
        ops=Face(fn.__name__, args("input", **numbers).only(generator=None)),
        tensor=Method(fn.__name__, args(**numbers).only(generator=None)),
        writes=(0,),
    )


def _integers(key, input, low, high):
    """Integers in [low, high), by default in [0, greatest exact number of the type)."""
    if high is None:
        low, high = (0, low) if low else (0, None)
    if high is None:
        bits = (
            jnp.finfo(input.dtype).nmant + 1
            if jnp.issubdtype(input.dtype, jnp.floating)
            else jnp.iinfo(input.dtype).bits - 1
        )
        high = 1 << min(int(bits), 62)
    return jax.random.randint(key, input.shape, low, high, jnp.int64).astype(input.dtype)


@in_place
def normal_(key: Key, input: Array, mean: Number = 0, std: Number = 1, generator: Seed = None) -> Array:
    """Fill a Tensor with normal numbers, and return it."""
    return (jax.random.normal(key, input.shape, jnp.float32) * std + mean).astype(input.dtype)


@in_place
def uniform_(key: Key, input: Array, from_: Operand = 0, to: Operand = 1, generator: Seed = None):
    """Fill a Tensor with numbers uniform in [from_, to), and return it."""
    return (jax.random.uniform(key, input.shape, jnp.float32) * (to - from_) + from_).astype(input.dtype)


@in_place
def random_(key: Key, input: Array, from_: int = 0, to: Any = None, generator: Seed = None):
    """Fill a Tensor with integers in [from_, to), and return it."""
    return _integers(key, input, from_, to)


@in_place
def exponential_(key: Key, input: Array, lambd: Number = 1, generator: Seed = None) -> Array:
    """Fill a Tensor with exponentially distributed numbers of rate `lambd`, and return it."""
    return (jax.random.exponential(key, input.shape, jnp.float32) / lambd).astype(input.dtype)


@op(random=True, ops=False, tensor="uniform")
def uniform_like(key: Key, input: Array, from_: Number = 0.0, to: Number = 1.0, generator: Seed = None) -> Array:
    """Numbers uniform in [from_, to) in the shape and type of a Tensor."""
    return (jax.random.uniform(key, input.shape, jnp.float32) * (to - from_) + from_).astype(input.dtype)


# --- noise in activations
@op(random=True, ops=True)
def gumbel_softmax(key: Key, logits: Array, tau: Number = 1.0, hard: bool = False, dim: int = -1) -> Array:
    """softmax((logits + Gumbel noise) / tau); `hard` gives its one-hot maximum, with the soft gradient (Jang et al., 2017)."""
    if not isinstance(tau, numbers.Real) or tau <= 0:  # no Tensor, either
        raise ValueError(f"For 'gumbel_softmax', the 'tau' must be a positive number, but got {tau}.")
    soft = jax.nn.softmax((logits + jax.random.gumbel(key, logits.shape, jnp.float32).astype(logits.dtype)) / tau, dim)
    if not hard:
        return soft
    best = jax.nn.one_hot(jnp.argmax(soft, dim), logits.shape[dim], dtype=logits.dtype, axis=dim)
    return jax.lax.stop_gradient(best - soft) + soft


@op(random=True, ops=True)
def rrelu(key: Key, input: Array, lower: Number = 0.125, upper: Number = 1 / 3) -> Array:
    """x where x >= 0, else x times a random slope in [lower, upper)."""
    if lower > upper:
        raise ValueError(f"For 'rrelu', the 'upper' must be at least 'lower', {lower}, but got {upper}.")
    slope = jax.random.uniform(key, input.shape, jnp.float32, lower, upper).astype(input.dtype)
    return input * jnp.where(input > 0, 1, jnp.where(input < 0, slope, 0)).astype(input.dtype)  # flat at 0
