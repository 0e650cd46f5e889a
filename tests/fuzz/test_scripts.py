"""The generator of whole scripts: its texts are Python in both spellings; one script prints the same in both modes."""

import ast
import itertools

import drive
import scripts


def test_texts_are_python():
    for case in itertools.islice(scripts.Generator("texts"), 60):
        for old in (False, True):
            text = scripts.file_of(case, "graph", old)
            names = {node.name for node in ast.parse(text).body if hasattr(node, "name")}
            assert {"Net", "Whole", "initialise"} <= names
            assert "MODE" not in text.replace("GRAPH_MODE", "") and "FLAGS" not in text


def test_a_script_in_both_modes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = f"import numpy as np, zlib, mindspore as ms\nfrom mindspore import Tensor, nn\nms.set_context(mode=MODE)\n{scripts.HELPERS}"
    source += "net = nn.Dense(6, 2)\ninitialise(net)\nprint('mean', net(Tensor(draw('x', (4, 6)))).mean())\nms.save_checkpoint(net, 'net.ckpt')\n"
    case = {"source": source, "old": False, "modes": ["pynative", "graph"]}
    found = {mode: scripts._run(case, mode) for mode in case["modes"]}
    assert [stage for stage, _ in found["graph"]] == [
        "line 0",
        "names in the checkpoint",
        "Parameters in the checkpoint",
    ]
    assert scripts.judge(case, {}, found, drive.same) == "equal"
    raised = scripts._run({**case, "source": source + "raise KeyError('k')"}, "graph")
    assert [stage for stage, _ in raised] == ["line 0", "raise"] and raised[-1][1][1] == "KeyError"


def test_a_printed_line():
    words, (_, _, numbers) = scripts.shown("epoch 1 [-2.5e-1  nan] Float32 fc0.weight")[1]
    assert words == ["str", "epoch#[##]Float32fc0.weight"]
    assert numbers[:2] == [1, -0.25] and numbers[2] != numbers[2]
