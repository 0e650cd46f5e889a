"""Printed forms of Tensors, exactly as MindSpore prints them."""
import numpy as np

from .compat import Tracer

_SUMMARY_SIZE = 1000          # elements; larger Tensors are printed with '...'


def _host(box):
    return np.asarray(box._data)


def tensor_str(box):
    """What `print(tensor)` shows: NumPy's form of the content."""
    if isinstance(box._data, Tracer):
        return traced_text(box)
    array = _host(box)
    if array.dtype.name == "bfloat16":
        array = array.astype(np.float32)
    return str(array)


def tensor_repr(box):
    """What the prompt shows: shape, dtype and the content, floats with eight decimals in scientific form."""
    if isinstance(box._data, Tracer):
        return traced_text(box)
    return f"Tensor(shape={list(box.shape)}, dtype={box.dtype}, value={_value_text(_host(box))})"


def traced_text(box):
    """A traced value has no content to show."""
    return f"Tensor(shape={list(box.shape)}, dtype={box.dtype}, value=<traced>)"


def _float_text(value):
    return f"{value: .8e}" if np.isfinite(value) else f"{value: }".replace("+", " ")


def _value_text(array):
    if array.dtype.name == "bfloat16" or array.dtype.name.startswith("float8"):
        array = array.astype(np.float32)
    formatter = {"float_kind": _float_text} if array.dtype.kind == "f" else None
    if array.ndim == 0:
        return " " + (_float_text(array[()]).strip() if array.dtype.kind == "f" else str(array[()]))
    text = np.array2string(array, separator=", ", threshold=_SUMMARY_SIZE, formatter=formatter)
    return (" " if array.ndim == 1 else "\n") + text
