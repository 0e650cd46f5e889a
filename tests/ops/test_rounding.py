"""Results that MindSpore rounds once: means of equal numbers, average pools, functions of float16."""

import mindspore as ms
import mindspore.numpy as mnp
import numpy as np
import pytest
from mindspore import Tensor, mint, nn, ops

MEANS = {
    "ops.mean": ops.mean,
    "Tensor.mean": lambda x: x.mean(),
    "mint.mean": mint.mean,
    "numpy.mean": mnp.mean,
    "deviation": lambda x: 1 + (3 * x).std(),
    "LayerNorm": lambda x: 1 + nn.LayerNorm(x.shape, epsilon=1e-12)(x).max(),
    "loss": lambda x: nn.L1Loss()(x, 0 * x),
    "cross_entropy": lambda x: ops.nll_loss(-x.reshape(-1, 1), Tensor(np.zeros(x.shape), ms.int32)),
    "AvgPool1d": lambda x: nn.AvgPool1d(x.size)(x.reshape(1, 1, -1)),
    "padded": lambda x: nn.AvgPool1d(x.size, 1, pad_mode="same")(x.reshape(1, 1, -1)).min(),
    "adaptive": lambda x: ops.adaptive_avg_pool1d(x.reshape(1, 1, -1), 1),
    "adaptive, unequal": lambda x: ops.adaptive_avg_pool1d(ops.ones((1, 1, 2 * x.size - 1), x.dtype), 2).min(),
}


@pytest.mark.parametrize("name", MEANS)
@pytest.mark.parametrize("size", [41, 61])  # times the reciprocal, the sum of so many ones is less than 1
def test_the_mean_of_equal_numbers_is_that_number(name, size, mode):
    assert MEANS[name](Tensor(np.ones(size, np.float32))).asnumpy().ravel().tolist() == [1.0]


@pytest.mark.parametrize(
    "function",
    [
        ops.mish, ops.softplus, ops.hardsigmoid, ops.softsign, ops.logsigmoid, ops.tan, ops.exp2, ops.digamma, ops.bessel_i0,
        ops.gelu, ops.log_softmax, lambda x: ops.logcumsumexp(x, 0),
    ],
    ids="mish softplus hardsigmoid softsign logsigmoid tan exp2 digamma bessel_i0 gelu log_softmax logcumsumexp".split(),
)  # fmt: skip
def test_functions_of_float16_are_rounded_once(function, mode):
    x = Tensor(np.linspace(-4, 4, 301), ms.float16)
    np.testing.assert_array_equal(function(x).asnumpy(), function(x.astype(ms.float32)).asnumpy().astype(np.float16))


@pytest.mark.parametrize(
    ("function", "given", "gradient"),
    [
        (ops.tanh, [-1.6728515625, 0.406494140625, 1.6650390625, -2.99609375], [0.131103515625, 0.8515625, 0.1339111328125, 0.00974273681640625]),
        (ops.tanhshrink, [6.848573684692383e-05, 0.406494140625, 0.08660888671875, -2.341796875], [0.0, 0.1484375, 0.00732421875, 0.96337890625]),
    ],
    ids="tanh tanhshrink".split(),
)  # fmt: skip
def test_the_gradient_of_tanh_in_float16_is_rounded_once(function, given, gradient, mode):
    """1 - y * y of the rounded y, as recorded from MindSpore 2.10."""
    np.testing.assert_array_equal(ms.grad(function)(Tensor(given, ms.float16)).asnumpy(), np.float16(gradient))
