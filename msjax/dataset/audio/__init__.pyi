"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
from msjax.dataset.audio import base as base
from msjax.dataset.audio import effects as effects
from msjax.dataset.audio import features as features
from msjax.dataset.audio import filters as filters
from msjax.dataset.audio import frames as frames
from msjax.dataset.audio import masking as masking
from msjax.dataset.audio import modulation as modulation
from msjax.dataset.audio import resample as resample
from msjax.dataset.audio import spectral as spectral
from msjax.dataset.audio import stft as stft
from msjax.dataset.audio import transforms as transforms
from msjax.dataset.audio import utils as utils
from msjax.dataset.audio import vad as vad

from msjax.dataset.audio.base import AudioOperation as AudioOperation
from msjax.dataset.audio.spectral import Transform as Transform
import numpy as np
class AllpassBiquad(AudioOperation):
    """Shifts the phase around a frequency and leaves the magnitudes."""
    def __init__(self, sample_rate: int, central_freq: int | float, Q: int | float=0.707) -> None: ...
    clamp: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    floats_only: Any
    same_dtype: Any
    b: Any
    a: Any
class AmplitudeToDB(AudioOperation):
    """Turns power or magnitude into decibel."""
    def __init__(self, stype: ScaleType=..., ref_value: int | float=1.0, amin: int | float=1e-10, top_db: int | float=80.0) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    rank: Any
class Angle(AudioOperation):
    """The angle of complex numbers, in radians."""
    def __init__(self) -> None: ...
    complex_input: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    rank: Any
class BandBiquad(AudioOperation):
    """Two-pole band filter."""
    def __init__(self, sample_rate: int, central_freq: int | float, Q: int | float=0.707, noise: bool=False) -> None: ...
    clamp: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    floats_only: Any
    same_dtype: Any
    a: Any
    b: Any
class BandpassBiquad(AudioOperation):
    """Two-pole band-pass filter."""
    def __init__(self, sample_rate: int, central_freq: int | float, Q: int | float=0.707, const_skirt_gain: bool=False) -> None: ...
    clamp: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    floats_only: Any
    same_dtype: Any
    b: Any
    a: Any
class BandrejectBiquad(AudioOperation):
    """Two-pole band-reject (notch) filter."""
    def __init__(self, sample_rate: int, central_freq: int | float, Q: int | float=0.707) -> None: ...
    clamp: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    floats_only: Any
    same_dtype: Any
    b: Any
    a: Any
class BassBiquad(AudioOperation):
    """Shelving filter that raises or lowers the bass."""
    def __init__(self, sample_rate: int, gain: int | float, central_freq: int | float=100.0, Q: int | float=0.707) -> None: ...
    clamp: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    floats_only: Any
    same_dtype: Any
    a: Any
    b: Any
class Biquad(AudioOperation):
    """Second-order filter with given coefficients; the result is limited to [-1, 1]."""
    def __init__(self, b0: int | float, b1: int | float, b2: int | float, a0: int | float, a1: int | float, a2: int | float) -> None: ...
    arrays_only: Any
    clamp: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    floats_only: Any
    same_dtype: Any
    a: Any
    b: Any
class BorderType(str):
    """The extension of a signal beyond its ends: zeros, the last value, or mirrored without or with the last value."""
    CONSTANT: Any
    EDGE: Any
    REFLECT: Any
    SYMMETRIC: Any
class ComplexNorm(AudioOperation):
    """The magnitude of complex numbers, to a power."""
    def __init__(self, power: int | float=1.0) -> None: ...
    complex_input: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    rank: Any
class ComputeDeltas(AudioOperation):
    """Local slopes of features over time: d[t] = sum n (c[t+n] - c[t-n]) / (2 sum n^2)."""
    def __init__(self, win_length: int=5, pad_mode: BorderType=...) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    rank: Any
class Contrast(AudioOperation):
    """Makes a recording sound louder, like compression."""
    def __init__(self, enhancement_amount: int | float=75.0) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
class DBToAmplitude(AudioOperation):
    """Turns decibel into power or magnitude: ref * (10 ** (0.1 x)) ** power."""
    def __init__(self, ref: int | float, power: int | float) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
class DCShift(AudioOperation):
    """Shifts a signal by a constant, with a limiter near the end of the range."""
    def __init__(self, shift: int | float, limiter_gain: float | int | None=None) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
class DeemphBiquad(AudioOperation):
    """De-emphasis of a Compact Disc (ISO 908): lowers the treble."""
    def __init__(self, sample_rate: Literal[44100, 48000]) -> None: ...
    clamp: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    floats_only: Any
    same_dtype: Any
    a: Any
    b: Any
class DensityFunction(str):
    """Density of the dither: triangular, rectangular or Gaussian."""
    GPDF: Any
    RPDF: Any
    TPDF: Any
