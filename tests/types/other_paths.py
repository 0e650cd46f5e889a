"""What public programs write and a checker must take: deep module paths name the same classes, both forms of a method, nested arguments."""

import mindspore as ms
import mindspore.dataset as ds
import mindspore.dataset.vision as vision
import numpy as np
from mindspore import Parameter, Tensor, mint, nn, ops
from mindspore import log as logger
from mindspore.common import initializer as init
from mindspore.common.initializer import initializer
from mindspore.experimental import optim
from mindspore.nn.loss.loss import LossBase
from mindspore.nn.optim import thor
from mindspore.nn.optim.optimizer import opt_init_args_register
from mindspore.profiler import schedule


class Loss(LossBase):
    def __init__(self, reduction="none"):
        super().__init__("mean")
        self.told = reduction


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.rows = nn.CellList([nn.CellList([nn.ReLU()])])
        self.dense = nn.Dense(3, 3)
        self.embedding = mint.nn.Embedding(5, 3)

    def construct(self, x):
        return self.rows[0][0](self.dense(x))


@ops.constexpr
def lengths(count):
    return tuple(range(count))


@ops.constexpr(reuse_result=True)
def doubled(count):
    return 2 * count


net = Net()
net.dense.weight.set_data(initializer(init.Normal(0.02), net.dense.weight.shape, net.dense.weight.dtype))
weight = Parameter([1.0, 2.0], name="weight")
logger.warning("version %s", ms.__version__)
x = Tensor(np.ones((2, 3)), ms.float32)
mask = Tensor([True], ms.bool)
a = x.std(axis=0) + x.std(dim=1, correction=1, keepdim=False) + x.sum(dim=0)
b = x.remainder(divisor=x) + x.gather(1, Tensor([[0]])) + np.float32(2) * x + np.ones(3) * x
c = ops.Pad(((1, 1), (2, 2)))(x) + ops.layer_norm(x, (3,), x, x)
d = ops.bucketize(x, [0.5, 1.5]) + ops.adaptive_avg_pool2d(x, (None, 2))
both: Tensor = ops.AllReduce(ops.ReduceOp.MAX)(x)
data = ds.Cifar10Dataset("folder", sampler=ds.SequentialSampler(num_samples=4))
joined = data.concat(ds.Cifar10Dataset("folder", sampler=[1, 2]))
boxes = vision.BoundingBoxAugment(vision.RandomRotation(90), 1.0)
schedules = optim.lr_scheduler.StepLR(optim.Adam(net.trainable_params()), step_size=2)
steps = schedule(wait=1, active=2)
made = (thor, opt_init_args_register, lengths(3), doubled(2))
