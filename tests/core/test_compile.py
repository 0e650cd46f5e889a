"""Compilation: what is traced once, what retraces, what state comes out, what stays valid."""

import collections
import gc
import operator
import warnings

import jax
import jax.numpy as jnp
import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops

from msjax.core.trace import compile as compiler


def f32(*values):
    return Tensor(np.array(values, np.float32))


class Traces:
    """How often a function was traced: what Python changes in lists is made again at each run, an iterator of C is not."""

    def __init__(self):
        self.counter = iter(range(1000))

    def __len__(self):
        return 1000 - operator.length_hint(self.counter)


class Counter(nn.Cell):
    """Counts its calls in a Parameter, and its traces in a list."""

    def __init__(self):
        super().__init__()
        self.calls = Parameter(Tensor(0, ms.int32), name="calls", requires_grad=False)
        self.w = Parameter(f32(2, 3), name="w")
        self.k = 1.0
        self.traces = Traces()

    def construct(self, x):
        next(self.traces.counter)
        self.calls += 1
        return x * self.w * self.k


@pytest.fixture
def graph():
    ms.set_context(mode=ms.GRAPH_MODE)


# --- tracing
def test_user_python_runs_once_a_signature(graph):
    net = Counter()
    for _ in range(3):
        net(f32(1, 1))
    assert len(net.traces) == 1 and int(net.calls) == 3
    net(Tensor(np.ones((4, 2), np.float32)))
    assert len(net.traces) == 2 and int(net.calls) == 4


def test_a_changed_attribute_retraces(graph):
    net = Counter()
    assert net(f32(1, 1)).asnumpy().tolist() == [2, 3]
    net.k = 10.0
    assert net(f32(1, 1)).asnumpy().tolist() == [20, 30]
    net.k = 10.0  # the same value: no new trace
    net(f32(1, 1))
    assert len(net.traces) == 2


def test_a_replaced_parameter_retraces(graph):
    net = Counter()
    net(f32(1, 1))
    net.w = Parameter(f32(5, 7), name="w")
    assert net(f32(1, 1)).asnumpy().tolist() == [5, 7]


def test_set_data_needs_no_trace(graph):
    net = Counter()
    net(f32(1, 1))
    net.w.set_data(f32(5, 7))
    assert net(f32(1, 1)).asnumpy().tolist() == [5, 7] and len(net.traces) == 1


def test_train_and_eval_are_both_kept(graph):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.traces = Traces()

        def construct(self, x):
            next(self.traces.counter)
            return x + 1 if self.training else x

    net, x = Net(), f32(1)
    for _ in range(3):
        net.set_train(True)
        assert float(net(x)) == 2
        net.set_train(False)
        assert float(net(x)) == 1
    assert len(net.traces) == 2


def test_a_changed_captured_tensor_retraces():
    table = f32(1, 2)

    @ms.jit
    def f(x):
        return x + table

    assert f(f32(0, 0)).asnumpy().tolist() == [1, 2]
    table[0] = 9.0
    assert f(f32(0, 0)).asnumpy().tolist() == [9, 2]


def test_python_numbers_are_constants_unless_mutable():
    traces = Traces()

    @ms.jit
    def f(x, k):
        next(traces.counter)
        return x * k

    for k in (2, 3, 3):
        assert float(f(f32(1), k)) == k
    assert len(traces) == 2
    for k in (4, 5):
        assert float(f(f32(1), ms.mutable(k))) == k
    assert len(traces) == 3


def test_mutable_numbers_leave_as_numbers():
    found = ms.jit(lambda x: (ms.mutable(2.0), x, ms.mutable((1, 2.0))))(f32(1))
    assert type(found[0]) is float and [type(v) for v in found[2]] == [int, float]
    assert found[0] == 2.0 and found[2] == (1, 2.0)


