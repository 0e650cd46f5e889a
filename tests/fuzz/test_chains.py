"""The generators of chains: what they draw runs, gives the same in both modes, and the judge names the statement that differs."""

import copy
import itertools

import chain_verdicts
import chains
import drive
import dtype_chains
import index_chains
import pytest


@pytest.mark.parametrize("module", (index_chains, dtype_chains))
def test_chains_in_both_modes(module):
    for case in itertools.islice(module.Generator("both"), 3):
        found = chains.run({**case, "modes": ["pynative", "graph"]})
        assert "end" in found or any(v[0] == "!" for v in found.values())
        assert "«" not in " ".join(case["lines"])
        assert chain_verdicts.judge(case, found, found, drive.same) in ("equal", "raise")


def test_the_statement_that_differs():
    case = {
        "lines": ["v0 = x * 2", "v1 = v0 + y", "v2 = y / 2"],
        "tensors": {k: ["float32", [1.0, 2.0], [2]] for k in "xy"},
    }
    theirs = chains.run({**case, "modes": ["pynative"], "gradient": []})
    ours = copy.deepcopy(theirs)
    ours["step 0"][2][0] = ours["step 1"][2][0] = 9.0
    assert chain_verdicts.judge(case, theirs, ours, drive.same) == "step value v * 2"
    ours = {**theirs, "step 2": ["!", "ValueError", "no"]}
    assert chain_verdicts.judge(case, theirs, ours, drive.same) == "step refused v / 2"
    lacking = {**theirs, "step 0": ["!", "TypeError", "Unsupported op [Mul] on CPU"]}
    assert chain_verdicts.judge(case, lacking, theirs, drive.same) == "lacks"
    graph = {**theirs, "graph": ["tuple", theirs["end"][1][::-1]]}
    assert chain_verdicts.judge(case, graph, {**theirs, "graph": theirs["end"]}, drive.same) == "python"


def test_what_numpy_gives():
    case = {"lines": ["v0 = x[::-1]"], "tensors": {k: ["int32", [1, 2], [2]] for k in "xy"}}
    mine = {"step 0": ["Int32", [2], [2, 1]]}
    assert chain_verdicts.judge(case, {"step 0": ["Int32", [2], [1, 2]]}, mine, drive.same) == "numpy"
