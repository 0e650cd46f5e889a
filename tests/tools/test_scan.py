"""`msjax scan`: names, keywords and modules of a project, found without running it."""

import json
import subprocess
import sys

SCRIPT = """import mindspore as ms
import mindspore.nn as nn
from mindspore import Tensor, ops as P
from mindspore.ops import operations as OP
raise SystemExit("must not run")
class Net(nn.Cell):
    def __init__(self):
        self.dense = nn.Dense(3, 4, has_bias=False, flavour=1)
        self.odd = nn.NoSuchLayer(2)
        self.relu = OP.ReLU()
    def construct(self, x):
        return P.sum(self.dense(x), dim=1) + Tensor([1.0]).abs()
"""
NOTEBOOK = {
    "cells": [
        {"cell_type": "code", "source": ["%matplotlib inline\n", "import mindspore.no_such_module\n"]},
        {"cell_type": "markdown", "source": ["import mindspore.nothing"]},
    ]
}


def scan(path, *options):
    return subprocess.run(
        [sys.executable, "-m", "msjax", "scan", str(path), *options], capture_output=True, text=True, timeout=120
    )


def test_reports_what_is_missing_with_its_place(tmp_path):
    (tmp_path / "net.py").write_text(SCRIPT)
    (tmp_path / "book.ipynb").write_text(json.dumps(NOTEBOOK))
    (tmp_path / "broken.py").write_text("def :")
    done = scan(tmp_path, "--json")
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    net = str(tmp_path / "net.py")
    assert report["names"]["mindspore.nn.NoSuchLayer"] == {"status": "missing", "reason": "", "at": [f"{net}:9"]}
    for name in (
        "mindspore.nn.Dense",
        "mindspore.ops.operations.ReLU",
        "mindspore.ops.sum",
        "mindspore.Tensor",
        "mindspore.nn.Cell",
    ):
        assert report["names"][name]["status"] == "supported", name
    assert report["keywords"]["mindspore.nn.Dense(has_bias=)"]["status"] == "supported"
    assert report["keywords"]["mindspore.nn.Dense(flavour=)"]["status"] == "missing"
    assert report["modules"]["mindspore.no_such_module"]["status"] == "missing"
    assert "mindspore.nothing" not in report["modules"]
    assert report["files"] == 2 and len(report["unreadable"]) == 1
    assert 50 < report["coverage"] < 100


def test_text_for_people(tmp_path):
    script = tmp_path / "net.py"
    script.write_text("from mindspore import nn\nnn.Dense(2, 3)\n")
    done = scan(script)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "1 files; 100.0 % of the places are served"


def test_no_such_path(tmp_path):
    assert scan(tmp_path / "none").returncode == 2
