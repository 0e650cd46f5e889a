"""Features of speech: mel and linear filter banks, cepstra, deltas, normalization, pitch."""

from __future__ import annotations

import math

import numpy as np

from msjax.dataset.audio.base import AudioOperation, rows
from msjax.dataset.audio.effects import decibel
from msjax.dataset.audio.spectral import Spectrogram, Transform, pad_rule, window_rule
from msjax.dataset.audio.stft import pad_time
from msjax.dataset.audio.utils import (
    BorderType,
    MelType,
    NormMode,
    NormType,
    WindowType,
    create_dct,
    linear_fbanks,
    mel_filters,
)
from msjax.dataset.check import check
from msjax.dataset.operation import random_state
from msjax.dataset.rules import (
    boolean,
    int32,
    integer,
    keep,
    kind,
    natural,
    non_negative,
    not_zero,
    optional,
    positive,
    positive_int,
    real,
)

__all__ = [
    "ComputeDeltas",
    "DetectPitchFrequency",
    "InverseMelScale",
    "LFCC",
    "MFCC",
    "MelScale",
    "MelSpectrogram",
    "SlidingWindowCmn",
]

_norm, _mel_type = kind(NormType), kind(MelType)


def _check_range(f_min, f_max, sample_rate, name):
    if f_max is not None:
        check(f_min < f_max, f"{name}: f_max should be greater than f_min.")
    else:
        check(
            f_min < sample_rate // 2,
            f"{name}: sample_rate // 2 should be greater than f_min when f_max is set to None.",
        )


class _MelFilters(AudioOperation):
    """Base of the operations with a bank of mel filters over the frequencies of a spectrogram."""

    rank = 2

    def filters(self):
        """The filters (n_stft, n_mels), computed once."""
        if "_filters" not in self.__dict__:
            f_max = self.sample_rate // 2 if self.f_max is None else self.f_max
            self._filters = mel_filters(
                self.n_stft, self.f_min, f_max, self.n_mels, self.sample_rate, self.norm, self.mel_type
            )
        return self._filters


class MelScale(_MelFilters):
    """Turns a spectrogram into a mel spectrogram.

    Args:
        n_mels (int): number of mel filters.
        sample_rate (int): sampling rate in Hz.
        f_min (float): lowest frequency in Hz.
        f_max (float, optional): highest frequency in Hz; default half the sampling rate.
        n_stft (int): number of frequency bins of the input.
        norm (NormType): whether each filter is divided by its width.
        mel_type (MelType): formula of the mel scale.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the shape of the input is not <..., n_stft, time>.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.MelScale(4, 8000, n_stft=9)(np.ones((2, 9, 5), np.float32)).shape
        (2, 4, 5)
    """

    def __init__(
        self, n_mels=128, sample_rate=16000, f_min=0.0, f_max=None, n_stft=201, norm=NormType.NONE, mel_type=MelType.HTK
    ):
        keep(
            self,
            locals(),
            n_mels=positive_int,
            sample_rate=positive_int,
            f_min=real,
            f_max=optional(positive),
            n_stft=positive_int,
            norm=_norm,
            mel_type=_mel_type,
        )
        _check_range(f_min, f_max, sample_rate, "MelScale")

    def compute(self, audio):
        check(
            audio.shape[-2] == self.n_stft,
            f"MelScale: the frequency of the input should equal to n_stft {self.n_stft}, but got {audio.shape[-2]}.",
            RuntimeError,
        )
        return np.matmul(self.filters().T.astype(audio.dtype), audio)


