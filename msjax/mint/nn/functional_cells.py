"""Layers without Parameters: each is a function of `mint.nn.functional` whose further arguments the constructor
takes.
"""

import inspect

from ...core.operators.rows import args
from ...nn.cell.cell import Cell
from . import functional as F

__all__ = []


def _cell(name, init, inputs, run, doc):
    """Make and export the class `name`: `init` are its parameters, `run(self, *inputs)` computes."""
    params = init.listed()
    signature = inspect.Signature(params)

    def __init__(self, *args, **kwargs):
        Cell.__init__(self)
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}() takes {signature}: {error}") from None
        given.apply_defaults()
        for parameter, value in given.arguments.items():
            setattr(self, parameter, value)

    def extend_repr(self):
        return ", ".join(f"{p.name}={getattr(self, p.name)}" for p in params)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__signature__ = inspect.Signature([own, *params])
    text = f"{doc}\n\n    Example:\n        >>> {_example(name, params, inputs)}\n    "
    globals()[name] = type(
        name,
        (Cell,),
        {"__init__": __init__, "construct": run, "extend_repr": extend_repr, "__doc__": text, "__module__": __name__},
    )
    __all__.append(name)


_EXAMPLES = {
    "padding": "1",
    "value": "0.0",
    "output_size": "2",
    "threshold": "0.1",
    "kernel_size": "2",
    "upscale_factor": "2",
}


def _example(name, params, inputs):
    given = ", ".join(_EXAMPLES[p.name] for p in params if p.default is p.empty) or (
        "(8, 8)" if name[:3] == "Ups" else ""
    )
    shape = "1, 4, 4" if "1d" in name else "1, 4, 4, 4, 4" if "3d" in name else "1, 4, 4, 4"
    return f"mint.nn.{name}({given})({', '.join(f'mint.ones(({shape}))' for _ in inputs)})"


# name, constructor, function of mint.nn.functional, keywords it gets from the constructor, one sentence
_UNARY = (
    (
        "AdaptiveAvgPool1d",
        args("output_size"),
        "adaptive_avg_pool1d",
        "output_size",
        "Means over `output_size` windows that cover the last axis.",
    ),
    (
        "AdaptiveAvgPool2d",
        args("output_size"),
        "adaptive_avg_pool2d",
        "output_size",
        "Means over `output_size` windows that cover the last two axes.",
    ),
    (
        "AdaptiveAvgPool3d",
        args("output_size"),
        "adaptive_avg_pool3d",
        "output_size",
        "Means over `output_size` windows that cover the last three axes.",
    ),
    (
        "AdaptiveMaxPool1d",
        args("output_size", return_indices=False),
        "adaptive_max_pool1d",
        "output_size return_indices",
        "Maxima over `output_size` windows that cover the last axis, with their positions if `return_indices`.",
    ),
    (
        "ELU",
        args(alpha=1.0, inplace=False),
        "elu",
        "alpha inplace",
        "x where it is positive, alpha * (exp(x) - 1) elsewhere.",
    ),
    (
        "GELU",
        args(approximate="none"),
        "gelu",
        "approximate",
        "x times the normal distribution function of x, exact or by tanh.",
    ),
    ("GLU", args(dim=-1), "glu", "dim", "The first half along `dim` times the sigmoid of the second."),
    (
        "Hardtanh",
        args(min_val=-1.0, max_val=1.0, inplace=False),
        "hardtanh",
        "min_val max_val inplace",
        "x between `min_val` and `max_val`.",
    ),
    ("LogSigmoid", args(), "logsigmoid", "", "log(sigmoid(x))."),
    ("Mish", args(), "mish", "", "x * tanh(log(1 + exp(x)))."),
    ("ReLU6", args(inplace=False), "relu6", "inplace", "min(max(x, 0), 6)."),
    ("SELU", args(), "selu", "", "The scaled exponential linear unit."),
    ("SiLU", args(inplace=False), "silu", "inplace", "x * sigmoid(x)."),
    ("Sigmoid", args(), "sigmoid", "", "1 / (1 + exp(-x))."),
    ("Softmax", args(dim=None), "softmax", "dim", "exp(x) over its sum along `dim`."),
    (
        "Softplus",
        args(beta=1, threshold=20),
        "softplus",
        "beta threshold",
        "log(1 + exp(beta x)) / beta; x itself where beta x is above `threshold`.",
    ),
    ("Softsign", args(), "softsign", "", "x / (1 + |x|)."),
    ("Tanh", args(), "tanh", "", "The hyperbolic tangent."),
    ("Tanhshrink", args(), "tanhshrink", "", "x - tanh(x)."),
    (
        "Threshold",
        args("threshold", "value", inplace=False),
        "threshold",
        "threshold value inplace",
        "x where it is above `threshold`, `value` elsewhere.",
    ),
    (
        "CELU",
        args(alpha=1.0, inplace=False),
        "celu",
        "alpha inplace",
        "max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).",
    ),
    (
        "LeakyReLU",
        args(negative_slope=0.01, inplace=False),
        "leaky_relu",
        "negative_slope inplace",
        "x where it is positive, negative_slope * x elsewhere.",
    ),
    (
        "Flatten",
        args(start_dim=1, end_dim=-1),
        "flatten",
        "start_dim end_dim",
        "The axes from `start_dim` to `end_dim` made into one.",
    ),
    (
        "Fold",
        args("output_size", "kernel_size", dilation=1, padding=0, stride=1),
        "fold",
        "output_size kernel_size dilation padding stride",
        "Columns of windows added up into images of `output_size`.",
    ),
    (
        "Unfold",
        args("kernel_size", dilation=1, padding=0, stride=1),
        "unfold",
        "kernel_size dilation padding stride",
        "The windows of images as columns.",
    ),
    (
        "PixelShuffle",
        args("upscale_factor"),
        "pixel_shuffle",
        "upscale_factor",
        "Groups of upscale_factor**2 channels made into finer rows and columns.",
    ),
    (
        "Upsample",
        args(size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None),
        "interpolate",
        "size scale_factor mode align_corners recompute_scale_factor",
        "The input resized to `size`, or by `scale_factor`.",
    ),
)
_LOSSES = (
    (
        "BCELoss",
        args(weight=None, reduction="mean"),
        "binary_cross_entropy",
        "weight reduction",
        "Binary cross entropy of probabilities.",
    ),
    (
        "BCEWithLogitsLoss",
        args(weight=None, reduction="mean", pos_weight=None),
        "binary_cross_entropy_with_logits",
        "weight reduction pos_weight",
        "Binary cross entropy of logits.",
    ),
    (
        "CrossEntropyLoss",
        args(weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0),
        "cross_entropy",
        "weight ignore_index reduction label_smoothing",
        "Cross entropy of logits with class indices or probabilities.",
    ),
    (
        "KLDivLoss",
        args(reduction="mean", log_target=False),
        "kl_div",
        "reduction log_target",
        "Kullback-Leibler divergence of log-probabilities.",
    ),
    ("MSELoss", args(reduction="mean"), "mse_loss", "reduction", "Squared differences, reduced."),
    (
        "NLLLoss",
        args(weight=None, ignore_index=-100, reduction="mean"),
        "nll_loss",
        "weight ignore_index reduction",
        "Negative log-likelihood of class indices.",
    ),
    (
        "SmoothL1Loss",
        args(reduction="mean", beta=1.0),
        "smooth_l1_loss",
        "reduction beta",
        "Differences, squared below `beta`, reduced.",
    ),
    (
        "SoftMarginLoss",
        args(reduction="mean"),
        "soft_margin_loss",
        "reduction",
        "log(1 + exp(-target * input)), reduced.",
    ),
)


