"""`mindspore.mint.nn`: layers with PyTorch's names and arguments. Most are one function of `mint.nn.functional` with fixed arguments."""
from ... import nn as _nn
from ...alias.names import MissingNames as _MissingNames
from ...nn import (  # noqa: F401
    AdaptiveMaxPool2d,
    Dropout2dExt as Dropout2d,
    DropoutExt as Dropout,
    EmbeddingExt as Embedding,
    HShrink as Hardshrink,
    HSigmoid as Hardsigmoid,
    HSwish as Hardswish,
    Identity,
    L1LossExt as L1Loss,
    Linear,
    LogSoftmaxExt as LogSoftmax,
    MaxPool2dExt as MaxPool2d,
    PReLUExt as PReLU,
    ReLU,
    SoftShrink as Softshrink,
)
from ...nn import AvgPool1dExt as AvgPool1d, AvgPool2dExt as AvgPool2d, AvgPool3dExt as AvgPool3d, LayerNormExt as LayerNorm  # noqa: F401
from . import functional  # noqa: F401
from .conv import Conv1d, Conv2d, Conv3d, ConvTranspose2d  # noqa: F401
from .functional_cells import *  # noqa: F403
from .normalization import BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, SyncBatchNorm  # noqa: F401

_missing = _MissingNames(__name__)
__all__ = sorted(n for n in globals() if n[0].isupper())


def __getattr__(name):
    return _missing(name)
