"""Values that do not fit where they are written: run on MindSpore by the recorder and on msjax by the test."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, mint, ops

DTYPES = ("int32", "uint8", "int64", "uint64", "float16")
VALUES = (
    *("300", "-1", "2**31", "2**40 + 3", "2**63", "2**64", "300.7", "-1.5", "1e20", "1e300", "float('nan')"),
    *("float('inf')", "-float('inf')", "1 + 2j"),
)
# site -> expression of x (a Tensor of the dtype), d (the dtype) and v (the value); those that begin with "x[" are statements
SITES = {
    "number": "x[0] = v",
    "slice": "x[:2] = v",
    "repeated places": "x[Tensor([0, 0])] = v",
    "mask": "x[x > 1] = v",
    "Tensor": "x[:2] = Tensor(v)",
    "list": "x[Tensor([0, 1])] = [v, 1]",
    "full": "ops.full((2,), v, dtype=d)",
    "full_like": "ops.full_like(x, v)",
    "fill": "x.fill(v)",
    "masked_fill": "x.masked_fill(x > 1, v)",
    "index_fill": "ops.index_fill(x, 0, Tensor([0], ms.int32), v)",
    "pad": "ops.pad(x, [1, 1], value=v)",
    "scalar_to_tensor": "ops.scalar_to_tensor(v, d)",
    "made": "Tensor(v, d)",
    "made of a list": "Tensor([v, 1], d)",
    "cast": "Tensor(v).astype(d)",
    "cast of many": "Tensor(np.array([v] * 70)).astype(d)[:1]",
    "set_data": "Parameter(x).set_data(Tensor([v, 1, 2])).value()",
    "scatter": "x.scatter(0, Tensor([0]), v)",
    "clamp": "ops.clamp(x, v)",
}


def apart(site, dtype, value, theirs):
    """What msjax gives where it is not what MindSpore gives: an outcome, None for any that is no exception, or `theirs`."""
    whole, beyond = isinstance(eval(value), int), value in ("2**63", "2**64")
    if theirs == "SystemError":
        return "RuntimeError"
    if theirs == "TypeError" and site == "scatter" and whole:
        return "RuntimeError" if beyond else None
    if (site, dtype, value) == ("mask", "uint64", "1 + 2j"):
        return "IndexError"
    if site in ("mask", "masked_fill") and dtype == "uint64" and value != "1 + 2j":  # it has no kernel for them
        return "RuntimeError" if value == "2**64" or beyond and site == "mask" else None
    if (site, value) == ("clamp", "1 + 2j"):
        return None
    if (site, value) == ("fill", "1 + 2j"):
        return "TypeError"  # it drops the imaginary part
    if site == "masked_fill" and whole and value not in ("300", "-1", "2**31"):  # it rounds whole numbers to float32
        return None if value != "2**64" else "RuntimeError"
    return "RuntimeError" if (site, dtype, value) == ("pad", "float16", "2**64") else theirs


def outcome(site, dtype, value):
    """[dtype, values] of a site, or the name of its exception."""
    names = {"ms": ms, "np": np, "Parameter": Parameter, "Tensor": Tensor, "mint": mint, "ops": ops}
    names |= {"x": Tensor([1, 2, 3], getattr(ms, dtype)), "d": getattr(ms, dtype), "v": eval(value)}
    try:
        if SITES[site].startswith("x["):
            exec(SITES[site], names)
            found = names["x"]
        else:
            found = eval(SITES[site], names)
        return [str(found.dtype), [str(v) for v in found.asnumpy().reshape(-1).tolist()]]
    except Exception as error:
        return next(t.__name__ for t in type(error).__mro__ if t.__module__ == "builtins")
