"""Change of sampling rate and of pitch."""

import math
from typing import Annotated, Any

import numpy as np

from ...core.constructor import keep, with_arguments
from ...core.spec.checking import checked
from ...core.spec.rules import Like, Within
from ..check import check
from ..rules import Int32, NaturalInt32, NonzeroInt32, PositiveInt32, PositiveReal32
from .base import AudioOperation, rows, working_dtype
from .spectral import check_window
from .stft import istft, stft, vocoder
from .utils import ResampleMethod, WindowType

__all__ = ["PitchShift", "Resample"]

_BETA = 14.769656459379492  # of the Kaiser window


_CHUNK = 1 << 22  # numbers gathered at a time: 32 MB


def _weights(distance, width, method, beta):
    """The windowed sinc at `distance`, in zero crossings; 0 beyond `width`."""
    distance = np.clip(distance, -width, width)
    if method == ResampleMethod.SINC_INTERPOLATION:
        window = np.cos(distance * math.pi / width / 2) ** 2
    else:
        window = np.i0(beta * np.sqrt(1 - (distance / width) ** 2)) / np.i0(beta)
    return np.sinc(distance) * window


def resample(
    signal: np.ndarray,
    old: Any,
    new: Any,
    width: int = 6,
    rolloff: float = 0.99,
    method: ResampleMethod = ResampleMethod.SINC_INTERPOLATION,
    beta: float = _BETA,
):
    """`signal` (..., time), sampled at `old` Hz, at `new` Hz (integers).

    Each result is a weighted sum of the samples around it; weights repeat after `new` / gcd results. Formula of
    J. O. Smith, https://ccrma.stanford.edu/~jos/resample/.
    """
    common = math.gcd(old, new)
    old, new = old // common, new // common
    cutoff = min(old, new) * rolloff
    reach = math.ceil(width * old / cutoff)
    taps = np.arange(-reach, reach + 2)
    length = signal.shape[-1]
    count = math.ceil(new * length / old)
    phase = np.arange(min(new, count)) * old % new / new
    weights = _weights((taps - phase[:, None]) * (cutoff / old), width, method, beta) * (cutoff / old)
    padded = np.pad(rows(signal), ((0, 0), (reach, reach + 2)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, len(taps), axis=-1)
    result = np.empty((len(padded), count), signal.dtype)
    step = max(_CHUNK // (len(padded) * len(taps)), 1)
    for first in range(0, count, step):
        place = np.arange(first, min(first + step, count))
        near = weights[place % new].astype(signal.dtype)
        result[:, place] = np.einsum("rjt,jt->rj", windows[:, place * old // new], near)
    return result.reshape(signal.shape[:-1] + result.shape[-1:])


class Resample(AudioOperation):
    """Changes the sampling rate, by interpolation with windowed sinc functions.

    Args:
        orig_freq (float): sampling rate of the input in Hz.
        new_freq (float): sampling rate of the result in Hz.
        resample_method (ResampleMethod): window of the sinc function.
        lowpass_filter_width (int): sharpness of the filter, in zero crossings.
        rolloff (float): cutoff as a share of the Nyquist frequency, in (0, 1].
        beta (float, optional): shape of the Kaiser window; default 14.769656459379492.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not numeric.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Resample(16000, 8000)(np.ones((2, 20), np.float32)).shape
        (2, 10)
    """

    same_dtype = True

    @checked
    @with_arguments
    def __init__(
        self,
        orig_freq: PositiveReal32 = 16000,
        new_freq: PositiveReal32 = 16000,
        resample_method: ResampleMethod = ResampleMethod.SINC_INTERPOLATION,
        lowpass_filter_width: PositiveInt32 = 6,
        rolloff: Annotated[float, Within("(0, 1]")] = 0.99,
        beta: Like[float] | None = None,
    ):
        keep(self)
        self.beta = _BETA if beta is None else beta

    def compute(self, audio: np.ndarray):
        old, new = int(self.orig_freq), int(self.new_freq)
        check(
            old > 0 and new > 0,
            f"Resample: the rates should be at least 1 Hz, but got {self.orig_freq} and {self.new_freq}.",
            RuntimeError,
        )
        if old == new:
            return audio
        beta = self.beta  # MindSpore too looks at its type only here
        check(isinstance(beta, (int, float)), f"Resample: 'beta' should be a number, but got {type(beta)}.", TypeError)
        return resample(
            audio.astype(working_dtype(audio), copy=False),
            old,
            new,
            self.lowpass_filter_width,
            self.rolloff,
            self.resample_method,
            beta,
        )


class PitchShift(AudioOperation):
    """Shifts the pitch of a waveform and keeps its length.

    Args:
        sample_rate (int): sampling rate in Hz.
        n_steps (int): steps up, negative for down.
        bins_per_octave (int): steps of an octave, not 0.
        n_fft (int): size of the Fourier transform.
        win_length (int, optional): window size, at most `n_fft`; default `n_fft`.
        hop_length (int, optional): distance of the windows; default a quarter of the window.
        window (WindowType): the window.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not numeric, or too short.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.PitchShift(16000, 4)(np.ones((1, 300), np.float32)).shape
        (1, 300)
    """

    @checked
    @with_arguments
    def __init__(
        self,
        sample_rate: NaturalInt32,
        n_steps: Int32,
        bins_per_octave: NonzeroInt32 = 12,
        n_fft: PositiveInt32 = 512,
        win_length: PositiveInt32 | None = None,
        hop_length: PositiveInt32 | None = None,
        window: WindowType = WindowType.HANN,
    ):
        keep(self)
        check_window(win_length, n_fft)
        self.win_length = win_length or n_fft
        self.hop_length = hop_length or self.win_length // 4

    def compute(self, audio: np.ndarray):
        check(
            self.hop_length > 0,
            f"PitchShift: 'hop_length' should be greater than 0, but got {self.hop_length}.",
            RuntimeError,
        )
        length, place = audio.shape[-1], (self.n_fft, self.win_length, self.hop_length, self.window)
        check(length > 1, f"PitchShift: a waveform of {length} sample(s) is too short.", RuntimeError)
        rate = 2.0 ** (-self.n_steps / self.bins_per_octave)
        advance = np.linspace(0, math.pi * self.hop_length, self.n_fft // 2 + 1)[:, None]
        stretched = istft(vocoder(stft(audio, *place), rate, advance), *place, length=round(length / rate))
        shifted = resample(stretched, int(self.sample_rate / rate), self.sample_rate)[..., :length]
        missing = length - shifted.shape[-1]
        return np.pad(shifted, [(0, 0)] * (shifted.ndim - 1) + [(0, missing)]).astype(audio.dtype)
