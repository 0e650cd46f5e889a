"""Four processes, two stages of two devices: the slices that each saves are loaded by a network that was only compiled."""

import tempfile

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

ms.set_context(mode=ms.GRAPH_MODE)
ms.communication.init()
rng = np.random.default_rng(0)
X, Y = (rng.standard_normal((8, 16)).astype(np.float32) for _ in range(2))


class Block(nn.Cell):
    def __init__(self, more):
        super().__init__()
        self.up, self.down = nn.Dense(16, 32, activation=ops.Tanh()), nn.Dense(32, 16)
        self.up.matmul.shard(((1, 1), (2, 1)))
        self.down.matmul.shard(((1, 2), (1, 2)))
        self.more = nn.Dense(16, 16) if more else None

    def construct(self, x):
        x = x + self.down(self.up(x))
        return x if self.more is None else self.more(x)


class Net(nn.Cell):
    def __init__(self, unequal):
        super().__init__()
        self.first, self.second = Block(False), Block(unequal)
        self.first.pipeline_stage, self.second.pipeline_stage = 0, 1

    def construct(self, x, y):
        return ((self.second(self.first(x)) - y) ** 2).mean()


def step_of(seed, unequal):
    ms.set_seed(seed)
    cell = nn.PipelineCell(Net(unequal), 2)
    return nn.TrainOneStepCell(cell, nn.Adam(cell.trainable_params(), 0.01)).set_train()


def losses(step):
    return [float(step(Tensor(X), Tensor(Y)).asnumpy()) for _ in range(2)]


for name, unequal in (("equal", False), ("unequal", True)):
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", full_batch=True, pipeline_stages=2)
    trained = step_of(1, unequal)
    losses(trained)
    file = tempfile.mkdtemp() + "/own.ckpt"
    ms.save_checkpoint(trained, file, integrated_save=False)
    mine = "second" if ms.communication.get_rank() // 2 else "first"
    assert ms.load_checkpoint(file)[f"{mine}.up.weight"].shape == (16, 16)
    wanted, other = losses(trained), step_of(2, unequal)
    other.compile(Tensor(X), Tensor(Y))
    ms.load_checkpoint(file, other)
    np.testing.assert_array_equal(losses(other), wanted)
    print(f"{name} stages: go on", flush=True)
    ms.reset_auto_parallel_context()
