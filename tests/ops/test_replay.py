"""Ring buffers of reinforcement learning, and the transforms over three axes of MindSpore 1.x."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops

SHAPES, TYPES = [(4,), (2,)], [ms.float32, ms.int32]


class Ring(nn.Cell):
    def __init__(self, count=0):
        super().__init__()
        self.states = Parameter(Tensor(np.arange(20, dtype=np.float32).reshape(5, 4)), name="states")
        self.actions = Parameter(Tensor(np.arange(10, dtype=np.int32).reshape(5, 2)), name="actions")
        self.count, self.head = (
            Parameter(Tensor(count, ms.int32), name="count"),
            Parameter(Tensor(0, ms.int32), name="head"),
        )
        self.append = ops.BufferAppend(5, SHAPES, TYPES)
        self.get = ops.BufferGetItem(5, SHAPES, TYPES)
        self.sample = ops.BufferSample(5, 3, SHAPES, TYPES, unique=True)

    def construct(self, state, action):
        self.append((self.states, self.actions), (state, action), self.count, self.head)
        return self.get((self.states, self.actions), self.count, self.head, -1)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_ring_buffer(mode):
    ms.set_context(mode=mode)
    ring = Ring()
    for i in range(6):
        newest = ring(Tensor(np.full(4, i, np.float32)), Tensor(np.full(2, -i, np.int32)))
        assert newest[0].asnumpy().tolist() == [i] * 4
    assert ring.states.asnumpy()[:, 0].tolist() == [5, 1, 2, 3, 4]  # the sixth is written over the first
    assert ring.actions.asnumpy()[:, 0].tolist() == [-5, -1, -2, -3, -4]
    assert (int(ring.count), int(ring.head)) == (5, 1)
    oldest = ring.get((ring.states, ring.actions), ring.count, ring.head, 0)
    assert oldest[0].asnumpy().tolist() == [1] * 4
    states, actions = ring.sample((ring.states, ring.actions), ring.count, ring.head)
    assert states.shape == (3, 4) and len(set(states.asnumpy()[:, 0])) == 3
    np.testing.assert_array_equal(states.asnumpy()[:, 0], -actions.asnumpy()[:, 0])
    ms.set_context(mode=ms.PYNATIVE_MODE)


def test_several_at_once_and_errors():
    ring = Ring(count=5)
    ring(Tensor(np.full((2, 4), 6, np.float32)), Tensor(np.full((2, 2), 6, np.int32)))
    assert ring.states.asnumpy()[:, 0].tolist() == [6, 6, 8, 12, 16] and int(ring.head) == 2
    with pytest.raises(ValueError, match="capacity"):
        ops.BufferAppend(0, SHAPES, TYPES)


def test_transforms_over_three_axes():
    x = np.random.default_rng(0).normal(size=(2, 3, 4)).astype(np.float32)
    half = ops.operations.FFT3D()(Tensor(x))
    np.testing.assert_allclose(half.asnumpy(), np.fft.rfftn(x), atol=1e-5)
    np.testing.assert_allclose(ops.operations.IFFT3D()(half).asnumpy(), x * x.size, atol=1e-4)
