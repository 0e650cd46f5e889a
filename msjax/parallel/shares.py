"""Gradients that a user wrote (`bprop`) for MindSpore, where each device gets its share of a gradient.

MindSpore's program is one of each device. Where k devices hold the same Tensor, each of them has 1/k of the gradient: it divides where the
backward begins, and adds up where the forward has added up. A `Cell.bprop` gets the share of its output's k devices and must give that of its
inputs' k devices, so networks that reduce over split axes multiply by a factor (`repeat_loss` of MindFormers and PanGu). One program of
all devices has whole gradients: here what `bprop` gives is multiplied by (devices that hold the input alike) / (those of the output).
How often is known from the strategies of the operators that take the inputs and give the output; where they tell nothing, nothing is done.
"""

import contextlib
import math
from typing import Any

from ..core.settings.context import get_auto_parallel_context
from ..core.settings.execution_state import here, within
from ..core.settings.parallel_context import GLOBAL_MODES
from ..core.values.tensor import Tensor
from ..core.values.tensor_trees import tensor_leaves
from .strategies import of_tensors

_REDUCTIONS = ("SumExt", "MeanExt", "ProdExt")


@contextlib.contextmanager
def noting():
    """A block whose operators with strategies are noted; gives the list of them, or None in a mode without strategies."""
    if get_auto_parallel_context("parallel_mode") not in GLOBAL_MODES:
        yield None
        return
    notes = []
    with within(split_calls=notes):
        yield notes


def note(primitive: Any, args: Any, out: Any):
    """An operator with strategies was called."""
    notes = here().split_calls
    if notes is not None and primitive.in_strategy:
        notes.append((primitive, args, out))


def factors(notes: Any, inputs: Any, out: Any):
    """For each input the factor of its gradient by a `bprop`; `out`: the result of the forward."""
    given = [1.0] * len(inputs)
    results = tensor_leaves(out)
    if not notes or len(results) != 1:
        return given
    of_out = _parts_of_result(notes, results[0])
    for i, box in enumerate(inputs):
        of_input = _parts_of_argument(notes, box)
        if of_out and of_input:
            given[i] = of_out / of_input
    return given


def _pairs(primitive, args):
    """(Tensor, into how many parts each of its axes is split) of a call."""
    tensors = [a for a in args if isinstance(a, Tensor)]
    pairs = [(t, _parts(s)) for t, s in zip(tensors, of_tensors(primitive.in_strategy, args))]
    return [(t, parts) for t, parts in pairs if parts is not None and len(parts) == t.ndim]


def _parts(strategy):
    if hasattr(strategy, "to_dict"):
        told = strategy.to_dict()
        sizes = {len(told["device_matrix"]) - 1 - i: n for i, n in enumerate(told["device_matrix"])} | {-1: 1}
        places = [p if isinstance(p, tuple) else (p,) for p in told["tensor_map"]]
        return tuple(math.prod(sizes[axis] for axis in place) for place in places)
    return strategy if isinstance(strategy, tuple) and all(isinstance(n, int) for n in strategy) else None


def _parts_of_argument(notes, box):
    for primitive, args, _ in notes:
        for tensor, strategy in _pairs(primitive, args):
            if tensor is box:
                return math.prod(strategy)
    return None


def _parts_of_result(notes, box):
    for primitive, args, out in reversed(notes):
        if out is not box:
            continue
        for tensor, strategy in _pairs(primitive, args):
            if tensor.shape == box.shape:
                return math.prod(strategy)
            if primitive.name.startswith("Reduce") or primitive.name in _REDUCTIONS:
                axes = next((a for a in args if isinstance(a, (int, tuple, list)) and not isinstance(a, bool)), ())
                axes = [axes] if isinstance(axes, int) else list(axes) or list(range(tensor.ndim))
                return math.prod(n for i, n in enumerate(strategy) if i not in [a % tensor.ndim for a in axes])
    return None
