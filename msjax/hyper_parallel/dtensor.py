"""DTensor: a Tensor that lies on the devices of a mesh, by placements that can be read and changed.

One process computes for all devices, so a DTensor holds the whole (`jax.Array` with a NamedSharding) and XLA divides what is computed with it.
`from_local(x)` means that each device brings an equal `x`, as a script does that is the same on every rank; `to_local()` is the part of
the first device. A Partial is added up when it is made, and told as Partial until it is redistributed.
"""

import contextlib
import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec

from .. import mint
from ..core.compat import Tracer
from ..core.operators import layouts, own_calls
from ..core.operators.record import op, records
from ..core.settings.execution_state import here, within
from ..core.spec import Array
from ..core.values.initializer import initializer
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor, wrap
from ..core.values.tensor_trees import map_tensors
from .layout import as_layout, layout_of
from .mesh import DeviceMesh
from .placements import Partial, Placement, Replicate, Shard
from .platform import local_index

if TYPE_CHECKING:
    from ..core.values.dtype import Type

__all__ = ["DTensor", "SkipDTensorDispatch", "distribute_tensor", "empty", "full", "ones", "zeros"]


# --- placements and shardings
def _parts_along(mesh, placements, dim):
    """For each of `dim` axes of a Tensor the axes of JAX's mesh that split it, in the order of the mesh."""
    found = [[] for _ in range(dim)]
    for axes, placement in zip(mesh.axes, placements):
        if isinstance(placement, Shard):
            if not -dim <= placement.dim < dim:
                raise ValueError(f"Shard dimension {placement.dim} is out of bounds for tensor of dimension {dim}")
            found[placement.dim] += axes
    return found


def sharding_of(mesh: DeviceMesh, placements: Sequence[Placement], shape: Sequence[int]):
    """The NamedSharding that placements mean; an axis that does not divide evenly stays whole on each device."""
    sizes, spec = mesh.jax_mesh.shape, []
    for length, names in zip(shape, _parts_along(mesh, placements, len(shape))):
        spec.append(tuple(names) if names and length % math.prod(sizes[n] for n in names) == 0 else None)
    return NamedSharding(mesh.jax_mesh, PartitionSpec(*spec))


def _placements_of(mesh, sharding):
    """The placements along the axes of a mesh that a sharding of JAX's means."""
    found = [Replicate()] * mesh.ndim
    if isinstance(sharding, NamedSharding) and tuple(sharding.mesh.axis_names) == mesh.jax_mesh.axis_names:
        for axis, names in enumerate(sharding.spec):
            names = names if isinstance(names, tuple) else (names,)
            for number, axes in enumerate(mesh.axes):
                if set(axes) <= set(names):
                    found[number] = Shard(axis)
    return tuple(found)


def _check(mesh, placements):
    if not isinstance(mesh, DeviceMesh):
        raise TypeError(f"For 'DTensor', the 'device_mesh' must be a DeviceMesh, but got {type(mesh).__name__}.")
    placements = tuple(placements.placements if hasattr(placements, "placements") else placements)
    if placements and not all(isinstance(p, Placement) for p in placements):
        placements = tuple(as_layout(placements, mesh).placements)
    if len(placements) < mesh.ndim:
        raise ValueError(
            f"For 'DTensor', there must be a placement for each of the {mesh.ndim} axes of the mesh {mesh.axis_names}, but got {placements}."
        )
    return placements[: mesh.ndim]  # hyper_parallel leaves further ones out, too


# --- the operators beneath
@functools.partial(jax.custom_vjp, nondiff_argnums=(1, 2, 3))
def _joined(local, tiles, times, sharding):
    return jax.device_put(jnp.tile(local, tiles) * times if times != 1 else jnp.tile(local, tiles), sharding)


# each rank's own part takes the gradient of that part
_joined.defvjp(
    lambda local, *how: (_joined(local, *how), local.shape),
    lambda tiles, times, sharding, shape, g: (jax.lax.slice(g, [0] * len(shape), shape),),
)


