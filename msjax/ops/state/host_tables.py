"""Arrays, queues and replay buffers that live on the host, known by a handle (`ops.operations._rl_inner_ops`, `_tensor_array` of
MindSpore 1.x and 2.0): in compiled code each use is a call of the host, in the order of the program.
"""

import itertools
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from ...core import host_calls
from ...core.errors import Unstageable
from ...core.operators import check
from ...core.operators.primitive import Primitive
from ...core.operators.record import Record, op
from ...core.operators.rows import Prim
from ...core.spec import Array, Operand
from ...core.spec.checking import checked
from ...core.spec.rules import Like, NonNegativeInt
from ...core.trace.frame import current
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor

_TABLES = {}
_NUMBERS = itertools.count()
_HANDLE = jax.ShapeDtypeStruct((1,), np.int64)


def _table(handle, name):
    table = _TABLES.get(int(np.asarray(handle).reshape(-1)[0]))
    if table is None:
        raise RuntimeError(f"For '{name}', there is no such handle: it was closed, or never created.")
    return table


def _filed(table):
    handle = next(_NUMBERS)
    _TABLES[handle] = table
    return handle


class _OnHost(Primitive):
    """Base: `_run(handle, *values)` runs on the host; `_out` declares shapes and dtypes of the result: None, one, or a
    tuple.
    """

    _out = _HANDLE

    def _run(self, handle, *values):
        raise NotImplementedError

    def _call(self, handle, *values):
        out = self._out() if callable(self._out) else self._out
        several = isinstance(out, tuple)

        def host(number, *arrays):
            result = self._run(_table(number, self.name), *(np.asarray(a) for a in arrays))
            results = result if several else (number if result is None else result,)
            made = tuple(np.asarray(r, w.dtype).reshape(w.shape) for r, w in zip(results, out if several else (out,)))
            return made if several else made[0]

        values = [handle, *(v if isinstance(v, Tensor) else Tensor(v) for v in values)]
        if current() is None:
            made = host(*(v.asnumpy() for v in values))
            return tuple(Tensor(m) for m in made) if several else Tensor(made)

        def called(*arrays):
            # what is stored has no gradient
            return host_calls.ask(host, out, *(jax.lax.stop_gradient(a) for a in arrays), ordered=True)

        return Record(called, self.name)(*values)


def _array(shape, dtype):
    return jax.ShapeDtypeStruct(tuple(shape), mstype.to_numpy(dtype))


# ---- arrays of Tensors --------------------------------------------------------------------------------------------------------------


class _Elements:
    """The elements of a TensorArray by index; between them are zeros."""

    def __init__(self, shape, dtype, dynamic, size):
        self.shape, self.dtype, self.dynamic, self.limit = shape, dtype, dynamic, size
        self.elements = {}

    def __len__(self):
        return max(self.elements, default=-1) + 1

    def stack(self):
        count = len(self) if self.dynamic else self.limit
        zero = np.zeros(self.shape, self.dtype)
        return np.stack([self.elements.get(i, zero) for i in range(count)]) if count else np.zeros((0, *self.shape))

    def check(self, index, name, limit):
        if not 0 <= index < limit:
            raise RuntimeError(f"For '{name}', the index must be in [0, {limit}), but got {index}.")


class TensorArray(Primitive):
    """The handle of a new array. dtype, element_shape: of its elements. dynamic_size: whether it grows; size: how many, if not."""

    @checked
    def __init__(
        self,
        dtype: Any,
        element_shape: Any,
        dynamic_size: Like[bool] = True,
        size: NonNegativeInt = 0,
        name: Like[str] = "TA",
    ):
        super().__init__("TensorArray")
        self._settings = tuple(element_shape), mstype.to_numpy(dtype), dynamic_size, size

    def __call__(self):
        return Tensor([_filed(_Elements(*self._settings))], mstype.int64)


class TensorArrayWrite(_OnHost):
    """(handle, index, value): puts a value at a place."""

    def __call__(self, handle: Tensor, index: Any, value: Any):
        return self._call(handle, index, value)

    def _run(self, table, index, value):
        index = int(index)
        table.check(index, self.name, np.inf if table.dynamic else table.limit)
        if value.shape != table.shape:
            raise ValueError(f"For '{self.name}', the value must have the shape {table.shape}, but got {value.shape}.")
        table.elements[index] = value.astype(table.dtype)


