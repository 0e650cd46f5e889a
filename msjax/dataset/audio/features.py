"""Features of speech from filter banks: mel spectrograms and cepstra."""

import math
from typing import Annotated, Any

import numpy as np

from ...core.constructor import keep, with_arguments
from ...core.spec.checking import checked, compare
from ...core.spec.rules import Raises, That, Within
from ..check import check
from ..operation import draws
from ..rules import NaturalInt32, NonNegativeReal32, PositiveInt32, PositiveReal32, Real32
from .base import AudioOperation, rows
from .effects import decibel
from .spectral import Spectrogram, Transform
from .utils import BorderType, MelType, NormMode, NormType, WindowType, dct_matrix, linear_filters, mel_filters

__all__ = ["InverseMelScale", "LFCC", "MFCC", "MelScale", "MelSpectrogram"]

_DctType = Annotated[int | float | np.integer, That("equal to 2", lambda value: value == 2), Raises(type=ValueError)]


def _check_range(f_min, f_max, sample_rate, name):
    if f_max is not None:
        check(f_min < f_max, f"{name}: f_max should be greater than f_min.")
    else:
        check(
            f_min < sample_rate // 2,
            f"{name}: sample_rate // 2 should be greater than f_min when f_max is set to None.",
        )


def _upper(f_max, sample_rate):
    """The highest frequency: half the sampling rate unless given."""
    return sample_rate // 2 if f_max is None else f_max


class _MelFilters(AudioOperation):
    """Base of the operations with a bank of mel filters over the frequencies of a spectrogram."""

    rank = 2

    def filters(self, dtype: Any):
        """The filters (n_stft, n_mels)."""
        return mel_filters(
            self.n_stft, self.f_min, self.f_max, self.n_mels, self.sample_rate, self.norm, self.mel_type
        ).astype(dtype)


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

    @checked
    @with_arguments
    def __init__(
        self,
        n_mels: PositiveInt32 = 128,
        sample_rate: PositiveInt32 = 16000,
        f_min: Real32 = 0.0,
        f_max: PositiveReal32 | None = None,
        n_stft: PositiveInt32 = 201,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ):
        keep(self)
        _check_range(f_min, f_max, sample_rate, "MelScale")
        self.f_max = _upper(f_max, sample_rate)

    def compute(self, audio: np.ndarray):
        check(
            audio.shape[-2] == self.n_stft,
            f"MelScale: the frequency of the input should equal to n_stft {self.n_stft}, but got {audio.shape[-2]}.",
            RuntimeError,
        )
        return np.matmul(self.filters(audio.dtype).T, audio)


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
        sgdargs (dict, optional): {"sgd_lr": learning rate, "sgd_momentum": momentum}; default 0.1 and 0.9. As in MindSpore
            the momentum has no effect.
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

    @checked
    @with_arguments
    def __init__(
        self,
        n_stft: PositiveInt32,
        n_mels: PositiveInt32 = 128,
        sample_rate: PositiveInt32 = 16000,
        f_min: Real32 = 0.0,
        f_max: PositiveReal32 | None = None,
        max_iter: PositiveInt32 = 100000,
        tolerance_loss: PositiveReal32 = 1e-5,
        tolerance_change: PositiveReal32 = 1e-8,
        sgdargs: dict | None = None,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ):
        keep(self)
        _check_range(f_min, f_max, sample_rate, "MelScale")
        self.f_max = _upper(f_max, sample_rate)
        self.sgdargs = {"sgd_lr": 0.1, "sgd_momentum": 0.9} if sgdargs is None else sgdargs
        for name in ("sgd_lr", "sgd_momentum"):
            compare("InverseMelScale", name, self.sgdargs[name], NonNegativeReal32)

    def compute(self, audio: np.ndarray):
        check(
            audio.shape[-2] == self.n_mels,
            f"InverseMelScale: the mels of the input should equal to n_mels {self.n_mels}, but got {audio.shape[-2]}.",
            RuntimeError,
        )
        mel = np.swapaxes(rows(audio, 2), -1, -2)
        filters = self.filters(audio.dtype)
        draw = draws()
        number = draw.uniform if audio.dtype == np.float64 else draw.canonical32
        shape = (mel.shape[0], self.n_stft, mel.shape[1])  # column by column: MindSpore's matrices lie so
        spectrum = np.array([number() for _ in range(math.prod(shape))], audio.dtype).reshape(shape).swapaxes(-1, -2)
        for channel, target in enumerate(mel):
            spectrum[channel] = self._descended(spectrum[channel], target, filters)
        result = np.swapaxes(spectrum, -1, -2)
        return result.reshape(audio.shape[:-2] + result.shape[-2:]) if audio.ndim > 2 else result

    def _descended(self, spectrum, target, filters):
        """The end of the descent of one channel. MindSpore's steps forget the velocity of the one before, so the momentum has no effect."""
        rate, previous = spectrum.dtype.type(self.sgdargs["sgd_lr"]), math.inf
        for _ in range(self.max_iter):
            difference = target - spectrum @ filters
            loss = float(np.square(difference).mean())
            if loss < self.tolerance_loss or abs(previous - loss) < self.tolerance_change:
                break
            spectrum = spectrum + rate * (difference @ filters.T / len(target))
            previous = loss
        return np.maximum(spectrum, 0)


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

    @checked
    @with_arguments
    def __init__(
        self,
        sample_rate: NaturalInt32 = 16000,
        n_fft: PositiveInt32 = 400,
        win_length: PositiveInt32 | None = None,
        hop_length: PositiveInt32 | None = None,
        f_min: float = 0.0,
        f_max: NonNegativeReal32 | None = None,
        pad: NaturalInt32 = 0,
        n_mels: NaturalInt32 = 128,
        window: WindowType = WindowType.HANN,
        power: PositiveReal32 = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
        norm: NormType = NormType.NONE,
        mel_scale: MelType = MelType.HTK,
    ):
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
        self.keep_transform()
        self.f_max = _upper(f_max, sample_rate)
        self.spectrogram = Spectrogram(
            n_fft, win_length, hop_length, pad, window, power, normalized, center, pad_mode, onesided
        )

    def compute(self, audio: np.ndarray):
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
        bins = spectrogram.shape[-2]
        filters = mel_filters(bins, self.f_min, self.f_max, self.n_mels, self.sample_rate, self.norm, self.mel_scale)
        return np.matmul(filters.T.astype(audio.dtype), spectrogram)


