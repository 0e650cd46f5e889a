"""What callbacks see of Model's runs, and the modes that networks are left in: as in MindSpore."""

import json

import cases_model
import golden_files
import mindspore as ms
import pytest
from mindspore import dataset, train  # noqa: F401  the cases take them from `ms`

GOLDENS = golden_files.read("model")


def same(mine, golden):
    """Equality, but of printed numbers to their last digit."""
    if isinstance(golden, list):
        return isinstance(mine, list) and len(mine) == len(golden) and all(map(same, mine, golden))
    if isinstance(golden, dict):
        return mine.keys() == golden.keys() and all(same(mine[key], golden[key]) for key in golden)
    if isinstance(golden, str) and golden != mine:
        try:
            return abs(float(mine) - float(golden)) <= 2e-3 * abs(float(golden)) + 1e-6
        except ValueError:
            return False
    return mine == golden


@pytest.mark.filterwarnings("default")
def test_runs_are_mindspores(mode):
    number = {"graph": ms.GRAPH_MODE, "pynative": ms.PYNATIVE_MODE}[mode]
    mine, golden = json.loads(json.dumps(cases_model.runs(ms, number))), GOLDENS[str(number)]
    if not cases_model.SEEDS:  # those of MSJAX_TEST_ALL=1
        golden = {name: golden[name] for name in golden if not name.startswith("random")}
    assert mine.keys() == golden.keys()
    for name in golden:
        assert same(mine[name], golden[name]), name