class InverseMelScale(_MelFilters):
    """Estimates the spectrogram of a mel spectrogram, by gradient descent from a random start.

    Args:
        n_stft (int): number of frequency bins of the result.
        n_mels (int): number of mel filters.
        sample_rate (int): sampling rate in Hz.
        f_min (float): lowest frequency in Hz.
        f_max (float, optional): highest frequency in Hz; default half the sampling rate.
        max_iter (int): greatest number of steps.
        tolerance_loss (float): the loss at which to stop.
        tolerance_change (float): the change of the loss at which to stop.
        sgdargs (dict, optional): {"sgd_lr": learning rate, "sgd_momentum": momentum}; default 0.1 and 0.9.
        norm (NormType): whether each filter is divided by its width.
        mel_type (MelType): formula of the mel scale.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the shape of the input is not <..., n_mels, time>.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.InverseMelScale(20, 3, 16000, 0, 8000, 10)(np.ones((2, 3, 2), np.float32)).shape
        (2, 20, 2)
    """

    deterministic = False

    def __init__(
        self,
        n_stft,
        n_mels=128,
        sample_rate=16000,
        f_min=0.0,
        f_max=None,
        max_iter=100000,
        tolerance_loss=1e-5,
        tolerance_change=1e-8,
        sgdargs=None,
        norm=NormType.NONE,
        mel_type=MelType.HTK,
    ):
        keep(self, locals(), n_mels=positive_int, sample_rate=positive_int, f_min=real, f_max=optional(positive))
        _check_range(f_min, f_max, sample_rate, "MelScale")
        keep(
            self,
            locals(),
            n_stft=positive_int,
            norm=_norm,
            mel_type=_mel_type,
            max_iter=positive_int,
            tolerance_loss=positive,
            tolerance_change=positive,
        )
        self.sgdargs = {"sgd_lr": 0.1, "sgd_momentum": 0.9} if sgdargs is None else sgdargs
        for name in ("sgd_lr", "sgd_momentum"):
            non_negative(self.sgdargs[name], name)

    def compute(self, audio):
        check(
            audio.shape[-2] == self.n_mels,
            f"InverseMelScale: the mels of the input should equal to n_mels {self.n_mels}, but got {audio.shape[-2]}.",
            RuntimeError,
        )
        mel = np.swapaxes(rows(audio, 2), -1, -2)
        filters = self.filters().astype(audio.dtype)
        spectrum = random_state().random((*mel.shape[:2], self.n_stft), np.float64).astype(audio.dtype)
        velocity, previous = np.zeros_like(spectrum), math.inf
        for _ in range(self.max_iter):
            difference = mel - spectrum @ filters
            loss = float(np.square(difference).sum(-1).mean())
            velocity = self.sgdargs["sgd_momentum"] * velocity - 2 / (mel.shape[0] * mel.shape[1]) * (
                difference @ filters.T
            )
            spectrum = np.maximum(spectrum - self.sgdargs["sgd_lr"] * velocity, 0)
            if loss < self.tolerance_loss or abs(previous - loss) < self.tolerance_change:
                break
            previous = loss
        result = np.swapaxes(spectrum, -1, -2)
        return result.reshape(audio.shape[:-2] + result.shape[-2:]) if audio.ndim > 2 else result


class MelSpectrogram(Transform):
    """Makes a mel spectrogram of a waveform.

    Args:
        sample_rate (int): sampling rate in Hz.
        n_fft (int): size of the Fourier transform.
        win_length (int, optional): window size, at most `n_fft`; default `n_fft`.
        hop_length (int, optional): distance of the windows; default half a window.
        f_min (float): lowest frequency in Hz.
        f_max (float, optional): highest frequency in Hz; default half the sampling rate.
        pad (int): zeros added at both ends.
        n_mels (int): number of mel filters.
        window (WindowType): the window.
        power (float): exponent of the magnitude, positive.
        normalized (bool): divide by the norm of the window.
        center (bool): put the middle of window t at t * hop_length, by padding.
        pad_mode (BorderType): how the signal is padded for `center`.
        onesided (bool): only the non-negative frequencies.
        norm (NormType): whether each filter is divided by its width.
        mel_scale (MelType): formula of the mel scale.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not numeric, or too short.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.MelSpectrogram(8000, n_fft=64, n_mels=8)(np.ones((2, 320), np.float32)).shape
        (2, 8, 11)
    """

    arrays_only = True

    def __init__(
        self,
        sample_rate=16000,
        n_fft=400,
        win_length=None,
        hop_length=None,
        f_min=0.0,
        f_max=None,
        pad=0,
        n_mels=128,
        window=WindowType.HANN,
        power=2.0,
        normalized=False,
        center=True,
        pad_mode=BorderType.REFLECT,
        onesided=True,
        norm=NormType.NONE,
        mel_scale=MelType.HTK,
    ):
        keep(
            self,
            locals(),
            sample_rate=natural,
            n_mels=natural,
            f_min=kind(float),
            f_max=optional(non_negative),
            norm=_norm,
            mel_scale=_mel_type,
            power=positive,
            normalized=boolean,
            center=boolean,
            pad_mode=pad_rule,
            onesided=boolean,
        )
        if f_max is not None:
            check(
                f_min <= f_max,
                f"f_max should be greater than or equal to f_min, but got f_min: {f_min} and f_max: {f_max}.",
            )
        else:
            check(
                f_min < sample_rate // 2,
                "MelSpectrogram: sample_rate // 2 should be greater than f_min when f_max is set to None, but "
                f"got f_min: {f_min}.",
            )
        self.keep_transform(locals())
        self.spectrogram = Spectrogram(
            n_fft, win_length, hop_length, pad, window, power, normalized, center, pad_mode, onesided
        )

    def compute(self, audio):
        check(
            self.n_mels > 0 and self.sample_rate > 0,
            "MelSpectrogram: 'n_mels' and 'sample_rate' should be greater than 0, but got "
            f"{self.n_mels} and {self.sample_rate}.",
            RuntimeError,
        )
        check(
            self.n_fft // 2 < audio.shape[-1],
            f"MelSpectrogram: Padding size should be less than the corresponding input dimension, but "
            f"got {self.n_fft // 2} and {audio.shape[-1]}.",
            RuntimeError,
        )
        spectrogram = self.spectrogram.compute(audio)
        if "_filters" not in self.__dict__:
            f_max = self.sample_rate // 2 if self.f_max is None else self.f_max
            self._filters = mel_filters(
                spectrogram.shape[-2], self.f_min, f_max, self.n_mels, self.sample_rate, self.norm, self.mel_scale
            )
        return np.matmul(self._filters.T.astype(audio.dtype), spectrogram)


