"""What does not fit vmap raises what MindSpore 2.10 raises: RuntimeError for axes and lengths, in both modes."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

X, Y = Tensor(np.ones((3, 4), np.float32)), Tensor(np.ones((5, 4), np.float32))


def add(a, b):
    return a + b


def double(a):
    return a * 2


def two(a):
    return a, a * 2


def first(a, b):
    return a


def nothing(a):
    return None


def text(a):
    return "q"


def with_number(a):
    return a, 3, (True, 0.5)


def of_pair(pair):
    return pair[0] + pair[1]


def cells(count):
    return nn.CellList([nn.Dense(4, 2) for _ in range(count)])


# what MindSpore raises -> calls
WRONG = {
    RuntimeError: {
        "axis beyond": lambda: ops.vmap(double, 2)(X),
        "axis below": lambda: ops.vmap(double, -3)(X),
        "axis in a tuple": lambda: ops.vmap(add, (0, 5))(X, X),
        "axis of a scalar": lambda: ops.vmap(double, 0)(Tensor(1.0)),
        "a word": lambda: ops.vmap(double, "a")(X),
        "a float": lambda: ops.vmap(double, 1.0)(X),
        "a bool": lambda: ops.vmap(double, True)(X),
        "a word in a tuple": lambda: ops.vmap(add, (0, "a"))(X, X),
        "a tuple for a Tensor": lambda: ops.vmap(double, ((0, 0),))(X),
        "None": lambda: ops.vmap(double, None)(X),
        "all None": lambda: ops.vmap(add, (None, None))(X, X),
        "too few": lambda: ops.vmap(add, (0,))(X, X),
        "too many": lambda: ops.vmap(add, (0, 0, 0))(X, X),
        "as many as inputs": lambda: ops.vmap(add, (0,))(X),
        "as many as inputs of a Cell": lambda: ops.vmap(cells(1)[0], (0, 0))(X, X),
        "lengths": lambda: ops.vmap(add, 0)(X, Y),
        "lengths of two axes": lambda: ops.vmap(add, (0, 1))(X, X),
        "lengths in a pair": lambda: ops.vmap(of_pair, 0)((X, Y)),
        "a mapped number": lambda: ops.vmap(add, (0, 0))(X, 2.0),
        "a mapped text": lambda: ops.vmap(first, (0, 0))(X, "q"),
        "a mapped None": lambda: ops.vmap(first, (0, 0))(X, None),
        "a mapped dict": lambda: ops.vmap(first, (0, 0))(X, {"a": X}),
        "only a keyword": lambda: ops.vmap(double)(a=X),
        "no inputs": lambda: ops.vmap(lambda: X)(),
        "None returned": lambda: ops.vmap(nothing)(X),
        "an axis of a number": lambda: ops.vmap(with_number, 0, 1)(X),
        "out beyond": lambda: ops.vmap(double, 0, 3)(X),
        "out below": lambda: ops.vmap(double, 0, -3)(X),
        "out a word": lambda: ops.vmap(double, 0, "a")(X),
        "out None": lambda: ops.vmap(double, 0, None)(X),
        "out None of one": lambda: ops.vmap(two, 0, (0, None))(X),
        "out too few": lambda: ops.vmap(two, 0, (0,))(X),
        "out too many": lambda: ops.vmap(two, 0, (0, 0, 0))(X),
        "out too many of one": lambda: ops.vmap(double, 0, (0, 0))(X),
        "out beyond in a tuple": lambda: ops.vmap(two, 0, (0, 5))(X),
        "within": lambda: ops.vmap(ops.vmap(double, 1), 0)(X),
        "no function": lambda: ops.vmap(3)(X),
        "no function, a word": lambda: ops.vmap("a")(X),
        "one Cell": lambda: ops.vmap(cells(1))(X),
    },
    ValueError: {"as many Cells": lambda: ops.vmap(cells(2))(X)},
    TypeError: {
        "a text returned": lambda: ops.vmap(text)(X),
        "no input": lambda: ops.vmap(double)(),
        "an input too many": lambda: ops.vmap(double)(X, X),
        "an input too few": lambda: ops.vmap(add, (0, 0))(X),
        "an input too few for a Cell": lambda: ops.vmap(nn.MSELoss(), (0, 0))(X),
    },
}


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for kind, calls in WRONG.items() for name in calls],
    ids=lambda v: getattr(v, "__name__", v),
)
def test_what_does_not_fit(mode, kind, name):
    ms.set_context(mode=mode)
    with pytest.raises(kind) as caught:
        WRONG[kind][name]()
    assert next(t for t in caught.type.__mro__ if t.__module__ == "builtins") is kind


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_numbers_that_are_returned_are_repeated(mode):
    ms.set_context(mode=mode)
    same, three, (true, half) = ops.vmap(with_number)(X)
    assert same.shape == (3, 4)
    assert (three.dtype, true.dtype, half.dtype) == (ms.int64, ms.bool_, ms.float32)
    assert (three.asnumpy().tolist(), true.asnumpy().tolist()) == ([3, 3, 3], [True, True, True])
    assert half.asnumpy().tolist() == [0.5, 0.5, 0.5]
    assert ops.vmap(with_number, 0, (0, None, (0, None)))(X)[1] == 3
