"""Operations from waveforms to spectrograms, and on complex spectrograms."""

import math

import numpy as np

from ...core.constructor import keep, with_arguments
from ...core.spec.checking import checked
from ..check import check
from ..operation import draws
from ..rules import NaturalInt32, NonNegativeReal32, PositiveInt32, PositiveReal32
from .base import AudioOperation, rows, working_dtype
from .stft import istft, join_complex, split_complex, stft, vocoder
from .utils import BorderType, WindowType

__all__ = [
    "Angle",
    "ComplexNorm",
    "GriffinLim",
    "InverseSpectrogram",
    "Magphase",
    "PhaseVocoder",
    "SpectralCentroid",
    "Spectrogram",
    "TimeStretch",
]


def check_window(win_length: int | None, n_fft: int):
    """Raises unless the window fits into the Fourier transform."""
    check(
        win_length is None or win_length <= n_fft,
        f"Input win_length should be no more than n_fft, but got win_length: {win_length} and n_fft: {n_fft}.",
    )


class Transform(AudioOperation):
    """Base of the operations that start with a short-time Fourier transform; holds its arguments."""

    arrays_only = False

    def keep_transform(self):
        """Stores the arguments, those that have to do with windows and hops as they are used."""
        keep(self)
        check_window(self.win_length, self.n_fft)
        self.win_length = self.win_length or self.n_fft
        self.hop_length = self.hop_length or self.win_length // 2

    def transform(self, audio: np.ndarray, **options):
        """The complex spectrogram of `audio`."""
        name, half = type(self).__name__, self.n_fft // 2 if options.get("center", True) else 0
        check(
            self.hop_length > 0,
            f"{name}: 'hop_length' should be greater than 0, but got {self.hop_length}.",
            RuntimeError,
        )
        length = audio.shape[-1] + 2 * self.pad
        check(
            length > 1 or not half,
            f"{name}: the waveform of {length} sample(s) cannot be padded by {half}.",
            RuntimeError,
        )
        check(
            length + 2 * half >= self.n_fft,
            f"{name}: the waveform of {length} sample(s) is shorter than 'n_fft' {self.n_fft}.",
            RuntimeError,
        )
        return stft(audio, self.n_fft, self.win_length, self.hop_length, self.window, pad=self.pad, **options)


class Spectrogram(Transform):
    """Makes a spectrogram of a waveform.

    Args:
        n_fft (int): size of the Fourier transform.
        win_length (int, optional): window size, at most `n_fft`; default `n_fft`.
        hop_length (int, optional): distance of the windows; default half a window.
        pad (int): zeros added at both ends.
        window (WindowType): the window.
        power (float): exponent of the magnitude; 0 gives the complex spectrogram (..., freq, time, 2).
        normalized (bool): divide by the norm of the window.
        center (bool): put the middle of window t at t * hop_length, by padding.
        pad_mode (BorderType): how the signal is padded for `center`.
        onesided (bool): only the non-negative frequencies.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not numeric, or too short.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Spectrogram()(np.ones((5, 10, 20), np.float32)).shape
        (5, 10, 201, 1)
    """

    @checked
    @with_arguments
    def __init__(
        self,
        n_fft: PositiveInt32 = 400,
        win_length: PositiveInt32 | None = None,
        hop_length: PositiveInt32 | None = None,
        pad: NaturalInt32 = 0,
        window: WindowType = WindowType.HANN,
        power: NonNegativeReal32 = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ):
        self.keep_transform()

    def compute(self, audio: np.ndarray):
        spectrum = self.transform(
            audio, normalized=self.normalized, center=self.center, pad_mode=self.pad_mode, onesided=self.onesided
        )
        if self.power == 0:
            return split_complex(spectrum, audio.dtype)
        return magnitude(spectrum, self.power).astype(audio.dtype, copy=False)


def magnitude(spectrum: np.ndarray, power: float):
    """|spectrum| ** power."""
    squared = spectrum.real**2 + spectrum.imag**2
    return squared if power == 2 else squared ** (power / 2)


