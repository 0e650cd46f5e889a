"""Distances and norms of numbers whose squares do not fit in float32: MindSpore adds them up in float64."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops

ROWS = np.random.RandomState(0).standard_normal((4, 6)).astype(np.float32)
FUNCTIONS = {"pdist": ops.pdist, "pdist of order 3": lambda x: ops.pdist(x, 3.0)}


@pytest.mark.parametrize("size", [1e-20, 1e19, 1e30])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_distances_are_as_large_as_the_numbers(name, size):
    function = FUNCTIONS[name]
    value, gradient = ms.value_and_grad(lambda x: function(x).sum())(Tensor(ROWS * np.float32(size)))
    near, of_near = ms.value_and_grad(lambda x: function(x).sum())(Tensor(ROWS))
    np.testing.assert_allclose(value.asnumpy(), near.asnumpy() * np.float32(size), rtol=1e-4)
    np.testing.assert_allclose(gradient.asnumpy(), of_near.asnumpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("size", [1e19, 1e30])
def test_large_rows_are_scaled_down(size):
    found = ops.renorm(Tensor(ROWS * np.float32(size)), 2, 0, 1.0)
    np.testing.assert_allclose(found.asnumpy(), ops.renorm(Tensor(ROWS), 2, 0, 1.0).asnumpy(), rtol=1e-5)


@pytest.mark.parametrize("size", [1e-30, 1.0, 1e30])
def test_order_0_counts_what_differs(size):
    assert ops.pdist(
        Tensor(np.float32([[0, 1, 2], [0, 3, 4], [5, 6, 7]]) * np.float32(size)), 0.0
    ).asnumpy().tolist() == [2, 3, 3]
