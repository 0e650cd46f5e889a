"""Names of MindSpore's generated code (`ops.auto_generate`): `sum_ext`, `chunk_view`, `SumExt`, `reduce_any_impl` are
`mint.sum`, `mint.chunk`, ...
"""

import functools
import inspect
import re

from ..core.keywords import documented
from ..core.operators import faces
from ..core.operators import record as registry
from ..core.operators.primitive import Primitive
from ..core.values import dtype as mstype
from ..core.values.tensor import Tensor
from ..unsupported.inner import generated_names
from . import eager_kernels, seeded_kernels

_KERNELS = eager_kernels.KERNELS | seeded_kernels.KERNELS
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
    # classes whose snake case is not the function's
    "max_dim": "max",
    "min_dim": "min",
    "median_dim": "median",
    "avg_pool1_d": "avg_pool1d",
    "avg_pool2_d": "avg_pool2d",
    "avg_pool3_d": "avg_pool3d",
    "adaptive_avg_pool1_d": "adaptive_avg_pool1d",
    "adaptive_avg_pool2_d": "adaptive_avg_pool2d",
    "adaptive_avg_pool3_d": "adaptive_avg_pool3d",
    "adaptive_max_pool1_d": "adaptive_max_pool1d",
    "conv1_d_padding": "conv1d",
    "conv2_d_padding": "conv2d",
    "conv3_d_padding": "conv3d",
    "conv_transpose2_d": "conv_transpose2d",
    "max_unpool2_d": "max_unpool2d",
    "k_l_div": "kl_div",
    "leaky_re_l_u": "leaky_relu",
    "m_s_e_loss": "mse_loss",
    "npu_gelu": "gelu",
    "matrix_inverse": "inverse",
    "linalg_qr": "linalg.qr",
    "linalg_vector_norm": "linalg.vector_norm",
    "im2_col": "unfold",
    "select_v2": "where",
    "scatter_value": "scatter",
    "x_log_y_scalar_other": "xlogy",
    "x_log_y_scalar_self": "xlogy",
    "div_mod": "div",
    "div_mods": "div",
    "floor_div_scalar": "floor_divide",
    "index_fill_scalar": "index_fill",
    "index_fill_tensor": "index_fill",
    "fill_scalar": "full",
    "fill_tensor": "full",
    "inner_non_zero": "nonzero",
    "inplace_elu": "nn.functional.elu_",
    "inplace_hardtanh": "nn.functional.hardtanh_",
    "inplace_threshold": "nn.functional.threshold_",
    "inplace_re_l_u": "nn.functional.relu_",
}

# Classes that are a method of Tensor.
_OF_TENSOR = {
    "NewZeros": "new_zeros",
    "NewOnes": "new_ones",
    "NewFull": "new_full",
    "NewEmpty": "new_empty",
    "Contiguous": "contiguous",
    "Copy": "copy",
    "Detach": "detach",
    "View": "view",
    "TypeAs": "type_as",
    "Repeat": "repeat",
    "TraceV2": "trace",
}

# Primitives of the generated code that are named as the function, without a suffix: `Chunk()(x, 2, 0)` is `mint.chunk(x, 2, 0)`; and
# those of `_OTHER`.
_PRIMITIVES = frozenset(
    """
    AddRmsNorm Addbmm Addmm Addmv Any Arange ArgSort Baddbmm BatchNormElemt BatchNormGatherStatsWithCounts BatchNormStats BitwiseNot BoolNot
    Chunk Clone ConvTbc CosineEmbeddingLoss Diagonal Dot Embedding Empty EmptyLike Exp2 ExpandAs FFT FFT2 FFTFreq FFTN FFTShift
    Frac FullLike GroupNorm HFFT HFFT2 HFFTN Hardtanh IFFT IFFT2 IFFTN IFFTShift IHFFT IHFFT2 IHFFTN IRFFT IRFFT2 IRFFTN IndexSelect IsNegInf
    Kthvalue Log10 Log2 LogAddExp LogAddExp2 LogSumExp Max Min Mm MoeInitRoutingV2 MoeTokenPermute MoeTokenUnpermute Mv Nansum Narrow
    Norm Outer PixelShuffle RFFT RFFT2 RFFTFreq RFFTN RandInt Randn RandnLike RingAttentionUpdate RotaryPositionEmbedding RotatedIou Scatter
    SpeedFusionAttention Std StdMean Swiglu Take Threshold TriangularSolve Var VarMean Vdot ViewAs
    """.split()
)


def _function(base, prefer_mint):
    """The operator of a base name: from mint first (`ext` means these), else from ops."""
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
    params = documented(fn)  # not the names that the function takes besides
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


