"""Schedules for rates that others may change too: functions of the count that give the factor from the last rate to this one.

`mindspore.experimental.optim.lr_scheduler` applies them to the present rates, so that several schedulers may act on one optimizer. Their
closed forms are in `schedules`. The count is a float32 array.
"""

from collections.abc import Sequence

import jax.numpy as jnp
import numpy as np
import optax

_ONE = np.float32(1)


def step(step_size: int, gamma: float) -> optax.Schedule:
    """`gamma` every `step_size` counts, else 1."""
    return lambda count: jnp.where((count > 0) & (count % step_size == 0), np.float32(gamma), _ONE)


def multi_step(milestones: Sequence[int], gamma: float) -> optax.Schedule:
    """`gamma` at each of the milestones, as often as it stands there; else 1."""
    places = np.array(milestones, np.float32)
    return lambda count: np.float32(gamma) ** (places == count).sum().astype(jnp.float32)


def exponential(gamma: float) -> optax.Schedule:
    """`gamma` at every count but the first."""
    return lambda count: jnp.where(count == 0, _ONE, np.float32(gamma))


def linear(start_factor: float, end_factor: float, total_iters: int) -> optax.Schedule:
    """From start_factor to end_factor times the first rate in equal steps over `total_iters` counts."""
    rise = end_factor - start_factor

    def at(count):
        factor = _ONE + rise / (total_iters * start_factor + (count - 1) * rise)
        return jnp.where(count == 0, np.float32(start_factor), jnp.where(count > total_iters, _ONE, factor))

    return at


def polynomial(total_iters: int, power: float) -> optax.Schedule:
    """(1 - count / total_iters) ** power by that of the last count; 1 afterwards."""

    def at(count):
        moving = (count > 0) & (count <= total_iters)
        count = jnp.where(moving, count, _ONE)
        left, before = (_ONE - e / total_iters for e in (count, count - 1))
        return jnp.where(moving, (left / before) ** np.float32(power), _ONE)

    return at
