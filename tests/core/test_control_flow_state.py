"""State, gradients and errors under control flow on Tensors."""

import itertools
import linecache
import traceback
import warnings

import jax
import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, mutable, nn, ops


def tensor(*values):
    return Tensor(np.array(values, np.float32))


class Counting(nn.Cell):
    """MindSpore in GRAPH_MODE gives the values of `test_parameters_in_branch_and_loop` for it."""

    def __init__(self):
        super().__init__()
        self.hits = Parameter(tensor(0.0), name="hits")
        self.acc = Parameter(tensor(0.0), name="acc")

    def construct(self, x):
        if x.sum() > 0:
            self.hits += 1
            y = x * 2
        else:
            y = -x
        while self.acc < y.sum():
            self.acc += 1
        return y


def test_parameters_in_branch_and_loop(mode):
    net = Counting()
    seen = []
    for value in (2.0, -3.0, 5.0):
        y = net(tensor(value))
        seen.append((float(y), float(net.hits), float(net.acc)))
    assert seen == [(4, 1, 4), (3, 1, 4), (10, 2, 10)]


def test_optimizer_under_a_condition(mode):
    class Step(nn.Cell):
        def __init__(self, network, optimizer):
            super().__init__()
            self.network, self.optimizer = network, optimizer
            self.grad = ops.GradOperation(get_by_list=True)

        def construct(self, x):
            loss = self.network(x).sum()
            grads = self.grad(self.network, self.optimizer.parameters)(x)
            overflow = not ops.isfinite(loss)
            if not overflow:
                loss = ops.depend(loss, self.optimizer(grads))
            return loss, overflow

    net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
    step = Step(net, nn.Momentum(net.trainable_params(), 0.1, 0.9))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it compiles: no fallback
        loss, overflow = step(Tensor(np.array([[1.0, 2.0]], np.float32)))
        assert float(loss) == 3 and not bool(overflow)
        weight = net.weight.asnumpy()
        assert np.allclose(weight, [[0.9, 0.8]])
        _, overflow = step(Tensor(np.array([[np.inf, 2.0]], np.float32)))
    assert bool(overflow) and np.array_equal(net.weight.asnumpy(), weight)


def grad_if(x):
    if x.sum() > 0:
        y = x * x
    else:
        y = x * 3
    return y.sum()


def grad_loop(x):
    for i in range(4):
        if x.sum() > 10:
            break
        x = x * (i + 2)
    return (x * x).sum()


def grad_early_return(x):
    if x.sum() > 0:
        return (x**3).sum()
    x = x * 2
    if x.min() < -4:
        return x.sum()
    return (x * x).sum()


@pytest.mark.parametrize("fn", [grad_if, grad_loop, grad_early_return], ids=lambda f: f.__name__)
@pytest.mark.parametrize("values", [(1.0, 2.0), (-1.0, 0.5), (-3.0, -4.0)])
def test_gradient_through_branches(fn, values):
    x = tensor(*values)
    expected = ops.grad(fn)(x)
    compiled = ms.jit(lambda x: ops.grad(fn)(x), fullgraph=True)(x)
    outside = ops.grad(ms.jit(fn, fullgraph=True))(x)
    second = ms.jit(lambda x: ops.grad(lambda x: ops.grad(fn)(x).sum())(x), fullgraph=True)(x)
    assert np.allclose(compiled.asnumpy(), expected.asnumpy()) and np.allclose(outside.asnumpy(), expected.asnumpy())
    assert np.allclose(second.asnumpy(), ops.grad(lambda x: ops.grad(fn)(x).sum())(x).asnumpy())


def loop_without_bound(x):
    while x.sum() < 100:
        x = x * 2
    return x.sum()


def test_gradient_through_unbounded_while_is_compiled():
    x = tensor(1.0, 2.0)
    compiled = ms.jit(lambda x: ops.grad(loop_without_bound)(x), fullgraph=True)
    assert np.allclose(compiled(x).asnumpy(), ops.grad(loop_without_bound)(x).asnumpy())
    forward = ms.jit(loop_without_bound, fullgraph=True)
    assert float(forward(x)) == float(loop_without_bound(x))


