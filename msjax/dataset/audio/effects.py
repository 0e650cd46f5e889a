"""Operations on the amplitude of a waveform: gain, fades, distortion, quantization."""

import math
from typing import Annotated, Any

import numpy as np

from ...core.constructor import keep, with_arguments
from ...core.spec.checking import checked, compare
from ...core.spec.rules import Within
from ..check import check
from ..operation import draws
from ..rules import NaturalInt32, NonNegativeReal32, PositiveInt32, PositiveReal32, Real32
from .base import AudioOperation
from .filters import linear_filter
from .utils import DensityFunction, FadeShape, GainType, ScaleType

__all__ = [
    "AmplitudeToDB",
    "Contrast",
    "DBToAmplitude",
    "DCShift",
    "Dither",
    "Fade",
    "Gain",
    "MuLawDecoding",
    "MuLawEncoding",
    "Overdrive",
    "Vol",
]


class AmplitudeToDB(AudioOperation):
    """Turns power or magnitude into decibel.

    Args:
        stype (ScaleType): what the input holds.
        ref_value (float): the value that becomes 0 dB.
        amin (float): lower bound of the input.
        top_db (float): the result is kept within `top_db` below the maximum of each spectrogram.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is not positive.
        RuntimeError: the shape of the input is not <..., freq, time>.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.AmplitudeToDB()(np.array([[1.0, 100.0]]))
        array([[ 0., 20.]])
    """

    rank = 2

    @checked
    @with_arguments
    def __init__(
        self,
        stype: ScaleType = ScaleType.POWER,
        ref_value: PositiveReal32 = 1.0,
        amin: PositiveReal32 = 1e-10,
        top_db: PositiveReal32 = 80.0,
    ):
        keep(self)

    def compute(self, audio: np.ndarray):
        return decibel(audio, 10.0 if self.stype == ScaleType.POWER else 20.0, self.ref_value, self.amin, self.top_db)


def decibel(spectrogram: np.ndarray, multiplier: Any, ref: Any, amin: Any, top_db: Any):
    """`multiplier` * log10(spectrogram / ref), kept within `top_db` of the maximum of each (channel, freq, time)."""
    result = multiplier * np.log10(np.maximum(spectrogram, spectrogram.dtype.type(amin)))
    result -= multiplier * math.log10(max(amin, ref))
    peak = result.max(axis=tuple(range(-min(result.ndim, 3), 0)), keepdims=True)
    return np.maximum(result, peak - result.dtype.type(top_db))


class DBToAmplitude(AudioOperation):
    """Turns decibel into power or magnitude: ref * (10 ** (0.1 x)) ** power.

    Args:
        ref (float): the value of 0 dB.
        power (float): 1 gives power, 0.5 magnitude.

    Raises:
        TypeError: an argument is not a number.
        RuntimeError: the input is not numeric.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.DBToAmplitude(1.0, 1.0)(np.array([0.0, 20.0], np.float32))
        array([  1., 100.], dtype=float32)
    """

    elementwise = True

    @checked
    @with_arguments
    def __init__(self, ref: Real32, power: Real32):
        keep(self)

    def compute(self, audio: np.ndarray):
        return (self.ref * np.power(np.power(10.0, 0.1 * audio), self.power)).astype(audio.dtype, copy=False)


class Contrast(AudioOperation):
    """Makes a recording sound louder, like compression.

    Args:
        enhancement_amount (float): strength, in [0, 100].

    Raises:
        TypeError: `enhancement_amount` is not a number.
        ValueError: `enhancement_amount` is out of range.
        RuntimeError: the input is not numeric.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Contrast()(np.zeros(3, np.float32))
        array([0., 0., 0.], dtype=float32)
    """

    elementwise = True

    @checked
    @with_arguments
    def __init__(self, enhancement_amount: Annotated[int | float, Within("[0, 100]")] = 75.0):
        keep(self)

    def compute(self, audio: np.ndarray):
        angle = audio * (math.pi / 2)
        return np.sin(angle + self.enhancement_amount / 750.0 * np.sin(angle * 4))


class DCShift(AudioOperation):
    """Shifts a signal by a constant, with a limiter near the end of the range.

    Args:
        shift (float): the shift, in [-2, 2].
        limiter_gain (float, optional): gain of the limiter, much less than 1; default: no limiter.

    Raises:
        TypeError: an argument is not a number.
        ValueError: `shift` is out of range.
        RuntimeError: the input is not numeric.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.DCShift(0.5, 0.02)(np.array([0.25, -1.0], np.float32))
        array([ 0.75, -0.5 ], dtype=float32)
    """

    elementwise = True

    @checked
    @with_arguments
    def __init__(self, shift: Annotated[int | float, Within("[-2, 2]")], limiter_gain: float | int | None = None):
        keep(self)

    def compute(self, audio: np.ndarray):
        shift, gain = self.shift, self.limiter_gain or self.shift
        if shift == gain or shift == 0:
            return np.clip(audio + audio.dtype.type(shift), -1, 1)
        threshold = np.float32(1) - (np.float32(abs(shift)) - np.float32(gain))
        beyond = audio > threshold if shift > 0 else audio < -threshold
        excess = (audio - threshold if shift > 0 else audio + threshold) * gain / (1 - threshold)
        limited = excess + threshold + shift
        limited = np.minimum(limited, threshold) if shift > 0 else np.maximum(limited, -threshold)
        return np.where(beyond, limited, np.clip(audio + shift, -1, 1)).astype(audio.dtype, copy=False)


