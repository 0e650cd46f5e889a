"""Mixture of experts: tokens to the processes of their experts and back, and the choice of groups of experts.

With one process all experts are here, so nothing travels: tokens are put in the order of their experts, and summed again.
"""

from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np

from ..core.compat import Tracer
from ..core.operators.record import composite, op, records
from ..core.operators.rows import Prim
from ..core.spec import Array, MaybeArray, Operand, Static
from ..core.spec.rules import AsValue
from ..core.values.tensor import Tensor, host_array
from .processes import world


def _one_process(name, ep_world_size, ep_rank_id, tp_world_size, tp_rank_id, **only):
    """Check the settings that describe the group, and that all others have the values that one process can serve."""
    if world().size > 1:
        raise RuntimeError(
            f"For '{name}', tokens are dealt out to experts within one process, but there are {world().size}."
        )
    if ep_world_size != 1 or ep_rank_id != 0 or tp_world_size not in (0, 1) or tp_rank_id != 0:
        raise RuntimeError(
            f"For '{name}', the group has one process: 'ep_world_size' must be 1, 'tp_world_size' 0 or 1 and the ranks 0, but got "
            f"{ep_world_size}, {tp_world_size}, {ep_rank_id} and {tp_rank_id}."
        )
    for what, value in only.items():
        if value is not None and not (isinstance(value, int) and value == 0):
            raise RuntimeError(
                f"For '{name}', the '{what}' is for several processes, for quantised tokens or reserved: it must be left out, but got a value."
            )


def _check_experts(name, expert_ids, moe_expert_num):
    """ValueError for experts that there are not; traced numbers can not be looked at."""
    data = expert_ids.jax_array if isinstance(expert_ids, Tensor) else expert_ids
    if isinstance(data, Tracer) or not isinstance(moe_expert_num, int):
        return
    given = np.asarray(host_array(data))
    if given.size and not (0 <= given.min() and given.max() < moe_expert_num):
        raise ValueError(
            f"For '{name}', the 'expert_ids' must be in [0, {moe_expert_num}), but got {given.min()} to {given.max()}."
        )


def _routes(name, tokens, expert_ids, moe_expert_num):
    """(order of the (token, choice) pairs by expert, tokens of each expert, rank of each pair among those of its expert)"""
    if expert_ids.ndim != 2 or tokens is not None and expert_ids.shape[0] != tokens:
        raise ValueError(
            f"For '{name}', the 'expert_ids' must be (tokens, choices), but got the shape {expert_ids.shape} for {tokens} tokens."
        )
    if not isinstance(moe_expert_num, int) or moe_expert_num < 1 or expert_ids.shape[1] > moe_expert_num:
        raise ValueError(
            f"For '{name}', there must be at least as many experts as choices, {expert_ids.shape[1]}, but got {moe_expert_num}."
        )
    flat = expert_ids.reshape(-1)
    order = jnp.argsort(flat, stable=True)
    count = jnp.zeros(moe_expert_num, jnp.int32).at[flat].add(1, mode="drop")
    place = jnp.zeros(flat.shape[0], jnp.int32).at[order].set(jnp.arange(flat.shape[0], dtype=jnp.int32))
    return order, count, place - (jnp.cumsum(count) - count)[flat].astype(jnp.int32)


