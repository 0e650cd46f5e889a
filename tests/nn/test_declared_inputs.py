"""`Cell.set_inputs` and `enable_dynamic`: what MindSpore 2.10 says to inputs that do not fit what was declared."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Symbol, Tensor, mutable, nn


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 2)

    def construct(self, x, k=1, y=None):
        out = self.dense(x) * k
        return out if y is None else out + y.sum()


class First(nn.Cell):
    def construct(self, xs):
        return xs[0].sum()


def given(*shape, dtype=np.float32):
    return Tensor(np.ones(shape, dtype))


def described(*shape, dtype=ms.float32):
    return Tensor(shape=list(shape), dtype=dtype)


def symbolic(**known):
    return described(Symbol(**known), 3)


@pytest.fixture
def graph():
    ms.set_context(mode=ms.GRAPH_MODE)


# declared, given, the error of MindSpore 2.10 in GRAPH_MODE
REFUSED = [
    ([described(None, 3)], [given(2, 2, 3)], ValueError, "the dims of 1th input must be the same as expected, but got expected: 2, and input: 3!"),
    ([described(None, 4)], [given(2, 3)], ValueError, "the shape of 1th input must be the same as expected, but got expected: 4, and input: 3!"),
    ([described(None, 3, dtype=ms.float16)], [given(2, 3)], TypeError, "the 1th type should be Tensor[Float16], but got Tensor[Float32]!"),
    ([described(None, 3), 2], [given(2, 3), 3], ValueError, "For set_inputs or tuple(list) in set_inputs, the 2th should be"),
    ([described(None, 3), 2, None], [given(2, 3)], ValueError, "the length of input must be equal to expected one, but got expected: 3 and input: 1!"),
    ([described(None, 3)], [given(2, 3), 2], ValueError, "the length of input must be equal to expected one, but got expected: 1 and input: 2!"),
    ([3], [given(2, 3)], TypeError, "the 1th should be static one, but got"),
    ([given(2, 3)], [given(4, 3)], ValueError, "the shape of 1th input must be the same as expected, but got expected: 2, and input: 4!"),
    ([symbolic(divisor=4)], [given(5, 3)], ValueError, "The value should be 'd * N + r' for 'N > 0', got d=4 and r=0, but actual shape value is '5'."),
    ([symbolic(max=4)], [given(5, 3)], ValueError, "must be less than or equal to the 'max' value '4' of `Symbol`, but got '5'."),
    ([symbolic(min=4)], [given(3, 3)], ValueError, "must be greater than or equal to the 'min' value '4' of `Symbol`, but got '3'."),
    ([described(None, 3)], [Parameter(given(2, 3))], TypeError, "the 1th input must be the same as expected, but got expected:"),
]  # fmt: skip


@pytest.mark.parametrize("declared, inputs, error, text", REFUSED)
def test_inputs_that_do_not_fit(graph, declared, inputs, error, text):
    net = Net()
    net.set_inputs(*declared)
    with pytest.raises(error) as raised:
        net(*inputs)
    assert text in str(raised.value)


@pytest.mark.parametrize(
    "declared, calls",
    [
        ([described(None, 3)], [[given(2, 3)], [given(5, 3)]]),
        ([Tensor(dtype=ms.float32)], [[given(2, 3)], [given(2, 2, 3)]]),
        ([described(None, 3), 2], [[given(2, 3), 2]]),
        ([symbolic(divisor=4, max=16)], [[given(4, 3)], [given(8, 3)]]),
        ([given(2, 3)], [[given(2, 3)]]),
    ],
)
def test_inputs_that_fit(mode, declared, calls):
    net = Net()
    net.set_inputs(*declared)
    assert net.get_inputs() == tuple(declared) if len(declared) > 1 else net.get_inputs()[0] is declared[0]
    for inputs in calls:
        assert net(*inputs).shape == (*inputs[0].shape[:-1], 2)


class OfPart(nn.Cell):
    def construct(self, n):
        part = n["a"] if isinstance(n, dict) else n[0] if isinstance(n, (tuple, list)) else n
        return part * Tensor([2.0])


V = Tensor([3.0, 4.0])
# declared, given, the error of MindSpore 2.10 in GRAPH_MODE: what is mutable may have another value, of the same types and length
CONSTANTS = [
    (mutable(2), mutable(3), None),
    (mutable(2), 2, TypeError),
    (2, mutable(2), TypeError),
    (mutable(2), mutable(2.5), ValueError),
    (True, 1, ValueError),
    ((2, 3), (3, 3), ValueError),
    ((2, 3), (2, 3, 4), ValueError),
    ((2, 3), mutable((2, 3)), TypeError),
    (mutable((2, 3)), mutable((3, 4)), None),
    (mutable((2, 3)), mutable([3, 4]), None),
    (mutable([2, 3]), [2, 3], TypeError),
    (mutable((2, 3)), mutable((3, 4, 5)), ValueError),
    (mutable((2, 3)), mutable((2.0, 3.0)), ValueError),
    (mutable((2, 3), True), mutable((3, 4, 5), True), None),
    (mutable({"a": 2}), mutable({"a": 3}), None),
    (mutable({"a": 2}), {"a": 2}, TypeError),
    ({"a": 2}, {"a": 3}, ValueError),
    (mutable((described(None),)), mutable((V,)), None),
    (mutable((described(None), described(None))), mutable((V,)), ValueError),
    (None, (1,), ValueError),
]


@pytest.mark.parametrize("declared, value, error", CONSTANTS)
def test_declared_constants(graph, declared, value, error):
    net = OfPart()
    net.set_inputs(declared)
    if error is None:
        assert net(value).ndim == 1
    else:
        with pytest.raises(error):
            net(value)


def test_inputs_by_name(mode):
    net = Net()
    net.set_inputs(y=described(None))
    assert net(given(2, 3), 2, given(4)).shape == net(given(2, 3), 2, given(7)).shape == (2, 2)
    with pytest.raises(ValueError, match=r"For dict mode, valid key is \['x', 'k', 'y'\], but got z!"):
        Net().set_inputs(z=described(None, 3))
    with pytest.raises(ValueError, match="set_inputs should only set inputs or kwargs"):
        Net().set_inputs(described(None, 3), y=described(None))


def test_the_number_of_inputs(graph):
    with pytest.raises(
        TypeError, match="requires 1 positional argument, but got 0. When using set_inputs, please make"
    ):
        Net().set_inputs()
    with pytest.raises(TypeError, match="requires 1 positional argument and 2 default argument, total 3, but got 4."):
        Net().set_inputs(described(None, 3), 1, None, 4)


def test_one_length_for_a_unique_symbol(graph):
    class Sum(nn.Cell):
        def construct(self, a, b):
            return a + b

    length, net = Symbol(unique=True), Sum()
    net.set_inputs(described(length, 3), described(length, 3))
    assert net(given(4, 3), given(4, 3)).shape == (4, 3)
    with pytest.raises(
        ValueError,
        match="2th actual input args is a unique symbol, all values must be the same. The previous value is 4",
    ):
        net(given(4, 3), given(5, 3))


def test_containers(mode):
    net = First()
    net.set_inputs(mutable((described(None, 3), described(None))))
    assert float(net(mutable((given(2, 3), given(4))))) == 6
    net = First()
    net.set_inputs(mutable([described(None, 3)], dynamic_len=True))
    assert float(net(mutable([given(2, 3)] * 3, True))) == float(net(mutable([given(2, 3)] * 2, True))) == 6


def test_pynative_looks_at_nothing():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = Net()
    net.set_inputs(described(None, 4, dtype=ms.float16), 3, None, 4)
    assert net(given(2, 3)).shape == (2, 2)


def test_enable_dynamic(mode):
    def declared(**inputs):
        @ms.enable_dynamic(**inputs)
        @ms.jit
        def total(x):
            return x.sum()

        return total

    total = declared(x=described(None, 3))
    assert float(total(given(2, 3))) == 6 and float(total(given(4, 3))) == 12
    with pytest.raises(ValueError):
        total(given(2, 4))
    with pytest.raises(ValueError):
        declared(z=described(None, 3))
    with pytest.raises(
        TypeError, match="only supports Tensor or a tuple/list of Tensor, but the argument : x is type of"
    ):
        declared(x=3)


def test_a_signature_is_not_checked():
    """`jit(input_signature=)` is accepted and not looked at, as in MindSpore 2.10."""
    f = ms.jit(lambda x: x.sum(), input_signature=(described(None, 3),))
    assert float(f(given(2, 3))) == 6 and float(f(given(2, 4))) == 8


class Compiled(nn.Cell):
    @ms.jit
    def construct(self, a, b):
        return a + b


@pytest.mark.parametrize("inputs", [[given(2, 3)] * 2, [given(4, 3), given(5, 3)], [given(4, 3, dtype=np.int32)] * 2])
def test_a_compiled_method_refuses_what_the_cell_refuses(mode, inputs):
    net, length = Compiled(), Symbol(min=4, unique=True)
    net.set_inputs(described(length, 3), described(length, 3))
    assert net(given(4, 3), given(4, 3)).shape == (4, 3)
    for call in (net, net.construct):
        with pytest.raises((ValueError, TypeError), match="actual input args|the 1th type should be"):
            call(*inputs)


def test_a_scalar_fits_an_open_shape(mode):
    class Twice(ms.nn.Cell):
        def construct(self, x):
            return x + x

    net = Twice()
    net.set_inputs(described(None, None))
    assert [float(net(Tensor(n, ms.float32))) for n in (3, 4)] == [6, 8]
    assert net(given(2, 3)).shape == (2, 3)
