"""What an array of NumPy holds is part of a compiled program: one that was changed in place since is seen, as in PYNATIVE_MODE."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn

import msjax

SHARED = np.ones(2, np.float32)


class Net(nn.Cell):
    def __init__(self, own, kept):
        super().__init__()
        self.own, self.kept = own, {"a": [kept]}

    def construct(self, x):
        return x * Tensor(self.own) + Tensor(self.kept["a"][0]) * 10 + Tensor(SHARED) * 100


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_an_attribute_an_item_and_a_variable(mode):
    ms.set_context(mode=mode)
    own, kept = np.ones(2, np.float32), np.ones(2, np.float32)
    net, x = Net(own, kept), Tensor([1.0, 1.0], ms.float32)
    SHARED[:] = 1
    for array, value, whole in ((own, 1, 111), (own, 2, 112), (kept, 3, 132), (SHARED, 4, 432), (own, 1, 431)):
        array[:] = value
        for _ in range(2):
            assert net(x).asnumpy().tolist() == [whole] * 2
    if mode == ms.GRAPH_MODE:
        assert "the content of a NumPy array changed" in str(msjax.explain(net))


def test_gradients_made_anew():
    """MindSpore 2.10 compiles each anew, and so sees it, too."""
    ms.set_context(mode=ms.GRAPH_MODE)
    cell, scale, x = nn.Dense(2, 1, "ones"), np.ones(2, np.float32), Tensor([[1.0, 3.0]], ms.float32)
    for step in range(6):
        scale[:] = step

        def scaled(v):
            return cell(v * Tensor(scale)).sum()

        assert ms.grad(scaled)(x).asnumpy().tolist() == [[step, step]]


def test_what_keeps_a_program():
    """Arrays that the program writes itself, and large ones, are known by identity."""

    class Writes(nn.Cell):
        def __init__(self):
            super().__init__()
            self.seen, self.large = np.zeros(3, np.float32), np.zeros(1 << 19, np.float32)

        def construct(self, x):
            self.seen[0] = 5
            return x * 2 + Tensor(self.large)[0]

    ms.set_context(mode=ms.GRAPH_MODE)
    net, x = Writes(), Tensor([1.0], ms.float32)
    for _ in range(4):
        assert net(x).asnumpy() == 2 and net.seen.tolist() == [5, 0, 0]
        net.seen[1] = net.large[0] = 0
    assert str(msjax.explain(net)).startswith("Writes: 1 trace")