class DetectPitchFrequency(AudioOperation):
    """Detects the pitch of each frame, by normalized cross-correlation and median smoothing."""
    def __init__(self, sample_rate: int, frame_time: int | float=0.01, win_length: int=30, freq_low: int | float=85, freq_high: int | float=3400) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    floats_only: Any
class Dither(AudioOperation):
    """Adds noise before the signal is quantized to 16 bits, against audible quantization errors."""
    def __init__(self, density_function: DensityFunction=..., noise_shaping: bool=False) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    deterministic: Any
class EqualizerBiquad(AudioOperation):
    """Peaking filter: raises or lowers one band."""
    def __init__(self, sample_rate: int, center_freq: int | float, gain: int | float, Q: int | float=0.707) -> None: ...
    clamp: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    floats_only: Any
    same_dtype: Any
    b: Any
    a: Any
class Fade(AudioOperation):
    """Fades a waveform in and out."""
    def __init__(self, fade_in_len: int=0, fade_out_len: int=0, fade_shape: FadeShape=...) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    same_dtype: Any
class FadeShape(str):
    """Curve of a fade."""
    EXPONENTIAL: Any
    HALF_SINE: Any
    LINEAR: Any
    LOGARITHMIC: Any
    QUARTER_SINE: Any
class Filtfilt(LFilter):
    """`LFilter` forward and then backward, so that the phase stays."""
    def compute(self, audio: np.ndarray) -> Any: ...
class Flanger(AudioOperation):
    """Flanging effect: the signal with its own echo at a short, modulated delay."""
    def __init__(self, sample_rate: int, delay: int | float=0.0, depth: int | float=2.0, regen: int | float=0.0, width: int | float=71.0, speed: int | float=0.5, phase: int | float=25.0, modulation: Modulation=..., interpolation: Interpolation=...) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    rank: Any
    same_dtype: Any
class FrequencyMasking(AudioOperation):
    """Masks frequencies of a spectrogram."""
    def __init__(self, iid_masks: bool=False, freq_mask_param: int=0, mask_start: int=0, mask_value: int | float=0.0) -> None: ...
    axis: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    deterministic: Any
    parameter: Any
    rank: Any
class Gain(AudioOperation):
    """Multiplies a signal by a gain."""
    def __init__(self, gain_db: int | float=1.0) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
class GainType(str):
    """Unit of a gain: factor of the amplitude, factor of the power, or decibel."""
    AMPLITUDE: Any
    DB: Any
    POWER: Any
class GriffinLim(AudioOperation):
    """Finds a waveform for a spectrogram without phase, by the fast Griffin-Lim algorithm."""
    def __init__(self, n_fft: int=400, n_iter: int=32, win_length: int | None=None, hop_length: int | None=None, window_type: WindowType=..., power: int | float=2.0, momentum: int | float=0.99, length: int | None=None, rand_init: bool=True) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    deterministic: Any
    rank: Any
    win_length: Any
    hop_length: Any
class HighpassBiquad(AudioOperation):
    """Second-order high-pass filter."""
    def __init__(self, sample_rate: int, cutoff_freq: int | float, Q: int | float=0.707) -> None: ...
    clamp: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    floats_only: Any
    same_dtype: Any
    b: Any
    a: Any
class Interpolation(str):
    """Interpolation between two samples of a delay line."""
    LINEAR: Any
    QUADRATIC: Any
class InverseMelScale(AudioOperation):
    """Estimates the spectrogram of a mel spectrogram, by gradient descent from a random start."""
    def __init__(self, n_stft: int, n_mels: int=128, sample_rate: int=16000, f_min: int | float=0.0, f_max: int | float | None=None, max_iter: int=100000, tolerance_loss: int | float=1e-05, tolerance_change: int | float=1e-08, sgdargs: dict | None=None, norm: NormType=..., mel_type: MelType=...) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    deterministic: Any
    def filters(self, dtype) -> Any: """The filters (n_stft, n_mels)."""
    rank: Any
    f_max: Any
    sgdargs: Any
class InverseSpectrogram(AudioOperation):
    """Turns a complex spectrogram back into a waveform."""
    def __init__(self, length: int | None=None, n_fft: int=400, win_length: int | None=None, hop_length: int | None=None, pad: int=0, window: WindowType=..., normalized: bool=False, center: bool=True, pad_mode: BorderType=..., onesided: bool=True) -> None: ...
    complex_input: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    rank: Any
    win_length: Any
    hop_length: Any
class LFCC(AudioOperation):
    """Linear-frequency cepstral coefficients of a waveform."""
    def __init__(self, sample_rate: int=16000, n_filter: int=128, n_lfcc: int=40, f_min: int | float=0.0, f_max: int | float | None=None, dct_type: Any=2, norm: NormMode=..., log_lf: bool=False, speckwargs: dict | None=None) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    f_max: Any
    speckwargs: Any
    spectrogram: Any
