"""NumPy and Tensors: the results of NumPy's functions and operators with a Tensor among their arguments.

As in MindSpore, NumPy takes the content: `array * tensor`, `np.float32(2) * tensor` and `np.exp(tensor)` are arrays, and
`array += tensor` changes the array. Inside compiled code and under a gradient the operators give Tensors, so that the
result depends on the Tensor there too. A few functions call the Tensor's own method: `np.transpose(tensor)` is a Tensor.
"""

from typing import Any

import numpy as np

from ..core.compat import Tracer
from ..core.operators.record import composite, records
from ..core.settings.execution_state import here
from ..core.spec import Array
from ..core.values.tensor import Tensor

_BINARY = {
    np.add: "add",
    np.subtract: "sub",
    np.multiply: "mul",
    np.true_divide: "div",
    np.floor_divide: "floor_divide",
    np.remainder: "remainder",
    np.power: "power",
    np.greater: "greater",
    np.greater_equal: "greater_equal",
    np.less: "less",
    np.less_equal: "less_equal",
    np.equal: "equal",
    np.not_equal: "not_equal",
    np.bitwise_and: "bitwise_and",
    np.bitwise_or: "bitwise_or",
    np.bitwise_xor: "bitwise_xor",
    np.matmul: "matmul",
}
_KINDS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 2}
_WITH_OPTION = {"add": (1,), "sub": (1,), "div": (None,)}
_OF_COMMON_TYPE = (np.clip, np.where, np.linspace)  # functions that are no ufuncs
_OWN_METHODS = {np.transpose: "transpose", np.squeeze: "squeeze", np.flip: "flip", np.nonzero: "nonzero"}


@composite(ops=False, tensor="__array_ufunc__", name="array_ufunc")
def array_ufunc(self: Array, ufunc: Any, method: Any, *inputs: Any, **options: Any):
    """The result of a NumPy ufunc with a Tensor among its inputs."""
    name = _BINARY.get(ufunc)
    if name is not None and method == "__call__" and not options and _is_followed(inputs):
        left, right = inputs
        if isinstance(left, np.ndarray) and left.ndim == 0:
            left = left[()]
        return records[name](left, right, *_WITH_OPTION.get(name, ()))
    if "out" in options and any(isinstance(o, Tensor) for o in options["out"]):
        return NotImplemented
    inputs = _as_arrays(inputs)
    if method in ("__call__", "outer"):
        inputs = _with_numbers_beside(inputs)
    return getattr(ufunc, method)(*inputs, **{k: _as_arrays(v) for k, v in options.items()})


def _with_numbers_beside(inputs):
    """The inputs of a NumPy function, NumPy's numbers among them as they count beside the arrays."""
    wide = [v.dtype for v in inputs if isinstance(v, np.ndarray) and v.ndim]
    if not wide:
        return inputs
    dtype = np.result_type(*wide)
    return [_beside(v, dtype) if _is_number(v) else v for v in inputs]


def _is_number(value):
    """Whether the value is a NumPy number, or an array without axes, which the NumPy of MindSpore takes for one."""
    return isinstance(value, (np.number, np.bool_)) or (
        isinstance(value, np.ndarray) and not value.ndim and value.dtype.kind in _KINDS
    )


def _beside(number, dtype):
    """A NumPy number beside an array, as in the NumPy of MindSpore: it follows the array's width (np.float64(2) * float32 is float32) unless it is
    of a higher kind, as a float beside integers, or its value does not fit.
    """
    value = number.item()
    if dtype.kind not in _KINDS:  # bfloat16
        return value
    if _KINDS[number.dtype.kind] > _KINDS[dtype.kind]:
        return number
    positive = dtype.kind == "i" and value > 0
    least = np.min_scalar_type(-value - 1 if positive else value)
    return value if np.can_cast(least, dtype) else number.astype(least)


@composite(ops=False, tensor="__array_function__", name="array_function")
def array_function(self: Array, function: Any, types: Any, inputs: Any, options: Any):
    """The result of any other NumPy function with a Tensor among its arguments."""
    own = _OWN_METHODS.get(function)
    if own is not None and isinstance(inputs[0], Tensor):
        axes = [v for v in (*inputs[1:], *options.values()) if v is not None]
        if own == "flip" and not axes:
            axes = [tuple(range(inputs[0].ndim))]
        return getattr(inputs[0], own)(*axes)
    inputs = _as_arrays(inputs)
    if function in _OF_COMMON_TYPE:
        inputs = _with_numbers_beside(inputs)
    return function(*inputs, **_as_arrays(options))


def _is_followed(inputs):
    """Whether operators are being recorded, for a gradient or by a trace."""
    return here().recorder is not None or any(isinstance(v, Tensor) and isinstance(v.jax_array, Tracer) for v in inputs)


def _as_arrays(value):
    """The same nesting with arrays in the place of Tensors."""
    if isinstance(value, Tensor):
        return value.asnumpy()
    if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
        return type(value)([_as_arrays(v) for v in value])
    if isinstance(value, dict):
        return {k: _as_arrays(v) for k, v in value.items()}
    return value
