"""`msjax scan`: names, keywords and modules of a project, found without running it."""

import ast
import json
import subprocess
import sys

import pytest

from msjax.cli import info
from msjax.cli import scan as scanning

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


def test_a_file_that_begins_with_the_mark_of_its_encoding_is_read(tmp_path):
    (tmp_path / "net.py").write_text(SCRIPT, encoding="utf-8-sig")
    ((_, text),) = scanning.sources(str(tmp_path))
    assert text == SCRIPT


def test_reports_what_is_missing_with_its_place(tmp_path):
    (tmp_path / "net.py").write_text(SCRIPT)
    (tmp_path / "book.ipynb").write_text(json.dumps(NOTEBOOK))
    (tmp_path / "broken.py").write_text("def :")
    done = scan(tmp_path, "--json")
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    net = str(tmp_path / "net.py")
    assert report["names"]["mindspore.nn.NoSuchLayer"]["status"] == "missing"
    assert report["names"]["mindspore.nn.NoSuchLayer"]["at"] == [f"{net}:9"]
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


def test_nothing_to_read(tmp_path):
    done = scan(tmp_path)
    assert done.returncode == 2 and "there are no Python files or notebooks in" in done.stderr


def report_of(tmp_path, text):
    (tmp_path / "net.py").write_text(text)
    return scanning.scan(tmp_path)


def test_refusals_are_not_supported(tmp_path):
    report = report_of(
        tmp_path,
        "import mindspore as ms\nfrom mindspore.graph import register_custom_pass\n"
        "from mindspore.rewrite import SymbolTree\nregister_custom_pass(ms.nn.Dens(2, 3))\nms.export_split_mindir('x')\nms.nn.LossBase()\n",
    )
    state = {name: row["status"] for name, row in report["names"].items()}
    assert state["mindspore.graph.register_custom_pass"] == "refused" == state["mindspore.export_split_mindir"]
    assert state["mindspore.nn.LossBase"] == "supported"
    assert report["names"]["mindspore.nn.Dens"]["reason"].endswith("; the nearest name is mindspore.nn.Dense")
    assert report["coverage"] < 70
    assert [row["what"] for row in report["deviations"]] == ["rewrite.SymbolTree: functions of MindSpore itself"]
    results = scanning.sarif(report)["runs"][0]["results"]
    assert {r["ruleId"] for r in results} == {"missing", "refused"}
    assert results[0]["locations"][0]["physicalLocation"]["region"]["startLine"] in (2, 4, 5)
    page = scanning.page(report, tmp_path)
    assert "deviations that may apply" in page and "register_custom_pass" in page


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "book.ipynb").write_text("no json")
    report = report_of(tmp_path, "x = 1\n")
    assert report["coverage"] is None and len(report["unreadable"]) == 1
    assert list(scanning._listed(report))[-1] == "1 files, 1 more could not be read; no name of MindSpore in them"


