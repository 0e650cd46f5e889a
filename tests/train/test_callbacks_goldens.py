"""What callbacks print, save and change: as MindSpore's do, in both modes."""

import json
import pathlib

import cases_callbacks
import mindspore as ms
import pytest
from mindspore import dataset, train  # noqa: F401  the cases take them from `ms`

GOLDENS = json.loads((pathlib.Path(__file__).parents[1] / "goldens" / "callbacks.json").read_text())
# rows of msjax/cli/deviations.py: patience 0, baseline, the end that was asked for
DOCUMENTED = {"early stopping 0", "early stopping 1", "early stopping of mae 0", "early stopping of mae 1"}
DOCUMENTED |= {
    "early stopping 6",
    "early stopping of mae 6",
    "early stopping of a Tensor",
    "exit",
    "exit, named",
    "exit, nothing saved",
}


@pytest.mark.filterwarnings("default")
def test_callbacks_are_mindspores(mode):
    number = {"graph": ms.GRAPH_MODE, "pynative": ms.PYNATIVE_MODE}[mode]
    mine, golden = json.loads(json.dumps(cases_callbacks.runs(ms, number))), GOLDENS[str(number)]
    assert mine.keys() == golden.keys()
    different = {name for name in golden if mine[name] != golden[name]}
    assert different <= DOCUMENTED, {name: (mine[name], golden[name]) for name in sorted(different - DOCUMENTED)[:3]}
