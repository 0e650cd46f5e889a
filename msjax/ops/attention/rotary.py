"""Rotary position embedding (Su et al., 2021)."""

from typing import Literal

import jax.numpy as jnp

from ...core.operators.record import op
from ...core.operators.rows import Prim
from ...core.spec import Array, Operand
from ...core.spec.rules import AsValue


# --- rotary position embedding
def _half_turned(x):
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([-b, a], -1)


def _pairs_turned(x):
    return jnp.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)


@op(ops=True)
def rotary_position_embedding(x: Array, cos: Array, sin: Array, mode: AsValue[Literal[0, 1]] = 0) -> Array:
    """x * cos + turned(x) * sin (Su et al., 2021); mode 0 turns the halves of the last axis, mode 1 neighbouring pairs."""
    return (x * cos + (_pairs_turned if mode else _half_turned)(x) * sin).astype(x.dtype)


@op(prim=Prim("ApplyRotaryPosEmb", inputs=("query", "key", "cos", "sin", "position_ids")), ops=False)
def apply_rotary_pos_emb(
    query: Array, key: Operand, cos: Operand, sin: Operand, position_ids: Operand, cos_format: int = 0
):
    """(query, key) with rotary position embedding; cos and sin have one row for each position, or one for each token."""

    def turn(x):
        heads = x.reshape(*x.shape[:-1], -1, cos.shape[-1])
        if cos.shape[0] == x.shape[0] * (x.shape[1] if x.ndim == 3 else 1):
            c, s = (a.reshape(*x.shape[:-1], 1, -1) for a in (cos, sin))
        else:
            c, s = (a[position_ids].reshape(x.shape[0], *(1,) * (x.ndim - 2), 1, -1) for a in (cos, sin))
        return (heads * c + _half_turned(heads) * s).reshape(x.shape).astype(x.dtype)

    return turn(query), turn(key)
