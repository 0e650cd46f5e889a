"""Gradients with respect to complex Tensors, as MindSpore 2.10 gives them (on CPU, where it has a kernel): the conjugate of JAX's.

And those of functions whose weights are not named.
"""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

Z = Tensor(np.array(1.3 + 0.4j), ms.complex64)
# (function, gradient at 1.3 + 0.4j)
CASES = {
    "imag": (ops.imag, 1j),
    "real": (ops.real, 1),
    "conj": (ops.conj, 1),
    "abs": (ops.abs, 0.955779 + 0.29408586j),
    "angle": (ops.angle, -0.21621624 + 0.7027027j),
    "exp": (ops.exp, 3.3796458 - 1.4288913j),
    "div": (lambda x: 1 / x, -0.4470416 - 0.30387145j),
    "sin": (ops.sin, 0.28918564 + 0.39578378j),
}


def assert_close(found, wanted):
    np.testing.assert_allclose(found.asnumpy(), np.asarray(wanted, np.complex64), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", CASES)
def test_gradients(name):
    function, wanted = CASES[name]
    assert_close(ms.grad(function)(Z), wanted)
    assert_close(ms.grad(ms.jit(lambda x: function(x)))(Z), wanted)


def test_what_sens_hooks_and_bprop_see():
    """Recorded from MindSpore, too: a given cotangent, the gradient that a hook gets, the `dout` of a user's bprop."""
    sens = ops.GradOperation(sens_param=True)(ops.exp)(Z, Tensor(np.array(2 + 1j), ms.complex64))
    assert_close(sens, (2 + 1j) * np.conj(np.exp(1.3 + 0.4j)))
    seen = []

    def hooked(x):
        y = ops.exp(x)
        y.register_hook(lambda g: seen.append(g))
        return ops.sin(y)

    wanted = np.conj(np.cos(np.exp(1.3 + 0.4j)))
    ms.grad(hooked)(Z)
    assert_close(seen[0], wanted)

    class Net(nn.Cell):
        def construct(self, x):
            return ops.exp(x)

        def bprop(self, x, out, dout):
            return (dout,)

    net = Net()
    for function in (lambda x: ops.sin(net(x)), ms.jit(lambda x: ops.sin(net(x)))):
        assert_close(ms.grad(function)(Z), wanted)


def test_weights_of_a_function_are_those_that_it_uses():
    weight = ms.Parameter(Tensor([2.0]), name="w")
    grads = ops.GradOperation(get_all=True, get_by_list=True)(lambda x: x * weight)(Tensor([3.0]))
    assert [[g.asnumpy().tolist() for g in part] for part in grads] == [[[2.0]], [[3.0]]]