@op(ops=False, name="join_locals", dynamic=True)
def _join(local: Array, tiles: Any, times: Any, sharding: Any):
    return _joined(local, tiles, times, sharding)


@op(ops=False, name="lay_out", dynamic=True)
def _lay_out(x: Array, sharding: Any):
    return layouts.moved(x, sharding)


@op(ops=False, name="own_part")
def _own_part(x: Array, starts: Any, stops: Any):
    return jax.lax.slice(x, starts, stops)


class SkipDTensorDispatch(contextlib.ContextDecorator):
    """A block in which operators give Tensors that do not tell how they lie.

    Example:
        >>> from msjax.hyper_parallel import SkipDTensorDispatch
        >>> with SkipDTensorDispatch():
        ...     y = Tensor([1.0]) + 1
    """

    def __enter__(self):
        self._block = within(plainly=True)
        self._block.__enter__()
        return self

    def __exit__(self, *error):
        return self._block.__exit__(*error)


class DTensor(Tensor):
    """A Tensor on the devices of a mesh.

    Args:
        local_tensor: what each device brings; or another DTensor, without the others. device_mesh: a DeviceMesh.
        placements: for each axis of the mesh a Shard, Replicate or Partial.

    Raises:
        ValueError: no mesh or placements; not as many placements as the mesh has axes; an axis that the Tensor does not have.

    Example:
        >>> from msjax.hyper_parallel import DTensor, Shard, init_device_mesh
        >>> mesh = init_device_mesh("cpu", (1,), mesh_dim_names=("dp",))
        >>> DTensor.from_local(Tensor([[1.0, 2.0]]), mesh, [Shard(0)]).placements
        (Shard(dim=0),)
    """

    __slots__ = ()
    _defined_in = "hyper_parallel.core.dtensor"

    def __init__(
        self,
        local_tensor: Tensor,
        device_mesh: DeviceMesh | None = None,
        placements: Sequence[Placement] | None = None,
        device: str = "Ascend",
    ):
        if isinstance(local_tensor, DTensor):
            made, device_mesh, said = local_tensor, local_tensor.device_mesh, local_tensor.__dict__.get("_said")
        else:
            for name, value in (("device_mesh", device_mesh), ("placements", placements)):
                if value is None:
                    raise ValueError(f"{name} is None")
            placements = _check(device_mesh, placements)
            made, said = _assembled(local_tensor, device_mesh, placements)
        self._rebind_raw(made.jax_array, made._var)
        self.__dict__.update(_device_mesh=device_mesh, _said=said)
        if said is not None and not isinstance(local_tensor, DTensor):
            self.__dict__["_local"] = local_tensor

    @staticmethod
    def from_local(local_tensor: Tensor, device_mesh: DeviceMesh, placements: Sequence[Placement], **options):
        """The DTensor made of each device's part, here equal parts `local_tensor`."""
        return DTensor(local_tensor, device_mesh, placements)

    # --- what it is
    @property
    def device_mesh(self):
        """The DTensor's mesh."""
        return self.__dict__["_device_mesh"]

    @property
    def placements(self):
        """The placement along each axis of the mesh. In compiled code XLA decides, and they are Replicate."""
        said = self.__dict__.get("_said")
        if said is not None:
            return said
        held = self._raw if isinstance(self, Parameter) else self.jax_array
        return _placements_of(self.device_mesh, None if isinstance(held, Tracer) else held.sharding)

    @property
    def layout(self):
        """The same as a Layout."""
        placements = self.placements
        split = [p.dim % self.ndim for p in placements if isinstance(p, Shard)]
        if len(set(split)) < len(split):  # one axis split twice: only names say that
            names, mesh = [[] for _ in range(self.ndim)], self.device_mesh
            for name, placement in zip(mesh.axis_names, placements):
                if isinstance(placement, Shard):
                    names[placement.dim].append(name)
            return as_layout(tuple(tuple(n) or "None" for n in names), mesh)
        return layout_of(self.device_mesh, placements, self.ndim)

    @property
    def local_shape(self):
        """The shape of the part on the first device."""
        return tuple(stop - start for start, stop in zip(*self._own()))

    @property
    def device(self):
        """The kind of device of the mesh."""
        return self.device_mesh.device_type

    def numel(self):
        """Number of elements of the whole."""
        return math.prod(self.shape)

    def _own(self):
        """(starts, stops) of the part of the first device."""
        mesh, starts, stops = self.device_mesh, [], []
        sizes = mesh.jax_mesh.shape
        placements = self.placements
        names = _parts_along(mesh, placements, self.ndim)
        held = self._raw if isinstance(self, Parameter) else self.jax_array
        if not isinstance(held, Tracer) and isinstance(getattr(held, "sharding", None), NamedSharding):
            for axis, more in enumerate(held.sharding.spec):  # also what `fully_shard` splits beside the placements
                more = more if isinstance(more, tuple) else (more,) if more else ()
                names[axis] = list(more) or names[axis]
        for length, axes in zip(self.shape, names):
            start, stop = local_index(length, math.prod(sizes[n] for n in axes), 0)
            starts.append(start)
            stops.append(stop)
        return tuple(starts), tuple(stops)

    # --- parts and the whole
    def to_local(self, *, grad_placements: Sequence[Placement] | None = None):
        """The part of the first device.

        Raises:
            RuntimeError: a gradient is recorded that depends on a Tensor which is split: the other devices would compute with their own
                parts, and one process follows only the first.
        """
        kept = self.__dict__.get("_local")
        if kept is not None:
            return kept
        starts, stops = self._own()
        if (starts, stops) == ((0,) * self.ndim, tuple(self.shape)):
            return _plain(self)
        active = here().recorder
        if active is not None and not active.is_frame and active.follows(self):
            raise RuntimeError(
                f"For 'DTensor.to_local', a gradient of this Tensor is recorded, and it is split ({self.placements}): one process would "
                "differentiate the part of one device alone. Compute with the DTensor itself, or put what works on parts into "
                "custom_shard(function, device_mesh, out_placements, in_placements), which runs it on all devices."
            )
        return own_calls.plainly(records["own_part"], (self, starts, stops))

    def full_tensor(self):
        """The whole, as an ordinary Tensor that is the same on each device."""
        mesh = self.device_mesh
        return own_calls.plainly(records["lay_out"], (self, NamedSharding(mesh.jax_mesh, PartitionSpec())))

    def redistribute(
        self, device_mesh: DeviceMesh | None = None, placements: Sequence[Placement] | None = None, **options
    ):
        """The same values, lying by other placements, also of another mesh.

        Args:
            device_mesh: that of this DTensor without one; a Layout says both.
            placements: for each axis of the mesh.

        Raises:
            TypeError, ValueError: as for DTensor.
        """
        if placements is None and hasattr(device_mesh, "placements"):
            device_mesh, placements = device_mesh.mesh, device_mesh.placements
        device_mesh = self.device_mesh if device_mesh is None else device_mesh
        return _laid(self, device_mesh, self.placements if placements is None else placements)

    def reduce_partial(self):
        """The same DTensor, with Partial placements reduced to whole values on each device."""
        kept = [Replicate() if isinstance(p, Partial) else p for p in self.placements]
        return self.redistribute(self.device_mesh, kept) if tuple(kept) != self.placements else self

    def asnumpy(self):
        """The part of the first device as a NumPy array."""
        return _plain_part(self).asnumpy()

    def __str__(self):
        return str(_plain_part(self))

    def __repr__(self):
        return (
            f"DTensor(local_tensor={_plain_part(self)!r}, device_mesh={self.device_mesh}, placements={self.placements})"
        )

    def __copy__(self):
        return _boxed(_plain(self), self.device_mesh, self.__dict__.get("_said"))

    def _lend_place(self, parameter):
        """Make a Parameter that was made of this lie alike."""
        place_parameter(parameter, self.device_mesh, self.placements, self.jax_array.sharding)


