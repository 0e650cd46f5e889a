"""Pipelines: stages on devices of their own, in one process with eight devices or in several processes, give what one device gives."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

import msjax
from msjax.parallel.processes import world

ms.set_context(mode=ms.GRAPH_MODE)
rng = np.random.default_rng(0)
X, Y = rng.normal(size=(32, 16)).astype(np.float32), rng.integers(0, 4, 32).astype(np.int32)
WEIGHTS = [rng.normal(size=s).astype(np.float32) * 0.2 for s in ((16, 16), (16, 16), (16, 16), (16, 4))]
SEVERAL = world().size > 1


class Layer(nn.Cell):
    def __init__(self, weight, strategy=None):
        super().__init__()
        self.w, self.product = Parameter(Tensor(weight), name="w"), ops.MatMul()
        self.drop = nn.Dropout(p=0.1)
        if strategy:
            self.product.shard(strategy)

    def construct(self, x):
        return self.drop(ops.tanh(self.product(x, self.w)))


class Net(nn.Cell):
    """Four layers in `stages` stages; the first weight is used by the last layer too."""

    def __init__(self, stages, strategy=None):
        super().__init__()
        np.random.seed(1)
        ms.set_seed(1)
        self.layers = nn.CellList([Layer(w, strategy) for w in WEIGHTS])
        for i, layer in enumerate(self.layers):
            layer.pipeline_stage = i * stages // 4

    def construct(self, x):
        for layer in self.layers[:3]:
            x = layer(x)
        return self.layers[3](ops.matmul(x, self.layers[0].w))


def train(stages=1, strategy=None, steps=3, **settings):
    """Losses, and the net after them."""
    ms.reset_auto_parallel_context()
    if stages > 1:
        ms.set_auto_parallel_context(
            parallel_mode="semi_auto_parallel", pipeline_stages=stages, full_batch=True, **settings
        )
    net = Net(stages, strategy)
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    cell = nn.PipelineCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), 4)
    step = nn.TrainOneStepCell(cell, optimizer, sens=0.25).set_train()
    losses = [float(step(Tensor(X), Tensor(Y)).asnumpy()) for _ in range(steps)]
    return losses, net, step