class Gain(AudioOperation):
    """Multiplies a signal by a gain.

    Args:
        gain_db (float): gain in dB.

    Raises:
        TypeError: `gain_db` is not a number.
        RuntimeError: the input is not numeric.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Gain(20.0)(np.array([0.125], np.float32))
        array([1.25], dtype=float32)
    """

    elementwise = True

    @checked
    @with_arguments
    def __init__(self, gain_db: Real32 = 1.0):
        keep(self)

    def compute(self, audio: np.ndarray):
        return audio * audio.dtype.type(10.0 ** (self.gain_db / 20))


class Vol(AudioOperation):
    """Multiplies a signal by a gain and limits it to [-1, 1].

    Args:
        gain (float): the gain; not negative as amplitude, positive as power.
        gain_type (GainType): unit of `gain`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `gain` does not fit `gain_type`.
        RuntimeError: the input is not numeric.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Vol(4.0)(np.array([0.125, 0.5], np.float32))
        array([0.5, 1. ], dtype=float32)
    """

    elementwise = True
    _GAIN = {
        GainType.AMPLITUDE: (NonNegativeReal32, lambda gain: gain),
        GainType.POWER: (PositiveReal32, math.sqrt),
        GainType.DB: (Real32, lambda gain: 10.0 ** (gain / 20)),
    }

    @checked
    @with_arguments
    def __init__(self, gain: int | float, gain_type: GainType = GainType.AMPLITUDE):
        keep(self)
        compare("Vol", "gain", gain, self._GAIN[gain_type][0])

    def compute(self, audio: np.ndarray):
        return np.clip(audio * audio.dtype.type(self._GAIN[self.gain_type][1](self.gain)), -1, 1)


_RISE = {  # curve over [0, 1]
    FadeShape.LINEAR: lambda x: x,
    FadeShape.EXPONENTIAL: lambda x: 2.0 ** (x - 1) * x,
    FadeShape.LOGARITHMIC: lambda x: np.log10(0.1 + x) + 1,
    FadeShape.QUARTER_SINE: lambda x: np.sin(x * np.pi / 2),
    FadeShape.HALF_SINE: lambda x: np.sin(x * np.pi - np.pi / 2) / 2 + 0.5,
}
_FALL = {
    FadeShape.LINEAR: lambda x: 1 - x,
    FadeShape.EXPONENTIAL: lambda x: 2.0**-x * (1 - x),
    FadeShape.LOGARITHMIC: lambda x: np.log10(1.1 - x) + 1,
    FadeShape.QUARTER_SINE: lambda x: np.sin(x * np.pi / 2 + np.pi / 2),
    FadeShape.HALF_SINE: lambda x: np.sin(x * np.pi + np.pi / 2) / 2 + 0.5,
}


class Fade(AudioOperation):
    """Fades a waveform in and out.

    Args:
        fade_in_len (int): samples of the fade in, at most the length of the waveform.
        fade_out_len (int): samples of the fade out, at most the length of the waveform.
        fade_shape (FadeShape): the curve.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a length is negative.
        RuntimeError: a length is greater than that of the waveform.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Fade(3, 0)(np.ones(4, np.float32))
        array([0. , 0.5, 1. , 1. ], dtype=float32)
    """

    same_dtype = elementwise = True

    @checked
    @with_arguments
    def __init__(
        self, fade_in_len: NaturalInt32 = 0, fade_out_len: NaturalInt32 = 0, fade_shape: FadeShape = FadeShape.LINEAR
    ):
        keep(self)

    def compute(self, audio: np.ndarray):
        length = audio.shape[-1]
        for name in ("fade_in_len", "fade_out_len"):
            check(
                getattr(self, name) <= length,
                f"Fade: {name} should be less than or equal to the length of waveform, but got "
                f"{name}: {getattr(self, name)} and length {length}.",
                RuntimeError,
            )
        if not self.fade_in_len and not self.fade_out_len:
            return audio
        curve = np.ones(length)
        curve[: self.fade_in_len] *= _RISE[self.fade_shape](np.linspace(0, 1, self.fade_in_len))
        curve[length - self.fade_out_len :] *= _FALL[self.fade_shape](np.linspace(0, 1, self.fade_out_len))
        return (audio * curve).astype(np.float64 if audio.dtype == np.float64 else np.float32)


