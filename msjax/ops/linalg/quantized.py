"""Numbers of 8 bits in inference: rounding to them, and matrix products with them (weights alone, or both sides)."""

from typing import Any

import jax.numpy as jnp
from jax import lax

from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Dtype, Number, Operand
from ...core.values import dtype as mstype
from ...core.values.dtype import to_numpy

_ROUNDINGS = {"ROUND": jnp.round, "FLOOR": jnp.floor, "CEIL": jnp.ceil, "TRUNC": jnp.trunc}


def _saturated(x):
    return jnp.clip(x, -128, 127).astype(jnp.int8)


@op(
    ops=Face("quant_v2", args("x", "scale", "offset", sqrt_mode=False, rounding_mode="ROUND", dst_type=mstype.int8)),
    prim=Prim(
        "QuantV2", call=args("x", "scale", "offset", sqrt_mode=False, rounding_mode="ROUND", dst_type=mstype.int8)
    ),
)
def quant_v2(
    x: Array,
    scale: Operand,
    offset: Operand,
    sqrt_mode: bool = False,
    rounding_mode: str = "ROUND",
    dst_type: Any = None,
):
    """int8: x * scale + offset (with sqrt_mode x * scale * scale + offset), rounded, and cut at -128 and 127.

    rounding_mode: ROUND (half to even), FLOOR, CEIL or TRUNC, in any case of letters.

    Raises:
        ValueError: another rounding_mode, or a dst_type other than int8.
    """
    rounding = _ROUNDINGS.get(rounding_mode.upper())
    if rounding is None or (dst_type is not None and to_numpy(dst_type) != jnp.int8):
        raise ValueError(
            f"For 'quant_v2', the 'rounding_mode' must be one of {list(_ROUNDINGS)} and 'dst_type' int8, but got {rounding_mode!r} and "
            f"{dst_type}."
        )
    if x.dtype == jnp.bfloat16:  # too few digits for 255 steps
        x, scale, offset = (a.astype(jnp.float32) for a in (x, scale, offset))
    return _saturated(rounding((x * scale * scale if sqrt_mode else x * scale) + offset))


@op(ops=True, prim=Prim("DynamicQuantExt"))
def dynamic_quant_ext(x: Array, smooth_scales: Any = None):
    """(int8 x / scale, float32 scale (...)) where the scale of each row of x (..., N) is its largest |x| / 127; x times `smooth_scales` (N,)."""
    x = x.astype(jnp.float32)
    if smooth_scales is not None:
        x = x * smooth_scales.astype(jnp.float32)
    scale = jnp.max(jnp.abs(x), axis=-1, keepdims=True) / 127
    return _saturated(jnp.round(x / jnp.where(scale == 0, 1, scale))), scale[..., 0]


def _per_column(scale):
    """The float32 that an integer scale holds in its lower 32 bits, or the scale."""
    if jnp.issubdtype(scale.dtype, jnp.integer):
        return lax.bitcast_convert_type(scale.astype(jnp.uint32), jnp.float32)
    return scale.astype(jnp.float32)


@op(
    ops=Face(
        "quant_batch_matmul",
        args(
            "x1",
            "x2",
            "scale",
            offset=None,
            bias=None,
            pertokenScaleOptional=None,
            transpose_x1=False,
            transpose_x2=False,
            dtype=mstype.float16,
        ),
    ),
    prim=Prim(
        "QuantBatchMatmul",
        init=args(transpose_x1=False, transpose_x2=False, dtype=mstype.float16),
        call=args("x1", "x2", "scale", offset=None, bias=None, pertokenScaleOptional=None),
    ),
)
def quant_batch_matmul(
    x1: Array,
    x2: Operand,
    scale: Operand,
    offset: Any = None,
    bias: Number | None = None,
    pertokenScaleOptional: Any = None,  # noqa: N803 - MindSpore's name
    transpose_x1: bool = False,
    transpose_x2: bool = False,
    dtype: Dtype | None = None,
):
    """(x1 @ x2 + bias) * scale, x1 (..., M, K) and x2 (..., K, N) of int8, summed exactly in int32; rows times `pertokenScaleOptional` (M,).

    scale: (N,) or (1,), float, or int64 with the bits of a float32. bias: int32 (N,), added before the scale; a float one behind it.
    dtype: of the result, float16, bfloat16 or int8 (rounded, plus `offset`).
    """
    x1 = jnp.swapaxes(x1, -1, -2) if transpose_x1 else x1
    x2 = jnp.swapaxes(x2, -1, -2) if transpose_x2 else x2
    out = jnp.matmul(x1, x2, preferred_element_type=jnp.int32)
    after = bias is not None and jnp.issubdtype(bias.dtype, jnp.floating)
    if bias is not None and not after:
        out = out + bias
    out = out.astype(jnp.float32) * _per_column(scale)
    if pertokenScaleOptional is not None:
        out = out * pertokenScaleOptional[..., None]
    if after:
        out = out + bias.astype(jnp.float32)
    kind = to_numpy(dtype)
    if kind == jnp.int8:
        return _saturated(jnp.round(out if offset is None else out + offset))
    return out.astype(kind)


@op(
    ops=True,
    prim=Prim(
        "WeightQuantBatchMatmul",
        inputs=("x", "weight", "antiquant_scale", "antiquant_offset", "quant_scale", "quant_offset", "bias"),
    ),
)
def weight_quant_batch_matmul(
    x: Array,
    weight: Array,
    antiquant_scale: Operand,
    antiquant_offset: Any = None,
    quant_scale: Any = None,
    quant_offset: Any = None,
    bias: Number | None = None,
    transpose_x: bool = False,
    transpose_weight: bool = False,
    antiquant_group_size: int = 0,
):
    """x @ ((weight + antiquant_offset) * antiquant_scale) + bias, for x (..., M, K) and weight (K, N) of int8.

    antiquant_scale, antiquant_offset: (1,), (N,), or (K / antiquant_group_size, N), a row for so many rows of the weight; transposed as the
    weight is. quant_scale, quant_offset: the result as int8, result * quant_scale + quant_offset rounded.
    """
    x = jnp.swapaxes(x, -1, -2) if transpose_x else x
    weight = weight.astype(antiquant_scale.dtype)
    weight = jnp.swapaxes(weight, -1, -2) if transpose_weight else weight

    def columns(values):
        if values.ndim < 2:
            return values
        values = jnp.swapaxes(values, -1, -2) if transpose_weight else values
        return jnp.repeat(values, weight.shape[-2] // values.shape[-2], axis=-2)

    if antiquant_offset is not None:
        weight = weight + columns(antiquant_offset)
    weight = weight * columns(antiquant_scale)
    out = jnp.matmul(x, weight.astype(x.dtype), preferred_element_type=jnp.float32)
    if bias is not None:
        out = out + bias.astype(jnp.float32)
    if quant_scale is None:
        return out.astype(x.dtype)
    out = out * _per_column(quant_scale)
    return _saturated(jnp.round(out if quant_offset is None else out + quant_offset))
