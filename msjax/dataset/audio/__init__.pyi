"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Sequence
from typing import Any
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

class AllpassBiquad:
    """Shifts the phase around a frequency and leaves the magnitudes."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, central_freq, Q: Any=0.707) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    clamp: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class AmplitudeToDB:
    """Turns power or magnitude into decibel."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, stype: Any=..., ref_value: Any=1.0, amin: Any=1e-10, top_db: Any=80.0) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class Angle:
    """The angle of complex numbers, in radians."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class BandBiquad:
    """Two-pole band filter."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, central_freq, Q: Any=0.707, noise: Any=False) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    clamp: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class BandpassBiquad:
    """Two-pole band-pass filter."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, central_freq, Q: Any=0.707, const_skirt_gain: Any=False) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    clamp: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class BandrejectBiquad:
    """Two-pole band-reject (notch) filter."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, central_freq, Q: Any=0.707) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    clamp: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class BassBiquad:
    """Shelving filter that raises or lowers the bass."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, gain, central_freq: Any=100.0, Q: Any=0.707) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    clamp: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class Biquad:
    """Second-order filter with given coefficients; the result is limited to [-1, 1]."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, b0, b1, b2, a0, a1, a2) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    clamp: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class BorderType(str):
    """How a signal goes on beyond its ends: by zeros, by the last value, mirrored without or with the last value."""
    CONSTANT: Any
    EDGE: Any
    REFLECT: Any
    SYMMETRIC: Any
class ComplexNorm:
    """The magnitude of complex numbers, to a power."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, power: Any=1.0) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class ComputeDeltas:
    """Local slopes of features over time: d[t] = sum n (c[t+n] - c[t-n]) / (2 sum n^2)."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, win_length: Any=5, pad_mode: Any=...) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class Contrast:
    """Makes a recording sound louder, like compression."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, enhancement_amount: Any=75.0) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class DBToAmplitude:
    """Turns decibel into power or magnitude: ref * (10 ** (0.1 x)) ** power."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, ref, power) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class DCShift:
    """Shifts a signal by a constant, with a limiter near the end of the range."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, shift, limiter_gain=None) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class DeemphBiquad:
    """De-emphasis of a Compact Disc (ISO 908): lowers the treble."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    clamp: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class DensityFunction(str):
    """Density of the dither: triangular, rectangular or Gaussian."""
    GPDF: Any
    RPDF: Any
    TPDF: Any
class DetectPitchFrequency:
    """Detects the pitch of each frame, by normalized cross-correlation and median smoothing."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, frame_time: Any=0.01, win_length: Any=30, freq_low: Any=85, freq_high: Any=3400) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class Dither:
    """Adds noise before the signal is quantized to 16 bits, against audible quantization errors."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, density_function: Any=..., noise_shaping: Any=False) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class EqualizerBiquad:
    """Peaking filter: raises or lowers one band."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, center_freq, gain, Q: Any=0.707) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    clamp: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class Fade:
    """Fades a waveform in and out."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, fade_in_len: Any=0, fade_out_len: Any=0, fade_shape: Any=...) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
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
    def compute(self, audio): ...
