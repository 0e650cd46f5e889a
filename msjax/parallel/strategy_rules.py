"""What single operators demand of their strategies, beyond whole parts: which axes stay whole, which are split alike.

The table has MindSpore's rules, operator by operator, those of what MindSpore computes on slices: XLA could divide more. A rule is a function of a
`Case` that tells what is wrong, or None.
"""

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

from ..core.settings.context import settings


class Case:
    """One call of an operator with strategies.

    strategies, shapes: of its Tensors in order. args: all arguments. count: number of devices, None if nobody knows.
    """

    def __init__(self, primitive: Any, strategies: Sequence, shapes: Sequence, args: Any, count: Any = None):
        self.primitive, self.strategies, self.shapes = primitive, strategies, shapes
        self.args, self.count = args, count

    def setting(self, *names: str, otherwise: Any = None):
        """A setting by one of its names: an attribute of the Primitive, or an argument of the call."""
        given = None
        for name in names:
            if name in self.primitive.__dict__:
                return self.primitive.__dict__[name]
            given = _bound(self.primitive, self.args) if given is None else given
            if name in given:
                return given[name]
        return otherwise

    def axes(self, *names: str, otherwise: Any = -1):
        """A setting of one axis or several, counted from the front; those out of range are left out."""
        value = self.setting(*names, otherwise=otherwise)
        value = otherwise if value is None else value
        rank = len(self.shapes[0])
        axes = value if isinstance(value, (tuple, list)) else (value,)
        return [a % rank for a in axes if isinstance(a, int) and -rank <= a < rank]

    @property
    def keeps_parts(self):
        """Whether each device computes with its own part, whatever that gives (the attribute `skip_redistribution`)."""
        return bool(self.primitive.attrs.get("skip_redistribution"))


@functools.cache
def _signature(kind):
    return inspect.signature(getattr(kind, "_unsharded", kind).__call__)


def _bound(primitive, args):
    """Arguments of a call by name, defaults included."""
    try:
        bound = _signature(type(primitive)).bind(primitive, *args)
    except TypeError:  # the call itself tells the error
        return {}
    bound.apply_defaults()
    return dict(bound.arguments)


def _split(strategy):
    """The axes that are split."""
    return [axis for axis, parts in enumerate(strategy) if parts != 1]


def _alike(case):
    """All inputs of one shape, split alike."""
    if len(set(case.strategies[: len(case.shapes)])) > 1:
        return "all inputs must be split alike"
    return None


def elementwise(case: Case):
    """Axes that meet are split alike; one of length 1, which is repeated, is not."""
    return _meeting(case.strategies, case.shapes)


def _meeting(strategies, shapes):
    rank = max(map(len, shapes), default=0)
    for axis in range(1, rank + 1):
        parts = {s[-axis] for s, shape in zip(strategies, shapes) if len(shape) >= axis and shape[-axis] != 1}
        if len(parts) > 1:
            return f"axis {-axis} is split into {' and '.join(map(str, sorted(parts)))} parts"
    return None


def _whole(axes_of, which=0):
    """Some axes of an input must not be split."""

    def rule(case):
        if which >= len(case.strategies):
            return None
        rank = len(case.strategies[which])
        for axis in axes_of(case):
            if -rank <= axis < rank and case.strategies[which][axis] != 1:
                return f"axis {axis} of input {which} must stay whole" if which else f"axis {axis} must stay whole"
        return None

    return rule


def _always(*axes, which=0):
    """These axes of an input must not be split."""
    return _whole(lambda case: axes, which)


def _none_of(which):
    """An input must not be split at all."""
    return _whole(lambda case: range(len(case.strategies[which])), which)


def _unless_parts_stay(rule):
    return lambda case: None if case.keeps_parts else rule(case)


def _all_of(*rules):
    """All rules, the first that is broken."""

    def rule(case):
        return next((said for said in (one(case) for one in rules) if said), None)

    return rule


def _axis(case):
    """The axis of an operator: a setting, or the first number among the arguments."""
    value = getattr(case.primitive, "axis", None)
    if value is None:
        value = next((a for a in case.args if isinstance(a, int) and not isinstance(a, bool)), -1)
    return value if isinstance(value, (tuple, list)) else (value,)


