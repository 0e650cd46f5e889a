"""`mindspore.mint.nn`: layers with PyTorch's names and arguments. Most are one function of `mint.nn.functional` with
fixed arguments.
"""

from ... import nn as _nn
from ...alias.names import MissingNames as _MissingNames
from ...core.spec.texts import complete as _complete
from ...nn import AdaptiveMaxPool2d, Cell, Identity, Linear, ReLU
from . import functional  # noqa: F401
from .conv import Conv1d, Conv2d, Conv3d, ConvTranspose2d  # noqa: F401
from .functional_cells import *  # noqa: F403
from .normalization import BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, SyncBatchNorm  # noqa: F401

# Layers that `mindspore.nn` has under other names, mostly to tell them from older ones.
_RENAMED = {
    "AvgPool1d": "AvgPool1dExt",
    "AvgPool2d": "AvgPool2dExt",
    "AvgPool3d": "AvgPool3dExt",
    "Dropout": "DropoutExt",
    "Dropout2d": "Dropout2dExt",
    "Embedding": "EmbeddingExt",
    "Hardshrink": "HShrink",
    "Hardsigmoid": "HSigmoid",
    "Hardswish": "HSwish",
    "L1Loss": "L1LossExt",
    "LayerNorm": "LayerNormExt",
    "LogSoftmax": "LogSoftmaxExt",
    "MaxPool2d": "MaxPool2dExt",
    "PReLU": "PReLUExt",
    "Softshrink": "SoftShrink",
}
globals().update({name: getattr(_nn, theirs) for name, theirs in _RENAMED.items()})

_missing = _MissingNames(__name__)
__all__ = sorted(n for n in globals() if n[0].isupper())
_complete({name: globals()[name] for name in __all__}, "mint.nn")


def __getattr__(name):
    return _missing(name)
