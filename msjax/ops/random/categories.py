"""Bernoulli draws, categories and choices."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, args
from ...core.spec import Array, Dtype, Key, Operand, Seed, Static
from ...core.values import dtype as mstype
from ...core.values.promote import numpy_among
from .sampling import in_place
from .seed_rules import FunctionSeed, IntSeed


# --- Bernoulli and categories
def _bernoulli(key, shape, p, dtype):
    return (jax.random.uniform(key, shape, jnp.float32) < p).astype(dtype)


@op(
    random=True,
    ops=Face("bernoulli", args("input", p=0.5, seed=None)),
    prim=Prim("Bernoulli", init=args(seed=-1, offset=0), call=args("x", "p"), to={"x": "input"}),
)
def bernoulli(key: Key, input: Array, p: Operand = 0.5, seed: IntSeed = None, offset: int = 0) -> Array:
    """1 with probability p, else 0, in the shape and type of a Tensor.

    Example:
        >>> print(ops.bernoulli(Tensor([1, 2, 3]), p=0.5))
        [1 1 1]
    """
    return _bernoulli(key, input.shape, p, input.dtype)


def _probabilities(input):
    if not input.is_floating_point():
        raise TypeError(f"For 'BernoulliExt', the 'input' must be a Tensor of floats, but got one of {input.dtype}.")
    return input


@composite(
    ops=False,
    tensor=Method("bernoulli", args(p=None).only(generator=None)),
    mint=Face("bernoulli", args("input").only(generator=None)),
    name="bernoulli_of",
)
def bernoulli_of(input: Array, p: Any = None, generator: Any = None):
    """1 with the probability in the Tensor (or `p`), else 0."""
    return records["bernoulli_draw"](input, _probabilities(input) if p is None else p, generator)


@op(random=True, ops=False)
def bernoulli_draw(key: Key, input: Array, p: Operand, generator: Seed = None):
    """1 with probability p, else 0, in the shape and type of a Tensor; draws from a Generator."""
    return _bernoulli(key, input.shape, p, input.dtype)


@composite(ops=Face("bernoulli_ext", args("input").only(generator=None)))
def bernoulli_ext(input: Array, generator: Any = None) -> Array:
    """1 with the probability in the Tensor, else 0."""
    return records["bernoulli_draw"](input, _probabilities(input), generator)


def _without_replacement(key, probability, count):
    """`count` different categories, by the greatest of perturbed logarithms (Gumbel)."""
    noise = jax.random.gumbel(key, probability.shape, jnp.float32)
    return jax.lax.top_k(jnp.log(probability.astype(jnp.float32)) + noise, count)[1]


def _with_replacement(key, probability, count):
    """`count` categories for each row of unnormalised probabilities."""
    logits = jnp.log(probability.astype(jnp.float32))
    return jnp.moveaxis(jax.random.categorical(key, logits, -1, (count, *logits.shape[:-1])), 0, -1)


def _multinomial(name, key, x, count, replacement):
    if x.ndim not in (1, 2):
        raise ValueError(f"For '{name}', the dimension of inputs must be 1d or 2d, but got {x.ndim}.")
    if isinstance(count, bool) or not isinstance(count, int):
        raise TypeError(f"For '{name}', the type of 'num_samples' must be int, but got {type(count).__name__}.")
    if count < (0 if replacement else 1):
        raise ValueError(f"For '{name}', the 'num_samples' must be positive, but got {count}.")
    if not replacement and count > x.shape[-1]:
        raise ValueError(
            f"For '{name}', the 'num_samples' must be less than the last dimension of input without 'replacement', but got "
            f"'num_samples': {count} and 'replacement': {replacement}"
        )
    return (_with_replacement if replacement else _without_replacement)(key, x, count)


@op(random=True, ops=True, tensor="multinomial")
def multinomial(
    key: Key, input: Array, num_samples: Static[int], replacement: bool = True, seed: FunctionSeed = None
) -> Array:
    """int32 category numbers, drawn with the (unnormalised) probabilities of each row.

    Example:
        >>> ops.multinomial(Tensor([0.1, 0.9]), 4).shape
        (4,)
    """
    return _multinomial("multinomial", key, input, num_samples, replacement).astype(jnp.int32)


@op(
    random=True,
    ops=False,
    mint=Face("multinomial", args("input", "num_samples", replacement=False).only(generator=None)),
    name="mint_multinomial",
)
def mint_multinomial(
    key: Key, input: Array, num_samples: Static[int], replacement: bool = False, generator: Seed = None
) -> Array:
    """int64 category numbers, drawn with the (unnormalised) probabilities of each row."""
    return _multinomial("multinomial", key, input, num_samples, replacement).astype(jnp.int64)


@op(random=True, ops=False, prim=Prim("Multinomial", inputs=("x", "num_samples")), name="multinomial_primitive")
def multinomial_primitive(
    key: Key, x: Array, num_samples: Static[int], seed: Seed = 0, seed2: Seed = 0, dtype: Dtype = mstype.int32
) -> Array:
    """Category numbers, drawn with replacement with the (unnormalised) probabilities of each row."""
    return _multinomial("Multinomial", key, x, num_samples, True).astype(
        numpy_among("Multinomial", dtype, "int32 int64")
    )


@op(ops=True, prim=Prim("MultinomialWithReplacement", inputs=("x", "seed", "offset")))
def multinomial_with_replacement(
    x: Array, seed: Static[Any], offset: Static[Any], numsamples: Static[int], replacement: bool = False
) -> Array:
    """int64 category numbers; only seed and offset decide the draw."""
    if numsamples < 1:
        raise ValueError(f"For 'MultinomialWithReplacement', the 'numsamples' must be positive, but got {numsamples}.")
    if numsamples > x.shape[-1] and not replacement:
        raise ValueError(
            f"For 'MultinomialWithReplacement', the value of numsamples must equal or less than x_shape[-1], but got {numsamples}."
        )
    numbers = [int(np.reshape(v, -1)[0]) for v in (seed, offset)]
    key = jax.random.fold_in(jax.random.key(numbers[0]), numbers[1] & 0xFFFFFFFF)
    return (_with_replacement if replacement else _without_replacement)(key, x, numsamples).astype(jnp.int64)


@op(
    random=True,
    ops=True,
    tensor="random_categorical",
    prim=Prim(
        "RandomCategorical",
        init=args(dtype=mstype.int64),
        call=args("logits", "num_samples", "seed"),
        to={"num_samples": "num_sample"},
    ),
)
def random_categorical(
    key: Key, logits: Array, num_sample: Static[int], seed: Static[Seed] = 0, dtype: Dtype = mstype.int64
):
    """Category numbers (rows, num_sample), drawn with the probabilities softmax(logits) of each row."""
    if num_sample < 1:
        raise ValueError(f"For 'RandomCategorical', the 'num_sample' must be positive, but got {num_sample}.")
    wanted = numpy_among("RandomCategorical", dtype, "int16 int32 int64")
    out = jax.random.categorical(key, logits.astype(jnp.float32), -1, (num_sample, logits.shape[0]))
    return out.T.astype(wanted)


@op(
    random=True,
    ops=Face("choice_with_mask", args("input_x", count=256, seed=None)),
    prim=Prim("RandomChoiceWithMask", init=args(count=256, seed=0, seed2=0), call=args("input_x")),
)
def choice_with_mask(key: Key, input_x: Array, count: int = 256, seed: FunctionSeed = None, seed2: Seed = 0):
    """(places (count, ndim) of randomly chosen True elements, mask of the valid ones); the rest is zeros.

    RuntimeError: the places are more than 2^31 - 1 numbers.
    """
    if count < 1:
        raise ValueError(f"For 'RandomChoiceWithMask', the 'count' must be positive, but got {count}.")
    if count * input_x.ndim > np.iinfo(np.int32).max:
        raise RuntimeError(f"For 'RandomChoiceWithMask', {count} places of {input_x.ndim} numbers exceed 2^31 - 1.")
    flat = input_x.reshape(-1)
    chance = jnp.where(flat, jax.random.uniform(key, flat.shape, jnp.float32), 2.0)
    order = jnp.argsort(chance)[:count]
    order = jnp.pad(order, (0, max(count - flat.shape[0], 0)))
    valid = jnp.arange(count) < jnp.sum(flat)
    places = jnp.stack(jnp.unravel_index(order, input_x.shape), -1)
    return jnp.where(valid[:, None], places, 0).astype(jnp.int32), valid


@in_place
def bernoulli_(key: Key, input: Array, p: Operand = 0.5, generator: Seed = None):
    """Fill a Tensor with ones of probability p and zeros, and return it."""
    return _bernoulli(key, input.shape, p, input.dtype)
