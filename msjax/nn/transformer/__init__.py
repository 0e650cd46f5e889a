"""Transformers of MindSpore 1.5 to 1.10, `mindspore.nn.transformer`, which 2.x no longer has.

Parameters have the names and shapes that they have there, so checkpoints load.
"""

from ...alias.names import MissingNames
from .decoder import TransformerDecoder, TransformerDecoderLayer
from .encoder import TransformerEncoder, TransformerEncoderLayer
from .layers import FixedSparseAttention, _LayerNorm, _Linear  # noqa: F401  projects import the last two
from .loss import CrossEntropyLoss
from .moe import MoEConfig
from .op_parallel_config import OpParallelConfig
from .transformer import (
    AttentionMask,
    EmbeddingOpParallelConfig,
    FeedForward,
    MultiHeadAttention,
    Transformer,
    TransformerOpParallelConfig,
    TransformerRecomputeConfig,
    VocabEmbedding,
)

__all__ = [
    "AttentionMask",
    "CrossEntropyLoss",
    "EmbeddingOpParallelConfig",
    "FeedForward",
    "FixedSparseAttention",
    "MoEConfig",
    "MultiHeadAttention",
    "OpParallelConfig",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    "TransformerOpParallelConfig",
    "TransformerRecomputeConfig",
    "VocabEmbedding",
]

__getattr__ = MissingNames(__name__)
