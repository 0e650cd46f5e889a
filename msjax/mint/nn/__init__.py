"""`mindspore.mint.nn`: layers with PyTorch's names and arguments. Most are one function of `mint.nn.functional` with
fixed arguments.
"""

from ... import nn as _nn
from ...alias.names import MissingNames as _MissingNames
from ...nn import (  # noqa: F401
    AdaptiveMaxPool2d,
    Identity,
    Linear,
    ReLU,
)
from ...nn import AvgPool1dExt as AvgPool1d  # noqa: F401
from ...nn import AvgPool2dExt as AvgPool2d
from ...nn import AvgPool3dExt as AvgPool3d
from ...nn import (
    Dropout2dExt as Dropout2d,
)
from ...nn import (
    DropoutExt as Dropout,
)
from ...nn import (
    EmbeddingExt as Embedding,
)
from ...nn import (
    HShrink as Hardshrink,
)
from ...nn import (
    HSigmoid as Hardsigmoid,
)
from ...nn import (
    HSwish as Hardswish,
)
from ...nn import (
    L1LossExt as L1Loss,
)
from ...nn import LayerNormExt as LayerNorm
from ...nn import (
    LogSoftmaxExt as LogSoftmax,
)
from ...nn import (
    MaxPool2dExt as MaxPool2d,
)
from ...nn import (
    PReLUExt as PReLU,
)
from ...nn import (
    SoftShrink as Softshrink,
)
from . import functional  # noqa: F401
from .conv import Conv1d, Conv2d, Conv3d, ConvTranspose2d  # noqa: F401
from .functional_cells import *  # noqa: F403
from .normalization import BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, SyncBatchNorm  # noqa: F401

_missing = _MissingNames(__name__)
__all__ = sorted(n for n in globals() if n[0].isupper())


def __getattr__(name):
    return _missing(name)