def _dim(*names, otherwise=-1):
    return lambda case: case.axes(*names, otherwise=otherwise)


# --- products, norms, windows
def product(case: Case):
    """MatMul and BatchMatMul: the axis of the sum is split alike."""
    left, right = case.strategies[:2]
    shapes, primitive = case.shapes, case.primitive
    if len(shapes) < 2 or min(len(left), len(right)) < 2:
        return None
    k = left[-2 if getattr(primitive, "transpose_a", False) else -1]
    other = right[-1 if getattr(primitive, "transpose_b", False) else -2]
    if k != other and (left != right or len(left) != 2):  # ((a, b), (a, b)) gathers the second factor
        return f"the axis of the sum is split into {k} and {other} parts"
    return _meeting([left[:-2], right[:-2]], [shapes[0][:-2], shapes[1][:-2]])


def _tensor_product(case):
    """TensorDot: the axes that are summed are split alike."""
    axes, (left, right) = case.setting("axes"), case.strategies[:2]
    if isinstance(axes, int):
        pairs = zip(range(len(left) - axes, len(left)), range(axes))
    else:
        pairs = zip(*[(one,) if isinstance(one, int) else one for one in axes])
    if any(left[a] != right[b] for a, b in pairs):
        return "the axes of the sum must be split alike"
    return None


def _bias(case):
    return None if case.strategies[0][1] == case.strategies[1][0] else "the bias must be split as the axis of channels"


def _channels(case):
    """BatchNorm: what belongs to the channels is split as they are."""
    if any(s and s[0] != case.strategies[0][1] for s in case.strategies[1:]):
        return "scale, shift, mean and variance must be split as the axis of channels"
    return None


def _slopes(case):
    """PReLU: a slope for each channel is split as they are."""
    of_input, of_slopes = case.strategies[:2]
    if len(of_input) > 1 and case.shapes[1][0] != 1 and of_input[1] != of_slopes[0]:
        return "the slopes must be split as the axis of channels"
    return None


def _norm(case):
    """LayerNorm: the axes of the norm stay whole, scale and shift are split as theirs."""
    rank, primitive, strategies = len(case.shapes[0]), case.primitive, case.strategies
    first = getattr(primitive, "begin_norm_axis", -1) % rank
    if any(parts != 1 for parts in strategies[0][first:]):
        return "the axes of the norm must stay whole"
    start = getattr(primitive, "begin_params_axis", first) % rank
    for one in strategies[1:]:
        if one and one != strategies[0][start:]:
            return "scale and shift must be split as the axes that they belong to"
    return None


def _last_norm(case):
    """RmsNorm: scale and the axes that it scales are split alike."""
    strategies, shapes = case.strategies, case.shapes
    if len(shapes) > 1 and strategies[0][-len(shapes[1]) :] != strategies[1]:
        return "the scale must be split as the axes that it belongs to"
    return None


def _batches_alone(case):
    """GroupNorm: nothing but the batch is split."""
    if any(axis for axis in _split(case.strategies[0])) or any(_split(s) for s in case.strategies[1:]):
        return "only the first axis of the first input may be split"
    return None


def _rotary(case):
    """The axis that is rotated stays whole; sines and cosines are split as the input, where they are not repeated."""
    if any(s[-1] != 1 for s in case.strategies if s):
        return "the last axis must stay whole"
    return elementwise(case)


def _distances(case):
    """Cdist: points are split, the axis of their coordinates stays whole; batches are split alike."""
    if any(s[-1] != 1 for s in case.strategies):
        return "the last axis must stay whole"
    if len(case.strategies) > 1 and case.strategies[0][:-2] != case.strategies[1][:-2]:
        return "the batches must be split alike"
    return None


def _transformed(case):
    """The axes of a cosine transform: its fourth argument; all without one."""
    axes = case.args[3] if len(case.args) > 3 else -1
    return range(len(case.shapes[0])) if axes is None else axes if isinstance(axes, (tuple, list)) else (axes,)


