"""Threads never see each other: what one sets, records, casts or draws is its own (`core/settings/execution_state.py`)."""

import asyncio
import contextvars
import dis
import gc
import os
import pathlib
import sys
import threading
import time

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

from msjax.core import syntax
from msjax.core.grad import overflow
from msjax.core.process import shared
from msjax.core.settings import context, execution_state
from msjax.core.values import ranges
from msjax.parallel import agreement
from msjax.train import amp, amp_strategy, inner


def in_thread(run, *args):
    """What `run` gives in a new thread; raises what it raises."""
    return all_at_once([lambda: run(*args)])[0]


def all_at_once(runs):
    """What the functions give, each in a thread of its own; they start together."""
    start, results = threading.Barrier(len(runs)), [None] * len(runs)

    def serve(i):
        start.wait()
        try:
            results[i] = runs[i]()
        except BaseException as error:  # raised again below
            results[i] = error

    threads = [threading.Thread(target=serve, args=(i,)) for i in range(len(runs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


class Counting(ms.MsDispatchMode):
    def __init__(self):
        self.names = []

    def __ms_dispatch__(self, func, args, kwargs=None):
        self.names.append(func.name)
        return func(*args)


class Net(nn.Cell):
    def __init__(self, width):
        super().__init__()
        self.first, self.last = nn.Dense(4, width), nn.Dense(width, 2)
        self.drop, self.norm = nn.Dropout(p=0.5), nn.BatchNorm1d(width)

    def construct(self, x):
        return self.last(self.drop(ops.relu(self.norm(self.first(x)))))


def train(number, steps=4):
    """Train a small net in a way that depends on `number`; all that another thread could have changed."""
    mode = number % 2
    ms.set_context(mode=mode)
    ms.set_seed(number)
    init = np.random.RandomState(number)  # NumPy's global stream is one for the process
    net = Net(4 + number % 3)
    for param in net.trainable_params():
        param.set_data(Tensor(init.randn(*param.shape).astype(np.float32)))
    amp.auto_mixed_precision(net, ("O0", "O1", "O2", "O3")[number // 2])
    net.set_train(number % 3 != 0)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    x, seen, losses = Tensor(init.randn(6, 4).astype(np.float32)), [], []
    hooked = net.first.register_forward_hook(lambda cell, args, out: seen.append(type(out).__name__))
    gradient = ms.value_and_grad(lambda x: (net(x).astype(ms.float32) ** 2).mean(), None, optimizer.parameters)
    for _ in range(steps):
        loss, grads = gradient(x)
        optimizer(grads)
        losses.append(float(loss))
    counting = Counting()
    with counting:
        noise = ops.dropout(x, p=0.3) + ops.rand(6, 4)
    hooked.remove()
    assert ms.get_context("mode") == mode and ms.get_seed() == number
    dtypes = str(net(x).dtype)
    return losses, noise.asnumpy().tolist(), counting.names, dtypes, len(seen) > 0


def test_eight_threads_give_what_each_gives_alone():
    alone = [in_thread(train, i) for i in range(8)]
    assert len({str(losses) for losses, *_ in alone}) == 8
    before = ms.get_context("mode"), ms.get_seed()
    for _ in range(3 if os.environ.get("MSJAX_TEST_ALL") else 1):
        assert all_at_once([lambda i=i: train(i) for i in range(8)]) == alone
    assert (ms.get_context("mode"), ms.get_seed()) == before


def test_a_new_thread_sees_what_the_main_thread_has_set():
    ms.set_context(mode=ms.GRAPH_MODE, max_call_depth=1234)
    ms.set_seed(7)
    assert in_thread(lambda: (ms.get_context("mode"), ms.get_context("max_call_depth"), ms.get_seed())) == (0, 1234, 7)
    ms.set_context(mode=ms.PYNATIVE_MODE, max_call_depth=1000)
    assert in_thread(ms.get_context, "mode") == ms.PYNATIVE_MODE


def test_what_another_thread_sets_stays_there():
    def change():
        ms.set_context(mode=ms.GRAPH_MODE)
        ms.set_seed(11)
        return ms.get_context("mode"), ms.get_seed()

    assert in_thread(change) == (ms.GRAPH_MODE, 11)
    assert (ms.get_context("mode"), ms.get_seed()) == (ms.PYNATIVE_MODE, 1)


@ms.jit
def noise(x):
    return ops.dropout(x, p=0.5)


def test_random_numbers_of_threads_are_their_own_and_repeat():
    x = Tensor(np.ones((64,), np.float32))

    def draw(seed=None):
        if seed is not None:
            ms.set_seed(seed)
        return noise(x).asnumpy().tolist(), ops.rand(3).asnumpy().tolist(), ops.rand(3, seed=5).asnumpy().tolist()

    main = draw(3)
    assert in_thread(draw, 3) == main
    assert all_at_once([lambda: draw(3)] * 4) == [main] * 4
    ms.set_seed(3)
    first, second = in_thread(draw), in_thread(draw)
    assert first != main and first != second
    ms.set_seed(3)
    assert [in_thread(draw), in_thread(draw)] == [first, second]


def test_casts_of_one_thread_do_not_reach_another():
    x = Tensor(np.ones((2, 2), np.float32))
    multiply = ms.jit(lambda a: ops.matmul(a, a))
    assert multiply(x).dtype == ms.float32
    amp_strategy.push_amp_strategy(2, ms.float16, [], [])
    try:
        assert multiply(x).dtype == ops.matmul(x, x).dtype == ms.float16
        assert in_thread(lambda: (multiply(x).dtype, ops.matmul(x, x).dtype)) == (ms.float32, ms.float32)
        assert in_thread(amp_strategy.get_curr_amp_strategy) is None
    finally:
        amp_strategy.pop_amp_strategy()
    assert multiply(x).dtype == ms.float32


def test_a_dispatch_mode_sees_its_own_thread_alone():
    with Counting() as counting:
        in_thread(lambda: Tensor([1.0]) + 1)
        assert counting.names == []
        Tensor([1.0]) + 1
    assert counting.names == ["Add"]


def test_failed_code_takes_back_its_own_changes_only():
    mine, other = ms.Parameter(Tensor([1.0]), name="mine"), ms.Parameter(Tensor([1.0]), name="other")

    class Failing(nn.Cell):
        def construct(self):
            ops.assign(mine, Tensor([2.0]))
            in_thread(lambda: ops.assign(other, Tensor([2.0])))
            raise KeyError

    with pytest.raises(KeyError):
        Failing()()
    assert (mine.asnumpy()[0], other.asnumpy()[0]) == (1, 2)


def test_check_mode_is_of_one_thread():
    def zero_by_zero():
        ms.set_context(check_indices=True)
        with pytest.raises(FloatingPointError):
            Tensor([0.0]) / Tensor([0.0])
        return context.is_strict()

    assert in_thread(zero_by_zero)
    assert not context.is_strict()
    assert np.isnan((Tensor([0.0]) / Tensor([0.0])).asnumpy()[0])


def test_an_index_out_of_range_is_told_where_it_was_used():
    check = ranges.Range("Gather", "indices", 0, 3, (IndexError, IndexError))

    def leave():
        execution_state.change(pending=[([np.asarray(9, np.uint32)], (check,))])

    in_thread(leave)
    assert not ranges.pending()


def test_overflow_flags_and_networks_are_of_one_thread():
    overflow.clear()
    in_thread(overflow.note, [np.asarray(np.inf)])
    assert not overflow.status()
    inner.set_cur_net("mine")
    assert in_thread(lambda: execution_state.here().network) is None
    inner.set_cur_net(None)


def test_tasks_and_copied_contexts_go_on_by_themselves():
    async def serve(number):
        with Counting() as counting:
            await asyncio.sleep(0)
            for _ in range(number):
                Tensor([1.0]) + 1
                await asyncio.sleep(0)
        return len(counting.names)

    async def together():
        return await asyncio.gather(*map(serve, (1, 2, 3)))

    assert asyncio.run(together()) == [1, 2, 3]

    ms.set_seed(4)
    copies = [contextvars.copy_context() for _ in range(4)]
    drawn = all_at_once([lambda c=c: c.run(lambda: ops.rand(3).asnumpy().tolist()) for c in copies])
    assert len(set(map(tuple, drawn))) == 4


@pytest.mark.parametrize("name", ["epoch", "attributes"])
def test_a_change_has_a_number_that_no_check_has_seen(name):
    """Also when the thread that makes another change is held up just before it stores its number."""
    touch = {"epoch": shared.touch, "attributes": shared.touch_attribute}[name]
    stores, held, go_on = {i.offset for i in dis.get_instructions(touch) if i.opname == "STORE_ATTR"}, [], []

    def hold_up():
        def look(frame, event, argument):
            frame.f_trace_opcodes = True
            if event == "opcode" and frame.f_lasti in stores:
                held.append(True)
                while not go_on:
                    time.sleep(0.001)
            return look

        for _ in range(2):  # Python 3.12.1 reports opcodes from the second trace function on
            sys.settrace(lambda frame, event, argument: look if frame.f_code is touch.__code__ else None)
            try:
                touch()
            finally:
                sys.settrace(None)

    slow = threading.Thread(target=hold_up)
    slow.start()
    while not held:
        time.sleep(0.001)
    seen = []
    for _ in range(3):
        touch()
        seen.append(getattr(shared, name))
    go_on.append(True)
    slow.join()
    for _ in range(3):
        touch()
        assert getattr(shared, name) not in seen


def test_a_change_during_a_check_is_seen_by_the_next_one():
    net = Net(4)
    net.set_train(False)
    entry = net.entry_for(Tensor(np.ones((2, 4), np.float32)))
    cell, state = entry.guards.cells[-1]

    class Slow:
        """A Cell that another thread changes when the check has just looked at it."""

        def _compile_state(self):
            try:
                return cell._compile_state()
            finally:
                in_thread(cell.set_train)

    entry.guards.cells[-1] = (Slow(), state)
    assert entry.valid()
    shared.touch()
    assert entry.valid() and not entry.valid()


def test_eight_threads_see_their_own_changes():
    """Each changes an attribute and a flag of its net before each call; a program of before would give the old result."""

    class Changing(nn.Cell):
        def __init__(self):
            super().__init__()
            self.factor = 1

        def construct(self, x):
            return x * self.factor if self.training else x - self.factor

    def serve(number):
        ms.set_context(mode=ms.GRAPH_MODE)
        net, x, found = Changing(), Tensor(np.float32(number)), []
        for step in range(30):
            net.factor = step
            net.set_train(step % 2 == 0)
            found.append(float(net(x)))
        return found

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        results = all_at_once([lambda n=n: serve(n) for n in range(8)])
    finally:
        sys.setswitchinterval(before)
    assert results == [[n * s if s % 2 == 0 else n - s for s in range(30)] for n in range(8)]


def test_one_thread_watches_the_collectives_of_all(monkeypatch):
    made = []

    class Watcher:
        def __init__(self, target, daemon, name):
            time.sleep(0.01)  # long enough for the others to come
            made.append(name)

        def start(self):
            pass

    def wait():
        with agreement.watching([]):
            time.sleep(0.01)

    monkeypatch.setattr(agreement, "_watcher", [])
    threads = type("threads", (), {"Thread": Watcher, "Lock": threading.Lock})
    monkeypatch.setattr(agreement, "threading", threads)
    all_at_once([wait] * 8)
    assert made == ["msjax collectives"] and not agreement._waiting


def test_threads_parse_at_once():
    """CPython 3.11 raises SystemError when the collector calls Python code (JAX's does) while several threads parse."""

    def pause(phase, info):
        return [n for n in range(30)]

    text, threshold, interval = pathlib.Path(__file__).read_text(), gc.get_threshold(), sys.getswitchinterval()
    gc.callbacks.append(pause)
    gc.set_threshold(200)
    sys.setswitchinterval(1e-6)
    try:
        trees = all_at_once([lambda: [syntax.parse(text) for _ in range(3)]] * 8)
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*threshold)
        gc.callbacks.remove(pause)
    assert {len(tree.body) for found in trees for tree in found} == {len(trees[0][0].body)}
