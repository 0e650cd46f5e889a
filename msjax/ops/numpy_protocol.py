"""NumPy on the left of an operator: `array + tensor` gives a Tensor by our conversion rules (MindSpore gives a NumPy
array).

Any other NumPy function of a Tensor works on the content and gives a NumPy array.
"""

import numpy as np

from ..core.operators.record import composite, records
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
_WITH_OPTION = {"add": (1,), "sub": (1,), "div": (None,)}


@composite(ops=False, tensor="__array_ufunc__(ufunc, method, *inputs, **options)", name="array_ufunc")
def array_ufunc(self, ufunc, method, *inputs, **options):
    """What a NumPy ufunc with a Tensor among its inputs gives."""
    name = _BINARY.get(ufunc)
    if name is not None and method == "__call__" and not options:
        left, right = inputs
        if isinstance(left, np.ndarray) and left.ndim == 0:
            left = left[()]
        return records[name](left, right, *_WITH_OPTION.get(name, ()))
    inputs = [v.asnumpy() if isinstance(v, Tensor) else v for v in inputs]
    if "out" in options and any(isinstance(o, Tensor) for o in options["out"]):
        return NotImplemented
    return getattr(ufunc, method)(*inputs, **options)
