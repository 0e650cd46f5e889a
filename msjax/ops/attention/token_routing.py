"""Mixture of experts: which experts a token goes to, tokens in the order of their experts, and back."""

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ...core.operators.record import op
from ...core.operators.rows import Prim
from ...core.spec import Array, Integers, Ints, MaybeArray, Number, Operand, Static
from ...core.spec.rules import OnlyFalse


# --- which experts a token goes to
@op(ops=True, prim=Prim("MoeGatingTopKSoftmax"))
def moe_gating_top_k_softmax(x: Array, finished: Any = None, k: Static[int] = 1):
    """(the k largest of softmax(x), their experts, the place of each in the order of choices), each (..., k), for scores x (..., E).

    A row where `finished` (...) is True names the expert E, which does not exist.
    """
    top, experts = lax.top_k(jax.nn.softmax(x.astype(jnp.float32), axis=-1), k)
    if finished is not None:
        experts = jnp.where(finished[..., None], x.shape[-1], experts)
    places = jnp.arange(top.size, dtype=jnp.int32).reshape(k, -1).T.reshape(top.shape)
    return top.astype(x.dtype), experts.astype(jnp.int32), places


@op(ops=True, prim=Prim("FusedAddTopKDiv"))
def fused_add_topk_div(
    x: Array,
    add_num: Operand,
    group_num: Static[Any],
    group_topk: Static[Any],
    n: Static[Any],
    k: Static[Any],
    activate_type: Static[int] = 0,
    is_norm: bool = True,
    scale: Number = 2.5,
    mapping_num: Any = None,
    mapping_table: Any = None,
    enable_expert_mapping: bool = False,
):
    """(weights float32 (T, k), experts int32 (T, k)) of tokens with scores x (T, E), as DeepSeek-V3 chooses them.

    The experts stand in `group_num` groups. A group counts as the sum of its `n` largest sigmoid(x) + add_num; of the `group_topk`
    best groups the `k` largest are taken, weighted by sigmoid(x) divided by their sum and multiplied with `scale`.
    Formula: https://arxiv.org/abs/2412.19437, equations 12 to 16, and its choice of groups.

    Raises:
        ValueError: activate_type is not 0, is_norm is False, or experts are mapped.
    """
    if activate_type != 0 or not is_norm or enable_expert_mapping:
        raise ValueError(
            "For 'fused_add_topk_div', 'activate_type' must be 0, 'is_norm' True and 'enable_expert_mapping' False, but got "
            f"{activate_type}, {is_norm} and {enable_expert_mapping}."
        )
    scores = jax.nn.sigmoid(x.astype(jnp.float32))
    biased = scores + add_num.astype(jnp.float32)
    groups = biased.reshape(*biased.shape[:-1], group_num, -1)
    best = lax.top_k(lax.top_k(groups, n)[0].sum(-1), group_topk)[1]
    chosen = jnp.any(best[..., None] == jnp.arange(group_num), axis=-2)
    experts = lax.top_k(jnp.where(chosen[..., None], groups, -jnp.inf).reshape(biased.shape), k)[1]
    weights = jnp.take_along_axis(scores, experts, axis=-1)
    return weights / weights.sum(-1, keepdims=True) * scale, experts.astype(jnp.int32)


def _places(experts, counts, capacity, expert_num, drop_type):
    """(tokens of each expert (B, E, capacity), counted from 1, 0 where empty; place of each choice (B, N, k) among expert * (capacity + 1)
    + 1, ..., the number before these where there was none left). Choices that do not `count` take no place.

    drop_type: 0, places are given token by token; 1, the first choices of all tokens before the second.
    """
    batch, tokens, choices = experts.shape
    order = (0, 1, 2) if drop_type == 0 else (0, 2, 1)
    flat, counts = (a.transpose(order).reshape(batch, -1) for a in (experts, counts))
    taken = jax.nn.one_hot(flat, expert_num, dtype=jnp.int32) * counts[..., None]
    place = jnp.take_along_axis(jnp.cumsum(taken, axis=1), flat[..., None].astype(jnp.int32), axis=2)[..., 0]
    place = jnp.where(counts & (place <= capacity), place, 0)
    token = jnp.arange(flat.shape[1]) // choices if drop_type == 0 else jnp.arange(flat.shape[1]) % tokens
    rows = jnp.arange(batch)[:, None]
    dispatch = jnp.zeros((batch, expert_num, capacity), jnp.int32)
    dispatch = dispatch.at[rows, flat, jnp.where(place > 0, place - 1, capacity)].set(
        (token + 1).astype(jnp.int32), mode="drop"
    )
    combine = flat * (capacity + 1) + place
    shape = (batch, tokens, choices) if drop_type == 0 else (batch, choices, tokens)
    return dispatch, combine.reshape(shape).transpose(order).astype(jnp.int32)


@op(ops=True, prim=Prim("TopKRouter"))
def topkrouter(input: Array, capacity: Static[Any], expert_num: Static[Any], drop_type: Static[int] = 0):
    """(tokens of each expert (B, E, capacity), counted from 1; place of each choice (B, N, k)) for expert numbers (B, N, k).

    The places of expert e are e * (capacity + 1) + 1, ...; e * (capacity + 1) says that it had none left. drop_type: 0, places are given
    token by token; 1, the first choices of all tokens before the second.
    """
    return _places(input, jnp.ones(input.shape, bool), capacity, expert_num, drop_type)


