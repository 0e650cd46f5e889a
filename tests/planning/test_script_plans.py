"""The plan of a script is that of the program that would run: state lies as it would, and equal layers are one loop where they would be."""

import json

import pytest
from test_findings import run_plan

SCRIPT = """
import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

ms.set_context(mode=ms.GRAPH_MODE)
ms.set_auto_parallel_context(parallel_mode="{mode}", full_batch={chips} > 1, device_num={chips}, enable_parallel_optimizer=True)


class Layer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.up = nn.Dense(256, 256, has_bias=False)
        if {chips} > 1:
            self.up.matmul.shard(((1, 1), ({chips}, 1)))

    def construct(self, x):
        return x + ops.tanh(self.up(x))


net = nn.SequentialCell(*[Layer() for _ in range(8)])
loss = nn.WithLossCell(net, nn.MSELoss())
step = nn.TrainOneStepCell(loss, nn.Adam(net.trainable_params(), 1e-3)).set_train()
x = Tensor(np.zeros((8, 256), np.float32))
step(x, x)
"""


@pytest.mark.parametrize(("chips", "mode"), [(1, "stand_alone"), (4, "semi_auto_parallel")], ids=["one", "four"])
def test_state_and_loops_of_a_script(tmp_path, chips, mode):
    script, kept, text = tmp_path / "train.py", tmp_path / "plan.json", tmp_path / "plan.hlo"
    script.write_text(SCRIPT.format(mode=mode, chips=chips))
    topology = f"cpu:{chips}" if chips > 1 else "cpu"
    done = run_plan("--topology", topology, "--fold-layers", "--json", kept, "--hlo", text, script)
    assert done.returncode == 0, done.stderr
    memory = json.loads(kept.read_text())["memory"]
    assert memory["weights"] == 8 * 256 * 256 * 4 / chips
    assert memory["optimizer state"] == 2 * memory["weights"]
    assert text.read_text().count(" while(") == 2, "forward and backward are a loop each"