class TensorArrayRead(_OnHost):
    """(handle, index): the element at a place."""

    def __init__(self, dtype: Any, element_shape: Any):
        super().__init__()
        self._out = _array(element_shape, dtype)

    def __call__(self, handle: Tensor, index: Any):
        return self._call(handle, index)

    def _run(self, table, index):
        index = int(index)
        table.check(index, self.name, len(table) if table.dynamic else table.limit)
        return table.elements.get(index, np.zeros(table.shape, table.dtype))


class TensorArrayGather(_OnHost):
    """(handle, indices): several elements."""

    def __init__(self, dtype: Any, element_shape: Any):
        super().__init__()
        self._element = tuple(element_shape), dtype

    def __call__(self, handle: Tensor, indices: Any):
        shape, dtype = self._element
        self._out = _array((*indices.shape, *shape), dtype)
        return self._call(handle, indices)

    def _run(self, table, indices):
        return table.stack()[indices]


class TensorArrayStack(_OnHost):
    """(handle): all elements as one Tensor; an array that grows has no size that compiled code could know."""

    def __init__(self, dtype: Any, element_shape: Any, dynamic_size: bool = True, size: int = 0):
        super().__init__()
        self._element, self._dynamic, self._size = (tuple(element_shape), dtype), dynamic_size, size

    def __call__(self, handle: Tensor):
        shape, dtype = self._element
        if self._dynamic and current() is not None:
            raise Unstageable(f"For '{self.name}', an array with 'dynamic_size' has no size in compiled code")
        count = len(_table(handle.asnumpy(), self.name)) if self._dynamic else self._size
        self._out = _array((count, *shape), dtype)
        return self._call(handle)

    def _run(self, table):
        return table.stack()


class _Clear(_OnHost):
    """(handle): takes everything out."""

    def __call__(self, handle):
        return self._call(handle)

    def _run(self, table):
        table.elements.clear()


class _Close(_OnHost):
    """(handle): the handle ends."""

    def __call__(self, handle):
        return self._call(handle)

    def _run(self, table):
        for number in [n for n, t in _TABLES.items() if t is table]:
            del _TABLES[number]


class _Count(_OnHost):
    """(handle): how many elements there are."""

    _out = jax.ShapeDtypeStruct((), np.int64)

    def __call__(self, handle):
        return self._call(handle)

    def _run(self, table):
        return len(table)


class TensorArrayClear(_Clear):
    __doc__ = _Clear.__doc__


class TensorArrayClose(_Close):
    __doc__ = _Close.__doc__


class TensorArraySize(_Count):
    __doc__ = _Count.__doc__


# ---- queues -------------------------------------------------------------------------------------------------------------------------


class _Queue:
    def __init__(self, limit):
        self.elements, self.limit = [], limit

    def __len__(self):
        return len(self.elements)


class TensorsQueueCreate(Primitive):
    """The handle of a new queue of tuples of Tensors. size: its capacity, 0: unlimited."""

    def __init__(self, dtype: Any, shapes: Sequence, size: int = 0, name: str = "Q"):
        super().__init__("TensorsQueueCreate")
        check.check_non_negative_int(size, "size", self.name)
        self._size = size

    def __call__(self):
        return Tensor([_filed(_Queue(self._size))], mstype.int64)


class TensorsQueuePut(_OnHost):
    """(handle, element): puts a tuple at the end."""

    def __init__(self, dtype: Any, shapes: Sequence):
        super().__init__()

    def __call__(self, handle: Tensor, element: Any):
        return self._call(handle, *element)

    def _run(self, table, *element):
        if table.limit and len(table) >= table.limit:
            raise RuntimeError(f"For '{self.name}', the queue is full: it holds {table.limit} elements.")
        table.elements.append(element)


class TensorsQueueGet(_OnHost):
    """(handle): the first tuple. pop_after_get: it leaves the queue."""

    def __init__(self, dtype: Any, shapes: Sequence, pop_after_get: bool = False):
        super().__init__()
        self._out, self._pop = tuple(_array(s, dtype) for s in shapes), pop_after_get

    def __call__(self, handle: Tensor):
        return self._call(handle)

    def _run(self, table):
        if not table.elements:
            raise RuntimeError(f"For '{self.name}', the queue is empty.")
        return table.elements.pop(0) if self._pop else table.elements[0]


class TensorsQueueClear(_Clear):
    __doc__ = _Clear.__doc__


class TensorsQueueClose(_Close):
    __doc__ = _Close.__doc__


class TensorsQueueSize(_Count):
    __doc__ = _Count.__doc__


# ---- replay buffers -----------------------------------------------------------------------------------------------------------------


