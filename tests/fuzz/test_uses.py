"""The generator of uses: its texts are Python; one program gives the same in both modes, and what it prints is seen."""

import ast
import itertools

import drive
import uses


def test_texts_are_python():
    for case in itertools.islice(uses.Generator("texts"), 100):
        names = {node.name for node in ast.parse(case["source"]).body if hasattr(node, "name")}
        assert {"Net", "Loss", "main"} <= names and "«" not in case["source"]


def test_a_program_in_both_modes():
    case = next(c for c in uses.Generator("modes") if "nn.TrainOneStepCell(loss, opt)" in c["source"])
    case["source"] += "    print('the end', 3)\n"
    found = uses.run(case)
    assert found["graph"][-1] == ["printed", ["list", [["str", "theend#"], ["Float32", [1], [3.0]]]]]
    assert uses.judge(case, {}, found, drive.same) == "equal"
