"""Type-checked, not run: names of the package itself."""

import numpy as np

from msjax import Tensor, nn, ops


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.d = nn.Dense(3, 4)

    def construct(self, x: Tensor) -> Tensor:
        return ops.relu(self.d(x))


net = Net()
opt = nn.Adam(net.trainable_params(), 1e-3)
net(Tensor(np.ones((2, 3), np.float32))).asnumpy()
