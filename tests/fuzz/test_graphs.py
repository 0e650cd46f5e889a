"""The generator of graphs: its programs are Python; one of them gives the same in both modes."""

import ast
import itertools

import drive
import graphs


def test_texts_are_python():
    for case in itertools.islice(graphs.Generator("texts"), 12):
        names = {node.name for node in ast.parse(case["source"]).body if hasattr(node, "name")}
        assert {"Net", "Loss", "inputs", "main"} <= names and "«" not in case["source"]


def test_a_program_in_both_modes():
    case = next(c for c in graphs.Generator("modes") if "nn.TrainOneStepCell(loss, opt)" in c["source"])
    found = graphs.run(case)
    assert found["graph"][-1][0] == "Parameters"
    assert graphs.judge(case, {}, found, drive.same) == "equal"
