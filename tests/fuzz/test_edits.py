"""The generator of edits: its texts are Python, and one program gives the same in both modes."""

import ast
import itertools

import drive
import edits


def test_texts_are_python():
    for case in itertools.islice(edits.Generator("texts"), 100):
        names = {node.name for node in ast.parse(case["source"]).body if hasattr(node, "name")}
        assert {"Net", "Loss", "main"} <= names and not set("«»$") & set(case["source"])


def test_a_program_in_both_modes():
    case = next(
        c for c in edits.Generator("modes") if "net.seq.append" in c["source"] and "nn.TrainOneStepCell" in c["source"]
    )
    found = edits.run(case)
    assert found["graph"][-1][0] == "Parameters" and edits.judge(case, {}, found, drive.same) == "equal"
