"""What compiled functions do to Python objects, and what they read of them: as if they ran at every call.

The values of numbers, Tensors and texts are those of MindSpore 2.10 in both modes; those of lists and dicts are those of its
PYNATIVE_MODE (its graphs drop such changes).
"""

import copy
import warnings

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops

import msjax


def f32(*values):
    return Tensor(np.array(values, np.float32))


X = (1.0, 2.0)


def plain(value):
    """Numbers and lists in the place of Tensors."""
    if isinstance(value, Tensor):
        return value.asnumpy().tolist()
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return {k: plain(v) for k, v in value.items()} if isinstance(value, dict) else value


class Net(nn.Cell):
    """A Cell with one attribute `a`, computed by `step(self, x)`."""

    def __init__(self, a, step):
        super().__init__()
        self.a = a
        self.step = step

    def construct(self, x):
        return self.step(self, x)


def count(net, x):
    net.a = net.a + 1
    return net.a


def decay(net, x):
    net.a = net.a * 0.9
    return x * net.a


def keep(net, x):
    net.a = x if net.a is None else net.a + x
    return net.a * 2


def append(net, x):
    net.a.append(x)
    return len(net.a)


def log(net, x):
    net.a.append(x.sum())
    return x


def item(net, x):
    net.a["n"] = net.a["n"] + x
    return net.a["n"]


def flag(net, x):
    net.a = not net.a
    return x if net.a else x * 2


def text(net, x):
    net.a = net.a + "b"
    return net.a


def condition(net, x):
    if x.sum() > 0:
        net.a = net.a + 1
    return x * net.a


def loop(net, x):
    while x.sum() < 10:
        x = x * 2
        net.a = net.a + 1
    return x * net.a


def pop(net, x):
    net.a.pop()
    return x * len(net.a)


def clear(net, x):
    net.a.clear()
    return x


def queue(net, x):
    net.a.append(x * 2)
    return net.a.pop(0)


def alternate(net, x):
    if net.a:
        net.a.pop()
    else:
        net.a.append(1)
    return len(net.a)


def pair(net, x):
    net.a = (net.a[0] + 1, net.a[1] + x)
    return net.a


