"""How Tensors and Parameters lie on the devices of a global view: strategies and Layouts as shardings on one mesh, and sharded state.

A global view is one program over all devices: those of this process (`set_devices`), or, in the modes SEMI_AUTO_PARALLEL and
AUTO_PARALLEL, those of all processes. A strategy says into how many parts each axis is split. It becomes a constraint on the traced
value, and XLA's partitioner derives all other layouts from those that are given, and inserts the communication. Without a global
view, and in eager code, nothing is placed.
"""

import contextlib
import functools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jax.sharding import AbstractMesh, AxisType, Mesh, NamedSharding, PartitionSpec

from .. import log
from ..core.above import above
from ..core.compat import Tracer
from ..core.host import wide
from ..core.operators import layouts
from ..core.operators.record import op, records
from ..core.operators.views import changed
from ..core.settings.context import get_auto_parallel_context
from ..core.settings.execution_state import here, within
from ..core.settings.parallel_context import GLOBAL_MODES
from ..core.spec import Array
from ..core.trace.frame import current
from ..core.values.deferred import SHAPES, Deferred, of_array
from ..core.values.ownership import keep, owns, put
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor, wrap
from ..core.values.tensor_trees import tensor_leaves
from . import by_parts, device_axes, devices, gradient_layout, origins, pipeline, shares, strategies
from .layout import Layout
from .places import mesh_of_all, mesh_of_devices
from .processes import world

if TYPE_CHECKING:
    from ..core.operators.primitive import Primitive


def everything():
    """The mesh (of one axis) of all devices of the global view; None if there is none, or it has one device only.

    In a pipeline over processes each has one device, since messages between stages go from process to process.
    """
    strategic = get_auto_parallel_context("parallel_mode") in GLOBAL_MODES
    if world().size > 1:
        return (mesh_of_all() if pipeline.count() > 1 else mesh_of_devices()) if strategic else None
    return devices.local_mesh(get_auto_parallel_context("device_num") if strategic else 1)


def pipelined():
    """Whether programs are pipelines of several stages."""
    return pipeline.count() > 1 and get_auto_parallel_context("parallel_mode") in GLOBAL_MODES


def view():
    """The mesh over which Tensors are laid out: all devices of the global view, or those of a stage (of any: an AbstractMesh)."""
    mesh = everything()
    return pipeline.mesh_of(mesh, 0, pipeline.count()).abstract_mesh if mesh is not None and pipelined() else mesh


