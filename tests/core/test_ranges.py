"""Indices out of range in eager code, under the tape and in check mode (the operators one by one: cases_ops/ranges.py)."""

import traceback

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

from msjax.core.settings.execution_state import change
from msjax.core.values import ranges

X = Tensor(np.arange(12).reshape(3, 4).astype(np.float32))
BAD = Tensor([0, 7], ms.int32)


@pytest.fixture
def check_mode():
    ms.set_context(check_indices=True)
    yield
    ms.set_context(check_indices=False)


def test_under_a_gradient():
    with pytest.raises(RuntimeError, match=r"'input_indices' must be in range \[-3, 3\), but got 7"):
        ms.grad(lambda x: ops.gather(x, BAD, 0).sum())(X)
    with pytest.raises(RuntimeError, match="'target'"):
        ms.grad(lambda x: ops.cross_entropy(x, Tensor([0, 1, 9], ms.int32)))(X)


def test_found_when_a_result_is_read():
    """A program that is still running is not waited for: it is looked at when the host reads anything."""
    check = ranges.Range("Gather", "indices", 0, 3, (RuntimeError, RuntimeError))
    change(pending=[([Tensor(9)._data], (check,))])
    with pytest.raises(RuntimeError, match="but got 9"):
        X.asnumpy()
    X.asnumpy()


def test_compiled_code_is_unchecked():
    assert ms.jit(lambda x, i: ops.gather(x, i, 0))(X, BAD).asnumpy()[1].tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    "read, error",
    [
        (lambda x: x[Tensor(5) + 1], RuntimeError),
        (lambda x: x[0, Tensor(5) + 1], IndexError),
        (lambda x: x[:, Tensor(1) * 9], IndexError),
        (lambda x: x[0, Tensor(7)], IndexError),
        (lambda x: x[True, 0, Tensor(7)], RuntimeError),
        (lambda x: x[Tensor([5]) + 1], RuntimeError),
        (lambda x: ops.gather(x, Tensor(5) + 1, 0), RuntimeError),
        (lambda x: x[ops.full((1,), 9, dtype=ms.int32)], RuntimeError),
        (lambda x: ops.tensor_scatter_update(x, Tensor([[8]]) + 1, x[:1]), ValueError),
    ],
)
def test_compiled_code_refuses_what_follows_from_constants(read, error):
    with pytest.raises(error):
        ms.jit(lambda x: read(x))(X)
    assert ms.jit(lambda x: x[Tensor(1) + 1, Tensor([5]) - 2])(X).asnumpy().tolist() == [11]


def test_check_mode(check_mode):
    class Net(nn.Cell):
        def construct(self, x, i):
            doubled = x * 2
            return ops.gather(doubled, i, 0)  # the line of the error

    ms.set_context(mode=ms.GRAPH_MODE)
    with pytest.raises(RuntimeError, match="'input_indices'") as caught:
        Net()(X, BAD)
    lines = [frame.line for frame in traceback.extract_tb(caught.tb)]
    assert any("the line of the error" in line for line in lines)


def test_check_mode_finds_nan(check_mode):
    with pytest.raises(FloatingPointError, match="log"):
        ms.jit(lambda x: ops.log(x - 1).sum())(X)
    assert np.isnan((Tensor([np.nan], ms.float32) + 1).asnumpy()).all()  # made elsewhere
    with pytest.raises(FloatingPointError, match="gradient of"):
        ms.grad(lambda x: (ops.sqrt(x) * 0).sum())(X * 0)


def test_check_mode_lets_a_scaled_loss_overflow(check_mode):
    """The first steps of a dynamic scale find it so; the step says that it overflowed."""

    class Loss(nn.Cell):
        def construct(self, x, label):
            return (x * label).mean()  # of float16, so the scale is infinite in it, and infinity times 0 is NaN

    net = nn.Dense(3, 2).to_float(ms.float16)
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    manager = nn.DynamicLossScaleUpdateCell(2.0**40, 2, 10)
    step = nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(net, Loss()), optimizer, manager).set_train()
    assert step(Tensor([[1.0, 2.0, 3.0]]), Tensor([0.0, 1.0], ms.float16))[1].asnumpy()


def test_check_mode_differentiates_eager_code(check_mode):
    """A value that is used twice: its cotangents are added by a function that looks at nothing."""
    gradient = ms.grad(lambda x: (ops.gather(x, Tensor([0, 2], ms.int32), 0) * x[:2] * x.sum()).sum())(X)
    ms.set_context(check_indices=False)
    np.testing.assert_array_equal(
        gradient.asnumpy(), ms.grad(lambda x: (x[Tensor([0, 2])] * x[:2] * x.sum()).sum())(X).asnumpy()
    )
