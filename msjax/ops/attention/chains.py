"""Attention that a network writes with plain operators, softmax(scale * Q K^T, later keys hidden) V, is computed by the device's kernel.

Only where the kernel gives the same: the mask is known to hide all later keys and no others (see `masks.py`), nothing else is added, and nothing
lies between the softmax and the last product (no dropout). The last product asks how its first factor was made; the scores, which nothing
takes then, are dropped by the compiler. Without such a kernel, and on several devices, the operators run as they are written.
"""

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from ...core.above import above
from ...core.compat import Tracer
from ...core.operators import known
from ...core.operators.record import records
from ...core.settings.context import present_device
from ..activation import functions as _softmax  # noqa: F401  the operators that are followed are registered there
from ..elementwise import arithmetic, casting  # noqa: F401
from ..index import gathering  # noqa: F401
from ..linalg import matmul  # noqa: F401
from . import masks
from .kernels import Hidden, Inputs, attention

_FOLLOWED = (
    "add",
    "bmm",
    "cast",
    "div",
    "masked_fill",
    "matmul",
    "mul",
    "real_div",
    "select",
    "softmax",
    "sub",
    "where",
)


class _Scores:
    """What is found on the way from a softmax back to the product of query and key.

    scale: of the product. hidden: whether later keys are hidden by what was passed.
    """

    def __init__(self):
        self.scale, self.hidden = 1.0, False

    def before(self, step: Any):
        """The array that a step changes, or None where it is none of attention."""
        return getattr(self, f"_{step.record.name}", lambda step: None)(step)

    def _cast(self, step):
        return _float_cast(step)

    def _add(self, step):
        if step.has_factor():
            return None
        for array, mask in (step.arrays[:2], step.arrays[1::-1]):
            if self._takes(mask, masks.hides_later, array, added=True):
                return array
        return None

    def _sub(self, step):
        array, mask = step.arrays[:2]
        return array if not step.has_factor() and self._takes(mask, masks.takes_from_later, array) else None

    def _masked_fill(self, step):
        array, mask, *value = step.arrays
        low = _number(value[0] if value else step.args[2])
        return array if low is not None and low <= masks.LOW and self._takes(mask, masks.hides_later, array) else None

    def _where(self, step):
        condition, first, second = step.arrays
        for array, other, question in ((first, second, masks.shows_earlier), (second, first, masks.hides_later)):
            if masks.is_low(other) and self._takes(condition, question, array):
                return array
        return None

    _select = _where

    def _mul(self, step):
        for array, factor in (step.arrays, step.arrays[::-1]):
            number = _number(factor)
            if number is not None:
                self.scale *= number
                return array
            # earlier scores stay, and later ones are hidden behind it
            if self.hidden and _is_scores(array) and masks.shows_earlier(factor, array.shape[-1], True):
                return array
        return None

    def _div(self, step):
        number = _number(step.arrays[1]) if len(step.args) < 3 or step.args[2] is None else None
        if not number:
            return None
        self.scale /= number
        return step.arrays[0]

    _real_div = _div

    def _takes(self, mask, question, array, **options):
        """Whether a mask hides later keys of an array. It does not count behind a scale, which would be the mask's, too."""
        if self.scale != 1 or not hasattr(mask, "shape") or not _is_scores(array):
            return False
        if np.ndim(mask) < 2 or np.broadcast_shapes(mask.shape, array.shape) != array.shape:
            return False
        found = question(mask, array.shape[-1], **options)
        self.hidden = self.hidden or found
        return found


def _is_scores(array):
    return isinstance(array, Tracer) and array.ndim in (3, 4) and array.shape[-1] == array.shape[-2]


def _float_cast(step):
    array = step.arrays[0]
    return array if jax.numpy.issubdtype(array.dtype, np.floating) and step.out.dtype.kind in "fV" else None


def _number(given):
    """A factor that is a number, or None."""
    if isinstance(given, (int, float)):
        return float(given)
    if getattr(given, "size", 0) != 1 or given.ndim > 0 and given.shape != (1,):
        return None
    found = masks.number(given)
    return None if found is False else found


def _product(step):
    """(first factor, second) of a product, neither of them transposed; None for another step."""
    if step is None or step.record.name not in ("matmul", "bmm"):
        return None
    first, second = step.arrays[:2]
    if first.ndim != second.ndim or first.ndim not in (3, 4) or first.shape[:-2] != second.shape[:-2]:
        return None
    turned = step.args[2:4] if step.record.name == "bmm" else (False, False)
    return tuple(a.swapaxes(-1, -2) if turn else a for a, turn in zip((first, second), turned))


def by_kernel(record: Any, args: Sequence, arrays: Sequence, frame: Any):
    """Attention in the place of its last product, or None."""
    if present_device() == "CPU" or above.devices_of_trace() > 1:
        return None
    known_steps = frame.root.known.steps
    at = known_steps.get(id(arrays[0]))
    factors = at and _product(known.Step(record, args, arrays, None))
    if not factors or args[2:3] == (True,):
        return None
    weights, value = arrays[0], factors[1]
    while at is not None and at.record.name == "cast":
        weights = _float_cast(at)
        at = weights is not None and known_steps.get(id(weights)) or None
    if at is None or at.record.name != "softmax" or at.args[1] not in (-1, (-1,), weights.ndim - 1):
        return None
    scores, found = at.arrays[0], _Scores()
    while scores is not None and _is_scores(scores) and (at := known_steps.get(id(scores))) is not None:
        if (product := _product(at)) is not None:
            return _attention(*product, value, found) if found.hidden else None
        scores = found.before(at)
    return None


def _attention(query, key, value, found):
    key = key.swapaxes(-1, -2)
    if not query.dtype == key.dtype == value.dtype or not found.scale:
        return None
    place = np.arange(query.shape[-2], dtype=np.int32)
    heads = [x if x.ndim == 4 else x[:, None] for x in (query, key, value)]
    inputs = Inputs(*heads, found.scale, hidden=Hidden(place, causal=True))
    if inputs.ready().kernel() is None:
        return None
    return attention(inputs).reshape(*value.shape[:-2], query.shape[-2], value.shape[-1])


for _name in _FOLLOWED:
    records[_name].followed = True
for _name in ("matmul", "bmm"):
    records[_name].instead = by_kernel
