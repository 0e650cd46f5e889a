"""Linear filters: the second-order ones of the Audio EQ Cookbook, and those with coefficients of the user.

The formulas are R. Bristow-Johnson's, https://www.w3.org/TR/audio-eq-cookbook/, as SoX and torchaudio use them.
"""

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np

from ...core.constructor import keep, with_arguments
from ...core.spec.checking import checked
from ...core.spec.rules import Within
from ..check import check
from ..rules import NOT_ZERO, NonzeroInt32, Real32
from .base import AudioOperation

__all__ = [
    "AllpassBiquad",
    "BandBiquad",
    "BandpassBiquad",
    "BandrejectBiquad",
    "BassBiquad",
    "Biquad",
    "DeemphBiquad",
    "EqualizerBiquad",
    "Filtfilt",
    "HighpassBiquad",
    "LFilter",
    "LowpassBiquad",
    "RiaaBiquad",
    "TrebleBiquad",
]

Quality = Annotated[int | float, Within("(0, 1]")]


def linear_filter(audio: np.ndarray, a: Any, b: Any, clamp: bool = True):
    """y[t] = (sum b[k] x[t-k] - sum a[k] y[t-k]) / a[0] along the last dimension, limited to [-1, 1] where `clamp`.

    The coefficients have the dtype of `audio`. Sums in float16 are rounded after each step, as MindSpore rounds them: there the
    rounding is a part of the result. Sums in float32 are taken in float64.
    """
    dtype = audio.dtype
    a, b = np.asarray(a, np.float64).astype(dtype), np.asarray(b, np.float64).astype(dtype)
    check(a[:1].all(), f"The first of the weights of the output should not be 0, but got {a[:1]}.", RuntimeError)
    a, b = np.concatenate([[dtype.type(1)], a[1:] / a[0]]), b / a[0]
    if dtype == np.float16:
        result = _rounded_filter(audio, a, b)
    else:
        from scipy.signal import lfilter  # half a second to import, and only filters need it

        result = lfilter(b.astype(np.float64), a.astype(np.float64), audio, axis=-1)
    if clamp:
        np.clip(result, -1.0, 1.0, out=result)
    return result.astype(dtype, copy=False)


def _rounded_filter(audio: np.ndarray, a: np.ndarray, b: np.ndarray):
    """The sums of `linear_filter` one after the other, each rounded to the dtype of `audio`; a[0] is 1."""
    times = np.moveaxis(audio, -1, 0)
    inputs, outputs = ([np.zeros_like(times[0])] * len(a) for _ in range(2)) if len(times) else ([], [])
    result = np.empty_like(times)
    with np.errstate(all="ignore"):  # an unstable filter ends in inf and NaN, as in MindSpore
        for t, now in enumerate(times):
            inputs = [now, *inputs[:-1]]
            total = b[0] * now
            for weight, before in zip(b[1:], inputs[1:]):
                total = total + weight * before
            for weight, before in zip(a[1:], outputs):
                total = total - weight * before
            outputs = [total, *outputs[:-1]]
            result[t] = total
    return np.moveaxis(result, 0, -1)


class _Filter(AudioOperation):
    """A filter with fixed coefficients `a` (of the output) and `b` (of the input)."""

    floats_only = same_dtype = elementwise = True
    clamp = True

    def compute(self, audio: np.ndarray):
        return linear_filter(audio, self.a, self.b, self.clamp)

    def _angle(self, frequency, kind=np.float64):
        """(cosine, alpha) of a corner or centre frequency in Hz, computed in `kind` from arguments of float32."""
        w0 = kind(2 * math.pi * float(np.float32(frequency)) / self.sample_rate)
        return np.cos(w0), np.sin(w0) / 2 / kind(np.float32(self.Q))


def _amplitude(gain):
    return math.exp(min(float(gain / 40) * math.log(10), 700))  # below the end of float64


def _shelf(amplitude, cosine, alpha, sign):
    """Coefficients (a, b) of a shelving filter: sign 1 raises the low frequencies, -1 the high ones."""
    slope = 2 * np.sqrt(amplitude) * alpha
    less, more = (amplitude - 1) * cosine * sign, (amplitude + 1) * cosine * sign
    b = (
        amplitude * (amplitude + 1 - less + slope),
        sign * 2 * amplitude * (amplitude - 1 - more),
        amplitude * (amplitude + 1 - less - slope),
    )
    a = (amplitude + 1 + less + slope, sign * -2 * (amplitude - 1 + more), amplitude + 1 + less - slope)
    return a, b


