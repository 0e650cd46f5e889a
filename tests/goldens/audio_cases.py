"""The cases of mindspore.dataset.audio that are recorded from MindSpore and replayed by tests/dataset/test_audio.py.

A case is (operation, keyword arguments, input). Enumerations are written as "WindowType.HANN", inputs as
"kind:shape[:dtype]".
"""

import numpy as np


def make_input(spec):
    """The array that an input name stands for: the same numbers under every NumPy version."""
    kind, shape, *dtype = spec.split(":")
    shape = tuple(int(n) for n in shape.split("x"))
    rng = np.random.RandomState(sum(map(ord, spec)) % 1000)
    if kind == "wave":  # a tone with a little noise, within [-1, 1]
        t = np.arange(shape[-1])
        tone = 0.5 * np.sin(2 * np.pi * t * 0.03) + 0.2 * np.sin(2 * np.pi * t * 0.11 + 1)
        x = tone + 0.1 * rng.uniform(-1, 1, shape)
    elif kind == "speech":  # near silence, then a loud tone
        t = np.arange(shape[-1])
        x = 0.001 * rng.standard_normal(shape)
        x[..., shape[-1] // 2 :] += 0.6 * np.sin(2 * np.pi * t[shape[-1] // 2 :] * 0.05)
    elif kind == "spec":  # a power spectrogram
        x = rng.uniform(0.01, 2.0, shape)
    elif kind == "complex":  # (..., 2): real and imaginary part
        x = rng.uniform(-1.0, 1.0, shape)
    elif kind == "codes":
        x = rng.randint(0, 256, shape)
    else:
        raise ValueError(spec)
    return x.astype(dtype[0] if dtype else "float32")


def title(case):
    """The name of a case in its golden file."""
    operation, keywords, *inputs = case
    plain = [
        [column.tolist() if isinstance(column, np.ndarray) else column for column in columns]
        if isinstance(columns, (list, tuple))
        else columns
        for columns in inputs
    ]
    return " ".join([f"{operation}({', '.join(f'{k}={v!r}' for k, v in keywords.items())})", *map(str, plain)])


def resolve(audio, value):
    """Turns "WindowType.HANN" into the enumeration member, also inside dicts."""
    if isinstance(value, str) and "." in value:
        owner, member = value.split(".")
        return getattr(getattr(audio, owner), member)
    if isinstance(value, dict):
        return {k: resolve(audio, v) for k, v in value.items()}
    if isinstance(value, str) and value == "advance":
        return np.linspace(0, np.pi * 16, 9, dtype=np.float32)[:, None]
    if isinstance(value, str) and value == "advance64":
        return np.linspace(0, np.pi * 16, 9, dtype=np.float64)[:, None]
    return value


WAVE, WAVE64, SPEC = "wave:2x96", "wave:2x96:float64", "spec:2x9x12"
_WINDOWS = [f"WindowType.{w}" for w in ("BARTLETT", "BLACKMAN", "HAMMING", "HANN", "KAISER")]
_BORDERS = [f"BorderType.{b}" for b in ("CONSTANT", "EDGE", "REFLECT", "SYMMETRIC")]
_STFT = dict(n_fft=16, win_length=12, hop_length=5)
_SPECKWARGS = dict(
    n_fft=32,
    win_length=32,
    hop_length=16,
    pad=0,
    window="WindowType.HANN",
    power=2.0,
    normalized=False,
    center=True,
    pad_mode="BorderType.REFLECT",
    onesided=True,
)
_MELKWARGS = dict(_SPECKWARGS, f_min=0.0, f_max=4000.0, n_mels=12, norm="NormType.NONE", mel_scale="MelType.HTK")

CASES = [
    # filters
    *[
        ("AllpassBiquad", k, x)
        for x in (WAVE, WAVE64, "wave:96", "wave:2x2x48")
        for k in (dict(sample_rate=16000, central_freq=800.0), dict(sample_rate=44100, central_freq=200.0, Q=0.3))
    ],
    *[("BandBiquad", dict(sample_rate=8000, central_freq=900.0, Q=0.5, noise=n), WAVE) for n in (True, False)],
    *[("BandpassBiquad", dict(sample_rate=8000, central_freq=900.0, const_skirt_gain=n), WAVE) for n in (True, False)],
    ("BandrejectBiquad", dict(sample_rate=8000, central_freq=900.0), WAVE),
    ("BassBiquad", dict(sample_rate=8000, gain=10.0), WAVE),
    ("BassBiquad", dict(sample_rate=8000, gain=-4.0, central_freq=300.0, Q=0.9), WAVE64),
    ("TrebleBiquad", dict(sample_rate=8000, gain=6.0), WAVE),
    ("EqualizerBiquad", dict(sample_rate=8000, center_freq=500.0, gain=-5.0), WAVE),
    ("HighpassBiquad", dict(sample_rate=8000, cutoff_freq=700.0), WAVE),
    ("LowpassBiquad", dict(sample_rate=8000, cutoff_freq=700.0, Q=1.0), WAVE),
    *[("DeemphBiquad", dict(sample_rate=r), WAVE) for r in (44100, 48000)],
    *[("RiaaBiquad", dict(sample_rate=r), WAVE) for r in (44100, 48000, 88200, 96000)],
    *[  # the coefficients are rounded to the dtype of the audio, and a low frequency shows it
        (name, dict(sample_rate=44100, **k), x)
        for x in ("wave:2x96:float16", "wave:96:float64")
        for name, k in (
            ("AllpassBiquad", dict(central_freq=98.7, Q=0.33)),
            ("BandBiquad", dict(central_freq=98.7, Q=0.33)),
            ("BandpassBiquad", dict(central_freq=11.3, Q=0.33)),
            ("BandrejectBiquad", dict(central_freq=98.7)),
            ("BassBiquad", dict(gain=-10.41, central_freq=98.7)),
            ("TrebleBiquad", dict(gain=7.3, central_freq=398.7)),
            ("EqualizerBiquad", dict(center_freq=98.7, gain=-5.3)),
            ("HighpassBiquad", dict(cutoff_freq=98.7)),
            ("LowpassBiquad", dict(cutoff_freq=98.7)),
            ("DeemphBiquad", {}),
            ("RiaaBiquad", {}),
        )
    ],
    *[
        (name, dict(a_coeffs=[2.0, -0.57, 0.33, 0.13], b_coeffs=[0.3, 0.27, 0.31, -0.7]), "wave:2x96:float16")
        for name in ("LFilter", "Filtfilt")
    ],
    ("Biquad", dict(b0=0.01, b1=0.02, b2=0.13, a0=1.0, a1=0.12, a2=0.3), WAVE),
    ("Biquad", dict(b0=0.9, b1=-0.2, b2=0.13, a0=2.0, a1=0.12, a2=0.3), WAVE64),
    ("Biquad", dict(b0=4.0, b1=-0.2, b2=0.13, a0=1, a1=0.12, a2=0.3), WAVE),
    ("Biquad", dict(b0=0.9, b1=-0.2, b2=0.13, a0=2.0, a1=0.12, a2=0.3), "codes:2x20:int32"),
    *[
        ("LFilter", dict(a_coeffs=a, b_coeffs=b, clamp=c), x)
        for c in (True, False)
        for x in (WAVE, WAVE64)
        for a, b in (([1.0, 0.1, 0.3], [0.1, 0.2, 0.9]), ([2.0, -0.5, 0.3, 0.1], [3.0, 0.2, 0.3, 1.0]))
    ],
    *[
        ("Filtfilt", dict(a_coeffs=a, b_coeffs=b, clamp=c), x)
        for c in (True, False)
        for x in (WAVE, WAVE64)
        for a, b in (([1.0, 0.1, 0.3], [0.1, 0.2, 0.9]), ([2.0, -0.5, 0.3, 0.1], [3.0, 0.2, 0.3, 1.0]))
    ],
    # amplitude
    *[
        ("AmplitudeToDB", dict(stype=f"ScaleType.{s}", ref_value=r, top_db=t), x)
        for s in ("POWER", "MAGNITUDE")
        for r, t in ((1.0, 80.0), (0.5, 3.0))
        for x in (SPEC, "spec:3x7", "spec:3x7:float64", "spec:2x2x3x4")
    ],
    *[("DBToAmplitude", dict(ref=0.5, power=p), x) for p in (0.5, 1.0) for x in (WAVE, WAVE64)],
    *[("Contrast", dict(enhancement_amount=a), x) for a in (0, 75.0, 100) for x in (WAVE, WAVE64)],
    *[
        ("DCShift", k, x)
        for k in (
            dict(shift=0.5),
            dict(shift=0.8, limiter_gain=0.03),
            dict(shift=-0.6, limiter_gain=0.02),
            dict(shift=0.3, limiter_gain=2.0),
            dict(shift=-1.9, limiter_gain=0.3),
            dict(shift=0),
        )
        for x in (WAVE, WAVE64)
    ],
    *[("Gain", dict(gain_db=g), x) for g in (1.0, -6.5, 0) for x in (WAVE, WAVE64, "wave:40")],
    *[
        ("Vol", dict(gain=g, gain_type=f"GainType.{t}"), x)
        for g, t in ((0.3, "AMPLITUDE"), (4.0, "AMPLITUDE"), (2.0, "POWER"), (-3.0, "DB"))
        for x in (WAVE, WAVE64)
    ],
    *[
        ("Fade", dict(fade_in_len=i, fade_out_len=o, fade_shape=f"FadeShape.{s}"), x)
        for i, o in ((10, 5), (0, 7), (1, 1), (40, 1))
        for s in ("QUARTER_SINE", "HALF_SINE", "LINEAR", "LOGARITHMIC", "EXPONENTIAL")
        for x in ("wave:2x40", "wave:40:float64")
    ],
    ("Fade", dict(fade_in_len=3, fade_out_len=4), "wave:2x40:int16"),
    ("Fade", dict(), "wave:2x40:int16"),
    *[("MuLawEncoding", dict(quantization_channels=q), x) for q in (256, 16) for x in (WAVE, WAVE64, "wave:1x10")],
    *[
        ("MuLawDecoding", dict(quantization_channels=q), x)
        for q in (256, 200)
        for x in ("codes:2x20:int32", "codes:20:float32", "codes:20:float64")
    ],
    *[
        ("Overdrive", k, x)
        for k in (dict(), dict(gain=5.0, color=60.0), dict(gain=60, color=1))
        for x in (WAVE, WAVE64)
    ],
    *[
        ("Phaser", dict(sample_rate=8000, sinusoidal=s, decay=d, **k), x)
        for s in (True, False)
        for x in (WAVE, WAVE64)
        for d, k in ((0.4, {}), (0.2, dict(gain_in=0.9, gain_out=1.2, delay_ms=1.0, mod_speed=2.0)))
    ],
    *[
        ("Flanger", dict(sample_rate=8000, modulation=f"Modulation.{m}", interpolation=f"Interpolation.{i}", **k), x)
        for m in ("SINUSOIDAL", "TRIANGULAR")
        for i in ("LINEAR", "QUADRATIC")
        for x in ("wave:2x96", "wave:2x2x96:float64", "wave:1x96")
        for k in ({}, dict(delay=3.0, depth=5.0, regen=-30.0, width=40.0, speed=2.0, phase=80.0))
    ],
    # spectrograms
    *[("Spectrogram", dict(_STFT, window=w, power=p), "wave:2x64") for w in _WINDOWS for p in (2.0, 1.0, 0)],
    *[("Spectrogram", dict(_STFT, pad_mode=b, pad=3), "wave:64:float64") for b in _BORDERS],
    *[
        ("Spectrogram", dict(_STFT, normalized=n, center=c, onesided=o, power=p), "wave:1x64")
        for n in (True, False)
        for c in (True, False)
        for o, p in ((True, 0), (True, 3.0), (False, 3.0))
    ],
    *[("Spectrogram", dict(n_fft=n), "wave:2x64") for n in (15, 16, 32)],
    *[
        ("InverseSpectrogram", dict(_STFT, window=w, normalized=n, length=length, pad=pad), "complex:2x9x12x2")
        for w in ("WindowType.HANN", "WindowType.HAMMING")
        for n in (True, False)
        for length, pad in ((None, 0), (40, 0), (40, 2))
    ],
    *[
        ("InverseSpectrogram", dict(n_fft=16, win_length=16, hop_length=4, center=c), "complex:9x12x2:float64")
        for c in (True,)
    ],
    ("InverseSpectrogram", dict(n_fft=16, hop_length=4, onesided=False), "complex:1x16x12x2"),
    *[
        ("SpectralCentroid", dict(sample_rate=8000, n_fft=16, win_length=12, hop_length=6, pad=p, window=w), x)
        for p in (0, 3)
        for w in ("WindowType.HANN", "WindowType.KAISER")
        for x in ("wave:2x64", "wave:64:float64")
    ],
    *[
        ("MelScale", dict(n_mels=6, sample_rate=8000, n_stft=9, norm=f"NormType.{n}", mel_type=f"MelType.{m}"), x)
        for n in ("NONE", "SLANEY")
        for m in ("HTK", "SLANEY")
        for x in (SPEC, "spec:9x5:float64")
    ],
    ("MelScale", dict(n_mels=4, sample_rate=8000, n_stft=9, f_min=100.0, f_max=3000.0), SPEC),
    *[
        (
            "MelSpectrogram",
            dict(sample_rate=8000, n_mels=6, norm=f"NormType.{n}", mel_scale=f"MelType.{m}", power=p, **_STFT),
            "wave:2x64",
        )
        for n in ("NONE", "SLANEY")
        for m in ("HTK", "SLANEY")
        for p in (2.0, 1.0)
    ],
    *[
        (
            "MelSpectrogram",
            dict(sample_rate=8000, n_mels=6, pad=2, normalized=n, onesided=o, pad_mode="BorderType.EDGE", **_STFT),
            "wave:64",
        )
        for n in (True, False)
        for o in (True,)
    ],
    *[
        ("MFCC", dict(sample_rate=8000, n_mfcc=5, norm=f"NormMode.{n}", log_mels=g, melkwargs=_MELKWARGS), "wave:2x128")
        for n in ("ORTHO", "NONE")
        for g in (True, False)
    ],
    ("MFCC", dict(sample_rate=4000, n_mfcc=8), "wave:1x800"),
    *[
        (
            "LFCC",
            dict(sample_rate=8000, n_filter=12, n_lfcc=5, norm=f"NormMode.{n}", log_lf=g, speckwargs=_SPECKWARGS),
            "wave:2x128",
        )
        for n in ("ORTHO", "NONE")
        for g in (True, False)
    ],
    ("LFCC", dict(sample_rate=4000, n_lfcc=8, f_min=50.0, f_max=1500.0), "wave:1x800"),
    *[("ComplexNorm", dict(power=p), x) for p in (1.0, 2.0, 0.5) for x in ("complex:3x4x2", "complex:2x3x4x2:float64")],
    *[("Magphase", dict(power=p), x) for p in (1.0, 2.0) for x in ("complex:3x4x2", "complex:2x3x4x2:float64")],
    *[("Angle", dict(), x) for x in ("complex:3x4x2", "complex:2x3x4x2:float64")],
    *[
        ("ComputeDeltas", dict(win_length=w, pad_mode=b), x)
        for w in (3, 5, 8)
        for b in _BORDERS
        for x in ("wave:2x4x20",)
    ],
    ("ComputeDeltas", dict(), "wave:4x20:float64"),
    *[
        ("SlidingWindowCmn", dict(cmn_window=w, min_cmn_window=m, center=c, norm_vars=n), x)
        for w, m in ((6, 3), (50, 10))
        for c in (True, False)
        for n in (True, False)
        for x in ("wave:2x20x4", "wave:20x4:float64")
    ],
    *[("PhaseVocoder", dict(rate=r, phase_advance="advance"), "complex:2x9x12x2") for r in (1.3, 0.5, 1, 2.0)],
    *[("PhaseVocoder", dict(rate=r, phase_advance="advance64"), "complex:9x12x2:float64") for r in (1.3, 0.5)],
    *[
        ("TimeStretch", dict(hop_length=4, n_freq=9, fixed_rate=r), x)
        for r, x in ((1.3, "complex:2x9x12x2"), (0.8, "complex:9x12x2:float64"), (None, "complex:2x9x12x2"))
    ],
    *[("TimeStretch", dict(n_freq=201, fixed_rate=1.3), x) for x in ("complex:2x9x12x2", "complex:9x12x2:float64")],
    *[
        ("PitchShift", dict(sample_rate=8000, n_steps=s, n_fft=64, **k), x)
        for s, k in ((4, {}), (-3, {}), (2, dict(bins_per_octave=24, window="WindowType.HAMMING", hop_length=20)))
        for x in ("wave:2x400", "wave:400:float64")
    ],
    *[
        ("Resample", dict(orig_freq=o, new_freq=n, **k), x)
        for o, n in ((16000, 8000), (8000, 16000), (44100, 16000), (3.0, 2.0), (8000, 8000))
        for k in (
            {},
            dict(resample_method="ResampleMethod.KAISER_WINDOW", lowpass_filter_width=9, rolloff=0.9),
            dict(resample_method="ResampleMethod.KAISER_WINDOW", beta=8.0),
        )
        for x in ("wave:2x96", "wave:96:float64")
    ],
    *[  # whole numbers are resampled as float32
        ("Resample", dict(orig_freq=16000, new_freq=n), f"codes:2x40:{dtype}")
        for n in (8000, 16000)
        for dtype in ("int16", "uint8", "int32", "float16")
    ],
    *[
        ("DetectPitchFrequency", dict(sample_rate=8000, frame_time=0.01, win_length=w, freq_low=100, freq_high=2000), x)
        for w in (3, 6)
        for x in ("wave:2x900", "wave:900:float64")
    ],
    *[
        ("Vad", dict(sample_rate=8000, trigger_level=50.0, search_time=t), x)
        for t in (1.0, 0.5, 0.25)
        for x in ("speech:2x8000", "speech:8000:float64")
    ],
    *[
        ("GriffinLim", dict(n_fft=16, n_iter=n, win_length=16, hop_length=4, power=p, momentum=m, rand_init=False), x)
        for n, p, m in ((4, 2.0, 0.99), (1, 1.0, 0.0), (3, 2.0, 0.3))
        for x in ("spec:2x9x12", "spec:9x12:float64")
    ],
    (
        "GriffinLim",
        dict(n_fft=16, n_iter=3, win_length=16, hop_length=4, momentum=0.3, length=46, rand_init=False),
        SPEC,
    ),
    # masking
    *[
        ("MaskAlongAxis", dict(mask_start=s, mask_width=w, mask_value=v, axis=a), SPEC)
        for s, w in ((0, 3), (2, 5), (8, 1))
        for v in (0, 0.5)
        for a in (1, 2)
    ],
    ("MaskAlongAxis", dict(mask_start=1, mask_width=2, mask_value=5.0, axis=1), "spec:2x2x9x5:float64"),
    *[("Dither", dict(noise_shaping=n), x) for n in (True, False) for x in (WAVE, WAVE64)],
]

FUNCTIONS = [
    *[
        ("create_dct", dict(n_mfcc=c, n_mels=m, norm=f"NormMode.{n}"))
        for c, m in ((5, 8), (20, 12), (1, 1))
        for n in ("NONE", "ORTHO")
    ],
    *[
        ("linear_fbanks", dict(n_freqs=f, f_min=lo, f_max=hi, n_filter=n, sample_rate=r))
        for f, lo, hi, n, r in ((20, 0.0, 3000.0, 8, 8000), (9, 100, 900, 3, 2000))
    ],
    *[
        (
            "melscale_fbanks",
            dict(n_freqs=f, f_min=lo, f_max=hi, n_mels=n, sample_rate=r, norm=f"NormType.{k}", mel_type=f"MelType.{m}"),
        )
        for f, lo, hi, n, r in ((20, 0.0, 3000.0, 8, 8000), (9, 100, 900, 3, 2000))
        for k in ("NONE", "SLANEY")
        for m in ("HTK", "SLANEY")
    ],
]

# arguments with which each operation can be built, for the batteries of wrong arguments and of input dtypes and ranks
VALID = {
    "AllpassBiquad": dict(sample_rate=8000, central_freq=500.0),
    "AmplitudeToDB": {},
    "Angle": {},
    "BandBiquad": dict(sample_rate=8000, central_freq=500.0),
    "BandpassBiquad": dict(sample_rate=8000, central_freq=500.0),
    "BandrejectBiquad": dict(sample_rate=8000, central_freq=500.0),
    "BassBiquad": dict(sample_rate=8000, gain=3.0),
    "Biquad": dict(b0=0.1, b1=0.2, b2=0.3, a0=1.0, a1=0.1, a2=0.2),
    "ComplexNorm": {},
    "ComputeDeltas": {},
    "Contrast": {},
    "DBToAmplitude": dict(ref=1.0, power=0.5),
    "DCShift": dict(shift=0.5),
    "DeemphBiquad": dict(sample_rate=44100),
    "DetectPitchFrequency": dict(sample_rate=100, win_length=2, freq_low=10, freq_high=40),
    "Dither": {},
    "EqualizerBiquad": dict(sample_rate=8000, center_freq=500.0, gain=2.0),
    "Fade": {},
    "Filtfilt": dict(a_coeffs=[1.0, 0.1], b_coeffs=[0.5, 0.2]),
    "Flanger": dict(sample_rate=8000),
    "FrequencyMasking": {},
    "Gain": {},
    "GriffinLim": dict(n_fft=4, n_iter=1, hop_length=2),
    "HighpassBiquad": dict(sample_rate=8000, cutoff_freq=500.0),
    "InverseMelScale": dict(n_stft=3, n_mels=2, max_iter=2),
    "InverseSpectrogram": dict(n_fft=4),
    "LFCC": {},
    "LFilter": dict(a_coeffs=[1.0, 0.1], b_coeffs=[0.5, 0.2]),
    "LowpassBiquad": dict(sample_rate=8000, cutoff_freq=500.0),
    "MFCC": {},
    "Magphase": {},
    "MaskAlongAxis": dict(mask_start=0, mask_width=2, mask_value=0.5, axis=1),
    "MaskAlongAxisIID": dict(mask_param=2, mask_value=0.5, axis=1),
    "MelScale": dict(n_stft=3, n_mels=2),
    "MelSpectrogram": {},
    "MuLawDecoding": {},
    "MuLawEncoding": {},
    "Overdrive": {},
    "PhaseVocoder": dict(rate=1.3, phase_advance=np.zeros((3, 1), np.float32)),
    "Phaser": dict(sample_rate=8000),
    "PitchShift": dict(sample_rate=8000, n_steps=2, n_fft=4),
    "Resample": {},
    "RiaaBiquad": dict(sample_rate=44100),
    "SlidingWindowCmn": {},
    "SpectralCentroid": dict(sample_rate=8000, n_fft=4),
    "Spectrogram": dict(n_fft=4),
    "TimeMasking": {},
    "TimeStretch": dict(n_freq=3),
    "TrebleBiquad": dict(sample_rate=8000, gain=2.0),
    "Vad": dict(sample_rate=8000),
    "Vol": dict(gain=0.5),
}
BAD_VALUES = {
    "none": None,
    "str": "a",
    "true": True,
    "minus": -1,
    "zero": 0,
    "one": 1,
    "half": 0.5,
    "huge": 10**10,
    "big": 200.0,
    "list": [1, 2],
    "dict": {},
    "empty": [],
}
# where an odd input ends MindSpore's process, or never ends, nothing is recorded
INPUTS = [
    "wave:1:float32",
    "wave:24",
    "wave:24:float64",
    "wave:24:float16",
    "wave:24:int16",
    "wave:24:int32",
    "wave:24:bool",
    "wave:2x24",
    "wave:3x2",
    "wave:3x2:float64",
    "wave:2x3x2",
    "wave:2x3x2:int32",
    "wave:2x3x2:float64",
    "wave:2x3x4x2",
    "wave:2x3x4x2:float16",
]


def outcome(function):
    """What a call does, in a word: the exception's type, or dtypes and shapes of the result."""
    try:
        result = function()
    except Exception as error:
        return type(error).__name__
    results = result if isinstance(result, tuple) else (result,)
    return " ".join(
        f"{r.dtype.kind if r.dtype.kind in 'US' else r.dtype}{list(r.shape)}" if isinstance(r, np.ndarray) else "ok"
        for r in results
    )
