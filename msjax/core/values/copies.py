"""The copy of an array that a Parameter is given."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


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
        host = np.asarray(new)
        return jax.make_array_from_callback(new.shape, old.sharding, lambda index: host[index].copy())
    return jnp.copy(new)
