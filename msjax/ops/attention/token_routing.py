"""Mixture of experts: tokens in the order of their experts, and back."""

import jax.numpy as jnp

from ...core.operators.record import op


# --- mixture of experts
@op(ops="moe_token_permute(tokens, indices, num_out_tokens=None, padded_mode=False)", static=("num_out_tokens",))
def moe_token_permute(tokens, indices, num_out_tokens=None, padded_mode=False):
    """(tokens grouped by expert, int32 place of each (token, choice) in them) for expert numbers (T,) or (T, k)."""
    if padded_mode:
        raise ValueError("For 'moe_token_permute', the 'padded_mode' can only be False.")
    choices = indices.shape[1] if indices.ndim == 2 else 1
    order = jnp.argsort(indices.reshape(-1), stable=True)
    place = jnp.argsort(order, stable=True).astype(jnp.int32)
    order = order if not num_out_tokens else order[:num_out_tokens]
    return tokens[order // choices], place


@op(ops="moe_token_unpermute(permuted_tokens, sorted_indices, probs=None, padded_mode=False, restore_shape=None)")
def moe_token_unpermute(permuted_tokens, sorted_indices, probs=None, padded_mode=False, restore_shape=None):
    """Tokens back in their order, the choices of each summed with the weights `probs` (T, k)."""
    if padded_mode:
        raise ValueError("For 'moe_token_unpermute', the 'padded_mode' can only be False.")
    rows = permuted_tokens.shape[0]
    tokens = jnp.where((sorted_indices < rows)[:, None], permuted_tokens[jnp.minimum(sorted_indices, rows - 1)], 0)
    choices = probs.shape[1] if probs is not None else 1
    tokens = tokens.reshape(-1, choices, permuted_tokens.shape[1])
    if probs is not None:
        tokens = tokens * probs[..., None].astype(tokens.dtype)
    return jnp.sum(tokens, 1).astype(permuted_tokens.dtype)


@op(
    ops="moe_init_routing_v2(x, expert_idx, active_num, expert_capacity, expert_num, drop_pad_mode, expert_tokens_count_or_cumsum_flag, "
    "expert_tokens_before_capacity_flag)",
    static=(
        "active_num",
        "expert_capacity",
        "expert_num",
        "drop_pad_mode",
        "expert_tokens_count_or_cumsum_flag",
        "expert_tokens_before_capacity_flag",
    ),
)
def moe_init_routing_v2(
    x,
    expert_idx,
    active_num,
    expert_capacity,
    expert_num,
    drop_pad_mode,
    expert_tokens_count_or_cumsum_flag,
    expert_tokens_before_capacity_flag,
):
    """(tokens by expert, place of each (choice, token) in them, tokens of each expert, the same before the capacity cut).

    drop_pad_mode 0: all tokens, sorted by expert; 1: `expert_capacity` places for each expert, filled with zeros, the rest dropped (place -1).
    """
    choices = expert_idx.shape[1]
    flat = expert_idx.reshape(-1)
    order = jnp.argsort(flat, stable=True)
    count = jnp.zeros(max(expert_num, 1), jnp.int32).at[flat].add(1)
    starts = jnp.cumsum(count) - count
    rank = jnp.zeros_like(order).at[order].set(jnp.arange(order.shape[0]))
    zero = jnp.zeros((max(expert_num, 1),), jnp.int32)
    if drop_pad_mode == 0:
        rows = order[:active_num] if active_num else order
        told = (
            jnp.cumsum(count).astype(jnp.int32)
            if expert_tokens_count_or_cumsum_flag == 1
            else count
            if expert_tokens_count_or_cumsum_flag == 2
            else zero
        )
        return x[rows // choices], rank.reshape(-1, choices).T.reshape(-1).astype(jnp.int32), told, zero
    within = rank - starts[flat]
    place = jnp.where(within < expert_capacity, flat * expert_capacity + within, -1)
    target = jnp.where(place < 0, expert_num * expert_capacity, place)
    out = (
        jnp.zeros((expert_num * expert_capacity, x.shape[1]), x.dtype)
        .at[target]
        .set(x[jnp.arange(flat.shape[0]) // choices], mode="drop")
    )
    before = count if expert_tokens_before_capacity_flag else zero
    return (
        out.reshape(expert_num, expert_capacity, -1),
        place.reshape(-1, choices).T.reshape(-1).astype(jnp.int32),
        zero,
        before,
    )
