"""Arrays, queues and replay buffers on the host: in both modes, in the order of the program."""

import numpy as np
import pytest

import msjax as ms
from msjax import Parameter, ParameterTuple, Tensor, nn, ops

MODES = pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
PARTS = [(2,), ()], [ms.float32, ms.int32]


@MODES
def test_tensor_array(mode):
    ms.set_context(mode=mode)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.kept = nn.TensorArray(ms.float32, (2,), dynamic_size=False, size=4)

        def construct(self, x):
            for i in range(3):
                self.kept.write(i, x * i)
            x = x + self.kept.read(2)
            self.kept.write(3, x)
            return self.kept.stack(), self.kept.size()

    net = Net()
    for start in (1.0, 2.0):
        stacked, size = net(Tensor([start, -start], ms.float32))
        np.testing.assert_array_equal(stacked.asnumpy()[:, 0], [0, start, 2 * start, 3 * start])
        assert int(size) == 4
    gradient = ms.grad(lambda x: (net(x)[0] + x).sum())(Tensor([1.0, 2.0], ms.float32))  # none comes out of the array
    np.testing.assert_array_equal(gradient.asnumpy(), [4, 4])


def test_an_array_that_grows():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    array = nn.TensorArray(ms.int64, ())
    array.write(0, 1)
    array.write(2, 3)
    assert array.stack().asnumpy().tolist() == [1, 0, 3]
    assert ops.TensorArrayGather(ms.int64, ())(array.handle_, Tensor([2, 0])).asnumpy().tolist() == [3, 1]
    with pytest.raises(RuntimeError, match="index"):
        array.read(3)
    array.clear()
    assert int(array.size()) == 0
    array.close()
    with pytest.raises(RuntimeError, match="closed"):
        array.read(0)


def test_an_array_that_grows_in_compiled_code():
    array = nn.TensorArray(ms.int64, ())

    @ms.jit
    def kept(i, value):
        array.write(i, value)
        return array.read(i), array.stack()

    with pytest.warns(RuntimeWarning, match="runs eagerly.*no size"):
        assert [t.asnumpy().tolist() for t in kept(Tensor(1), Tensor(5))] == [5, [0, 5]]


@MODES
def test_queue(mode):
    ms.set_context(mode=mode)
    queue = nn.reinforcement.TensorsQueue(ms.float32, ((2,), (1,)), size=3)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.queue = queue

        def construct(self, a, b):
            self.queue.put((a, b))
            self.queue.put((a + 1, b))
            first, _ = self.queue.pop()
            second, _ = self.queue.get()
            return first, second, self.queue.size()

    first, second, size = Net()(Tensor([1.0, 2.0], ms.float32), Tensor([3.0], ms.float32))
    assert (first.asnumpy().tolist(), second.asnumpy().tolist(), int(size)) == ([1, 2], [2, 3], 1)
    queue.clear()
    assert int(queue.size()) == 0


@MODES
def test_priority_replay_buffer(mode):
    ms.set_context(mode=mode)
    inner = ops
    handle = inner.PriorityReplayBufferCreate(8, 1.0, *PARTS, 1, 2)()
    push, sample = inner.PriorityReplayBufferPush(handle), inner.PriorityReplayBufferSample(handle, 64, *PARTS)
    update = inner.PriorityReplayBufferUpdate(handle)

    class Net(nn.Cell):
        def construct(self, x, n):
            push(x, n)
            return n + 1

    net, number = Net(), Tensor(0, ms.int32)
    for _ in range(10):  # two more than it holds
        number = net(Tensor([1.0, 2.0], ms.float32) * number, number)
    indices, weights, states, numbers = sample(Tensor(1.0, ms.float32))
    assert set(numbers.asnumpy()) == set(range(2, 10))
    assert states.shape == (64, 2) and set(weights.asnumpy()) == {1.0}
    update(Tensor(np.arange(8)), Tensor([100.0] + [1.0] * 7, ms.float32))
    indices, weights, _, _ = sample(Tensor(1.0, ms.float32))
    often = indices.asnumpy() == 0
    assert often.mean() > 0.9
    np.testing.assert_allclose(weights.asnumpy()[often], 0.01, rtol=1e-5)  # of the largest
    inner.PriorityReplayBufferDestroy(handle)()
    with pytest.raises(RuntimeError, match="no such handle"):
        inner.PriorityReplayBufferSample(handle, 2, *PARTS)(Tensor(1.0, ms.float32))


def test_reservoir_replay_buffer():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    inner = ops
    handle = inner.ReservoirReplayBufferCreate(50, [()], [ms.int32], 0, 0)()
    for i in range(500):
        inner.ReservoirReplayBufferPush(handle)([Tensor(i, ms.int32)])
    (kept,) = inner.ReservoirReplayBufferSample(handle, 50, [()], [ms.int32])()
    kept = kept.asnumpy()
    assert len(set(kept)) == 50
    assert 150 < kept.mean() < 350  # even over all that came


@MODES
def test_returns_and_copies(mode):
    ms.set_context(mode=mode)
    reward = Tensor([[1.0], [2.0], [3.0]], ms.float32)
    done = Tensor([[False], [True], [False]])
    found = ops.DiscountedReturn(0.5)(reward, done, Tensor([10.0], ms.float32))
    assert found.asnumpy().ravel().tolist() == [2.0, 2.0, 8.0]
    own, other = Parameter(Tensor([1.0]), name="a"), Parameter(Tensor([2.0]), name="b")
    assert nn.reinforcement.BatchWrite()(ParameterTuple([own]), ParameterTuple([other]))
    assert own.asnumpy().tolist() == [2.0]


def test_tables_of_keys():
    from msjax.experimental import MapParameter

    table = MapParameter(ms.int32, ms.float32, (1,), default_value="zeros", name="table")
    ops.MapTensorPut()(table, Tensor([1, 2], ms.int32), Tensor([[1.0], [2.0]], ms.float32))
    assert ops.MapTensorGet()(table, Tensor([2, 5], ms.int32)).asnumpy().ravel().tolist() == [2.0, 0.0]
    ops.MapTensorErase()(table, Tensor([1], ms.int32))
    assert sorted(ops.MapTensorGetKeys()(table).asnumpy().tolist()) == [2, 5]