class LFilter(AudioOperation):
    """Filter of any order with given coefficients."""
    def __init__(self, a_coeffs: Sequence[int | float], b_coeffs: Sequence[int | float], clamp: bool=True) -> None: ...
    clamp: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    floats_only: Any
    same_dtype: Any
    a: Any
    b: Any
class LowpassBiquad(AudioOperation):
    """Second-order low-pass filter."""
    def __init__(self, sample_rate: int, cutoff_freq: int | float, Q: int | float=0.707) -> None: ...
    clamp: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    floats_only: Any
    same_dtype: Any
    b: Any
    a: Any
class MFCC(AudioOperation):
    """Mel-frequency cepstral coefficients of a waveform."""
    def __init__(self, sample_rate: int=16000, n_mfcc: int=40, dct_type: Any=2, norm: NormMode=..., log_mels: bool=False, melkwargs: dict | None=None) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    melkwargs: Any
class Magphase(AudioOperation):
    """The magnitude, to a power, and the angle of complex numbers."""
    def __init__(self, power: int | float=1.0) -> None: ...
    complex_input: Any
    def compute(self, audio: np.ndarray) -> tuple[Any, Any]: ...
    elementwise: Any
    rank: Any
class MaskAlongAxis(AudioOperation):
    """Masks given bins of a spectrogram."""
    def __init__(self, mask_start: int, mask_width: int, mask_value: int | float, axis: int) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    rank: Any
class MaskAlongAxisIID(AudioOperation):
    """Masks random bins: a width from [0, mask_param], at any start."""
    def __init__(self, mask_param: int, mask_value: int | float, axis: int) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    deterministic: Any
    rank: Any
class MelScale(AudioOperation):
    """Turns a spectrogram into a mel spectrogram."""
    def __init__(self, n_mels: int=128, sample_rate: int=16000, f_min: int | float=0.0, f_max: int | float | None=None, n_stft: int=201, norm: NormType=..., mel_type: MelType=...) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    def filters(self, dtype) -> Any: """The filters (n_stft, n_mels)."""
    rank: Any
    f_max: Any
class MelSpectrogram(Transform):
    """Makes a mel spectrogram of a waveform."""
    def __init__(self, sample_rate: int=16000, n_fft: int=400, win_length: int | None=None, hop_length: int | None=None, f_min: float=0.0, f_max: int | float | None=None, pad: int=0, n_mels: int=128, window: WindowType=..., power: int | float=2.0, normalized: bool=False, center: bool=True, pad_mode: BorderType=..., onesided: bool=True, norm: NormType=..., mel_scale: MelType=...) -> None: ...
    arrays_only: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    f_max: Any
    spectrogram: Any
class MelType(str):
    """Formula of the mel scale."""
    HTK: Any
    SLANEY: Any
class Modulation(str):
    """Curve by which a delay is modulated."""
    SINUSOIDAL: Any
    TRIANGULAR: Any
class MuLawDecoding(AudioOperation):
    """Decodes mu-law codes."""
    def __init__(self, quantization_channels: int=256) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
class MuLawEncoding(AudioOperation):
    """Encodes a signal in [-1, 1] by the mu-law into int32 codes."""
    def __init__(self, quantization_channels: int=256) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
class NormMode(str):
    """Norm of the discrete cosine transform: orthonormal or none."""
    NONE: Any
    ORTHO: Any
class NormType(str):
    """Norm of mel filters: each divided by its width (slaney), or none."""
    NONE: Any
    SLANEY: Any
class Overdrive(AudioOperation):
    """Non-linear distortion, as of an overdriven amplifier."""
    def __init__(self, gain: int | float=20.0, color: int | float=20.0) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
class PhaseVocoder(AudioOperation):
    """Changes the speed of a complex spectrogram without its pitch."""
    def __init__(self, rate: int | float, phase_advance: np.ndarray) -> None: ...
    complex_input: Any
    def compute(self, audio: np.ndarray) -> np.ndarray: ...
    rank: Any
    same_dtype: Any
class Phaser(AudioOperation):
    """Phasing effect: the signal with its own modulated echo."""
    def __init__(self, sample_rate: int, gain_in: int | float=0.4, gain_out: int | float=0.74, delay_ms: int | float=3.0, decay: int | float=0.4, mod_speed: int | float=0.5, sinusoidal: bool=True) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
class PitchShift(AudioOperation):
    """Shifts the pitch of a waveform and keeps its length."""
    def __init__(self, sample_rate: int, n_steps: int, bins_per_octave: int=12, n_fft: int=512, win_length: int | None=None, hop_length: int | None=None, window: WindowType=...) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    win_length: Any
    hop_length: Any