def _resized(case):
    """Height and width."""
    primitive, nearest = case.primitive, "Nearest" in case.primitive.name
    if nearest and primitive.out_strategy:
        return "no strategy of its result can be set"
    height, width = case.strategies[0][2:4]
    if nearest and getattr(primitive, "align_corners", False) and (height, width) != (1, 1):
        return "height and width must stay whole where corners are aligned"
    if not nearest and height != 1:
        return "the height must stay whole"
    if not nearest and width != 1 and settings().values.get("device_target") == "GPU":  # also where none is here
        return "height and width must stay whole on a GPU"
    return None


def _any(case):
    """A strategy for each Tensor, and no more."""
    return None


def unary(case: Case):
    """One input, element by element: any strategy of it."""
    return None


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
            return f"a part of {piece} along axis {axis} is not a multiple of the stride {stride}"
        if exchanges and kernel < stride and mode == "pad":
            return f"axis {axis} must stay whole where windows of {kernel} leave gaps at strides of {stride}"
        if piece < (kernel - stride + 1) // 2:
            return f"a part of {piece} along axis {axis} is less than what windows of {kernel} take from it"
    return None


def _convolution(case):
    primitive, shapes = case.primitive, case.shapes
    of_input, of_weight = case.strategies[:2]
    if len(shapes) < 2:
        return None
    if "3D" in primitive.name and of_input[4] != 1:
        return "the last axis must stay whole"
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


def _pool(case):
    if "3D" in case.primitive.name and case.strategies[0][4] != 1:
        return "the last axis must stay whole"
    return _windows(case.primitive, case.strategies[0], case.shapes[0], case.primitive.name.endswith("3D"))


# --- pieces
def _bit(mask, axis):
    return bool((mask or 0) >> axis & 1)