@pytest.mark.parametrize(
    "a, step, results, after",
    [
        (1, count, [2, 3, 4], 4),
        (1.0, decay, None, 0.7290000000000001),
        (None, keep, [[2, 4], [4, 8], [6, 12]], [3, 6]),
        ([1], append, [2, 3, 4], [1, [1, 2], [1, 2], [1, 2]]),
        ([], log, [[1, 2]] * 3, [3, 3, 3]),
        ({"n": 1.5}, item, [[2.5, 3.5], [3.5, 5.5], [4.5, 7.5]], {"n": [4.5, 7.5]}),
        (True, flag, [[2, 4], [1, 2], [2, 4]], False),
        ("a", text, ["ab", "abb", "abbb"], "abbb"),
        (1, condition, [[2, 4], [3, 6], [4, 8]], 4),
        (1, loop, [[12, 24], [20, 40], [28, 56]], 7),
        ([1, 2, 3, 4], pop, [[3, 6], [2, 4], [1, 2]], [1]),
        ([1, 2], clear, None, []),
        ({"n": 1}, clear, None, {}),
        ([0], queue, [0, [2, 4], [2, 4]], [[2, 4]]),
        ([1], alternate, [0, 1, 0], []),
        ((1, 2.0), pair, [(2, [3, 4]), (3, [4, 6]), (4, [5, 8])], (4, [5, 8])),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_attributes(mode, a, step, results, after):
    net = Net(copy.deepcopy(a), step)
    got = [plain(net(f32(*X))) for _ in range(3)]
    assert results is None or got == results
    assert plain(net.a) == after and type(net.a) is type(after) or isinstance(net.a, Tensor)


def test_a_list_that_was_there_before_is_the_result_itself():
    kept, table, traced = [3, 1], {"a": 1}, [Tensor(1.0)]

    @ms.jit
    def fn(x):
        kept.reverse()
        table["b"] = x
        traced.append(x)
        return kept, (table, [kept]), traced

    for length in (2, 3):
        found, (same, (inner,)), last = fn(f32(*X))
        assert found is kept and same is table and inner is kept and last is traced
        assert plain(table) == {"a": 1, "b": [1, 2]} and len(plain(traced)) == length
    assert kept == [3, 1]


def test_a_counter_compiles_once_more_and_then_never_again():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net(0, count)
    assert [net(f32(*X)) for _ in range(50)] == list(range(1, 51))
    assert len(net._compiled.history) == 1
    net.a = 1000
    assert net(f32(*X)) == 1001 and len(net._compiled.history) == 1


GLOBAL = 1
SETTINGS = {"scale": 2}


def test_variables_of_modules_and_functions():
    global GLOBAL
    GLOBAL, seen, k = 1, [], 1

    @ms.jit
    def f(x):
        global GLOBAL
        nonlocal k
        GLOBAL += 1
        k = k * 2
        seen.append(k)
        return x * GLOBAL * SETTINGS["scale"] + k

    assert plain([f(f32(1)) for _ in range(3)]) == [[6], [10], [16]]
    assert (GLOBAL, k, seen) == (4, 8, [2, 4, 8])
    GLOBAL, SETTINGS["scale"] = 10, 0
    assert plain(f(f32(1))) == [16] and GLOBAL == 11
    SETTINGS["scale"] = 2


@ms.jit_class
class State:
    def __init__(self):
        self.n, self.total = 1, Tensor(0.0)

    @property
    def double(self):
        return self.n * 2

    def add(self, x):
        self.n = self.n + 1
        self.total = self.total + x.sum()
        return self.total


def test_objects_as_arguments_and_shared_by_functions():
    state = State()
    first, second = ms.jit(lambda x, s: s.add(x) * s.double), ms.jit(lambda x: state.add(x * 2))
    assert plain([first(f32(1), state), second(f32(1)), first(f32(1), state)]) == [4, 3, 32]
    assert state.n == 4 and float(state.total) == 4
    state.n = 0
    assert float(first(f32(1), state)) == 10


def test_changed_attributes_of_objects_are_seen():
    class Config:
        scale = 3

    config = Config()
    f = ms.jit(lambda x: x * config.scale)
    assert plain(f(f32(1))) == [3]
    config.scale = 5
    assert plain(f(f32(1))) == [5]
    del config.scale
    Config.scale = 7
    assert plain(f(f32(1))) == [7]


def test_a_dict_that_answers_to_any_name():
    class Names(dict):
        __getattr__ = dict.__getitem__

    names = Names(a=2, b=3)
    assert plain(ms.jit(lambda x: x * names.a + names["b"])(f32(1))) == [5]


def test_an_object_made_of_traced_values_is_made_at_each_run():
    class Pair:
        def __init__(self, first, second):
            self.first, self.second = first, second

    def step(net, x):
        net.a = Pair(x * 2, [x])
        return x

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net(None, step)
    net(f32(1))
    old = net.a
    net(f32(2))
    assert plain([old.first, net.a.first, net.a.second]) == [[2], [4], [[2]]]


def test_an_abandoned_trace_leaves_nothing_behind():
    def step(net, x):
        net.a.append(x)
        return Tensor(x.asnumpy() * len(net.a))

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net([], step)
    with pytest.warns(RuntimeWarning, match="runs eagerly"):
        assert plain([net(f32(1)) for _ in range(3)]) == [[1], [2], [3]]
    assert len(net.a) == 3


def test_what_changes_at_each_call_and_decides_the_program_runs_eagerly_at_last():
    def step(net, x):
        net.a = net.a + "b"
        return x * len(net.a)

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net("", step)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert plain([net(f32(1)) for _ in range(24)]) == [[n] for n in range(1, 25)]
    assert any("changes at each call" in str(w.message) for w in caught)


def test_the_gradient_of_a_net_that_counts(mode):
    net = Net(1, lambda net, x: (x * x * count(net, x)).sum())
    grad = ops.grad(net)
    assert plain([grad(f32(*X)), grad(f32(*X))]) == [[4, 8], [6, 12]] and net.a == 3


def test_changes_in_a_recomputed_block():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net([], log)
    net.recompute()
    grad = ops.grad(lambda x: (net(x) * x).sum())
    assert plain([grad(f32(*X)), grad(f32(*X)), net.a]) == [[2, 4], [2, 4], [3, 3]]


# --- texts
@pytest.mark.parametrize(
    "fn, expected",
    [
        (lambda x: f"x: {x}", "x: [1. 2.]"),
        (lambda x: str(x * 2), "[2. 4.]"),
        (lambda x: "v %s" % x, "v [1. 2.]"),  # noqa: UP031
        (lambda x: "{}-{}".format(x, 1), "[1. 2.]-1"),  # noqa: UP032
        (lambda x: format(x), "[1. 2.]"),
    ],
)
def test_the_text_of_a_tensor_has_its_values(fn, expected):
    compiled = ms.jit(fn)
    with pytest.warns(RuntimeWarning, match="the text of a traced Tensor"):
        assert compiled(f32(*X)) == expected


def test_the_message_of_an_error_has_values():
    @ms.jit
    def f(x):
        if x.sum() > 1:
            raise ValueError(f"bad {x}")
        return x

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ValueError, match=r"bad \[1. 2.\]"):
            f(f32(*X))


# --- recursion
def test_recursion_on_a_tensor():
    @ms.jit
    def factorial(n):
        if n <= 1:
            return n
        return n * factorial(n - 1)

    with pytest.warns(RuntimeWarning, match="calls itself"):
        assert int(factorial(Tensor(5, ms.int32))) == 120


def test_endless_recursion_is_a_runtime_error():
    @ms.jit
    def f(n):
        return f(n + 1)

    with pytest.raises(RuntimeError):
        f(Tensor(5, ms.int32))


# --- smaller ones
def test_branches_of_unlike_types():
    def number(x):
        if x.sum() > 0:
            return x
        return 0

    def tuple_(x):
        if x.sum() > 0:
            return x, x
        return x

    def dtype(x):
        if x.sum() > 0:
            return x
        return x.astype(ms.int32)

    for fn in (number, tuple_, dtype):
        with pytest.raises(TypeError, match="Cannot join the return values of different branches.*unlike types"):
            ms.jit(fn)(f32(*X))


def test_numbers_chosen_by_a_tensor_are_numbers():
    def fn(x):
        if x.sum() > 0:
            return 1
        return 2

    assert [ms.jit(fn)(f32(v)) for v in (1, -1)] == [1, 2] and type(ms.jit(fn)(f32(1))) is int


def test_numbers_stay_numbers_where_the_other_branch_has_no_value_yet():
    def fn(x):
        n = 0
        if x > 0:
            n = n + 1
        if x > 5:
            return x, n
        if x < -5:
            return x, 7
        return x, n

    assert [ms.jit(fn)(f32(v))[1] for v in (9, 1, -1, -9)] == [1, 1, 0, 7]
    assert type(ms.jit(fn)(f32(9))[1]) is int


def test_truth_values_beside_true():
    def fn(x):
        found = False
        if x > 0:
            found = True
        if x > 5:
            return found
        return True

    assert [bool(ms.jit(fn)(f32(v))) for v in (9, 1, -1)] == [True, True, True]


def test_iterators_leave_as_mindspore_has_them():
    def fn(x):
        d = {"a": x, "b": x * 2}
        return map(lambda v: v + 1, [x]), zip([x], [1]), range(2), d.values()[1], filter(None, [0, 3])

    assert plain(ms.jit(fn)(f32(1))) == ([[2]], (([1], 1),), (0, 1), [2], [3])


def test_a_parameter_that_compiled_code_assigns_keeps_shape_and_type():
    """Recorded: `self.p = x` is Assign in a graph; what is assigned eagerly may have another shape."""

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.p = ms.Parameter(Tensor([1.0, 2.0]), name="p")

        def construct(self, x):
            self.p = x
            return self.p * 2

    net = Net()
    run = ms.jit(lambda x: net(x))
    assert plain(run(Tensor([3, 4], ms.int32))) == [6, 8] and net.p.dtype == ms.float32
    for value in (5.0, Tensor([1.0]), Tensor(5.0)):
        with pytest.raises(ValueError, match="shape"):
            run(value)
    with pytest.raises(TypeError, match="Data type conversion is not supported for a 'Parameter'"):
        run(Tensor(np.ones(2)))
    assert plain(net.p) == [3, 4]


def test_map_gives_what_it_goes_over():
    def fn(x):
        double = map(lambda v: v * 2, {1: 2, 3: 4}.values())
        return map(lambda v: v + 1, (1, 2, 3)), map(lambda v: v + x, (1, 2)), map(lambda v, w: v + w, [x], [x]), double

    assert plain(ms.jit(fn)(f32(1))) == ((2, 3, 4), ([2], [3]), [[2]], (4, 8))


def test_a_range_of_a_traced_bound_is_no_result():
    with pytest.raises(TypeError, match="input should be a int scalar but got"):
        ms.jit(lambda n: range(n, 10))(Tensor(3))


def test_tensors_in_lists():
    fn = ms.jit(lambda x, y: (x in [x, y], x in [1, 2], x not in (y,)))
    assert plain(fn(f32(*X), f32(3, 4))) == (True, False, True)


def test_a_tensor_of_one_element_in_a_list_is_compared_as_eagerly():
    def fn(x):
        return x in (6, -6), x not in [3, 4], x in [x.astype(ms.int32)], x in [x.reshape(1)], x in ()

    for value in (6, 3):
        expected = fn(f32(value))
        assert plain(ms.jit(fn)(f32(value))) == expected


def test_small_spellings():
    assert msjax.mutable(False) is False and msjax.constexpr is ops.constexpr
    ms.set_context(jit_level="O0")
    assert ms.get_context("jit_level") == "O0"


class Keeps(nn.Cell):
    def __init__(self):
        super().__init__()
        self.d, self.n = {"a": f32(2, 0, 1)}, 0

    def construct(self, x):
        self.d["a"] = x * 2
        self.n += 1
        return (x * self.d["a"]).sum()


@pytest.mark.parametrize(
    "transform", (lambda n, x: ms.jvp(n, (x,), (x,)), lambda n, x: ms.jacfwd(n)(x), lambda n, x: ms.jacrev(n)(x))
)
def test_state_kept_in_forward_mode(mode, transform):
    """What a function keeps while it is differentiated in forward mode are values, not JAX's tracers."""
    net, x = Keeps(), f32(0.5, -1.25, 2)
    for count in (1, 2):
        transform(net, x)
        assert plain(net.d["a"]) == [1.0, -2.5, 4.0]
        assert net.n == count


def test_vmap_refuses_to_keep_mapped_values():
    with pytest.raises(RuntimeError, match="kept in an attribute"):
        ms.vmap(Keeps())(f32(1, 2, 3).reshape(3, 1))


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("reads", [False, True])
@pytest.mark.filterwarnings("ignore:.*runs eagerly")
def test_vmap_writes_the_parameters_that_it_maps(mode, axis, reads):
    """As MindSpore does: each slice is written where it came from. reads: with a value that needs the eager form."""
    ms.set_context(mode=mode)
    given, fixed = f32(1, 2, 3, 4, 5, 6).reshape(2, 3), Parameter(f32(1))
    w = Parameter(given * 0)

    def add(w, x, fixed):
        if reads and float(x.sum()) < 0:
            return x
        ops.assign(fixed, fixed * 1)
        return ops.assign_add(w, x) * 10

    for count in (1, 2):
        out = ops.vmap(add, (axis, axis, None), axis)(w, given, fixed)
        np.testing.assert_array_equal(w.asnumpy(), given.asnumpy() * count)
        np.testing.assert_array_equal(out.asnumpy(), given.asnumpy() * count * 10)
    with pytest.raises(ValueError, match="is not mapped and was assigned a mapped value"):
        ops.vmap(lambda x, w: ops.assign(w, w + x.sum()), (0, None))(given, fixed)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize("reads", [False, True])
@pytest.mark.filterwarnings("ignore:.*runs eagerly")
def test_a_vmap_within_a_vmap_writes_the_parameters_of_the_outer_one(mode, reads):
    ms.set_context(mode=mode)
    given = f32(*range(12)).reshape(2, 3, 2)
    w = Parameter(given * 0)

    def add(w, x):
        if reads and float(x.sum()) < 0:
            return x
        return ops.assign_add(w, x)

    out = ops.vmap(ops.vmap(add, (1, 1), 1), (0, 0))(w, given)
    np.testing.assert_array_equal(w.asnumpy(), given.asnumpy())
    np.testing.assert_array_equal(out.asnumpy(), given.asnumpy())


class Plain:
    def __init__(self):
        self.w = Parameter(f32(1.0, 1.0), name="w")

    @ms.jit
    def add(self, x):
        self.w += x
        return self.w.sum()

    @ms.jit
    def assign(self, x):
        self.w = self.w + x
        return self.w.sum()


@pytest.mark.parametrize("step", [Plain.add, Plain.assign])
def test_a_parameter_of_a_plain_object_stays_one(step):
    held = Plain()
    w = held.w
    assert [step(held, f32(*X)).item() for _ in range(2)] == [5.0, 8.0]
    assert held.w is w and w.asnumpy().tolist() == [3.0, 5.0]