class DParameter(DTensor, Parameter):
    """A Parameter that is distributed over a mesh."""

    __slots__ = ()

    def __init__(self, *args, **kwargs):
        Parameter.__init__(self, *args, **kwargs)

    __repr__ = __str__ = Parameter.__repr__
    __copy__ = Parameter.__copy__

    def _assign(self, array, var=None):
        """Hold another array, which is moved to where this Parameter lies."""
        place = self.__dict__.get("_place")
        if isinstance(array, jax.Array) and not isinstance(array, Tracer) and place is not None:
            if array.sharding != place and array.shape == tuple(self.shape):
                array = layouts.moved(array, place)
        Parameter._assign(self, array, var)

    def clone(self, init: str = "same"):
        """A new Parameter with the same placements."""
        twin = Parameter.clone(self, init)
        return place_parameter(twin, self.device_mesh, self.placements, self._raw.sharding)


def _plain(tensor):
    """An ordinary Tensor of the same values."""
    return wrap(tensor.jax_array, tensor._var)


def _plain_part(tensor):
    starts, stops = tensor._own()
    kept = tensor.__dict__.get("_local")
    return kept if kept is not None else wrap(tensor.jax_array[tuple(map(slice, starts, stops))])


def _boxed(tensor, mesh, said=None):
    """The Tensor itself, as a DTensor."""
    tensor.__class__ = DTensor
    tensor.__dict__.update(_device_mesh=mesh, _said=said)
    return tensor


