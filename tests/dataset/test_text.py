"""mindspore.dataset.text against what MindSpore gave for the same cases (goldens/record_text_audio.py)."""

import json
import pathlib

import pytest
from audio_cases import BAD_VALUES
from text_cases import CASES, EXPRESSIONS, ODD_INPUTS, VALID, evaluate, outcome, plain, resolve, write_files

from msjax.core import dtype
from msjax.dataset import text

RECORD = json.loads(
    (pathlib.Path(__file__).resolve().parent.parent / "goldens" / "text.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("text")
    write_files(path)
    return path


def build(folder, name, kwargs):
    return getattr(text, name)(**resolve(text, dtype, folder, kwargs))


@pytest.mark.parametrize("i", range(len(CASES)), ids=lambda i: f"{i}-{CASES[i][0]}")
def test_values(i, folder):
    name, kwargs, columns = CASES[i]
    assert plain(build(folder, name, kwargs)(*columns)) == RECORD["values"][i]


@pytest.mark.parametrize("expression,expected", list(zip(EXPRESSIONS, RECORD["expressions"], strict=True)))
def test_vocabularies_and_errors(expression, expected, folder):
    assert evaluate(text, dtype, folder, expression) == expected


@pytest.mark.parametrize("name", VALID)
def test_wrong_arguments(name, folder):
    wrong = {
        (parameter, key): (got, expected)
        for parameter, row in RECORD["arguments"][name].items()
        for key, expected in row.items()
        if (got := outcome(lambda: build(folder, name, {**VALID[name], parameter: BAD_VALUES[key]}))) != expected
    }
    assert not wrong


@pytest.mark.parametrize("name", VALID)
def test_wrong_inputs(name, folder):
    operation = build(folder, name, VALID[name])
    wrong = {
        key: (got, RECORD["inputs"][name][key])
        for key, column in ODD_INPUTS.items()
        if (got := outcome(lambda: operation(column))) != RECORD["inputs"][name][key]
    }
    assert not wrong
