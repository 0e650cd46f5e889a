"""Primitives of a user's own that say of which shape and dtype their result is, and compute nothing."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops
from mindspore.common.api import _cell_graph_executor
from mindspore.ops import PrimitiveWithInfer, prim_attr_register


class LossGrad(PrimitiveWithInfer):
    @prim_attr_register
    def __init__(self):
        """Nothing is set."""

    def __call__(self, x, out, dout):
        raise NotImplementedError

    def infer_shape(self, x, out, dout):
        return x

    def infer_dtype(self, x, out, dout):
        return x


class Loss(PrimitiveWithInfer):
    @prim_attr_register
    def __init__(self, factor=1):
        """Nothing is set."""

    def __call__(self, x):
        raise NotImplementedError

    def get_bprop(self):
        grad = LossGrad()
        return lambda x, out, dout: (grad(x, out, dout),)

    def infer_shape(self, x):
        return [1]

    def infer_dtype(self, x):
        return x


class Two(PrimitiveWithInfer):
    """Without a `__call__`, with two results."""

    def __init__(self):
        super().__init__("Two")

    def __infer__(self, x):
        return {"shape": (x["shape"], [3]), "dtype": (x["dtype"], ms.int32), "value": None}


class Doubled(PrimitiveWithInfer):
    def __call__(self, x):
        return x * 2

    def infer_shape(self, x):
        return x

    def infer_dtype(self, x):
        return x


class Net(nn.Cell):
    def __init__(self, last):
        super().__init__()
        self.dense, self.last = nn.Dense(4, 4), last

    def construct(self, x):
        return self.last(self.dense(x))


X = Tensor(np.ones((2, 4), np.float32))


@pytest.fixture(autouse=True)
def graph_mode():
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=before)


def test_they_are_compiled_with_their_gradients():
    net = Net(Loss())
    assert _cell_graph_executor.compile(net, X)[1]
    assert _cell_graph_executor.compile(nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1)), X)[1]


def test_they_fail_when_they_run():
    with pytest.raises(Exception, match="'Loss' has no implementation"):
        Net(Loss())(X).asnumpy()
    ms.set_context(mode=ms.PYNATIVE_MODE)
    with pytest.raises(NotImplementedError, match="Loss"):
        Loss()(X)


def test_several_results():
    class Outer(nn.Cell):
        def construct(self, x):
            first, second = Two()(x)
            assert first.shape == (2, 4) and second.shape == (3,) and second.dtype == ms.int32
            return first

    assert _cell_graph_executor.compile(Outer(), X)[1]


def test_what_is_computed_stays():
    assert Doubled()(X).asnumpy().tolist() == (X * 2).asnumpy().tolist()
    assert Net(Doubled())(X).shape == (2, 4) and ops.ReLU()(X).shape == (2, 4)


class LRN(PrimitiveWithInfer):
    """Named like an operator of MindSpore."""

    @prim_attr_register
    def __init__(self, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region="ACROSS_CHANNELS"):
        """Nothing is set."""

    def infer_shape(self, x):
        return x

    def infer_dtype(self, x):
        return x


class ReLU(LRN):
    @prim_attr_register
    def __init__(self):
        """Nothing is set."""

    def get_bprop(self):
        return lambda x, out, dout: (dout * 7,)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_one_that_is_named_like_an_operator_is_that_operator(mode):
    """As in MindSpore, which finds kernels by name: with the settings of the same names, and its own gradient if it has one."""
    ms.set_context(mode=mode)
    x = Tensor(np.arange(3, dtype=np.float32).reshape(1, 3, 1, 1))
    assert np.allclose(LRN(2, 1.0, 2.0)(x).asnumpy(), ops.LRN(2, 1.0, 2.0)(x).asnumpy())
    assert Net(ReLU())(X).asnumpy().min() >= 0
    assert ms.grad(ReLU())(Tensor([-1.0, 2.0])).asnumpy().tolist() == [7, 7]


class Shift(ops.PrimitiveWithInfer):
    """As pandas-like code declares it: MindSpore's CPU build has a kernel of this name, and no class."""

    @ops.prim_attr_register
    def __init__(self, periods=1, axis=-1):
        self.periods, self.axis = periods, axis
        self.init_prim_io_names(inputs=["x", "fill_value"], outputs=["output"])

    def __infer__(self, x, fill_value):
        return {"shape": x["shape"], "dtype": x["dtype"], "value": None}


@pytest.mark.parametrize("periods", [0, 1, -2, 9, -9])
@pytest.mark.parametrize("fill", [0.5, np.nan])
def test_shift_is_found_by_its_name(periods, fill):
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    wanted = np.full_like(x, fill)
    for target in range(4):
        if 0 <= target - periods < 4:
            wanted[:, target] = x[:, target - periods]
    np.testing.assert_array_equal(Shift(periods, 1)(Tensor(x), fill).asnumpy(), wanted)
    np.testing.assert_array_equal(ms.jit(lambda v: Shift(periods, 0)(v, fill))(Tensor(x.T)).asnumpy(), wanted.T)


def test_a_constant_function_without_an_instance_is_called_for_one():
    @ops.constexpr(get_instance=False, name="TupleLen")
    def length(x):
        return len(x)

    assert length()((1, 2)) == 2
