"""Parameters split over the devices that share the data (ZeRO): `fully_shard`, `hsdp`.

Each device keeps a part of every Parameter and of its optimizer's state, and XLA gathers a Parameter where it is used. One process computes
with the whole batch, so gradients are those of the whole batch, and they are never to be added up by hand.
"""

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from jax.sharding import NamedSharding, PartitionSpec

from ..core.values import dtype as mstype
from ..core.values.tensor import Tensor
from ..core.values.tensor_trees import map_tensors
from ..nn.cell.cell import Cell
from .dtensor import DTensor, place_parameter, sharding_of
from .mesh import init_device_mesh
from .placements import Replicate, Shard
from .platform import get_platform

if TYPE_CHECKING:
    from ..core.values.dtype import Type
    from ..core.values.parameter import Parameter
    from .mesh import DeviceMesh

__all__ = [
    "CPUOffloadPolicy",
    "HSDPCell",
    "HSDPModule",
    "MixedPrecisionPolicy",
    "OffloadPolicy",
    "fully_shard",
    "hsdp",
    "hsdp_sync_stream",
]


@dataclasses.dataclass(frozen=True)
class MixedPrecisionPolicy:
    """Dtypes of a sharded Cell: of Parameters in the forward, of inputs, of outputs; gradients have the Parameters' own."""

    param_dtype: Any = None
    reduce_dtype: Any = None
    output_dtype: Any = None
    cast_forward_inputs: bool = True
    apply_grad_on_fp32_main_grad: bool = False


@dataclasses.dataclass
class OffloadPolicy:
    """Parameters stay on the devices."""


@dataclasses.dataclass
class CPUOffloadPolicy(OffloadPolicy):
    """Parameters rest in the host's memory: refused, see `fully_shard`."""

    pin_memory: bool = True


class _UnshardHandle:
    """The result of `unshard(async_op=True)`; XLA gathers by itself."""

    def wait(self):
        """Nothing to wait for."""


class HSDPModule:
    """The methods that a Cell has after `fully_shard` or `hsdp`.

    Nothing is communicated by hand here: a gradient comes out added up, so switches of the communication are checked and recorded.
    """

    hsdp_settings = None

    def _sharded(self):
        return [cell for _, cell in self.cells_and_names() if isinstance(cell, HSDPModule)]

    def _record(self, name, value, kind=bool):
        if not isinstance(value, kind):
            raise ValueError(f"{name} must be {kind.__name__} but got {value}.")
        for cell in self._sharded():
            cell.hsdp_settings[name] = value

    def set_requires_gradient_sync(self, requires_grad_sync: bool):
        """Record whether gradients are added up over devices: they always are."""
        self._record("requires_grad_sync", requires_grad_sync)

    set_requires_grad_sync = set_requires_gradient_sync

    def set_requires_all_reduce(self, requires_all_reduce: bool, *, recurse: bool = True):
        """Record it."""
        self._record("requires_all_reduce", requires_all_reduce)

    def set_reshard_after_forward(self, reshard_after_forward: bool, recurse: bool = True):
        """Record it: XLA decides how long a gathered Parameter stays."""
        self._record("reshard_after_forward", reshard_after_forward)

    def set_reshard_after_backward(self, reshard_after_backward: bool, recurse: bool = True):
        """Record it."""
        self._record("reshard_after_backward", reshard_after_backward)

    def set_is_last_backward(self, is_last_backward: bool):
        """Record it."""
        self._record("is_last_backward", is_last_backward)

    def set_reduce_op_type(self, reduce_op_type: str):
        """Record it: the gradient is that of the loss of the whole batch, whatever it divides by. ValueError: not "sum" or "avg"."""
        if reduce_op_type not in ("sum", "avg"):
            raise ValueError(f"reduce_op_type must be 'sum' or 'avg', but got {reduce_op_type!r}.")
        self._record("reduce_op_type", reduce_op_type, str)

    def set_gradient_scaling_factor(self, factor: int | float):
        """Record it."""
        self._record("gradient_scaling_factor", factor, (int, float))

    def zero_grads(self):
        """Forget the gradients that a pipeline has added up."""
        for parameter in self.get_parameters():
            parameter.__dict__.pop("grad", None)

    def _check_list(self, name, cells):
        if not isinstance(cells, (tuple, list)):
            raise ValueError(f"{name} must be HSDPCell list")
        for cell in cells:
            if not isinstance(cell, HSDPModule):
                raise ValueError(f"{name} must be HSDPCell list but got {type(cell)} in list.")

    def set_modules_to_forward_prefetch(self, modules: Sequence[Cell]):
        """Check the list: XLA orders gathers by itself."""
        self._check_list("modules", modules)

    def set_modules_to_backward_prefetch(self, modules: Sequence[Cell]):
        """As `set_modules_to_forward_prefetch`."""
        self._check_list("modules", modules)

    def set_forward_prefetch_cells(self, hsdp_cell_list: Sequence[Cell]):
        """As `set_modules_to_forward_prefetch`."""
        self._check_list("hsdp_cell_list", hsdp_cell_list)

    def set_backward_prefetch_cells(self, hsdp_cell_list: Sequence[Cell]):
        """As `set_modules_to_forward_prefetch`."""
        self._check_list("hsdp_cell_list", hsdp_cell_list)

    def unshard(self, async_op: bool = False):
        """Make all Parameters whole on each device, until `reshard`."""
        if not isinstance(async_op, bool):
            raise ValueError(f"async_op should be a bool, got {type(async_op)}")
        for parameter in self.get_parameters():
            if isinstance(parameter, DTensor):
                held = parameter._raw.sharding
                parameter.__dict__.setdefault("_split", (held, parameter.__dict__["_said"]))
                whole = NamedSharding(held.mesh, PartitionSpec())
                place_parameter(parameter, parameter.device_mesh, [Replicate()] * parameter.device_mesh.ndim, whole)
        return _UnshardHandle() if async_op else None

    def reshard(self):
        """Split the Parameters again that `unshard` made whole."""
        for parameter in self.get_parameters():
            split = parameter.__dict__.pop("_split", None)
            if split is not None:
                place_parameter(parameter, parameter.device_mesh, parameter.placements, split[0])
                parameter.__dict__["_said"] = split[1]


