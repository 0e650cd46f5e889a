"""Programs for devices that are not there: the arguments of one of `device_num` processes, repeated for all of them.

`set_auto_parallel_context(device_num=8)` in a process that is alone, with fewer devices: MindSpore's compiler takes the inputs for the part of
one device and compiles for the batch of all. A network that is compiled ahead gets such a batch here, so its strategies are checked as there, and
so does a network that cannot be computed with one part, because its weights have as many rows as the whole batch.
"""

import math
from typing import Any

import jax.numpy as jnp

from ..core.settings.context import ParallelMode, get_auto_parallel_context
from ..core.values.tensor import Tensor, wrap
from . import shardings
from .layout import Layout
from .processes import world


def of_all(args: Any, kwargs: Any):
    """Arguments as all devices together get them, if each gets these; None where this process has the whole batch, or the devices."""
    if get_auto_parallel_context("parallel_mode") not in (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL):
        return None
    count = get_auto_parallel_context("device_num") // get_auto_parallel_context("pipeline_stages")
    told = get_auto_parallel_context("dataset_strategy")
    if count < 2 or told == "full_batch":
        return None
    if world().size > 1 or shardings.everything() is not None:
        return None
    left = iter(() if isinstance(told, str) else told)

    def grown(value):
        if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
            return type(value)(grown(v) for v in value)
        if type(value) is not Tensor or not value.ndim:
            return value
        own = next(left, None)
        times = (count,) if own is None else parts_of(own)
        if math.prod(times) == 1:
            return value
        return wrap(jnp.tile(value.jax_array, (*times, *[1] * (value.ndim - len(times)))))

    return tuple(grown(value) for value in args), {name: grown(value) for name, value in kwargs.items()}


def parts_of(strategy: Any):
    """Into how many parts a strategy or a Layout cuts each axis."""
    if not isinstance(strategy, Layout):
        return tuple(strategy)
    told = strategy.to_dict()
    matrix = told["device_matrix"]
    places = [place if isinstance(place, tuple) else (place,) for place in told["tensor_map"]]
    return tuple(math.prod(matrix[len(matrix) - 1 - axis] for axis in place if axis != -1) for place in places)