def _cosine_transform(bands, count, norm):
    """Discrete cosine transform of `bands` (..., filters, time) to (..., count, time), float32."""
    return np.matmul(create_dct(count, bands.shape[-2], norm).T, bands.astype(np.float32, copy=False))


def _with_defaults(given, **defaults):
    """Fills in the arguments of the Fourier transform that a dict of the user leaves out."""
    options = dict(given or {})
    options.setdefault("n_fft", 400)
    options.setdefault("win_length", options["n_fft"])
    options.setdefault("hop_length", options["win_length"] // 2)
    for name, value in dict(
        pad=0,
        window=WindowType.HANN,
        power=2.0,
        normalized=False,
        center=True,
        pad_mode=BorderType.REFLECT,
        onesided=True,
        **defaults,
    ).items():
        options.setdefault(name, value)
    return options


class MFCC(AudioOperation):
    """Mel-frequency cepstral coefficients of a waveform.

    Args:
        sample_rate (int): sampling rate in Hz.
        n_mfcc (int): number of coefficients, at most the number of mel filters.
        dct_type (int): type of the cosine transform, 2.
        norm (NormMode): norm of the cosine transform.
        log_mels (bool): natural logarithm of the mel spectrogram instead of decibel.
        melkwargs (dict, optional): the arguments of `MelSpectrogram`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not numeric, or too short.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.MFCC(4000, 10)(np.ones((1, 800), np.float32)).shape
        (1, 10, 5)
    """

    _NEEDED = (
        "n_fft",
        "win_length",
        "hop_length",
        "f_min",
        "f_max",
        "pad",
        "power",
        "normalized",
        "center",
        "onesided",
        "window",
        "pad_mode",
        "norm",
        "mel_scale",
        "n_mels",
    )

    def __init__(self, sample_rate=16000, n_mfcc=40, dct_type=2, norm=NormMode.ORTHO, log_mels=False, melkwargs=None):
        keep(self, locals(), sample_rate=natural, log_mels=boolean, norm=kind(NormMode), n_mfcc=natural)
        check(dct_type == 2, f"Input dct_type must be 2, but got : {dct_type}.")
        keep(self, locals(), dct_type=lambda value, name: None, melkwargs=optional(kind(dict)))
        for name in self._NEEDED if melkwargs is not None else ():
            melkwargs[name]  # KeyError names the one that is missing
        options = _with_defaults(
            melkwargs, f_min=0.0, f_max=sample_rate // 2, n_mels=128, norm=NormType.NONE, mel_scale=MelType.HTK
        )
        if melkwargs is not None:
            keep(self, options, n_fft=positive_int, n_mels=positive_int, f_min=real, f_max=optional(positive))
            _check_range(options["f_min"], options["f_max"], sample_rate, "MelScale")
            check(
                options["n_mels"] >= n_mfcc,
                "Input n_mels should be greater than or equal to n_mfcc, but got n_mfcc: "
                f"{n_mfcc} and n_mels: {options['n_mels']}.",
            )
            MelSpectrogram(sample_rate, **options)
        self.melkwargs = options

    def compute(self, audio):
        check(self.n_mfcc > 0, f"MFCC: 'n_mfcc' should be greater than 0, but got {self.n_mfcc}.", RuntimeError)
        if "_mel" not in self.__dict__:
            try:
                self._mel = MelSpectrogram(self.sample_rate, **self.melkwargs)
            except ValueError as error:
                raise RuntimeError(f"MFCC: {error}") from error
        check(
            self.n_mfcc <= self._mel.n_mels,
            f"MFCC: 'n_mfcc' {self.n_mfcc} is greater than the {self._mel.n_mels} mel filters.",
            RuntimeError,
        )
        bands = self._mel.compute(audio)
        bands = np.log(bands + audio.dtype.type(1e-6)) if self.log_mels else decibel(bands, 10.0, 1.0, 1e-10, 80.0)
        return _cosine_transform(bands, self.n_mfcc, self.norm)


class LFCC(AudioOperation):
    """Linear-frequency cepstral coefficients of a waveform.

    Args:
        sample_rate (int): sampling rate in Hz.
        n_filter (int): number of linear filters.
        n_lfcc (int): number of coefficients.
        f_min (float): lowest frequency in Hz.
        f_max (float, optional): highest frequency in Hz; default half the sampling rate.
        dct_type (int): type of the cosine transform, 2.
        norm (NormMode): norm of the cosine transform.
        log_lf (bool): natural logarithm of the filtered spectrogram instead of decibel.
        speckwargs (dict, optional): the arguments of `Spectrogram`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not numeric, or too short.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.LFCC(4000, n_lfcc=10)(np.ones((1, 800), np.float32)).shape
        (1, 10, 5)
    """

    def __init__(
        self,
        sample_rate=16000,
        n_filter=128,
        n_lfcc=40,
        f_min=0.0,
        f_max=None,
        dct_type=2,
        norm=NormMode.ORTHO,
        log_lf=False,
        speckwargs=None,
    ):
        keep(
            self,
            locals(),
            sample_rate=natural,
            n_filter=positive_int,
            n_lfcc=positive_int,
            log_lf=boolean,
            norm=kind(NormMode),
            f_min=non_negative,
            f_max=optional(non_negative),
        )
        if f_max is not None:
            check(
                f_min <= f_max,
                f"f_max should be greater than or equal to f_min, but got f_min: {f_min} and f_max: {f_max}.",
            )
        else:
            check(
                f_min < sample_rate // 2,
                "Input sample_rate // 2 should be greater than f_min when f_max is set to None, but got f_min: "
                f"{f_min} and sample_rate: {sample_rate}.",
            )
        check(dct_type == 2, f"Input dct_type must be 2, but got : {dct_type}.")
        keep(self, locals(), dct_type=lambda value, name: None, speckwargs=optional(kind(dict)))
        if speckwargs is not None:
            window, pad_mode, n_fft, win_length, pad, power = (
                speckwargs[name] for name in ("window", "pad_mode", "n_fft", "win_length", "pad", "power")
            )
            for rule, value, name in (
                (window_rule, window, "window"),
                (pad_rule, pad_mode, "pad_mode"),
                (natural, pad, "pad"),
                (kind(float), power, "power"),
                (non_negative, power, "power"),
            ):
                rule(value, name)
            check(
                n_fft >= n_lfcc,
                f"n_fft should be greater than or equal to n_lfcc, but got n_fft: {n_fft} and n_lfcc: {n_lfcc}.",
            )
            check(
                win_length <= n_fft,
                f"win_length must be less than or equal to n_fft, but got win_length: {win_length} and n_fft: {n_fft}.",
            )
        self.speckwargs = _with_defaults(speckwargs)
        self.spectrogram = Spectrogram(**self.speckwargs)

    def compute(self, audio):
        spectrogram = self.spectrogram.compute(audio)
        check(spectrogram.ndim == audio.ndim + 1, "LFCC: 'power' of the spectrogram should not be 0.", RuntimeError)
        if "_filters" not in self.__dict__:
            check(self.sample_rate > 0, "LFCC: 'sample_rate' should be greater than 0, but got 0.", RuntimeError)
            f_max = self.sample_rate // 2 if self.f_max is None else self.f_max
            self._filters = linear_fbanks(spectrogram.shape[-2], self.f_min, f_max, self.n_filter, self.sample_rate)
        bands = np.matmul(self._filters.T, spectrogram)
        bands = np.log(bands + bands.dtype.type(1e-6)) if self.log_lf else decibel(bands, 10.0, 1.0, 1e-10, 80.0)
        return _cosine_transform(bands, self.n_lfcc, self.norm)


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

    def __init__(self, win_length=5, pad_mode=BorderType.EDGE):
        keep(self, locals(), win_length=integer(3), pad_mode=pad_rule)

    def compute(self, audio):
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

    def __init__(self, cmn_window=600, min_cmn_window=100, center=False, norm_vars=False):
        keep(self, locals(), cmn_window=natural, min_cmn_window=natural, center=boolean, norm_vars=boolean)

    def compute(self, audio):
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

    def __init__(self, sample_rate, frame_time=0.01, win_length=30, freq_low=85, freq_high=3400):
        keep(
            self,
            locals(),
            sample_rate=not_zero(int32),
            frame_time=positive,
            win_length=positive_int,
            freq_low=positive,
            freq_high=positive,
        )

    def compute(self, audio):
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
        if padded.shape[-1] < self.win_length:
            return padded[..., :0]
        windows = np.lib.stride_tricks.sliding_window_view(padded, self.win_length, axis=-1)
        return np.sort(windows, axis=-1)[..., (self.win_length - 1) // 2]
