"""Operations along the frames of a recording: deltas, normalization by a sliding window, pitch."""

import math
from typing import Annotated

import numpy as np

from ...core.constructor import keep, with_arguments
from ...core.spec.checking import checked
from ...core.spec.rules import Within
from ..check import check
from ..rules import NaturalInt32, NonzeroInt32, PositiveInt32, PositiveReal32
from .base import AudioOperation, rows
from .stft import pad_time
from .utils import BorderType

__all__ = ["ComputeDeltas", "DetectPitchFrequency", "SlidingWindowCmn"]


class ComputeDeltas(AudioOperation):
    """Local slopes of features over time: d[t] = sum n (c[t+n] - c[t-n]) / (2 sum n^2).

    Args:
        win_length (int): length of the window, at least 3.
        pad_mode (BorderType): how the features go on beyond their ends.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `win_length` is less than 3.
        RuntimeError: the shape of the input is not <..., freq, time>.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.ComputeDeltas(3)(np.array([[1.0, 2.0, 4.0]], np.float32))
        array([[0.5, 1.5, 1. ]], dtype=float32)
    """

    rank = 2

    @checked
    @with_arguments
    def __init__(
        self, win_length: Annotated[int, Within("[3, 2147483647]")] = 5, pad_mode: BorderType = BorderType.EDGE
    ):
        keep(self)

    def compute(self, audio: np.ndarray):
        n, length = (self.win_length - 1) // 2, audio.shape[-1]
        padded = pad_time(audio, n, n, self.pad_mode)
        total = sum(
            k * (padded[..., n + k : n + k + length] - padded[..., n - k : n - k + length]) for k in range(1, n + 1)
        )
        return (total / (n * (n + 1) * (2 * n + 1) / 3)).astype(audio.dtype, copy=False)


class SlidingWindowCmn(AudioOperation):
    """Subtracts from each frame the mean of the frames around it (cepstral mean normalization).

    Args:
        cmn_window (int): frames of the window.
        min_cmn_window (int): least number of frames at the start, where the window is not centred.
        center (bool): window around the frame, or before it.
        norm_vars (bool): divide by the standard deviation too.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is negative.
        RuntimeError: the shape of the input is not <..., time, freq>.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.SlidingWindowCmn()(np.array([[1.0], [3.0]], np.float32))
        array([[-1.],
               [ 1.]], dtype=float32)
    """

    rank = 2

    @checked
    @with_arguments
    def __init__(
        self,
        cmn_window: NaturalInt32 = 600,
        min_cmn_window: NaturalInt32 = 100,
        center: bool = False,
        norm_vars: bool = False,
    ):
        keep(self)

    def compute(self, audio: np.ndarray):
        frames = audio.shape[-2]
        t = np.arange(frames)
        start = t - (self.cmn_window // 2 if self.center else self.cmn_window)
        end = start + self.cmn_window if self.center else t + 1
        end, start = end - np.minimum(start, 0), np.maximum(start, 0)
        if not self.center:
            end = np.where(end > t, np.maximum(t + 1, self.min_cmn_window), end)
        over = np.maximum(end - frames, 0)
        start, end = np.maximum(start - over, 0), end - over
        count = (end - start)[:, None]

        def window_sum(x):
            total = np.concatenate([np.zeros_like(x[..., :1, :]), np.cumsum(x, axis=-2)], axis=-2)
            return total[..., end, :] - total[..., start, :]

        exact = audio.astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):  # an empty window, a window without variance
            mean = window_sum(exact) / count
            result = exact - mean
            if self.norm_vars:
                scaled = result * (window_sum(exact**2) / count - mean**2) ** -0.5
                result = np.where(count == 1, 0.0, scaled)
        return result.astype(audio.dtype, copy=False)


class DetectPitchFrequency(AudioOperation):
    """Detects the pitch of each frame, by normalized cross-correlation and median smoothing.

    Args:
        sample_rate (int): sampling rate in Hz, not 0.
        frame_time (float): length of a frame in seconds.
        win_length (int): frames over which the median is taken.
        freq_low (float): lowest pitch in Hz.
        freq_high (float): highest pitch in Hz.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not an array of floats.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> tone = np.sin(np.arange(4000) * 2 * np.pi * 200 / 8000).astype(np.float32)
        >>> audio.DetectPitchFrequency(8000)(tone)[:2]
        array([200., 200.], dtype=float32)
    """

    floats_only = True

    @checked
    @with_arguments
    def __init__(
        self,
        sample_rate: NonzeroInt32,
        frame_time: PositiveReal32 = 0.01,
        win_length: PositiveInt32 = 30,
        freq_low: PositiveReal32 = 85,
        freq_high: PositiveReal32 = 3400,
    ):
        keep(self)

    def compute(self, audio: np.ndarray):
        check(audio.size > 0, "DetectPitchFrequency: the audio is empty.", RuntimeError)
        signal = rows(audio).astype(np.float64)
        lags, size = math.ceil(self.sample_rate / self.freq_low), math.ceil(self.sample_rate * self.frame_time)
        check(
            lags > 0 and size > 0,
            f"DetectPitchFrequency: 'sample_rate' should be greater than 0, but got {self.sample_rate}.",
            RuntimeError,
        )
        frames = math.ceil(audio.shape[-1] / size)
        signal = np.pad(signal, ((0, 0), (0, lags + frames * size - audio.shape[-1])))

        def framed(first):
            return signal[:, first : first + frames * size].reshape(-1, frames, size)

        base = framed(0)
        base_norm = np.linalg.norm(base, axis=-1)
        correlation = np.empty((len(signal), frames, lags))
        for lag in range(1, lags + 1):
            moved = framed(lag)
            correlation[..., lag - 1] = (
                (base * moved).sum(-1) / (1e-9 + base_norm) ** 2 / (1e-9 + np.linalg.norm(moved, axis=-1)) ** 2
            )
        smooth = self._median(self._best_lag(correlation, lags))
        return (self.sample_rate / (1e-9 + smooth)).reshape(audio.shape[:-1] + smooth.shape[-1:]).astype(np.float32)

    def _best_lag(self, correlation, lags):
        """The lag of the greatest correlation; one in the first half wins unless it is clearly worse."""
        lowest, half = math.ceil(self.sample_rate / self.freq_high), lags // 2
        check(
            lowest < lags,
            f"DetectPitchFrequency: 'freq_high' {self.freq_high} leaves no lag above 'freq_low' {self.freq_low}.",
            RuntimeError,
        )
        best = correlation[..., lowest:].argmax(-1)
        if half > lowest:
            near = correlation[..., lowest:half].argmax(-1)
            take = np.take_along_axis
            wins = (
                take(correlation, near[..., None] + lowest, -1) > 0.99 * take(correlation, best[..., None] + lowest, -1)
            )[..., 0]
            best = np.where(wins, near, best)
        return best + lowest + 1

    def _median(self, lags):
        """Lower median of each frame and the frames around it."""
        left = (self.win_length - 1) // 2
        padded = np.concatenate([np.repeat(lags[..., :1], left, axis=-1), lags], axis=-1)
        check(
            padded.shape[-1] >= self.win_length - 1,
            f"DetectPitchFrequency: the audio has {lags.shape[-1]} frames, too few for a 'win_length' of {self.win_length}.",
            RuntimeError,
        )
        if padded.shape[-1] < self.win_length:
            return padded[..., :0]
        windows = np.lib.stride_tricks.sliding_window_view(padded, self.win_length, axis=-1)
        return np.sort(windows, axis=-1)[..., (self.win_length - 1) // 2]
