"""The examples in the texts of public functions, classes and modules run, and print what they say.

Each runs alone: in a fresh namespace, an empty folder and with the settings of a fresh process. The commit chooses which part of them
runs, so that the runs of a repository go through all; MSJAX_TEST_ALL=1 runs every one. An example without output only has to run.
"""

import ast
import doctest
import functools
import os
import pathlib
from unittest import mock

import pytest
import rotating

import msjax
from msjax.alias import old_names
from msjax.cli import example_worker
from msjax.core.settings import context
from msjax.dataset import config

PACKAGE = pathlib.Path(msjax.__file__).parent
SAMPLE = 40  # ten seconds of CPU

# What texts take for given, besides the modules that `example_worker` knows under their usual names.
GIVEN = """
import msjax
import numpy as np
from mindspore import Tensor, amp, dataset as ds, nn, train

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 4)
        self.relu = nn.ReLU()
        self.head = nn.Dense(4, 2)

    def construct(self, x):
        return self.head(self.relu(self.dense(x)))

net = Net()
x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3) / 6)
label = Tensor([0, 1], msjax.int32)
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
model = train.Model(net, loss, optimizer, metrics={"accuracy"})
dataset = ds.NumpySlicesDataset((np.eye(3, dtype=np.float32)[[0, 1, 2, 0]], np.array([0, 1, 1, 0], np.int32)), shuffle=False)
dataset = dataset.batch(2)
"""
# Calls that are made for what they do, or whose value has no text that is the same in each run.
EFFECTS = (
    *(
        "write_",
        "set_",
        "save_",
        "model.",
        "export(",
        ".analyse(",
        ".pipeline(",
        "tensordump(",
        "BNNLossCell(",
        "loss(",
    ),
    *(
        "_into_tensor(",
        "scatter_tensor(",
        "init_process_group(",
        "all_reduce(",
        "all_to_all_v_c(",
        "Callback(",
        "Scheduler(",
    ),
    *("P2POp(", "GroupTopk(", "store.set("),
)
NAMES = ("msjax", "amp", "train", "net", "x", "label", "loss", "optimizer", "model", "dataset")


def statements_of(text):
    """[(source, what it prints)] of a docstring, without what says itself that it is not for running."""
    found = doctest.DocTestParser().get_examples(text)
    return [(e.source, e.want) for e in found if not e.options.get(doctest.SKIP)]


def examples_of(path):
    """[(name, statements)] of a file."""
    found = []

    def visit(node, prefix):
        for child in getattr(node, "body", ()):
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)) and not child.name.startswith("_"):
                statements = statements_of(ast.get_docstring(child) or "")
                if statements:
                    found.append((f"{prefix}{child.name}", statements))
                visit(child, f"{prefix}{child.name}.")

    tree = ast.parse(path.read_text(encoding="utf-8"))
    statements = statements_of(ast.get_docstring(tree) or "")
    if statements:
        found.append(("module", statements))
    visit(tree, "")
    return found


def part(found, number):
    """Every so many-th example, beginning at a place that `number` says: SAMPLE of them, or one less."""
    parts = -(-len(found) // SAMPLE)
    return found[number % parts :: parts]


def chosen():
    """What this run looks at: all, or the part that belongs to the commit."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix()
        found += [pytest.param(statements, id=f"{file}:{name}") for name, statements in examples_of(path)]
    if not os.environ.get("MSJAX_TEST_ALL"):
        found = part(found, rotating.commit())
    return found


@pytest.fixture
def fresh_process(tmp_path, monkeypatch):
    """Settings as a process begins with, and an empty folder; what an example changes ends with it."""
    msjax.install()
    old_names.give_back()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(context, "process", context.Settings(context.process.values))
    monkeypatch.setattr(config, "_settings", dict(config._settings))
    with mock.patch.dict(os.environ):
        yield
    msjax.set_devices(1)
    context.reset_auto_parallel_context()


@functools.cache
def given():
    """GIVEN, compiled once."""
    return compile(GIVEN, "<given>", "exec")


@pytest.mark.parametrize("statements", chosen())
def test_example(statements, fresh_process):
    scope = {}
    if example_worker.unbound(statements) & set(NAMES):
        exec(given(), scope)
    result = example_worker.run_example(statements, {name: scope[name] for name in NAMES if name in scope})
    assert result["status"] in ("pass", "runs"), result


def test_each_statement_of_an_example_has_a_prompt():
    for path in PACKAGE.rglob("*.py"):
        for name, statements in examples_of(path):
            for source, _ in statements:
                assert len(ast.parse(source).body) == 1, f"{path}: {name}: {source}"


def test_an_example_that_ends_with_a_value_shows_it():
    silent = [
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for name, statements in examples_of(path)
        if not any(want for _, want in statements) and _is_value(statements[-1][0])
    ]
    assert not silent


def _is_value(source):
    """Whether a statement is an expression that is no call of a function for its effect: those are listed."""
    (statement,) = ast.parse(source).body
    return isinstance(statement, ast.Expr) and not any(effect in source for effect in EFFECTS)


def test_the_parts_are_all_examples():
    found = list(range(1000))
    parts = -(-len(found) // SAMPLE)
    assert sorted(one for number in range(parts) for one in part(found, number)) == found
    assert {len(part(found, number)) for number in range(parts)} <= {SAMPLE - 1, SAMPLE}
