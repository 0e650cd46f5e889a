"""Checkpoints from each layout into each other one, on 16 forced devices: python layouts.py FOLDER [number of layouts]."""

import resource
import sys

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

ms.set_context(mode=ms.GRAPH_MODE)
FOLDER, COUNT = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 16
rng = np.random.default_rng(0)
X, Y = (rng.normal(size=(32, 32)).astype(np.float32) for _ in range(2))
# (data, model, stages, level of ZeRO) of 16 devices
LAYOUTS = [
    (16, 1, 1, 0), (1, 16, 1, 0), (4, 4, 1, 1), (4, 2, 2, 0), (8, 2, 1, 3), (2, 8, 1, 2), (2, 2, 4, 1), (16, 1, 1, 3),
    (16, 1, 1, 1), (16, 1, 1, 2), (8, 2, 1, 0), (2, 8, 1, 0), (4, 4, 1, 3), (8, 1, 2, 1), (4, 1, 4, 0), (1, 8, 2, 0),
]  # fmt: skip


class Layer(nn.Cell):
    def __init__(self, dp, mp):
        super().__init__()
        self.up, self.down = nn.Dense(32, 64), nn.Dense(64, 32)
        self.up.matmul.shard(((dp, 1), (mp, 1)))
        self.up.bias_add.shard(((dp, mp), (mp,)))
        self.down.matmul.shard(((dp, mp), (1, mp)))

    def construct(self, x):
        return x + self.down(ops.tanh(self.up(x)))


class Net(nn.Cell):
    def __init__(self, dp, mp, stages):
        super().__init__()
        self.layers = nn.CellList([Layer(dp, mp) for _ in range(4)])
        for i, layer in enumerate(self.layers if stages > 1 else ()):
            layer.pipeline_stage = i * stages // 4

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def trained(layout, number):
    """A step of a network that lies so, after one call."""
    dp, mp, stages, level = layout
    ms.reset_auto_parallel_context()
    zero = {
        "enable_parallel_optimizer": True,
        "parallel_optimizer_config": {"parallel_optimizer_threshold": 0, "optimizer_level": f"level{level}"},
    }
    ms.set_auto_parallel_context(
        parallel_mode="semi_auto_parallel",
        device_num=16,
        full_batch=True,
        pipeline_stages=stages,
        **(zero if level else {}),
    )
    np.random.seed(number)
    net = nn.WithLossCell(Net(dp, mp, stages), nn.MSELoss())
    net = nn.PipelineCell(net, 2 * stages) if stages > 1 else net
    step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 0.01)).set_train()
    step(Tensor(X), Tensor(Y))
    return step


def content(step):
    return {p.name: p.asnumpy() for p in step.get_parameters()}


steps = [trained(layout, number) for number, layout in enumerate(LAYOUTS[:COUNT])]


def lies(box):
    """The shape of a device's part; of a row of a stack that is split over the stages, None."""
    sharding = box._raw.sharding
    return sharding and sharding.shard_shape(box.shape)


parts = {tuple(map(lies, step.get_parameters())) for step in steps}
assert len(parts) > COUNT // 2, len(parts)
wanted = []
for number, step in enumerate(steps):
    ms.save_checkpoint(step, f"{FOLDER}/{number}.ckpt")
    wanted.append(content(step))
pairs = 0
for source, kept in enumerate(wanted):
    for target, step in enumerate(steps):
        missing, unused = ms.load_param_into_net(step, ms.load_checkpoint(f"{FOLDER}/{source}.ckpt"))
        assert not missing and not unused, (LAYOUTS[source], LAYOUTS[target], missing, unused)
        found = content(step)
        for name, value in kept.items():
            assert found[name].tobytes() == value.tobytes(), (LAYOUTS[source], LAYOUTS[target], name)
        pairs += 1
print(
    f"{pairs} pairs of {len(steps)} layouts: equal bytes; {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB at most"
)