class Resample(AudioOperation):
    """Changes the sampling rate, by interpolation with windowed sinc functions."""
    def __init__(self, orig_freq: int | float=16000, new_freq: int | float=16000, resample_method: ResampleMethod=..., lowpass_filter_width: int=6, rolloff: float=0.99, beta: float | None=None) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    same_dtype: Any
    beta: Any
class ResampleMethod(str):
    """Window of the sinc filter that resamples."""
    KAISER_WINDOW: Any
    SINC_INTERPOLATION: Any
class RiaaBiquad(AudioOperation):
    """Playback equalization of vinyl records (RIAA)."""
    def __init__(self, sample_rate: Literal[44100, 48000, 88200, 96000]) -> None: ...
    clamp: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    floats_only: Any
    same_dtype: Any
    a: Any
    b: Any
class ScaleType(str):
    """Whether a spectrogram contains power or magnitude."""
    MAGNITUDE: Any
    POWER: Any
class SlidingWindowCmn(AudioOperation):
    """Subtracts from each frame the mean of the frames around it (cepstral mean normalization)."""
    def __init__(self, cmn_window: int=600, min_cmn_window: int=100, center: bool=False, norm_vars: bool=False) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    rank: Any
class SpectralCentroid(Transform):
    """The mean frequency of each frame, weighted by magnitude."""
    def __init__(self, sample_rate: int, n_fft: int=400, win_length: int | None=None, hop_length: int | None=None, pad: int=0, window: WindowType=...) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
class Spectrogram(Transform):
    """Makes a spectrogram of a waveform."""
    def __init__(self, n_fft: int=400, win_length: int | None=None, hop_length: int | None=None, pad: int=0, window: WindowType=..., power: int | float=2.0, normalized: bool=False, center: bool=True, pad_mode: BorderType=..., onesided: bool=True) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
class TimeMasking(AudioOperation):
    """Masks times of a spectrogram."""
    def __init__(self, iid_masks: bool=False, time_mask_param: int=0, mask_start: int=0, mask_value: int | float=0.0) -> None: ...
    axis: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    deterministic: Any
    parameter: Any
    rank: Any
class TimeStretch(AudioOperation):
    """Changes the speed of a complex spectrogram, whose hops are known, without its pitch."""
    def __init__(self, hop_length: int | None=None, n_freq: int=201, fixed_rate: int | float | None=None) -> None: ...
    complex_input: Any
    def compute(self, audio: np.ndarray) -> np.ndarray: ...
    rank: Any
    hop_length: Any
    fixed_rate: Any
class TrebleBiquad(AudioOperation):
    """Shelving filter that raises or lowers the treble."""
    def __init__(self, sample_rate: int, gain: int | float, central_freq: int | float=3000, Q: int | float=0.707) -> None: ...
    clamp: Any
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
    floats_only: Any
    same_dtype: Any
    a: Any
    b: Any
class Vad(AudioOperation):
    """Trims silence and quiet background from the start of a recording of speech."""
    def __init__(self, sample_rate: int, trigger_level: int | float=7.0, trigger_time: int | float=0.25, search_time: int | float=1.0, allowed_gap: int | float=0.25, pre_trigger_time: int | float=0.0, boot_time: int | float=0.35, noise_up_time: int | float=0.1, noise_down_time: int | float=0.01, noise_reduction_amount: int | float=1.35, measure_freq: int | float=20.0, measure_duration=None, measure_smooth_time: int | float=0.4, hp_filter_freq: int | float=50.0, lp_filter_freq: int | float=6000.0, hp_lifter_freq: int | float=150.0, lp_lifter_freq: int | float=2000.0) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    measure_duration: Any
class Vol(AudioOperation):
    """Multiplies a signal by a gain and limits it to [-1, 1]."""
    def __init__(self, gain: int | float, gain_type: GainType=...) -> None: ...
    def compute(self, audio: np.ndarray) -> Any: ...
    elementwise: Any
class WindowType(str):
    """Window of the Fourier transform."""
    BARTLETT: Any
    BLACKMAN: Any
    HAMMING: Any
    HANN: Any
    KAISER: Any
def create_dct(n_mfcc: int | bool, n_mels: int | bool, norm: NormMode=...) -> Any: """The matrix of the discrete cosine transform of type 2."""
def linear_fbanks(n_freqs: int, f_min: int | float, f_max: int | float, n_filter: int, sample_rate: int) -> Any: """Triangular filters at equal distances."""
def melscale_fbanks(n_freqs: int, f_min: int | float, f_max: int | float, n_mels: int, sample_rate: int, norm: NormType=..., mel_type: MelType=...) -> Any: """Triangular filters at equal distances on the mel scale."""
