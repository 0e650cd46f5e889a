"""Ranges of quantized values: their distance and zero, thresholds for weights, weights as integers; which layers are quantized."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.operators import check
from ..cell.cell import Cell
from ..layer.quant import Conv2dBnFoldQuant, Conv2dBnFoldQuantOneConv, Conv2dBnWithoutFoldQuant, Conv2dQuant, DenseQuant
from ..layer.quant_observer import FakeQuantWithMinMaxObserver

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor

WEIGHTED = (Conv2dBnFoldQuantOneConv, Conv2dBnFoldQuant, Conv2dBnWithoutFoldQuant, Conv2dQuant, DenseQuant)
_SMALLEST = 1e-5  # threshold
_MOST_BINS = 1024


def cal_quantization_params(
    input_min: Any, input_max: Any, quant_min: Any, quant_max: Any, data_type: Any, symmetric: bool = False
):
    """(scale, zero point) for values between `input_min` and `input_max`: the distance of neighbouring quantized values, and the integer
    that stands for 0.

    Args:
        input_min, input_max: arrays of one axis.
        quant_min, quant_max: the lowest and the highest integer that is used.
        data_type: np.int8 or np.uint8.
        symmetric: whether 0.0 is in the middle of the range.

    Raises:
        ValueError: no integers, shapes that differ, a range that is empty.
    """
    if quant_min == quant_max:
        raise ValueError("quant_max is equal to quant_min which will lead to divide zero error.")
    input_max, input_min = np.maximum(0.0, input_max), np.minimum(0.0, input_min)
    if input_min.shape != input_max.shape:
        raise ValueError("input min shape should be equal to input max.")
    if input_min.ndim > 1:
        raise ValueError("input min and max shape should be one dim.")
    if (input_max == input_min).all():
        return np.ones(input_min.shape), np.zeros(input_min.shape)
    if symmetric:
        input_max = np.maximum(-input_min, input_max)
        input_min = -input_max
    scale = (input_max - input_min) / (quant_max - quant_min)
    if data_type == np.int8 and symmetric:
        return scale, np.zeros(input_min.shape)
    if not scale.all():
        raise ValueError("scale can not be 0.")
    return scale, np.floor(quant_min - input_min / scale + 0.5)


def get_quant_min_max(data_type: Any, num_bits: int = 8, narrow_range: bool = False):
    """(the lowest, the highest) integer of `num_bits` bits; ValueError for another type than np.int8 and np.uint8."""
    if data_type not in (np.int8, np.uint8):
        raise ValueError(f"Unsupported datatype({data_type})")
    lowest = -(2 ** (num_bits - 1)) if data_type == np.int8 else 0
    return lowest + bool(narrow_range), lowest + 2**num_bits - 1


def _by_channel(values, weight):
    """`values` in a shape that goes with the weight: along its first axis, or its second (of depthwise convolutions)."""
    for axis in (0, 1):
        if len(values) == weight.shape[axis]:
            return values.reshape([-1 if i == axis else 1 for i in range(weight.ndim)])
    raise ValueError(f"Unsupported weight shape({weight.shape})")


def weight2int(data: Any, scale: Any, zero_point: Any, quant_min: Any, quant_max: Any):
    """round(data / scale) + zero_point, clipped to the range of the integer type.

    Raises:
        ValueError: shapes that do not go together, or a scale of 0.
    """
    if scale.shape != zero_point.shape:
        raise ValueError("`scale` and `zero_point` should have the same shape.")
    if 0 in scale:
        raise ValueError("Zero exist in `scale` which will lead to divide zero error.")
    if scale.ndim and len(scale) > 1:
        scale, zero_point = _by_channel(scale, data), _by_channel(zero_point, data)
    return np.clip(np.round(data / scale + zero_point), quant_min, quant_max)


def scale_zp_max_min_from_fake_quant_cell(cell: Cell, data_type: Any):
    """(scale, zero point, highest, lowest value) of an observer."""
    lowest, highest = cell.minq.asnumpy(), cell.maxq.asnumpy()
    if cell.mode == "LEARNED_SCALE":
        lowest, highest = -np.abs(lowest), np.abs(highest)
    integers = get_quant_min_max(data_type, cell.num_bits, cell.narrow_range)
    symmetric = cell.symmetric and not cell.neg_trunc
    return *cal_quantization_params(lowest, highest, *integers, data_type, symmetric), highest, lowest


def _folded(weight, norm):
    if norm.eps == 0:
        raise ValueError("`epsilon` is zero may lead to divide zero error")
    mean, variance, gamma, beta = (p.asnumpy() for p in (norm.moving_mean, norm.moving_variance, norm.gamma, norm.beta))
    deviation = np.sqrt(variance + norm.eps)
    return weight * _by_channel(gamma, weight) / _by_channel(deviation, weight), beta - gamma * mean / deviation


def fold_batchnorm(weight: "Tensor", cell_quant: Any):
    """(weight, bias) of a Conv2dBnFoldQuant with its normalization in them."""
    return _folded(weight, cell_quant)


def without_fold_batchnorm(weight: "Tensor", cell_quant: Any):
    """(weight, bias) of a Conv2dBnWithoutFoldQuant with its normalization in them."""
    return _folded(weight, cell_quant.batchnorm)


def compute_kl_threshold(data: Any, bitwidth: Any):
    """The value to clip at: of the ends of a histogram's bins the one where clipped and rounded data are distributed most as `data`.

    Args:
        data: array.
        bitwidth: QuantDtype.
    """
    size = np.abs(data)
    if size.max() < _SMALLEST:
        return _SMALLEST
    counts, edges = np.histogram(size, bins="sqrt", range=(0, size.max()), density=True)
    if len(counts) > _MOST_BINS:
        counts, edges = np.histogram(size, range=(0, size.max()), density=True)
    steps = 2 ** (bitwidth.num_bits - 1)
    if steps + 1 > len(edges) - 1:
        return float(edges[-1])
    shares = np.cumsum(counts / counts.sum())
    few, found, smallest = np.linspace(0.0, 1.0, steps), None, np.inf
    for end in range(steps + 1, len(edges)):
        many, clipped = np.linspace(0.0, 1.0, end), shares.copy()
        clipped[end - 1 :] = 1
        clipped[:end] = np.interp(many, few, np.interp(few, many, clipped[:end]))
        if 0 in clipped:
            raise ValueError("Zero exist in `cumsum_tmp` which will lead to divide zero error")
        divergence = np.sum((shares - clipped) * np.log2(shares / clipped))
        if divergence < smallest:
            found, smallest = (end + 0.5) * (edges[1] - edges[0]), divergence
    return max(float(found), _SMALLEST)


def thresholds(weight: "Tensor", observed: Any, per_channel: bool):
    """(lowest, highest) values to start learned ranges with, as lists; observed: QuantDtype of the weight."""
    highest = [compute_kl_threshold(part, observed) for part in (weight if per_channel else [weight])]
    return [-value for value in highest], highest


def normalized_weight(weight: "Tensor", norm: Cell | None, eps: float = _SMALLEST):
    """The weight as an array, times gamma / sqrt(variance + eps) of a normalization; norm: None for none."""
    weight = weight.asnumpy()
    if norm is None:
        return weight
    factor = norm.gamma.asnumpy() / np.sqrt(norm.moving_variance.asnumpy() + eps)
    return weight * factor.reshape(-1, *[1] * (weight.ndim - 1))


def query_quant_layers(network: Cell):
    """Print each observer of a network with its QuantDtype.

    Raises:
        ValueError: `network` is not a Cell.
    """
    for name, cell in check.check_isinstance("network", network, Cell).cells_and_names():
        if isinstance(cell, FakeQuantWithMinMaxObserver):
            print(f"{name:60}\t{cell.quant_dtype!s:10}")


def load_nonquant_param_into_quant_net(quant_model: Any, params_dict: dict, quant_new_params: Any = None):
    """Load Parameters of a network that was not quantized: in their order, by the last part of the name.

    Args:
        quant_model: network with quantized layers.
        params_dict: {name: Parameter}.
        quant_new_params: list of names (last parts) that only the quantized network has.

    Raises:
        TypeError: `quant_new_params` is neither a list nor None.
        ValueError: a Parameter is in neither of them.
    """
    if quant_new_params is not None and not isinstance(quant_new_params, list):
        raise TypeError("quant_new_params must be list or None.")
    keys = {"minq", "maxq", "quant_max", *(name.split(".")[-1] for name in params_dict)}
    left = {key: iter([item for item in params_dict.items() if item[0].endswith(key)]) for key in keys}
    for name, param in quant_model.parameters_and_names():
        key = name.split(".")[-1]
        if key not in left:
            if key not in (quant_new_params or ()):
                raise ValueError(f"Can't find match parameter in ckpt, param name = {name}")
            continue
        found = next(left[key], None)
        if found:
            param.set_data(found[1])
            print(f"init model param {name} with checkpoint param {found[0]}")
    for _, cell in quant_model.cells_and_names():
        if isinstance(cell, WEIGHTED) and cell.fake_quant_weight.mode == "LEARNED_SCALE":
            observer = cell.fake_quant_weight
            weight = normalized_weight(cell.weight, cell if hasattr(cell, "gamma") else None)
            observer.reset(observer.quant_dtype, *thresholds(weight, observer.quant_dtype, observer.per_channel))