def _strided(case):
    """StridedSlice: an axis of which not all is taken stays whole, or of which every other element is, and one that goes away."""
    begin, end, strides = (case.setting(name) for name in ("begin", "end", "strides"))
    masks = {m: case.setting(f"{m}_mask", otherwise=0) for m in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")}
    if masks["ellipsis"]:
        return "an operator with an ellipsis_mask can not be split"
    if not all(isinstance(v, (tuple, list)) and all(isinstance(n, int) for n in v) for v in (begin, end, strides)):
        return None
    axis, strategy, shape = 0, case.strategies[0], case.shapes[0]
    for place, (first, last, step) in enumerate(zip(begin, end, strides)):
        if _bit(masks["new_axis"], place):
            continue
        if axis >= len(shape):
            return None
        first = 0 if _bit(masks["begin"], place) and step > 0 else first
        last = shape[axis] if _bit(masks["end"], place) and step > 0 else last
        if strategy[axis] != 1:
            if step != 1:
                return f"axis {axis} must stay whole, of which every {step}th element is taken"
            if not (first == 0 and last >= shape[axis]) and not case.keeps_parts:
                return f"axis {axis} must stay whole, of which [{first}:{last}] is taken"
            if _bit(masks["shrink_axis"], place):
                return f"axis {axis} must stay whole, of which one element is taken"
        axis += 1
    return None


def _piece(case):
    """Slice: an axis of which not all is taken stays whole."""
    begin, size = case.setting("begin"), case.setting("size")
    if not all(isinstance(v, (tuple, list)) and all(isinstance(n, int) for n in v) for v in (begin, size)):
        return None
    for axis, (first, count, length) in enumerate(zip(begin, size, case.shapes[0])):
        if (first != 0 or count not in (-1, length)) and case.strategies[0][axis] != 1:
            return f"axis {axis} must stay whole, of which {count} elements are taken from {first} on"
    return None


def _padded(case):
    """PadV3: padded axes stay whole. The numbers of padding are in pairs, from the last axis on."""
    widths = case.setting("paddings")
    widths = widths if isinstance(widths, (tuple, list)) else ()
    rank = len(case.shapes[0])
    for number in range(len(widths) // 2):
        if any(widths[2 * number : 2 * number + 2]) and case.strategies[0][rank - 1 - number] != 1:
            return f"axis {rank - 1 - number} must stay whole, which is padded"
    return None


# --- places
def _rows(first_whole):
    """(Tensor, indices, updates): the indices are whole, the updates split as the rows that they go to.

    first_whole: whether the first axis, which is indexed, must stay whole.
    """

    def rule(case):
        if len(case.strategies) < 3:
            return None
        into, indices, updates = case.strategies[:3]
        if first_whole and into[0] != 1:
            return "the first axis must stay whole"
        if _split(indices):
            return "the indices must stay whole"
        if any(n != 1 for n in updates[: len(indices)]) or updates[len(indices) :] != into[1:]:
            return "the updates must be split as the rows that they go to, and in no other way"
        return None

    return rule


def _points(indexed_whole):
    """(Tensor, indices of several axes, updates); as `_rows`."""

    def rule(case):
        if len(case.strategies) < 3:
            return None
        into, indices, updates = case.strategies[:3]
        depth = case.shapes[1][-1]
        if indexed_whole and _split(into[:depth]):
            return "the axes that are indexed must stay whole"
        if _split(indices):
            return "the indices must stay whole"
        lead = len(indices) - 1
        if _split(updates[:lead]) or updates[lead:] != into[depth:]:
            return "the updates must be split as what they go to, and in no other way"
        return None

    return rule


def _along(case):
    """GatherD: the indices are whole along the axis, and split as the input along the others."""
    axis = next(iter(case.axes("dim", "axis", otherwise=0)), None)
    given, indices = case.strategies[:2]
    if axis is None or len(given) != len(indices):
        return None
    if indices[axis] != 1:
        return f"the indices must stay whole along axis {axis}"
    if any(a != b for i, (a, b) in enumerate(zip(given, indices)) if i != axis):
        return "input and indices must be split alike along the other axes"
    return None


def _segments(case):
    """Segments: their numbers are split as the first axes of the input."""
    given, numbers = case.strategies[:2]
    return None if given[: len(numbers)] == numbers else "the numbers of the segments must be split as the input"


def _boxes(case):
    """CropAndResize: boxes and their images are split alike, images and coordinates stay whole."""
    images, boxes, numbers = case.strategies[:3]
    if _split(images[1:3]) or boxes[1] != 1:
        return "height, width and the axis of the coordinates must stay whole"
    return None if boxes[0] == numbers[0] else "the boxes and the numbers of their images must be split alike"


def _one_hot(case):
    """OneHot of several axes: the first may be split."""
    if len(case.shapes[0]) <= 2:  # that of the result
        return None
    if getattr(case.primitive, "axis", -1) != -1 or _split(case.strategies[0][1:]):
        return "with indices of several axes the classes must come last, and only the first axis may be split"
    return None


def _batch_alone(case):
    """Operators that MindSpore divides by the batch: one axis an input, over all devices."""
    for strategy in case.strategies:
        axes = _split(strategy)
        if len(axes) > 1 or axes and case.count and strategy[axes[0]] != case.count:
            return "one axis of each input may be split, over all devices"
    return None


def _accidental(case):
    """UniformCandidateSampler: whole where accidental hits are removed."""
    return "it must stay whole" if case.setting("remove_accidental_hits") and _split(case.strategies[0]) else None


def _repeated(case):
    """Repetitions by a Tensor: the axis stays whole, and the Tensor."""
    return (_all_of(_whole(_dim("dim", "axis")), _none_of(1)) if len(case.shapes) > 1 else _any)(case)


# --- where strategies are of the result
OF_RESULT = ("OneHot", "OneHotExt")  # operators whose first strategy is one of their result


def of_result(primitive: Any, shapes: Sequence, args: Any):
    """Shapes as strategies see them: those of OneHot and Tile are of their results."""
    if primitive.name not in (*OF_RESULT, "Tile") or not shapes:
        return shapes
    if primitive.name == "Tile":
        times = next((a for a in args if isinstance(a, (tuple, list)) and all(isinstance(n, int) for n in a)), None)
        if times is None:
            return shapes
        shape = (1,) * (len(times) - len(shapes[0])) + tuple(shapes[0])
        times = (1,) * (len(shape) - len(times)) + tuple(times)
        return [tuple(t if t > 1 else n for t, n in zip(times, shape)), *shapes[1:]]
    depth = next((value for value in args[1:] if isinstance(value, int)), None)
    if depth is None:
        return shapes
    axis = getattr(primitive, "axis", -1)
    axis = len(shapes[0]) if axis == -1 else axis
    return [(*shapes[0][:axis], depth, *shapes[0][axis:]), *shapes[1:]]


def of_out(case: Case, strategy: Sequence):
    """A text that says what is wrong with the strategy of a result; None if it is right. Products may scatter their sum over the rows."""
    if case.primitive.name not in ("MatMul", "BatchMatMul") or len(strategy) != 1:
        return None
    left, right = case.strategies[:2]
    if len(left) != 2 or len(right) != 2:
        return "the strategy of its result can be set for matrices only"
    left = left[::-1] if getattr(case.primitive, "transpose_a", False) else left
    right = right[::-1] if getattr(case.primitive, "transpose_b", False) else right
    rows, columns = strategy[0]
    if columns != right[1] or rows not in (left[0], math.prod(left)):
        return (
            f"the result is split into {(left[0], right[1])} or {(math.prod(left), right[1])} parts, not {strategy[0]}"
        )
    return None


_BINARY = """Add Sub Mul Div RealDiv FloorDiv DivNoNan Pow Maximum Minimum Greater GreaterEqual Less LessEqual Equal NotEqual
ApproximateEqual LogicalAnd LogicalOr BitwiseAnd BitwiseOr BitwiseXor Mod FloorMod SquaredDifference Xdivy Xlogy Atan2 TensorAdd MulNoNan
TruncateDiv TruncateMod Hypot Polar IsClose RemainderTensorTensor AssignAdd AssignSub Assign Lerp MaskedFill Igamma Igammac LeftShift
RightShift NextAfter Zeta Gcd AddExt SubExt DivMod AddcmulExt FmodTensor InplaceCopy""".split()
_UNARY = """ReLU ReLU6 SiLU GeLU FastGeLU Tanh Elu EluExt LeakyReLUExt Identity Softsign Softplus SoftplusExt Cast Sqrt Neg Square Sigmoid HShrink
HSigmoid HSwish IsFinite Mish Rint SeLU SoftShrink Erfinv NanToNum Invert PopulationCount Exp Log Cos ACos LogicalNot Abs Sign Floor Round
Reciprocal Inv Rsqrt Tan Sin Sinh Log1p Expm1 Cosh Ceil Atanh Atan Asin Asinh Acosh Erf Erfc ZerosLike OnesLike BesselI0 BesselI0e BesselI1
BesselI1e BesselJ0 BesselJ1 Lgamma Trunc RemainderTensorScalar RemainderScalarTensor FmodScalar Muls""".split()
# operators that take Layouts without being told `self_define_shard`, besides those of one input
TAKE_LAYOUTS = (
    *_BINARY,
    *_UNARY,
    *"""AddN AccumulateNV2 SigmoidCrossEntropyWithLogits Stack MatMul BatchMatMul MatMulExt BatchMatMulExt Softmax LogSoftmax CumSum
    CumProd Cummax Cummin CumsumExt Split SplitV SplitWithSize SplitTensor Sort SortExt ReverseV2 Swiglu Cholesky TopK
    SoftmaxCrossEntropyWithLogits SumExt MeanExt ProdExt RepeatInterleaveInt ArgMaxWithValue ArgMinWithValue RmsNorm BiasAdd Concat
    LayerNorm Cdist RotaryPositionEmbedding Tile Transpose""".split(),
)
RULES: dict[str, Callable[[Case], str | None]] = {
    **dict.fromkeys(_BINARY, elementwise),
    **dict.fromkeys(_UNARY, unary),
    **dict.fromkeys(
        ("AddN", "AccumulateNV2", "SigmoidCrossEntropyWithLogits", "Stack", "StackExt", "Select", "Betainc", "KLDivLoss"), _alike
    ),
    **dict.fromkeys(("MatMul", "BatchMatMul"), product),
    "TensorDot": _tensor_product,
    **dict.fromkeys(("Softmax", "LogSoftmax", "CumSum", "CumProd", "Cummax", "Cummin", "Sort", "ReverseV2"), _whole(_axis)),
    **dict.fromkeys(("SortExt", "CumsumExt", "TopkExt", "Swiglu", "SliceExt"), _whole(_dim("dim", "axis"))),
    **dict.fromkeys(("Split",), _unless_parts_stay(_whole(_axis))),
    **dict.fromkeys(("SplitTensor", "SplitWithSize"), _unless_parts_stay(_whole(_dim("dim", "axis", otherwise=0)))),
    "SplitV": _unless_parts_stay(_whole(_dim("split_dim"))),
    "Concat": lambda case: _alike(case) or _unless_parts_stay(_whole(_axis))(case),
    "StridedSlice": _strided,
    "Slice": _piece,
    "PadV3": _padded,
    **dict.fromkeys(("Conv2D", "Conv3D", "Conv2DTranspose", "Conv3DTranspose"), _convolution),
    **dict.fromkeys(("MaxPool", "AvgPool", "MaxPool3D", "AvgPool3D"), _pool),
    "TopK": _always(-1),
    "Cholesky": _always(-1, -2),
    "L2Normalize": _whole(_dim("axis")),
    "SoftmaxCrossEntropyWithLogits": _all_of(_alike, _always(-1)),
    **dict.fromkeys(("DCT", "IDCT", "DCTN", "IDCTN"), _whole(_transformed)),
    **dict.fromkeys(("ResizeNearestNeighbor", "ResizeBilinear", "ResizeBilinearV2"), _resized),
    **dict.fromkeys(("SumExt", "MeanExt", "ProdExt", "RepeatInterleaveInt", "ArgMaxWithValue", "ArgMinWithValue"), _any),
    **dict.fromkeys(("RepeatInterleave", "RepeatInterleaveTensor"), _repeated),
    "Cdist": _distances,
    "RmsNorm": _last_norm,
    "RotaryPositionEmbedding": _rotary,
    "BiasAdd": _bias,
    "BatchNorm": _channels,
    "PReLU": _slopes,
    "LayerNorm": _norm,
    "GroupNorm": _batches_alone,
    **dict.fromkeys(("ScatterUpdate", "ScatterMax", "ScatterMin"), _rows(True)),
    **dict.fromkeys(("ScatterAdd", "ScatterSub", "ScatterMul", "ScatterDiv"), _rows(False)),
    **dict.fromkeys(("ScatterNdUpdate", "TensorScatterUpdate", "TensorScatterMax", "TensorScatterMin"), _points(True)),
    **dict.fromkeys(("ScatterNdAdd", "ScatterNdSub", "TensorScatterAdd", "TensorScatterSub"), _points(False)),
    **dict.fromkeys(("TensorScatterMul", "TensorScatterDiv"), _points(False)),
    **dict.fromkeys(("InplaceAdd", "InplaceSub", "InplaceUpdate"), _all_of(_always(0), _alike)),
    "GatherD": _along,
    "GatherNd": _all_of(_none_of(0), _always(-1, which=1)),
    **dict.fromkeys([f"UnsortedSegment{what}" for what in ("Sum", "Min", "Max", "Prod")], _segments),
    "CropAndResize": _boxes,
    "ROIAlign": _all_of(_always(2, 3), _always(1, which=1)),
    "IOU": _all_of(_always(1), _always(1, which=1)),
    "BoundingBoxEncode": _all_of(_alike, _always(1)),
    "CheckValid": _all_of(_always(1), _always(0, which=1)),
    **dict.fromkeys(("OneHot", "OneHotExt"), _one_hot),
    **dict.fromkeys(("Unique", "RandomChoiceWithMask"), _none_of(0)),
    "MoeGatingTopKSoftmax": lambda case: "nothing may be split" if any(map(_split, case.strategies)) else None,
    "UniformCandidateSampler": _accidental,
    "SparseSoftmaxCrossEntropyWithLogits": _batch_alone,
}  # fmt: skip
