"""Sums of float16 and bfloat16, also those that gradients are, are summed in float32, as MindSpore does: it gives the numbers of this file."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, mint, nn, ops

SUMS = {
    "ops.sum": ops.sum,
    "Tensor.sum": lambda x: x.sum(),
    "axes": lambda x: x.reshape(30, 100).sum((0, 1)),
    "mint.sum": mint.sum,
    "ReduceSum": lambda x: ops.ReduceSum()(x),
    "nansum": ops.nansum,
    "numpy.sum": ms.numpy.sum,
    "numpy.average": lambda x: ms.numpy.average(ops.ones_like(x), weights=x, returned=True)[1],
    "trace": lambda x: ops.trace(x.expand_dims(1) * ops.eye(3000, dtype=x.dtype)),
    "BiasAddGrad": lambda x: ms.ops.operations._grad_ops.BiasAddGrad()(x.reshape(3000, 1))[0],
}
REPEATED = {
    "*": lambda x, b: x * b,
    "rows": lambda x, b: (x.reshape(30, 1, 100) * b.reshape(1, 1, 1)).reshape(3000, 1),
    "/": lambda x, b: x / b,
    "broadcast_to": lambda x, b: x * ops.broadcast_to(b, (3000, 1)),
    "tile": lambda x, b: x * ops.tile(b.reshape(1, 1), (3000, 1)),
    "where": lambda x, b: ops.where(x > 0, x * b, x),
    "prelu": lambda x, b: ops.prelu(-x, b),
}
HALVES = [ms.float16, ms.bfloat16]


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("name", SUMS)
def test_a_sum_of_3000_tenths(name, dtype):
    assert float(SUMS[name](ops.full((3000,), 0.1, dtype=dtype))) == 300


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("name", REPEATED)
def test_the_gradient_of_what_is_repeated_is_such_a_sum(name, dtype, mode):
    ms.set_context(mode=mode)
    x, b = ops.full((3000, 1), 0.1, dtype=dtype), ops.ones((1,), dtype)
    gradient = ms.grad(lambda b: REPEATED[name](x, b).astype(ms.float32).sum())(b)
    assert gradient.dtype == dtype and abs(float(gradient)) == 300


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("recomputed", [False, True])
def test_the_gradient_of_a_bias_of_a_convolution(dtype, mode, recomputed):
    ms.set_context(mode=mode)
    net = nn.Conv2d(2, 3, 3, has_bias=True).to_float(dtype)
    if recomputed:
        net.recompute()
    gradient = ms.grad(lambda x: net(x).astype(ms.float32).sum(), None, [net.bias])(
        Tensor(np.ones((4, 2, 30, 30), np.float32))
    )
    assert gradient[0].asnumpy().tolist() == [3600] * 3 if dtype == ms.float16 else abs(gradient[0] - 3600).max() <= 8


def test_a_mean_over_large_windows():
    x = ops.full((1, 1, 30, 30), 0.1, dtype=ms.bfloat16)
    assert abs(float(ops.AvgPool(kernel_size=30, strides=30)(x)) - 0.1) < 5e-4


def test_cosines_of_float16_whose_squares_are_large():
    x = ops.full((1, 3000), 1.0, dtype=ms.float16)
    np.testing.assert_allclose(ops.cosine_similarity(x, x).asnumpy(), 1, rtol=1e-3)