def _cosine_transform(bands, count, norm):
    """Discrete cosine transform of `bands` (..., filters, time) to (..., count, time), float32."""
    return np.matmul(dct_matrix(count, bands.shape[-2], norm).T, bands.astype(np.float32, copy=False))


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

    @checked
    @with_arguments
    def __init__(
        self,
        sample_rate: NaturalInt32 = 16000,
        n_mfcc: NaturalInt32 = 40,
        dct_type: _DctType = 2,
        norm: NormMode = NormMode.ORTHO,
        log_mels: bool = False,
        melkwargs: dict | None = None,
    ):
        keep(self)
        for name in self._NEEDED if melkwargs is not None else ():
            melkwargs[name]  # KeyError names the one that is missing
        options = _with_defaults(
            melkwargs, f_min=0.0, f_max=sample_rate // 2, n_mels=128, norm=NormType.NONE, mel_scale=MelType.HTK
        )
        if melkwargs is not None:
            for name in ("n_fft", "n_mels"):
                compare("MFCC", name, options[name], PositiveInt32)
            compare("MFCC", "f_min", options["f_min"], Real32)
            compare("MFCC", "f_max", options["f_max"], PositiveReal32 | None)
            _check_range(options["f_min"], options["f_max"], sample_rate, "MelScale")
            check(
                options["n_mels"] >= n_mfcc,
                "Input n_mels should be greater than or equal to n_mfcc, but got n_mfcc: "
                f"{n_mfcc} and n_mels: {options['n_mels']}.",
            )
            MelSpectrogram(sample_rate, **options)
        self.melkwargs = options

    def compute(self, audio: np.ndarray):
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

    @checked
    @with_arguments
    def __init__(
        self,
        sample_rate: NaturalInt32 = 16000,
        n_filter: PositiveInt32 = 128,
        n_lfcc: PositiveInt32 = 40,
        f_min: NonNegativeReal32 = 0.0,
        f_max: NonNegativeReal32 | None = None,
        dct_type: _DctType = 2,
        norm: NormMode = NormMode.ORTHO,
        log_lf: bool = False,
        speckwargs: dict | None = None,
    ):
        keep(self)
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
        if speckwargs is not None:
            window, pad_mode, n_fft, win_length, pad, power = (
                speckwargs[name] for name in ("window", "pad_mode", "n_fft", "win_length", "pad", "power")
            )
            compare("LFCC", "window", window, WindowType)
            compare("LFCC", "pad_mode", pad_mode, BorderType)
            compare("LFCC", "pad", pad, NaturalInt32)
            compare("LFCC", "power", power, Annotated[float, Within("[0, 16777216]")])
            check(
                n_fft >= n_lfcc,
                f"n_fft should be greater than or equal to n_lfcc, but got n_fft: {n_fft} and n_lfcc: {n_lfcc}.",
            )
            check(
                win_length <= n_fft,
                f"win_length must be less than or equal to n_fft, but got win_length: {win_length} and n_fft: {n_fft}.",
            )
        self.f_max = _upper(f_max, sample_rate)
        self.speckwargs = _with_defaults(speckwargs)
        self.spectrogram = Spectrogram(**self.speckwargs)

    def compute(self, audio: np.ndarray):
        spectrogram = self.spectrogram.compute(audio)
        check(spectrogram.ndim == audio.ndim + 1, "LFCC: 'power' of the spectrogram should not be 0.", RuntimeError)
        check(self.sample_rate > 0, "LFCC: 'sample_rate' should be greater than 0, but got 0.", RuntimeError)
        filters = linear_filters(spectrogram.shape[-2], self.f_min, self.f_max, self.n_filter, self.sample_rate)
        bands = np.matmul(filters.T, spectrogram)
        bands = np.log(bands + bands.dtype.type(1e-6)) if self.log_lf else decibel(bands, 10.0, 1.0, 1e-10, 80.0)
        return _cosine_transform(bands, self.n_lfcc, self.norm)
