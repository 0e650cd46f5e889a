"""`x[i] = v` in compiled code, x being a variable of the function: x gets a new Tensor. Values as MindSpore's graphs give them."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops

import msjax

OUTSIDE = Tensor(np.zeros(3, np.float32))


class Held(nn.Cell):
    def __init__(self, body):
        super().__init__()
        self.body = body
        self.z = Tensor(np.zeros(3, np.float32))
        self.listed = [Tensor(np.zeros(3, np.float32))]
        self.w = Parameter(Tensor(np.zeros(3, np.float32)), name="w")

    def construct(self, x):
        return self.body(self, x)


def attribute(net, x):
    a = net.z
    a[0] = x[0]
    return a.sum() + net.z.sum() * 10


def in_a_loop(net, x):
    a = net.z
    for i in range(3):
        a[i] = a[i] + x[i]
    return a.sum()


def in_a_branch(net, x):
    a = net.z
    if x[0] > 1:
        a[0] = x[0]
    return a.sum() + net.z.sum() * 10


def in_a_staged_loop(net, x):
    a = net.z
    i = 0
    while x[i] < 3:
        a[i] += 1.0
        i = i + 1
    return a.sum() + net.z.sum() * 100


def of_a_list(net, x):
    a = net.listed[0]
    a[0] = x[0]
    return a.sum() + net.listed[0].sum() * 10


def of_the_module(net, x):
    a = OUTSIDE
    a[0] = x[0]
    return a.sum() + OUTSIDE.sum() * 10


def argument_of_a_function(net, x):
    def change(t):
        t[0] = x[0]
        return t

    return change(net.z).sum() + net.z.sum() * 10


def two_names(net, x):
    a = x * 1
    b = a
    b[0] = 100.0
    return a.sum() + b.sum() * 1000


def two_items(net, x):
    a = ops.zeros((2, 3), ms.float32)
    b = a
    b[0][1], b[1] = x[0], x
    return a.sum() + b.sum() * 1000


def parameter(net, x):
    a = net.w
    a[0] = x[0]
    return a.sum() + net.w.sum() * 10


CASES = [
    (attribute, [1, 2]),
    (in_a_loop, [6, 12]),
    (in_a_branch, [0, 2]),
    (in_a_staged_loop, [2, 1]),
    (of_a_list, [1, 2]),
    (of_the_module, [1, 2]),
    (argument_of_a_function, [1, 2]),
    (two_names, [105006, 110012]),
    (two_items, [7000, 14000]),
    (parameter, [11, 22]),
]


class HeldAndRead(Held):
    """Runs operator by operator, since it reads values."""

    def construct(self, x):
        x.asnumpy()
        return self.body(self, x)


@pytest.mark.filterwarnings("ignore:.*runs eagerly for this signature")
@pytest.mark.parametrize("kind", [Held, HeldAndRead])
@pytest.mark.parametrize(("body", "expected"), CASES, ids=[body.__name__ for body, _ in CASES])
def test_items_of_a_variable(body, expected, kind):
    """The second call finds attributes as the first did; a Parameter is state, and is written."""
    ms.set_context(mode=ms.GRAPH_MODE)
    net = kind(body)
    found = [net(Tensor(np.array([1, 2, 3], np.float32) * scale)).asnumpy().item() for scale in (1, 2)]
    assert found == expected
    assert not net.z.asnumpy().any() and not net.listed[0].asnumpy().any() and not OUTSIDE.asnumpy().any()
    assert net.w.asnumpy().any() == (body is parameter)


def test_an_attribute_that_a_variable_was_taken_from_is_a_constant():
    """One trace for all calls, another one where the attribute has other values: `explain` says so."""
    ms.set_context(mode=ms.GRAPH_MODE)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.z = Tensor(np.zeros((2, 3), np.float32))

        def construct(self, x):
            a = self.z
            for i in range(2):
                a[i] = x + a[i]
            return a.sum() + self.z.sum() * 10

    net = Net()
    for _ in range(3):
        assert net(Tensor(np.ones(3, np.float32))).asnumpy().item() == 6
    assert msjax.explain(net).reasons == ["first call"]
    ops.assign(net.z, Tensor(np.ones((2, 3), np.float32)))
    assert net(Tensor(np.ones(3, np.float32))).asnumpy().item() == 72
    assert msjax.explain(net).reasons[1] == "a Tensor of shape (2, 3) whose values were constants changed"


def test_an_argument_keeps_its_values():
    @ms.jit
    def change(x):
        y = x
        y[0] = 100.0
        x[1] += 50.0
        return x.sum() + y.sum() * 1000

    x = Tensor(np.array([1, 2, 3], np.float32))
    assert change(x).asnumpy().item() == 105056 and x.asnumpy().tolist() == [1, 2, 3]


def test_gradients_of_items_of_a_variable():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.z = Tensor(np.zeros((2, 3), np.float32))
            self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")

        def construct(self, x):
            a = self.z
            for i in range(2):
                a[i] = ops.where(x > 0, x * self.w, a[i])
            return a.sum()

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    step = ms.value_and_grad(net, None, net.trainable_params())
    for x, value, gradient in (([1, -2, 3], 8, [2, 0, 6]), ([-1, 2, -3], 4, [0, 4, 0])):
        found, (slope,) = step(Tensor(np.array(x, np.float32)))
        assert found.asnumpy().item() == value and slope.asnumpy().tolist() == gradient
