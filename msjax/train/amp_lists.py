"""Which Cells and operators compute in lower precision (white), and which stay in float32 (black)."""

from typing import Any

from .. import log, nn, ops
from ..core.operators.primitive import Primitive

_WHITE_CELLS = (
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "Conv1dTranspose",
    "Conv2dTranspose",
    "Conv3dTranspose",
    "Dense",
    "LSTMCell",
    "RNNCell",
    "GRUCell",
)
_WHITE_OPERATORS = (
    "Conv2D",
    "Conv3D",
    "Conv2DTranspose",
    "Conv3DTranspose",
    "Conv2DBackpropInput",
    "MatMul",
    "BatchMatMul",
    "PReLU",
    "ReLU",
    "Ger",
)
_BLACK_CELLS = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LayerNorm")

# level "auto": operator names that gain from lower precision, and names that lose digits in it
AUTO_LOW = frozenset(
    (
        "Conv2D",
        "Conv3D",
        "Conv2DTranspose",
        "Conv3DTranspose",
        "Conv2DBackpropInput",
        "MatMul",
        "BatchMatMul",
        "PReLU",
        "Einsum",
        "Dense",
        "Addmm",
        "Addbmm",
        "Addmv",
        "Baddbmm",
        "Mv",
    )
)
AUTO_HIGH = frozenset(
    (
        "Pow",
        "ACos",
        "Asin",
        "Cosh",
        "Erfinv",
        "Exp",
        "Expm1",
        "Log",
        "Log10",
        "Log1p",
        "Log2",
        "Reciprocal",
        "Rsqrt",
        "Sinh",
        "Tan",
        "Softplus",
        "LayerNorm",
        "BatchNorm",
        "GroupNorm",
        "Norm",
        "KLDivLoss",
        "SmoothL1Loss",
        "MultilabelMarginLoss",
        "SoftMarginLoss",
        "TripletMarginLoss",
        "MultiMarginLoss",
        "BCEWithLogitsLoss",
        "Pdist",
        "Cdist",
        "Renorm",
        "ReduceProd",
        "ReduceSum",
        "Softmax",
        "LogSoftmax",
        "CumProd",
        "CumSum",
        "NLLLoss",
        # BatchNorm as the layers call it
        "batch_norm_train",
        "batch_norm_step",
        "batch_norm_infer",
        "mint_batch_norm",
    )
)


def canonical(name: str):
    """One spelling for a Primitive and a function: "LayerNorm" and "layer_norm" are the same operator."""
    return name.replace("_", "").lower()


def _existing(package, names):
    return [getattr(package, n) for n in names if hasattr(package, n)]


def white_list():
    """Classes of level O1."""
    return _existing(nn, _WHITE_CELLS) + _existing(ops, _WHITE_OPERATORS)


def black_list():
    """Cells that level O2 keeps in float32."""
    return _existing(nn, _BLACK_CELLS)


def auto_white_list():
    """Primitives that level "auto" computes in lower precision."""
    return _existing(ops, sorted(AUTO_LOW))


def auto_black_list():
    """Primitives that level "auto" computes in float32."""
    return _existing(ops, sorted(n for n in AUTO_HIGH if n[0].isupper()))


def names(classes: Any):
    """Operator names of the Primitives in a list."""
    return frozenset(c.__name__ for c in classes if issubclass(c, Primitive))


def check(classes: Any, what: str):
    """TypeError unless a list of Cell (for the white list also Primitive) classes."""
    if not isinstance(classes, list):
        raise TypeError(f"The type of {what} should be list, but got {type(classes)}")
    kinds = (nn.Cell, Primitive) if what == "white_list" else (nn.Cell,)
    for cls in classes:
        if not isinstance(cls, type):
            raise TypeError(f"The element in {what} should be a class, but got {cls}")
        if not issubclass(cls, kinds):
            raise TypeError(
                f"The subclass of element in {what} should be one of {' and '.join(repr(k.__name__) for k in kinds)}, "
                f"but got {cls}"
            )
    if what == "black_list":
        for cls in black_list():
            if cls not in classes:
                log.warning(f"{cls} is removed from internal black list.")
