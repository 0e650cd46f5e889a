"""What callbacks see of Model's runs, and the modes that networks are left in: as in MindSpore."""

import json
import pathlib

import cases_model
import mindspore as ms
import pytest
from mindspore import dataset, train  # noqa: F401  the cases take them from `ms`

GOLDENS = json.loads((pathlib.Path(__file__).parents[1] / "goldens" / "model.json").read_text())


@pytest.mark.filterwarnings("default")
def test_runs_are_mindspores(mode):
    number = {"graph": ms.GRAPH_MODE, "pynative": ms.PYNATIVE_MODE}[mode]
    mine, golden = json.loads(json.dumps(cases_model.runs(ms, number))), GOLDENS[str(number)]
    if not cases_model.SEEDS:  # those of MSJAX_LONG_TESTS=1
        golden = {name: golden[name] for name in golden if not name.startswith("random")}
    assert mine.keys() == golden.keys()
    for name in golden:
        assert mine[name] == golden[name], name
