"""Optimizers that libraries derive from MindSpore's, with an `__init__` of their own: they set what MindSpore's class sets."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, ParameterTuple, Tensor, nn
from mindspore.common.initializer import initializer


def state(parameters, prefix):
    """Zeros like the Parameters, in float32, as MindFormers makes them."""
    made = []
    for old in parameters:
        new = Parameter(initializer("zeros", shape=old.shape, dtype=ms.float32))
        new.param_info = old.param_info.clone() if hasattr(old.param_info, "clone") else old.param_info
        new.name = f"{prefix}.{old.name}"
        made.append(new)
    return ParameterTuple(made)


class Own(nn.AdamWeightDecay):
    def __init__(self, params, learning_rate, beta1=0.9, beta2=0.99, eps=1e-6, weight_decay=0.0):
        super(nn.AdamWeightDecay, self).__init__(learning_rate, params, weight_decay)
        self.beta1 = Tensor(np.array([beta1]).astype(np.float32))
        self.beta2 = Tensor(np.array([beta2]).astype(np.float32))
        self.eps = Tensor(np.array([eps]).astype(np.float32))
        self.moments1, self.moments2 = state(self.parameters, "adam_m"), state(self.parameters, "adam_v")


@pytest.mark.parametrize("mode", (ms.GRAPH_MODE, ms.PYNATIVE_MODE))
def test_one_that_skips_the_init_of_adam(mode):
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        weights = {}
        for kind in (Own, nn.AdamWeightDecay):
            weight = Parameter(np.arange(4, dtype=np.float32), name="w")
            optimizer = kind([weight], 0.1, beta1=0.9, beta2=0.99, eps=1e-6, weight_decay=0.01)
            for step in range(3):
                optimizer((Tensor(np.full(4, step + 1.0, np.float32)),))
            weights[kind] = weight.asnumpy(), [m.asnumpy() for m in optimizer.moments1], optimizer.moments1[0].name
    finally:
        ms.set_context(mode=before)
    np.testing.assert_allclose(weights[Own][0], weights[nn.AdamWeightDecay][0], rtol=1e-6)
    np.testing.assert_allclose(weights[Own][1], weights[nn.AdamWeightDecay][1], rtol=1e-6)
    assert weights[Own][2] == "adam_m.w"
