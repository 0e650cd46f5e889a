"""Checkpoints from each layout into each other one, on 16 forced devices: python layouts.py FOLDER [number of layouts] [width].

At a width of 512 and more it also measures the memory above the state that is there already, in the largest part that a device has
(MALLOC_MMAP_THRESHOLD_=65536 and MALLOC_TRIM_THRESHOLD_=65536 let the C library give back what is free).
"""

import gc
import re
import sys

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

ms.set_context(mode=ms.GRAPH_MODE)
FOLDER, COUNT = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 16
WIDTH = int(sys.argv[3]) if len(sys.argv) > 3 else 32
rng = np.random.default_rng(0)
X, Y = (rng.normal(size=(64, WIDTH)).astype(np.float32) for _ in range(2))
# (data, model, stages, level of ZeRO, experts) of 16 devices
LAYOUTS = [
    (16, 1, 1, 0, 1), (1, 16, 1, 0, 1), (4, 4, 1, 1, 4), (4, 2, 2, 0, 4), (8, 2, 1, 3, 8), (2, 8, 1, 2, 1), (2, 2, 4, 1, 2),
    (16, 1, 1, 3, 1), (16, 1, 1, 1, 8), (16, 1, 1, 2, 2), (8, 2, 1, 0, 4), (2, 8, 1, 0, 8), (4, 4, 1, 3, 2), (8, 1, 2, 1, 8),
    (4, 1, 4, 0, 4), (1, 8, 2, 0, 1),
]  # fmt: skip
EXPERTS = 8


class Layer(nn.Cell):
    def __init__(self, dp, mp, ep):
        super().__init__()
        self.up, self.down = nn.Dense(WIDTH, 2 * WIDTH), nn.Dense(2 * WIDTH, WIDTH)
        self.up.matmul.shard(((dp, 1), (mp, 1)))
        self.up.bias_add.shard(((dp, mp), (mp,)))
        self.down.matmul.shard(((dp, mp), (1, mp)))
        self.experts = ms.Parameter(
            Tensor(np.random.randn(EXPERTS, WIDTH, WIDTH // 4).astype(np.float32)), name="experts"
        )
        self.product = ops.BatchMatMul().shard(((ep, 1, 1), (ep, 1, 1)))

    def construct(self, x):
        x = x + self.down(ops.tanh(self.up(x)))
        chosen = self.product(x.reshape(EXPERTS, -1, WIDTH), self.experts)
        return x + ops.tile(chosen, (1, 1, 4)).reshape(x.shape)


class Net(nn.Cell):
    def __init__(self, dp, mp, stages, ep):
        super().__init__()
        self.layers = nn.CellList([Layer(dp, mp, ep) for _ in range(4)])
        for i, layer in enumerate(self.layers if stages > 1 else ()):
            layer.pipeline_stage = i * stages // 4

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def trained(layout, number):
    """A step of a network that lies so, after one call."""
    dp, mp, stages, level, ep = layout
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
    net = nn.WithLossCell(Net(dp, mp, stages, ep), nn.MSELoss())
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


def megabytes(what):
    with open("/proc/self/status", encoding="utf-8") as file:
        return int(re.search(rf"{what}:\s+(\d+)", file.read())[1]) / 1024


def loaded(step, file):
    """What loading does not find, and the memory in MB that it takes above the state of before and of after."""
    gc.collect()
    with open("/proc/self/clear_refs", "w", encoding="utf-8") as file_of_peak:
        file_of_peak.write("5")
    before = megabytes("VmRSS")
    missing, unused = ms.load_param_into_net(step, ms.load_checkpoint(file))
    return missing + unused, megabytes("VmHWM") - max(before, megabytes("VmRSS"))


def largest_part(step):
    """MB of the largest part that a device has."""
    shapes = [(lies(box) or box.shape, box.itemsize) for box in step.get_parameters()]
    return max(np.prod(shape) * size for shape, size in shapes) / (1 << 20)


pairs, most = 0, []
for source, kept in enumerate(wanted):
    for target, step in enumerate(steps):
        wrong, above = loaded(step, f"{FOLDER}/{source}.ckpt")
        assert not wrong, (LAYOUTS[source], LAYOUTS[target], wrong)
        most.append((above / largest_part(step), above, LAYOUTS[source], LAYOUTS[target]))
        found = content(step)
        for name, value in kept.items():
            assert found[name].tobytes() == value.tobytes(), (LAYOUTS[source], LAYOUTS[target], name)
        pairs += 1
print(f"{pairs} pairs of {len(steps)} layouts: equal bytes")
if WIDTH >= 512:
    for ratio, above, source, target in sorted(most)[-5:]:
        print(f"{above:.2f} MB above the state, {ratio:.2f} of the largest part: {source} -> {target}")
