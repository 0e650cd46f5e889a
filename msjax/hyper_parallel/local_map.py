"""Functions of parts: `custom_shard` runs one on every device with its own parts of the DTensors."""

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
from jax.sharding import PartitionSpec

from ..core.operators import own_calls
from ..core.operators.record import op, records
from ..core.settings.execution_state import within
from ..core.spec import Array
from ..core.trace.frame import Frame, current
from ..core.values.tensor import Tensor, wrap
from ..parallel.places import Place
from .dtensor import DTensor, _boxed, _check, _parts_along, _told
from .mesh import _group_map
from .placements import Partial, Shard
from .platform import get_platform

if TYPE_CHECKING:
    from .mesh import DeviceMesh

__all__ = ["custom_shard", "local_map"]

_REDUCED = {"sum": jax.lax.psum, "avg": jax.lax.pmean, "max": jax.lax.pmax, "min": jax.lax.pmin}


class _Program:
    """The function with its arguments that are not Tensors: equal programs are compiled once."""

    def __init__(self, function, fixed, mesh, ins, outs, kwargs):
        self.parts = function, fixed, mesh, ins, outs, kwargs
        self.one = None  # whether it gives one value, and what it gives beside Tensors

    def __hash__(self):
        return hash(self.parts[:1] + self.parts[2:5])

    def __eq__(self, other):
        return isinstance(other, _Program) and self.parts == other.parts

    def __call__(self, *arrays):
        function, fixed, mesh, ins, outs, kwargs = self.parts
        given = iter(arrays)
        specs = tuple(_spec(mesh, p, next(given).ndim) for p in ins if p is not None)
        run = functools.partial(jax.shard_map, self._run_parts, mesh=mesh.jax_mesh, in_specs=specs, check_vma=False)
        wanted = [p for p in outs if p is not None]
        dims = [max([0, *(q.dim + 1 for q in p if isinstance(q, Shard))]) for p in wanted]
        if any(
            q.dim < 0 for p in wanted for q in p if isinstance(q, Shard)
        ):  # counted from the last: how many there are is asked
            dims = [s.ndim for s in jax.eval_shape(run(out_specs=PartitionSpec()), *arrays)]
        return run(out_specs=tuple(_spec(mesh, p, d) for p, d in zip(wanted, dims)))(*arrays)

    def _run_parts(self, *parts):
        return self._run(parts)

    def _run(self, parts):
        function, fixed, mesh, ins, outs, kwargs = self.parts
        given = iter(parts)
        frame = Frame(current())
        with frame, within(bound_groups=_places(mesh), plainly=True):
            args = [wrap(next(given), frame) if p is not None else f for p, f in zip(ins, fixed)]
            out = function(*args, **dict(kwargs))
        own = [a.jax_array for p, a in zip(ins, args) if p is not None]
        if frame.written or any(now is not part for now, part in zip(own, parts)):
            raise RuntimeError(
                "For 'custom_shard', the function assigns a Parameter or a Tensor: return the value, and assign it outside."
            )
        found = out if isinstance(out, tuple) else (out,)
        if len(found) != len(outs):
            raise AssertionError(f"Output count {len(found)} does not match out_placements count {len(outs)}!")
        self.one, self.rest, tensors = not isinstance(out, tuple), found, []
        for value, placements in zip(found, outs):
            if isinstance(value, Tensor) != (placements is not None):
                need = (
                    "Tensor output requires non-None out_placements!"
                    if placements is None
                    else (f"Non-tensor output requires None out_placements, got {placements}!")
                )
                raise TypeError(need)
            if placements is not None:
                tensors.append(_reduced(value.jax_array, mesh, placements))
        self.rest = tuple(None if isinstance(v, Tensor) else v for v in found)
        return tuple(tensors)


def _reduced(array, mesh, placements):
    """The terms of a Partial added up."""
    for axes, placement in zip(mesh.axes, placements):
        if isinstance(placement, Partial):
            reduce = _REDUCED.get(placement.reduce_op.lower())
            if reduce is None:
                raise ValueError(
                    f"For 'custom_shard', an output can be Partial of {list(_REDUCED)}, but got {placement}."
                )
            array = reduce(array, axes)
    return array


def _spec(mesh, placements, dim):
    return PartitionSpec(*[tuple(names) or None for names in _parts_along(mesh, placements, dim)])