class Flanger:
    """Flanging effect: the signal with its own echo at a short, modulated delay."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, delay: Any=0.0, depth: Any=2.0, regen: Any=0.0, width: Any=71.0, speed: Any=0.5, phase: Any=25.0, modulation: Any=..., interpolation: Any=...) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class FrequencyMasking:
    """Masks frequencies of a spectrogram."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, iid_masks: Any=False, freq_mask_param: Any=0, mask_start: Any=0, mask_value: Any=0.0) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    axis: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    parameter: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class Gain:
    """Multiplies a signal by a gain."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, gain_db: Any=1.0) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class GainType(str):
    """Unit of a gain: factor of the amplitude, factor of the power, or decibel."""
    AMPLITUDE: Any
    DB: Any
    POWER: Any
class GriffinLim:
    """Finds a waveform for a spectrogram without phase, by the fast Griffin-Lim algorithm."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, n_fft: Any=400, n_iter: Any=32, win_length=None, hop_length=None, window_type: Any=..., power: Any=2.0, momentum: Any=0.99, length=None, rand_init: Any=True) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class HighpassBiquad:
    """Second-order high-pass filter."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, cutoff_freq, Q: Any=0.707) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    clamp: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class Interpolation(str):
    """Interpolation between two samples of a delay line."""
    LINEAR: Any
    QUADRATIC: Any
class InverseMelScale:
    """Estimates the spectrogram of a mel spectrogram, by gradient descent from a random start."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, n_stft, n_mels: Any=128, sample_rate: Any=16000, f_min: Any=0.0, f_max=None, max_iter: Any=100000, tolerance_loss: Any=1e-05, tolerance_change: Any=1e-08, sgdargs=None, norm: Any=..., mel_type: Any=...) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    def filters(self, dtype): """The filters (n_stft, n_mels)."""
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class InverseSpectrogram:
    """Turns a complex spectrogram back into a waveform."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, length=None, n_fft: Any=400, win_length=None, hop_length=None, pad: Any=0, window: Any=..., normalized: Any=False, center: Any=True, pad_mode: Any=..., onesided: Any=True) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class LFCC:
    """Linear-frequency cepstral coefficients of a waveform."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate: Any=16000, n_filter: Any=128, n_lfcc: Any=40, f_min: Any=0.0, f_max=None, dct_type: Any=2, norm: Any=..., log_lf: Any=False, speckwargs=None) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class LFilter:
    """Filter of any order with given coefficients."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, a_coeffs, b_coeffs, clamp: Any=True) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    clamp: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class LowpassBiquad:
    """Second-order low-pass filter."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, cutoff_freq, Q: Any=0.707) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    clamp: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class MFCC:
    """Mel-frequency cepstral coefficients of a waveform."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate: Any=16000, n_mfcc: Any=40, dct_type: Any=2, norm: Any=..., log_mels: Any=False, melkwargs=None) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class Magphase:
    """The magnitude, to a power, and the angle of complex numbers."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, power: Any=1.0) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class MaskAlongAxis:
    """Masks given bins of a spectrogram."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, mask_start, mask_width, mask_value, axis) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class MaskAlongAxisIID:
    """Masks random bins: a width from [0, mask_param], at any start."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, mask_param, mask_value, axis) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class MelScale:
    """Turns a spectrogram into a mel spectrogram."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, n_mels: Any=128, sample_rate: Any=16000, f_min: Any=0.0, f_max=None, n_stft: Any=201, norm: Any=..., mel_type: Any=...) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    def filters(self, dtype): """The filters (n_stft, n_mels)."""
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class MelSpectrogram:
    """Makes a mel spectrogram of a waveform."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate: Any=16000, n_fft: Any=400, win_length=None, hop_length=None, f_min: Any=0.0, f_max=None, pad: Any=0, n_mels: Any=128, window: Any=..., power: Any=2.0, normalized: Any=False, center: Any=True, pad_mode: Any=..., onesided: Any=True, norm: Any=..., mel_scale: Any=...) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def keep_transform(self): """Checks and stores the arguments that have to do with windows and hops."""
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
    def transform(self, audio, **options): """The complex spectrogram of `audio`."""
class MelType(str):
    """Formula of the mel scale."""
    HTK: Any
    SLANEY: Any
class Modulation(str):
    """Curve by which a delay is modulated."""
    SINUSOIDAL: Any
    TRIANGULAR: Any
class MuLawDecoding:
    """Decodes mu-law codes."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, quantization_channels: Any=256) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class MuLawEncoding:
    """Encodes a signal in [-1, 1] by the mu-law into int32 codes."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, quantization_channels: Any=256) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class NormMode(str):
    """Norm of the discrete cosine transform: orthonormal or none."""
    NONE: Any
    ORTHO: Any
class NormType(str):
    """Norm of mel filters: each divided by its width (slaney), or none."""
    NONE: Any
    SLANEY: Any
class Overdrive:
    """Non-linear distortion, as of an overdriven amplifier."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, gain: Any=20.0, color: Any=20.0) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class PhaseVocoder:
    """Changes the speed of a complex spectrogram without its pitch."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, rate, phase_advance) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class Phaser:
    """Phasing effect: the signal with its own modulated echo."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, gain_in: Any=0.4, gain_out: Any=0.74, delay_ms: Any=3.0, decay: Any=0.4, mod_speed: Any=0.5, sinusoidal: Any=True) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class PitchShift:
    """Shifts the pitch of a waveform and keeps its length."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, n_steps, bins_per_octave: Any=12, n_fft: Any=512, win_length=None, hop_length=None, window: Any=...) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class Resample:
    """Changes the sampling rate, by interpolation with windowed sinc functions."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, orig_freq: Any=16000, new_freq: Any=16000, resample_method: Any=..., lowpass_filter_width: Any=6, rolloff: Any=0.99, beta=None) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class ResampleMethod(str):
    """Window of the sinc filter that resamples."""
    KAISER_WINDOW: Any
    SINC_INTERPOLATION: Any