@op(ops=False)
def dispatch_tokens(
    x: Array,
    expert_ids: Operand,
    moe_expert_num: Static[Any],
    expert_scales: Any = None,
    expert_token_nums_type: int = 0,
):
    """The result of `moe_distribute_dispatch` with one process."""
    order, count, rank = _routes("moe_distribute_dispatch", x.shape[0], expert_ids, moe_expert_num)
    told = (count if expert_token_nums_type else jnp.cumsum(count)).astype(jnp.int64)
    nothing = jnp.zeros(order.shape[0], jnp.float32)
    weights = nothing if expert_scales is None else expert_scales.reshape(-1)[order].astype(jnp.float32)
    return x[order // expert_ids.shape[1]], nothing, rank, told, count, jnp.zeros((1,), jnp.int32), weights


@composite(ops=True, prim=Prim("MoeDistributeDispatch"))
def moe_distribute_dispatch(
    x: Array,
    expert_ids: Array,
    ep_world_size: int,
    ep_rank_id: int,
    moe_expert_num: int,
    expert_scales: MaybeArray = None,
    scales: MaybeArray = None,
    x_active_mask: MaybeArray = None,
    group_ep: str | None = None,
    group_tp: str | None = None,
    tp_world_size: int = 0,
    tp_rank_id: int = 0,
    expert_shard_type: int = 0,
    shared_expert_num: int = 0,
    shared_expert_rank_num: int = 0,
    quant_mode: int = 0,
    global_bs: int = 0,
    expert_token_nums_type: AsValue[Literal[0, 1]] = 0,
):
    """Send each token to the processes of its experts. With one process: the tokens, once for each choice, in the order of the experts.

    Args:
        x: (BS, H).
        expert_ids: int32 (BS, K) in [0, moe_expert_num).
        ep_world_size, ep_rank_id: processes and number of this one: 1 and 0.
        moe_expert_num: number of experts.
        expert_scales: float32 (BS, K) weights, which travel with the tokens.
        group_ep, group_tp: names of groups.
        tp_world_size, tp_rank_id: as for ep, 0 means none.
        global_bs: 0 or BS.
        expert_token_nums_type: 0 running sums, 1 counts. What is left (shared experts, quantisation, reserved Tensors) must have its default.

    Returns:
        (tokens (BS * K, H), float32 zeros for the scales of quantisation, int32 (BS * K): rank of each (token, choice) among those of its
        expert, int64 (moe_expert_num): tokens of each expert, int32 (moe_expert_num): tokens for each expert from this process,
        int32 (1): tokens from tensor parallel processes, float32 (BS * K): `expert_scales` in the order of the tokens, or 0).

    Raises:
        RuntimeError: settings of several processes, or of quantisation. ValueError: shapes that do not fit, experts that there are not.

    Example:
        >>> x = Tensor(np.ones((2, 4)), mindspore.float16)
        >>> expert_ids = Tensor([[0, 3], [3, 7]], mindspore.int32)
        >>> out = ops.moe_distribute_dispatch(x, expert_ids, 1, 0, 8)
    """
    name = "moe_distribute_dispatch"
    _one_process(
        name,
        ep_world_size,
        ep_rank_id,
        tp_world_size,
        tp_rank_id,
        scales=scales,
        x_active_mask=x_active_mask,
        expert_shard_type=expert_shard_type,
        shared_expert_num=shared_expert_num,
        shared_expert_rank_num=shared_expert_rank_num,
        quant_mode=quant_mode,
    )
    if global_bs not in (0, x.shape[0]):
        raise ValueError(
            f"For '{name}', the 'global_bs' of one process must be 0 or {x.shape[0]}, but got {global_bs}."
        )
    _check_experts(name, expert_ids, moe_expert_num)
    return records["dispatch_tokens"](x, expert_ids, moe_expert_num, expert_scales, expert_token_nums_type)


@op(ops=False, residuals=True)
def combine_tokens(
    expand_x: Array, expert_ids: Operand, expand_idx: Operand, expert_scales: Operand, moe_expert_num: Static[Any]
):
    """The result of `moe_distribute_combine` with one process."""
    _, count, _ = _routes("moe_distribute_combine", None, expert_ids, moe_expert_num)
    rows = (jnp.cumsum(count) - count)[expert_ids] + expand_idx.reshape(expert_ids.shape)
    out = jnp.sum(expand_x[rows].astype(jnp.float32) * expert_scales[..., None].astype(jnp.float32), 1)
    return out.astype(expand_x.dtype)


@composite(ops=True, prim=Prim("MoeDistributeCombine"))
def moe_distribute_combine(
    expand_x: Array,
    expert_ids: Array,
    expand_idx: Any,
    ep_send_counts: Array,
    expert_scales: Array,
    ep_world_size: int,
    ep_rank_id: int,
    moe_expert_num: int,
    tp_send_counts: MaybeArray = None,
    x_active_mask: MaybeArray = None,
    activate_scale: MaybeArray = None,
    weight_scale: MaybeArray = None,
    group_list: MaybeArray = None,
    expand_scales: MaybeArray = None,
    group_ep: str | None = None,
    group_tp: str | None = None,
    tp_world_size: int = 0,
    tp_rank_id: int = 0,
    expert_shard_type: int = 0,
    shared_expert_num: int = 0,
    shared_export_rank_num: int = 0,
    global_bs: int = 0,
    out_dtype: int = 0,
    common_quant_mode: int = 0,
    group_list_type: int = 0,
):
    """Bring tokens back from their experts: out[t] = sum_k expert_scales[t, k] * (output of expert expert_ids[t, k] for
    token t).

    Args:
        expand_x: (BS * K, H): the experts' results, in the order that `moe_distribute_dispatch` gave.
        expert_ids: int32 (BS, K), as there.
        expand_idx, ep_send_counts: its third and fifth result.
        expert_scales: float32 (BS, K). What is left is as for `moe_distribute_dispatch`; `tp_send_counts` and `expand_scales`, its last results, are
            not needed here.

    Returns:
        (BS, H) in the dtype of `expand_x`.

    Raises:
        RuntimeError: settings of several processes, or of quantisation. ValueError: shapes that do not fit, experts that there are not.

    Example:
        >>> x = Tensor(np.ones((2, 4)), mindspore.float16)
        >>> expert_ids, weights = Tensor([[0, 3], [3, 7]], mindspore.int32), ops.ones((2, 2))
        >>> out = ops.moe_distribute_dispatch(x, expert_ids, 1, 0, 8)
        >>> print(ops.moe_distribute_combine(out[0], expert_ids, out[2], out[4], weights, 1, 0, 8))
        [[2. 2. 2. 2.]
         [2. 2. 2. 2.]]
    """
    name = "moe_distribute_combine"
    _one_process(
        name,
        ep_world_size,
        ep_rank_id,
        tp_world_size,
        tp_rank_id,
        x_active_mask=x_active_mask,
        activate_scale=activate_scale,
        weight_scale=weight_scale,
        group_list=group_list,
        expert_shard_type=expert_shard_type,
        shared_expert_num=shared_expert_num,
        shared_export_rank_num=shared_export_rank_num,
        out_dtype=out_dtype,
        common_quant_mode=common_quant_mode,
        group_list_type=group_list_type,
    )
    if global_bs not in (0, expert_ids.shape[0]):
        raise ValueError(
            f"For '{name}', the 'global_bs' of one process must be 0 or {expert_ids.shape[0]}, but got {global_bs}."
        )
    if (
        expert_scales.shape != expert_ids.shape
        or expand_idx.size != expert_ids.size
        or expand_x.shape[0] < expert_ids.size
    ):
        raise ValueError(
            f"For '{name}', there must be a weight, a rank and a row for each of the choices {expert_ids.shape}, but got the shapes "
            f"{expert_scales.shape}, {expand_idx.shape} and {expand_x.shape}."
        )
    _check_experts(name, expert_ids, moe_expert_num)
    return records["combine_tokens"](expand_x, expert_ids, expand_idx, expert_scales, moe_expert_num)


@op(ops=True, prim=Prim("GroupTopk"), writes=(0,))
def group_topk(token: Array, idx_arr: Operand, group_num: Static[Any], k: Static[Any], k_inner: Static[int] = 1):
    """Keep the scores of the `k` best groups of experts, in place; the others become 0.

    Args:
        token: Parameter or Tensor (tokens, experts): scores; written.
        idx_arr: int32 running numbers that the kernel needs; not used here.
        group_num: number of groups of neighbouring experts.
        k: how many are kept.
        k_inner: the score of a group is the sum of its `k_inner` greatest (Liu et al., DeepSeek-V3, 2024).

    Raises:
        ValueError: shapes and numbers that do not fit.

    Example:
        >>> scores = Tensor(np.random.rand(2, 32), mindspore.float16)
        >>> ops.GroupTopk()(scores, Tensor(np.arange(1024), mindspore.int32), 8, 4, 2)
    """
    if token.ndim != 2 or token.shape[1] % group_num:
        raise ValueError(
            f"For 'GroupTopk', the 'token' must be (tokens, experts) with experts in {group_num} equal groups, but got {token.shape}."
        )
    each = token.shape[1] // group_num
    if not 1 <= k <= group_num or not 1 <= k_inner <= each:
        raise ValueError(
            f"For 'GroupTopk', 'k' must be in [1, {group_num}] and 'k_inner' in [1, {each}], but got {k} and {k_inner}."
        )
    grouped = token.reshape(-1, group_num, each)
    score = jnp.sum(jax.lax.top_k(grouped.astype(jnp.float32), k_inner)[0], -1)
    kept = jnp.any(jax.lax.top_k(score, k)[1][..., None] == jnp.arange(group_num, dtype=jnp.int32), -2)
    return jnp.where(kept[..., None], grouped, 0).reshape(token.shape)