@op(ops=True, prim=Prim("TopPRouter"))
def topprouter(
    input: Array,
    capacity: Static[Any],
    expert_num: Static[Any],
    drop_type: Static[int] = 0,
    threshold: Number = 0.0,
    router_prob: Number = 0.0,
):
    """`topkrouter` that leaves out the choices of a token from where the sum of their `router_prob` (B, N, k) reaches `threshold`."""
    if not isinstance(router_prob, jax.Array) or router_prob.ndim == 0:  # no probabilities: every choice counts
        return _places(input, jnp.ones(input.shape, bool), capacity, expert_num, drop_type)
    below = jnp.cumsum(router_prob.reshape(input.shape), axis=-1) < threshold
    return _places(input, below, capacity, expert_num, drop_type)


# --- tokens in the order of their experts
@op(ops=True, prim=Prim("MoeComputeExpertTokens"))
def moe_compute_expert_tokens(sorted_experts: Array, num_expert: Static[Any]):
    """int32 (num_expert,): how many of the sorted expert numbers (N,) are not above each expert."""
    return jnp.searchsorted(sorted_experts, jnp.arange(num_expert), side="right").astype(jnp.int32)


@op(ops=True, prim=Prim("MoeInitRouting"))
def moe_init_routing(x: Array, row_idx: Operand, expert_idx: Operand, active_num: Static[Any]):
    """(tokens by expert, place of each (choice, token) in them, their expert numbers) for tokens x (T, H) and their experts (T, k).

    row_idx (T, k) numbers the choices, first those of all tokens' first expert, as `moe_gating_top_k_softmax` gives them.
    """
    rows, choices = expert_idx.shape
    flat = expert_idx.reshape(-1)
    order = jnp.argsort(flat, stable=True)
    source = row_idx.reshape(-1)[order]
    places = jnp.zeros(source.shape, jnp.int32).at[source].set(jnp.arange(source.shape[0], dtype=jnp.int32))
    return x[source[: min(active_num, rows) * choices] % rows], places, flat[order]


@op(ops=True, prim=Prim("MoeFinalizeRouting"))
def moe_finalize_routing(
    expanded_x: Array,
    x1: Operand,
    x2: Any = None,
    bias: Number | None = None,
    scales: Any = None,
    expanded_row_idx: Any = None,
    expanded_expert_idx: Any = None,
):
    """x1 + x2 + the sum over the choices k of a token i of scales[i, k] * (expanded_x[expanded_row_idx[i + k * T]] + bias[expert]).

    expanded_x: (k * T, H), the experts' results. x1, x2: (T, H). bias: (E, H). scales, expanded_expert_idx: (T, k). Sums in float32.
    """
    tokens = x1.shape[0]
    results = expanded_x[expanded_row_idx].reshape(-1, tokens, expanded_x.shape[-1]).astype(jnp.float32)
    if bias is not None:
        results = results + bias[expanded_expert_idx.T].astype(jnp.float32)
    if scales is not None:
        results = results * scales.T[..., None].astype(jnp.float32)
    out = x1.astype(jnp.float32) + results.sum(0)
    return (out if x2 is None else out + x2.astype(jnp.float32)).astype(expanded_x.dtype)


@op(ops=True)
def moe_token_permute(
    tokens: Array, indices: Integers, num_out_tokens: Static[int | None] = None, padded_mode: OnlyFalse = False
):
    """(tokens grouped by expert, int32 place of each (token, choice) in them) for expert numbers (T,) or (T, k)."""
    choices = indices.shape[1] if indices.ndim == 2 else 1
    order = jnp.argsort(indices.reshape(-1), stable=True)
    place = jnp.argsort(order, stable=True).astype(jnp.int32)
    order = order if not num_out_tokens else order[:num_out_tokens]
    return tokens[order // choices], place


@op(ops=True)
def moe_token_unpermute(
    permuted_tokens: Array,
    sorted_indices: Array,
    probs: MaybeArray = None,
    padded_mode: OnlyFalse = False,
    restore_shape: Ints | None = None,
) -> Array:
    """Tokens back in their order, the choices of each summed with the weights `probs` (T, k)."""
    rows = permuted_tokens.shape[0]
    tokens = jnp.where((sorted_indices < rows)[:, None], permuted_tokens[jnp.minimum(sorted_indices, rows - 1)], 0)
    choices = probs.shape[1] if probs is not None else 1
    tokens = tokens.reshape(-1, choices, permuted_tokens.shape[1])
    if probs is not None:
        tokens = tokens * probs[..., None].astype(tokens.dtype)
    return jnp.sum(tokens, 1).astype(permuted_tokens.dtype)


@op(ops=True)
def moe_init_routing_v2(
    x: Array,
    expert_idx: Array,
    active_num: Static[int],
    expert_capacity: Static[int],
    expert_num: Static[int],
    drop_pad_mode: Static[int],
    expert_tokens_count_or_cumsum_flag: Static[int],
    expert_tokens_before_capacity_flag: Static[bool],
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
