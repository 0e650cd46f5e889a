"""mindspore.dataset.audio against what MindSpore gave for the same cases (goldens/record_text_audio.py)."""

import doctest
import importlib
import pickle

import golden_files
import numpy as np
import pytest
from audio_cases import BAD_VALUES, CASES, FUNCTIONS, INPUTS, VALID, make_input, outcome, resolve, title
from rows_of_maps import in_a_map

from msjax import dataset as ds
from msjax.dataset import audio

RECORD = golden_files.read("audio")
TOLERANCE = {
    "Dither": 4e-5,
    "PhaseVocoder": 2e-4,
    "TimeStretch": 5e-4,
}  # one step of 16 bits; phases summed up in float32, in another order
# Where MindSpore's build differs from its documentation, and msjax does what is documented
DEVIATIONS = {
    ("TimeStretch", spec): "without a rate MindSpore folds the leading dimensions into one"
    for spec in ("wave:2x3x2", "wave:2x3x2:int32", "wave:2x3x2:float64")
}


def assert_close(result, expected, rtol=1e-4, atol=2e-5):
    assert result.dtype == expected.dtype and result.shape == expected.shape, (
        result.dtype,
        expected.dtype,
        result.shape,
        expected.shape,
    )
    if result.dtype.kind in "iu":
        assert np.abs(result.astype(np.int64) - expected).max(initial=0) <= 1, "a code differs by more than a rounding"
        assert (result == expected).mean() > 0.98
    else:
        np.testing.assert_allclose(result, expected, rtol=rtol, atol=atol)


@pytest.mark.parametrize("case", CASES, ids=title)
def test_values(case):
    name, kwargs, spec = case
    recorded = RECORD["outputs"][title(case)]
    operation = getattr(audio, name)(**resolve(audio, kwargs))
    if isinstance(recorded, str):
        assert outcome(lambda: operation(make_input(spec))) == recorded
        return
    result = operation(make_input(spec))
    result = result if isinstance(result, tuple) else (result,)
    for one, expected in zip(result, recorded, strict=True):
        assert_close(one, expected, atol=TOLERANCE.get(name, 2e-5))


@pytest.mark.parametrize("case", FUNCTIONS, ids=title)
def test_functions(case):
    name, kwargs = case
    assert_close(getattr(audio, name)(**resolve(audio, kwargs)), RECORD["functions"][title(case)])


@pytest.mark.parametrize("name", VALID)
def test_wrong_arguments(name):
    operation, valid = getattr(audio, name), resolve(audio, VALID[name])
    wrong = {
        (parameter, key): (got, expected)
        for parameter, row in RECORD["arguments"][name].items()
        for key, expected in row.items()
        if (got := outcome(lambda: operation(**{**valid, parameter: BAD_VALUES[key]}))) != expected
    }
    assert not wrong


@pytest.mark.parametrize("name", VALID)
def test_input_shapes_and_dtypes(name):
    operation = getattr(audio, name)(**resolve(audio, VALID[name]))
    recorded = RECORD["inputs"][name]
    wrong = {
        spec: (got, recorded[spec])
        for spec in INPUTS
        if recorded[spec] is not None
        and (name, spec) not in DEVIATIONS
        and (got := outcome(lambda: operation(make_input(spec)))) != recorded[spec]
    }
    assert not wrong


def block_operations():
    """The operations that promise the same result on stacked rows."""
    return [name for name in VALID if getattr(audio, name).elementwise]


@pytest.mark.parametrize("name", block_operations())
def test_stacked_rows_give_stacked_results(name):
    operation = getattr(audio, name)(**resolve(audio, VALID[name]))
    stacked = make_input("wave:5x7x2")
    results, blocks = [operation.apply(row) for row in stacked], operation.apply_block(stacked)
    if not isinstance(blocks, tuple):
        results, blocks = [(row,) for row in results], (blocks,)
    for i, block in enumerate(blocks):
        np.testing.assert_array_equal(block, np.stack([row[i] for row in results]))


@pytest.mark.parametrize("name", VALID)
def test_operations_survive_pickling(name):
    operation = getattr(audio, name)(**resolve(audio, VALID[name]))
    assert vars(pickle.loads(pickle.dumps(operation))).keys() == vars(operation).keys()


MASKS = [
    (audio.FrequencyMasking(True, 4), 1),
    (audio.TimeMasking(True, 4), 2),
    (audio.MaskAlongAxisIID(4, 0.0, 1), 1),
    (audio.MaskAlongAxisIID(4, 0.0, 2), 2),
]