class _Replay:
    """Transitions in a ring, with the priority of each (to the power alpha): the newest has the largest so far."""

    def __init__(self, capacity, alpha, seed):
        self.capacity, self.alpha, self.random = capacity, alpha, np.random.default_rng(seed)
        self.elements, self.priorities, self.next, self.largest = {}, np.zeros(capacity), 0, 1.0

    def push(self, transition):
        self.elements[self.next], self.priorities[self.next] = transition, self.largest
        self.next = (self.next + 1) % self.capacity

    def sample(self, count, beta):
        """One transition of each of `count` equal parts of the sum of priorities; weights relative to the largest."""
        sums = np.cumsum(self.priorities)
        points = (np.arange(count) + self.random.random(count)) * sums[-1] / count
        chosen = np.minimum(np.searchsorted(sums, points, side="right"), len(self.elements) - 1)
        weights = (len(self.elements) * self.priorities[chosen] / sums[-1]) ** -beta
        least = self.priorities[: len(self.elements)].min()
        return chosen, weights / (len(self.elements) * least / sums[-1]) ** -beta

    def update(self, indices, priorities):
        if not (priorities > 0).all():
            raise ValueError("For 'PriorityReplayBufferUpdate', priorities must be larger than 0.")
        self.priorities[indices] = priorities.astype(np.float64) ** self.alpha
        self.largest = max(self.largest, self.priorities[indices].max())


class _Reservoir:
    """An even sample of all transitions that ever came."""

    def __init__(self, capacity, seed):
        self.capacity, self.random, self.elements, self.seen = capacity, np.random.default_rng(seed), {}, 0

    def push(self, transition):
        place = self.seen if self.seen < self.capacity else int(self.random.integers(self.seen + 1))
        self.seen += 1
        if place < self.capacity:
            self.elements[place] = transition


class _CreateBuffer(Primitive):
    def _start(self, capacity, shapes, dtypes, seed0, seed1):
        check.check_positive_int(capacity, "capacity", self.name)
        check.check_value_type("shape of init data", shapes, [tuple, list], self.name)
        check.check_value_type("dtypes of init data", dtypes, [tuple, list], self.name)
        return [check.check_non_negative_int(s, n, self.name) for s, n in ((seed0, "seed0"), (seed1, "seed1"))]

    def __call__(self):
        return Tensor([_filed(self._make())], mstype.int64)


class PriorityReplayBufferCreate(_CreateBuffer):
    """The handle of a new buffer that samples by priority (Prioritized Experience Replay, arXiv 1511.05952).

    Args:
        capacity: of the ring. alpha: how much priorities count, in [0, 1]. shapes, dtypes: of the parts of a transition. seed0, seed1:
        of what is drawn.
    """

    def __init__(self, capacity: int, alpha: float, shapes: Sequence, dtypes: Sequence, seed0: int = 0, seed1: int = 0):
        super().__init__()
        seeds = self._start(capacity, shapes, dtypes, seed0, seed1)
        check.check_float_range(alpha, 0.0, 1.0, check.INC_BOTH, "alpha", self.name)
        self._make = lambda: _Replay(capacity, alpha, seeds)


class ReservoirReplayBufferCreate(_CreateBuffer):
    """The handle of a new buffer that keeps an even sample of all transitions. Arguments as of PriorityReplayBufferCreate."""

    def __init__(self, capacity: int, shapes: Sequence, dtypes: Sequence, seed0: int = 0, seed1: int = 0):
        super().__init__()
        seeds = self._start(capacity, shapes, dtypes, seed0, seed1)
        self._make = lambda: _Reservoir(capacity, seeds)


class _OfBuffer(_OnHost):
    """Base: the handle is an argument, a number or a Tensor."""

    def __init__(self, handle):
        super().__init__()
        self._handle = handle if isinstance(handle, Tensor) else Tensor([handle], mstype.int64)


class PriorityReplayBufferPush(_OfBuffer):
    """(transition): keeps a transition, over the oldest if the buffer is full."""

    def __call__(self, *transition):
        if len(transition) == 1 and isinstance(transition[0], (tuple, list)):
            transition = transition[0]
        return self._call(self._handle, *transition)

    def _run(self, table, *transition):
        table.push(transition)


class ReservoirReplayBufferPush(PriorityReplayBufferPush):
    __doc__ = PriorityReplayBufferPush.__doc__


