"""Python's errors in a function that is compiled have the types and words of MindSpore's graph compiler; eagerly they are Python's."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, mutable, nn, ops


def two(x, y=1):
    return x + y


def one(x):
    return x


# type in MindSpore, what it says, Python's type, the code: recorded from both modes of 2.10
CASES = [
    (ValueError, "The divisor could not be zero", ZeroDivisionError, lambda x: x * (5 / 0)),
    (ValueError, "The divisor could not be zero", ZeroDivisionError, lambda x: x * (5 // 0)),
    (ValueError, "Cannot perform modulo operation on zero", ZeroDivisionError, lambda x: x * (5 % 0)),
    (ValueError, "The key 'b' does not exist in the dict", KeyError, lambda x: {"a": x}["b"]),
    (RuntimeError, "For 'make_range', the input size should within", TypeError, lambda x: [x for _ in range()]),
    (
        RuntimeError,
        "For 'range', the argument 'step' could not be 0",
        ValueError,
        lambda x: [x for _ in range(1, 2, 0)],
    ),
    (TypeError, "Slice indices must be integers or bool", TypeError, lambda x: (x, x)[0 : str(1)]),
    (ValueError, "Slice step cannot be zero", ValueError, lambda x: (x, x)[::0]),
    (IndexError, "index should be an int64 number", TypeError, lambda x: (x, x)[float(1)]),
    (IndexError, "index should be in range", IndexError, lambda x: (x, x)[5]),
    (AttributeError, "object has no attribute '__len__'", TypeError, lambda x: x * len(5)),
    (RuntimeError, "Got an unexpected keyword argument 'b'", TypeError, lambda x: two(x, b=x)),
    (RuntimeError, "Miss argument input for parameter:x", TypeError, lambda x: two()),
    (RuntimeError, "two takes 2 positional arguments, but 3 were given", TypeError, lambda x: two(x, x, x)),
    (TypeError, "parameters number of the function .*one is 1, but .* is 2", TypeError, lambda x: one(x, x)),
    (TypeError, "Multiply values for specific argument: x", TypeError, lambda x: two(x, x=x)),
    (ValueError, "The object is not callable. Please check code.", TypeError, lambda x: (x, x)[0:1](x)),
    (IndexError, "The pop index out of range.", IndexError, lambda x: [x].pop(1)),
    (IndexError, "The pop index out of range.", IndexError, lambda x: [].pop()),
    (TypeError, "arg 2 must be a type or tuple of types.", TypeError, lambda x: isinstance(x, [int])),
    (ValueError, "shift count must be a non-negative integer", ValueError, lambda x: 1 << -1),
    (TypeError, "only integer types are supported, but got", TypeError, lambda x: 1.0 >> 2),
    (NameError, "The name 'nobody_made_this' is not defined", NameError, lambda x: x * nobody_made_this),  # noqa: F821
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_error_of_python(case):
    kind, text, python, fn = CASES[case]
    with pytest.raises(kind, match=text):
        ms.jit(fn)(Tensor([1.0]))
    with pytest.raises(python):  # code that expects Python's error meets it in a graph too
        ms.jit(fn)(Tensor([1.0]))
    with pytest.raises(python):
        fn(Tensor([1.0]))


def pair(x, y):
    return x + y


def more(x, y, *rest):
    return x + y


def named(x, y, **others):
    return x + y


def keyed(x, *, k):
    return x * k


class Pair(nn.Cell):
    def construct(self, x, y):
        return x + y

    def method(self, x, y):
        return x + y


class Default(nn.Cell):
    def construct(self, x, y, z=1):
        return x + y + z


PAIR, DEFAULT, CHAIN = Pair(), Default(), nn.SequentialCell(Pair())

# type in MindSpore's graphs, calls: recorded from 2.10. It depends on the parameters of the function, and on names in the call.
MISFITS = {
    TypeError: (
        *(lambda x: pair(x), lambda x: pair(), lambda x: pair(*(x,)), lambda x: pair(x, x, x), lambda x: pair(x, x=x)),
        *(lambda x: two(x, x=x), lambda x: named(x, x=x), lambda x: PAIR(x), lambda x: PAIR.method(x)),
        *(lambda x: CHAIN(x), lambda x: CHAIN(), lambda x: CHAIN(x, x), lambda x: DEFAULT(x, x=x)),
    ),
    RuntimeError: (
        *(lambda x: pair(x=x), lambda x: pair(**{"y": x}), lambda x: two(), lambda x: two(x, x, x), lambda x: more(x)),
        *(
            lambda x: more(x, x=x),
            lambda x: named(x),
            lambda x: named(x, x, x),
            lambda x: keyed(x),
            lambda x: keyed(x, x),
        ),
        *(lambda x: PAIR(x=x), lambda x: DEFAULT(x), lambda x: DEFAULT(x, x, x, x), lambda x: pair(x, x, d=x)),
    ),
}


@pytest.mark.parametrize("kind, number", [(kind, i) for kind, calls in MISFITS.items() for i in range(len(calls))])
def test_call_whose_arguments_do_not_fit(kind, number):
    fn = MISFITS[kind][number]
    with pytest.raises(TypeError) as info:
        ms.jit(fn)(Tensor([1.0]))
    assert isinstance(info.value, RuntimeError) == (kind is RuntimeError)
    with pytest.raises(TypeError):
        fn(Tensor([1.0]))


def test_an_undefined_name_comes_before_other_errors():
    def fn(x):
        while x > 0:
            x = x - nobody_made_this  # noqa: F821
        return x

    with pytest.raises(NameError, match="The name 'nobody_made_this' is not defined"):
        ms.jit(fn)(Tensor([1.0, 2.0]))


def test_raised_by_the_user():
    def fn(x):
        if x.shape == (1,):
            raise KeyError("mine")
        return x

    with pytest.raises(KeyError, match="mine") as info:
        ms.jit(fn)(Tensor([1.0]))
    assert not isinstance(info.value, ValueError)


class Mapped(nn.Cell):
    def __init__(self, kind):
        super().__init__()
        self.map, self.add = kind(), ops.Add()

    def construct(self, *args):
        return self.map(self.add, *args)


@pytest.mark.parametrize("kind", [ops.HyperMap, ops.Map])
def test_maps_of_lists_give_lists_in_a_graph(kind):
    def mapped(x, y):
        return kind(ops.add)([x, y], [y, x]), kind(ops.add)((x, y), (y, x))

    one, two = Tensor([1.0]), Tensor([2.0])
    assert tuple(map(type, ms.jit(mapped)(one, two))) == (list, tuple)
    assert tuple(map(type, mapped(one, two))) == (tuple, tuple)


@pytest.mark.parametrize("kind", [ops.HyperMap, ops.Map])
def test_sequences_that_are_mapped(kind, mode):
    x = Tensor([1.0])
    unlike = ((x, x), [x, x]), ((x, x), (x, x, x)), ([x], [x, x])
    if mode == "pynative":  # as `zip`
        assert [len(Mapped(kind)(*args)) for args in unlike] == [2, 2, 1]
        return
    for args, text in zip(unlike, ("must be consistent", "same", "same")):
        with pytest.raises(RuntimeError, match=text):
            Mapped(kind)(*args)


def test_mutable_takes_what_mindspore_takes():
    x, cycle = Tensor([1.0]), [1]
    cycle.append(cycle)
    for args in (
        ("a",),
        ((1, "a"),),
        (None,),
        ((1, None),),
        (np.ones(2),),
        (cycle,),
        (x, True),
        ({"a": 1}, True),
        (x, 1),
    ):
        with pytest.raises(TypeError):
            mutable(*args)
    made = mutable((1, [x], {"a": 2.5}))
    assert made == (1, [x], {"a": 2.5}) and isinstance(made, tuple) and "_Tuple" in str(type(made))


def test_index_of_a_tensor():
    for t in (Tensor(1, ms.bfloat16), Tensor(1.0), Tensor([1, 2])):
        with pytest.raises(ValueError, match="Only integer tensors of a single element can be converted to an index"):
            [1, 2, 3][t]
    assert [1, 2, 3][Tensor([1])] == 2 and str(type(Tensor(1))) == "<class 'mindspore.common.tensor.Tensor'>"
    assert repr(ms.Parameter) == "<class 'mindspore.common.parameter.Parameter'>"


@ms.jit
class OfAClass(nn.Cell):
    def __init__(self):
        super().__init__()
        self.start = 1

    def construct(self, x):
        return (x, x)[-3] if x.shape == (1,) else x + self.start


def test_jit_of_a_class():
    assert OfAClass()(Tensor([1.0, 2.0])).asnumpy().tolist() == [2, 3]
    with pytest.raises(IndexError, match=r"TupleGetItem evaluator index should be in range\[-2, 2\), but got -3"):
        OfAClass()(Tensor([1.0]))


def test_operands_that_are_none():
    with pytest.raises(TypeError, match=r'Failed calling Add with "Add\(\)\(input=Tensor, other=string\)"'):
        Tensor([1.0]) + "ok"


class Growing(nn.Cell):
    @ms.jit
    def construct(self, x, y):
        while x < y:
            x = x * x + 1
        return x


def test_the_condition_of_a_loop_reads_what_is_differentiated():
    grads = ops.GradOperation(get_all=True)(Growing())(Tensor([1.1]), Tensor([8.0]))
    assert grads[0].asnumpy() == pytest.approx(114.433983, rel=1e-5) and grads[1].asnumpy() == 0


class Reduced(nn.Cell):
    """Its bprop gives gradients of another shape and dtype than the inputs."""

    def construct(self, x, y):
        return x + y

    def bprop(self, *args):
        wide = Tensor([[1, 1], [2, 2]], ms.int64)
        return wide, wide


def test_gradients_of_a_bprop_are_fitted():
    x, y = Tensor([1.0, 2.0]), Tensor([[1.0, 2.0], [3.0, 4.0]])
    one, two = ops.GradOperation(get_all=True)(Reduced())(x, y)
    assert one.asnumpy().tolist() == [3, 3] and two.asnumpy().tolist() == [[1, 1], [2, 2]]
    assert one.dtype == two.dtype == ms.float32


def test_hooks_and_keywords_of_inputs(mode):
    x, y = Tensor([2.0]), Tensor([5.0])
    x.register_hook(lambda grad: grad * 10)

    class Outer(nn.Cell):
        def construct(self, x, y):
            return ops.GradOperation(get_all=True)(lambda x, y: x * y)(x, y)

    assert [g.asnumpy().item() for g in Outer()(x, y)] == [50, 2]
    grads = ops.GradOperation(get_all=True)(lambda x, y: x * y)(x, y=y)
    assert [g.asnumpy().item() for g in grads] == [50, 2]


def test_hooks_of_parameters_are_registered_outside():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(Tensor([2.0]), name="w")

        def construct(self, x):
            self.w.register_hook(lambda grad: grad * 2)
            return x * self.w

    ms.set_context(mode=ms.GRAPH_MODE)
    with pytest.raises(ValueError, match="cannot be registered in compiled code"):
        Net()(Tensor([1.0]))


def test_saved_graphs(tmp_path, monkeypatch):
    ms.set_context(save_graphs=True, save_graphs_path=str(tmp_path / "ir"))
    try:
        ms.jit(lambda x: x * 2 + 1)(Tensor([1.0]))
    finally:
        ms.set_context(save_graphs=False)
    (file,) = (tmp_path / "ir").glob("*_validate*.ir")
    assert "mul" in file.read_text()


def test_compiled_and_not_run(monkeypatch):
    monkeypatch.setenv("MS_DEV_PRECOMPILE_ONLY", "1")
    double = ms.jit(lambda x: x * 2)
    assert double(Tensor([1.0])) is None and double(Tensor([1.0])) is None
    monkeypatch.delenv("MS_DEV_PRECOMPILE_ONLY")
    assert double(Tensor([1.0])).asnumpy() == 2


def test_meshgrid_flattens():
    parts = [np.arange(3), np.arange(4).reshape(2, 2)]
    made = ms.numpy.meshgrid(*map(Tensor, parts))
    assert all((m.asnumpy() == n).all() for m, n in zip(made, np.meshgrid(*parts)))


def test_an_argument_of_another_type_is_named(mode):
    with pytest.raises(TypeError, match="For 'ReLU', the type of 'input' must be a Tensor, but got string\n"):
        ops.relu("a")
    with pytest.raises(TypeError, match="For 'Dense', the type of 'input' must be a Tensor, but got string\n"):
        nn.Dense(3, 2)("a")
    with pytest.raises(TypeError, match="For 'ReLU', the type of 'input' must be a Tensor, but got list\n"):
        nn.ReLU()([1, 2])


def test_branches_of_unlike_types_are_a_type_error_by_name():
    def either(x):
        if x > 0:
            return x
        return 0

    with pytest.raises(TypeError, match="Cannot join") as raised:
        ms.jit(either)(Tensor(1.0))
    assert type(raised.value).__name__ == "TypeError"


def test_one_name_for_an_argument_and_another_parameter():
    first, second = (ms.Parameter(Tensor([value]), name="w") for value in (1.0, 2.0))
    other = ms.Parameter(Tensor([3.0]), name="other")
    assert ms.jit(lambda p, q, r: p + q + r)(first, first, other).asnumpy() == [5.0]
    for function, args in ((lambda p, q: p + q, (first, second)), (lambda p: p + first, ((second),))):
        with pytest.raises(ValueError, match="its name 'w' already exists"):
            ms.jit(function)(*args)


class Positions(nn.Cell):
    def __init__(self, function, positions):
        super().__init__()
        self.function, self.positions = function, positions

    def construct(self, x):
        return self.function(x, self.positions)


def _written(x, positions):
    x[positions] = 1.0
    return x


@pytest.mark.parametrize(
    "function, positions, error",
    [
        (lambda x, i: x[Tensor(5)], None, RuntimeError),
        (lambda x, i: x[i], [0, 5], RuntimeError),
        (lambda x, i: x[i, i], [0, 2], RuntimeError),
        (lambda x, i: x[..., Tensor([4])], None, RuntimeError),
        (lambda x, i: ops.gather(x, i, 1), [0, 5], RuntimeError),
        (lambda x, i: ops.gather_nd(x, i), [[0, 5]], RuntimeError),
        (lambda x, i: ops.index_select(x, 0, i), [7], RuntimeError),
        (lambda x, i: ops.gather_elements(x, 1, i), [[0], [5]], RuntimeError),
        (lambda x, i: ops.unsorted_segment_sum(x, i, 2), [0, 5], RuntimeError),
        (_written, [0, 5], ValueError),
    ],
)
def test_constant_positions_out_of_range(function, positions, error):
    """They were clamped in silence. Types recorded from GRAPH_MODE of 2.10."""
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Positions(function, None if positions is None else Tensor(positions))
    with pytest.raises(error, match=r"range \["):
        net(Tensor(np.zeros((2, 3), np.float32))).asnumpy()


def test_constant_positions_out_of_range_in_the_branch_that_is_not_taken():
    @ms.jit
    def function(x):
        if x.sum() > 0:
            return x[Tensor([1])]
        return x[Tensor([5])]

    with pytest.warns(RuntimeWarning, match="eagerly"):
        assert function(Tensor([1.0, 2.0])).asnumpy().tolist() == [2.0]
