"""Gradient functions that a program makes anew in each step of GRAPH_MODE: each would be compiled for one call."""

import numpy as np
import pytest

import msjax as ms
from msjax import nn, ops
from msjax.ops.gradient import functions

STEPS = 12


@pytest.fixture
def compiled(monkeypatch):
    """The names of what was called in its compiled form."""
    names = []
    plain = functions.Compiled.__call__

    def call(self, *args, **kwargs):
        names.append(self)
        return plain(self, *args, **kwargs)

    monkeypatch.setattr(functions.Compiled, "__call__", call)
    return names


def trained(step):
    """The losses of `step(net, loss, optimizer, x, y)`, and the weights at its end."""
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(1)
    net = nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Dense(4, 2))
    net.set_train()
    draw = np.random.RandomState(1)
    x = ms.Tensor(draw.randn(8, 3).astype(np.float32))
    y = ms.Tensor(draw.randint(0, 2, 8).astype(np.int32))
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    losses = [float(step(net, loss, optimizer, x, y)) for _ in range(STEPS)]
    return losses, [p.asnumpy() for p in net.get_parameters()]


def function_of_each_step(net, loss, optimizer, x, y):
    def forward(x, y):
        return loss(net(x), y)

    value, gradients = ms.value_and_grad(forward, None, optimizer.parameters)(x, y)
    optimizer(gradients)
    return value


def test_they_stop_being_compiled_and_give_the_same(compiled, monkeypatch):
    found = trained(function_of_each_step)
    own = [c for c in compiled if "grad of" in c.name]
    assert len(own) == functions._COMPILED
    monkeypatch.setattr(functions, "_COMPILED", STEPS)
    for one, other in zip(found, trained(function_of_each_step)):
        for a, b in zip(one, other, strict=True):
            np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-6)


def test_a_second_call_is_compiled(compiled):
    ms.set_context(mode=ms.GRAPH_MODE)
    x = ms.Tensor([1.0, 2.0])

    def made():
        return ms.grad(lambda x: (x * x).sum())

    for _ in range(functions._COMPILED + 2):
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
    assert len([c for c in compiled if "grad of" in c.name]) == 7


def test_numbers_drawn_in_the_function_are_new_in_each_step():
    ms.set_context(mode=ms.GRAPH_MODE)
    draw = np.random.RandomState(1)
    seen = []
    for _ in range(functions._COMPILED + 4):

        def noisy(x):
            return (x * ms.Tensor(draw.randn(2).astype(np.float32))).sum()

        seen.append(tuple(ms.grad(noisy)(ms.Tensor([1.0, 2.0])).asnumpy().tolist()))
    assert len(set(seen)) == len(seen)