def test_mutable_numbers_are_numbers():
    """They take the dtype of the Tensor that they meet; among themselves they stay numbers."""

    @ms.jit
    def f(x, k):
        if k > 1:
            x = x + k
        return x, ops.maximum(x, k), k, k + 1, k / 2, {"k": [k]}, Tensor(k)

    for x, k in ((Tensor([1, 2], ms.float16), 2.0), (Tensor([1, 2], ms.int32), 2)):
        total, larger, *numbers, lists, tensor = f(x, ms.mutable(k))
        assert total.dtype == larger.dtype == x.dtype and total.asnumpy().tolist() == [3, 4]
        assert numbers == [k, k + 1, k / 2] and [type(n) for n in numbers] == [type(k), type(k), float]
        assert lists == {"k": [k]} and type(lists["k"][0]) is type(k)
        assert tensor.dtype == (ms.float32 if type(k) is float else ms.int64)
    both = ms.jit(lambda x, k: ms.value_and_grad(lambda x, k: (x * k).sum(), 1)(x, k))
    value, gradient = both(Tensor([1, 2], ms.float16), ms.mutable(2.0))
    assert (value.dtype, gradient.dtype, float(gradient)) == (ms.float16, ms.float32, 3.0)


def test_static_results_and_structures():
    @ms.jit
    def f(x):
        return {"a": (x, 3), "b": [None, "text", x.shape]}

    out = f(f32(1, 2))
    assert out["a"][0].asnumpy().tolist() == [1, 2] and out["a"][1] == 3 and out["b"] == [None, "text", (2,)]


def test_a_generator_is_a_list_as_result():
    @ms.jit
    def multiples(x):
        return (x * i for i in range(4) if i % 2)

    assert [v.asnumpy().tolist() for v in multiples(f32(1, 2))] == [[1, 2], [3, 6]]


def test_state_of_closures_is_found():
    net = Counter()
    extra = Parameter(f32(1, 1), name="extra")

    def train(x):
        extra.set_data(extra + 1)
        return net(x) + extra

    jitted = ms.jit(train)
    assert jitted(f32(1, 1)).asnumpy().tolist() == [4, 5]
    assert jitted(f32(1, 1)).asnumpy().tolist() == [5, 6]
    assert int(net.calls) == 2 and extra.asnumpy().tolist() == [3, 3]


def test_cells_hidden_in_plain_objects_are_found():
    class Trainer:
        def __init__(self):
            self.nets = {"a": Counter()}

        @ms.jit
        def step(self, x):
            return self.nets["a"](x)

    trainer = Trainer()
    trainer.step(f32(1, 1))
    trainer.step(f32(1, 1))
    assert int(trainer.nets["a"].calls) == 2 and len(trainer.nets["a"].traces) == 1


def test_arguments_changed_in_place_change_outside():
    """By a method; by an index, `x[0] = 7.0`, they do not: tests/core/test_items_of_variables.py."""

    @ms.jit
    def f(x):
        x.add_(7.0)
        return x.sum()

    x = f32(1, 2)
    assert float(f(x)) == 17 and x.asnumpy().tolist() == [8, 9]


def test_a_tensor_attribute_changed_in_place_is_state(graph):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.buffer = f32(0, 0)

        def construct(self, x):
            self.buffer[0] = self.buffer[0] + x[0]
            return self.buffer.sum()

    net = Net()
    assert [float(net(f32(2))) for _ in range(3)] == [2, 4, 6] and net.buffer.asnumpy().tolist() == [6, 0]


# --- donation
def test_nothing_that_a_user_holds_is_deleted(graph):
    net = Counter()
    held, twin = net.w.value(), Parameter(net.w, name="twin")
    alias = net.w.reshape(2)
    view = np.asarray(net.w)

    @ms.jit
    def change():
        net.w.set_data(net.w + 1)
        return net.w

    out = change()
    change()
    for tensor in (held, twin):
        assert tensor.asnumpy().tolist() == [2, 3]
    assert alias.asnumpy().tolist() == [4, 5]  # a view follows its Parameter, as MindSpore's does
    assert view.tolist() == [2, 3] and out.asnumpy().tolist() == [3, 4] and net.w.asnumpy().tolist() == [4, 5]


def test_two_parameters_on_one_array_are_not_donated_twice():
    a, b = Parameter(f32(1), name="a"), Parameter(f32(2), name="b")
    b._rebind_raw(a._raw, None)

    @ms.jit
    def step():
        a.set_data(a + 1)
        b.set_data(b + 2)

    step()
    step()
    assert float(a) == 3 and float(b) == 5