def by_rule(name: str):
    """The function or Primitive class that a generated name stands for, or None."""
    if name.startswith("_"):
        return None
    known = generated_names()
    if name in known["classes"] or name[0].isupper():
        fn = _class_function(name)
        return None if fn is None else _primitive(name, fn, known["classes"].get(name, ()))
    if name in _OTHER:
        return _function(name, True)
    if name in known["objects"] and (made := _object(name, known["objects"][name])) is not None:
        return made
    for suffix in _SUFFIXES:
        if name.endswith(suffix):
            fn = _function(name.removesuffix(suffix), suffix not in ("_impl",))
            if fn is not None:
                return _primitive(name, fn)() if name in known["objects"] else fn
    if name in known["functions"]:
        return getattr(Tensor, name) if name in _OF_TENSOR.values() else _method(name) or _function(name, True)
    return None


def _class_function(name):
    """The function that a generated class calls, or None."""
    if name in _OF_TENSOR:
        return getattr(Tensor, _OF_TENSOR[name])
    if name in _KERNELS:
        return _KERNELS[name]
    base = next((name.removesuffix(s) for s in ("ExtView", "Ext", "View") if name.endswith(s) and name != s), name)
    snake = re.sub(r"(?<!^)(?=[A-Z])", "_", base).lower()
    if snake.startswith("inplace_") and snake not in _OTHER:
        return _method(snake)
    if base == name and name not in _PRIMITIVES and snake not in _OTHER:
        return None
    return _function(snake, True) or _function(base.lower(), True)


_KINDS = re.compile(r"(_scalar|_tensor|_ext|s_ext|s|_src|_value)$")


def _method(name):
    """The Tensor method that changes its Tensor for `inplace_mul`, `inplace_muls`, `div_scalar_`, or None."""
    base = name.removeprefix("inplace_").removesuffix("_")
    if base == name or base.endswith("mods") or base.endswith("mod"):  # the rounding stands last, and has no name there
        return None
    for candidate in (base, _KINDS.sub("", base)):
        if f"{candidate}_" in registry.tensor_methods:
            return getattr(Tensor, f"{candidate}_")
    return None


def _object(name, kind):
    """An instance of a generated class that takes operands first, then the class's settings; or None."""
    from .. import ops  # the package above; it offers the class

    made_with = generated_names()["classes"].get(kind) and kind not in registry.primitives
    if made_with and (fn := _class_function(kind)) is not None:
        return _primitive(kind, fn)()
    primitive = getattr(ops, kind, None)
    if not isinstance(primitive, type) or not issubclass(primitive, Primitive) or hasattr(primitive, "_row"):
        return None  # `_row`: it is refused
    parameters = [documented(f) for f in (primitive.__call__, primitive.__init__)]
    if len(parameters[1]) == 1 or any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for some in parameters for p in some):
        return primitive()
    operands = len(parameters[0]) - 1

    def call(*args):
        return primitive(*args[operands:])(*args[:operands])

    call.__doc__, call._record = primitive.__doc__, getattr(primitive, "_record", None)
    return _primitive(name, call)()


def _default(recorded):
    """A default of the table: dtypes are {"dtype": name} there, tuples are lists."""
    if isinstance(recorded, dict):
        return getattr(mstype, recorded["dtype"])
    return tuple(recorded) if isinstance(recorded, list) else recorded


def _primitive(name, fn, parameters=()):
    """The class of a generated name; `parameters`: (name, default if it has one) of those of its `__init__`, which the function takes last."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    none = inspect.Parameter.empty
    init = [
        inspect.Parameter(name, kind, default=_default(default[0]) if default else none)
        for name, *default in parameters
    ]

    def __init__(self, *args, **kwargs):
        Primitive.__init__(self)
        bound = inspect.Signature(init).bind(*args, **kwargs)
        bound.apply_defaults()
        self.__dict__.update(bound.arguments)

    def __call__(self, *args, **kwargs):
        return fn(*args, *[getattr(self, p.name) for p in init], **kwargs)

    __call__.__doc__ = fn.__doc__
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    if init:
        __init__.__signature__ = inspect.Signature([own, *init])
    elif "self" not in (named := inspect.signature(fn).parameters):
        __call__.__signature__ = inspect.Signature([own, *named.values()])
    body = {
        "__call__": __call__,
        "__doc__": fn.__doc__,
        "__module__": "mindspore.ops",
        "_record": getattr(fn, "_record", None),
    }
    return type(name, (Primitive,), {**body, "__init__": __init__} if init else body)


def _starred():
    known = generated_names()
    return sorted({*known["classes"], *known["functions"], *known["objects"]})


def __getattr__(name):
    from .. import ops  # the package above: a star import of MindSpore's generated modules gives their names alone

    if name == "__all__":
        return _starred()
    return getattr(ops, name)
