"""Whether a strategy fits what it is given for: into as many parts as an axis can be split, over as many devices as there are.

MindSpore finds this out when it compiles in SEMI_AUTO_PARALLEL or AUTO_PARALLEL, and raises RuntimeError. For the number of devices
`device_num` counts where no others are there, so that a script for eight of them is checked on one.
"""

import math

from ..core.settings.parallel_context import ParallelMode, get
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor


def check(primitive, args, devices=None):
    """RuntimeError if the strategies of a Primitive do not fit these arguments.

    devices: how many there are; None where `set_auto_parallel_context(device_num=)` says so, or nothing does.
    """
    strategies = primitive.in_strategy
    if get("parallel_mode") not in (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL) or not strategies:
        return
    count = devices or (get("device_num") // get("pipeline_stages") if get("device_num") > 1 else None)
    tensors = [value for value in _flat(args) if isinstance(value, Tensor)]
    shapes = [tensor.shape for tensor in tensors]
    if any(-1 in shape for shape in shapes):
        return
    # where batches come in parts and the other processes are not there, shapes that follow from them are not known
    known = [devices is not None or get("full_batch") or isinstance(tensor, Parameter) for tensor in tensors]
    if all(hasattr(s, "to_dict") for s in strategies):
        _layouts(primitive.name, strategies, shapes, known, count)
        return
    if not all(isinstance(s, tuple) and all(isinstance(n, int) for n in s) for s in strategies):
        return  # parts within parts: of an operator that knows them
    rule = _RULES.get(primitive.name)
    if rule is None and len(strategies) != len(shapes):
        return  # of an operator whose strategy is not one of its inputs
    if len([s for s in strategies if s]) > len(shapes) or len(strategies) < len(shapes):
        _wrong(primitive.name, strategies, f"there are {len(shapes)} Tensors, of the shapes {shapes}")
    for strategy, shape, sure in zip(strategies, shapes, known):
        _one(primitive.name, strategies, strategy, shape, sure, count)
    if rule is not None:
        said = rule(primitive, strategies, shapes, args)
        if said:
            _wrong(primitive.name, strategies, said)


def _wrong(name, strategies, said):
    raise RuntimeError(f"For '{name}', the strategy {strategies} is wrong: {said}.")


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
    for layout, shape, sure in zip(layouts, shapes, known):
        told = layout.to_dict()
        matrix, places = told["device_matrix"], told["tensor_map"]
        if len(places) != len(shape):
            _wrong(name, f"tensor_map={places}", f"it has {len(places)} axes for a Tensor of the shape {shape}")
        if count and count % math.prod(matrix):
            _wrong(name, f"device_matrix={matrix}", f"{count} devices can not be divided so")
        for place, length in zip(places, shape):
            axes = place if isinstance(place, tuple) else (place,)
            parts = math.prod(matrix[len(matrix) - 1 - axis] for axis in axes if axis != -1)
            if sure and length % parts:
                _wrong(name, f"tensor_map={places}", f"an axis of {length} can not be split into {parts} parts")


def check_parameter(name, shape, strategy):
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
    if k != other:
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


def _concat(primitive, strategies, shapes, args):
    return _alike(primitive, strategies, shapes, args) or _whole(_axis)(primitive, strategies, shapes, args)


_BINARY = """Add Sub Mul Div RealDiv FloorDiv DivNoNan Pow Maximum Minimum Greater GreaterEqual Less LessEqual Equal NotEqual
ApproximateEqual LogicalAnd LogicalOr BitwiseAnd BitwiseOr BitwiseXor Mod FloorMod SquaredDifference Xdivy Xlogy Atan2 TensorAdd MulNoNan
TruncateDiv TruncateMod Hypot Polar IsClose RemainderTensorTensor AssignAdd AssignSub Assign Lerp""".split()
_RULES = {
    **dict.fromkeys(_BINARY, _elementwise),
    **dict.fromkeys(("AddN", "AccumulateNV2", "SigmoidCrossEntropyWithLogits", "Stack"), _alike),
    **dict.fromkeys(("MatMul", "BatchMatMul"), _product),
    **dict.fromkeys(("Softmax", "LogSoftmax", "CumSum", "CumProd", "Split", "Sort", "ReverseV2", "ArgMaxWithValue", "ArgMinWithValue"), _whole(_axis)),
    "TopK": _whole(lambda primitive, shapes, args: (-1,)),
    "SoftmaxCrossEntropyWithLogits": lambda *given: _alike(*given) or _whole(lambda *_: (-1,))(*given),
    "BiasAdd": _bias,
    "Concat": _concat,
    "LayerNorm": _norm,
}  # fmt: skip
