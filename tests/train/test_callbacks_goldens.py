"""What callbacks print, save and change: as MindSpore's do, in both modes."""

import json
import os
import zlib

import cases_callbacks
import golden_files
import mindspore as ms
import pytest
from mindspore import dataset, train  # noqa: F401  the cases take them from `ms`

GOLDENS = golden_files.read("callbacks")
# rows of msjax/cli/deviations/: patience 0, baseline, the end that was asked for
DOCUMENTED = {"early stopping 0", "early stopping 1", "early stopping of mae 0", "early stopping of mae 1"}
DOCUMENTED |= {
    "early stopping 6",
    "early stopping of mae 6",
    "early stopping of a Tensor",
    "exit",
    "exit, named",
    "exit, nothing saved",
}


def chosen(name):
    """A fifth of the runs, all with MSJAX_TEST_ALL=1."""
    return "MSJAX_TEST_ALL" in os.environ or zlib.crc32(name.encode()) % 5 == 0


@pytest.mark.filterwarnings("default")
def test_callbacks_are_mindspores(mode):
    number = {"graph": ms.GRAPH_MODE, "pynative": ms.PYNATIVE_MODE}[mode]
    golden = {name: told for name, told in GOLDENS[str(number)].items() if chosen(name)}
    mine = json.loads(json.dumps(cases_callbacks.runs(ms, number, chosen)))
    assert mine.keys() == golden.keys()
    different = {name for name in golden if mine[name] != golden[name]}
    assert different <= DOCUMENTED, {name: (mine[name], golden[name]) for name in sorted(different - DOCUMENTED)[:3]}
