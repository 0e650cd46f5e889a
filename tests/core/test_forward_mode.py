"""Forward mode through operators that have a rule for reverse mode alone: pools and normalisation."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops
from mindspore.ops.operations import _grad_ops as G

X = np.array([[[[1, 5, 2, 0], [3, 4, 1, 7], [2, 2.5, 9, 1], [0, 1, 3, 3]]]], np.float32)
V = np.arange(16, dtype=np.float32).reshape(X.shape) / 4
# network, and its Jacobian at X times V by hand: of the maxima and means of 2 x 2 windows, and recorded from MindSpore
PRODUCTS = {
    "MaxPool2d": (lambda: nn.MaxPool2d(2, 2), [0.25, 1.75, 2.25, 2.5]),
    "AvgPool2d": (lambda: nn.AvgPool2d(2, 2), [0.625, 1.125, 2.625, 3.125]),
    "LayerNorm": (lambda: nn.LayerNorm((4,)), [-0.22908105, 0.01909009, 0.06681532, 0.14317566]),
}


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_a_product_with_the_jacobian(mode, name):
    ms.set_context(mode=mode)
    network, wanted = PRODUCTS[name]
    found = ops.jvp(network(), Tensor(X), Tensor(V))[1].asnumpy().ravel()[:4]
    np.testing.assert_allclose(found, wanted, rtol=2e-5)
    whole = ops.jacfwd(network())(Tensor(X)).asnumpy().reshape(-1, 16)
    np.testing.assert_allclose((whole @ V.ravel())[:4], wanted, rtol=2e-5)


def test_the_second_derivative_of_a_maximum():
    out = nn.MaxPool2d(2, 2)(Tensor(X))
    found = G.MaxPoolGradGrad(kernel_size=2, strides=2)(Tensor(X), out, Tensor(V))
    assert found.asnumpy().ravel().tolist() == [0.25, 1.75, 2.25, 2.5]
