"""Gradient functions that a program makes anew in each step of GRAPH_MODE: those that compute the same share a program, and others stop being
compiled for a single call each.
"""

import copy
import random

import numpy as np
import pytest

import msjax as ms
from msjax import nn, ops
from msjax.ops.gradient import functions, sharing

STEPS = 12


@pytest.fixture
def compiled(monkeypatch):
    """The programs of gradients that were called, one for each call."""
    programs = []
    plain = functions.Compiled.__call__

    def call(self, *args, **kwargs):
        if self.name.startswith("grad of"):
            programs.append(self)
        return plain(self, *args, **kwargs)

    monkeypatch.setattr(functions.Compiled, "__call__", call)
    return programs


def trained(make):
    """The losses of `make(net, loss, optimizer)(x, y)`, and the weights at the end."""
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(1)
    net = nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Dense(4, 2))
    net.set_train()
    draw = np.random.RandomState(1)
    x = ms.Tensor(draw.randn(8, 3).astype(np.float32))
    y = ms.Tensor(draw.randint(0, 2, 8).astype(np.int32))
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = make(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"), optimizer)
    losses = [float(step(x, y)) for _ in range(STEPS)]
    return losses, [p.asnumpy() for p in net.get_parameters()]


def made_once(net, loss, optimizer):
    gradients = ms.value_and_grad(nn.WithLossCell(net, loss), None, optimizer.parameters)

    def step(x, y):
        value, grads = gradients(x, y)
        optimizer(grads)
        return value

    return step


def of_a_function(net, loss, optimizer):
    def step(x, y):
        def forward(x, y):
            return loss(net(x), y)

        value, grads = ms.value_and_grad(forward, None, optimizer.parameters)(x, y)
        optimizer(grads)
        return value

    return step


def of_a_cell(net, loss, optimizer):
    both = nn.WithLossCell(net, loss)

    def step(x, y):
        value, grads = ms.value_and_grad(both, None, list(optimizer.parameters))(x, y)
        optimizer(grads)
        return value

    return step


def of_an_operation(net, loss, optimizer):
    both = nn.WithLossCell(net, loss)

    def step(x, y):
        value = both(x, y)
        optimizer(ops.GradOperation(get_by_list=True)(both, optimizer.parameters)(x, y))
        return value

    return step


def of_numbers(net, loss, optimizer):
    numbers = iter(range(1, 100))

    def step(x, y):
        number = next(numbers)

        def forward(x, y):
            return loss(net(x), y) * (number / number)

        value, grads = ms.value_and_grad(forward, None, optimizer.parameters)(x, y)
        optimizer(grads)
        return value

    return step


def assert_equal(found, expected):
    for one, other in zip(found, expected, strict=True):
        for a, b in zip(one, other, strict=True):
            np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("make", [of_a_function, of_a_cell, of_an_operation])
def test_those_that_hold_the_same_share_a_program(compiled, make):
    found = trained(make)
    assert len(compiled) == STEPS and len(set(compiled)) == 1
    if make is not of_an_operation:  # whose BatchNorm sees each batch twice
        assert_equal(found, trained(made_once))


def test_others_stop_being_compiled_and_give_the_same(compiled):
    found = trained(of_numbers)
    assert len(compiled) == sharing._COMPILED
    assert_equal(found, trained(made_once))


def test_what_a_closure_holds_is_compared_at_each_call():
    ms.set_context(mode=ms.GRAPH_MODE)
    net, x = nn.Dense(2, 1, weight_init="ones"), ms.Tensor([[1.0, 2.0]])
    gradients = []
    for factor in (1.0, 2.0):

        def scaled(x):
            return (net(x) * factor).sum()  # noqa: B023  the variable is one for both

        gradients.append(ms.grad(scaled))
        np.testing.assert_array_equal(gradients[-1](x).asnumpy(), [[factor, factor]])
    for factor in (3.0, 2.0):
        for gradient in gradients:
            np.testing.assert_array_equal(gradient(x).asnumpy(), [[factor, factor]])


def test_what_differs_shares_nothing():
    ms.set_context(mode=ms.GRAPH_MODE)
    net, x = nn.Dense(2, 1, weight_init="ones"), ms.Tensor([[1.0, 2.0]])
    for weights in ([net.weight], [net.bias], [net.weight, net.bias]):
        found = ms.grad(net, None, weights)(x)
        assert [g.shape for g in found] == [w.shape for w in weights]
    for scale in (2.0, -0.0, 0.0):
        found = ms.grad(
            lambda x, scale=scale: (net(x) * (1 / np.float64(scale) if scale else np.copysign(1, scale))).sum()
        )(x)
        np.testing.assert_array_equal(found.asnumpy(), [[0.5, 0.5]] if scale else np.copysign([[1, 1]], scale))
    twin = copy.deepcopy(net)
    twin.weight.set_data(ms.Tensor([[5.0, 6.0]]))
    np.testing.assert_array_equal(ms.grad(twin)(x).asnumpy(), [[5, 6]])
    np.testing.assert_array_equal(ms.grad(net)(x).asnumpy(), [[1, 1]])


def test_a_second_call_is_compiled(compiled):
    ms.set_context(mode=ms.GRAPH_MODE)
    x = ms.Tensor([1.0, 2.0])

    def made():
        return ms.grad(lambda x: (x * x).sum())

    for _ in range(sharing._COMPILED + 2):
        last = made()
        last(x)
    compiled.clear()
    np.testing.assert_array_equal(last(x).asnumpy(), [2, 4])
    assert len(compiled) == 1


def test_functions_around_other_functions_are_others(compiled):
    ms.set_context(mode=ms.GRAPH_MODE)
    x = ms.Tensor([1.0, 2.0])

    def made(op):
        return ms.grad(lambda x: op(x).sum())

    for op in (ops.exp, ops.log, ops.sin, ops.cos, ops.tanh, ops.sqrt, ops.sigmoid):
        made(op)(x)
    assert len(compiled) == 7


@pytest.mark.parametrize("source", ["stream of the closure", "NumPy's stream", "Python's stream", "iterator"])
@pytest.mark.parametrize("with_a_cell", [False, True])
def test_numbers_drawn_in_the_function_are_new_in_each_step(source, with_a_cell):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.Dense(2, 2, weight_init="ones") if with_a_cell else ops.identity
    stream, numbers, seen = np.random.RandomState(1), iter(np.random.RandomState(2).rand(100)), []
    draws = {
        "stream of the closure": lambda: stream.randn(),
        "NumPy's stream": lambda: np.random.randn(),
        "Python's stream": lambda: random.random(),
        "iterator": lambda: next(numbers),
    }
    draw = draws[source]
    for _ in range(sharing._COMPILED + 4):

        def noisy(x):
            return (net(x) * float(draw())).sum()

        seen.append(tuple(ms.grad(noisy)(ms.Tensor([[1.0, 2.0]])).asnumpy().reshape(-1).tolist()))
    assert len(set(seen)) == len(seen)
