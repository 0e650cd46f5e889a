"""The overflow register of MindSpore code for Ascend."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops


@pytest.mark.parametrize("x, overflows", [(1.0, False), (np.inf, True), (np.nan, True)])
def test_the_register_knows_gradients_since_it_was_cleared(mode, x, overflows):
    def step(x):
        status = ops.NPUAllocFloatStatus()()
        ops.NPUClearFloatStatus()(status)
        grads = ops.grad(lambda x: x * x)(x)
        ops.NPUGetFloatStatus()(status)
        return grads, status

    run = ms.jit(step) if mode == "graph" else step
    _, status = run(Tensor([x], ms.float32))
    assert (status.asnumpy().sum() > 0) == overflows and status.shape == (8,)


def test_without_clearing_nothing_is_kept():
    ops.grad(lambda x: x * x)(Tensor([np.inf], ms.float32))
    assert ops.NPUGetFloatStatus()(ops.NPUAllocFloatStatus()()).asnumpy().sum() == 0


def test_float_status():
    assert ops.FloatStatus()(Tensor([1.0, np.inf])).asnumpy().tolist() == [1.0]
    assert ops.FloatStatus()(Tensor([1.0, 2.0])).asnumpy().tolist() == [0.0]