class AllpassBiquad(_Filter):
    """Shifts the phase around a frequency and leaves the magnitudes.

    Args:
        sample_rate (int): sampling rate in Hz, not 0.
        central_freq (float): centre frequency in Hz.
        Q (float): quality factor, in (0, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.AllpassBiquad(44100, 200.0)(np.zeros((2, 8), np.float32)).shape
        (2, 8)
    """

    @checked
    @with_arguments
    def __init__(self, sample_rate: NonzeroInt32, central_freq: Real32, Q: Quality = 0.707):
        keep(self)
        cosine, alpha = self._angle(central_freq)
        self.b = 1 - alpha, -2 * cosine, 1 + alpha
        self.a = 1 + alpha, -2 * cosine, 1 - alpha


class BandBiquad(_Filter):
    """Two-pole band filter.

    Args:
        sample_rate (int): sampling rate in Hz, not 0.
        central_freq (float): centre frequency in Hz.
        Q (float): quality factor, in (0, 1].
        noise (bool): mode for unpitched sounds such as percussion.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.BandBiquad(44100, 200.0)(np.zeros(8, np.float32)).shape
        (8,)
    """

    @checked
    @with_arguments
    def __init__(self, sample_rate: NonzeroInt32, central_freq: Real32, Q: Quality = 0.707, noise: bool = False):
        keep(self)
        with np.errstate(all="ignore"):  # a band far above the sampling rate gives nan, as in MindSpore
            a2 = np.exp(-2 * math.pi * float(np.float32(central_freq) / np.float32(Q)) / sample_rate)
            a1 = -4 * a2 / (1 + a2) * self._angle(central_freq)[0]
            b0 = np.sqrt(1 - a1 * a1 / (4 * a2)) * (1 - a2)
            if noise:
                b0 = np.sqrt(((1 + a2) * (1 + a2) - a1 * a1) * (1 - a2) / (1 + a2))
        self.a, self.b = (1.0, a1, a2), (b0, 0.0, 0.0)


class BandpassBiquad(_Filter):
    """Two-pole band-pass filter.

    Args:
        sample_rate (int): sampling rate in Hz, not 0.
        central_freq (float): centre frequency in Hz.
        Q (float): quality factor, in (0, 1].
        const_skirt_gain (bool): constant skirt gain (peak gain Q) instead of a peak gain of 0 dB.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.BandpassBiquad(44100, 200.0)(np.zeros(8, np.float32)).shape
        (8,)
    """

    @checked
    @with_arguments
    def __init__(
        self, sample_rate: NonzeroInt32, central_freq: Real32, Q: Quality = 0.707, const_skirt_gain: bool = False
    ):
        keep(self)
        cosine, alpha = self._angle(central_freq, np.float32)
        peak = alpha * np.float32(Q) if const_skirt_gain else alpha
        self.b = peak, 0.0, -peak
        self.a = 1 + alpha, -2 * cosine, 1 - alpha


class BandrejectBiquad(_Filter):
    """Two-pole band-reject (notch) filter.

    Args:
        sample_rate (int): sampling rate in Hz, not 0.
        central_freq (float): centre frequency in Hz.
        Q (float): quality factor, in (0, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.BandrejectBiquad(44100, 200.0)(np.zeros(8, np.float32)).shape
        (8,)
    """

    @checked
    @with_arguments
    def __init__(self, sample_rate: NonzeroInt32, central_freq: Real32, Q: Quality = 0.707):
        keep(self)
        cosine, alpha = self._angle(central_freq)
        self.b = 1.0, -2 * cosine, 1.0
        self.a = 1 + alpha, -2 * cosine, 1 - alpha


class BassBiquad(_Filter):
    """Shelving filter that raises or lowers the bass.

    Args:
        sample_rate (int): sampling rate in Hz, not 0.
        gain (float): gain in dB.
        central_freq (float): centre frequency in Hz.
        Q (float): quality factor, in (0, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.BassBiquad(44100, 10.0)(np.zeros(8, np.float32)).shape
        (8,)
    """

    @checked
    @with_arguments
    def __init__(self, sample_rate: NonzeroInt32, gain: Real32, central_freq: Real32 = 100.0, Q: Quality = 0.707):
        keep(self)
        a, b = _shelf(_amplitude(np.float32(gain)), *self._angle(central_freq), 1)
        self.a, self.b = np.divide(a, a[0]), np.divide(b, a[0])


