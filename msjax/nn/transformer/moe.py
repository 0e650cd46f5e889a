"""Mixture of experts (Shazeer et al., 2017; GShard, Lepikhin et al., 2020): each token goes to the feed-forward blocks
that a router chooses for it.
"""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import ops
from ...core.keywords import Only, old_keywords
from ...core.operators import check
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ..cell.cell import Cell
from ..layer.basic import Dense
from .attention import FeedForward
from .op_parallel_config import default_moeparallel_config

if TYPE_CHECKING:
    from ...core.values.dtype import Type

__all__ = ["MoEConfig"]


class MoEConfig:
    """Settings of a mixture of experts.

    Args:
        expert_num: number of experts; 1 means an ordinary feed-forward block.
        capacity_factor: at least 1: how many times its even share of the tokens an expert takes; others are dropped.
        aux_loss_factor: in (0, 1): weight of the loss that balances the experts.
        num_experts_chosen: how many experts a token goes to, at most `expert_num`.
        expert_group_size: accepted; the tokens of a group are counted here.
        group_wise_a2a, comp_comm_parallel, comp_comm_parallel_degree: of 2.0, recorded only: XLA chooses and overlaps collectives.

    Raises:
        TypeError, ValueError: numbers of the wrong kind or outside these ranges.

    Example:
        >>> from mindspore.nn.transformer import MoEConfig
        >>> MoEConfig(expert_num=4, capacity_factor=5.0, num_experts_chosen=2).expert_num
        4
    """

    @old_keywords(noisy_policy=Only(None), noisy_epsilon=Only(1e-2))
    def __init__(
        self,
        expert_num: int = 1,
        capacity_factor: float = 1.1,
        aux_loss_factor: float = 0.05,
        num_experts_chosen: int = 1,
        expert_group_size: int | None = None,
        group_wise_a2a: bool = False,
        comp_comm_parallel: bool = False,
        comp_comm_parallel_degree: int = 2,
    ):
        for name, value in (("group_wise_a2a", group_wise_a2a), ("comp_comm_parallel", comp_comm_parallel)):
            check.check_bool(value, name, "MoEConfig")
        whole = {"expert_num": expert_num, "num_experts_chosen": num_experts_chosen}
        for name, value in (*whole.items(), ("comp_comm_parallel_degree", comp_comm_parallel_degree)):
            check.check_positive_int(value, name, "MoEConfig")
        for name, value in (("capacity_factor", capacity_factor), ("aux_loss_factor", aux_loss_factor)):
            check.check_positive_float(value, name, "MoEConfig")
        if expert_group_size is not None:
            check.check_positive_int(expert_group_size, "expert_group_size", "MoEConfig")
        if capacity_factor < 1:
            raise ValueError(f"For 'MoEConfig', the 'capacity_factor' must be at least 1.0, but got {capacity_factor}.")
        if aux_loss_factor >= 1:
            raise ValueError(
                f"For 'MoEConfig', the 'aux_loss_factor' must be less than 1.0, but got {aux_loss_factor}."
            )
        if num_experts_chosen > expert_num:
            raise ValueError(
                f"For 'MoEConfig', the 'num_experts_chosen' must not be larger than 'expert_num' "
                f"{expert_num}, but got {num_experts_chosen}."
            )
        self.expert_num, self.capacity_factor, self.aux_loss_factor = expert_num, capacity_factor, aux_loss_factor
        self.num_experts_chosen, self.expert_group_size = num_experts_chosen, expert_group_size
        self.group_wise_a2a, self.comp_comm_parallel = group_wise_a2a, comp_comm_parallel
        self.comp_comm_parallel_degree = comp_comm_parallel_degree


default_moe_config = MoEConfig()


def _check_moe_config(moe_config=None, parallel_config=None):
    """TypeError for no MoEConfig; ValueError for experts that cannot be cut as the parallel configuration says."""
    if not isinstance(moe_config, MoEConfig):
        raise TypeError(f"The 'moe_config' must be a MoEConfig, but got {type(moe_config).__name__}.")
    if moe_config.expert_num == 1:
        return
    for name, value in (("expert_num", moe_config.expert_num), ("data_parallel", parallel_config.data_parallel)):
        if value % parallel_config.expert_parallel:
            raise ValueError(
                f"With a mixture of experts, '{name}' must be a multiple of 'expert_parallel', but got "
                f"{value} and {parallel_config.expert_parallel}."
            )