class RiaaBiquad:
    """Playback equalization of vinyl records (RIAA)."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    clamp: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class ScaleType(str):
    """Whether a spectrogram holds power or magnitude."""
    MAGNITUDE: Any
    POWER: Any
class SlidingWindowCmn:
    """Subtracts from each frame the mean of the frames around it (cepstral mean normalization)."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, cmn_window: Any=600, min_cmn_window: Any=100, center: Any=False, norm_vars: Any=False) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class SpectralCentroid:
    """The mean frequency of each frame, weighted by magnitude."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, n_fft: Any=400, win_length=None, hop_length=None, pad: Any=0, window: Any=...) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def keep_transform(self): """Checks and stores the arguments that have to do with windows and hops."""
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
    def transform(self, audio, **options): """The complex spectrogram of `audio`."""
class Spectrogram:
    """Makes a spectrogram of a waveform."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, n_fft: Any=400, win_length=None, hop_length=None, pad: Any=0, window: Any=..., power: Any=2.0, normalized: Any=False, center: Any=True, pad_mode: Any=..., onesided: Any=True) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def keep_transform(self): """Checks and stores the arguments that have to do with windows and hops."""
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
    def transform(self, audio, **options): """The complex spectrogram of `audio`."""
class TimeMasking:
    """Masks times of a spectrogram."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, iid_masks: Any=False, time_mask_param: Any=0, mask_start: Any=0, mask_value: Any=0.0) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    axis: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    parameter: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class TimeStretch:
    """Changes the speed of a complex spectrogram, whose hops are known, without its pitch."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, hop_length=None, n_freq: Any=201, fixed_rate=None) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class TrebleBiquad:
    """Shelving filter that raises or lowers the treble."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, gain, central_freq: Any=3000, Q: Any=0.707) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    clamp: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class Vad:
    """Trims silence and quiet background from the start of a recording of speech."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, sample_rate, trigger_level: Any=7.0, trigger_time: Any=0.25, search_time: Any=1.0, allowed_gap: Any=0.25, pre_trigger_time: Any=0.0, boot_time: Any=0.35, noise_up_time: Any=0.1, noise_down_time: Any=0.01, noise_reduction_amount: Any=1.35, measure_freq: Any=20.0, measure_duration=None, measure_smooth_time: Any=0.4, hp_filter_freq: Any=50.0, lp_filter_freq: Any=6000.0, hp_lifter_freq: Any=150.0, lp_lifter_freq: Any=2000.0) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class Vol:
    """Multiplies a signal by a gain and limits it to [-1, 1]."""
    def __call__(self, *columns): """Runs the operation eagerly on one audio array."""
    def __init__(self, gain, gain_type: Any=...) -> None: ...
    def apply(self, *columns): """Checks the input and computes."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    arrays_only: Any
    complex_input: Any
    def compute(self, audio): ...
    deterministic: Any
    elementwise: Any
    floats_only: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    rank: Any
    same_dtype: Any
class WindowType(str):
    """Window of the Fourier transform."""
    BARTLETT: Any
    BLACKMAN: Any
    HAMMING: Any
    HANN: Any
    KAISER: Any
def create_dct(n_mfcc, n_mels, norm: Any=...): """The matrix of the discrete cosine transform of type 2."""
def linear_fbanks(n_freqs, f_min, f_max, n_filter, sample_rate): """Triangular filters at equal distances."""
def melscale_fbanks(n_freqs, f_min, f_max, n_mels, sample_rate, norm: Any=..., mel_type: Any=...): """Triangular filters at equal distances on the mel scale."""
