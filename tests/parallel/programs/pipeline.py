"""Pipelines: stages on devices of their own, in one process with eight devices or in several processes, give what one device gives."""

import os
import re

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import Normal, initializer

import msjax
from msjax.core.values.deferred import Deferred
from msjax.parallel.processes import world

ms.set_context(mode=ms.GRAPH_MODE)
rng = np.random.default_rng(0)
X, Y = rng.normal(size=(32, 16)).astype(np.float32), rng.integers(0, 4, 32).astype(np.int32)
WEIGHTS = [rng.normal(size=s).astype(np.float32) * 0.2 for s in ((16, 16), (16, 16), (16, 16), (16, 4))]
GPIPE = {"pipeline_interleave": True, "pipeline_scheduler": "gpipe"}
SEVERAL = "MS_WORKER_NUM" in os.environ


class Layer(nn.Cell):
    def __init__(self, weight, strategy=None):
        super().__init__()
        self.w, self.product = Parameter(Tensor(weight), name="w"), ops.MatMul()
        self.drop = nn.Dropout(p=0.1)
        self.gain = Parameter(initializer(Normal(0.1), (weight.shape[1],)), name="gain", requires_grad=False)
        if strategy:
            self.product.shard(strategy)

    def construct(self, x):
        return self.drop(ops.tanh(self.product(x, self.w)) * (1 + self.gain))


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


def check(name, stages, reference, **settings):
    losses, net, step = train(stages, **settings)
    np.testing.assert_allclose(losses, reference[0], rtol=1e-5)
    for i, (mine, wanted) in enumerate(zip(net.trainable_params(), reference[1].trainable_params())):
        if (
            not SEVERAL or i * stages // 4 == world().rank * stages // world().size
        ):  # a process keeps its own stage up to date
            np.testing.assert_allclose(mine.asnumpy(), wanted.asnumpy(), rtol=1e-4, atol=1e-6)
        devices = {d.id for d in mine._raw.sharding.device_set}
        assert SEVERAL or devices <= set(range(8 * (i * stages // 4) // stages, 8 * (i * stages // 4 + 1) // stages)), (
            i,
            devices,
        )
    # what is born where it belongs: of the optimizer's state, and of weights that stay, a process makes those of its own stage
    for p in step.get_parameters():
        if p.name.startswith("moment1.") or p.name.endswith("gain"):
            stage = int(re.search(r"\d", p.name.removeprefix("moment1."))[0]) * stages // 4
            foreign = SEVERAL and stage != world().rank * stages // world().size
            assert (type(p._raw) is Deferred) == foreign, p.name
    print(f"{name}: as one device", flush=True)


if __name__ == "__main__":
    if "MS_WORKER_NUM" in os.environ:
        from mindspore.communication import init

        init()
        one = train()
        check("2 stages", 2, one)
        check("as many stages as processes, GPipe", world().size, one, pipeline_config=GPIPE)
    else:
        msjax.set_devices(1)
        one = train()
        msjax.set_devices("all")
        check("2 stages, data 2, model 2", 2, one, strategy=((2, 1), (1, 2)))
        check("4 stages, GPipe", 4, one, pipeline_config=GPIPE)