def calculate_expert_capacity(k: int, tokens_per_group: Any, capacity_factor: Any, expert_dim: Any):
    """The number of a group's tokens that an expert takes when each token goes to `k` of `expert_dim` experts.

    Example:
        >>> from msjax.nn.transformer.moe import calculate_expert_capacity
        >>> calculate_expert_capacity(1, 10, 1.1, 4)
        3
    """
    return math.ceil(k * tokens_per_group * capacity_factor / expert_dim)


class MoE(Cell):
    """Feed-forward blocks of which a router chooses some for each token.

    Args:
        hidden_size, ffn_hidden_size, dropout_rate, hidden_act, param_init_type: see FeedForward.
        moe_config: a MoEConfig. parallel_config: a MoEParallelConfig; its `data_parallel` is the number of groups of
        tokens that fill the experts separately.

    Inputs: x (..., hidden_size). Outputs: (result of the shape of x, the weighted balance loss).

    Example:
        >>> from msjax.nn.transformer.moe import MoE
        >>> from mindspore.nn.transformer import MoEConfig
        >>> moe = MoE(8, 16, 0.1, moe_config=MoEConfig(expert_num=2))
        >>> moe(Tensor(np.ones((6, 8), np.float16)))[0].shape
        (6, 8)
    """

    def __init__(
        self,
        hidden_size: int,
        ffn_hidden_size: int,
        dropout_rate: float,
        hidden_act: str = "gelu",
        param_init_type: "Type" = mstype.float32,
        moe_config: Any = default_moe_config,
        parallel_config: Any = default_moeparallel_config,
    ):
        super().__init__()
        self.hidden_size, self.expert_dim = hidden_size, moe_config.expert_num
        self.capacity_factor, self.aux_loss_factor = moe_config.capacity_factor, moe_config.aux_loss_factor
        self.num_experts_chosen, self.expert_group_size = moe_config.num_experts_chosen, moe_config.expert_group_size
        self.dp_group, self.parallel_config = parallel_config.data_parallel, parallel_config
        self.ffn = FeedForward(
            hidden_size=hidden_size,
            ffn_hidden_size=ffn_hidden_size,
            dropout_rate=dropout_rate,
            hidden_act=hidden_act,
            expert_num=self.expert_dim,
            param_init_type=param_init_type,
            parallel_config=parallel_config,
        )
        self.router = Router(hidden_size, moe_config, None, True, parallel_config)

    def construct(self, input_tensor: Tensor):
        groups, experts, shape = self.dp_group, self.expert_dim, input_tensor.shape
        cut = self.parallel_config.cut
        x = cut(input_tensor.reshape(groups, -1, self.hidden_size), "data", None, None)
        dispatch, combine, aux_loss = self.router(x)  # (groups, tokens, experts, capacity)
        capacity = dispatch.shape[-1]
        dispatch = dispatch.reshape(groups, -1, experts * capacity).astype(x.dtype)
        taken = ops.matmul(dispatch.swapaxes(1, 2), x).reshape(groups, experts, capacity, self.hidden_size)
        taken = cut(cut(taken, "data", None, None, None).transpose(1, 0, 2, 3), "expert", None, None, None)
        out = self.ffn(taken.reshape(-1, self.hidden_size)).reshape(experts, groups, capacity, self.hidden_size)
        out = cut(cut(out, "expert", None, None, None).transpose(1, 0, 2, 3), "data", None, None, None)
        combine = combine.reshape(groups, -1, experts * capacity).astype(out.dtype)
        out = cut(ops.matmul(combine, out.reshape(groups, experts * capacity, self.hidden_size)), "data", None, None)
        return out.reshape(shape), aux_loss * self.aux_loss_factor


