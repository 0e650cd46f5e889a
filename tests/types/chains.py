"""Type-checked, not run: what an editor completes behind the dots of a script."""

from collections.abc import Iterator
from typing import assert_type

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Parameter, Tensor, mint, nn, ops


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.bn = nn.BatchNorm2d(8)
        self.fc = nn.Dense(8, 4)
        self.norm = nn.LayerNorm([4])
        self.table = nn.Embedding(10, 4)
        self.layers = nn.CellList([nn.Dense(4, 4), nn.ReLU()])
        self.head = nn.SequentialCell(nn.Dense(4, 2), nn.ReLU())
        self.scale = Parameter(Tensor(1.0), name="scale")

    def construct(self, x: Tensor) -> Tensor:
        return self.head(self.fc(self.bn(self.conv(x)).mean((2, 3)))) * self.scale


class Two(nn.Cell):
    def construct(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        return x + y, x - y


x = Tensor(np.ones((2, 3, 8, 8), np.float32))
net, two = Net(), Two()

# --- Parameters of layers
assert_type(net.conv.weight, Parameter)
assert_type(net.conv.weight.asnumpy(), np.ndarray)
assert_type(net.conv.in_channels, int)
assert_type(net.fc.weight.name, str)
assert_type(net.bn.gamma, Parameter)
assert_type(net.bn.moving_mean, Parameter)
assert_type(net.norm.gamma, Parameter)
assert_type(net.table.embedding_table, Parameter)
assert_type(net.scale.value(), Tensor)

# --- calls
assert_type(net(x), Tensor)
assert_type(net(x).shape, tuple[int, ...])
assert_type(two(x, x)[1], Tensor)
assert_type(nn.Dense(3, 4)(x), Tensor)

# --- Cells in Cells
assert_type(net.layers[0], nn.Cell)
assert_type(net.head[0].trainable_params(), list[Parameter])
assert_type([layer for layer in net.layers], list[nn.Cell])
assert_type(len(net.layers), int)
assert_type(list(net.cells()), list[nn.Cell])
for name, parameter in net.parameters_and_names():
    assert_type(name, str)
    assert_type(parameter, Parameter)
for name, cell in net.cells_and_names():
    assert_type(cell, nn.Cell)
assert_type(net.set_train().conv.weight, Parameter)

# --- gradients
assert_type(ms.grad(net)(x), Tensor)
assert_type(ms.grad(net)(x).asnumpy(), np.ndarray)
assert_type(ops.grad(net)(x), Tensor)
assert_type(ms.value_and_grad(net)(x)[1], Tensor)

# --- training
optimizer = nn.Adam(net.trainable_params(), 1e-3)
assert_type(optimizer.parameters[0].name, str)
model = ms.Model(net, nn.MSELoss(), optimizer, metrics={"mse"})
assert_type(model.train_network, nn.Cell)
assert_type(ms.load_checkpoint("net.ckpt")["scale"].asnumpy(), np.ndarray)
data = ds.NumpySlicesDataset(np.ones((4, 3))).batch(2)
assert_type(data.create_dict_iterator(), Iterator[dict[str, Tensor]])
for row in data.create_dict_iterator(num_epochs=1):
    assert_type(row["column_0"].shape, tuple[int, ...])

# --- operators and functions
assert_type(x.astype(ms.float32), Tensor)
assert_type(ops.relu(x).sum(), Tensor)
assert_type(mint.matmul(x, x).max(), Tensor)
assert_type(x.max(axis=1), Tensor)
assert_type(ops.topk(x, 2)[0], Tensor)
assert_type(x == x, Tensor)
assert_type(ops.Stack()(x, x), Tensor)
assert_type(ops.stop_gradient(x), Tensor)
assert_type(ms.Tensor.from_numpy(np.ones(3)), Tensor)


@ms.jit
def doubled(a: Tensor) -> Tensor:
    return a * 2


assert_type(doubled(x), Tensor)