def test_written_state_is_donated(graph):
    big = Parameter(Tensor(np.zeros(4096, np.float32)), name="big")

    @ms.jit
    def step():
        big.set_data(big + 1)

    step()
    places = []
    for _ in range(4):
        step()
        places.append(big._raw.unsafe_buffer_pointer())
    assert len(set(places)) == 1, "the new value does not stand where the old one stood"


def test_memory_stays_flat_over_many_steps(graph):
    net = Counter()
    x = f32(1, 1)
    net(x)
    gc.collect()
    before = len(jax.live_arrays())
    for _ in range(2000):
        net(x)
    gc.collect()
    assert len(jax.live_arrays()) <= before + 2 and int(net.calls) == 2001


# --- failures leave everything as it was
@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_an_exception_in_construct_changes_nothing(mode):
    ms.set_context(mode=mode)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.n = Parameter(Tensor(1.0), name="n")
            self.fails = True

        def construct(self, x):
            self.n += x
            if self.fails:
                raise KeyError("own error")
            return self.n * 1

    net = Net()
    for run in (
        lambda: net(Tensor(5.0)),
        lambda: ops.grad(net)(Tensor(5.0)),
        lambda: ms.jit(lambda x: net(x))(Tensor(5.0)),
    ):
        with pytest.raises(KeyError, match="own error"):
            run()
        assert float(net.n) == 1
    net.fails = False
    assert float(net(Tensor(5.0))) == 6 and float(net.n) == 6


def test_an_exception_in_a_traced_branch_changes_nothing():
    n = Parameter(Tensor(1.0), name="n")

    @ms.jit
    def f(x):
        n.set_data(n + 1)
        if x > 0:
            n.set_data(n + 10)
            return ops.matmul(x, x)  # wrong: no axes
        return x

    with pytest.raises(ValueError, match="matmul"):
        f(Tensor(1.0))
    assert float(n) == 1
    assert float(f(Tensor(-1.0))) == -1 and float(n) == 2


def test_a_tensor_kept_on_self_has_the_value_of_the_last_run(graph):
    class Net(nn.Cell):
        def construct(self, x):
            self.saved = x * 2
            return x

    net = Net()
    net(f32(1))
    assert net.saved.asnumpy().tolist() == [2]
    net(f32(3))
    assert net.saved.asnumpy().tolist() == [6]


def test_what_makes_parameters_in_construct_runs_eagerly(graph):
    class Net(nn.Cell):
        def construct(self, x):
            return nn.Dense(1, 1, weight_init="ones")(Parameter(x, name="p") * 2)

    net = Net()
    with pytest.warns(RuntimeWarning, match="make Parameters in __init__"):
        assert float(net(f32(1).reshape(1, 1)) - net(f32(1).reshape(1, 1))) < 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net(f32(1).reshape(1, 1))


def test_assigning_inside_jax_jit_says_so():
    p = Parameter(Tensor(1.0), name="p")
    with pytest.raises(RuntimeError, match="'p' was assigned a traced value outside any msjax transform"):
        jax.jit(lambda x: p.set_data(Tensor(x)))(jnp.float32(2))


def test_assigning_inside_a_jax_scan_says_so():
    p = Parameter(Tensor(1.0), name="p")

    @ms.jit
    def f(x):
        def body(carry, _):
            p.set_data(p + 1)
            return carry, None

        return Tensor(jax.lax.scan(body, x._data, None, length=2)[0])

    with pytest.raises(RuntimeError, match="'p' was assigned inside a jax transform"):
        f(Tensor(1.0))


def test_numpy_numbers_leave_a_graph_as_python_numbers():
    @ms.jit
    def f(x, v):
        return x, v, np.float32(2.5), list(np.array([1, 2])), {"a": np.array([True])[0]}, np.array([3])

    _, *found, array = f(Tensor(1.0), np.int64(3))
    assert repr(found) == "[3, 2.5, [1, 2], {'a': True}]"
    assert isinstance(array, np.ndarray)


