"""What the judges of networks make of a side that died, and of draws that differ."""

import drive
import networks

CASE = {"layers": [], "input": ["float32", [1], None], "cast": None}


def _found(*numbers):
    """A side's answer: one draw for each number, which is its loss."""
    return {"pynative": [[["loss", ["Float32", [], [number]]]] for number in numbers]}


def test_a_side_that_died():
    died = ["!", "Hang"]
    assert networks.judge(CASE, died, _found(1.0, 2.0), drive.same) == "beyond"
    assert networks.judge(CASE, _found(1.0), died, drive.same) == "refused: died"
    both = {**_found(1.0, 2.0), "graph": _found(1.0, 3.0)["pynative"]}
    modes = networks.judge_modes(died, {mode: draws[1] for mode, draws in both.items()}, 0, lambda: both["pynative"][1])
    assert modes == "pynative and graph: value, loss"


def test_an_optimizer_has_its_first_state_again():
    case = {
        "layers": [["nn.Dense(3, 2)", "x = CELL(x)"]],
        "input": ["float32", [2, 3], None],
        "label": ["float32", [2, 2], None],
        "loss": ["", "(y * t).mean()"],
        "optimizer": "experimental.NAdam(P, lr=0.01, eps=1e-2)",
        "cast": None,
        "train": True,
        "modes": ["pynative"],
        "draws": 2,
    }
    together = networks._run(case, "pynative")
    assert networks.compare(together[1], networks._run({**case, "numbers": [1]}, "pynative")[0], 0) == ("equal", "")


def test_a_network_that_raises():
    case = {"layers": [["nn.Dense(0, 2)", "x = CELL(x)"]], "loss": ["", ""], "cast": None, "draws": 1}
    assert [[stage for stage, _ in draw] for draw in networks._run(case, "pynative")] == [["raise"]]