class TrebleBiquad(_Filter):
    """Shelving filter that raises or lowers the treble.

    Args:
        sample_rate (int): sampling rate in Hz, not 0.
        gain (float): gain in dB.
        central_freq (float): centre frequency in Hz.
        Q (float): quality factor, in (0, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.TrebleBiquad(44100, 10.0)(np.zeros(8, np.float32)).shape
        (8,)
    """

    @checked
    @with_arguments
    def __init__(self, sample_rate: NonzeroInt32, gain: Real32, central_freq: Real32 = 3000, Q: Quality = 0.707):
        keep(self)
        self.a, self.b = _shelf(np.float32(_amplitude(np.float32(gain))), *self._angle(central_freq, np.float32), -1)


class EqualizerBiquad(_Filter):
    """Peaking filter: raises or lowers one band.

    Args:
        sample_rate (int): sampling rate in Hz, not 0.
        center_freq (float): centre frequency in Hz.
        gain (float): gain in dB.
        Q (float): quality factor, in (0, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.EqualizerBiquad(44100, 1500, 5.5)(np.zeros(8, np.float32)).shape
        (8,)
    """

    @checked
    @with_arguments
    def __init__(self, sample_rate: NonzeroInt32, center_freq: Real32, gain: Real32, Q: Quality = 0.707):
        keep(self)
        cosine, alpha = self._angle(center_freq)
        amplitude = _amplitude(float(np.float32(gain)))
        self.b = 1 + alpha * amplitude, -2 * cosine, 1 - alpha * amplitude
        self.a = 1 + alpha / amplitude, -2 * cosine, 1 - alpha / amplitude


class HighpassBiquad(_Filter):
    """Second-order high-pass filter.

    Args:
        sample_rate (int): sampling rate in Hz, not 0.
        cutoff_freq (float): corner frequency in Hz.
        Q (float): quality factor, in (0, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.HighpassBiquad(44100, 1500)(np.zeros(8, np.float32)).shape
        (8,)
    """

    @checked
    @with_arguments
    def __init__(self, sample_rate: NonzeroInt32, cutoff_freq: Real32, Q: Quality = 0.707):
        keep(self)
        cosine, alpha = self._angle(cutoff_freq)
        self.b = (1 + cosine) / 2, -1 - cosine, (1 + cosine) / 2
        self.a = 1 + alpha, -2 * cosine, 1 - alpha


