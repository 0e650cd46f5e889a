"""Type-checked, not run: what a script of MindSpore commonly names."""

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from mindspore import Tensor, context
from mindspore import dtype as mstype
from mindspore.common.initializer import Normal
from mindspore.train import Model
from mindspore.train.callback import LossMonitor

context.set_context(mode=context.GRAPH_MODE, device_target="CPU")


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(3, 4, weight_init=Normal(0.02))
        self.drop = nn.Dropout(keep_prob=0.5)
        self.w = ms.Parameter(Tensor(np.ones(3), ms.float32), name="w")

    def construct(self, x):
        return ops.relu(self.fc(x * self.w)).sum()


net = Net()
opt = nn.Adam(net.trainable_params(), learning_rate=1e-3)
grad_fn = ms.value_and_grad(net, None, opt.parameters)
x = Tensor(np.ones((2, 3)), mstype.float32)
loss, grads = grad_fn(x)
opt(grads)
print(float(loss.asnumpy()), net.fc.weight.shape, x.mean().asnumpy(), 1.0 - x)
model = Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9), metrics={"acc"})
model.train(1, ms.dataset.NumpySlicesDataset(np.ones((4, 3))), callbacks=[LossMonitor()])
ms.save_checkpoint(net, "x.ckpt")


@ms.jit
def f(a, b):
    return a + b


f(x, x)
