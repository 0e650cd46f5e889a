"""Gradients of activations far from 0, where they are 0 or 1: MindSpore gives the same."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

ACTIVATIONS = {"GELU": nn.GELU(), "FastGelu": nn.FastGelu(), "gelu": ops.gelu}


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("dtype", [ms.float32, ms.bfloat16], ids=str)
def test_the_gradient_of_a_large_number_is_1(name, dtype, mode):
    ms.set_context(mode=mode)
    x = Tensor([1e3, 1e7, 1e13, 1e19, 1e30], dtype)
    gradient = ms.grad(lambda x: ACTIVATIONS[name](x).sum())(x)
    np.testing.assert_array_equal(gradient.astype(ms.float32).asnumpy(), 1)
