"""Optimizers that libraries derive from MindSpore's, with an `__init__` of their own: they set what MindSpore's class sets."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
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


step = ops.MultitypeFuncGraph("step")


@step.register("Function", "Tensor", "Tensor", "Tensor", "Tensor", "Tensor", "Bool", "Bool")
def _step(opt, momentum, rate, gradient, weight, moment, on_server, cached):
    if on_server and not cached:
        raise AssertionError("no Parameter is on a server")
    return ops.depend(True, opt(weight, moment, rate, gradient, momentum))


class OfOldDays(nn.Optimizer):
    """A copy of Momentum of MindSpore 1.x, as papers on optimizers have it."""

    def __init__(self, params, learning_rate, momentum, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.momentum = Parameter(Tensor(momentum, ms.float32), name="momentum")
        self.params = self.parameters
        self.moments = self.params.clone(prefix="moments", init="zeros")
        self.opt = ops.ApplyMomentum()

    def construct(self, gradients):
        gradients = self.scale_grad(self.decay_weight(gradients))
        each = ops.partial(step, self.opt, self.momentum, self.get_lr())
        return self.hyper_map_reverse(each, gradients, self.params, self.moments, self.ps_parameters, self.cache_enable)


@pytest.mark.parametrize("mode", (ms.GRAPH_MODE, ms.PYNATIVE_MODE))
def test_one_that_asks_which_parameters_are_on_a_server(mode):
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        weights = {}
        for kind in (OfOldDays, nn.Momentum):
            weight = [Parameter(np.arange(n, dtype=np.float32), name=f"w{n}") for n in (3, 4)]
            optimizer = kind(weight, 0.1, 0.9, weight_decay=0.01)
            for size in (1.0, 2.0):
                optimizer(tuple(Tensor(np.full(n, size, np.float32)) for n in (3, 4)))
            weights[kind] = np.concatenate([w.asnumpy() for w in weight])
    finally:
        ms.set_context(mode=before)
    np.testing.assert_allclose(weights[OfOldDays], weights[nn.Momentum], rtol=1e-6)
