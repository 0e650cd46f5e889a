"""The manifests of whole projects are well formed, their page is made of the kept results, and a run's output is judged as it says."""

import importlib
import json
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def projects():
    sys.path.insert(0, str(ROOT / "tools"))
    yield importlib.import_module("projects")
    sys.path.remove(str(ROOT / "tools"))


def test_the_page_is_made_of_the_kept_results(projects):
    kept = json.loads(projects.KEPT.read_text(encoding="utf-8"))
    assert projects.PAGE.read_text(encoding="utf-8") == projects.page(kept)  # which reads every manifest


def test_what_is_stale_is_told(projects):
    told = {"repository": "a/b", "commit": "0" * 40, "run": [{"command": "train.py"}]}
    row = {"asked": projects.asked(told, told["run"][0]), "tree": "v1"}
    assert projects.stale(told, [row]) == ""
    assert "not run yet" in projects.stale(told, None) and "unfinished tree" in projects.stale(
        told, [{"command": "train.py"}]
    )
    assert "other runs" in projects.stale({**told, "run": [{"command": "other.py"}]}, [row])
    assert "no commit" in projects.stale(told, [{**row, "tree": "v1+"}])


def test_an_unknown_key_is_refused(projects, tmp_path):
    path = tmp_path / "one.toml"
    path.write_text('repository = "a/b"\ncommit = "c"\n[[run]]\ncommand = "train.py"\nminuts = 3\n')
    with pytest.raises(ValueError, match="minuts"):
        projects.manifest(path)


def test_a_run_is_judged_by_what_it_prints(projects):
    run = {"numbers": r"loss: ([\d.]+)", "expect": ["done"], "reach": [[r"accuracy ([\d.]+)", ">", 0.9]]}
    lines = [(1.0, "loss: 2.5"), (2.0, "loss: 1.5"), (3.0, "accuracy 0.95"), (3.1, "done")]
    row = projects.judged(run, {"code": 0, "memory": 1, "seconds": 3.2, "lines": lines})
    assert row["good"] and row["numbers"] == [2.5, 1.5] and row["first_at"] == 1.0
    worse = projects.judged(
        run, {"code": 1, "memory": 1, "seconds": 3.2, "lines": [*lines[:2], (3.0, "ValueError: no")]}
    )
    assert not worse["good"] and worse["error"] == "ValueError: no" and len(worse["missing"]) == 2
    assert projects.difference(row, worse) == 0.0
