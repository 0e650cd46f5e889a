"""Copies of arrays: the one that a Parameter is given, and those that lie in parts on several devices."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..host import wide


def own_copy(new: jax.Array, old: Any):
    """A copy of `new` for a box of its own: with two boxes on one array donation would copy at every step.

    Where the box's content lies in parts on several devices, the copy does, too, and is made part by part: no device has it whole.
    """
    if (
        isinstance(old, jax.Array)
        and old.shape == new.shape
        and old.is_fully_addressable
        and not old.is_fully_replicated
        and len(new.sharding.device_set) == 1
    ):
        return in_parts(new, old.sharding)
    return jnp.copy(new)


@wide
def in_parts(array: jax.Array, sharding: jax.sharding.Sharding) -> jax.Array:
    """A copy over several devices, each of which gets its own part; with `device_put` each would have the whole for a moment."""
    host = np.asarray(array)
    return jax.make_array_from_callback(host.shape, sharding, lambda index: host[index].copy())