def test_info(capsys):
    assert info.main(["ops.ReduceSum"]) == 0
    out = capsys.readouterr().out
    assert "mindspore.ops.ReduceSum(keep_dims=False" in out and "also spelled: ops.reduce_sum" in out
    assert "ops/reduce/reduction.py:" in out
    assert info.main(["nn.Dens"]) == 1 and "the nearest name is mindspore.nn.Dense" in capsys.readouterr().out
    assert info.main(["graph.register_custom_pass", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["status"] in ("refused", "missing")
    assert info.describe("graph.register_custom_pass")["status"] == "refused"
    assert info.describe("nn.Dense")["source"].endswith(
        "basic.py:" + info.describe("nn.Dense")["source"].rpartition(":")[2]
    )


def test_tables_that_modules_hold(tmp_path):
    """Dicts and lists are names like all others."""
    (tmp_path / "train.py").write_text(
        "from mindspore.common.api import cells_compile_cache\nfrom mindspore.common.initializer import _INITIALIZER_ALIAS\n"
        "from mindspore import context\ncontext.ParallelMode.MODE_LIST\n"
    )
    done = scan(tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    assert {row["status"] for row in json.loads(done.stdout)["names"].values()} == {"supported"}


def test_packages_that_are_not_there_and_methods_of_tensors_are_reported(tmp_path):
    (tmp_path / "own.py").write_text("value = 1\n")
    (tmp_path / "train.py").write_text(
        "import os, numpy, nowhere_to_be_found.part, own\nimport mindspore as ms\nfrom mindspore import ops\n"
        "x = ms.Tensor([1.0])\nx.sum()\nx.backward_all()\nops.zeros((2,)).cuda_now()\n"
        "y = other()\ny.cuda_now()\nx2 = ms.Tensor([1])\nx2 = other()\nx2.anything()\n"
        # a name that something else in the file binds, too, may be another object
        "p = ms.Tensor([1])\nfilter(lambda p: p.of_lambda, ())\nq = ms.Tensor([1])\n[q.of_loop for q in ()]\n"
        "r = ms.Tensor([1])\ndef f(r): return r.of_function\ns = ms.Tensor([1])\nfor i, s in (): s.of_pair\n"
    )
    report = scanning.scan(tmp_path)
    assert list(report["packages"]) == ["nowhere_to_be_found"]
    missing = {
        n: [a.rpartition(":")[2] for a in row["at"]] for n, row in report["names"].items() if row["status"] == "missing"
    }
    assert missing == {"mindspore.Tensor.backward_all": ["6"], "mindspore.Tensor.cuda_now": ["7"]}


def test_a_difference_is_shown_where_the_file_meets_it():
    concerns = scanning.concerns
    what = "set_context, set_seed in another thread than the main one"
    assert concerns(what, {"set_seed"}, {"set_seed"}) == "maybe"
    assert concerns("nn.Dense.__module__", {"Dense"}, {"Dense"}) == ""
    assert concerns("nn.Dense.__module__", {"Dense"}, {"Dense", "nn", "__module__"}) == "certain"
    assert concerns("nn.Conv2d(weight_init=)", {"Dense"}, {"Dense", "weight_init"}) == ""


def test_missing_names_say_whether_mindspore_has_them(tmp_path):
    (tmp_path / "net.py").write_text(
        "from mindspore import nn, ops\nfrom mindspore.nn.wrap import _inner\nnn.init.zeros_\nops.SELU\nops.relu\n"
    )
    names = scanning.scan(tmp_path)["names"]
    reasons = {name: row["reason"] for name, row in names.items() if row["status"] == "missing"}
    assert reasons == {
        "mindspore.nn.init.zeros_": "MindSpore 2.10 does not document it either",
        "mindspore.ops.SELU": "MindSpore 2.10 does not document it either; the nearest name is mindspore.ops.SeLU",
        "mindspore.nn.wrap._inner": "",
    }


def test_attributes_of_what_is_refused_are_not_counted_again(tmp_path):
    (tmp_path / "net.py").write_text(
        "from mindspore.common.api import _MindSporeFunction as F\nF.float32\nF.other.name\n"
    )
    names = scanning.scan(tmp_path)["names"]
    [(name, row)] = names.items()
    assert name == "mindspore.common.api._MindSporeFunction" and row["status"] == "refused"
    assert [place.rpartition(":")[2] for place in row["at"]] == ["1", "2", "3"]


@pytest.mark.parametrize(
    "code, certain",
    [
        ("ops.assign(p, v)", False),
        ("ops.assign(x[0], v)", True),
        ("assign(self.rows[i + 1], ops.zeros(3))", True),
        ("x[0] = ops.assign(p, v)", False),
    ],
)
def test_difference_with_an_index_is_certain_where_it_is_written(code, certain):
    tree = ast.parse(code)
    words = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | {"x", "v", "assign"}
    found = scanning.concerns("ops.assign(x[0], v)", {"assign"}, words, [tree])
    assert found == ("certain" if certain else "maybe")


def test_statements_and_keywords_of_differences_are_looked_for():
    def found(what, code, used=("relu", "array")):
        words = {"np", "relu", "array", "x", "v", "range", "f", "mode"}
        return scanning.concerns(what, set(used), words, [ast.parse(code)])

    assert found("relu(x[0])", "y = relu(batch[i, 1:])") == "certain"
    assert found("x[np.array], x[range]", "y = x[0]; z = np.array(x)") == "maybe"
    assert found("x[np.array], x[range]", "y = x[range]; z = np.array(x)", ("array", "range")) == "certain"
    assert found("relu(x, mode=1)", "relu(x, mode=2)") == "maybe"
    assert found("relu(x, mode=1)", "F.relu(x + 1, mode=1)") == "certain"


def test_operators_that_the_file_registers_are_there(tmp_path):
    (tmp_path / "own.py").write_text(
        "import msjax\nfrom mindspore import ops\n@msjax.register_op\ndef cube(x): ...\n"
        "@msjax.register_op(name='fourth')\ndef f(x): ...\nprint(ops.cube, ops.fourth, ops.fifth)\n"
    )
    names = scanning.scan(str(tmp_path))["names"]
    assert [names[f"mindspore.ops.{name}"]["status"] for name in ("cube", "fourth", "fifth")] == [
        "supported",
        "supported",
        "missing",
    ]


def test_keywords_of_mindspore_1_of_a_class_are_taken(tmp_path):
    file = tmp_path / "loss.py"
    file.write_text(
        "from mindspore import nn\nnn.SoftmaxCrossEntropyWithLogits(is_grad=False, sparse=True)\nnn.SmoothL1Loss(sigma=1.0, odd=2)\n"
    )
    found = {name: row["status"] for name, row in scanning.scan(str(file))["keywords"].items()}
    assert found.pop("mindspore.nn.SmoothL1Loss(odd=)") == "missing" and set(found.values()) == {"supported"}


def test_a_row_about_an_argument_needs_its_function():
    row = "audio.AmplitudeToDB, InverseSpectrogram(pad)"
    assert scanning.concerns(row, {"pad"}, {"pad", "img"}) == ""
    assert scanning.concerns(row, {"InverseSpectrogram"}, {"InverseSpectrogram", "pad"})
