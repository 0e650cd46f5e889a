"""Kernels of MindSpore's eager mode (`ops.auto_generate`) that are another operator with other arguments; they work on Tensors.

Those that only have another name are in `generated.py`.
"""

import functools
import math
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..core.operators import faces
from ..core.operators import record as registry

if TYPE_CHECKING:
    from ..core.values.tensor import Tensor


@functools.cache
def _mint(name):
    return faces.function(registry.mint_functions, name, "mindspore.mint")


def _pad(mode):
    def pad(input, padding):
        return _mint("nn.functional.pad")(input, padding, mode)

    return pad


def _upsample(mode):
    if mode in ("bilinear", "bicubic", "linear"):

        def upsample(x, output_size=None, scales=None, align_corners=False):
            return _mint("nn.functional.interpolate")(x, output_size, scales, mode, align_corners)
    else:

        def upsample(x, output_size=None, scales=None):
            return _mint("nn.functional.interpolate")(x, output_size, scales, mode)

    return upsample


def constant_pad_nd(input: "Tensor", padding: Sequence[int], value: Any = 0.0):
    """The Tensor with `value` around it; `padding`: before and after, the last axis first."""
    return _mint("nn.functional.pad")(input, padding, "constant", value)


def index(input: "Tensor", indices: Sequence):
    """input[indices], one index Tensor for each of the first axes."""
    return input[tuple(indices)]


def unique_dim(input: "Tensor", sorted: bool, return_inverse: bool, dim: int):
    """(slices along `dim` that differ, where each slice went, how often each was there)."""
    return _mint("unique")(input, sorted, True, True, dim)


def unique2(input: "Tensor", sorted: bool = True, return_inverse: bool = False, return_counts: bool = False):
    """(values that differ, where each value went, how often each was there)."""
    return _mint("unique")(input, sorted, True, True)


def log_sigmoid(input: "Tensor"):
    """(log(sigmoid(input)), the buffer of the backward kernel: exp(-|input|))."""
    return _mint("nn.functional.logsigmoid")(input), _mint("exp")(-_mint("abs")(input))


def softmax_backward(dout: "Tensor", out: "Tensor", dim: int = -1):
    """The gradient of softmax from its result: out * (dout - sum(dout * out))."""
    return out * (dout - (dout * out).sum(dim, keepdims=True))


def inplace_silu(input: "Tensor"):
    """The Tensor, changed itself: x * sigmoid(x)."""
    return input.copy_(_mint("nn.functional.silu")(input))


def tensor_copy_slices(x: "Tensor", value: Any, begin: Sequence[int], end: Sequence[int], strides: Sequence[int]):
    """x with `value` in x[begin:end:strides], one of each for the first axes; x itself stays."""
    out = x.copy()
    out[tuple(slice(*bounds) for bounds in zip(begin, end, strides, strict=True))] = value
    return out


def layer_norm_v3(
    input_x: Any,
    gamma: "Tensor",
    beta: "Tensor",
    begin_norm_axis: int = 1,
    begin_params_axis: int = 1,
    epsilon: float = 1e-7,
):
    """(normalized, mean, 1 / standard deviation) over the axes from `begin_norm_axis` on."""
    layer_norm = faces.primitive("LayerNorm")(begin_norm_axis, begin_params_axis, epsilon)
    out, mean, variance = layer_norm(input_x, gamma, beta)
    return out, mean, _mint("rsqrt")(variance + epsilon)


def adamw(
    var: "Tensor",
    m: "Tensor",
    v: "Tensor",
    max_v: "Tensor",
    gradient: "Tensor",
    step: "Tensor",
    lr: float,
    beta1: float,
    beta2: float,
    decay: float,
    eps: Any,
    amsgrad: bool = False,
    maximize: bool = False,
):
    """(var, m, v) after a step of AdamW, changed themselves (https://arxiv.org/abs/1711.05101); the first step has the number 0."""
    gradient = -gradient if maximize else gradient
    shrunk, largest = var * (1 - lr * decay), max_v if amsgrad else None
    found = registry.records["corrected_adam"](shrunk, m, v, largest, gradient, step + 1, lr, beta1, beta2, eps)
    for box, new in zip((var, m, v, max_v) if amsgrad else (var, m, v), found):
        box.copy_(new)
    return var, m, v


def one_hot_ext(tensor: "Tensor", num_classes: int, on_value: int = 1, off_value: int = 0, axis: Any = -1):
    """on_value at the place that each index tells, off_value elsewhere; the classes are the last axis, or the first (axis 0)."""
    hot = _mint("nn.functional.one_hot")(tensor, num_classes)
    if axis not in (-1, tensor.ndim):
        places = list(range(tensor.ndim))
        hot = _mint("permute")(hot, (*places[:axis], tensor.ndim, *places[axis:]))
    return _mint("where")(hot != 0, on_value, off_value)


def _scalar(function):
    def of_numbers(*numbers):
        return function(*numbers)

    of_numbers.__doc__ = f"{function.__name__} of Python numbers."
    return of_numbers


KERNELS = {
    "AdamW": adamw,
    "ConstantPadND": constant_pad_nd,
    "Index": index,
    "InnerIndex": index,
    "InplaceSiLU": inplace_silu,
    "LayerNormV3": layer_norm_v3,
    "LogSigmoid": log_sigmoid,
    "OneHotExt": one_hot_ext,
    "SoftmaxBackward": softmax_backward,
    "TensorCopySlices": tensor_copy_slices,
    "Unique2": unique2,
    "UniqueDim": unique_dim,
    **{f"ReflectionPad{n}D": _pad("reflect") for n in (1, 2, 3)},
    **{f"ReplicationPad{n}D": _pad("replicate") for n in (1, 2, 3)},
    "UpsampleNearest1D": _upsample("nearest"),
    "UpsampleNearest2D": _upsample("nearest"),
    "UpsampleLinear1D": _upsample("linear"),
    "UpsampleBilinear2D": _upsample("bilinear"),
    "UpsampleBicubic2D": _upsample("bicubic"),
    "ScalarAdd": _scalar(operator.add),
    "ScalarSub": _scalar(operator.sub),
    "ScalarMul": _scalar(operator.mul),
    "ScalarDiv": _scalar(operator.truediv),
    "ScalarFloorDiv": _scalar(operator.floordiv),
    "ScalarMod": _scalar(operator.mod),
    "ScalarPow": _scalar(operator.pow),
    "ScalarEq": _scalar(operator.eq),
    "ScalarLt": _scalar(operator.lt),
    "ScalarLe": _scalar(operator.le),
    "ScalarGt": _scalar(operator.gt),
    "ScalarGe": _scalar(operator.ge),
    "ScalarUadd": _scalar(operator.pos),
    "ScalarUsub": _scalar(operator.neg),
    "ScalarBool": _scalar(bool),
    "ScalarLog": _scalar(math.log),
    "ScalarMax": _scalar(max),
    "ScalarMin": _scalar(min),
}