@functools.lru_cache(maxsize=256)
def _grid(mesh, matrix):
    """The devices of a mesh as a grid; devices beyond the matrix repeat the others' work.

    Repetitions are neighbours, as MindSpore has them: so (2, 1) and (2, 2) of four devices cut the first axis alike.
    """
    count, needed = mesh.size, math.prod(matrix)
    if needed > count or count % needed:
        raise ValueError(
            f"the strategy splits over {matrix}, {needed} devices, but the {count} devices there are can not be divided so."
        )
    names, shape = (*(f"axis{i}" for i in range(len(matrix))), "repeat"), (*matrix, count // needed)
    axis_types = (AxisType.Auto,) * len(names)  # what AbstractMesh takes by itself depends on JAX's version
    if isinstance(mesh, AbstractMesh):
        return AbstractMesh(shape, names, axis_types=axis_types)
    return Mesh(mesh.devices.reshape(shape), names, axis_types=axis_types)


def on_grid(mesh: Any, matrix: Any, axes: Sequence[int]):
    """NamedSharding over the devices of a mesh as a grid; see `_sharding`."""
    return _sharding(matrix, axes, mesh)


def _sharding(matrix, axes, mesh=None):
    """NamedSharding of a Tensor: `axes` has for each axis of it the axes of the device matrix over which it is split."""
    mesh = mesh or view()
    spec = [tuple(f"axis{a}" for a in places if matrix[a] > 1) or None for places in axes]
    return NamedSharding(_grid(mesh, tuple(matrix)), PartitionSpec(*spec))


def of_layout(layout: Any, mesh: Any = None):
    """The sharding that a Layout (called with the axes of a Tensor) describes."""
    told = layout.to_dict()
    matrix, axes = told["device_matrix"], []
    for place in told["tensor_map"]:
        places = place if isinstance(place, tuple) else (place,)
        axes.append(tuple(len(matrix) - 1 - p for p in places if p != -1))
    if told["interleaved_parallel"]:  # parts of a device, one after the other: not of the devices
        matrix = (*matrix[:-1], 1)
    return _sharding(matrix, axes, mesh)


def of_strategy(strategy: Any, mesh: Any = None):
    """The sharding of one Tensor that is split into `strategy[i]` parts along axis i."""
    return _sharding(tuple(strategy), [(i,) for i in range(len(strategy))], mesh)


def of_inputs(name: str, wanted: Any, transposed: tuple = (False, False), mesh: Any = None):
    """The shardings of the inputs of an operator: axes that belong together are split over the same axis of the devices."""
    if all(isinstance(s, Layout) for s in wanted):
        return [of_layout(s, mesh) for s in wanted]
    wanted = [tuple(s) for s in wanted]
    if mesh is not None:
        return [of_strategy(s, mesh) for s in wanted]
    matrix, places = device_axes.of(name, wanted, transposed, view().size)
    return [of_strategy(s) if p is None else _sharding(matrix, p) for s, p in zip(wanted, places)]


@op(ops=False, name="with_sharding")
def _with_sharding(x: Array, sharding: Any):
    return jax.lax.with_sharding_constraint(x, sharding)


def constrain(tensor: Tensor, sharding: Any):
    """The Tensor with a sharding, in a program that is being traced; elsewhere the Tensor as it is. A Parameter keeps the sharding."""
    if here().bound_groups is not None or current() is None or view() is None:
        return tensor
    if not isinstance(tensor, Tensor) or not _fits(tensor.shape, sharding):
        return tensor
    if isinstance(tensor, Parameter) and PartitionSpec.UNCONSTRAINED not in sharding.spec:
        lay(tensor, sharding)
    return records["with_sharding"](tensor, sharding)


def _fits(shape, sharding):
    spec = PartitionSpec(*[None if names is PartitionSpec.UNCONSTRAINED else names for names in sharding.spec])
    try:
        NamedSharding(sharding.mesh, spec).shard_shape(tuple(shape))
    except ValueError:  # an axis that can not be split evenly: it stays whole
        return False
    return True


# --- Primitives, functions and Cells with a strategy
def is_strategy(value: Any):
    return isinstance(value, Layout) or (isinstance(value, tuple) and all(isinstance(v, int) for v in value))


def constrained(tensors: Sequence[Tensor], shardings: Any):
    """Place the Tensors among arguments or results, in order; `None` in the place of a sharding leaves one as it is."""
    left = iter(shardings)

    def one(value):
        if isinstance(value, Tensor):
            sharding = next(left, None)
            return value if sharding is None else constrain(value, sharding)
        return type(value)(one(v) for v in value) if type(value) in (tuple, list) else value

    if isinstance(tensors, Tensor):
        return one(tensors)
    return type(tensors)(one(v) for v in tensors) if isinstance(tensors, (tuple, list)) else tensors


def call_laid(call: Callable, args: Sequence, shardings: Any):
    """`call(*args)` with the Tensors among its arguments laid out by shardings.

    The call gets other Tensors for them, with the same content: what it writes to one is written to the Tensor (or Parameter) that was given.
    """
    laid = constrained(tuple(args), shardings)
    pairs = zip(tensor_leaves(tuple(args)), tensor_leaves(laid))
    instead = {id(one): (one, given, one.jax_array) for given, one in pairs if one is not given}
    out = call(*laid)
    for one, given, before in instead.values():
        if one.jax_array is not before:
            given._assign(one.jax_array)
            changed(given)
    given = instead.get(id(out), (None, None))[1]
    return out if given is None or given._through_frames else given


# What MindSpore computes while it compiles, where all Tensors are constants; strategies are then not looked at.
_FOLDED = frozenset(
    "Arange BroadcastTo Cast Concat Div GatherD ReduceAll ReduceAny ReduceMax ReduceMean ReduceMin ReduceSum Reshape Softmax Tile".split()
)
# Operators that MindSpore computes with whole axes. XLA needs them not to be whole: logits stay split as the product that made them.
_ALONG_AN_AXIS = ("Softmax", "LogSoftmax", "SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits")


def _loose(sharding):
    """A sharding that leaves it to XLA how axes lie that are not split."""
    free = PartitionSpec.UNCONSTRAINED
    return NamedSharding(sharding.mesh, PartitionSpec(*[names or free for names in sharding.spec]))


def call_primitive(primitive: "Primitive", call: Any, args: Any):
    """A call of a Primitive that has strategies (`Primitive.shard`); RuntimeError in a traced program if they do not fit."""
    if current() is None or here().bound_groups is not None:  # within a function of parts each device has its own
        return call(*args)
    if primitive.name in _FOLDED and not any(
        isinstance(box, Parameter) or isinstance(box.jax_array, Tracer) for box in tensor_leaves(args)
    ):
        return call(*args)
    out = _call_placed(primitive, call, args)
    shares.note(primitive, args, out)
    return out


def _call_placed(primitive, call, args):
    mesh = view()
    if not here().own_backward:  # as MindSpore: it does not look at them
        strategies.check(primitive, args, None if mesh is None else mesh.size)
    if mesh is None:
        return constrain_out(call(*args), primitive.out_strategy)
    if not primitive.in_strategy:
        return constrain_out(call(*args), primitive.out_strategy)
    transposed = (getattr(primitive, "transpose_a", False), getattr(primitive, "transpose_b", False))
    wanted = strategies.told(primitive.in_strategy)
    if all(isinstance(s, Layout) for s in wanted):
        wanted = strategies.of_tensors(wanted, args)
    lies = of_inputs(primitive.name, wanted, transposed)
    if primitive.name in strategies.OF_RESULT and not isinstance(
        primitive.in_strategy[0], Layout
    ):  # of what comes out; the indices lie like that, without the axis of classes
        axis = getattr(primitive, "axis", -1) % len(primitive.in_strategy[0])
        spec = [names for i, names in enumerate(lies[0].spec) if i != axis]
        return constrain(call_laid(call, args, [NamedSharding(lies[0].mesh, PartitionSpec(*spec))]), lies[0])
    if primitive.name == "Tile":
        return constrain(call(*args), lies[0])
    if primitive.name in _ALONG_AN_AXIS:
        lies = [_loose(sharding) for sharding in lies]
    if by_parts.takes(primitive):
        args = constrained(tuple(args), lies)
        return constrain_out(
            by_parts.run(call, args, primitive.in_strategy, primitive.out_strategy, mesh), primitive.out_strategy
        )
    keys = lies[:1] if primitive.attrs.get("enable_ring_attention") else lies[1:2]
    with within(parts=lies[0] if lies else None, keys=keys[0] if keys else None):
        out = call_laid(call, args, lies)
    if primitive.out_strategy:
        return constrain_out(out, primitive.out_strategy)
    columns = _of_columns(primitive.name, lies, transposed, getattr(out, "ndim", 0))
    return out if columns is None else constrain(out, columns)


def _of_columns(name, lies, transposed, rank):
    """Where the result of a product or convolution lies whose weight has its columns, or output channels, in parts: in such parts, too, as in
    MindSpore.

    Without it the next operator's wish for a whole input reaches the product, and XLA gathers the weight on each device to compute it whole.
    None where they are whole, where the result would have one axis of devices twice, and for other operators.
    """
    if len(lies) < 2 or lies[0].mesh != lies[1].mesh or min(len(one.spec) for one in lies[:2]) < 2:
        return None
    left, right = (tuple(one.spec) for one in lies[:2])
    if name in device_axes.PRODUCTS:
        row, columns = left[-1 if transposed[0] else -2], right[-2 if transposed[1] else -1]
        spec = (*max(left[:-2], right[:-2], key=len), row, columns)
    elif name in device_axes.CONVOLUTIONS:
        columns = right[1 if "Transpose" in name else 0]
        # Conv1d's image has a height of 1, which its result has not
        spec = (left[0], columns, *left[len(left) - rank + 2 :])
    else:
        return None
    used = [axis for names in spec if names for axis in ((names,) if isinstance(names, str) else names)]
    if not columns or len(used) != len(set(used)) or len(spec) != rank:
        return None
    return _loose(NamedSharding(lies[0].mesh, PartitionSpec(*spec)))


def constrain_out(out: Any, strategy: Any):
    """Results with an out_strategy: a tuple with a strategy or Layout for each."""
    wanted = (strategy,) if is_strategy(strategy) else strategy or ()
    if isinstance(out, tuple) and 1 < len(wanted) != len(out) and current() is not None:
        raise RuntimeError(
            f"There are {len(wanted)} strategies (or Layouts) for {len(out)} results: give one for each of them, or none."
        )
    if not wanted or current() is None or view() is None:
        return out
    return constrained(out, [None if s is None else of_inputs("", (s,))[0] for s in wanted])


def placed(name: str, tensors: Sequence[Tensor], told: Any, transposed: tuple = (False, False)):
    """The inputs of an operator, laid out by its strategies, in the modes that have them."""
    if not told or not _strategic():
        return tensors
    return constrained(tuple(tensors), of_inputs(name, told, transposed))


def over(tensor: Tensor, grid: Any, *axes):
    """The Tensor, split over a grid of devices {name: parts}: for each axis a name, a tuple of names, or None."""
    if math.prod(grid.values()) == 1 or not _strategic():
        return tensor
    return constrain(tensor, _over(grid, axes))


def dividing(grid: Any, *axes):
    """A `with` block in which attention is divided over a grid of devices as `over` would split its query."""
    if math.prod(grid.values()) == 1 or not _strategic():
        return contextlib.nullcontext()
    return within(parts=_over(grid, axes))


def _over(grid, axes):
    names = list(grid)
    places = [(a,) if isinstance(a, str) else a or () for a in axes]
    return _sharding(tuple(grid.values()), [tuple(names.index(n) for n in p) for p in places])


def traced_devices():
    """Over how many devices the program that is being traced is laid out."""
    mesh = view() if current() is not None else None
    return 1 if mesh is None else mesh.size


def traced_grid(matrix: Any):
    """Their mesh as a grid; see `_grid`."""
    return _grid(view(), tuple(matrix))


def _strategic():
    return current() is not None and get_auto_parallel_context("parallel_mode") in GLOBAL_MODES and view() is not None


def relay(tensor: Tensor, where: Any):
    """The Tensor, laid out by a Layout or strategy."""
    return constrain(tensor, of_inputs("", (where,))[0]) if view() is not None else tensor


# --- state
def born_in_parts():
    """Whether Parameters wait with their content until it is known where each part of it is to lie."""
    devices.get_devices()  # if fewer are there than `--devices` says, that is told before a network is built
    return get_auto_parallel_context("parallel_mode") in GLOBAL_MODES and everything() is not None


def lay(parameter: Any, sharding: Any):
    """From the next start of a program on, the Parameter lies so."""
    parameter.__dict__["_sharding"] = sharding


def lay_by_plan(net: Any, plan: Any):
    """Lay Parameters by a dict from name (`self.` before it is left out) to strategy or Layout; one that the net does not have is told.

    Raises:
        ValueError: a strategy that does not fit the Parameter.
    """
    boxes = {p.name: p for p in net.get_parameters()}
    for name, strategy in plan.items():
        box = boxes.get(name.replace("self.", ""))
        if box is None:
            log.warning(f"{name} is not exist, ignored its setting.")
            continue
        if isinstance(strategy, tuple):
            strategies.check_parameter(name, box.shape, strategy)
        if view() is not None:
            lay(box, of_inputs("", (strategy,))[0])


def lay_as_used(closed: Any, inputs: Any):
    """Lay Parameters as the operators with strategies use them that take them cast or transposed.

    Returns {number of an argument: sharding} of the arguments, which come after the state.
    """
    ranks, arguments = [len(aval.shape) for aval in closed.in_avals], {}
    for number, sharding in origins.wishes(closed, ranks).items():
        if number >= len(inputs):
            arguments[number - len(inputs)] = sharding
            continue
        own = inputs[number].__dict__
        if isinstance(inputs[number], Parameter) and ("_sharding" not in own or own.get("_laid_as_used")):
            lay(inputs[number], sharding)
            own["_laid_as_used"] = True
    return arguments


def spreads_sums():
    """Whether the sums of gradients over several parts of a batch, or steps, are divided over the devices that divide the batch."""
    told = get_auto_parallel_context("parallel_optimizer_config").get("gradient_accumulation_shard")
    return zero_level() > 1 or bool(zero_level() and told)


def wishes(mesh: Any, boxes: Any):
    """The wanted places of state on these devices, {id of a box: sharding}: explicit layouts, and those of
    `enable_parallel_optimizer`.
    """
    found = {}
    parameters = [b for b in boxes if isinstance(b, Parameter)]
    level, threshold = _zero()
    spread_sums = spreads_sums()
    weights = {b.name: b for b in parameters}
    for box in parameters:
        sharding, weight = box.__dict__.get("_sharding"), weights.get(box.name.partition(".")[2])
        sharding = above.kept_layout(box, mesh) if sharding is None else sharding
        large = level and _nbytes(box) >= threshold
        if weight is not None and weight.shape == box.shape and weight is not box:  # the state of an optimizer
            sharding = sharding or weight.__dict__.get("_sharding")
            accumulated = box.name.startswith(
                "accu_grads."
            )  # what MindSpore calls sums of gradients over several steps
            if large and box.parallel_optimizer and weight.parallel_optimizer and (spread_sums or not accumulated):
                sharding = spread(mesh, box.shape, sharding)
        elif level == 3 and large and box.requires_grad and box.parallel_optimizer and _is_trained(box, weights):
            sharding = spread(mesh, box.shape, sharding)
        if sharding is not None and _fits(box.shape, sharding):
            found[id(box)] = pipeline.concrete(sharding, mesh)
    return found


def settle(mesh: Any, boxes: Any):
    """Put state where it belongs before a program starts."""
    found = wishes(mesh, boxes)
    tell(mesh, boxes, found, 0)
    put_state(boxes, found)


def put_state(boxes: Any, found: Any):
    """Put state where it belongs: `found` says how some of it lies."""
    for box in boxes:
        sharding = found.get(id(box))
        if sharding is not None and box._raw.sharding != sharding:
            (keep if owns(box) else put)(box, _put(box._raw, sharding))
            lay(box, sharding)


def of_optimizers(inputs: Any, found: Any):
    """{number of an input: (sharding, number of its weight's parts)} of the optimizers' state that lies in more parts than its weight."""
    weights = {b.name: b for b in inputs if isinstance(b, Parameter)}
    numbers = {}
    for number, box in enumerate(inputs):
        weight = weights.get(box.name.partition(".")[2]) if isinstance(box, Parameter) else None
        if weight is not None and weight.shape == box.shape and id(box) in found:
            own = found.get(id(weight))
            parts = 1 if own is None else gradient_layout.number_of_parts(own)
            if gradient_layout.number_of_parts(found[id(box)]) > parts:
                numbers[number] = found[id(box)], parts
    return numbers


def tell(mesh: Any, boxes: Any, found: Any, stage: int):
    """Say how state lies: `found` has the shardings of some, the others are whole."""
    whole = NamedSharding(mesh, PartitionSpec())
    above.tell_layout([(b, found.get(id(b), whole)) for b in boxes if isinstance(b, Parameter)], stage)


def _is_trained(box, weights):
    return "_of_optimizer" in box.__dict__ or any(name.endswith(f".{box.name}") for name in weights)


def _nbytes(box):
    return box._raw.size * box._raw.dtype.itemsize


def _zero():
    """(ZeRO level or 0, bytes from which on a Parameter is sharded)"""
    if not get_auto_parallel_context("enable_parallel_optimizer"):
        return 0, 0
    config = get_auto_parallel_context("parallel_optimizer_config")
    return int(str(config.get("optimizer_level", "level1"))[-1]), config.get("parallel_optimizer_threshold", 64) * 1024


def zero_level():
    """The level of ZeRO (`enable_parallel_optimizer` and its config): 1, 2 or 3, or 0."""
    return _zero()[0]


def over_all(mesh: Any, shape: Sequence[int]):
    """A sharding over all devices, along the first axis that can be split evenly; None if there is none."""
    for axis, length in enumerate(shape):
        if length and length % mesh.size == 0:
            return NamedSharding(mesh, PartitionSpec(*[None] * axis, mesh.axis_names))
    return None


def spread(mesh: Any, shape: Sequence[int], sharding: Any = None):
    """A sharding split further over the devices that would hold copies: along the first unsplit axis, else along a split one.

    None, or the sharding itself, where no axis can be divided so.
    """
    if sharding is None:
        return over_all(mesh, shape)
    grid, spec = sharding.mesh.shape, [*sharding.spec, *[None] * (len(shape) - len(sharding.spec))]
    spec = [(names,) if isinstance(names, str) else tuple(names or ()) for names in spec]
    used = {name for names in spec for name in names}
    free = tuple(name for name, size in grid.items() if size > 1 and name not in used)
    while free:
        for axis in sorted(range(len(shape)), key=lambda axis: bool(spec[axis])):
            names = (*spec[axis], *free)
            if shape[axis] and shape[axis] % math.prod(grid[name] for name in names) == 0:
                spec[axis] = names
                return NamedSharding(sharding.mesh, PartitionSpec(*[names or None for names in spec]))
        free = free[:-1]
    return sharding


@wide
def _put(array, sharding):
    if here().contents is SHAPES:
        return (array if type(array) is Deferred else of_array(array)).lying(sharding)
    if isinstance(array, Deferred):
        return array.make(sharding)
    if not sharding.is_fully_addressable:
        whole = np.asarray(array) if array.is_fully_addressable else gathered(array)
        return jax.make_array_from_callback(whole.shape, sharding, lambda index: whole[index])
    return layouts.moved(array, sharding)


def gathered(array: jax.Array):
    """NumPy array of an array whose parts are on several processes; all of them must ask for it."""
    from jax.experimental import multihost_utils

    return np.asarray(multihost_utils.process_allgather(array, tiled=True))


@wide
def enter(args: Any, kwargs: dict):
    """Arguments of a compiled function in a global view of several processes: the parts of a batch as one array of the whole.

    With `full_batch` (or the dataset strategy "full_batch") each process has the whole already. A dataset strategy of tuples or
    Layouts says for each Tensor what part of it a process has.
    """
    told = get_auto_parallel_context("dataset_strategy")  # "full_batch" also where `full_batch` was set last
    if world().size == 1 or view() is None or told == "full_batch":
        return args, kwargs
    mesh = everything()
    if pipelined():  # each stage has the whole batch, in parts on its processes
        mesh = pipeline.mesh_of(mesh, pipeline.own_stage(), pipeline.count())
        if mesh.size == 1:
            return args, kwargs
    split = NamedSharding(mesh, PartitionSpec(mesh.axis_names))
    left = iter(() if isinstance(told, str) else told)

    def whole(value):
        if type(value) is Tensor and value.ndim and value.jax_array.is_fully_addressable:
            own = next(left, None)
            where = split if own is None else of_inputs("", (own,), mesh=mesh)[0]
            return wrap(jax.make_array_from_process_local_data(where, np.asarray(value.jax_array)))
        if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
            return type(value)(whole(v) for v in value)
        return value

    return tuple(whole(a) for a in args), {name: whole(a) for name, a in kwargs.items()}


def gather_remote(array: jax.Array):
    """As `gathered`, but without a collective for an array that this process has whole."""
    return np.asarray(array.addressable_data(0)) if array.is_fully_replicated else gathered(array)
