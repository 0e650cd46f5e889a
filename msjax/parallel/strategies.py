"""Whether a strategy fits its operator: each axis divides into its parts, and there are devices for all parts.

MindSpore finds this out when it compiles in SEMI_AUTO_PARALLEL or AUTO_PARALLEL, and raises RuntimeError. For the number of devices
`device_num` counts where no others are there, so that a script for eight of them is checked on one.
"""

import math
from collections.abc import Sequence
from typing import Any

from ..core.settings.execution_state import here
from ..core.settings.parallel_context import ParallelMode, get
from ..core.trace.frame import current
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor
from .device_axes import LOOKUPS, PRODUCTS, UNLIKE
from .strategy_rules import OF_RESULT, RULES, TAKE_LAYOUTS, Case, elementwise, of_out, of_result, product, unary


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
        if primitive.attrs.get("self_define_shard") is False and primitive.name not in TAKE_LAYOUTS:
            _wrong(primitive.name, "of Layouts", "this operator takes Layouts only where 'self_define_shard' is True")
        _layouts(primitive.name, strategies, shapes, known, count)
        if RULES.get(primitive.name) is elementwise and primitive.attrs.get("self_define_shard") is not True:
            _meeting_layouts(primitive, strategies, shapes)
        return
    if not all(isinstance(s, tuple) and all(isinstance(n, int) for n in s) for s in strategies):
        return  # parts within parts: of an operator that knows them
    if primitive.name == "Reshape":  # takes its layout from its neighbours, whatever it is told
        return
    rule = RULES.get(primitive.name)
    if rule is None and len(strategies) != len(shapes):
        return  # of an operator whose strategy is not one of its inputs
    if len([s for s in strategies if s]) > len(shapes) or len(strategies) < len(shapes):
        _wrong(primitive.name, strategies, f"there are {len(shapes)} Tensors, of the shapes {shapes}")
    shapes = of_result(primitive, shapes, args)
    for strategy, shape, sure in zip(strategies, shapes, known):
        _one(primitive.name, strategies, strategy, shape, sure, count)
    case = Case(primitive, strategies, shapes, args, count)
    said = (rule(case) if rule is not None else None) or _out(case)
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


_WITH_OUT = (*PRODUCTS, *LOOKUPS, "IndexSelect", "DynamicQuantExt", "QuantBatchMatmul", "WeightQuantBatchMatmul")


def _out(case):
    """What is wrong with the strategy of the result: most operators take none, for it follows from those of the inputs."""
    told = case.primitive.out_strategy
    if not told or not all(isinstance(s, tuple) for s in told):
        return None
    if case.primitive.name not in _WITH_OUT and not case.primitive.attrs.get("self_define_shard"):
        return f"no strategy of its result can be set, but got {told}"
    return of_out(case, told)


def _wrong(name, strategies, said):
    raise RuntimeError(
        f"For '{name}', the strategy {strategies} is wrong: {said}. (Failure: operator {name} init failed)"
    )


def _places(primitive, strategies, number, rule, count):
    """Over which axes of the devices a Tensor is split: [(its axis, parts)], None for the axis where parts repeat; None if that is not known.

    Those of a product are the rows, the sum and the columns, with repetitions behind them: as MindSpore numbers devices.
    """
    own = strategies[number]
    if rule is product and len(strategies) == 2 and all(len(s) == 2 for s in strategies):
        other = strategies[1 - number]
        swapped = getattr(primitive, ("transpose_a", "transpose_b")[number], False)
        other_swapped = getattr(primitive, ("transpose_b", "transpose_a")[number], False)
        pairs = [(0, own[0]), (1, own[1])]
        pairs = pairs[::-1] if swapped else pairs
        free = None, other[::-1][number] if other_swapped else other[1 - number]
        places = [*pairs, free] if number == 0 else [free, *pairs]
    elif rule in (elementwise, unary, None):
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