def _one(function, keywords):
    return lambda self, input: getattr(F, function)(input, **{k: getattr(self, k) for k in keywords})


def _two(function, keywords):
    return lambda self, input, target: getattr(F, function)(input, target, **{k: getattr(self, k) for k in keywords})


for _name, _init, _function, _keywords, _doc in _UNARY:
    _cell(_name, _init, ("input",), _one(_function, _keywords.split()), _doc)
for _name, _init, _function, _keywords, _doc in _LOSSES:
    _cell(_name, _init, ("input", "target"), _two(_function, _keywords.split()), _doc)
_cell(
    "CosineEmbeddingLoss",
    args(margin=0.0, reduction="mean"),
    ("input1", "input2", "target"),
    lambda self, input1, input2, target: F.cosine_embedding_loss(input1, input2, target, self.margin, self.reduction),
    "1 - cos for pairs of target 1, max(0, cos - margin) for pairs of target -1.",
)
_cell(
    "MaxUnpool2d",
    args("kernel_size", stride=None, padding=0),
    ("input", "indices"),
    lambda self, input, indices, output_size=None: F.max_unpool2d(
        input, indices, self.kernel_size, self.stride, self.padding, output_size
    ),
    "Maxima put back to the positions that max pooling gave, zeros elsewhere.",
)
_cell(
    "UpsamplingNearest2d",
    args(size=None, scale_factor=None),
    ("input",),
    lambda self, input: F.interpolate(input, self.size, self.scale_factor, "nearest"),
    "Rows and columns repeated.",
)
_cell(
    "UpsamplingBilinear2d",
    args(size=None, scale_factor=None),
    ("input",),
    lambda self, input: F.interpolate(input, self.size, self.scale_factor, "bilinear", True),
    "Linear interpolation between pixel centres at the corners.",
)


# --- padding of the last axes
def _widths(cell):
    n = int(type(cell).__name__[-2])
    padding = cell.padding
    if isinstance(padding, int):
        return (padding,) * (2 * n)
    if not isinstance(padding, (tuple, list)) or len(padding) != 2 * n:
        raise ValueError(
            f"For '{type(cell).__name__}', the 'padding' must be an int or a tuple of {2 * n} ints, but got "
            f"{padding!r}."
        )
    return tuple(padding)


def _padding(mode):
    if mode == "zero":
        return lambda self, input: F.pad(input, _widths(self), "constant", 0.0)
    if mode == "constant":
        return lambda self, input: F.pad(input, _widths(self), "constant", self.value)
    return lambda self, input: F.pad(input, _widths(self), mode)


for _n in (1, 2, 3):
    for _kind, _mode, _init, _doc in (
        ("ConstantPad", "constant", args("padding", "value"), "`value` put around the last {n}."),
        ("ZeroPad", "zero", args("padding"), "Zeros put around the last {n}."),
        ("ReflectionPad", "reflect", args("padding"), "The last {n} continued by their mirror image."),
        ("ReplicationPad", "replicate", args("padding"), "The last {n} continued by their first and last elements."),
    ):
        _cell(f"{_kind}{_n}d", _init, ("input",), _padding(_mode), _doc.format(n="axis" if _n == 1 else f"{_n} axes"))