class Router(Cell):
    """Scores of the experts for each token, in float32, and their choice by `routing_policy`.

    Args:
        d_model: features of a token. moe_config: a MoEConfig. routing_policy: a Cell of the scores; TopkRouter by
        default. training: recorded. parallel_config: see MoE.

    Inputs: (groups, tokens, d_model). Outputs: those of the policy.
    """

    def __init__(
        self,
        d_model: int,
        moe_config: Any,
        routing_policy: Any = None,
        training: bool = True,
        parallel_config: Any = None,
    ):
        super().__init__()
        parallel_config = parallel_config or default_moeparallel_config
        self.d_model, self.expert_dim = d_model, moe_config.expert_num
        self.capacity_factor, self.num_experts_chosen = moe_config.capacity_factor, moe_config.num_experts_chosen
        self.training, self.routing_policy = training, routing_policy
        self.noisy_policy, self.noisy_epsilon = None, 1e-2  # "jitter" multiplies tokens by `noise` in training
        noise = np.random.uniform(1 - self.noisy_epsilon, 1 + self.noisy_epsilon, (d_model,))
        self.noise = Tensor(noise, mstype.float32)
        self.dense = Dense(d_model, self.expert_dim, weight_init="normal", has_bias=False)
        self.router = (
            TopkRouter(d_model, moe_config, training, parallel_config) if routing_policy is None else routing_policy
        )

    def construct(self, input_tensor: Tensor):
        x = input_tensor.astype(mstype.float32)
        return self.router(self.dense(x * self.noise if self.noisy_policy == "jitter" and self.training else x))


class TopkRouter(Cell):
    """Sends each token to the experts of the highest scores, as long as they have room.

    Args: as for Router.

    Inputs: scores (groups, tokens, experts). Outputs: (whether a token takes a place of an expert, the weight of its
    result), both (groups, tokens, experts, capacity), and the loss that is least when all experts get the same share.
    """

    def __init__(self, d_model: int, moe_config: Any, training: bool = True, parallel_config: Any = None):
        super().__init__()
        self.d_model, self.expert_dim, self.training = d_model, moe_config.expert_num, training
        self.capacity_factor, self.num_experts_chosen = moe_config.capacity_factor, moe_config.num_experts_chosen
        self.dp_group = (parallel_config or default_moeparallel_config).data_parallel

    def construct(self, router_logits: Tensor):
        scores = router_logits.reshape(self.dp_group, -1, self.expert_dim)
        capacity = calculate_expert_capacity(
            self.num_experts_chosen, scores.shape[1], self.capacity_factor, self.expert_dim
        )
        prob, loss, taken, combined, chosen = ops.softmax(scores, -1), 0.0, 0.0, 0.0, 0.0
        for _ in range(self.num_experts_chosen):
            prob = prob * (1.0 - chosen)  # experts of an earlier turn are out
            mask = self._one_hot(ops.argmax(prob, -1), self.expert_dim)
            gate = (prob * mask).sum(-1)
            loss = loss + self._auxiliary_loss(mask, prob / (prob.sum(-1, keepdims=True) + 1e-9))
            place = (ops.cumsum(mask, 1) - mask + taken) * mask  # tokens before this one, and of earlier turns
            mask = mask * (place < capacity).astype(mask.dtype)
            chosen, taken = chosen + mask, taken + mask.sum(1, keepdims=True)
            combined = combined + (mask * gate.expand_dims(-1)).expand_dims(-1) * self._one_hot(
                place.astype(mstype.int32), capacity
            )
        combined = combined / (combined.sum((-1, -2), keepdims=True) + 1e-9)
        return combined != 0, combined, loss

    def _auxiliary_loss(self, expert_mask, router_prob):
        """Mean over experts of (share of the tokens) * (mean probability), times the squared number of experts."""
        share = expert_mask.mean(1) * router_prob.mean(1)
        return share.mean() * self.expert_dim * self.expert_dim

    def _one_hot(self, index, depth):
        return ops.one_hot(index, depth, Tensor(1.0, mstype.float32), Tensor(0.0, mstype.float32))
