"""`_no_grad`: what operators inside give is a constant for gradients, in both modes, as a context and as a decorator."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops


class Block(nn.Cell):
    def construct(self, x):
        with ms._no_grad():
            y = x * x
        return (y * x).sum()


class Method(nn.Cell):
    @ms._no_grad()
    def square(self, x):
        return ops.square(x)

    def construct(self, x):
        return (self.square(x) * x).sum()


class Recursive(nn.Cell):
    @ms._no_grad()
    def power(self, x, n):
        return x if n == 1 else x * self.power(x, n - 1)

    def construct(self, x):
        return (self.power(x, 2) * x).sum()


@pytest.mark.parametrize("net", [Block, Method, Recursive])
def test_gradient_leaves_out_what_is_inside(net, mode):
    np.testing.assert_array_equal(ms.grad(net())(Tensor([2.0, 3.0])).asnumpy(), [4, 9])


def test_ends_with_its_block(mode):
    @ms.jit
    def compiled(x):
        with ms._no_grad():
            y = x * 2
        return (x * x + y).sum()

    np.testing.assert_array_equal(ms.grad(compiled)(Tensor([2.0, 3.0])).asnumpy(), [4, 6])
