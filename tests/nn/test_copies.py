"""Copies of networks that have run."""

import copy

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops


def tanh_of(cell, given, out):
    return ops.tanh(out)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 2, weight_init="ones")
        self.fc.register_forward_hook(tanh_of)

    def construct(self, x):
        return self.fc(ops.sin(x))


def test_a_deep_copy_of_a_network_that_has_run(mode):
    net, x = Net(), Tensor(np.ones((1, 2), np.float32))
    before = net(x).asnumpy()
    other = copy.deepcopy(net)
    other.fc.weight.set_data(ops.zeros((2, 2), ms.float32))
    assert not np.allclose(other(x).asnumpy(), before)
    np.testing.assert_array_equal(net(x).asnumpy(), before)
