"""Layers of mint.nn without a CPU kernel: recorded from Cells of the same definition and the same Parameter names."""

import mindspore as ms
import numpy as np
from golden_cases import Table, arr, ints
from mindspore import Parameter, Tensor, nn, ops

C = Table()
T = {"_rtol": 2e-4, "_atol": 2e-5}


def parameter(name, *shape, dtype=np.float32, grad=True):
    return Parameter(Tensor(np.zeros(shape, dtype)), name=name, requires_grad=grad)


class Embedding(nn.Cell):
    def __init__(self, *shape):
        super().__init__()
        self.weight = parameter("weight", *shape)

    def construct(self, x):
        return ops.gather(self.weight, x, 0)


class LayerNorm(nn.Cell):
    def __init__(self, *shape):
        super().__init__()
        self.weight, self.bias = parameter("weight", *shape), parameter("bias", *shape)

    def construct(self, x):
        axes = tuple(range(-self.weight.ndim, 0))
        centred = x - x.mean(axes, True)
        return centred / ops.sqrt((centred * centred).mean(axes, True) + 1e-5) * self.weight + self.bias


class Conv1d(nn.Cell):
    def __init__(self, inputs, outputs, size):
        super().__init__()
        self.weight, self.bias = parameter("weight", outputs, inputs, size), parameter("bias", outputs)

    def construct(self, x):
        return ops.conv1d(x, self.weight, self.bias)


class BatchNorm(nn.Cell):
    """Normalises with the statistics of the batch when it trains; the running ones take a tenth of them, the variance over n - 1."""

    def __init__(self, channels):
        super().__init__()
        self.weight, self.bias = parameter("weight", channels), parameter("bias", channels)
        self.running_mean = parameter("running_mean", channels, grad=False)
        self.running_var = parameter("running_var", channels, grad=False)
        self.num_batches_tracked = parameter("num_batches_tracked", dtype=np.int64, grad=False)

    def construct(self, x):
        shape = (1, -1) + (1,) * (x.ndim - 2)
        mean, var = self.running_mean, self.running_var
        if self.training:
            axes = (0, *range(2, x.ndim))
            count = x.size // x.shape[1]
            mean = x.mean(axes)
            var = ops.square(x - mean.reshape(shape)).mean(axes)
            ops.assign(self.running_mean, 0.9 * self.running_mean + 0.1 * mean)
            ops.assign(self.running_var, 0.9 * self.running_var + 0.1 * var * count / (count - 1))
            ops.assign(self.num_batches_tracked, self.num_batches_tracked + Tensor(1, ms.int64))
        normal = (x - mean.reshape(shape)) / ops.sqrt(var.reshape(shape) + 1e-5)
        return normal * self.weight.reshape(shape) + self.bias.reshape(shape)


C("mint.nn.Embedding(5, 3)", ints(2, 4, high=5, dtype="int64"), _like=Embedding(5, 3))
C("mint.nn.LayerNorm(4)", arr(3, 4), _like=LayerNorm(4), **T)
C("mint.nn.LayerNorm((3, 4))", arr(2, 3, 4), _like=LayerNorm(3, 4), **T)
C("mint.nn.Conv1d(2, 3, 3)", arr(1, 2, 5), _like=Conv1d(2, 3, 3), **T)
for train in (False, True):
    C("mint.nn.BatchNorm1d(4)", arr(3, 4), _train=train, _like=BatchNorm(4), **T)
    C("mint.nn.BatchNorm1d(4)", arr(3, 4, 5), _train=train, _like=BatchNorm(4), **T)
    C("mint.nn.BatchNorm2d(3)", arr(2, 3, 4, 4), _train=train, _like=BatchNorm(3), **T)
