"""`x in tensor` and positions of `Tensor.max`, eagerly and compiled: answers recorded from MindSpore 2.10."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn
from mindspore.common.api import _pynative_executor

_MATRIX = [[1, 2], [3, 0]]


@pytest.mark.parametrize(
    ("content", "element", "holds"),
    [
        (_MATRIX, 0, True),
        (_MATRIX, 9, False),
        (_MATRIX, 2.0, True),
        (_MATRIX, True, True),
        (_MATRIX, np.int64(3), True),
        (_MATRIX, Tensor([3, 1]), True),  # broadcast: one equal element is enough
        (_MATRIX, Tensor([[9], [3]]), True),
        (_MATRIX, None, False),
        (_MATRIX, "a", False),
        (_MATRIX, [3, 0], False),
        (_MATRIX, np.array(3), False),
        ([1, 2, 3], 0, False),
        (5, 5, True),
        (5, 0, False),
        ([[[1], [2]]], Tensor([3, 1]), True),
    ],
)
def test_membership_in_a_tensor(content, element, holds):
    assert (element in Tensor(content)) is holds


def test_membership_of_a_tensor_that_cannot_be_broadcast():
    with pytest.raises(ValueError, match="broadcast"):
        Tensor([3, 0]) in Tensor([1, 2, 3])  # noqa: B015


class _Chooses(nn.Cell):
    def construct(self, x, pad):
        if pad in x[:, [-1, 0]]:
            return x + 10
        return x


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_membership_decides_in_a_network(mode):
    ms.set_context(mode=mode)
    net = _Chooses()
    for content, expected in ((_MATRIX, [[11, 12], [13, 10]]), ([[1, 2], [3, 4]], [[1, 2], [3, 4]])):
        np.testing.assert_array_equal(net(Tensor(content), 0).asnumpy(), expected)


class _Extreme(nn.Cell):
    def __init__(self, which):
        super().__init__()
        self.which = which

    def construct(self, x):
        if self.which == 0:
            return x.max(2)
        if self.which == 1:
            return x.min(-2, True)
        if self.which == 2:
            return x.max(dim=1)
        if self.which == 3:
            return x.max(axis=1)
        return x.max((0, 1))


@pytest.mark.parametrize(
    ("which", "compiled", "eager"),
    [
        (0, [(2, 3)], [(2, 3), (2, 3)]),
        (1, [(2, 1, 2)], [(2, 1, 2), (2, 1, 2)]),
        (2, [(2, 2), (2, 2)], [(2, 2), (2, 2)]),
        (3, [(2, 2)], [(2, 2)]),
        (4, [(2,)], [(2,)]),
    ],
)
def test_positions_of_max(which, compiled, eager):
    """Compiled code takes them for MindSpore 1.x's (axis, keepdims), eager code for (dim, keepdim), with indices."""
    x = Tensor(np.arange(12).reshape(2, 3, 2), ms.float32)
    for mode, shapes in ((ms.GRAPH_MODE, compiled), (ms.PYNATIVE_MODE, eager)):
        ms.set_context(mode=mode)
        out = _Extreme(which)(x)
        assert [t.shape for t in (out if isinstance(out, tuple) else [out])] == shapes


def test_max_takes_two_positions():
    with pytest.raises(TypeError):
        Tensor([1.0, 2.0]).max(0, None)


def test_gradients_are_switched_off():
    def loss(x):
        y = x * 2
        _pynative_executor.set_enable_grad(False)
        z = x * x
        assert not _pynative_executor.enable_grad()
        _pynative_executor.set_enable_grad(True)
        return (y + z * 3).sum()

    ms.set_context(mode=ms.PYNATIVE_MODE)
    np.testing.assert_array_equal(ms.grad(loss)(Tensor([1.0, 2.0])).asnumpy(), [2, 2])
    assert _pynative_executor.enable_grad()
