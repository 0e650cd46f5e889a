"""Short-time Fourier transform and its inverse, phase vocoder: functions on arrays, without checks."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .utils import BorderType, WindowType

_PAD = {
    BorderType.CONSTANT: "constant",
    BorderType.EDGE: "edge",
    BorderType.REFLECT: "reflect",
    BorderType.SYMMETRIC: "symmetric",
}
_WINDOW = {
    WindowType.BARTLETT: np.bartlett,
    WindowType.BLACKMAN: np.blackman,
    WindowType.HAMMING: np.hamming,
    WindowType.HANN: np.hanning,
    WindowType.KAISER: lambda length: np.kaiser(length, 12.0),
}


def window_function(window: Any, length: int):
    """A periodic window: one period of length `length`, without the repeated last point."""
    return np.ones(1) if length == 1 else _WINDOW[window](length + 1)[:-1]


def _framed_window(window, win_length, n_fft):
    left = (n_fft - win_length) // 2
    return np.pad(window_function(window, win_length), (left, n_fft - win_length - left))


def pad_time(signal: np.ndarray, left: int, right: int, mode: Any):
    """`signal` with samples added before and after, along the last dimension."""
    return np.pad(signal, [(0, 0)] * (signal.ndim - 1) + [(left, right)], _PAD[mode])


def stft(
    signal: np.ndarray,
    n_fft: int,
    win_length: int | None,
    hop_length: int | None,
    window: Any,
    *,
    pad: int = 0,
    normalized: bool = False,
    center: bool = True,
    pad_mode: BorderType = BorderType.REFLECT,
    onesided: bool = True,
):
    """The complex spectrogram (..., freq, frames) of `signal` (..., time)."""
    if pad:
        signal = pad_time(signal, pad, pad, BorderType.CONSTANT)
    if center:
        signal = pad_time(signal, n_fft // 2, n_fft // 2, pad_mode)
    weights = _framed_window(window, win_length, n_fft)
    frames = np.lib.stride_tricks.sliding_window_view(signal, n_fft, axis=-1)[..., ::hop_length, :] * weights
    spectrum = (np.fft.rfft if onesided else np.fft.fft)(frames, axis=-1)
    if normalized:
        spectrum /= math.sqrt(np.sum(weights**2))
    return np.swapaxes(spectrum, -1, -2)


def istft(
    spectrum: np.ndarray,
    n_fft: int,
    win_length: int | None,
    hop_length: int | None,
    window: Any,
    *,
    length: int | None = None,
    normalized: bool = False,
    center: bool = True,
):
    """The signal (..., time) of the complex spectrogram `spectrum` (..., freq, frames), by overlap and add."""
    weights = _framed_window(window, win_length, n_fft)
    spectrum = np.swapaxes(spectrum, -1, -2)
    if normalized:
        spectrum = spectrum * math.sqrt(np.sum(weights**2))
    frames = np.fft.irfft(spectrum[..., : n_fft // 2 + 1], n_fft, axis=-1)  # the rest of a two-sided one is redundant
    signal = overlap_add(frames * weights, hop_length)
    envelope = overlap_add(np.broadcast_to(weights**2, frames.shape[-2:]), hop_length)
    start = n_fft // 2 if center else 0
    end = signal.shape[-1] - start if length is None else min(start + length, signal.shape[-1])
    signal, envelope = signal[..., start:end], envelope[start:end]
    result = signal / np.where(envelope == 0, 1, envelope)  # where no window reaches, the sum is 0
    missing = 0 if length is None else length - result.shape[-1]
    return pad_time(result, 0, missing, BorderType.CONSTANT) if missing > 0 else result


def overlap_add(frames: np.ndarray, hop_length: int | None):
    """Sums frames (..., frames, n) placed `hop_length` apart."""
    count, size = frames.shape[-2:]
    result = np.zeros(frames.shape[:-2] + ((count - 1) * hop_length + size,))
    for i in range(count):
        result[..., i * hop_length : i * hop_length + size] += frames[..., i, :]
    return result


def vocoder(spectrum: np.ndarray, rate: float, phase_advance: np.ndarray):
    """Complex `spectrum` (..., freq, time) played `rate` times as fast at the same pitch.

    Args:
        phase_advance (numpy.ndarray): (freq, 1), what the phase of each bin gains in one hop.
    """
    if rate == 1:
        return spectrum
    real = (
        spectrum.real.dtype
    )  # the phases are added up in it, as MindSpore does: many turns of float32 differ from those of float64
    steps, phase_advance = np.arange(0, spectrum.shape[-1], rate), phase_advance.astype(real)
    share = (steps % 1).astype(real)
    first = np.angle(spectrum[..., :1])
    padded = np.concatenate([spectrum, np.zeros(spectrum.shape[:-1] + (2,), spectrum.dtype)], axis=-1)
    left = padded[..., steps.astype(np.int64)]
    right = padded[..., steps.astype(np.int64) + 1]
    gained = np.angle(right) - np.angle(left) - phase_advance
    gained = gained - 2 * math.pi * np.round(gained / (2 * math.pi)) + phase_advance
    phase = np.cumsum(np.concatenate([first, gained[..., :-1]], axis=-1), axis=-1)
    magnitude = share * np.abs(right) + (1 - share) * np.abs(left)
    return magnitude * np.exp(1j * phase)


def split_complex(spectrum: np.ndarray, dtype: Any):
    """A complex array as real and imaginary part in a new last dimension."""
    return np.stack([spectrum.real, spectrum.imag], axis=-1).astype(dtype, copy=False)


def join_complex(pairs: Sequence):
    """The complex array of real and imaginary parts in the last dimension."""
    return pairs[..., 0] + 1j * pairs[..., 1]
