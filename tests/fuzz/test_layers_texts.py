"""The texts that chains of layers take are Python for every shape, and msjax runs what is drawn."""

import ast
import random

import mindspore as ms
import networks
import rare_layers

SHAPES = ((3, 4), (2, 4, 6), (2, 4, 6, 4), (2, 2, 4, 3, 4))


def test_texts_are_python():
    r = random.Random(1)
    ast.parse(rare_layers.CLASSES)
    for table in ("rows", "losses"):
        for shape in SHAPES:
            for _ in range(300):
                cell, line, rest = rare_layers.drawn(table, shape, r)
                ast.parse(cell)
                ast.parse(line)
                assert "«" not in cell + line and "$" not in cell + line
                assert bool(rest) == (table == "losses")


def test_a_drawn_network_runs():
    case = {
        "layers": [["Twice(0.5)", "x = CELL(x)"]],
        "input": ["float32", [2, 3], None],
        "label": ["int32", [2], 3],
        "loss": ["nn.CrossEntropyLoss(ignore_index=1)", "loss(y, t)"],
        "optimizer": "nn.SGD(P, 0.1)",
        "cast": None,
        "train": True,
        "draws": 1,
    }
    assert [stage for stage, _ in networks._run(case, "pynative")[0]] == [
        "names",
        "loss",
        "result",
        "gradient of the input",
    ]
    assert networks.measured("nn.Dense(3, 5)", "x = CELL(x)", (2, 3)) == (2, 5)
    assert networks.measured("", "x = ops.no_such_function(x)", (2, 3)) == (2, 3)
    assert ms.get_context("mode") == ms.PYNATIVE_MODE
