"""A training step with five faults, each marked by its name: `test_findings.py` looks whether a plan names them with their lines."""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Parameter, nn, ops
from mindspore.common.initializer import initializer

ROWS, LENGTH, WIDTH = 8, 128, 256


class Attention(nn.Cell):
    """Attention of products and a softmax: it has no kernel."""

    def __init__(self):
        super().__init__()
        self.softmax = nn.Softmax(-1)

    def construct(self, x):
        x = x.reshape(ROWS, LENGTH, 4, WIDTH // 4).swapaxes(1, 2)
        weights = self.softmax(ops.matmul(x, x.swapaxes(2, 3)).astype(ms.float32)).astype(ms.bfloat16)  # kernel
        return ops.matmul(weights, x).swapaxes(1, 2).reshape(ROWS, LENGTH, WIDTH)


class Net(nn.Cell):
    """An embedding, attention, and products whose strategies disagree."""

    def __init__(self):
        super().__init__()
        self.table = Parameter(initializer("normal", (4096, WIDTH), ms.float32), name="table")
        self.gather = ops.Gather()
        self.attention = Attention()
        self.up = Parameter(initializer("normal", (WIDTH, 2048), ms.float32), name="up")
        self.down = Parameter(initializer("normal", (2048, WIDTH), ms.float32), name="down")
        self.narrow = ops.MatMul().shard(((4, 1), (1, 1)))
        self.whole = ops.ReLU().shard(((1, 1),))
        self.again = ops.Mul().shard(((4, 1), (4, 1)))
        self.wide = ops.MatMul()

    def construct(self, ids):
        h = self.gather(self.table, ids, 0).astype(ms.bfloat16)  # replicated
        h = self.attention(h).reshape(-1, WIDTH)
        h = self.narrow(h, self.up.astype(ms.bfloat16))  # replicated, by a strategy of ones
        h = self.whole(h)  # gathered
        h = self.again(h, h)
        h = self.wide(h.astype(ms.float32), self.down)  # float32
        return (h * h).mean()


def main():
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", full_batch=True)
    net = Net()
    step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 1e-3)).set_train()
    data = ds.NumpySlicesDataset({"ids": np.zeros((ROWS, LENGTH), np.int32)}, shuffle=False).batch(ROWS)
    for row in data.create_dict_iterator():
        step(row["ids"])
    raise AssertionError("the step ran")


main()
