"""Masks over the time or the frequency of a spectrogram."""

from typing import Annotated

import numpy as np

from ...core.constructor import keep, with_arguments
from ...core.spec.checking import checked
from ...core.spec.rules import Within
from ..check import check
from ..operation import draws
from ..rules import NaturalInt32, NonNegativeReal32, PositiveInt32, Real32
from .base import AudioOperation

__all__ = ["FrequencyMasking", "MaskAlongAxis", "MaskAlongAxisIID", "TimeMasking"]

Bins = Annotated[int, Within("[0, 16777216]")]


def _mask(audio, axis, start, width, value):
    """`audio` with the bins start <= i < start + width set to `value`; axis 1 is frequency, 2 is time."""
    place = np.arange(audio.shape[-1 if axis == 2 else -2])
    inside = (place >= start) & (place < start + width)
    return np.where(inside if axis == 2 else inside[:, None], audio.dtype.type(value), audio)


def _mask_random(audio, axis, parameter, value):
    """A mask of up to `parameter` bins at a random place, the same for all spectrograms (freq, time) of `audio`."""
    length = audio.shape[-1 if axis == 2 else -2]
    draw = draws()
    width = draw.between(0, parameter)
    return _mask(audio, axis, draw.between(0, length - width), width, value)


class MaskAlongAxis(AudioOperation):
    """Masks given bins of a spectrogram.

    Args:
        mask_start (int): first masked bin.
        mask_width (int): number of masked bins.
        mask_value (float): what they become.
        axis (int): 1 for frequency, 2 for time.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the mask does not fit, or the shape of the input is not <..., freq, time>.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.MaskAlongAxis(1, 1, 0.0, 2)(np.ones((1, 3), np.float32))
        array([[1., 0., 1.]], dtype=float32)
    """

    rank = 2

    @checked
    @with_arguments
    def __init__(
        self,
        mask_start: NaturalInt32,
        mask_width: PositiveInt32,
        mask_value: Real32,
        axis: Annotated[int, Within("[1, 2]")],
    ):
        keep(self)

    def compute(self, audio: np.ndarray):
        length = audio.shape[-1 if self.axis == 2 else -2]
        check(
            self.mask_start <= length,
            f"MaskAlongAxis: mask_start should be less than the length of chosen dimension, but got: "
            f"{self.mask_start} and {length}.",
            RuntimeError,
        )
        check(
            self.mask_start + self.mask_width <= length,
            f"MaskAlongAxis: the sum of mask_start and mask_width is out of bounds: "
            f"{self.mask_start} + {self.mask_width} > {length}.",
            RuntimeError,
        )
        return _mask(audio, self.axis, self.mask_start, self.mask_width, self.mask_value)


class MaskAlongAxisIID(AudioOperation):
    """Masks random bins: a width from [0, mask_param], at any start.

    Args:
        mask_param (int): greatest width.
        mask_value (float): what the masked bins become.
        axis (int): 1 for frequency, 2 for time.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the mask may not fit, or the shape of the input is not <..., freq, time>.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.MaskAlongAxisIID(5, 0.5, 2)(np.ones((1, 20, 20), np.float32)).shape
        (1, 20, 20)
    """

    rank = 2
    deterministic = False

    @checked
    @with_arguments
    def __init__(self, mask_param: NaturalInt32, mask_value: Real32, axis: Annotated[int, Within("[1, 2]")]):
        keep(self)

    def compute(self, audio: np.ndarray):
        length = audio.shape[-1 if self.axis == 2 else -2]
        check(
            self.mask_param <= length,
            f"MaskAlongAxisIID: mask_param should be less than or equal to the length of chosen dimension, but "
            f"got: mask_param {self.mask_param} and length {length}.",
            RuntimeError,
        )
        return _mask_random(audio, self.axis, self.mask_param, self.mask_value)


class _Masking(AudioOperation):
    rank = 2
    deterministic = False

    def compute(self, audio: np.ndarray):
        length, name = audio.shape[-1 if self.axis == 2 else -2], type(self).__name__
        parameter = getattr(self, self.parameter)
        check(
            parameter <= length,
            f"{name}: invalid parameter, '{self.parameter}' should be less than or equal to the length of "
            f"{'time' if self.axis == 2 else 'frequency'} dimension, but got: {parameter} and {length}.",
            RuntimeError,
        )
        if self.iid_masks:
            return _mask_random(audio, self.axis, parameter, self.mask_value)
        check(
            self.mask_start < length,
            f"{name}: invalid parameter, 'mask_start' should be less than the length of the masked dimension, but got: "
            f"{self.mask_start} and {length}.",
            RuntimeError,
        )
        check(
            self.mask_start + parameter <= length,
            f"{name}: the sum of mask_start and {self.parameter} is out of bounds: {self.mask_start} + "
            f"{parameter} > {length}.",
            RuntimeError,
        )
        return _mask(audio, self.axis, self.mask_start, parameter, self.mask_value)


class FrequencyMasking(_Masking):
    """Masks frequencies of a spectrogram.

    Args:
        iid_masks (bool): a random mask for each input.
        freq_mask_param (int): number of masked frequencies; the greatest number where `iid_masks`.
        mask_start (int): first masked frequency where not `iid_masks`.
        mask_value (float): what the masked bins become.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is negative.
        RuntimeError: the mask does not fit, or the shape of the input is not <..., freq, time>.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.FrequencyMasking(freq_mask_param=1)(np.ones((2, 2), np.float32))
        array([[0., 0.],
               [1., 1.]], dtype=float32)
    """

    axis, parameter = 1, "freq_mask_param"

    @checked
    @with_arguments
    def __init__(
        self,
        iid_masks: bool = False,
        freq_mask_param: Bins = 0,
        mask_start: Bins = 0,
        mask_value: NonNegativeReal32 = 0.0,
    ):
        keep(self)


class TimeMasking(_Masking):
    """Masks times of a spectrogram.

    Args:
        iid_masks (bool): a random mask for each input.
        time_mask_param (int): number of masked times; the greatest number where `iid_masks`.
        mask_start (int): first masked time where not `iid_masks`.
        mask_value (float): what the masked bins become.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is negative.
        RuntimeError: the mask does not fit, or the shape of the input is not <..., freq, time>.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.TimeMasking(time_mask_param=1)(np.ones((2, 2), np.float32))
        array([[0., 1.],
               [0., 1.]], dtype=float32)
    """

    axis, parameter = 2, "time_mask_param"

    @checked
    @with_arguments
    def __init__(
        self,
        iid_masks: bool = False,
        time_mask_param: Bins = 0,
        mask_start: Bins = 0,
        mask_value: NonNegativeReal32 = 0.0,
    ):
        keep(self)
