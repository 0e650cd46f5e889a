"""The text form of goldens gives back the same bits, and a changed case is a changed line."""

import json

import golden_files
import numpy as np
import pytest

ARRAYS = {
    "floats": np.array([0.1, -0.0, 1e-45, 3.4e38, np.inf, -np.inf, np.nan], np.float32),
    "NaN with a sign": np.array([0xFFC00001, 0x3F800000], np.uint32).view(np.float32),
    "halves": np.arange(0, 0x7C00, 7, np.uint16).view(np.float16),
    "doubles": np.random.RandomState(0).standard_normal((3, 1, 5)),
    "complex": np.array([[1.5 - 0.0j, complex(0.1, np.nan)]], np.complex64),
    "integers": np.array([2**64 - 1, 0], np.uint64),
    "truth values": np.array([[True], [False]]),
    "empty": np.zeros((2, 0, 3), np.int8),
    "one": np.array(0.3, np.float32),
    "words": np.array(["a", "long word"]),
    "large": np.random.RandomState(1).standard_normal(4000).astype(np.float32),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(golden_files, "GOLDENS", tmp_path)
    golden_files.read.cache_clear()
    yield tmp_path
    golden_files.read.cache_clear()


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_keep_their_bits(name, folder):
    golden_files.write("arrays", {name: [ARRAYS[name]]})
    (found,) = golden_files.read("arrays")[name]
    assert (found.dtype, found.shape) == (ARRAYS[name].dtype, ARRAYS[name].shape)
    assert found.tobytes() == ARRAYS[name].tobytes()


def test_arrays_of_tensors_keep_the_name_of_their_dtype(folder):
    golden_files.write("arrays", {"x": golden_files.array_record(np.float32([0.1]), "BFloat16")})
    name, values = golden_files.read("arrays")["x"]
    assert name == "BFloat16" and values.dtype == np.float32


def test_a_changed_case_changes_one_line(folder):
    data = {"b": {"2": np.zeros(2), "1": [1, {"x": None}]}, "a": {"é|1": "line\nbreak"}}
    golden_files.write("cases", data, groups=1)
    before = (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)[:2] for line in before] == [["a", "é|1"], ["b", "1"], ["b", "2"]]
    data["b"]["2"][1] = 0.5
    golden_files.write("cases", data, groups=1)
    after = (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    assert before[:2] == after[:2] and before[2] != after[2] and len(after) == 3
    assert list(golden_files.read("cases")) == ["a", "b"] and golden_files.read("cases")["b"]["1"] == [1, {"x": None}]


@pytest.mark.parametrize("path", sorted(golden_files.GOLDENS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_lines_are_sorted_by_name(path):
    names = [json.loads(line)[:-1] for line in path.read_text(encoding="utf-8").split("\n") if line]
    assert names == sorted(names) and len(names) == len(set(map(tuple, names)))
