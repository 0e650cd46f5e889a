"""Enumerations of the audio operations, and the matrices that turn a spectrogram into features."""

import functools
from enum import Enum
from typing import Annotated, Any

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Within
from ..check import check
from ..rules import NaturalInt32, NonNegativeReal32, PositiveInt32, PositiveReal32

__all__ = [
    "BorderType",
    "DensityFunction",
    "FadeShape",
    "GainType",
    "Interpolation",
    "MelType",
    "Modulation",
    "NormMode",
    "NormType",
    "ResampleMethod",
    "ScaleType",
    "WindowType",
    "create_dct",
    "linear_fbanks",
    "melscale_fbanks",
]


class _Name(str, Enum):  # noqa: UP042 - `str` of a StrEnum is its value, of MindSpore's it is "BorderType.EDGE"
    """An enumeration whose members are strings."""


class BorderType(_Name):
    """The extension of a signal beyond its ends: zeros, the last value, or mirrored without or with the last value."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class DensityFunction(_Name):
    """Density of the dither: triangular, rectangular or Gaussian."""

    TPDF = "TPDF"
    RPDF = "RPDF"
    GPDF = "GPDF"


class FadeShape(_Name):
    """Curve of a fade."""

    QUARTER_SINE = "quarter_sine"
    HALF_SINE = "half_sine"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    EXPONENTIAL = "exponential"


class GainType(_Name):
    """Unit of a gain: factor of the amplitude, factor of the power, or decibel."""

    AMPLITUDE = "amplitude"
    POWER = "power"
    DB = "db"


class Interpolation(_Name):
    """Interpolation between two samples of a delay line."""

    LINEAR = "linear"
    QUADRATIC = "quadratic"


class MelType(_Name):
    """Formula of the mel scale."""

    HTK = "htk"
    SLANEY = "slaney"


class Modulation(_Name):
    """Curve by which a delay is modulated."""

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


class NormMode(_Name):
    """Norm of the discrete cosine transform: orthonormal or none."""

    ORTHO = "ortho"
    NONE = "none"


class NormType(_Name):
    """Norm of mel filters: each divided by its width (slaney), or none."""

    SLANEY = "slaney"
    NONE = "none"


class ResampleMethod(_Name):
    """Window of the sinc filter that resamples."""

    SINC_INTERPOLATION = "sinc_interpolation"
    KAISER_WINDOW = "kaiser_window"


class ScaleType(_Name):
    """Whether a spectrogram contains power or magnitude."""

    POWER = "power"
    MAGNITUDE = "magnitude"


class WindowType(_Name):
    """Window of the Fourier transform."""

    BARTLETT = "bartlett"
    BLACKMAN = "blackman"
    HAMMING = "hamming"
    HANN = "hann"
    KAISER = "kaiser"


Size = Annotated[int | bool, Within("[1, 2147483647]")]  # MindSpore counts True as 1


@checked
def create_dct(n_mfcc: Size, n_mels: Size, norm: NormMode = NormMode.NONE):
    """The matrix of the discrete cosine transform of type 2.

    Args:
        n_mfcc (int): number of coefficients kept.
        n_mels (int): number of filters.
        norm (NormMode): orthonormal or none.

    Returns:
        numpy.ndarray, float32 of shape (n_mels, n_mfcc).

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is not positive.

    Example:
        >>> from msjax.dataset.audio import create_dct
        >>> create_dct(13, 40).shape
        (40, 13)
    """
    return dct_matrix(n_mfcc, n_mels, norm).copy()


@functools.lru_cache(16)
def dct_matrix(n_mfcc: int, n_mels: int, norm: Any):
    """`create_dct` without the checks; made once, not to be written to."""
    dct = np.cos(np.pi / n_mels * (np.arange(n_mels)[:, None] + 0.5) * np.arange(n_mfcc))
    if norm == NormMode.ORTHO:
        dct[:, 0] *= np.sqrt(0.5)
        dct *= np.sqrt(2.0 / n_mels)
    else:
        dct *= 2.0
    return dct.astype(np.float32)


def _triangles(frequencies, points):
    """Filters (frequencies, points - 2): each rises from points[i] to points[i + 1] and falls to points[i + 2]."""
    widths = np.diff(points)
    slopes = points - frequencies[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):  # filters of no width
        return np.maximum(0, np.minimum(-slopes[:, :-2] / widths[:-1], slopes[:, 2:] / widths[1:]))


def _check_range(f_min, f_max):
    check(f_min <= f_max, f"Input f_min should be no more than f_max, but got f_min: {f_min} and f_max: {f_max}.")


@checked
def linear_fbanks(
    n_freqs: NaturalInt32,
    f_min: NonNegativeReal32,
    f_max: PositiveReal32,
    n_filter: PositiveInt32,
    sample_rate: PositiveInt32,
):
    """Triangular filters at equal distances.

    Args:
        n_freqs (int): number of frequency bins.
        f_min (float): lowest frequency, in Hz.
        f_max (float): highest frequency, in Hz.
        n_filter (int): number of filters.
        sample_rate (int): sampling rate, in Hz.

    Returns:
        numpy.ndarray, float32 of shape (n_freqs, n_filter).

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or f_min is greater than f_max.

    Example:
        >>> from msjax.dataset.audio import linear_fbanks
        >>> linear_fbanks(201, 0.0, 8000.0, 20, 16000).shape
        (201, 20)
    """
    _check_range(f_min, f_max)
    return linear_filters(n_freqs, f_min, f_max, n_filter, sample_rate).copy()


@functools.lru_cache(16)
def linear_filters(n_freqs: int, f_min: Any, f_max: Any, n_filter: int, sample_rate: int):
    """`linear_fbanks` without the checks; made once, not to be written to."""
    frequencies = np.linspace(0, sample_rate // 2, n_freqs)
    return _triangles(frequencies, np.linspace(f_min, f_max, n_filter + 2)).astype(np.float32)


_SLANEY_STEP = 200.0 / 3  # Hz per mel below 1000 Hz
_SLANEY_BREAK = 1000.0 / _SLANEY_STEP
_SLANEY_LOG = np.log(6.4) / 27.0


def _to_mel(frequency, mel_type):
    if mel_type == MelType.HTK:
        return 2595.0 * np.log10(1.0 + frequency / 700.0)
    if frequency >= 1000.0:
        return _SLANEY_BREAK + np.log(frequency / 1000.0) / _SLANEY_LOG
    return frequency / _SLANEY_STEP


def _to_hertz(mels, mel_type):
    if mel_type == MelType.HTK:
        return 700.0 * (10.0 ** (mels / 2595.0) - 1.0)
    return np.where(mels >= _SLANEY_BREAK, 1000.0 * np.exp(_SLANEY_LOG * (mels - _SLANEY_BREAK)), _SLANEY_STEP * mels)


@functools.lru_cache(16)
def mel_filters(n_freqs: int, f_min: Any, f_max: Any, n_mels: int, sample_rate: int, norm: Any, mel_type: Any):
    """`melscale_fbanks` without the checks, float64; made once, not to be written to."""
    frequencies = np.linspace(0, sample_rate // 2, n_freqs)
    points = _to_hertz(np.linspace(_to_mel(f_min, mel_type), _to_mel(f_max, mel_type), n_mels + 2), mel_type)
    filters = _triangles(frequencies, points)
    if norm == NormType.SLANEY:
        filters *= 2.0 / (points[2:] - points[:-2])
    return filters


@checked
def melscale_fbanks(
    n_freqs: NaturalInt32,
    f_min: NonNegativeReal32,
    f_max: PositiveReal32,
    n_mels: PositiveInt32,
    sample_rate: PositiveInt32,
    norm: NormType = NormType.NONE,
    mel_type: MelType = MelType.HTK,
):
    """Triangular filters at equal distances on the mel scale.

    Args:
        n_freqs (int): number of frequency bins.
        f_min (float): lowest frequency, in Hz.
        f_max (float): highest frequency, in Hz.
        n_mels (int): number of filters.
        sample_rate (int): sampling rate, in Hz.
        norm (NormType): whether each filter is divided by its width.
        mel_type (MelType): formula of the scale.

    Returns:
        numpy.ndarray, float32 of shape (n_freqs, n_mels).

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or f_min is greater than f_max.

    Example:
        >>> from msjax.dataset.audio import melscale_fbanks
        >>> melscale_fbanks(201, 0.0, 8000.0, 40, 16000).shape
        (201, 40)
    """
    _check_range(f_min, f_max)
    return mel_filters(n_freqs, f_min, f_max, n_mels, sample_rate, norm, mel_type).astype(np.float32)
