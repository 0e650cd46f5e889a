"""Processes, with one device or several, as one global view: strategies, whole batches and parts of them; and DistributedDataParallel in both modes."""

import tempfile

import jax
import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.communication import get_group_size, get_rank, init
from mindspore.parallel.distributed import DistributedDataParallel

init()
RANK, SIZE = get_rank(), get_group_size()
COUNT = jax.device_count()  # those of all processes
ms.set_context(mode=ms.GRAPH_MODE)
rng = np.random.default_rng(0)
X, Y = (rng.normal(size=(8, n)).astype(np.float32) for n in (16, 8))
W = rng.normal(size=(16, 8)).astype(np.float32) * 0.1
PART = slice(RANK * 8 // SIZE, (RANK + 1) * 8 // SIZE)


class Net(nn.Cell):
    def __init__(self, strategy=None):
        super().__init__()
        self.w, self.product = Parameter(Tensor(W), name="w"), ops.MatMul()
        if strategy:
            self.product.shard(strategy)

    def construct(self, x):
        return self.product(x, self.w)


def train(net, x, y):
    optimizer = nn.Adam(net.trainable_params(), 0.05)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
    return [float(step(Tensor(x), Tensor(y)).asnumpy()) for _ in range(4)], net


one, reference = train(Net(), X, Y)
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", full_batch=True)
whole, net = train(Net(((1, 1), (1, COUNT))), X, Y)
np.testing.assert_allclose(whole, one, rtol=1e-5)
assert net.w._raw.sharding.shard_shape(net.w.shape) == (16, 8 // COUNT)
np.testing.assert_allclose(net.w.asnumpy(), reference.w.asnumpy(), rtol=1e-4, atol=1e-6)
content, folder = net.w.asnumpy(), tempfile.mkdtemp()
ms.save_checkpoint(net, f"{folder}/own.ckpt", integrated_save=False)
assert ms.load_checkpoint(f"{folder}/own.ckpt")["w"].shape == (16, 8 // SIZE)
net.w.set_data(net.w * 0)
train(net, X, Y)  # lies in parts again
ms.load_param_into_net(net, ms.load_checkpoint(f"{folder}/own.ckpt"))
np.testing.assert_array_equal(net.w.asnumpy(), content)
ms.reset_auto_parallel_context()
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel")
parts, _ = train(Net(((COUNT, 1), (1, 1))), X[PART], Y[PART])
np.testing.assert_allclose(parts, one, rtol=1e-5)
ms.reset_auto_parallel_context()
print("strategies: as one process", flush=True)

for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
    ms.set_context(mode=mode)
    net = DistributedDataParallel(Net())
    optimizer = nn.Adam(net.trainable_params(), 0.05)
    step = ms.value_and_grad(lambda x, y, net=net: ((net(x) - y) ** 2).mean(), None, optimizer.parameters)
    seen = []
    for _ in range(4):
        loss, gradients = step(Tensor(X[PART]), Tensor(Y[PART]))
        optimizer(gradients)
        seen.append(float(ops.AllReduce()(loss).asnumpy()) / SIZE)
    np.testing.assert_allclose(seen, one, rtol=1e-4)
print("DistributedDataParallel: as one process", flush=True)
