"""What is told about compilation: many traces, fallbacks at the user's line, what changed by name."""

import re
import signal
import threading
import time
import warnings

import jax
import numpy as np
import pytest

import msjax as ms
from msjax import Tensor, ops
from msjax.core.trace import ahead, watch
from msjax.core.trace.call_structure import split


def x(*shape):
    return Tensor(np.ones(shape, np.float32))


def told(count, call):
    """The warnings of so many calls."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for i in range(count):
            call(i)
    return caught


@pytest.mark.parametrize("call, changed, remedy", [
    (lambda f, i: f(x(2, i + 1), 1), r"a: a Tensor of shape \(2, 8\).* -> a Tensor of shape \(2, 9\)", "pad to a few lengths"),
    (lambda f, i: f(x(2), i), "k: 7 -> 8", "mutable"),
    (lambda f, i: f(x(2), k=i), "k: 7 -> 8", "mutable"),
    (lambda f, i: f([x(2), x(i + 1)], 0), r"a\[1\]: a Tensor", "pad to a few lengths"),
])  # fmt: skip
def test_many_traces(call, changed, remedy):
    @ms.jit
    def function(a, k):
        return ops.relu(a[0] if isinstance(a, list) else a) + k

    caught = told(12, lambda i: call(function, i))
    assert len(caught) == 1 and caught[0].filename == __file__
    assert "has been traced 9 times" in str(caught[0].message) and remedy in str(caught[0].message)
    assert re.search(changed, str(caught[0].message))


def test_few_traces():
    function = ms.jit(lambda a: a + 1)
    assert not told(8, lambda i: function(x(i + 1)))


def test_a_fallback_warns_at_the_users_line_when_it_works():
    @ms.jit
    def function(a):
        return a + float(a.asnumpy().sum())

    caught = told(3, lambda i: function(x(2)))
    assert len(caught) == 1 and "runs eagerly" in str(caught[0].message) and caught[0].filename == __file__


def test_an_error_under_a_traced_if_stands_alone():
    @ms.jit
    def function(a):
        if a.sum() > 0:
            raise KeyError("mine")
        return a

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(KeyError, match="mine"):
            function(x(2))


def test_labels():
    def function(a, b, *, c=None):
        return a

    _, _, key = split((x(2), [x(1), (x(3), 5)]), {"c": {"p": x(1)}})
    assert watch.labels(function, key) == ["a", "b", "b[0]", "b[1]", "b[1][0]", "b[1][1]", "c", "c", "c", "c['p']"]


def test_a_long_compilation_is_told(monkeypatch, capsys):
    monkeypatch.setattr(watch, "_LONG", 0.05)
    with watch.compiling("net"):
        time.sleep(0.5)
    monkeypatch.undo()
    with watch.compiling("other"):
        pass
    lines = capsys.readouterr().err.splitlines()
    assert 2 <= len(lines) <= 6 and all(
        re.fullmatch(r"msjax: compiling 'net' \.\.\. \d+ s", line) for line in lines[:-1]
    )
    assert re.fullmatch(r"msjax: 'net' is compiled, \d+ s", lines[-1])


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="Windows sends no signal to a thread")
def test_an_interruption_does_not_wait_for_the_compiler():
    class Endless:
        ended = threading.Event()

        def lower(self, *arguments):
            return self

        def compile(self):
            self.ended.wait(60)

    threading.Timer(0.2, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        ahead.compile_interruptibly(Endless(), ())
    assert not Endless.ended.is_set() and ahead._left[-1].is_alive()
    Endless.ended.set()
    ahead._left.pop().join()


def test_what_was_compiled_ahead_is_what_is_called(compiled):
    program, given = jax.jit(lambda x: x * 2 + 1), jax.numpy.ones(3)
    ahead.compile_interruptibly(program, (given,))
    assert compiled[-1][1] == "msjax-compile"
    before = len(compiled)
    assert np.asarray(program(given)).tolist() == [3, 3, 3] and len(compiled) == before


def test_an_error_of_the_compiler_is_told_by_the_call():
    class Broken:
        def lower(self, *arguments):
            raise ValueError("mine")

    assert ahead.compile_interruptibly(Broken(), ()) is None


def test_numbers_that_are_inputs_have_names_in_a_dict():
    """A second call with another type of dict: the reason names its parts."""

    @ms.jit
    def has(key, table):
        return key in table

    assert has(1, ms.mutable({1: 1, 2: 2})) and has(1, {1: 1, 2: 2})
    key = split((1, ms.mutable({1: 1, 2: [2, 3]})), {})[2]
    found = watch.labels(lambda key, table: 0, key)
    assert len(found) == len(key) and found[-3:] == ["table[2]", "table[2][0]", "table[2][1]"]


def test_parts_that_left_training_are_told_of():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = ms.nn.BatchNorm1d(2)
    step = ms.nn.TrainOneStepCell(
        ms.nn.WithLossCell(net, ms.nn.MSELoss()), ms.nn.SGD(net.trainable_params(), 0.01)
    ).set_train()
    assert not told(2, lambda i: step(x(3, 2), x(3, 2)))
    net.set_train(False)  # to evaluate, with no set_train() behind it
    assert not told(1, lambda i: net(x(3, 2)))
    (warning,) = told(2, lambda i: step(x(3, 2), x(3, 2)))
    assert "BatchNorm1d" in str(warning.message) and "call set_train()" in str(warning.message)
    step.set_train(False)
    assert not told(2, lambda i: step(x(3, 2), x(3, 2)))
    step.set_train()
    assert not told(2, lambda i: step(x(3, 2), x(3, 2)))


class Outer(ms.nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner, self.factor = ms.nn.ReLU(), 2

    def construct(self, a):
        return self.inner(a) * self.factor


@pytest.mark.parametrize("make, more", [
    (lambda: ms.nn.ClipByNorm(), [Tensor(1.0)]),
    (lambda: ms.nn.Norm(), []),
    (lambda: ms.nn.MSELoss(), [x(2)]),
    (Outer, []),
])  # fmt: skip
def test_cells_made_in_construct_are_traced_once(make, more):
    """1.x's steps clip gradients by nn.ClipByNorm()(grad, value)."""

    class Net(ms.nn.Cell):
        def construct(self, a):
            return make()(a, *more)

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    assert not told(3, lambda i: net(x(2)))
    assert [reason for _, reason in net._compiled_form().history] == ["first call"]
