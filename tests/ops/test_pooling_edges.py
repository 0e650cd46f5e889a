"""Pooling where a slope does not exist."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops


@pytest.mark.parametrize(
    "norm, expected", [(1.0, [0, 0, 1, 1]), (2.0, [0, 0, 0.4472136, 0.8944272]), (3.0, [0, 0, 0.23112045, 0.9244818])]
)
def test_the_slope_of_a_norm_at_zero_is_zero(norm, expected):
    x = Tensor([[[0.0, 0.0, 1.0, 2.0]]], ms.float32)
    for function in (ops.lp_pool1d, ms.jit(ops.lp_pool1d)):
        found = ms.grad(lambda v, f=function: f(v, norm, 2, 2).sum())(x)
        np.testing.assert_allclose(found.asnumpy()[0, 0], expected, rtol=1e-5)
    plane = Tensor([[[[0.0, 0.0], [0.0, 0.0]]]], ms.float32)
    assert not ms.grad(lambda v: ops.lp_pool2d(v, norm, 2).sum())(plane).asnumpy().any()
