"""Simulated quantization: values rounded to the numbers that few bits can hold, with the gradient of the identity inside the range.

The formulas are those of https://arxiv.org/abs/1712.05877 (a range that is nudged so that 0 is exact) and, for learned scales,
https://arxiv.org/abs/1902.08153.
"""

from typing import Any

from jax import lax
from jax import numpy as jnp

from ..core.operators.primitive import Primitive
from ..core.operators.record import op
from ..core.operators.rows import Prim
from ..core.spec import Array, Number, Operand

_SETTINGS = "num_bits=8, ema=False, ema_decay=0.999, quant_delay=0, symmetric=False, narrow_range=False, training=True"


def _moved(x, factor=1):
    """0 with the gradient of factor * x: added to a number, it leaves that as it is, to the last bit."""
    return lax.stop_gradient(factor) * (x - lax.stop_gradient(x))


def _divided(x, step):
    """x / step. XLA would multiply by the inverse of one number for all: another result in the last bit, which decides on halves."""
    return x / lax.optimization_barrier(jnp.broadcast_to(jnp.asarray(step, x.dtype), x.shape))


def _rounded(x):
    """Halves go up."""
    return jnp.floor(x + 0.5)


def _nudged(low, high, num_bits, symmetric, narrow_range):
    """(number of the lowest step, of the highest, size of a step) of the nearest range in which 0 is a step."""
    low, high = jnp.minimum(low, 0), jnp.maximum(high, 0)
    if symmetric:
        high = jnp.maximum(-low, high)
        low = -high
        first, last = -(2 ** (num_bits - 1)) + narrow_range, 2 ** (num_bits - 1) - 1
    else:
        first, last = int(narrow_range), 2**num_bits - 1
    step = _divided(high - low, last - first)
    step = jnp.where(step == 0, 1, step)
    zero = jnp.clip(_rounded(first - low / step), first, last)
    return first - zero, last - zero, step


def _quantized(x, low, high, **bits):
    lowest, highest, step = lax.stop_gradient(_nudged(low, high, **bits))
    low, high = lowest * step, highest * step
    result = (_rounded(_divided(jnp.clip(x, low, high) - low, step)) + lowest) * step
    return (lax.stop_gradient(result) + _moved(x, (x >= low) & (x <= high))).astype(x.dtype)


def _channels(values, rank, axis):
    return values.reshape([-1 if i == axis % rank else 1 for i in range(rank)])


@op(ops=False, prim=Prim("FakeQuantPerLayer", inputs=("x", "min", "max")))
def fake_quant_per_layer(
    x: Array,
    min: Operand,
    max: Operand,
    *,
    num_bits: int = 8,
    ema: bool = False,
    ema_decay: Number = 0.999,
    quant_delay: int = 0,
    symmetric: bool = False,
    narrow_range: bool = False,
    training: bool = True,
):
    """x rounded to `num_bits` bits between `min` and `max` (one value each). With `quant_delay` steps to wait: x itself."""
    if quant_delay and training:
        return x
    return _quantized(x, min, max, num_bits=num_bits, symmetric=symmetric, narrow_range=narrow_range)


@op(ops=False, prim=Prim("FakeQuantPerChannel", inputs=("x", "min", "max")))
def fake_quant_per_channel(
    x: Array,
    min: Operand,
    max: Operand,
    *,
    num_bits: int = 8,
    ema: bool = False,
    ema_decay: Number = 0.999,
    quant_delay: int = 0,
    symmetric: bool = False,
    narrow_range: bool = False,
    training: bool = True,
    channel_axis: int = 1,
):
    """The same with a range for each index of one axis."""
    if quant_delay and training:
        return x
    low, high = (_channels(v, x.ndim, channel_axis) for v in (min, max))
    return _quantized(x, low, high, num_bits=num_bits, symmetric=symmetric, narrow_range=narrow_range)


@op(ops=False, prim=Prim("FakeQuantWithMinMaxVars", inputs=("x", "min", "max")))
def fake_quant_with_min_max_vars(
    x: Array, min: Operand, max: Operand, *, num_bits: int = 8, narrow_range: bool = False
):
    """x rounded to `num_bits` bits between `min` and `max`."""
    return _quantized(x, min, max, num_bits=num_bits, symmetric=False, narrow_range=narrow_range)


@op(ops=False, prim=Prim("FakeQuantWithMinMaxVarsPerChannel", inputs=("x", "min", "max")))
def fake_quant_with_min_max_vars_per_channel(
    x: Array, min: Operand, max: Operand, *, num_bits: int = 8, narrow_range: bool = False
):
    """The same with a range for each index of the last axis."""
    return _quantized(x, min, max, num_bits=num_bits, symmetric=False, narrow_range=narrow_range)


def _averaged(seen, old, ema, ema_decay):
    return (old * ema_decay + seen * (1 - ema_decay) if ema else seen).astype(old.dtype)


