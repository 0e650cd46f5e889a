"""The layer of fused attention that MindSpore 2.0 to 2.2 had, for Ascend devices alone."""

import math

from ... import ops
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ..cell.cell import Cell


class FlashAttention(Cell):
    """softmax(Q K^T / sqrt(head_dim) + alibi) V for Q, K, V of the shape (batch, heads, length, head_dim).

    Args:
        head_dim, head_num: size of a head and their number.
        dropout_rate: of the attention's weights, drawn in every call, as the layer of those releases does.
        prev_block_num, next_block_num: how many positions before and behind its own a query sees.
        have_attention_mask_batch, tiling_stgy_name, dp, mp, high_precision: how a device computes it; without effect on the result.
        alibi: whether `alibi_mask` is given.

    Inputs: query, key, value; attn_mask (batch or 1, length, length), 1 where a key is hidden; alibi_mask (batch, heads, 1, length), added.

    Raises:
        ValueError: heads that are not equal, or lengths that are not multiples of 16.

    Example:
        >>> from msjax.nn.layer.flash_attention import FlashAttention
        >>> x = Tensor(np.ones((2, 4, 16, 8)), mindspore.float16)
        >>> FlashAttention(head_dim=8, head_num=4)(x, x, x).shape
        (2, 4, 16, 8)
    """

    def __init__(
        self,
        head_dim: int,
        head_num: int,
        dropout_rate: float = 0.0,
        prev_block_num: int = 65536,
        next_block_num: int = 65536,
        tiling_stgy_name: str = "sparse",
        dp: int = 1,
        mp: int = 1,
        high_precision: bool = False,
        have_attention_mask_batch: bool = True,
        alibi: bool = False,
    ):
        super().__init__()
        if head_dim == 0:
            raise ValueError("the scaling constant must not be 0.")
        self.head_num, self.scale, self.alibi = head_num, 1 / math.sqrt(head_dim), alibi
        self.dropout_rate, self.keep_prob = dropout_rate, 1 - dropout_rate
        self.band = (prev_block_num, next_block_num)
        self.drop_gen_mask = ops.DropoutGenMask()

    def shard(self, in_strategy: tuple | None = None, out_strategy: tuple | None = None):
        """Accepted: strategies change where the layer is computed, not its result, and this layer lets the compiler
        choose.
        """
        return self

    def construct(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
        alibi_mask: Tensor | None = None,
    ):
        batch, heads, length, _ = query.shape
        keys = key.shape[2]
        if not heads == key.shape[1] == value.shape[1]:
            raise ValueError(
                f"the head_num of query, key and value must be the same, but got {heads}, {key.shape[1]} and {value.shape[1]}."
            )
        if length % 16 or keys % 16 or keys != value.shape[2]:
            raise ValueError(
                "query, key, value seq_len must be a multiple of 16, and those of key and value the same, but got "
                f"{length}, {keys} and {value.shape[2]}."
            )
        kept = None
        if self.dropout_rate > 1e-5:
            kept = self.drop_gen_mask((batch, heads, length, keys), Tensor(self.keep_prob, mstype.float16))
            kept = kept.reshape(batch, heads, length, keys // 8)
        shift = None
        if alibi_mask is not None:
            shift = ops.broadcast_to(alibi_mask, (batch, heads, length, keys)) / self.scale  # counts behind the scaling
        hidden = None if attn_mask is None else attn_mask.astype(mstype.uint8).expand_dims(1)
        return ops.flash_attention_score(
            query,
            key,
            value,
            self.head_num,
            shift,
            kept,
            attn_mask=hidden,
            keep_prob=self.keep_prob,
            scalar_value=self.scale,
            pre_tokens=self.band[0],
            next_tokens=self.band[1],
            input_layout="BNSD",
        )
