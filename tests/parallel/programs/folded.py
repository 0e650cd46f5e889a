"""One process with eight devices: equal layers folded into one loop give what one device gives, and their stacks lie as the layers would."""

import re

import equal_stages as stages
import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

LAYERS = 6
ZERO = {"enable_parallel_optimizer": True}


def config(level):
    return {**ZERO, "parallel_optimizer_config": {"optimizer_level": level, "parallel_optimizer_threshold": 0}}


def train(devices, fold, strategy=None, **settings):
    ms.set_context(fold_layers=fold)
    ms.set_devices(devices)
    ms.reset_auto_parallel_context()
    if settings:
        ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", full_batch=True, **settings)
    np.random.seed(0)
    ms.set_seed(1)
    net = stages.Net(1, LAYERS, strategy=strategy, drop=0.1)
    step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 0.01)).set_train()
    x, y = Tensor(stages.X), Tensor(stages.Y)
    losses = [float(step(x, y).asnumpy()) for _ in range(3)]
    return losses, net, step.entry_for(x, y)


def check(name, one, specs, **how):
    losses, net, entry = train("all", True, **how)
    np.testing.assert_allclose(losses, one[0], rtol=1e-5)
    for mine, other in zip(net.get_parameters(), one[1].get_parameters()):
        np.testing.assert_allclose(mine.asnumpy(), other.asnumpy(), rtol=1e-4, atol=5e-4, err_msg=mine.name)  # Adam
    lowered = entry.program.run.lower(*entry.state.shapes(), [Tensor(stages.X)._data, Tensor(stages.Y)._data], ())
    assert len(re.findall(r"stablehlo.while", lowered.as_text())) >= 2, name
    packing, boxes = entry.state.packings[0], entry.state.written
    lies = {boxes[g[0]].name: s for g, s in zip(packing.groups, packing.lies) if len(g) >= LAYERS - 1}
    for key, wanted in specs.items():
        (found,) = [s for k, s in lies.items() if re.fullmatch(key, k)]
        shape = (LAYERS, *(next(b for b in boxes if re.fullmatch(key, b.name)).shape))
        local = shape if found is None else found.shard_shape(shape)
        assert local[1:] == wanted, (name, key, local)
    print(f"{name}: folded, as one device", flush=True)


if __name__ == "__main__":
    one = train(1, False)
    up, moment = r"layers\.[01]\.up\.weight", r"moment1\.layers\.[01]\.up\.weight"
    check("data 8", one, {up: (32, 16), moment: (32, 16)})
    check("data 2, model 4", one, {up: (8, 16), moment: (8, 16)}, strategy=(2, 4), device_num=8)
    check(
        "data 2, model 2, ZeRO-1",
        one,
        {up: (16, 16), moment: (16, 4)},
        strategy=(2, 2),
        device_num=8,
        **config("level1"),
    )
    check("ZeRO-3", one, {up: (4, 16), moment: (4, 16)}, device_num=8, **config("level3"))