class LowpassBiquad(_Filter):
    """Second-order low-pass filter.

    Args:
        sample_rate (int): sampling rate in Hz, not 0.
        cutoff_freq (float): corner frequency in Hz.
        Q (float): quality factor, in (0, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.LowpassBiquad(4000, 1500, 0.7)(np.zeros(8, np.float32)).shape
        (8,)
    """

    @checked
    @with_arguments
    def __init__(self, sample_rate: NonzeroInt32, cutoff_freq: Real32, Q: Quality = 0.707):
        keep(self)
        cosine, alpha = self._angle(cutoff_freq)
        self.b = (1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2
        self.a = 1 + alpha, -2 * cosine, 1 - alpha


class DeemphBiquad(_Filter):
    """De-emphasis of a Compact Disc (ISO 908): lowers the treble.

    Args:
        sample_rate (int): 44100 or 48000 Hz.

    Raises:
        TypeError: `sample_rate` is not an int.
        ValueError: `sample_rate` is neither of the two.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.DeemphBiquad(44100)(np.zeros(8, np.float32)).shape
        (8,)
    """

    _SHELVES = {44100: (5283, 0.4845, -9.477), 48000: (5356, 0.479, -9.62)}  # centre in Hz, slope, gain in dB

    @checked
    @with_arguments
    def __init__(self, sample_rate: Literal[44100, 48000]):
        keep(self)
        centre, slope, gain = self._SHELVES[sample_rate]
        w0, amplitude = 2 * math.pi * centre / sample_rate, _amplitude(gain)
        alpha = math.sin(w0) / 2 * math.sqrt((amplitude + 1 / amplitude) * (1 / slope - 1) + 2)
        self.a, self.b = _shelf(amplitude, math.cos(w0), alpha, -1)


class RiaaBiquad(_Filter):
    """Playback equalization of vinyl records (RIAA).

    Args:
        sample_rate (int): 44100, 48000, 88200 or 96000 Hz.

    Raises:
        TypeError: `sample_rate` is not an int.
        ValueError: `sample_rate` is none of the four.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.RiaaBiquad(44100)(np.zeros(8, np.float32)).shape
        (8,)
    """

    _ROOTS = {
        44100: ((-0.2014898, 0.9233820), (0.7083149, 0.9924091)),  # zeros, poles
        48000: ((-0.1766069, 0.9321590), (0.7396325, 0.9931330)),
        88200: ((-0.1168735, 0.9648312), (0.8590646, 0.9964002)),
        96000: ((-0.1141486, 0.9676817), (0.8699137, 0.9966946)),
    }

    @checked
    @with_arguments
    def __init__(self, sample_rate: Literal[44100, 48000, 88200, 96000]):
        keep(self)
        b, a = ((one, -(p + q), p * q) for one, p, q in np.float32([(1, *roots) for roots in self._ROOTS[sample_rate]]))
        w0 = np.float32(2 * math.pi * 1000 / sample_rate)
        cosines, sines = np.cos([0, -w0, -2 * w0]), np.sin([0, -w0, -2 * w0])

        def power(c):  # at 1 kHz, where the gain becomes 0 dB
            return np.float32(np.dot(c, cosines)) ** 2 + np.float32(np.dot(c, sines)) ** 2

        gain = 1 / np.sqrt(power(b) / power(a))
        self.a, self.b = a, tuple(gain * x for x in b)


class Biquad(_Filter):
    """Second-order filter with given coefficients; the result is limited to [-1, 1].

    Args:
        b0 (float): weight of the current input.
        b1 (float): weight of the input one sample before.
        b2 (float): weight of the input two samples before.
        a0 (float): weight of the current output, not 0.
        a1 (float): weight of the output one sample before.
        a2 (float): weight of the output two samples before.

    Raises:
        TypeError: an argument is not a number.
        ValueError: `a0` is 0.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Biquad(0.01, 0.02, 0.13, 1, 0.12, 0.3)(np.ones(2, np.float32))
        array([0.01  , 0.0288], dtype=float32)
    """

    arrays_only = False

    @checked
    @with_arguments
    def __init__(self, b0: Real32, b1: Real32, b2: Real32, a0: Annotated[Real32, NOT_ZERO], a1: Real32, a2: Real32):
        keep(self)
        self.a, self.b = np.float32([(a0, a1, a2), (b0, b1, b2)])


class LFilter(_Filter):
    """Filter of any order with given coefficients.

    Args:
        a_coeffs (sequence[float]): weights of the outputs, the current one first.
        b_coeffs (sequence[float]): weights of the inputs, the current one first; as many as `a_coeffs`.
        clamp (bool): limit the result to [-1, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the two lists differ in length.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.LFilter([1.0, 0.1], [0.5, 0.2])(np.ones(2, np.float32))
        array([0.5 , 0.65], dtype=float32)
    """

    @checked
    @with_arguments
    def __init__(self, a_coeffs: Sequence[Real32], b_coeffs: Sequence[Real32], clamp: bool = True):
        keep(self)
        check(len(a_coeffs) == len(b_coeffs), "The size of a_coeffs should be the same as that of b_coeffs.")
        self.a, self.b = np.float32([a_coeffs, b_coeffs])


class Filtfilt(LFilter):
    """`LFilter` forward and then backward, so that the phase stays.

    Args:
        a_coeffs (sequence[float]): weights of the outputs, the current one first.
        b_coeffs (sequence[float]): weights of the inputs, the current one first; as many as `a_coeffs`.
        clamp (bool): limit the result to [-1, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the two lists differ in length.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Filtfilt([1.0, 0.1], [0.5, 0.2])(np.ones(4, np.float32)).shape
        (4,)
    """

    def compute(self, audio: np.ndarray):
        forward = linear_filter(audio, self.a, self.b, clamp=False)
        return linear_filter(forward[..., ::-1], self.a, self.b, self.clamp)[..., ::-1]