@pytest.mark.parametrize("operation,axis", MASKS)
def test_random_masks(operation, axis):
    widths, places = np.zeros(5), np.zeros(10)
    for result in in_a_map(operation, 400, np.ones((3, 10, 10), np.float32)):
        masked = result == 0
        rows = masked.all(axis=3 - axis)
        assert (rows == rows[0]).all() and masked.sum() == rows.sum() * 10
        widths[rows[0].sum()] += 1
        places += rows[0]
    assert widths.sum() == 400 and widths.min() > 40, "each width from 0 to 4 is equally likely"
    assert places.min() > 20 and places[3:7].min() > places[[0, 9]].max(), (
        "every bin is reached, the middle ones more often"
    )


def test_random_operations_follow_the_seed():
    rows = [np.ones((10, 10), np.float32)] * 6

    def run(workers, seed=3):
        ds.config.set_seed(seed)
        data = ds.GeneratorDataset(rows, ["x"], shuffle=False)
        data = data.map(audio.TimeMasking(True, 4), num_parallel_workers=workers)
        return np.stack([x for (x,) in data.create_tuple_iterator(num_epochs=1, output_numpy=True)])

    before = ds.config.get_seed()
    try:
        np.testing.assert_array_equal(run(2), run(2))
        assert (run(1) != run(1, seed=4)).any() and (run(1) != run(2)).any()
    finally:
        ds.config.set_seed(before)


@pytest.mark.parametrize("rate", [8000, 16000])
def test_vad_finds_the_start_of_speech(rate):
    t = np.arange(4 * rate) / rate
    voice = sum(np.sin(2 * np.pi * 150 * k * t) / k for k in range(1, 15)) * 0.3
    sound = np.where(t > 2, voice, 0) + 1e-3 * np.random.RandomState(0).standard_normal(len(t))
    kept = audio.Vad(rate)(np.stack([sound, sound]).astype(np.float32)).shape
    assert kept[0] == 2 and abs(kept[1] / rate - 2) < 0.2


def test_inversions_come_close():
    sound = np.sin(np.arange(800) * 0.3).astype(np.float32)[None]
    spectrogram = audio.Spectrogram(n_fft=64, hop_length=16)(sound)
    again = audio.Spectrogram(n_fft=64, hop_length=16)(audio.GriffinLim(n_fft=64, hop_length=16)(spectrogram))
    assert np.abs(again - spectrogram).mean() < 0.3 * spectrogram.mean()
    mel = make_input("spec:2x4x5")
    found = audio.InverseMelScale(20, 4, 8000, max_iter=1000)(mel)
    assert found.shape == (2, 20, 5) and found.min() >= 0
    # What would be negative is cut off at the end, as in MindSpore, so some are too large.
    assert np.median(np.abs(audio.MelScale(4, 8000, n_stft=20)(found) - mel)) < 0.1
    complex_form = audio.Spectrogram(n_fft=64, hop_length=16, power=0)(sound)
    np.testing.assert_allclose(audio.InverseSpectrogram(800, 64, hop_length=16)(complex_form), sound, atol=1e-5)


@pytest.mark.parametrize("old,new", [(16000, 8000), (8000, 44100), (44100, 16000)])
def test_resampled_tone_is_the_tone(old, new):
    def tone(rate):
        return np.sin(2 * np.pi * 440 * np.arange(rate // 5) / rate)

    result = audio.Resample(old, new)(tone(old))
    assert result.shape == tone(new).shape
    np.testing.assert_allclose(result[200:-200], tone(new)[200:-200], atol=0.02)


@pytest.mark.parametrize("density,picks", [("RPDF", 1), ("GPDF", 7)])
def test_dither_draws_from_the_signal(density, picks):
    sound = np.full((1, 50), 0.5, np.float32)
    noise = audio.Dither(getattr(audio.DensityFunction, density))(sound) * 2**15 - 0.5 * (2**15 - 2)
    assert np.abs(noise - 0.5 * picks).max() <= 0.51


def test_only_arrays_are_audio():
    for value in ([1.0, 2.0], "a", 1.0):
        with pytest.raises(TypeError, match="Input should be NumPy audio"):
            audio.Gain()(value)
    assert audio.Spectrogram(4)([1.0, 2.0, 3.0]).dtype == np.float64


@pytest.mark.parametrize(
    "module",
    ["effects", "features", "frames", "filters", "masking", "modulation", "resample", "spectral", "utils", "vad"],
)
def test_examples(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # examples write files
    module = importlib.import_module(f"msjax.dataset.audio.{module}")
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted and not result.failed


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_filter_without_a_weight_of_its_output_raises(dtype):
    with pytest.raises(RuntimeError, match="should not be 0"):
        audio.LFilter([0.0, 0.1], [0.2, 0.3])(np.ones(4, dtype))
