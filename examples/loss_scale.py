"""float16 training with a dynamic loss scale: a step whose gradients overflow is left out, on the device.

python -m msjax examples/loss_scale.py
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn


def main():
    ms.set_seed(0)
    ms.set_context(mode=ms.GRAPH_MODE)
    network = nn.SequentialCell(nn.Dense(16, 32), nn.ReLU(), nn.Dense(32, 4)).to_float(ms.float16)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    manager = nn.DynamicLossScaleUpdateCell(loss_scale_value=2**20, scale_factor=2, scale_window=50)
    train = nn.TrainOneStepWithLossScaleCell(
        nn.WithLossCell(network, loss), nn.Momentum(network.trainable_params(), 0.05, 0.9), manager
    )
    train.set_train()
    x = Tensor(np.random.randn(64, 16).astype(np.float32))
    y = Tensor((x.asnumpy()[:, :4].argmax(1)).astype(np.int32))
    first = skipped = 0
    for step in range(200):
        value, overflow, scale = train(x, y)
        first = first or float(value)
        skipped += int(overflow)
        if step % 40 == 0:
            print(f"step {step:3d}: loss {float(value):.4f}, scale {float(scale):.0f}, steps left out so far {skipped}")
    print(f"loss {first:.3f} -> {float(value):.3f}")
    return first, float(value)


if __name__ == "__main__":
    main()