class PriorityReplayBufferSample(_OfBuffer):
    """(beta): indices, weights that make up for the uneven choice (as far as beta says), and the parts of the transitions."""

    def __init__(self, handle: Tensor, batch_size: int, shapes: Sequence, dtypes: Sequence):
        super().__init__(handle)
        self.batch_size = check.check_positive_int(batch_size, "batch_size", self.name)
        parts = tuple(_array((batch_size, *s), d) for s, d in zip(shapes, dtypes))
        self._out = (_array((batch_size,), mstype.int64), _array((batch_size,), mstype.float32), *parts)

    def __call__(self, beta: float):
        return self._call(self._handle, beta)

    def _run(self, table, beta):
        if not table.elements:
            raise RuntimeError(f"For '{self.name}', the buffer is empty.")
        chosen, weights = table.sample(self.batch_size, float(beta))
        rows = [table.elements[int(i)] for i in chosen]
        return chosen, weights, *(np.stack(part) for part in zip(*rows))


class ReservoirReplayBufferSample(_OfBuffer):
    """(): the parts of a batch of transitions, each at most once."""

    def __init__(self, handle: Tensor, batch_size: int, shapes: Sequence, dtypes: Sequence):
        super().__init__(handle)
        self.batch_size = check.check_positive_int(batch_size, "batch_size", self.name)
        self._out = tuple(_array((batch_size, *s), d) for s, d in zip(shapes, dtypes))

    def __call__(self):
        return self._call(self._handle)

    def _run(self, table):
        if len(table.elements) < self.batch_size:
            raise RuntimeError(f"For '{self.name}', the buffer holds fewer than {self.batch_size} transitions.")
        chosen = table.random.choice(len(table.elements), self.batch_size, replace=False)
        rows = [table.elements[int(i)] for i in chosen]
        return tuple(np.stack(part) for part in zip(*rows))


class PriorityReplayBufferUpdate(_OfBuffer):
    """(indices, priorities): new priorities of transitions."""

    def __call__(self, indices: Any, priorities: Tensor):
        return self._call(self._handle, indices, priorities)

    def _run(self, table, indices, priorities):
        table.update(indices, priorities)


class PriorityReplayBufferDestroy(_OfBuffer):
    """(): the buffer ends."""

    def __call__(self):
        return self._call(self._handle)

    _run = _Close._run


class ReservoirReplayBufferDestroy(PriorityReplayBufferDestroy):
    __doc__ = PriorityReplayBufferDestroy.__doc__


# ---- other operators of the same family ---------------------------------------------------------------------------------------------


@op(prim=Prim("DiscountedReturn", inputs=("reward", "done", "last_state_value")), ops=False, name="discounted_return")
def discounted_return(reward: Array, done: Operand, last_state_value: Operand, gamma: Operand):
    """Returns of each step: reward + gamma * the next return, or 0 for it where the episode is done.

    reward, done: (steps, ...); last_state_value (...): the value behind the last step.
    """

    def step(following, now):
        gain, ended = now
        found = gain + gamma * following * (1 - ended.astype(gain.dtype))
        return found, found

    return jax.lax.scan(step, last_state_value, (reward, done), reverse=True)[1]


class BatchAssign(Primitive):
    """(targets, sources): each Parameter of the first tuple takes the value of the one in the second. lock: accepted."""

    def __init__(self, lock: bool = True):
        super().__init__("BatchAssign")
        check.check_value_type("lock", lock, [bool], self.name)

    def __call__(self, targets: Tensor, sources: Any):
        for target, source in zip(targets, sources):
            target.assign_value(source)


# ---- tables from keys to values -----------------------------------------------------------------------------------------------------


class MapTensorGet(Primitive):
    """(map_tensor, keys): the values of keys. insert_default_value: insert missing keys."""

    def __init__(self, insert_default_value: bool = True):
        super().__init__("MapTensorGet")
        self.insert_default_value = check.check_bool(insert_default_value, "insert_default_value", self.name)

    def __call__(self, map_tensor: Any, key_tensor: Any):
        return map_tensor.get(key_tensor, self.insert_default_value)


class MapTensorPut(Primitive):
    """(map_tensor, keys, values): sets values."""

    def __call__(self, map_tensor: Any, key_tensor: Any, value_tensor: Any):
        return map_tensor.put(key_tensor, value_tensor)


class MapTensorErase(Primitive):
    """(map_tensor, keys): takes keys out."""

    def __call__(self, map_tensor: Any, key_tensor: Any):
        return map_tensor.erase(key_tensor)


class MapTensorGetKeys(Primitive):
    """(map_tensor): its keys."""

    def __call__(self, map_tensor: Any):
        return map_tensor.get_keys()


class MapTensorGetValues(Primitive):
    """(map_tensor): its values."""

    def __call__(self, map_tensor: Any):
        return map_tensor.get_values()


class MapTensorGetData(Primitive):
    """(map_tensor): keys and values."""

    def __call__(self, map_tensor: Any):
        return map_tensor.get_data()
