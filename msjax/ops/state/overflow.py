"""Overflow detection: `FloatStatus` for a Tensor, the NPU operators for the gradients (see `core.grad.overflow`)."""

from typing import Any

import jax.numpy as jnp

from ...core.grad import overflow
from ...core.operators.record import composite, op
from ...core.operators.rows import Prim
from ...core.spec import Array
from ...core.trace.frame import current
from ...core.values.tensor import wrap


@op(prim=Prim("FloatStatus"), ops=False)
def float_status(x: Array) -> Array:
    """1.0 if any element is infinite or NaN, else 0.0, as a float32 array of one element."""
    return (~jnp.isfinite(x).all()).astype(jnp.float32).reshape(1)


@op(ops=False, name="npu_status_alloc", prim=(Prim("NPUAllocFloatStatus"), Prim("NPUAllocFloatStatusV2")))
def npu_alloc_float_status() -> Array:
    """A register: eight float32 zeros."""
    return jnp.zeros(8, jnp.float32)


@composite(ops=False, name="npu_status_clear", prim=(Prim("NPUClearFloatStatus"), Prim("NPUClearFloatStatusV2")))
def npu_clear_float_status(addr: Any) -> Array:
    """Clear the register: gradients from here on count. Returns eight zeros."""
    overflow.clear()
    return wrap(jnp.zeros(8, addr.jax_array.dtype), current())


@composite(ops=False, name="npu_status_get", prim=Prim("NPUGetFloatStatus"))
def npu_get_float_status(addr: Any) -> Array:
    """Write into `addr` whether gradients overflowed since the register was cleared (1 in the first place), and return it."""
    flag = jnp.zeros(8, addr.jax_array.dtype).at[0].set(overflow.status().astype(addr.jax_array.dtype))
    addr._assign(flag)
    return wrap(flag, current())


@composite(ops=False, name="npu_status_get_v2", prim=Prim("NPUGetFloatStatusV2"))
def npu_get_float_status_v2(addr: Any):
    """Whether gradients overflowed since the register was cleared (1 in the first place); `addr` stays as it is."""
    return wrap(jnp.zeros(8, addr.jax_array.dtype).at[0].set(overflow.status().astype(addr.jax_array.dtype)), current())