def _told(mesh, placements, shape):
    """The placements, where the array alone does not tell them: terms of a reduction, axes that do not divide evenly."""
    lies = sharding_of(mesh, placements, shape)
    return (
        None if _placements_of(mesh, lies) == tuple(_positive(p, len(shape)) for p in placements) else tuple(placements)
    )


def _positive(placement, dim):
    return Shard(placement.dim % dim) if isinstance(placement, Shard) else placement


def _laid(tensor, mesh, placements):
    """A DTensor of the values of a whole Tensor."""
    placements = _check(mesh, placements)
    made = own_calls.plainly(records["lay_out"], (tensor, sharding_of(mesh, placements, tensor.shape)))
    return _boxed(made, mesh, _told(mesh, placements, tensor.shape))


def _assembled(local, mesh, placements):
    """(whole Tensor, placements that the array does not tell by itself) from each device's part."""
    sizes, tiles, times = mesh.jax_mesh.shape, [], 1
    for names in _parts_along(mesh, placements, local.ndim):
        tiles.append(math.prod(sizes[n] for n in names))
    shape = tuple(length * n for length, n in zip(local.shape, tiles))
    for axes, placement in zip(mesh.axes, placements):
        if isinstance(placement, Partial) and placement.reduce_op.lower() == "sum":
            times *= math.prod(sizes[n] for n in axes)
        elif isinstance(placement, Partial) and placement.reduce_op.lower() == "prod":
            raise ValueError(
                "For 'DTensor.from_local', a Partial('prod') cannot be made of parts: give the product as Replicate."
            )
    sharding = sharding_of(mesh, placements, shape)
    if local.has_init:
        whole = initializer(local.init, shape, local.dtype).init_data()
        made = wrap(layouts.moved(whole.jax_array, sharding))
    else:
        made = own_calls.plainly(records["join_locals"], (local, tuple(tiles), times, sharding))
    return made, _told(mesh, placements, shape)


def _take(record, args):
    """Run an operator on DTensors; its results are DTensors of the same mesh."""
    mesh = _first(args).device_mesh
    out = own_calls.plainly(record, args)
    return map_tensors(lambda box: _boxed(box, mesh) if type(box) is Tensor else box, out)


def _first(args):
    for one in args.values() if isinstance(args, dict) else args:
        if isinstance(one, DTensor):
            return one
        found = _first(one) if isinstance(one, (list, tuple, dict)) else None
        if found is not None:
            return found
    return None