class MuLawEncoding(AudioOperation):
    """Encodes a signal in [-1, 1] by the mu-law into int32 codes.

    Args:
        quantization_channels (int): number of codes.

    Raises:
        TypeError: `quantization_channels` is not an int.
        ValueError: `quantization_channels` is not positive.
        RuntimeError: the input is not numeric.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.MuLawEncoding()(np.array([0.0, 1.0], np.float32))
        array([128, 255], dtype=int32)
    """

    elementwise = True

    @checked
    @with_arguments
    def __init__(self, quantization_channels: PositiveInt32 = 256):
        keep(self)

    def compute(self, audio: np.ndarray):
        mu = audio.dtype.type(self.quantization_channels - 1)
        with np.errstate(divide="ignore", invalid="ignore"):  # one channel: mu is 0
            companded = np.sign(audio) * np.log1p(mu * np.abs(audio)) / np.log1p(mu)
            return ((companded + 1) / 2 * mu + 0.5).astype(np.int32)


class MuLawDecoding(AudioOperation):
    """Decodes mu-law codes.

    Args:
        quantization_channels (int): number of codes.

    Raises:
        TypeError: `quantization_channels` is not an int.
        ValueError: `quantization_channels` is not positive.
        RuntimeError: the input is not numeric.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.MuLawDecoding()(np.array([0, 255], np.int32))
        array([-1.,  1.], dtype=float32)
    """

    elementwise = True

    @checked
    @with_arguments
    def __init__(self, quantization_channels: PositiveInt32 = 256):
        keep(self)

    def compute(self, audio: np.ndarray):
        mu = audio.dtype.type(self.quantization_channels - 1)
        with np.errstate(divide="ignore", invalid="ignore"):  # one channel: mu is 0
            signal = audio / mu * 2 - 1
            return np.sign(signal) * np.expm1(np.abs(signal) * np.log1p(mu)) / mu


class Overdrive(AudioOperation):
    """Non-linear distortion, as of an overdriven amplifier.

    Args:
        gain (float): gain in dB, in [0, 100].
        color (float): amount of even harmonics, in [0, 100].

    Raises:
        TypeError: an argument is not a number.
        ValueError: an argument is out of range.
        RuntimeError: the input is not numeric.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Overdrive()(np.zeros(3, np.float32)).shape
        (3,)
    """

    elementwise = True

    @checked
    @with_arguments
    def __init__(
        self,
        gain: Annotated[int | float, Within("[0, 100]")] = 20.0,
        color: Annotated[int | float, Within("[0, 100]")] = 20.0,
    ):
        keep(self)

    def compute(self, audio: np.ndarray):
        driven = np.clip(audio * 10 ** (self.gain / 20.0) + self.color / 200, -1, 1)
        driven -= driven**3 / 3
        smooth = linear_filter(
            driven, (1.0, -0.995), (1.0, -1.0), clamp=False
        )  # a high pass removes the offset of `color`
        return np.clip(audio * 0.5 + smooth * 0.75, -1, 1).astype(audio.dtype, copy=False)


class Dither(AudioOperation):
    """Adds noise before the signal is quantized to 16 bits, against audible quantization errors.

    Args:
        density_function (DensityFunction): density of the noise.
        noise_shaping (bool): shape the noise by feeding the error back.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the input is not numeric.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Dither()(np.zeros((1, 4), np.float32)).shape
        (1, 4)
    """

    deterministic = False

    @checked
    @with_arguments
    def __init__(self, density_function: DensityFunction = DensityFunction.TPDF, noise_shaping: bool = False):
        keep(self)

    def compute(self, audio: np.ndarray):
        shape, signal = audio.shape, audio.reshape(-1, audio.shape[-1]).copy()
        noisy = signal * (2.0**15 - 2) + self._noise(signal)  # 16-bit samples, with room for the noise
        dithered = np.round(noisy) / 2.0**15
        if self.noise_shaping:
            error = dithered - signal
            dithered[:, 1:] += error[:, :-1]
        return dithered.reshape(shape).astype(audio.dtype, copy=False)

    def _noise(self, signal):
        channels, length = signal.shape
        if self.density_function == DensityFunction.TPDF:
            return np.bartlett(length + 2)[:length]
        draw = draws()

        def place():
            channel = draw.below(channels) if channels > 1 else 0
            return channel, draw.below(length) if length > 1 else 0

        noise = signal[place()]
        if self.density_function == DensityFunction.GPDF:
            for _ in range(6):
                other = place()
                noise += signal[other]
                signal[other] = noise  # so in MindSpore: it counts in the next ones, and in the shaping
        return noise
