"""Annotations of constructor arguments of layers, losses and optimizers."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from ..core.spec.rules import AsValue, Like, NonNegativeInt, Within
from ..core.values.dtype import Type
from ..core.values.initializer import Initializer
from ..core.values.tensor import Tensor
from .cell.cell import Cell

# `initializer()` says what is wrong with it; None is the layer's own.
Init = Like[Initializer | Tensor | str | float | None]
# `get_activation()` says what is wrong with it.
Activation = Like[str | Cell | type[Cell] | None]
DType: TypeAlias = Type | type | str | np.dtype | None  # of the Parameters
ImageFormat = AsValue[Literal["NCHW", "NHWC", "NCDHW"]]
# Paddings of both sides of each axis, or one for all.
Sides2d: TypeAlias = NonNegativeInt | tuple[NonNegativeInt, NonNegativeInt, NonNegativeInt, NonNegativeInt]
Sides3d: TypeAlias = (
    NonNegativeInt
    | tuple[NonNegativeInt, NonNegativeInt, NonNegativeInt, NonNegativeInt, NonNegativeInt, NonNegativeInt]
)
PadMode: TypeAlias = Literal["valid", "same", "pad"]

# `Optimizer` compares these.
Parameters = Like[Iterable[Any]]  # Parameters, or dicts of groups
Rate = Like[float | Tensor | Iterable[float] | Cell]
Decay = Like[float | Cell]  # a bool is 0 or 1, as for Rate
StrictRate: TypeAlias = int | float | Tensor | Iterable[float] | Cell  # no bool: FTRL alone asks
StrictDecay: TypeAlias = int | float | Cell  # no bool: LazyAdam alone asks
LossScale = Like[float]
Beta = Annotated[float, Within("(0, 1)")]