def test_weights_gradient_with_condition_in_cell(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(tensor(2.0), name="w")
            self.calls = Parameter(tensor(0.0), name="calls", requires_grad=False)

        def construct(self, x):
            self.calls += 1
            if x.sum() > 0:
                return (x * self.w).sum()
            return (x * self.w * self.w).sum()

    net = Net()
    step = ops.value_and_grad(net, None, net.trainable_params())
    for value, loss, slope in ((3.0, 6.0, 3.0), (-1.0, -4.0, -4.0)):
        got, grads = step(tensor(value))
        assert (float(got), float(grads[0])) == (loss, slope)
    assert float(net.calls) == 2


def test_random_state_in_a_branch():
    drop = nn.Dropout(p=0.5)
    drop.set_train()

    def fn(x):
        if x.sum() > 0:
            x = drop(x)
        return x

    compiled = ms.jit(fn, fullgraph=True)
    x = Tensor(np.ones(200, np.float32))
    first, second = compiled(x).asnumpy(), compiled(x).asnumpy()
    assert 50 < (first == 0).sum() < 150 and not np.array_equal(first, second)
    assert np.array_equal(compiled(-x).asnumpy(), -np.ones(200, np.float32))


def test_print_shows_values_when_it_is_reached(capsys):
    def fn(x):
        if x.sum() > 0:
            print("positive", x, f"sum={x.sum()} {x!r:>60}", "{} of {}".format(x, 3))  # noqa: UP032
        n = 0
        while n < x.max():
            n += 1
            print(n)
        return x

    compiled = ms.jit(fn, fullgraph=True)
    for values in ((1.0, 2.0), (-1.0, 0.5), (1.0, 2.0)):
        compiled(tensor(*values)).asnumpy()
        jax.effects_barrier()
    got = capsys.readouterr().out
    for values in ((1.0, 2.0), (-1.0, 0.5), (1.0, 2.0)):
        fn(tensor(*values))
    assert got == capsys.readouterr().out


def test_nothing_stays_when_a_branch_fails():
    box = {"n": 1}
    p = Parameter(tensor(1.0), name="p")
    kept = tensor(5.0)

    def fn(x):
        if x.sum() > 0:
            box["n"] = 2
            kept[0] = 7.0
            p.set_data(p + 1)
            raise KeyError("inside")
        return x

    compiled = ms.jit(fn)
    with pytest.warns(RuntimeWarning, match="raises KeyError"):
        compiled(tensor(-1.0))
    assert box == {"n": 1} and float(kept[0]) == 5 and float(p) == 1
    with pytest.raises(KeyError, match="inside"):
        compiled(tensor(1.0))
    assert box["n"] == 2 and float(p) == 1  # a list or dict is the user's own, a Parameter is rolled back


def test_module_variable():
    def fn(x):
        global counter
        if x.sum() > 0:
            counter = counter + x.sum()
        return x + counter

    globals()["counter"] = tensor(1.0)
    compiled = ms.jit(fn, fullgraph=True)
    assert float(compiled(tensor(2.0))[0]) == 5


def test_set_in_one_branch_is_named():
    def fn(x):
        if x.sum() > 0:
            z = x
        return z

    compiled = ms.jit(fn, fullgraph=True)
    with pytest.raises(RuntimeError, match="the local variable 'z' has no value here: .* set in the true branch only"):
        compiled(tensor(1.0))
    compiled = ms.jit(fn)
    with pytest.warns(RuntimeWarning, match="'z'"):
        assert float(compiled(tensor(1.0))) == 1
    with pytest.raises(UnboundLocalError, match="'z' has no value here: .* set in the true branch only"):
        compiled(tensor(-1.0))


def test_several_elements_are_no_condition():
    def fn(x):
        if x > 0:
            return x
        return -x

    with pytest.raises(ValueError, match="more than one element"):
        fn(tensor(1.0, 2.0))
    with pytest.raises(ValueError, match=r"Only tensor which shape is \(\) or \(1,\) can be converted to bool"):
        ms.jit(fn)(tensor(1.0, 2.0))


def failing(x):
    if x.sum() > -1e9:
        x = x * 2
    for i in range(3):
        x = x + i
        if i == 1:
            y = ops.matmul(x, ops.ones((7, 7), ms.float32))
    return y


def test_traceback_shows_the_users_lines():
    with pytest.raises(RuntimeError) as caught:
        ms.jit(failing)(tensor(1.0, 2.0))
    frames = [
        f for f in traceback.extract_tb(caught.value.__traceback__) if f.filename == __file__ and f.name == "failing"
    ]
    first = failing.__code__.co_firstlineno
    lines = [linecache.getline(__file__, f.lineno).strip() for f in frames]
    assert lines[0] == "for i in range(3):" and lines[1] == "if i == 1:" and "ops.matmul" in lines[2]
    assert all(first < f.lineno < first + 10 for f in frames)


def test_no_tracer_leaks():
    with jax.check_tracer_leaks():
        test_parameters_in_branch_and_loop("")
        for fn in (grad_if, grad_loop, grad_early_return):
            found = ms.jit(fn, fullgraph=True)(tensor(1.0, -0.5))
            assert found.asnumpy().tolist() == fn(tensor(1.0, -0.5)).asnumpy().tolist()


def test_functions_without_source_stay_as_they_are():
    namespace = {}
    exec("def fn(x):\n    if x.sum() > 0:\n        return x\n    return -x\n", namespace)
    compiled = ms.jit(namespace["fn"])
    with pytest.warns(RuntimeWarning, match="content of a traced Tensor"):
        assert float(compiled(tensor(-3.0))) == 3


def test_changes_are_seen_by_the_caller():
    """Closures, module variables and defaults are those of the function itself."""
    factor = 2.0

    def fn(x, *, extra=[1.0]):  # noqa: B006
        if x.sum() > 0:
            return x * factor + extra[0]
        return x

    assert float(ms.jit(fn, fullgraph=True)(tensor(1.0))) == 3
    factor = 5.0
    fn.__kwdefaults__["extra"][0] = 10.0
    assert float(ms.jit(fn, fullgraph=True)(tensor(1.0))) == 15


def test_user_code_runs_once_for_each_branch():
    true, false = itertools.count(), itertools.count()  # iterators of C: what Python does to a list would be undone

    def counted(x):
        if x.sum() > 0:
            next(true)
            y = x
        else:
            next(false)
            y = -x
        return y

    ms.jit(counted, fullgraph=True)(tensor(1.0))
    assert (next(true), next(false)) == (1, 1)


def test_gradient_of_a_while_whose_condition_reads_what_it_does_not_change():
    """... within a branch: the condition closes over values of the trace outside."""

    @ms.jit
    def slope(x, y, limit):
        def fn(x):
            z = y
            if (x * x > -0.35).any():
                n = Tensor(0, ms.int32)
                while n < 3 and z.sum() < limit.sum():
                    z = z * x
                    n = n + 1
            return z.sum()

        return ms.grad(fn)(x)

    found = slope(Tensor([2.0, 3.0]), Tensor([1.0, 1.0]), Tensor([20.0, 20.0]))
    assert found.asnumpy().tolist() == [12.0, 27.0]


steps = 3


def test_a_variable_that_is_read_before_it_is_bound_begins_as_that_of_the_module():
    """MindSpore 2.10 gives 4.0, 6 and 3, (3.0, 5) and 1.0 in a graph; outside one it is Python's error."""

    def one_more(x):
        steps += 1  # noqa: F823
        return x * steps

    def of_a_loop(x):
        total = [steps * i for i in range(3)]
        steps = sum(total[1:2])
        return total[2], steps

    def under_a_condition(x):
        while x < 5:
            steps += 1  # noqa: F823
            x = x + steps
        return x, steps

    def of_python(x):
        abs = abs(x)  # noqa: F823
        return abs

    assert float(ms.jit(one_more)(tensor(1.0))) == 4.0
    assert ms.jit(of_a_loop)(tensor(1.0)) == (6, 3)
    x, count = ms.jit(under_a_condition)(Tensor(-1.0))
    assert (float(x), int(count)) == (8.0, 5)
    assert float(ms.jit(of_python)(tensor(-1.0))) == 1.0
    assert steps == 3
    with pytest.raises(UnboundLocalError):
        one_more(tensor(1.0))


class Freezes(nn.Cell):
    """`w` is frozen after its first use, and followed again for its third if `again`."""

    def __init__(self, again):
        super().__init__()
        self.w = Parameter(tensor(2.0), name="w")
        self.again = again

    def construct(self, x):
        y = self.w * x
        self.w.requires_grad = False
        y = y + self.w * 10
        self.w.requires_grad = self.again
        return y + self.w * 100


@pytest.mark.parametrize("again, first, expected", [(False, True, 0), (True, True, 103), (True, False, 100)])
def test_a_parameter_frozen_on_the_way_forward(again, first, expected):
    """As recorded from MindSpore 2.10 in PYNATIVE_MODE."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = Freezes(again)
    net.w.requires_grad = first
    for _ in range(2):
        net.w.requires_grad = first
        assert float(ms.grad(net, None, [net.w])(tensor(3.0))[0]) == expected
    net.w.requires_grad = True
    assert float(ms.grad(lambda x: net.w * x, None, [net.w])(tensor(3.0))[0]) == 3


def test_a_range_up_to_a_number_that_a_branch_writes():
    """MindSpore 2.10 in GRAPH_MODE: 2.0, then 3.0."""

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.n = 1

        def construct(self, x):
            count = x * 0
            for _ in range(self.n + 1):
                count = count + 1
            if x > 0:
                self.n = 2
            return count

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    assert [float(net(Tensor(1.0))) for _ in range(2)] == [2.0, 3.0]


@ms.jit
def _add_to_array():
    x = np.array([1, 2])
    other = x
    x += 1.5
    return Tensor(x), Tensor(other)


@ms.jit
def _add_to_item():
    held = {"a": np.array([1, 2])}
    other = held["a"]
    held["a"] /= 2
    return Tensor(held["a"]), Tensor(other)


@ms.jit
def _add_to_list():
    x = [1, 2]
    other = x
    x += [3]
    return x, other


@ms.jit
def _repeat_list(x):
    x *= 2
    return x


def test_augmented_assignment_to_an_array_or_a_list_makes_a_new_object():
    new, old = _add_to_array()
    assert new.dtype == ms.float64 and new.tolist() == [2.5, 3.5] and old.tolist() == [1, 2]
    new, old = _add_to_item()
    assert new.tolist() == [0.5, 1] and old.tolist() == [1, 2]
    assert _add_to_list() == ([1, 2, 3], [1, 2])
    given = [1]
    assert _repeat_list(given) == [1, 1] and given == [1]


@ms.jit
def _known_conditions(x):
    a = b = c = d = e = 0
    if x == 2:  # @jit.cond: False
        a = 1
    if x == 3:
        b = 1
    elif x == 2:  # @jit.cond: False
        b = 2
    # @jit.cond: True
    if x == 3:
        c = 1
    if x == 2 and x > 0:  # @jit.cond: False
        d = 1
    if x == 2:  # not @jit.cond: False
        e = 1
    return a, b, c, d, e


def test_a_comment_says_which_branch_a_graph_takes():
    """As MindSpore 2.10 does."""
    assert _known_conditions(Tensor(2)) == (0, 0, 1, 0, 1)


@ms.jit
def _constants(x, count, pair):
    made = mutable(2)
    return [ops.isconstant(v) for v in (1, (1, 2), x, x.shape, [x], count, [count], pair, made, mutable((1, 2)))]


def test_what_is_constant_in_a_graph():
    """As MindSpore 2.10 does; eagerly everything is constant."""
    found = _constants(Tensor(1), mutable(1), mutable((1, 2)))
    assert found == [True, True, False, True, False, False, False, False, False, False]
    assert ops.isconstant(mutable(1)) and ops.isconstant([Tensor(1)])


# --- conditions of constants
class Warm(nn.Cell):
    """A learning rate as MindFormers computes it: its branches have other shapes."""

    def __init__(self, steps):
        super().__init__()
        self.steps, self.one = Tensor(steps, ms.float32), Tensor(1.0, ms.float32)

    def construct(self, step):
        if self.steps != 0 and self.steps > step:
            rate = 0.5 * (step / self.steps)
        else:
            rate = 0.5 * self.one
        return rate


class Shown(nn.Cell):
    def __init__(self, limit):
        super().__init__()
        self.limit = Tensor(limit, ms.float32)

    def construct(self, x):
        if self.limit > 2:
            return x
        return x.sum()


def test_a_condition_of_constants_is_decided(recwarn):
    ms.set_context(mode=ms.GRAPH_MODE)
    assert Warm(0)(Tensor([3], ms.int32)).shape == ()
    net, x = Shown(1.0), Tensor([3.0, 4.0])
    assert net(x).asnumpy().tolist() == 7.0
    net.limit = Tensor(4.0)
    assert net(x).asnumpy().tolist() == [3.0, 4.0]
    assert not [w for w in recwarn if "runs eagerly" in str(w.message)]


def _through(method):
    def called(owner, *args):
        return method(owner, *args)

    return called


class WithoutSelf(nn.Cell):
    """Methods whose first parameter is not `self`; in graphs MindSpore gives them the arguments of the call alone."""

    def part(x, y):  # noqa: N805
        return ops.div(x, y)

    def half(x, y=2.0):  # noqa: N805
        return ops.div(x, y)

    def known(x):  # noqa: N805
        return x + 1 if x < 0 else ops.div(x, self.by)  # noqa: F821

    def own(this, x):  # noqa: N805
        return ops.div(x, this.by)

    @_through
    def wrapped(self, x, y=4.0):
        return ops.div(x, y)

    def __init__(self, name):
        super().__init__()
        self.by, self.called = 4.0, name

    def construct(self, x, y):
        if self.called == "part":
            return self.part(x, y)
        if self.called == "half":
            return self.half(x)
        if self.called == "known":
            return self.known(x)
        return self.own(x) if self.called == "own" else self.wrapped(x)


@pytest.mark.parametrize(
    ("name", "value"), [("part", 4.0), ("half", 4.0), ("known", 2.0), ("own", 2.0), ("wrapped", 2.0)]
)
def test_methods_without_self(name, value):
    ms.set_context(mode=ms.GRAPH_MODE)
    assert WithoutSelf(name)(tensor(8.0), tensor(2.0)).asnumpy() == value