HSDPCell = HSDPModule
_classes = {}


def _extend(cell, settings):
    """Give a Cell the methods of HSDPModule."""
    own = type(cell)
    if not isinstance(cell, HSDPModule):
        made = _classes.get(own)
        if made is None:
            made = _classes[own] = type(f"HSDP{own.__name__}", (HSDPModule, own), {"__module__": own.__module__})
        object.__setattr__(cell, "__class__", made)  # past what a Cell does with attributes
    cell.hsdp_settings = settings


def _split_further(parameter, mesh, axes, shard_size=None, placement=None):
    """Lay a Parameter so that it is split over more axes of JAX's mesh, where it divides evenly.

    axes: names. shard_size: at most so many parts. placement: the axis of the Parameter; the first that divides without one.
    """
    sizes = mesh.jax_mesh.shape
    laid = isinstance(parameter, DTensor)
    own_mesh = parameter.device_mesh if laid else mesh
    placements = parameter.placements if laid else (Replicate(),) * mesh.ndim
    held = sharding_of(own_mesh, placements, parameter.shape)
    spec = [*held.spec, *[None] * (len(parameter.shape) - len(held.spec))]
    used = {a for names in spec for a in (names if isinstance(names, tuple) else (names,))}
    axes = [a for a in axes if a not in used]
    if shard_size is not None:
        axes = _some(axes, sizes, shard_size)
    count = math.prod(sizes[a] for a in axes)
    order = range(len(parameter.shape)) if placement is None else [placement.dim % max(1, len(parameter.shape))]
    for axis in order:
        names = spec[axis] if isinstance(spec[axis], tuple) else (spec[axis],) if spec[axis] else ()
        parts = count * math.prod(sizes[n] for n in names)
        if count > 1 and parameter.shape[axis] % parts == 0:
            spec[axis] = (*names, *axes)
            break
        if placement is not None:
            raise ValueError(
                f"For 'fully_shard', axis {axis} of the Parameter '{parameter.name}' {parameter.shape} does not divide into {parts} parts."
            )
    place_parameter(parameter, own_mesh, placements, NamedSharding(held.mesh, PartitionSpec(*spec)))


def _some(axes, sizes, wanted):
    """The last axes that together have at most `wanted` devices."""
    chosen, count = [], 1
    for name in reversed(axes):
        if count * sizes[name] <= wanted:
            chosen.insert(0, name)
            count *= sizes[name]
    return chosen


def fully_shard(
    module: Cell,
    *,
    mesh: "DeviceMesh | None" = None,
    reshard_after_forward: bool | int | None = None,
    shard_placement_fn: Callable | None = None,
    mp_policy: MixedPrecisionPolicy = MixedPrecisionPolicy(),  # noqa: B008  frozen
    offload_policy: OffloadPolicy | None = None,
    ignored_params: "set[Parameter] | None" = None,
    device: Any = None,
):
    """Split the Parameters of a Cell over a mesh, and return the Cell, which has the methods of HSDPModule then.

    Args:
        module: Cell.
        mesh: DeviceMesh of one axis, or of two (the first replicates, the last splits); all devices without one.
        reshard_after_forward: recorded.
        shard_placement_fn: function from a Parameter to a Shard, or None for its first axis that divides.
        mp_policy: dtypes of the forward.
        offload_policy: `OffloadPolicy()`.
        ignored_params: a set of Parameters to leave alone.

    Raises:
        ValueError: `module` is not a Cell; an axis that a placement names does not divide. RuntimeError: offloading to the host.

    Example:
        >>> from msjax.hyper_parallel import HSDPModule, fully_shard, init_device_mesh
        >>> net = fully_shard(nn.Dense(4, 4), mesh=init_device_mesh("cpu", (1,), mesh_dim_names=("dp",)))
        >>> isinstance(net, HSDPModule)
        True
    """
    if not isinstance(module, Cell):
        raise ValueError(f"module's type must be nn.cell but got {type(module)}.")
    if isinstance(offload_policy, CPUOffloadPolicy):
        raise RuntimeError(
            "For 'fully_shard', Parameters cannot rest in the host's memory between their uses: leave out 'offload_policy', or split them "
            "over more devices."
        )
    mesh = mesh or init_device_mesh("npu", (get_platform().get_world_size(),), mesh_dim_names=("fsdp",))
    axes = list(mesh.axes[-1])
    ignored = {id(p) for p in ignored_params or ()}
    for _, parameter in module.parameters_and_names():
        if id(parameter) in ignored or "_fully_sharded" in parameter.__dict__:
            continue
        placement = shard_placement_fn(parameter) if shard_placement_fn is not None else None
        if placement is not None and not isinstance(placement, Shard):
            raise ValueError(
                f"For 'fully_shard', the 'shard_placement_fn' must give a Shard or None, but got {placement}."
            )
        _split_further(parameter, mesh, axes, placement=placement)
        parameter.__dict__["_fully_sharded"] = True
    _extend(module, {"mesh": mesh, "reshard_after_forward": reshard_after_forward, "mp_policy": mp_policy})
    _cast(module, mp_policy)
    return module


