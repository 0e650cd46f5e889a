"""Whether a strategy fits its operator: each axis divides into its parts, and there are devices for all parts.

MindSpore finds this out when it compiles in SEMI_AUTO_PARALLEL or AUTO_PARALLEL, and raises RuntimeError. For the number of devices
`device_num` counts where no others are there, so that a script for eight of them is checked on one.
"""

import math
from collections.abc import Sequence
from typing import Any

from ..core.settings.context import settings
from ..core.settings.execution_state import here
from ..core.settings.parallel_context import ParallelMode, get
from ..core.trace.frame import current
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor
from .device_axes import UNLIKE


def check(primitive: Any, args: Any, devices: Any = None):
    """RuntimeError if the strategies of a Primitive do not fit these arguments.

    devices: how many there are; None where `set_auto_parallel_context(device_num=)` says so, or nothing does.
    """
    strategies = primitive.in_strategy
    if get("parallel_mode") not in (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL) or not strategies:
        return
    count = devices or (get("device_num") // get("pipeline_stages") if get("device_num") > 1 else None)
    strategies = of_tensors(told(strategies), args)
    tensors = [value for value in _flat(args) if isinstance(value, Tensor)]
    shapes = [tensor.shape for tensor in tensors]
    if any(-1 in shape for shape in shapes):
        return
    # where batches come in parts and the other processes are not there, shapes that follow from them are not known
    whole = devices is not None or get("full_batch") or here().of_all
    known = [whole or isinstance(tensor, Parameter) for tensor in tensors]
    if all(hasattr(s, "to_dict") for s in strategies):
        if primitive.attrs.get("self_define_shard") is False and primitive.name not in _RULES:
            _wrong(primitive.name, "of Layouts", "this operator takes Layouts only where 'self_define_shard' is True")
        _layouts(primitive.name, strategies, shapes, known, count)
        if _RULES.get(primitive.name) is _elementwise and primitive.attrs.get("self_define_shard") is not True:
            _meeting_layouts(primitive, strategies, shapes)
        return
    if not all(isinstance(s, tuple) and all(isinstance(n, int) for n in s) for s in strategies):
        return  # parts within parts: of an operator that knows them
    if primitive.name == "Reshape":  # takes its layout from its neighbours, whatever it is told
        return
    rule = _RULES.get(primitive.name)
    if rule is None and len(strategies) != len(shapes):
        return  # of an operator whose strategy is not one of its inputs
    if len([s for s in strategies if s]) > len(shapes) or len(strategies) < len(shapes):
        _wrong(primitive.name, strategies, f"there are {len(shapes)} Tensors, of the shapes {shapes}")
    for strategy, shape, sure in zip(strategies, _of_result(primitive, shapes, args), known):
        _one(primitive.name, strategies, strategy, shape, sure, count)
    if rule is not None:
        said = rule(primitive, strategies, shapes, args)
        if said:
            _wrong(primitive.name, strategies, said)
    for number, (tensor, strategy) in enumerate(zip(tensors, strategies)):
        _one_way(primitive, tensor, strategy, _places(primitive, strategies, number, rule, count))


def told(strategies: tuple):
    """Strategies of which those of a list of Tensors are Layouts in a tuple, without these tuples; others as they are."""
    flat = tuple(_flat(strategies))
    return flat if flat and all(hasattr(s, "to_dict") for s in flat) else strategies


def of_tensors(strategies: tuple, args: tuple):
    """The strategies of Tensors: a number in the place of one has the strategy (), or a Layout that splits nothing."""
    left, found = list(strategies), []
    values = [v for v in _flat(args) if isinstance(v, (Tensor, int, float))]
    spare = len(left) - sum(isinstance(v, Tensor) for v in values)
    for value in values:
        if isinstance(value, Tensor) and left:
            found.append(left.pop(0))
        elif spare > 0 and left and _splits_nothing(left[0]):
            left.pop(0)
            spare -= 1
    while spare > 0 and left and _splits_nothing(left[-1]):  # of arguments that were left out
        left.pop()
        spare -= 1
    return (*found, *left)


def _splits_nothing(strategy):
    if hasattr(strategy, "to_dict"):
        return all(place == -1 for place in strategy.to_dict()["tensor_map"])
    return strategy == ()


def _wrong(name, strategies, said):
    raise RuntimeError(
        f"For '{name}', the strategy {strategies} is wrong: {said}. (Failure: operator {name} init failed)"
    )


def _places(primitive, strategies, number, rule, count):
    """Over which axes of the devices a Tensor is split: [(its axis, parts)], None for the axis where parts repeat; None if that is not known.

    Those of a product are the rows, the sum and the columns, with repetitions behind them: as MindSpore numbers devices.
    """
    own = strategies[number]
    if rule is _product and len(strategies) == 2 and all(len(s) == 2 for s in strategies):
        other = strategies[1 - number]
        swapped = getattr(primitive, ("transpose_a", "transpose_b")[number], False)
        other_swapped = getattr(primitive, ("transpose_b", "transpose_a")[number], False)
        pairs = [(0, own[0]), (1, own[1])]
        pairs = pairs[::-1] if swapped else pairs
        free = None, other[::-1][number] if other_swapped else other[1 - number]
        places = [*pairs, free] if number == 0 else [free, *pairs]
    elif rule is _elementwise or rule is None:
        if primitive.name in UNLIKE or any(len(s) != len(own) for s in strategies):
            return None
        places = list(enumerate(own))
    else:
        return None
    rest = (count or 1) // max(1, math.prod(parts for _, parts in places))
    return [place for place in [*places, (None, rest)] if place[1] > 1]


def _one_way(primitive, tensor, strategy, places):
    """RuntimeError if a Parameter is split otherwise by another operator of the same program: a device could hold but one of the parts."""
    frame = current()
    if (
        not isinstance(tensor, Parameter)
        or frame is None
        or primitive.name in OF_RESULT
        or len(strategy) != tensor.ndim
    ):
        return
    noted = frame.root.divided  # the Parameter stands in it, so that its id stays its own
    _, parts, there, other = noted.setdefault(id(tensor), (tensor, strategy, places, primitive.name))
    if parts == strategy and None not in (there, places) and _merged(there) != _merged(places):
        raise RuntimeError(
            f"The Parameter '{tensor.name}' is split into {parts} by '{other}' and by '{primitive.name}', but other devices hold the same part: "
            f"(axis, parts) over the devices are {there} and {places}, with None where parts repeat. Operators that use one Parameter must split it alike."
        )
    if parts != strategy:
        raise RuntimeError(
            f"The Parameter '{tensor.name}' is split by {parts} for '{other}' and by {strategy} for '{primitive.name}': operators that use one "
            "Parameter must split it alike."
        )


def _merged(places):
    """Repetitions that are neighbours are one."""
    found = []
    for axis, parts in places:
        if axis is None and found and found[-1][0] is None:
            parts *= found.pop()[1]
        found.append((axis, parts))
    return found


def _flat(values):
    for value in values:
        if isinstance(value, (tuple, list)):
            yield from _flat(value)
        else:
            yield value


def _one(name, strategies, strategy, shape, sure, count):
    if len(strategy) != len(shape):
        _wrong(name, strategies, f"{strategy} has {len(strategy)} numbers for a Tensor of the shape {shape}")
    for parts, length in zip(strategy, shape):
        if parts < 1:
            _wrong(name, strategies, f"an axis has at least 1 part, but got {parts}")
        if sure and length % parts:
            _wrong(name, strategies, f"an axis of {length} can not be split into {parts} parts")
    needed = math.prod(strategy)
    if count and (needed > count or count % needed):
        _wrong(name, strategies, f"{strategy} needs {needed} devices, and {count} can not be divided so")


def _layouts(name, layouts, shapes, known, count):
    if len(layouts) != len(shapes):
        _wrong(name, "of Layouts", f"there are {len(shapes)} Tensors and {len(layouts)} Layouts")
    places = [layout.to_dict()["tensor_map"] for layout in layouts]
    if name == "RmsNorm" and len(places) > 1 and places[0][-len(places[1]) :] != places[1]:
        _wrong(name, f"tensor_map={places}", "the scale must be split as the axes that it belongs to")
    for layout, shape, sure in zip(layouts, shapes, known):
        told = layout.to_dict()
        matrix, places = told["device_matrix"], told["tensor_map"]
        if len(places) != len(shape):
            _wrong(name, f"tensor_map={places}", f"it has {len(places)} axes for a Tensor of the shape {shape}")
        if count and count % math.prod(matrix[:-1] if told["interleaved_parallel"] else matrix):
            _wrong(name, f"device_matrix={matrix}", f"{count} devices can not be divided so")
        for place, length in zip(places, shape):
            axes = place if isinstance(place, tuple) else (place,)
            parts = math.prod(matrix[len(matrix) - 1 - axis] for axis in axes if axis != -1)
            if sure and length % parts:
                _wrong(name, f"tensor_map={places}", f"an axis of {length} can not be split into {parts} parts")


def _meeting_layouts(primitive, layouts, shapes):
    """Axes that meet lie on the same axes of the devices; one of length 1, which is repeated, need not. The result has no Layout of its own."""
    if primitive.out_strategy:
        _wrong(
            primitive.name, "of Layouts", "the Layout of the result follows from those of the inputs, so it has none"
        )
    matrices = [layout.to_dict()["device_matrix"] for layout in layouts]
    if len(set(matrices)) > 1:  # of different matrices: their axes have no common names
        return
    lies = []
    for layout, matrix in zip(layouts, matrices):
        places = [p if isinstance(p, tuple) else (p,) for p in layout.to_dict()["tensor_map"]]
        lies.append([tuple(a for a in p if a != -1 and matrix[len(matrix) - 1 - a] > 1) for p in places])
    for axis in range(1, max(map(len, shapes), default=0) + 1):
        found = {own[-axis] for own, shape in zip(lies, shapes) if len(shape) >= axis and shape[-axis] != 1}
        if len(found) > 1:
            maps = [layout.to_dict()["tensor_map"] for layout in layouts]
            _wrong(primitive.name, f"tensor_map={maps}", f"axis {-axis} of one input lies on other axes of the devices")


def check_parameter(name: str, shape: Sequence[int], strategy: Any):
    """ValueError if a strategy does not fit a Parameter."""
    if len(strategy) != len(shape):
        raise ValueError(
            f"For {name}, the length of param_strategy: {len(strategy)}, is not equal to param_shape len: {len(shape)}."
        )
    for i, (length, parts) in enumerate(zip(shape, strategy)):
        if length % parts:
            raise ValueError(
                f"For '{name}', the param_shape is {shape} and the setting param_strategy is {strategy}. "
                f"The param_shape[{i}]: {length} cannot be divisible by param_strategy[{i}]: {parts}."
            )


# --- what single operators demand: functions of (Primitive, strategies, shapes, arguments) that tell what is wrong, or None
def _alike(primitive, strategies, shapes, args):
    """All inputs of one shape, split alike."""
    if len(set(strategies[: len(shapes)])) > 1:
        return "all inputs must be split alike"
    return None


def _elementwise(primitive, strategies, shapes, args):
    """Axes that meet are split alike; one of length 1, which is repeated, is not."""
    rank = max(map(len, shapes), default=0)
    for axis in range(1, rank + 1):
        parts = {s[-axis] for s, shape in zip(strategies, shapes) if len(shape) >= axis and shape[-axis] != 1}
        if len(parts) > 1:
            return f"axis {-axis} is split into {' and '.join(map(str, sorted(parts)))} parts"
    return None


def _whole(axes_of):
    """Some axes of the first input must not be split."""

    def rule(primitive, strategies, shapes, args):
        for axis in axes_of(primitive, shapes, args):
            if -len(shapes[0]) <= axis < len(shapes[0]) and strategies[0][axis] != 1:
                return f"axis {axis} must stay whole"
        return None

    return rule


def _axis(primitive, shapes, args):
    value = getattr(primitive, "axis", None)
    if value is None:
        value = next((a for a in args if isinstance(a, int) and not isinstance(a, bool)), -1)
    return value if isinstance(value, (tuple, list)) else (value,)


def _product(primitive, strategies, shapes, args):
    left, right = strategies[:2]
    if len(shapes) < 2 or min(len(left), len(right)) < 2:
        return None
    k = left[-2 if getattr(primitive, "transpose_a", False) else -1]
    other = right[-1 if getattr(primitive, "transpose_b", False) else -2]
    if k != other and (left != right or len(left) != 2):  # ((a, b), (a, b)) gathers the second factor
        return f"the axis of the sum is split into {k} and {other} parts"
    return _elementwise(primitive, [left[:-2], right[:-2]], [shapes[0][:-2], shapes[1][:-2]], args)


def _bias(primitive, strategies, shapes, args):
    return None if strategies[0][1] == strategies[1][0] else "the bias must be split as the axis of channels"


def _norm(primitive, strategies, shapes, args):
    """LayerNorm: the axes of the norm stay whole, scale and shift are split as theirs."""
    first = getattr(primitive, "begin_norm_axis", -1) % len(shapes[0])
    if any(parts != 1 for parts in strategies[0][first:]):
        return "the axes of the norm must stay whole"
    start = getattr(primitive, "begin_params_axis", first) % len(shapes[0])
    for one in strategies[1:]:
        if one and one != strategies[0][start:]:
            return "scale and shift must be split as the axes that they belong to"
    return None


def _last_norm(primitive, strategies, shapes, args):
    """RmsNorm: scale and the axes that it scales are split alike."""
    if len(shapes) > 1 and strategies[0][-len(shapes[1]) :] != strategies[1]:
        return "the scale must be split as the axes that it belongs to"
    return None


def _rotary(primitive, strategies, shapes, args):
    """The axis that is rotated stays whole; sines and cosines are split as the input, where they are not repeated."""
    if any(s[-1] != 1 for s in strategies if s):
        return "the last axis must stay whole"
    return _elementwise(primitive, strategies, shapes, args)


def _distances(primitive, strategies, shapes, args):
    """Cdist: points are split, the axis of their coordinates stays whole; batches are split alike."""
    if any(s[-1] != 1 for s in strategies):
        return "the last axis must stay whole"
    if len(strategies) > 1 and strategies[0][:-2] != strategies[1][:-2]:
        return "the batches must be split alike"
    return None


def _transformed(primitive, shapes, args):
    """The axes of a cosine transform: its fourth argument; all without one."""
    axes = args[3] if len(args) > 3 else -1
    return range(len(shapes[0])) if axes is None else axes if isinstance(axes, (tuple, list)) else (axes,)


def _resized(primitive, strategies, shapes, args):
    """Height and width."""
    nearest = "Nearest" in primitive.name
    if nearest and primitive.out_strategy:
        return "no strategy of its result can be set"
    height, width = strategies[0][2:4]
    if nearest and getattr(primitive, "align_corners", False) and (height, width) != (1, 1):
        return "height and width must stay whole where corners are aligned"
    if not nearest and height != 1:
        return "the height must stay whole"
    if not nearest and width != 1 and settings().values.get("device_target") == "GPU":  # also where none is here
        return "height and width must stay whole on a GPU"
    return None


def _any(primitive, strategies, shapes, args):
    """A strategy for each Tensor, and no more."""
    return None


def _concat(primitive, strategies, shapes, args):
    return _alike(primitive, strategies, shapes, args) or _whole(_axis)(primitive, strategies, shapes, args)


def _numbers(value, count):
    """A setting of windows as one number an axis, the last `count` ones."""
    return tuple(value)[-count:] if isinstance(value, (tuple, list)) else (value,) * count


def _out_length(length, kernel, stride, mode):
    return -(-length // stride) if mode == "same" else -(-(length - kernel + 1) // stride)


def _windows(primitive, strategy, shape, exchanges):
    """Spatial axes: each part computes as many results as the others, from its own elements and its neighbours'.

    exchanges: whether parts get what they lack from their neighbours, as convolutions do.
    """
    count, mode = len(shape) - 2, str(primitive.pad_mode).lower()
    strides = _numbers(getattr(primitive, "stride", None) or getattr(primitive, "strides", 1), count)
    kernels = _numbers(primitive.kernel_size, count)
    for axis, (parts, length, kernel, stride) in enumerate(zip(strategy[2:], shape[2:], kernels, strides), 2):
        if parts == 1 or length % parts:
            continue
        piece = length // parts
        if mode in ("same", "valid") and _out_length(length, kernel, stride, mode) % parts:
            return f"the result along axis {axis} can not be split into {parts} parts"
        if kernel > stride and (mode == "valid" or not exchanges):
            return f"axis {axis} must stay whole where windows of {kernel} overlap at strides of {stride}"
        if kernel <= stride and piece % stride:
            return f"a part of {piece} along axis {axis} is no multiple of the stride {stride}"
        if exchanges and kernel < stride and mode == "pad":
            return f"axis {axis} must stay whole where windows of {kernel} leave gaps at strides of {stride}"
        if piece < (kernel - stride + 1) // 2:
            return f"a part of {piece} along axis {axis} is less than what windows of {kernel} take from it"
    return None


def _convolution(primitive, strategies, shapes, args):
    of_input, of_weight = strategies[:2]
    if len(shapes) < 2:
        return None
    stride = getattr(primitive, "stride", 1)
    if isinstance(stride, (tuple, list)) and len(stride) == len(shapes[0]) and tuple(stride[:2]) != (1, 1):
        return f"the strides of batch and channels must be 1, but they are {tuple(stride[:2])}"
    if any(parts != 1 for parts in of_weight[2:]):
        return "the axes of the kernel must stay whole"
    channels = of_weight[0] if "Transpose" in primitive.name else of_weight[1]
    if of_input[1] != channels:
        return f"the axis of channels is split into {of_input[1]} and {channels} parts"
    if getattr(primitive, "group", 1) != 1 and (of_input[1], *of_weight[:2]) != (1, 1, 1):
        return "the channels of a convolution in groups must stay whole"
    if "Transpose" in primitive.name:
        return None
    return _windows(primitive, of_input, shapes[0], True)


def _pool(primitive, strategies, shapes, args):
    return _windows(primitive, strategies[0], shapes[0], primitive.name.endswith("3D"))


OF_RESULT = ("OneHot", "OneHotExt")  # operators whose first strategy is one of their result


def _of_result(primitive, shapes, args):
    """Shapes as strategies see them: that of OneHot is one of its result."""
    if primitive.name not in OF_RESULT or not shapes:
        return shapes
    depth = next((value for value in args[1:] if isinstance(value, int)), None)
    if depth is None:
        return shapes
    axis = getattr(primitive, "axis", -1)
    axis = len(shapes[0]) if axis == -1 else axis
    return [(*shapes[0][:axis], depth, *shapes[0][axis:]), *shapes[1:]]


_BINARY = """Add Sub Mul Div RealDiv FloorDiv DivNoNan Pow Maximum Minimum Greater GreaterEqual Less LessEqual Equal NotEqual
ApproximateEqual LogicalAnd LogicalOr BitwiseAnd BitwiseOr BitwiseXor Mod FloorMod SquaredDifference Xdivy Xlogy Atan2 TensorAdd MulNoNan
TruncateDiv TruncateMod Hypot Polar IsClose RemainderTensorTensor AssignAdd AssignSub Assign Lerp""".split()
_RULES = {
    **dict.fromkeys(_BINARY, _elementwise),
    **dict.fromkeys(("AddN", "AccumulateNV2", "SigmoidCrossEntropyWithLogits", "Stack"), _alike),
    **dict.fromkeys(("MatMul", "BatchMatMul"), _product),
    **dict.fromkeys(("Softmax", "LogSoftmax", "CumSum", "CumProd", "Split", "Sort", "ReverseV2"), _whole(_axis)),
    **dict.fromkeys(("Conv2D", "Conv3D", "Conv2DTranspose", "Conv3DTranspose"), _convolution),
    **dict.fromkeys(("MaxPool", "AvgPool", "MaxPool3D", "AvgPool3D"), _pool),
    "TopK": _whole(lambda primitive, shapes, args: (-1,)),
    "SoftmaxCrossEntropyWithLogits": lambda *given: _alike(*given) or _whole(lambda *_: (-1,))(*given),
    **dict.fromkeys(("DCT", "IDCT", "DCTN", "IDCTN"), _whole(_transformed)),
    **dict.fromkeys(("ResizeNearestNeighbor", "ResizeBilinear", "ResizeBilinearV2"), _resized),
    **dict.fromkeys(("SumExt", "MeanExt", "ProdExt", "RepeatInterleaveInt", "ArgMaxWithValue", "ArgMinWithValue"), _any),
    "Cdist": _distances,
    "RmsNorm": _last_norm,
    "RotaryPositionEmbedding": _rotary,
    "BiasAdd": _bias,
    "Concat": _concat,
    "LayerNorm": _norm,
}  # fmt: skip
