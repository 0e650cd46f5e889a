"""MsDispatchMode: every operator call goes to an object."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops
from mindspore.utils import MsDispatchMode

from msjax.core.operators.casts import casting


class Log(MsDispatchMode):
    def __init__(self, calls, tag=""):
        self.calls, self.tag = calls, tag

    def __ms_dispatch__(self, func, args, kwargs=None):
        assert isinstance(args, tuple) and kwargs is None
        self.calls.append(self.tag + func.name)
        return func(*args)


def vector():
    return Tensor(np.array([1, 2], np.float32))


def test_calls_are_seen_within_the_mode_only():
    calls, x = [], vector()
    with Log(calls) as mode:
        y = ops.relu(x * 2 + x)
    ops.neg(y)
    assert calls == ["Mul", "Add", "ReLU"] and y.asnumpy().tolist() == [3, 6] and isinstance(mode, Log)


def test_modes_nest():
    calls, x = [], vector()
    with Log(calls, "outer "):
        x * 2
        with Log(calls, "inner "):
            x - x
        x + x
    assert calls == ["outer Mul", "inner Sub", "outer Sub", "outer Add"]


def test_as_decorator():
    calls = []

    @Log(calls)
    def f(x):
        return x + 1

    assert f(vector()).asnumpy().tolist() == [2, 3] and calls == ["Add"]


def test_what_it_returns_is_the_result():
    class First(MsDispatchMode):
        def __ms_dispatch__(self, func, args, kwargs=None):
            return args[0]

    with First():
        y = vector() + vector()
    assert y.asnumpy().tolist() == [1, 2]
    with MsDispatchMode():
        assert (vector() + 1).asnumpy().tolist() == [2, 3]


def test_gradients_and_mixed_precision_pass_through():
    calls = []
    with Log(calls):
        assert ops.grad(lambda x: (x * x).sum())(vector()).asnumpy().tolist() == [2, 4]
        net = nn.Dense(2, 2).to_float(ms.float16)
        assert net(Tensor(np.ones((1, 2), np.float32))).shape == (1, 2)
    assert "Mul" in calls and "Dense" in calls


def test_a_compiled_function_is_traced_again_under_a_mode():
    class Double(MsDispatchMode):
        def __ms_dispatch__(self, func, args, kwargs=None):
            return func(*args) * 2

    f = ms.jit(lambda x: x + 1)
    assert f(vector()).asnumpy().tolist() == [2, 3]
    with Double():
        assert f(vector()).asnumpy().tolist() == [4, 6]
    assert f(vector()).asnumpy().tolist() == [2, 3]


def test_what_takes_the_address_of_a_mode_that_is_gone_is_another_mode():
    f, x, seen = ms.jit(lambda x: x + 1), vector(), []
    for _ in range(3):
        mode = Log([])
        with mode:
            f(x)
        seen.append(mode.calls)
        del mode  # the program that was made for it must not run for the next object there
    assert seen == [["Add"]] * 3


def test_what_takes_the_address_of_a_cast_that_is_gone_is_another_cast():
    f, x, found = ms.jit(lambda x: x * 2), vector(), []
    for kind in (ms.float16, ms.bfloat16, ms.float16):
        policy = lambda name, kind=kind: (kind, None)  # noqa: E731
        with casting(policy):
            found.append(f(x).dtype)
        del policy
    assert found == [ms.float16, ms.bfloat16, ms.float16]


def test_errors_leave_no_mode_behind():
    class Wrong(MsDispatchMode):
        def __ms_dispatch__(self, func):
            return 1

    with pytest.raises(TypeError):
        with Wrong():
            vector() + 1
    assert (vector() + 1).asnumpy().tolist() == [2, 3]
