"""What calls cost once all is compiled, counted: no Python of JAX's runs in a steady eager step. It would be 60 us a call, and no result would tell."""

import collections
import dataclasses
import sys
import types

import jax
import mindspore as ms
import mindspore.numpy as mnp
import numpy as np
import pytest
from mindspore import Parameter, Tensor, mint, nn, ops

import msjax
from msjax.core.operators import eager_jit
from msjax.core.trace.control_flow.conversion import is_users

HOME = jax.__file__.rpartition("__init__")[0]
ALLOWED = {"wrapper", "reraise_with_filtered_traceback"}  # around functions of C++


def python_of_jax(call):
    """Names of JAX's Python functions that run in a call, counted."""
    names = collections.Counter()

    def note(frame, event, arg):
        if event == "call" and frame.f_code.co_filename.startswith(HOME):
            names[frame.f_code.co_name] += 1

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return names


def settled(call):
    """After so many calls that each has its program, where NumPy began."""
    for _ in range(2):
        for _ in range(eager_jit.CALLS_BY_NUMPY + 1):
            call()
        eager_jit.finish_compiling()
    call()
    return call


@pytest.mark.parametrize(
    "function",
    [ops.add, ops.relu, ops.softmax, lambda x, *_: ops.transpose(x, (1, 0)), lambda x, *_: x + 1.0, ops.matmul],
)
def test_an_operator(function):
    x = Tensor(np.ones((7, 7), np.float32))
    arguments = [x, x] if function in (ops.add, ops.matmul) else [x]
    found = python_of_jax(settled(lambda: function(*arguments)))
    assert set(found) <= ALLOWED, found


def test_a_gradient():
    net = nn.SequentialCell(
        nn.Conv2d(4, 5, 3), nn.BatchNorm2d(5), nn.ReLU(), nn.Flatten(), nn.Dense(5 * 48, 3)
    ).set_train()
    gradient = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    x = Tensor(np.ones((2, 4, 6, 8), np.float32))
    found = python_of_jax(settled(lambda: gradient(x)))
    assert not {"cache_miss", "_infer_params", "trace_to_jaxpr", "eval_jaxpr", "bind"} & set(found), found


def test_no_function_of_the_package_is_taken_for_the_users():
    """What reads of theirs are not seen would have a program made anew whenever an attribute of any Cell is set."""
    spaces = [ms, nn, ops, mint, mint.nn, mint.nn.functional, mnp, ops.operations, Tensor, Parameter, nn.Cell]
    found = set()
    for space in spaces:
        for name, value in vars(space).items():
            if isinstance(space, types.ModuleType) and name.startswith("_"):
                continue
            members = [value, *(vars(value).values() if isinstance(value, type) else ())]
            found.update((name, f) for f in members if isinstance(f, types.FunctionType) and is_users(f))
    assert not found


def test_attributes_that_are_set_between_calls_make_no_new_program():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.less, self.seen = ops.Less(), 0

        def construct(self, x):
            return self.less(x, 1.0), x.sum(), mint.add(x, x)

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    for step in range(4):
        net(Tensor(np.ones(3, np.float32)))
        net.seen = step
    assert str(msjax.explain(net)).startswith("Net: 1 trace")


@dataclasses.dataclass
class Output:
    values: Tensor
    parts: list = dataclasses.field(default_factory=list)

    def __post_init__(self):
        if self.values.sum() > 0:  # staged
            self.values = self.values * SCALE


@dataclasses.dataclass(frozen=True)
class Frozen:
    __slots__ = ("values",)
    values: Tensor


SCALE = 2


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_data_classes_that_are_made_in_a_graph(mode, monkeypatch):
    """Their `__init__` has no source that reads could be seen in; what they run after it has."""

    class Net(nn.Cell):
        def construct(self, x):
            return Output(Frozen(x).values).values

    ms.set_context(mode=mode)
    net, x = Net(), Tensor(np.ones(3, np.float32))
    for step in range(4):
        assert net(x).asnumpy().tolist() == [2, 2, 2] and net(-x).asnumpy().tolist() == [-1, -1, -1]
        net.seen = step
    assert mode == ms.PYNATIVE_MODE or str(msjax.explain(net)).startswith("Net: 1 trace")
    monkeypatch.setitem(globals(), "SCALE", 3)
    assert net(x).asnumpy().tolist() == [3, 3, 3]
