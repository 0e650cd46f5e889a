"""Ring buffers of reinforcement learning (`ops.BufferAppend`, `BufferGetItem`, `BufferSample`): Tensors of `capacity` rows, and two counters."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from ...core.operators.primitive import Primitive
from ...core.operators.record import op, records
from ...core.spec import Array, Integers, Key, Operand, Seed

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor


@op(ops=False, name="buffer_place")
def buffer_place(count: Array, head: Operand, index: Integers, capacity: Operand):
    """Row of item `index`, counted from the oldest, or from the end if negative."""
    count, head, index = (jnp.asarray(v).reshape(()).astype(jnp.int32) for v in (count, head, index))
    return (jnp.where(index < 0, index + count, index) + head) % capacity


@op(random=True, ops=False, name="buffer_choice")
def buffer_choice(key: Key, count: Array, capacity: Any, batch_size: Any, seed: Seed, unique: Any):
    """Rows of a random batch; `unique`: each row at most once."""
    count = jnp.asarray(count).reshape(())
    if not unique:
        return jnp.minimum(jnp.floor(jax.random.uniform(key, (batch_size,)) * count).astype(jnp.int32), count - 1)
    scores = jnp.where(jnp.arange(capacity) < count, jax.random.uniform(key, (capacity,)), -1)
    return jax.lax.top_k(scores, batch_size)[1].astype(jnp.int32)


class _Buffer(Primitive):
    """Base: `capacity`, shapes and dtypes of the parts of an item."""

    def __init__(self, capacity, buffer_shape, buffer_dtype):
        super().__init__()
        if isinstance(capacity, bool) or not isinstance(capacity, int) or capacity < 1:
            raise ValueError(f"For '{self.name}', the 'capacity' must be a positive int, but got {capacity!r}.")
        if len(buffer_shape) != len(buffer_dtype):
            raise ValueError(
                f"For '{self.name}', there must be as many shapes as dtypes, but got {len(buffer_shape)} and {len(buffer_dtype)}."
            )
        self.capacity, self.buffer_shape, self.buffer_dtype = capacity, list(buffer_shape), list(buffer_dtype)


class BufferAppend(_Buffer):
    """Write an item, or several (with an axis before), into a ring buffer, over the oldest if it is full; the counters move.

    Inputs: buffer: list or ParameterTuple of Tensors (capacity, ...). exp: list of Tensors. count, head: Parameters of int32: how many
    items there are, and where the oldest is.
    """

    def __call__(self, buffer: Any, exp: Any, count: Any, head: "Tensor"):
        many = exp[0].ndim > len(tuple(self.buffer_shape[0]))
        for i in range(exp[0].shape[0] if many else 1):
            full = (count >= self.capacity).astype(count.dtype)
            row = count * (1 - full) + head * full
            for part, value in zip(buffer, exp):
                part[row.reshape(())] = (value[i] if many else value).astype(part.dtype)
            head.assign_value((head + full) % self.capacity)
            count.assign_value(count + 1 - full)
        return count


class BufferGetItem(_Buffer):
    """The item at a place, counted from the oldest, as a tuple of Tensors. Inputs: buffer, count, head, index."""

    def __call__(self, buffer: Any, count: Any, head: "Tensor", index: Any):
        row = records["buffer_place"](count, head, index, self.capacity)
        return tuple(part[row] for part in buffer)


class BufferSample(_Buffer):
    """Random items as a tuple of Tensors (batch_size, ...). Inputs: buffer, count, head.

    Args:
        batch_size: how many. seed: of its stream of random numbers. unique: no item twice.
    """

    def __init__(
        self,
        capacity: int,
        batch_size: int,
        buffer_shape: Sequence,
        buffer_dtype: Sequence,
        seed: Any = 0,
        unique: bool = False,
    ):
        super().__init__(capacity, buffer_shape, buffer_dtype)
        if batch_size < 1 or unique and batch_size > capacity:
            raise ValueError(f"For '{self.name}', the 'batch_size' must be in [1, {capacity}], but got {batch_size}.")
        self.batch_size, self.seed, self.unique = batch_size, seed, unique

    def __call__(self, buffer: Any, count: Any, head: "Tensor"):
        rows = records["buffer_choice"](count, self.capacity, self.batch_size, self.seed, self.unique)
        return tuple(part[rows] for part in buffer)
