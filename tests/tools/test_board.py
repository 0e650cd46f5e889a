"""The board is made of kept results, agrees with the status page, and keeps MindSpore's own tests by name."""

import importlib
import json
import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def board(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    yield importlib.import_module("board")
    for name in ("board", "projects", "project_data", "project_pictures"):
        sys.modules.pop(name, None)


def test_the_board_is_made_of_the_kept_results(board):
    assert board.main(["--check"]) == 0


def test_every_failure_is_named(board):
    kept = json.loads(board.KEPT.read_text(encoding="utf-8"))
    text = board.page(kept)
    for title, result in board.results(kept).items():
        if result is not None:
            date, passed, asked, failures = result
            assert (
                re.fullmatch(r"\d{4}-\d\d-\d\d", date) and len({what for what, _ in failures}) <= asked - passed + 0.5
            ), title
            assert all(board._cell(what) in text for what, _ in failures), title


def test_the_status_page_says_the_same(board):
    status = (ROOT / "docs" / "status.md").read_text(encoding="utf-8")
    _, passed, asked, _ = board.examples({})
    assert f"{passed / asked:.1%}".replace("%", " %") + f" of {asked:,}" in status
    _, whole, toolkits, _ = board.toolkits({})
    assert f"{whole} of {toolkits} whole" in status
    assert f"{board.models({})[2]:,} models of" in status


def test_own_tests_are_kept_by_name(board, tmp_path):
    rows = {"file": "st/test_a.py", "collect_errors": None, "tail": "", "tests": {
        "st/test_a.py::good": {"outcome": "passed", "exc": None, "msg": None},
        "st/test_a.py::bad[bool]": {"outcome": "failed", "exc": "ValueError", "msg": "mine"},
        "st/test_a.py::aside": {"outcome": "failed", "exc": "ValueError", "msg": "not asked"}}}  # fmt: skip
    (tmp_path / "r.jsonl").write_text(json.dumps(rows) + "\n")
    passed = {"good": 1, "bad[bool_]": 1, "aside": 1, "lost": 1}
    (tmp_path / "asked.json").write_text(json.dumps({"files": {"st/test_a.py": {"passed": passed}}}))
    (tmp_path / "aside.json").write_text(json.dumps(["st/test_a.py::aside"]))
    kept = board.take_own_tests(*(tmp_path / name for name in ("r.jsonl", "asked.json", "aside.json")))
    assert (kept["passed"], kept["asked"]) == (1, 3)
    assert kept["failures"] == [["st/test_a.py::bad[bool_]", "ValueError: mine"], ["st/test_a.py::lost", "not run"]]
    text = board.page({"own tests": kept})
    assert (
        "| MindSpore's own tests | those that pass on MindSpore 2.10 on CPU | 1 of 3 | 33.3% |" in text
        and "ValueError: mine" in text
    )
    more = {"files": {"st/test_a.py": {"passed": passed}, "st/test_b.py": {"passed": {"other": 1}}}}
    (tmp_path / "asked.json").write_text(json.dumps(more))
    kept = board.take_own_tests(*(tmp_path / name for name in ("r.jsonl", "asked.json", "aside.json")))
    assert "on CPU; 3 of 4 were run | 1 of 3 |" in board.page({"own tests": kept})


def test_a_rate_that_changes_is_a_row_more(board):
    now = {"a": ("2026-01-02", 3, 4, [])}
    assert board.remembered({"history": [["a", "2026-01-01", 2, 4]]}, now) == [
        ["a", "2026-01-01", 2, 4],
        ["a", "2026-01-02", 3, 4],
    ]
    assert board.remembered({"history": [["a", "2026-01-02", 3, 4]]}, now) == [["a", "2026-01-02", 3, 4]]
