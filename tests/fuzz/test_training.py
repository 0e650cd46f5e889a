"""The generator of training programs: its texts are Python in both spellings; one program gives the same in both modes."""

import ast
import itertools

import drive
import training


def test_texts_are_python():
    for case in itertools.islice(training.Generator("texts"), 60):
        for source in (case["source"], training.in_old_spelling(case["source"])):
            names = {node.name for node in ast.parse(source).body if hasattr(node, "name")}
            assert {"Net", "Whole", "main"} <= names


def test_a_program_in_both_modes():
    case = next(c for c in training.Generator("modes") if "TrainOneStepCell(whole" in c["source"])
    found = training.run(case)
    assert [stage for stage, _ in found["graph"]][-1] == "state"
    assert training.judge(case, {}, found, drive.same) == "equal"
