"""ZeRO's levels and sums of gradients on eight devices: as one device, and what each device holds."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

ms.set_context(mode=ms.GRAPH_MODE)
rng = np.random.default_rng(0)
X, Y = rng.normal(size=(16, 32)).astype(np.float32), rng.normal(size=(16, 8)).astype(np.float32)
UP, DOWN = (rng.normal(size=s).astype(np.float32) * 0.1 for s in ((32, 64), (64, 8)))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.up, self.down = Parameter(Tensor(UP), name="up"), Parameter(Tensor(DOWN), name="down")

    def construct(self, x, y):
        return ops.mse_loss(ops.tanh(x @ self.up) @ self.down, y)


class Accumulates(nn.Cell):
    """A step that adds gradients up and lets the optimizer have them at each second call."""

    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.net, self.weights = net, net.trainable_params()
        self.optimizer = nn.Adam(self.weights, 0.05)
        self.sums = ms.ParameterTuple(self.weights).clone("accu_grads", "zeros")
        self.gradient = ms.value_and_grad(net, None, self.weights)

    def construct(self, x, y, last):
        loss, grads = self.gradient(x, y)
        for total, grad in zip(self.sums, grads):
            ops.assign_add(total, grad)
        if last:
            self.optimizer(tuple(total / 2 for total in self.sums))
            for total in self.sums:
                ops.assign(total, ops.zeros_like(total))
        return loss


def run(**settings):
    ms.reset_auto_parallel_context()
    if settings:
        ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, full_batch=True, **settings)
    step = Accumulates(Net()).set_train()
    parts = [Tensor(a[i : i + 8]) for i in (0, 8) for a in (X, Y)]
    return [float(step(*(parts[:2] if i % 2 else parts[2:]), i % 2 == 1)) for i in range(6)], step


def held(step, name):
    box = next(p for p in [*step.get_parameters(), *step.sums] if p.name == name)
    return box._raw.sharding.shard_shape(box.shape)


one, reference = run()
WHOLE, PART = (64, 8), (8, 8)
for level, sharded, weight, sums in (
    ("level1", False, WHOLE, WHOLE),
    ("level1", True, WHOLE, PART),
    ("level2", False, WHOLE, PART),
    ("level3", False, PART, PART),
):
    config = {"gradient_accumulation_shard": True} if sharded else {"optimizer_level": level}
    config["parallel_optimizer_threshold"] = 0
    found, step = run(enable_parallel_optimizer=True, parallel_optimizer_config=config)
    np.testing.assert_allclose(found, one, rtol=1e-5)
    np.testing.assert_allclose(step.net.down.asnumpy(), reference.net.down.asnumpy(), rtol=1e-4, atol=1e-6)
    assert held(step, "moment1.down") == PART, (level, held(step, "moment1.down"))
    assert held(step, "down") == weight, (level, held(step, "down"))
    assert held(step, "accu_grads.down") == sums, (level, held(step, "accu_grads.down"))
    print(level, "as one device")

# --- an optimizer without state
ms.set_auto_parallel_context(
    enable_parallel_optimizer=True,
    parallel_optimizer_config={"optimizer_level": "level3", "parallel_optimizer_threshold": 0},
)
net = Net()
step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1)).set_train()
step(Tensor(X), Tensor(Y))
assert net.down._raw.sharding.shard_shape(net.down.shape) == PART, net.down._raw.sharding
print("level3 without state")
