"""Printed forms of Tensors, exactly as MindSpore prints them.

`str` is NumPy's form of the content. `repr` is MindSpore's own: numbers right-aligned in columns, axes of more than six entries cut in the
middle, a plain line wrapped after a fixed count of numbers.
"""

from typing import TYPE_CHECKING

import numpy as np

from ..compat import Tracer

if TYPE_CHECKING:
    from .tensor import Tensor

_SUMMARY_SIZE = 1000  # elements: a longer line is cut in the middle
_EDGE = 3  # entries shown at either end of what is cut
_WRAP = {"f": 12, "b": 12}  # numbers on a line, by kind; 24 for the others


# NumPy 2.2 began to print float32 from 2^24 on in scientific form; MindSpore's documentation shows the form before that.
_NUMPY_STYLE = "2.1" if tuple(map(int, np.__version__.split(".")[:2])) >= (2, 2) else False


def _host(box):
    return np.asarray(box._lent)


def _narrow(array):
    """Whether a dtype is one of the small floats that NumPy does not know."""
    return array.dtype.kind == "V" or array.dtype.name in ("bfloat16", "float8_e4m3fn", "float8_e5m2")


def tensor_str(box: "Tensor"):
    """The text of `print(tensor)`: the content as NumPy prints it."""
    if isinstance(box._lent, Tracer):
        return traced_text(box)
    array = _host(box)
    if _narrow(array):
        text = [f"{x:f}" for x in array.astype(np.float32).reshape(-1).tolist()]
        if array.ndim == 0:
            return text[0]
        words = np.array(text, dtype=object).reshape(array.shape) if text else array.astype(object)
        return np.array2string(words, formatter={"all": str}, threshold=_SUMMARY_SIZE)
    if array.ndim == 0 and array.dtype.kind == "c":
        return f"({_complex(array[()])})"
    if array.ndim == 0 and array.dtype.kind == "S":  # NumPy 2 writes np.bytes_(...)
        return str(array.item())
    with np.printoptions(legacy=_NUMPY_STYLE):
        return str(array)


def tensor_repr(box: "Tensor"):
    """The text at the prompt: shape, dtype and content."""
    if isinstance(box._lent, Tracer):
        return traced_text(box)
    array = _host(box)
    value = _numpy_text(array) if "_shown_as_array" in box.__dict__ else _value_text(array)
    return f"Tensor(shape={list(box.shape)}, dtype={box.dtype}, value={value})"


def kernel_text(box: "Tensor"):
    """What MindSpore's kernel of `Print` writes in compiled code: the text at the prompt without commas, and of a single number the number."""
    array = _host(box)
    if array.ndim == 0:
        return _scalar(array.astype(np.int8) if array.dtype == bool else array)
    value = _value_text(array).lstrip(" ").replace(",", "")
    return f"Tensor(shape={list(box.shape)}, dtype={box.dtype}, value={value})"


def shown_as_array(box: "Tensor"):
    """Mark a Tensor that shares NumPy's memory in MindSpore (`from_numpy`, rows of a dataset, `init_data`): at the
    prompt it prints like a NumPy array.
    """
    box.__dict__["_shown_as_array"] = True
    return box


def _numpy_text(array):
    if _narrow(array):
        return _value_text(array)
    with np.printoptions(legacy=_NUMPY_STYLE):
        return ("\n" if array.ndim > 1 else " ") + np.array2string(array, separator=", ")


def traced_text(box: "Tensor"):
    """A traced value has no content to show."""
    return f"Tensor(shape={list(box.shape)}, dtype={box.dtype}, value=<traced>)"


def lazy_text(box: "Tensor"):
    """The text of a Tensor whose Initializer has not run yet."""
    return f"Tensor(shape={list(box.shape)}, dtype={box.dtype}, value=\n<uninitialized>)"


def _complex(x):
    return f"{x.real:g}{x.imag:+g}j"


def _texts(array):
    """The numbers as texts, right-aligned to one width."""
    kind = array.dtype.kind
    if kind in "US":
        return None
    values = array.reshape(-1).tolist()
    if array.dtype == np.float16:
        return [f"{x:11.4e}" if np.isfinite(x) else f"{x:>11}" for x in values]
    if kind == "f" and not _narrow(array):
        return [f"{x:15.8e}" if np.isfinite(x) else f"{x:>15}" for x in values]
    if kind == "b":
        return [f"{x!s:>5}" for x in values]
    if _narrow(array):
        texts = [f"{x:g}" for x in array.astype(np.float32).reshape(-1).tolist()]
    elif kind == "c":
        return [_complex(x) for x in values]
    else:
        texts = [str(x) for x in values]
    width = max(map(len, texts), default=0)
    return [t.rjust(width) for t in texts]


def _cut(array):
    """The entries that are shown, where axes are cut in the middle."""
    for axis, length in enumerate(array.shape):
        if length > 2 * _EDGE:
            array = np.take(array, [*range(_EDGE), *range(length - _EDGE, length)], axis=axis)
    return array


def _value_text(array):
    if array.ndim == 0:
        return " " + (repr(str(array)) if array.dtype.kind in "US" else _scalar(array))
    if array.dtype.kind in "US":
        return (" " if array.ndim == 1 else "\n") + np.array2string(array, separator=", ")
    if array.size == 0:
        return " " if array.ndim == 1 else "\n"
    if array.ndim == 1:
        return " " + _line(array)
    shown = _cut(array)
    texts = np.array(_texts(shown), dtype=object).reshape(shown.shape)
    return "\n" + _block(texts, array.shape, 1)


def _scalar(array):
    value, kind = array[()], array.dtype.kind
    if kind == "c":
        return _complex(value)
    if kind == "f" or _narrow(array):
        return f"{float(value):g}"
    return str(value)


def _line(array):
    if array.size > _SUMMARY_SIZE:
        texts = _texts(np.concatenate([array[:_EDGE], array[-_EDGE:]]))
        return f"[{', '.join(texts[:_EDGE])} ... {', '.join(texts[_EDGE:])}]"
    texts = _texts(array)
    per_line = 24 if _narrow(array) else _WRAP.get(array.dtype.kind, 24)
    parts = []
    for i, text in enumerate(texts):
        last = i == len(texts) - 1
        parts.append(text + ("" if last else ", "))
        if (i + 1) % per_line == 0:
            parts.append("\n ")
    return f"[{''.join(parts)}]"


def _block(texts, shape, depth):
    """Nested rows; `shape` is the shape of the whole array, `texts` the printed elements."""
    cut = shape[0] > 2 * _EDGE
    if texts.ndim == 1:
        row = list(texts)
        return f"[{', '.join(row[:_EDGE])} ... {', '.join(row[_EDGE:])}]" if cut else f"[{', '.join(row)}]"
    rows = [_block(row, shape[1:], depth + 1) for row in texts]
    indent = "\n" + " " * depth
    if cut:
        return f"[{(',' + indent).join(rows[:_EDGE])},{indent}...{indent}{(',' + indent).join(rows[_EDGE:])}]"
    return f"[{(',' + indent).join(rows)}]"