class SpectralCentroid(Transform):
    """The mean frequency of each frame, weighted by magnitude.

    Args:
        sample_rate (int): sampling rate in Hz.
        n_fft (int): size of the Fourier transform.
        win_length (int, optional): window size, at most `n_fft`; default `n_fft`.
        hop_length (int, optional): distance of the windows; default half a window.
        pad (int): zeros added at both ends.
        window (WindowType): the window.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not numeric, or too short.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.SpectralCentroid(44100)(np.ones((5, 20), np.float32)).shape
        (5, 1, 1)
    """

    @checked
    @with_arguments
    def __init__(
        self,
        sample_rate: NaturalInt32,
        n_fft: PositiveInt32 = 400,
        win_length: PositiveInt32 | None = None,
        hop_length: PositiveInt32 | None = None,
        pad: NaturalInt32 = 0,
        window: WindowType = WindowType.HANN,
    ):
        self.keep_transform()

    def compute(self, audio: np.ndarray):
        spectrum = magnitude(self.transform(audio), 1)
        frequencies = np.linspace(0, self.sample_rate // 2, 1 + self.n_fft // 2)[:, None]
        with np.errstate(invalid="ignore"):  # silence
            return ((frequencies * spectrum).sum(-2, keepdims=True) / spectrum.sum(-2, keepdims=True)).astype(
                audio.dtype, copy=False
            )


class InverseSpectrogram(AudioOperation):
    """Turns a complex spectrogram back into a waveform.

    Args:
        length (int, optional): length of the waveform; default: what the spectrogram gives.
        n_fft (int): size of the Fourier transform.
        win_length (int, optional): window size, at most `n_fft`; default `n_fft`.
        hop_length (int, optional): distance of the windows; default half a window.
        pad (int): zeros that the spectrogram had at both ends; removed where `length` is given.
        window (WindowType): the window.
        normalized (bool): whether the spectrogram was divided by the norm of the window.
        center (bool): whether the signal was padded.
        pad_mode (BorderType): how it was padded; the result does not depend on it.
        onesided (bool): whether the spectrogram holds the non-negative frequencies only.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the shape of the input is not <..., freq, time, 2> with the frequencies of `n_fft`.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.InverseSpectrogram(1, 400, 400, 200)(np.ones((1, 201, 2, 2), np.float32)).shape
        (1, 1)
    """

    rank = 3
    complex_input = True

    @checked
    @with_arguments
    def __init__(
        self,
        length: NaturalInt32 | None = None,
        n_fft: PositiveInt32 = 400,
        win_length: PositiveInt32 | None = None,
        hop_length: PositiveInt32 | None = None,
        pad: NaturalInt32 = 0,
        window: WindowType = WindowType.HANN,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ):
        keep(self)
        check_window(win_length, n_fft)
        self.win_length = win_length or n_fft
        self.hop_length = hop_length or self.win_length // 2

    def compute(self, audio: np.ndarray):
        bins = self.n_fft // 2 + 1 if self.onesided else self.n_fft
        check(
            audio.shape[-3] == bins,
            f"InverseSpectrogram: the frequency of the input should equal to n_fft {'/ 2 + 1' * self.onesided}: "
            f"{bins}, but got: {audio.shape[-3]}.",
            RuntimeError,
        )
        check(
            self.hop_length > 0,
            f"InverseSpectrogram: 'hop_length' should be greater than 0, but got {self.hop_length}.",
            RuntimeError,
        )
        check(audio.shape[-2] > 0, "InverseSpectrogram: the spectrogram has no frames.", RuntimeError)
        length = self.length or None
        signal = istft(
            join_complex(audio),
            self.n_fft,
            self.win_length,
            self.hop_length,
            self.window,
            normalized=self.normalized,
            center=self.center,
            length=length and length + 2 * self.pad,
        )
        check(signal.size > 0, "InverseSpectrogram: the spectrogram gives an empty waveform.", RuntimeError)
        if length and self.pad:
            signal = signal[..., self.pad : -self.pad]
        return signal.astype(audio.dtype, copy=False)


class ComplexNorm(AudioOperation):
    """The magnitude of complex numbers, to a power.

    Args:
        power (float): the exponent, not negative.

    Raises:
        TypeError: `power` is not a number.
        ValueError: `power` is negative.
        RuntimeError: the shape of the input is not <..., 2>.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.ComplexNorm()(np.array([[3.0, 4.0]], np.float32))
        array([5.], dtype=float32)
    """

    rank = 2
    complex_input = elementwise = True

    @checked
    @with_arguments
    def __init__(self, power: NonNegativeReal32 = 1.0):
        keep(self)

    def compute(self, audio: np.ndarray):
        return magnitude(join_complex(audio), self.power).astype(audio.dtype, copy=False)


class Angle(AudioOperation):
    """The angle of complex numbers, in radians.

    Raises:
        RuntimeError: the shape of the input is not <..., 2>.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Angle()(np.array([[1.0, 0.0]], np.float32))
        array([0.], dtype=float32)
    """

    rank = 2
    complex_input = elementwise = True

    def __init__(self):
        super().__init__()

    def compute(self, audio: np.ndarray):
        return np.arctan2(audio[..., 1], audio[..., 0])


class Magphase(AudioOperation):
    """The magnitude, to a power, and the angle of complex numbers.

    Args:
        power (float): exponent of the magnitude, not negative.

    Raises:
        TypeError: `power` is not a number.
        ValueError: `power` is negative.
        RuntimeError: the shape of the input is not <..., 2>.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.Magphase()(np.array([[3.0, 0.0]], np.float32))
        (array([3.], dtype=float32), array([0.], dtype=float32))
    """

    rank = 2
    complex_input = elementwise = True

    @checked
    @with_arguments
    def __init__(self, power: NonNegativeReal32 = 1.0):
        keep(self)

    def compute(self, audio: np.ndarray):
        return magnitude(join_complex(audio), self.power).astype(audio.dtype, copy=False), np.arctan2(
            audio[..., 1], audio[..., 0]
        )


class PhaseVocoder(AudioOperation):
    """Changes the speed of a complex spectrogram without its pitch.

    Args:
        rate (float): speed, positive.
        phase_advance (numpy.ndarray): what the phase of each bin gains in one hop, of shape (freq, 1).

    Raises:
        TypeError: `rate` is not a number, or `phase_advance` not an array.
        ValueError: `rate` is not positive.
        RuntimeError: the shape of the input is not <..., freq, time, 2>, or its dtype not that of `phase_advance`.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> advance = np.linspace(0, np.pi * 256, 5, dtype=np.float32)[:, None]
        >>> audio.PhaseVocoder(1.3, advance)(np.ones((1, 5, 10, 2), np.float32)).shape
        (1, 5, 8, 2)
    """

    rank = 3
    complex_input = same_dtype = True

    @checked
    @with_arguments
    def __init__(self, rate: PositiveReal32, phase_advance: np.ndarray):
        keep(self)

    def compute(self, audio: np.ndarray):
        advance = self.phase_advance
        check(
            audio.dtype == advance.dtype,
            f"PhaseVocoder: data type of phase_advance: {advance.dtype}, is not equal to data type of input "
            f"tensor: {audio.dtype}.",
            RuntimeError,
        )
        check(
            advance.shape == (audio.shape[-3], 1),
            f"PhaseVocoder: the shape of phase_advance should be ({audio.shape[-3]}, 1), but got {advance.shape}.",
            RuntimeError,
        )
        return split_complex(vocoder(join_complex(audio.astype(working_dtype(audio))), self.rate, advance), audio.dtype)


class TimeStretch(AudioOperation):
    """Changes the speed of a complex spectrogram, whose hops are known, without its pitch.

    Args:
        hop_length (int, optional): distance of the windows; default n_freq - 1.
        n_freq (int): one more than the default of `hop_length`; inputs may have another number of frequencies.
        fixed_rate (float, optional): speed, positive; default 1.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is not positive.
        RuntimeError: the shape of the input is not <..., freq, time, 2>.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.TimeStretch(512, 5, 1.3)(np.ones((1, 5, 10, 2), np.float32)).shape
        (1, 5, 8, 2)
    """

    rank = 3
    complex_input = True

    @checked
    @with_arguments
    def __init__(
        self,
        hop_length: PositiveInt32 | None = None,
        n_freq: PositiveInt32 = 201,
        fixed_rate: PositiveReal32 | None = None,
    ):
        keep(self)
        self.hop_length = n_freq - 1 if hop_length is None else hop_length
        self.fixed_rate = 1 if fixed_rate is None else fixed_rate

    def compute(self, audio: np.ndarray):
        spectrum = join_complex(audio)
        advance = np.linspace(0, math.pi * self.hop_length, spectrum.shape[-2])[:, None]
        return split_complex(vocoder(spectrum, self.fixed_rate, advance), audio.dtype)


class GriffinLim(AudioOperation):
    """Finds a waveform for a spectrogram without phase, by the fast Griffin-Lim algorithm.

    Args:
        n_fft (int): size of the Fourier transform.
        n_iter (int): number of iterations.
        win_length (int, optional): window size, at most `n_fft`; default `n_fft`.
        hop_length (int, optional): distance of the windows; default half a window.
        window_type (WindowType): the window.
        power (float): exponent of the magnitudes of the input, positive.
        momentum (float): momentum of the iteration, not negative.
        length (int, optional): length of the waveform; default: what the spectrogram gives.
        rand_init (bool): start from random phases, or from 0.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the shape of the input is not <..., freq, time> with the frequencies of `n_fft`.

    Example:
        >>> import numpy as np, msjax.dataset.audio as audio
        >>> audio.GriffinLim(n_fft=400)(np.ones((201, 6), np.float32)).shape
        (1000,)
    """

    rank = 2
    deterministic = False

    @checked
    @with_arguments
    def __init__(
        self,
        n_fft: PositiveInt32 = 400,
        n_iter: PositiveInt32 = 32,
        win_length: NaturalInt32 | None = None,
        hop_length: NaturalInt32 | None = None,
        window_type: WindowType = WindowType.HANN,
        power: PositiveReal32 = 2.0,
        momentum: NonNegativeReal32 = 0.99,
        length: NaturalInt32 | None = None,
        rand_init: bool = True,
    ):
        keep(self)
        check_window(win_length, n_fft)
        self.win_length = win_length or n_fft
        self.hop_length = hop_length or self.win_length // 2

    def compute(self, audio: np.ndarray):
        bins = self.n_fft // 2 + 1
        check(
            audio.shape[-2] == bins,
            f"GriffinLim: the frequency of the input should equal to n_fft / 2 + 1: {bins}, but got: "
            f"{audio.shape[-2]}.",
            RuntimeError,
        )
        check(
            self.hop_length > 0,
            f"GriffinLim: 'hop_length' should be greater than 0, but got {self.hop_length}.",
            RuntimeError,
        )
        place = (self.n_fft, self.win_length, self.hop_length, self.window_type)
        target = rows(audio, 2).astype(np.float64) ** (1 / self.power)
        momentum = self.momentum / (1 + self.momentum)
        momentum = momentum / (1 + momentum)  # MindSpore scales twice
        phase = np.ones(target.shape, np.complex128)
        if self.rand_init:
            draw = draws()
            # Imaginary and real parts in turn, column by column: MindSpore's matrices lie so.
            drawn = np.array([draw.uniform() for _ in range(2 * target.size)])
            drawn = drawn[1::2] + 1j * drawn[::2]
            phase = np.swapaxes(drawn.reshape(*target.shape[:-2], *target.shape[:-3:-1]), -1, -2)
        before, length = 0.0, self.length or None
        # A length of another number of frames counts at the end only: MindSpore reads beyond the rebuilt spectrogram there.
        fits = length and 1 + length // self.hop_length == target.shape[-1]
        for _ in range(self.n_iter):
            rebuilt = stft(istft(target * phase, *place, length=length if fits else None), *place)
            phase = rebuilt - momentum * before
            phase = phase / (np.abs(phase) + 1e-16)
            before = rebuilt
        signal = istft(target * phase, *place, length=length)
        return signal.reshape(audio.shape[:-2] + signal.shape[-1:]).astype(audio.dtype, copy=False)