@op(ops=False, prim=Prim("MinMaxUpdatePerLayer", inputs=("x", "min", "max")))
def min_max_update_per_layer(x: Array, min: Operand, max: Operand, *, ema: bool = False, ema_decay: Number = 0.999):
    """(min, max) of x, or their moving averages; 0 lies between them."""
    low, high = jnp.minimum(jnp.min(x), 0).reshape(1), jnp.maximum(jnp.max(x), 0).reshape(1)
    return _averaged(low, min, ema, ema_decay), _averaged(high, max, ema, ema_decay)


@op(ops=False, prim=Prim("MinMaxUpdatePerChannel", inputs=("x", "min", "max")))
def min_max_update_per_channel(
    x: Array, min: Operand, max: Operand, *, ema: bool = False, ema_decay: Number = 0.999, channel_axis: int = 1
):
    """The same for each index of one axis."""
    others = tuple(i for i in range(x.ndim) if i != channel_axis % x.ndim)
    low, high = jnp.minimum(jnp.min(x, others), 0), jnp.maximum(jnp.max(x, others), 0)
    return _averaged(low, min, ema, ema_decay), _averaged(high, max, ema, ema_decay)


def _learned(x, alpha, quant_max, neg_trunc):
    lowest, ratio = 0 if neg_trunc else -1, _divided(x, alpha)
    steps = _divided(_rounded(jnp.clip(ratio, lowest, 1) * quant_max), quant_max)
    above, below = ratio > 1, ratio < lowest
    slope = jnp.where(above, 1, jnp.where(below, -1, steps - ratio))
    result = lax.stop_gradient(steps * alpha) + _moved(x, ~(above | below)) + _moved(alpha, slope)
    return result.astype(x.dtype)


@op(ops=False, prim=Prim("FakeLearnedScaleQuantPerLayer", inputs=("input_x", "alpha", "quant_max")))
def fake_learned_scale_quant_per_layer(
    input_x: Array,
    alpha: Operand,
    quant_max: Operand,
    *,
    quant_delay: int = 0,
    neg_trunc: bool = False,
    training: bool = True,
):
    """x rounded to steps of alpha / quant_max within [-alpha, alpha] ([0, alpha] with `neg_trunc`); alpha gets a gradient."""
    return input_x if quant_delay and training else _learned(input_x, alpha, quant_max, neg_trunc)


@op(ops=False, prim=Prim("FakeLearnedScaleQuantPerChannel", inputs=("input_x", "alpha", "quant_max")))
def fake_learned_scale_quant_per_channel(
    input_x: Array,
    alpha: Operand,
    quant_max: Operand,
    *,
    quant_delay: int = 0,
    neg_trunc: bool = False,
    training: bool = True,
    channel_axis: int = 1,
):
    """The same with an alpha for each index of one axis."""
    alpha = _channels(alpha, input_x.ndim, channel_axis)
    return input_x if quant_delay and training else _learned(input_x, alpha, quant_max, neg_trunc)


class FakeQuantParam(Primitive):
    """Carries quantization parameters through a network: gives its input back.

    Args:
        quant_dtype: QuantDtype of the quantized values. quant_algo_name: name of the algorithm. is_per_channel: whether there
            is a parameter for each channel. kwargs: the parameters, kept as attributes.

    Example:
        >>> from mindspore.ops import FakeQuantParam
        >>> print(FakeQuantParam.linear_quant_param(ms.QuantDtype.INT8, 0.5, 1)(Tensor([1.0])))
        [1.]
    """

    attr_key_linear_quant_scale = "linear_quant_scale"
    attr_key_linear_quant_zero_point = "linear_quant_zero_point"
    attr_value_linear_quant_algo_name = "linear_quant_algo"

    def __init__(self, quant_dtype: Any, quant_algo_name: str, is_per_channel: bool, **kwargs):
        super().__init__("FakeQuantParam")
        given = {
            "quant_algo_name": quant_algo_name,
            "is_per_channel": is_per_channel,
            "quant_dtype": quant_dtype.value(),
        }
        for name, value in {**given, **kwargs}.items():
            self.add_prim_attr(name, value)

    @classmethod
    def linear_quant_param(cls, quant_dtype: Any, scale: Any, zp: Any, is_per_channel: bool = False, **kwargs):
        """The operator of `x = (q - zp) * scale`."""
        kwargs[cls.attr_key_linear_quant_scale] = list(scale) if isinstance(scale, (list, tuple)) else [scale]
        kwargs[cls.attr_key_linear_quant_zero_point] = list(zp) if isinstance(zp, (list, tuple)) else [zp]
        return cls(quant_dtype, cls.attr_value_linear_quant_algo_name, is_per_channel, **kwargs)

    def __call__(self, x: Any):
        return x
