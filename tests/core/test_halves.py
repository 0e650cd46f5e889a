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
PLACES = Tensor(np.zeros(3000, np.int32))
READ = {
    "gather": lambda x: ops.gather(x, PLACES, 0),
    "x[index]": lambda x: x[PLACES],
    "x[index, index]": lambda x: x.expand_dims(0)[PLACES, PLACES],
    "index_select": lambda x: mint.index_select(x, 0, PLACES),
    "gather_elements": lambda x: ops.gather_elements(x, 0, PLACES),
    "gather_nd": lambda x: ops.gather_nd(x, PLACES.reshape(-1, 1)),
    "take": lambda x: x.take(PLACES, 0),
    "embedding": lambda x: mint.nn.functional.embedding(PLACES, x.reshape(-1, 1)).reshape(-1),
    "repeat_interleave": lambda x: ops.repeat_interleave(x, 3000, 0)[:3000],
    "pad": lambda x: ops.pad(x.reshape(1, 1, -1), (2999, 0), mode="replicate")[0, 0, :3000],
    "recomputed": lambda x: ms.recompute(_Rows(), x),
}
ADDED = {
    "scatter_nd": lambda x: ops.scatter_nd(PLACES.reshape(-1, 1), x, (2,)),
    "scatter_add": lambda x: mint.scatter_add(ops.zeros((2,), x.dtype), 0, PLACES.astype(ms.int64), x),
    "bincount": lambda x: ops.bincount(PLACES, x),
    "mint.bincount": lambda x: mint.bincount(PLACES, x),
    "einsum": lambda x: ops.einsum("i->", x).reshape(1),
    "einsum of two": lambda x: ops.einsum("i,j->j", x, ops.ones((1,), x.dtype)),
    "coo": lambda x: ms.COOTensor(PLACES.reshape(-1, 1).broadcast_to((3000, 2)), x, (1, 1)).to_dense().reshape(-1),
}
ADDED_OF_BFLOAT16 = {
    "index_add": lambda x: ops.zeros((2,), x.dtype).index_add(0, PLACES, x),
    "tensor_scatter_add": lambda x: ops.tensor_scatter_add(ops.zeros((2,), x.dtype), PLACES.reshape(-1, 1), x),
    "tensor_scatter_sub": lambda x: -ops.tensor_scatter_sub(ops.zeros((2,), x.dtype), PLACES.reshape(-1, 1), x),
    "unsorted_segment_sum": lambda x: ops.unsorted_segment_sum(x, PLACES, 2),
    "addn": lambda x: ops.addn([x] * 3000),
    "cumsum": lambda x: ops.cumsum(x, 0)[2999:],
}


class _Rows(nn.Cell):
    def construct(self, x):
        return x[PLACES]


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
@pytest.mark.parametrize("name", READ)
def test_the_gradient_of_what_is_read_3000_times_is_such_a_sum(name, dtype, mode):
    ms.set_context(mode=mode)
    gradient = ms.grad(lambda x: (READ[name](x) * 0.1).astype(ms.float32).sum())(ops.ones((2,), dtype))
    assert gradient.dtype == dtype and gradient.tolist() == pytest.approx([300, 0], abs=0.5)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("name", ADDED | ADDED_OF_BFLOAT16)
def test_a_sum_by_index(name, dtype):
    way = (ADDED | ADDED_OF_BFLOAT16)[name]
    wide = dtype == ms.bfloat16 or name in ADDED
    found = float(way(ops.full((3000,), 0.1, dtype=dtype))[0])
    assert found == pytest.approx(300, abs=1) if wide else 256 <= found < 300


@pytest.mark.parametrize("size", [7, 33])
@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_the_gradient_of_a_maximum_of_many_windows(dtype, size):
    x = np.zeros((1, 1, 65, 65), np.float32)
    x[0, 0, 32, 32] = 1
    x = Tensor(x, dtype)
    gradient = ms.grad(lambda x: (nn.MaxPool2d(size, 1, "same")(x) * 0.1).astype(ms.float32).sum())(x)
    assert float(gradient[0, 0, 32, 32]) == pytest.approx(size * size / 10, rel=4e-3)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_a_product_is_of_float32(dtype):
    x = ops.full((50,), 1.1, dtype=dtype)
    whole = np.prod(x.astype(ms.float32).asnumpy())
    for product in (ops.prod(x), ops.ReduceProd()(x), mint.prod(x)):
        assert product.dtype == dtype and float(product) == pytest.approx(float(whole), rel=4e-3)


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


UNROUNDED = {
    "ops.mul": (lambda x, s: ops.mul(x, s), lambda x, s: x * s),
    "ops.Mul": (lambda x, s: ops.Mul()(s, x), lambda x, s: x * s),
    "Tensor.multiply": (lambda x, s: x.multiply(s), lambda x, s: x * s),
    "* Tensor": (lambda x, s: x * Tensor(s, ms.float32), lambda x, s: x * s),
    "ops.div": (lambda x, s: ops.div(x, s), lambda x, s: x / s),
    "ops.div of a number": (lambda x, s: ops.div(s, x), lambda x, s: s / x),
    "ops.true_divide": (lambda x, s: ops.true_divide(x, s), lambda x, s: x / s),
    "/ Tensor": (lambda x, s: x / Tensor(s, ms.float32), lambda x, s: x / s),
}
ROUNDED = {
    "*": (lambda x, s: x * s, np.multiply),
    "Tensor.mul": (lambda x, s: x.mul(s), np.multiply),
    "mint.mul": (lambda x, s: mint.mul(x, s), np.multiply),
    "/": (lambda x, s: x / s, np.divide),
    "Tensor.div": (lambda x, s: x.div(s), np.divide),
    "mint.div": (lambda x, s: mint.div(x, s), np.divide),
}


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("name", UNROUNDED)
def test_functions_of_float16_and_a_number_round_the_result_alone(name, mode):
    ms.set_context(mode=mode)
    function, exact = UNROUNDED[name]
    x = np.linspace(0.5, 3, 400).astype(np.float16)
    found = function(Tensor(x), 0.1)
    assert found.dtype == ms.float16
    np.testing.assert_array_equal(found.asnumpy(), exact(x.astype(np.float32), np.float32(0.1)).astype(np.float16))


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("name", ROUNDED)
def test_operators_of_float16_and_a_number_round_the_number_first(name, mode):
    ms.set_context(mode=mode)
    function, of_halves = ROUNDED[name]
    x = np.linspace(0.5, 3, 400).astype(np.float16)
    np.testing.assert_array_equal(function(Tensor(x), 0.1).asnumpy(), of_halves(x, np.float16(0.1)))