def _places(mesh):
    """Names of groups -> Places along the axes of the mesh, for communication within the function."""
    root, found = mesh._root(), {}
    sizes = root.jax_mesh.shape

    def place(axes):
        size = 1
        for name in axes:
            size *= sizes[name]
        return Place(tuple(range(size)), (tuple(range(size)),), axes[0] if len(axes) == 1 else tuple(axes), True)

    for one in (root, mesh, *root._sub_mesh, *root._flattened.values()):
        for number, axes in enumerate(one.axes):
            names = getattr(one, "_dim_group_names", None)
            if names:
                found[names[number]] = place(axes)
    found[None] = place(root.axis_names)
    known = {tuple(get_platform().get_process_group_ranks(g)): found[n] for n, g in _group_map.items() if n in found}
    for name, group in _group_map.items():  # other names of the same devices
        same = known.get(tuple(get_platform().get_process_group_ranks(group)))
        if same is not None:
            found.setdefault(name, same)
    return found


@op(ops=False, name="local_map")
def _local_map(arrays: Array, program: Any):
    out = program(*arrays)
    return out if len(out) > 1 else out[0]


def custom_shard(
    func: Callable | None = None,
    device_mesh: "DeviceMesh | None" = None,
    out_placements: Sequence[Any] | None = None,
    in_placements: Sequence[Any] | None = None,
    redistribute_inputs: bool = True,
    **options,
):
    """The function as one of DTensors: each device runs it with its own parts, which are ordinary Tensors in it.

    Args:
        func: function of Tensors and other values; it may communicate over the mesh's groups, and it may not assign Parameters.
        device_mesh: the mesh.
        out_placements: for each output placements, or None for what is not a Tensor.
        in_placements: the same for inputs.
        redistribute_inputs: inputs that lie otherwise are moved first; False raises instead.

    Raises:
        AssertionError, TypeError, RuntimeError, ValueError: (from the function) placements that do not fit its arguments and results.

    Example:
        >>> from msjax.hyper_parallel import Shard, custom_shard, distribute_tensor, init_device_mesh
        >>> mesh = init_device_mesh("cpu", (1,), mesh_dim_names=("tp",))
        >>> double = custom_shard(lambda x: x * 2, mesh, out_placements=([Shard(0)],), in_placements=([Shard(0)],))
        >>> double(distribute_tensor(Tensor([1.0, 2.0]), mesh, [Shard(0)])).placements
        (Shard(dim=0),)
    """
    if func is None:
        return functools.partial(
            custom_shard,
            device_mesh=device_mesh,
            out_placements=out_placements,
            in_placements=in_placements,
            redistribute_inputs=redistribute_inputs,
        )
    outs = tuple(None if p is None else _check(device_mesh, p) for p in out_placements)

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        if in_placements is not None and len(in_placements) != len(args):
            raise AssertionError(
                f"in_placements length {len(in_placements)} does not match the number of input args {len(args)}!"
            )
        if not any(isinstance(a, DTensor) for a in args):
            _check_plain(args, in_placements)
            return func(*args, **kwargs)
        if in_placements is None:
            raise RuntimeError("Found Tensor input but in_placements is None")
        ins, fixed, tensors = [], [], []
        for number, (value, wanted) in enumerate(zip(args, in_placements)):
            if not isinstance(value, DTensor):
                _check_plain((value,), (wanted,), number)
                ins.append(None)
                fixed.append(value)
                continue
            if wanted is None:
                raise TypeError(
                    f"Tensor input at position {number} requires Placement, but corresponding in_placements entry is None!"
                )
            wanted = _check(device_mesh, wanted)
            if value.placements != wanted:
                if not redistribute_inputs:
                    raise ValueError(
                        f"The input at position {number} has the placements {value.placements}, but must have {wanted}."
                    )
                value = value.redistribute(device_mesh, wanted)
            ins.append(wanted)
            fixed.append(None)
            tensors.append(value)
        program = _Program(func, tuple(fixed), device_mesh, tuple(ins), outs, tuple(kwargs.items()))
        made = own_calls.plainly(records["local_map"], (tuple(tensors), program))
        if program.one is None:  # compiled before: what it gives beside Tensors was noted then
            program.one, program.rest = _noted[program]
        _noted[program] = program.one, program.rest
        made = iter(made if isinstance(made, tuple) else (made,))
        results = []
        for placements, other in zip(outs, program.rest):
            if placements is None:
                results.append(other)
                continue
            box = next(made)
            results.append(_boxed(box, device_mesh, _told(device_mesh, placements, box.shape)))
        return results[0] if program.one else tuple(results)

    return wrapped


_noted = {}


def _check_plain(values, placements, start=0):
    for number, (value, wanted) in enumerate(zip(values, placements or ()), start):
        if wanted is not None and not isinstance(value, DTensor):
            raise TypeError(
                f"Non-DTensor input at position {number} requires None in_placements, but received {wanted}!"
            )


local_map = custom_shard
