"""One process with eight devices: gradients over parts of a batch are summed over devices once a step, and are those of one device."""

import re

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

ms.set_context(mode=ms.GRAPH_MODE)
rng = np.random.default_rng(0)
X, Y = rng.normal(size=(32, 6, 8)).astype(np.float32), rng.normal(size=(32, 6, 8)).astype(np.float32)


class Net(nn.Cell):
    def __init__(self, strategy):
        super().__init__()
        self.norm = nn.LayerNorm((8,))
        # casts, across which not all compilers sum once by themselves
        self.up, self.down = (nn.Dense(*widths).to_float(ms.float16) for widths in ((8, 24), (24, 8)))
        if strategy:
            data, model = strategy
            self.norm.layer_norm.shard(((data, 1, 1), (1,), (1,)))
            self.up.matmul.shard(((data, 1), (model, 1)))
            self.up.bias_add.shard(((data, model), (model,)))
            self.down.matmul.shard(((data, model), (1, model)))

    def construct(self, x, y):
        return ops.square(self.down(ops.tanh(self.up(self.norm(x)))).astype(ms.float32) - y).mean()


def train(devices, split, mode, strategy, **settings):
    """(losses of three steps, the net's weights, the program as it is written, the sums over devices in the compiled one)"""
    ms.set_devices(devices)
    ms.reset_auto_parallel_context()
    if devices != 1:
        ms.set_auto_parallel_context(parallel_mode=mode, full_batch=mode == "semi_auto_parallel", **settings)
    ms.set_seed(1)
    net = Net(strategy if devices != 1 else None)
    step = nn.TrainOneStepCell(split(net, 4), nn.SGD(net.trainable_params(), 0.1), sens=0.25).set_train()
    losses = [float(step(Tensor(X), Tensor(Y)).asnumpy()) for _ in range(3)]
    entry = step.entry_for(Tensor(X), Tensor(Y))
    arrays = [[Tensor(X)._data, Tensor(Y)._data], ()]
    lowered = entry.program.run.lower(*entry.state.shapes(), *arrays)
    text = lowered.compile().as_text()
    sums = [
        line.partition(" all-reduce")[0] for line in text.splitlines() if re.search(r" all-reduce(-start)?\(", line)
    ]
    return losses, [p.asnumpy() for p in net.get_parameters()], lowered.as_text(), sums


def check(name, split, mode, strategy, shape, **settings):
    one, several = train(1, split, mode, strategy), train("all", split, mode, strategy, **settings)
    np.testing.assert_allclose(several[0], one[0], rtol=1e-3)
    for mine, other in zip(several[1], one[1]):
        np.testing.assert_allclose(mine, other, rtol=1e-2, atol=1e-3, err_msg=name)
    copies = (strategy or (8,))[0]
    assert f"tensor<{copies}x24x8xf32>" in several[2], f"{name}: products do not take copies of the weight"
    times = sum(len(re.findall(shape, line)) for line in several[3])
    assert times == 1, (name, several[3])
    print(f"{name}: as one device, one sum", flush=True)


if __name__ == "__main__":
    check("data", nn.GradAccumulationCell, "data_parallel", None, r"\b24,8\]")
    check("data 4, model 2", nn.PipelineCell, "semi_auto_parallel", (4, 2), r"\b12,8\]")
    check("parts that take turns", nn.MicroBatchInterleaved, "data_parallel", None, r"\b24,8\]")
