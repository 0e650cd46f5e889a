"""The names under which MindSpore's modules of functions know its operators: `from mindspore.ops.function.math_func import F`."""

from .. import ops as F

P = ops = functional = F
