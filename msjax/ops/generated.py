"""Names of MindSpore's generated code (`ops.auto_generate`): `sum_ext`, `chunk_view`, `SumExt`, `reduce_any_impl` are
`mint.sum`, `mint.chunk`, ..."""

import functools
import inspect
import re

from ..core.operators import faces
from ..core.operators import record as registry
from ..core.operators.primitive import Primitive
from ..core.values.tensor import Tensor

_SUFFIXES = ("_ext_view_op", "_ext_view", "_ext_op", "_ext", "_view", "_op", "_impl")
_OTHER = {
    "batch_mat_mul": "bmm",
    "mat_mul": "matmul",
    "clamp_tensor": "clamp",
    "clamp_scalar": "clamp",
    "adds": "add",
    "subs": "sub",
    "muls": "mul",
    "divs": "div",
    "eq_scalar": "eq",
    "less_scalar": "lt",
    "greater_equal_scalar": "ge",
    "add_scalar": "add",
    "sub_scalar": "sub",
    "fmod_scalar": "fmod",
    "fmod_tensor": "fmod",
    "remainder_tensor_tensor": "remainder",
    "remainder_tensor_scalar": "remainder",
    "remainder_scalar_tensor": "remainder",
    "pow_tensor_scalar": "pow",
    "pow_scalar_tensor": "pow",
    "bitwise_and_tensor": "bitwise_and",
    "bitwise_and_scalar": "bitwise_and",
    "bitwise_or_tensor": "bitwise_or",
    "bitwise_or_scalar": "bitwise_or",
    "bitwise_xor_tensor": "bitwise_xor",
    "bitwise_xor_scalar": "bitwise_xor",
    "masked_fill_scalar": "masked_fill",
    "repeat_interleave_int": "repeat_interleave",
    "repeat_interleave_tensor": "repeat_interleave",
    "split_tensor": "split",
    "split_with_size": "split",
    "reverse_v2": "flip",
    "reduce_any": "any",
    "reduce_all": "all",
    "reduce_max": "amax",
    "reduce_min": "amin",
}

# Primitives of the generated code that are named as the function, without a suffix: `Chunk()(x, 2, 0)` is `mint.chunk(x, 2, 0)`; and
# those of `_OTHER`.
_PRIMITIVES = frozenset(
    """
    AddRmsNorm Addbmm Addmm Addmv Any Arange ArgSort Baddbmm BatchNormElemt BatchNormGatherStatsWithCounts BatchNormStats BitwiseNot BoolNot
    Chunk Clone ConvTbc CosineEmbeddingLoss Dot Embedding Empty EmptyLike Exp2 ExpandAs FFT FFT2 FFTFreq FFTN FFTShift
    Frac FullLike GroupNorm HFFT HFFT2 HFFTN Hardtanh IFFT IFFT2 IFFTN IFFTShift IHFFT IHFFT2 IHFFTN IRFFT IRFFT2 IRFFTN IndexSelect IsNegInf
    Kthvalue Log10 Log2 LogAddExp LogAddExp2 LogSigmoid LogSumExp Max Min Mm MoeInitRoutingV2 MoeTokenPermute MoeTokenUnpermute Mv Nansum Narrow
    Norm Outer PixelShuffle RFFT RFFT2 RFFTFreq RFFTN RandInt Randn RandnLike RingAttentionUpdate RotaryPositionEmbedding RotatedIou Scatter
    SpeedFusionAttention Std StdMean Swiglu Take Threshold TriangularSolve Var VarMean Vdot ViewAs
    """.split()
)


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
            raise TypeError(
                f"{fn.__name__}() takes from 0 to {len(params)} positional arguments but {len(args)} were given"
            )
        return fn(*args[:first], **dict(zip(named, args[first:], strict=False)), **kwargs)

    return call


def find(name):
    """The function or Primitive class that a generated name stands for, or None."""
    if name.startswith("_"):
        return None
    if name in ("NewZeros", "NewOnes", "NewFull", "NewEmpty"):
        return _primitive(name, getattr(Tensor, f"new_{name[3:].lower()}"))
    if name[0].isupper():
        base = next((name.removesuffix(s) for s in ("ExtView", "Ext", "View") if name.endswith(s) and name != s), name)
        snake = re.sub(r"(?<!^)(?=[A-Z])", "_", base).lower()
        if base == name and name not in _PRIMITIVES and snake not in _OTHER:
            return None
        fn = _function(snake, True) or _function(base.lower(), True)
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