def _cast(module, policy):
    """Compute in the dtypes of a policy."""
    if policy.param_dtype is not None:
        module.to_float(policy.param_dtype)
    if policy.output_dtype is not None:
        module.register_forward_hook(lambda cell, inputs, out: map_tensors(lambda t: _to(t, policy.output_dtype), out))


def _to(tensor, dtype):
    is_float = isinstance(tensor, Tensor) and mstype.to_numpy(tensor.dtype).kind in "fV"
    return tensor.astype(dtype) if is_float and tensor.dtype != dtype else tensor


def hsdp(
    cell: Cell,
    shard_size: int = -1,
    threshold: int = 64,
    optimizer_level: str = "level1",
    enable_grad_accumulation: bool = False,
    use_eager_hook: bool = True,
    grad_scale: float = 1.0,
    reduce_dtype: "Type | None" = None,
    comm_async: bool = False,
    comm_fusion: bool = False,
    bucket_size: int = -1,
):
    """Split the Parameters of a Cell over the devices that hold equal copies, and return the Cell.

    Args:
        cell: Cell.
        shard_size: into at most so many parts; -1: over all such devices.
        threshold: smaller Parameters (in KB) stay whole.
        optimizer_level: "level1", "level2", "level3": XLA keeps gradients split and gathers Parameters where they are used at all of them.
        grad_scale: what gradients are multiplied by: 1.0. The others are checked and recorded.

    Raises:
        ValueError: an argument out of range; `grad_scale` other than 1.0.

    Example:
        >>> from msjax.hyper_parallel import hsdp
        >>> net = hsdp(nn.Dense(4, 4), threshold=0)
    """
    checks = (
        (isinstance(cell, Cell), f"cell's type must be nn.cell but got {type(cell)}."),
        (
            isinstance(shard_size, int) and (shard_size > 0 or shard_size == -1),
            f"shard_size must be a positive integer, but got {shard_size}.",
        ),
        (
            isinstance(threshold, int) and threshold >= 0,
            f"threshold must be a positive integer or 0, but got {threshold}.",
        ),
        (
            optimizer_level in ("level1", "level2", "level3"),
            f"Optimizer level should in ['level1', 'level2', 'level3'], but got {optimizer_level}.",
        ),
        (
            isinstance(enable_grad_accumulation, bool),
            f"enable_grad_accumulation must be bool but got {enable_grad_accumulation}.",
        ),
        (isinstance(grad_scale, float), f"grad_scale must be float but got {grad_scale}."),
        (isinstance(use_eager_hook, bool), f"use_eager_hook must be bool but got {use_eager_hook}."),
        (
            reduce_dtype is None or isinstance(reduce_dtype, mstype.Type),
            f"reduce_dtype must be mindspore.dtype but got {reduce_dtype}.",
        ),
        (isinstance(comm_async, bool), f"comm_async must be bool but got {comm_async}."),
        (isinstance(comm_fusion, bool), f"comm_fusion must be bool but got {comm_fusion}."),
        (
            isinstance(bucket_size, int) and bucket_size >= -1,
            f"bucket_size must be a positive integer or 0, but got {bucket_size}.",
        ),
        (grad_scale == 1.0, f"grad_scale other than 1.0 is not applied here, but got {grad_scale}: scale the loss."),
    )
    for holds, message in checks:
        if not holds:
            raise ValueError(message)
    for _, parameter in cell.parameters_and_names():
        if shard_size == 1 or parameter.nbytes < threshold * 1024:
            continue
        mesh = parameter.device_mesh if isinstance(parameter, DTensor) else None
        mesh = mesh or init_device_mesh("npu", (get_platform().get_world_size(),), mesh_dim_names=("hsdp",))
        _split_further(parameter, mesh, list(mesh._root().axis_names), None if shard_size == -1 else shard_size)
    _extend(cell, {"shard_size": shard_size, "optimizer_level": optimizer_level, "requires_grad_sync": True})
    return cell


def hsdp_sync_stream():
    """Wait until gradients are there: XLA does it where they are used."""
