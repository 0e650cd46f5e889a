"""A Tensor of one element where a Python number is meant: a size, an axis, a rate. Each result is MindSpore's, which takes them too."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops

ONE, ROW = Tensor(1), Tensor([1])
PLACES = Tensor(np.array([[0, 1, 2], [2, 1, 0]], np.int32))


def x():
    return Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


@pytest.mark.parametrize(
    "call, same",
    [
        (lambda: ops.gather_d(x(), ROW, PLACES), lambda: ops.gather_d(x(), 1, PLACES)),
        (lambda: ops.gather(x(), PLACES[0], ROW), lambda: ops.gather(x(), PLACES[0], 1)),
        (lambda: ops.concat((x(), x()), ONE), lambda: ops.concat((x(), x()), 1)),
        (lambda: ops.log_softmax(x(), ONE), lambda: ops.log_softmax(x(), 1)),
        (lambda: ops.glu(ops.ones((2, 4)), ONE), lambda: ops.glu(ops.ones((2, 4)), 1)),
        (lambda: ops.tensor_scatter_elements(x(), PLACES, x(), ONE), lambda: ops.gather_d(x(), 1, PLACES)),
        (lambda: ops.aminmax(x(), axis=ONE)[1], lambda: x().max(1)[0]),
        (lambda: ops.one_hot(PLACES, 3, 1, 0, ONE), lambda: ops.one_hot(PLACES, 3, 1, 0, 1)),
        (lambda: ops.diagonal(x(), ONE), lambda: ops.diagonal(x(), 1)),
        (lambda: x().norm(ONE * 2), lambda: x().norm(2)),
        (lambda: ops.elu(x(), Tensor(1.0)), lambda: ops.elu(x())),
        (lambda: x().view(3, Tensor([2])), lambda: x().view(3, 2)),
        (lambda: ops.reshape(x(), (3, Tensor([2]))), lambda: x().reshape(3, 2)),
        (lambda: ms.numpy.tri(Tensor([2])), lambda: ms.numpy.tri(2)),
    ],
)
def test_a_tensor_of_one_element_is_the_number(call, same):
    np.testing.assert_array_equal(call().asnumpy(), same().asnumpy())


def test_stop_gradient_takes_containers_and_values_without_a_gradient():
    given = {"a": x(), "b": [x(), 2], "c": (None, "s", 2.5)}
    found = ops.stop_gradient(given)
    assert found["b"][1] == 2 and found["c"] == (None, "s", 2.5)
    assert isinstance(found["a"], Tensor) and isinstance(found["b"][0], Tensor)
    assert ops.stop_gradient(3) == 3 and type(ops.stop_gradient(3)) is int

    def f(v):
        kept = ops.stop_gradient({"v": v, "w": (v, 1)})
        return (kept["v"] * v + kept["w"][0]).sum()

    np.testing.assert_array_equal(ms.grad(f)(x()).asnumpy(), x().asnumpy())
    np.testing.assert_array_equal(ms.jit(ms.grad(f))(x()).asnumpy(), x().asnumpy())
