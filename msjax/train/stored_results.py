"""What the results of a network that `export` wrote are made of: nested tuples and lists, sparse Tensors, numbers, in JSON.

A file names one of the kinds below and nothing else: no class is looked up by a name from a file.
"""

from collections.abc import Iterator
from typing import Any

import jax

from ..core.values.tensor import wrap
from ..ops.sparse.tensors import COOTensor, CSRTensor, RowTensor

__all__ = ["described", "number_of_arrays", "rebuilt"]

_SPARSE = {  # name -> class, and the attributes with its arrays
    "COOTensor": (COOTensor, ("indices", "values")),
    "CSRTensor": (CSRTensor, ("indptr", "indices", "values")),
    "RowTensor": (RowTensor, ("indices", "values")),
}
_ARRAY = "array"


def described(value: Any, arrays: list):
    """The form of a result; its arrays are appended to `arrays`. A dict is the tuple of its values, as in MindSpore."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return {"constant": value}
    name = type(value).__name__
    kind, parts = _SPARSE.get(name, ((), ()))
    if isinstance(value, kind):
        parts = [described(getattr(value, part), arrays) for part in parts]
        return {"sparse": name, "parts": parts, "shape": list(value.shape)}
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        return {"list" if isinstance(value, list) else "tuple": [described(v, arrays) for v in value]}
    leaves = jax.tree.leaves(value)
    arrays.extend(leaves)
    return _ARRAY if len(leaves) == 1 else {"tuple": [_ARRAY] * len(leaves)}


def number_of_arrays(form: Any) -> int:
    """How many arrays a form from a file takes. ValueError: it is not a form."""
    if form == _ARRAY:
        return 1
    if isinstance(form, dict):
        kinds = form.keys()
        if kinds == {"constant"} and isinstance(form["constant"], (type(None), bool, int, float, str)):
            return 0
        if kinds in ({"tuple"}, {"list"}) and isinstance(items := next(iter(form.values())), list):
            return sum(map(number_of_arrays, items))
        if kinds == {"sparse", "parts", "shape"} and isinstance(form["sparse"], str) and form["sparse"] in _SPARSE:
            sizes, count = form["shape"], len(_SPARSE[form["sparse"]][1])
            if form["parts"] == [_ARRAY] * count and isinstance(sizes, list):
                if all(type(n) is int and n > 0 for n in sizes):
                    return count
    raise ValueError(f"its results are described as {str(form)[:100]}")


def rebuilt(form: Any, arrays: Iterator):
    """The result of a form, with Tensors of the next arrays."""
    if form == _ARRAY:
        return wrap(next(arrays))
    if "constant" in form:
        return form["constant"]
    if "sparse" in form:
        kind, _ = _SPARSE[form["sparse"]]
        return kind(*[rebuilt(part, arrays) for part in form["parts"]], tuple(form["shape"]))
    if "tuple" in form:
        return tuple(rebuilt(v, arrays) for v in form["tuple"])
    return [rebuilt(v, arrays) for v in form["list"]]
