"""Tensors whose content is made when it is first needed: what `Tensor(shape=, dtype=, init=)` is given."""

import functools
from typing import Any

import numpy as np


def shape_tuple(shape: Any):
    """The shape as a tuple of whole numbers; ValueError for an unknown axis."""
    if isinstance(shape, (int, np.integer)):
        return (int(shape),)
    if any(s is None or s < 0 for s in shape):
        raise ValueError(
            f"negative dimensions are not allowed: the shape {tuple(shape)} has an unknown or negative axis."
        )
    return tuple(int(s) for s in shape)


def checked_init(input_data: Any, dtype: Any, shape: Any, init: Any):
    """What fills the content, of what `Tensor(init=)` was given. What can fill nothing is told when it is to, as in MindSpore: libraries
    make such Tensors for their shape.
    """
    if input_data is not None:
        raise ValueError("For 'Tensor', 'input_data' and 'init' can not be given at the same time.")
    if shape is None or dtype is None:
        needs = "For 'Tensor' with 'init', both 'shape' and 'dtype' must be given"
        raise ValueError(f"{needs}, but got shape={shape}, dtype={dtype}.")
    if isinstance(init, bool | int | float):  # MindSpore takes it, and has no content to compute with
        return lambda content: content.fill(init)
    return init if callable(init) else functools.partial(_refused, init)


def _refused(init, content):
    raise TypeError(f"For 'Tensor', 'init' must be an instance of Initializer, but got {type(init).__name__}.")