# --- fallback
def test_what_cannot_be_staged_runs_eagerly_with_one_warning():
    @ms.jit
    def f(x):
        if float(x.asnumpy()) > 0:
            return x * 2
        return x

    with pytest.warns(RuntimeWarning, match=r"runs eagerly for this signature .*test_compile\.py:\d+") as record:
        assert float(f(Tensor(2.0))) == 4
    assert len(record) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert float(f(Tensor(-2.0))) == -2


def test_fullgraph_makes_it_an_error():
    @ms.jit(fullgraph=True)
    def f(x):
        return x * float(x.asnumpy())

    with pytest.raises(RuntimeError, match="cannot be compiled as one graph"):
        f(Tensor(2.0))


def test_the_loss_scale_branch_compiles():
    count = Parameter(Tensor(0), name="count")

    class Optimizer(nn.Cell):
        def construct(self, g):
            count.set_data(count + 1)
            return True

    optimizer = Optimizer()

    @ms.jit(fullgraph=True)
    def step(loss, overflow):
        if not overflow:
            loss = ops.depend(loss, optimizer(loss))
        return loss

    step(Tensor(1.0), Tensor(True))
    assert int(count) == 0
    step(Tensor(1.0), Tensor(False))
    assert int(count) == 1


# --- what a train step looks like
def train_step():
    net = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 2))
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(
        nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")), optimizer
    )
    step.set_train()
    return step, Tensor(np.ones((3, 4), np.float32)), Tensor(np.zeros(3, np.int32))


def test_no_float64_in_a_float32_train_step(graph):
    step, x, y = train_step()
    entry = step.entry_for(x, y)
    jaxpr = str(
        jax.make_jaxpr(entry.program.pure)(
            [p._raw for p in entry.state.written], [p._raw for p in entry.state.read], [x._data, y._data]
        )
    )
    assert "f64" not in jaxpr and "c128" not in jaxpr


def test_no_tracer_leaks(graph):
    with jax.check_tracer_leaks():
        step, x, y = train_step()
        first = float(step(x, y))
        assert float(step(x, y)) < first


def test_the_user_train_step_runs_its_network_once(graph):
    class Step(nn.Cell):
        def __init__(self, net, optimizer):
            super().__init__(auto_prefix=False)
            self.net, self.optimizer, self.weights = net, optimizer, optimizer.parameters
            self.grad = ops.GradOperation(get_by_list=True)

        def construct(self, x):
            loss = self.net(x)
            grads = self.grad(self.net, self.weights)(x)
            return ops.depend(loss, self.optimizer(grads))

    net = Counter()
    Step(net, nn.SGD(net.trainable_params(), 0.1))(f32(1, 1))
    assert int(net.calls) == 1


def test_explain_tells_why(graph):
    import msjax

    net = Counter()
    net(f32(1, 1))
    net.k = 2.0
    net(f32(1, 1))
    text = str(msjax.explain(net))
    assert "2 traces" in text and "the attribute 'k' of a Counter changed" in text


def test_compiled_functions_are_collected():
    def make():
        return ms.jit(lambda x: x + 1)

    before = len(compiler.instances())
    for _ in range(5):
        make()(f32(1))
    gc.collect()
    assert len(compiler.instances()) <= before + 1


class Record(collections.OrderedDict):
    """Entries as attributes, too, and by number: what models return in many libraries."""

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        super().__setattr__(key, value)

    def __getitem__(self, key):
        return list(self.values())[key] if isinstance(key, int) else super().__getitem__(key)


def test_mappings_keep_their_class():
    traces = Traces()

    @ms.jit
    def double(record):
        next(traces.counter)
        return Record(x=record.x * 2, note="doubled", inner=Record(y=record[0]))

    for value in (1.0, 5.0):
        out = double(Record(x=Tensor([value]), name="a"))
        assert type(out) is type(out.inner) is Record and out.note == "doubled"
        assert (out.x.asnumpy(), out[0].asnumpy(), out.inner.y.asnumpy()) == ([2 * value], [2 * value], [value])
    assert len(traces) == 1
