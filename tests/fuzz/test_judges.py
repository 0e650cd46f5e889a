"""What the judges of networks make of a side that died, and of draws that differ."""

import drive
import networks
import scripts

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


def test_what_mindspores_kernels_and_compiler_get_wrong():
    names = ["names", ["str", ""]]
    found = {
        number: {"pynative": [[names, ["loss", ["Float32", [], [number]]]]]} for number in (1.0, 2.0, float("nan"))
    }
    mish = {**CASE, "layers": [["nn.Mish()", "x = CELL(x)"]]}
    nan = next(number for number in found if number != number)
    assert networks.judge(mish, found[nan], found[1.0], drive.same) == "theirs"
    assert networks._is_nan_alone(found[nan], found[1.0]) and not networks._is_nan_alone(found[2.0], found[nan])
    twice = "total += v; loss_fn(net(x, t) + y, t); @ms.jit"
    assert scripts.merges_zeros(twice) and not scripts.merges_zeros(twice.replace("+= v", "= total + v"))
    assert not any("O1" in text for text in scripts._served("steps"))


def test_msjax_raises_as_one_of_mindspores_modes():
    names, refused = ["names", ["str", ""]], ["raise", ["!", "TypeError", "of one dtype"]]
    theirs = {"pynative": [names, *_found(1.0)["pynative"][0]], "graph": [names, refused]}
    ours = {mode: [names, refused] for mode in theirs}
    assert networks.judge_modes(theirs, ours, 0, lambda: ours["pynative"]) == "theirs"
    assert networks.judge_modes({"pynative": theirs["pynative"]}, ours, 0, None) == "pynative refused, loss"


def test_modes_that_differ_as_mindspores_do():
    start, end = _found(1.0, 2.0)["pynative"]
    ours = {"pynative": [*start, ["more", ["Float32", [], [5.0]]]], "graph": [*end, ["more", ["Float32", [], [6.0]]]]}
    raised = ["raise", ["!", "TypeError", "branches"]]
    theirs = {"pynative": [*start, raised], "graph": [*end, raised]}
    assert networks.judge_modes(theirs, ours, 0, lambda: ours["pynative"]) == "beyond"
    assert (
        networks.judge_modes({"graph": [*end, raised]}, ours, 0, lambda: ours["pynative"])
        == "pynative and graph: value, loss"
    )


def test_one_mode_raises_as_it_does_in_mindspore():
    refused = ["raise", ["!", "TypeError", "number as sens"]]
    ours = {"pynative": _found(1.0)["pynative"][0], "graph": [refused]}
    theirs = {**ours, "graph": [["raise", ["!", "TypeError", "Type Join Failed"]]]}
    assert networks.judge_modes(theirs, ours, 0, lambda: ours["pynative"]) == "raise"
    other = {**ours, "graph": [["raise", ["!", "ValueError", "other"]]]}
    assert networks.judge_modes(other, ours, 0, lambda: ours["pynative"]) not in networks.ALLOWED
