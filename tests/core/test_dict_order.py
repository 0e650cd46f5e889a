"""The items of a dict that a function gives have the order in which it made them, under every transform: users go through `items()`."""

import pytest

import msjax as ms
from msjax import Tensor, nn, ops


class Net(nn.Cell):
    def construct(self, x):
        return {"z": x * 2, "a": x + 1, "m": [{"q": x, "b": -x}]}


class WithGradient(Net):
    def bprop(self, x, out, dout):
        return (x,)


class Outer(nn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, x):
        return self.inner(x)


def loss(x, net=Net()):
    found = net(x)
    return found["z"].sum(), found


def with_recompute(x):
    net = Outer(Net())
    net.inner.recompute()
    return net(x)


WAYS = {
    "value_and_grad": lambda x: ms.value_and_grad(loss, 0, has_aux=True)(x)[0][1],
    "grad": lambda x: ms.grad(loss, 0, has_aux=True)(x)[1][0],
    "compiled gradient": lambda x: ms.jit(ms.value_and_grad(loss, 0, has_aux=True))(x)[0][1],
    "vjp": lambda x: ms.vjp(loss, x, has_aux=True)[2],
    "jvp": lambda x: ms.jvp(loss, x, x, has_aux=True)[2],
    "vmap": lambda x: ops.vmap(Net())(x),
    "recompute": with_recompute,
    "bprop": lambda x: ms.value_and_grad(lambda v: loss(v, WithGradient()), 0, has_aux=True)(x)[0][1],
}


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("way", WAYS)
def test_order_of_items(way, mode):
    ms.set_context(mode=mode)
    found = WAYS[way](Tensor([1.0, 2.0]))
    assert list(found) == ["z", "a", "m"]
    assert list(found["m"][0]) == ["q", "b"]
    assert found["a"].asnumpy().tolist() == [2, 3]
    assert found["m"][0]["b"].asnumpy().tolist() == [-1, -2]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize(
    "way",
    {
        "value_and_grad": lambda f, x: ms.value_and_grad(lambda v: (v.sum(), f(v)), 0, has_aux=True)(x)[0][1],
        "jvp": lambda f, x: ms.jvp(f, x, x)[0],
        "vmap": lambda f, x: ops.vmap(f)(x),
    }.items(),
    ids=lambda way: way[0],
)
def test_keys_that_cannot_be_compared(way, mode):
    ms.set_context(mode=mode)
    found = way[1](lambda v: {"a": v + 1, 1: v * 2, (2, 3): -v}, Tensor([1.0, 2.0]))
    assert {key: value.asnumpy().tolist() for key, value in found.items()} == {"a": [2, 3], 1: [2, 4], (2, 3): [-1, -2]}
    assert list(found) == ["a", 1, (2, 3)]
