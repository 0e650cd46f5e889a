"""mindspore.dataset.audio against what MindSpore gave for the same cases (goldens/record_text_audio.py)."""

import json
import pathlib

import numpy as np
import pytest
from audio_cases import BAD_VALUES, CASES, FUNCTIONS, INPUTS, VALID, make_input, outcome, resolve

from msjax.dataset import audio

GOLDENS = pathlib.Path(__file__).resolve().parent.parent / "goldens"

RECORD = json.loads((GOLDENS / "audio.json").read_text())


def unpack():
    """The recorded arrays, in the order of the cases."""
    with np.load(GOLDENS / "audio.npz") as stored:
        flat = {name: stored[name] for name in stored.files}
    place = dict.fromkeys(flat, 0)
    for name, shape in RECORD["layout"]:
        size = int(np.prod(shape))
        yield flat[name][place[name] : place[name] + size].reshape(shape).astype(name)
        place[name] += size


ARRAYS = unpack()
EXPECTED = [n if isinstance(n, str) else [next(ARRAYS) for _ in range(n)] for n in RECORD["outputs"]]
EXPECTED_FUNCTIONS = list(ARRAYS)


TOLERANCE = {"Dither": 4e-5, "PhaseVocoder": 2e-4}  # one step of 16 bits; phases summed up in float32 by MindSpore
# Where MindSpore's build differs from its documentation, and msjax does what is documented
DEVIATIONS = {
    ("TimeStretch", spec): "without a rate MindSpore folds the leading dimensions into one"
    for spec in ("wave:2x3x2", "wave:2x3x2:int32", "wave:2x3x2:float64")
}


def close(result, expected, rtol=1e-4, atol=2e-5):
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


@pytest.mark.parametrize("i", range(len(CASES)), ids=lambda i: f"{i}-{CASES[i][0]}")
def test_values(i):
    name, kwargs, spec = CASES[i]
    operation = getattr(audio, name)(**resolve(audio, kwargs))
    if isinstance(EXPECTED[i], str):
        assert outcome(lambda: operation(make_input(spec))) == EXPECTED[i]
        return
    result = operation(make_input(spec))
    result = result if isinstance(result, tuple) else (result,)
    assert len(result) == len(EXPECTED[i])
    for one, expected in zip(result, EXPECTED[i], strict=True):
        close(one, expected, atol=TOLERANCE.get(name, 2e-5))


@pytest.mark.parametrize("i", range(len(FUNCTIONS)), ids=lambda i: f"{i}-{FUNCTIONS[i][0]}")
def test_functions(i):
    name, kwargs = FUNCTIONS[i]
    close(getattr(audio, name)(**resolve(audio, kwargs)), EXPECTED_FUNCTIONS[i])


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
