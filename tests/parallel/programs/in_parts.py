"""Eight devices: state that lies in parts is written, and read on other numbers of devices: python in_parts.py FOLDER."""

import sys

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from msjax.train.sharded_checkpoint import load_sharded, save_sharded

ms.set_context(mode=ms.GRAPH_MODE)
rng = np.random.default_rng(0)
X, Y = rng.normal(size=(8, 16)).astype(np.float32), rng.normal(size=(8, 8)).astype(np.float32)


def make(devices, seed):
    ms.set_devices(devices)
    ms.set_auto_parallel_context(
        enable_parallel_optimizer=devices != 1,
        parallel_optimizer_config={"parallel_optimizer_threshold": 0, "optimizer_level": "level3"},
    )
    np.random.seed(seed)
    net = nn.Dense(16, 8)
    return nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.01)).set_train()


def go(step, count):
    return [float(step(Tensor(X), Tensor(Y)).asnumpy()) for _ in range(count)]


first = make("all", 1)
go(first, 2)
weight = next(p for p in first.get_parameters() if p.name == "weight")
assert not weight._raw.sharding.is_fully_replicated
save_sharded(first, f"{sys.argv[1]}/kept")
wanted = go(first, 2)
for devices in (4, 1):
    other = make(devices, 2)
    go(other, 1)  # places its state
    load_sharded(other, f"{sys.argv[1]}/kept")
    np.testing.assert_allclose(go(other, 2), wanted, rtol=1e-5)
    print(f"{devices} devices: as it was")
