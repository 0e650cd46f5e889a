"""Names of MindSpore's generated code (`ops.auto_generate`): `sum_ext`, `chunk_view`, `SumExt`, `reduce_any_impl` are
`mint.sum`, `mint.chunk`, ..."""

import functools
import inspect
import re

from ..core import faces
from ..core import op as registry
from ..core.primitive import Primitive
from ..core.tensor import Tensor

_SUFFIXES = ("_ext_view_op", "_ext_view", "_ext_op", "_ext", "_view", "_op", "_impl")
_OTHER = {
    "batch_mat_mul": "bmm",
    "mat_mul": "matmul",
    "clamp_tensor": "clamp",
    "clamp_scalar": "clamp",
    "reverse_v2": "flip",
    "reduce_any": "any",
    "reduce_all": "all",
    "reduce_max": "amax",
    "reduce_min": "amin",
}


def _function(base, prefer_mint):
    """The operator of a base name: from mint first (they are what `ext` means), or from ops."""
    base = _OTHER.get(base, base)
    tables = (
        (registry.mint_functions, ("", "nn.functional."), "mindspore.mint"),
        (registry.functions, ("",), "mindspore.ops"),
    )
    for table, prefixes, module in tables if prefer_mint else tables[::-1]:
        for prefix in prefixes:
            if prefix + base in table:
                return _positional(faces.function(table, prefix + base, module))
    return None


def _positional(fn):
    """The function with its keyword-only parameters also by position, as the generated code has none of these."""
    params = list(inspect.signature(fn).parameters.values())
    named = [p.name for p in params if p.kind is p.KEYWORD_ONLY]
    first = len(params) - len(named)
    if not named or any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in params):
        return fn

    @functools.wraps(fn)
    def call(*args, **kwargs):
        if len(args) > len(params):
            raise TypeError(f"{fn.__name__}() takes from 0 to {len(params)} positional arguments but {len(args)} were given")
        return fn(*args[:first], **dict(zip(named, args[first:], strict=False)), **kwargs)

    return call


def find(name):
    """The function or Primitive class that a generated name stands for, or None."""
    if name.startswith("_"):
        return None
    if name in ("NewZeros", "NewOnes", "NewFull", "NewEmpty"):
        return _primitive(name, getattr(Tensor, f"new_{name[3:].lower()}"))
    if name[0].isupper():
        base = next((name.removesuffix(s) for s in ("ExtView", "Ext", "View") if name.endswith(s) and name != s), None)
        if base is None:
            return None
        fn = _function(re.sub(r"(?<!^)(?=[A-Z])", "_", base).lower(), True) or _function(base.lower(), True)
        return None if fn is None else _primitive(name, fn)
    if name in _OTHER:
        return _function(name, True)
    for suffix in _SUFFIXES:
        if name.endswith(suffix):
            fn = _function(name.removesuffix(suffix), suffix not in ("_impl",))
            if fn is not None:
                return fn
    return None


def _primitive(name, fn):
    def call(self, *args, **kwargs):
        return fn(*args, **kwargs)

    call.__doc__ = fn.__doc__
    return type(
        name,
        (Primitive,),
        {"__call__": call, "__doc__": fn.__doc__, "__module__": "mindspore.ops", "_record": fn._record},
    )
