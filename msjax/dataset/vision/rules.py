"""What arguments that several image operations share may be, as annotations, and the checks of several arguments at once."""

from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

import numpy as np

from ...core.spec.rules import Length, Raises, That, Within
from ..check import check
from ..rules import RISING, Byte, NaturalInt32, NonNegativeReal32, PositiveInt32, PositiveReal32, Real32
from .modes import Implementation

_PAIR = Raises(length=TypeError)

Number = int | float | bool | np.number  # what Python counts as a number
PositiveSize = Annotated[int, Within("[1, 16777216]")]
# (height, width); MindSpore takes True for 1 where it does not look at the type first.
Size: TypeAlias = Annotated[
    Annotated[int | bool, Within("[1, 16777216]")] | Annotated[Sequence[PositiveInt32], Length(2)], _PAIR
]
CropSize: TypeAlias = Annotated[PositiveSize | Annotated[Sequence[PositiveInt32], Length(2)], _PAIR]
Fill: TypeAlias = Annotated[Byte | tuple[Byte, Byte, Byte], _PAIR]
# One number, (left and right, top and bottom), or (left, top, right, bottom).
Padding: TypeAlias = NaturalInt32 | Annotated[Sequence[NaturalInt32], Length(2, 4)]
_POSITIVE_END = That("with a second that is positive", lambda values: values[1] > 0)
Scale: TypeAlias = Annotated[Sequence[NonNegativeReal32], Length(2), RISING, _POSITIVE_END, _PAIR]
Ratio: TypeAlias = Annotated[Sequence[PositiveReal32], Length(2), RISING, _PAIR]
Degrees: TypeAlias = Annotated[NonNegativeReal32 | Annotated[Sequence[Real32], Length(2), RISING], _PAIR]
FactorRange: TypeAlias = Annotated[Sequence[NonNegativeReal32], Length(2), RISING]
_Place = Annotated[int | float, Within("[-2147483648, 2147483647]")]
Center: TypeAlias = Annotated[tuple[_Place, _Place], Raises(type=ValueError, item=TypeError)]
Turn = Annotated[int | float, Within("[-180, 180]")]
Channel = Annotated[int | float, Within("[0, 255]")]
PositiveChannel = Annotated[int | float, Within("(0, 255]")]
Cutoff = Annotated[int | float, Within("[0, 50)")]
Ignored: TypeAlias = Byte | Sequence[Byte]
ArrayOperation = That(
    "an operation on arrays", lambda it: getattr(it, "implementation", None) != Implementation.PY, is_type=True
)


def check_lengths(mean: Sequence[float], std: Sequence[float]):
    """Raises ValueError unless there are as many means as deviations."""
    check(len(mean) == len(std), "Length of mean and std must be equal.")


def is_square(matrix: Any):
    """Whether a matrix has as many rows as columns."""
    return matrix.shape[0] == matrix.shape[1]
