"""Operators that hand values to the host: summaries for `SummaryRecord`, and Tensors to files.

Eagerly they act at once; in a compiled function when the value is there, in the order of the program.
"""

import itertools
import os
from typing import Any

import jax
import numpy as np

from ..core import host_calls
from ..core.compat import Tracer
from ..core.operators.primitive import Primitive
from ..core.values.tensor import Tensor

_collected = []  # (kind, tag, array) since the last `take_summaries`
_dump_numbers = itertools.count()


def take_summaries():
    """All (kind, tag, array) that networks gave since the last call; waits for compiled functions that still run."""
    jax.effects_barrier()
    taken = _collected[:]
    del _collected[: len(taken)]
    return taken


def _on_host(function, value):
    """Call `function(NumPy array)` now, or when a traced value is there."""
    data = value.jax_array if isinstance(value, Tensor) else value
    if isinstance(data, Tracer):
        host_calls.tell(function, data)
    else:
        function(np.array(data))


class _Summary(Primitive):
    """Base: called with a tag and a Tensor, it gives them to the SummaryRecord."""

    kind = None

    def __call__(self, name, value):
        if not isinstance(name, str):
            raise TypeError(f"For '{self.name}', the 'name' must be str, but got {type(name).__name__}.")
        if not name:
            raise ValueError(f"For '{self.name}', the name must be valid string, but got '{name}'.")
        if not isinstance(value, Tensor):
            raise TypeError(f"For '{self.name}', the 'value' must be Tensor, but got {type(value).__name__}.")
        self._check(value.shape)
        kind = self.kind
        _on_host(lambda array: _collected.append((kind, name, array)), value)

    def _check(self, shape):
        """Raise ValueError for a shape that this kind of summary cannot have."""


class ScalarSummary(_Summary):
    """Record a number under a tag: `ops.ScalarSummary()("loss", loss)`.

    Raises:
        TypeError: the tag is not a str, the value is not a Tensor. ValueError: the value has more than one element.
    """

    kind = "scalar"

    def _check(self, shape):
        if len(shape) > 1 or shape not in ((), (1,)):
            raise ValueError(f"For 'ScalarSummary', the 'value' must have one element, but got the shape {shape}.")


class ImageSummary(_Summary):
    """Record images, a Tensor (N, C, H, W) with 1 or 3 channels, under a tag."""

    kind = "image"

    def _check(self, shape):
        if len(shape) != 4:
            raise ValueError(f"For 'ImageSummary', the dimension of 'value' must be 4, but got {len(shape)}.")


class TensorSummary(_Summary):
    """Record a Tensor under a tag."""

    kind = "tensor"

    def _check(self, shape):
        if not shape:
            raise ValueError("For 'TensorSummary', the dimension of 'value' must be 1 or more, but got 0.")


class HistogramSummary(_Summary):
    """Record the distribution of a Tensor's elements under a tag."""

    kind = "histogram"

    def _check(self, shape):
        if not shape:
            raise ValueError("For 'HistogramSummary', the dimension of 'value' must be 1 or more, but got 0.")


class TensorDump(Primitive):
    """Save a Tensor as `<file>_<dtype>_<number>.npy`; the number counts the files of this run.

    Args:
        input_output: "in" or "out"; on one device both are the same.

    Raises:
        ValueError: `input_output` is neither; the file name is empty. TypeError: no Tensor.
    """

    def __init__(self, input_output: str = "out"):
        super().__init__()
        if input_output not in ("in", "out"):
            raise ValueError(f"The 'input_output' argument should be one of ['in', 'out'], but got: {input_output}")
        self.add_prim_attr("input_output", input_output)

    def __call__(self, file: str, input_x: Any):
        if not isinstance(file, str):
            raise TypeError(f"For 'TensorDump', the type of 'file' must be str, but got {type(file).__name__}.")
        if not file:
            raise ValueError("For 'TensorDump', the input argument[file] cannot be an empty string.")
        if not isinstance(input_x, Tensor):
            raise TypeError(
                f"For 'TensorDump', the type of 'input_x' must be Tensor, but got {type(input_x).__name__}."
            )
        base = file.removesuffix(".npy")
        _on_host(lambda array: _save(base, array), input_x)


def _save(base, array):
    os.makedirs(os.path.dirname(os.path.abspath(base)), exist_ok=True)
    np.save(f"{base}_{array.dtype}_{next(_dump_numbers)}.npy", array)


def tensordump(file_name: str, tensor: Tensor, mode: str = "out"):
    """Save a Tensor as `<file_name>_<dtype>_<number>.npy`.

    Args:
        file_name: path without number.
        tensor: what to save.
        mode: "in", "out" or "all"; the same on one device.

    Raises:
        ValueError: another mode. TypeError: no Tensor.

    Example:
        >>> ops.tensordump("weights", Tensor([1.0, 2.0]))
    """
    if mode not in ("in", "out", "all"):
        raise ValueError(f"For 'tensordump', the 'mode' must be one of ['in', 'out', 'all'], but got {mode}.")
    TensorDump()(file_name, tensor)