own_calls.KINDS[DTensor] = _take


def place_parameter(
    parameter: Parameter,
    mesh: DeviceMesh,
    placements: Sequence[Placement],
    sharding: jax.sharding.NamedSharding | None = None,
):
    """The Parameter itself, lying by placements from now on; `sharding` splits it further."""
    placements = _check(mesh, placements)
    sharding = sharding or sharding_of(mesh, placements, parameter.shape)
    raw = parameter._raw
    held = raw.make(sharding) if hasattr(raw, "lying") else layouts.moved(parameter.jax_array, sharding)
    alone = sharding_of(mesh, placements, parameter.shape)
    said = placements if sharding.spec != alone.spec else _told(mesh, placements, parameter.shape)
    parameter.__class__ = DParameter
    parameter.__dict__.update(_device_mesh=mesh, _said=said, _place=sharding)
    parameter._assign(held)
    return parameter


def distribute_tensor(
    tensor: Tensor, device_mesh: DeviceMesh, placements: Sequence[Placement], *, src_data_rank: int | None = 0
):
    """A whole Tensor as a DTensor.

    Args:
        tensor: the same whole Tensor on all devices.
        device_mesh, placements: as for DTensor.

    Raises:
        TypeError, ValueError: as for DTensor.

    Example:
        >>> from msjax.hyper_parallel import Shard, distribute_tensor, init_device_mesh
        >>> mesh = init_device_mesh("cpu", (1,), mesh_dim_names=("dp",))
        >>> distribute_tensor(Tensor([[1.0, 2.0]]), mesh, [Shard(0)]).shape
        (1, 2)
    """
    if isinstance(tensor, Parameter):
        return place_parameter(tensor, device_mesh, placements)
    return _laid(tensor, device_mesh, placements)


def _made(make, size, device_mesh, placements):
    size = size.asnumpy().tolist() if isinstance(size, Tensor) else size
    size = (size,) if isinstance(size, int) else tuple(int(s) for s in size)
    return _laid(make(size), device_mesh, placements)


def ones(
    size: int | Sequence[int], device_mesh: DeviceMesh, placements: Sequence[Placement], dtype: "Type | None" = None
):
    """A DTensor of ones, of a whole shape."""
    return _made(lambda shape: mint.ones(shape, dtype=dtype), size, device_mesh, placements)


def zeros(
    size: int | Sequence[int], device_mesh: DeviceMesh, placements: Sequence[Placement], dtype: "Type | None" = None
):
    """A DTensor of zeros, of a whole shape."""
    return _made(lambda shape: mint.zeros(shape, dtype=dtype), size, device_mesh, placements)


def empty(
    size: int | Sequence[int], device_mesh: DeviceMesh, placements: Sequence[Placement], dtype: "Type | None" = None
):
    """A DTensor of any content, of a whole shape."""
    return _made(lambda shape: mint.empty(shape, dtype=dtype), size, device_mesh, placements)


def full(
    size: int | Sequence[int],
    fill_value: int | float | bool,
    *,
    device_mesh: DeviceMesh,
    placements: Sequence[Placement],
    dtype: "Type | None" = None,
):
    """A DTensor of one number, of a whole shape."""
    value = fill_value.asnumpy().item() if isinstance(fill_value, Tensor) else fill_value
    return _made(lambda shape: mint.full(shape, value, dtype=dtype), size, device_mesh, placements)


def compute_local_shape_and_global_offset(
    global_shape: Sequence[int], device_mesh: DeviceMesh, placements: Sequence[Placement]
):
    """The shape of the part that the first device has of a Tensor of shape `global_shape`. No offset is returned."""
    sizes, shape = device_mesh.jax_mesh.shape, []
    for length, names in zip(global_shape, _parts_along(device_mesh, placements, len(global_shape))):
        start, stop = local_index(length, math.prod(sizes[n] for n in names), 0)
        shape.append(stop - start)
    return shape
