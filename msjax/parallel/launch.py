"""Programs that run on several processes. Inputs and results are local arrays, which are on one device of this process; inside the
program each is the part of one array over the mesh, the devices of all processes.

XLA is told that this array is replicated, though its parts may differ. So nothing is copied, and what a process computes outside of
collectives depends on its own part only.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec

from ..core.compat import Tracer, trace_state
from ..core.identity import ByIdentity
from ..core.operators import layouts, shared_buffers
from ..core.program.primitives import FAMILIES
from ..core.program.sites import sites
from ..core.program.tables import Table
from ..core.settings.execution_state import change, here
from ..core.trace.frame import current
from . import agreement
from .kernels import after, zero_of
from .places import mesh_of_all
from .processes import world

if TYPE_CHECKING:
    import jax.extend

    from ..core.trace.frame import Frame
    from .places import Place

_twins = ByIdentity()  # local array that is state -> the array of the mesh that shares its memory


def twin_of(array: jax.Array, sharding: Any):
    """The array of a mesh that `array` is a part of, if it came out of a program over that mesh; else None."""
    found = _twins.get(array)
    return found if found is not None and found.sharding == sharding else None


def to_mesh(array: jax.Array, sharding: Any):
    """The array of the mesh that is `array` on each device of this process."""
    found = twin_of(array, sharding)
    if found is not None:
        return found
    if not isinstance(array, jax.Array):
        array = jnp.asarray(array)
    elif len(array.sharding.device_set) > 1:
        return array
    array = layouts.usual(array)  # the same layout in memory on all processes
    own = [
        array if array.devices() == {device} else jax.device_put(array, device)
        for device in sharding.mesh.local_devices
    ]
    return jax.make_array_from_single_device_arrays(array.shape, sharding, own)


def kept_shardings(arrays: Sequence[jax.Array]):
    """The sharding of each array of state, so that it comes out as it went in; None for a replicated array."""
    return tuple(
        None if len(a.sharding.device_set) == 1 or a.sharding.is_fully_replicated else a.sharding for a in arrays
    )


def to_local(array: jax.Array):
    """The part of an array of the mesh that is on this process."""
    return array.addressable_data(0)


def state_to_local(array: jax.Array):
    """As `to_local`, for state: `to_mesh` of the result gives the same array of the mesh again."""
    part = array.addressable_data(0)  # the array of the mesh keeps this one, so it would never die
    local = jax.make_array_from_single_device_arrays(part.shape, part.sharding, [part])
    _twins[local] = array
    return local


def forget(arrays: Sequence[jax.Array]):
    """Forget the mesh arrays of local arrays that are state no longer, because a program was given their memory or replaces them."""
    for array in arrays:
        _twins.discard(array)


def spread(fn: Callable, mesh: Any, donate: tuple = (), stacked: bool = False, state: bool = True):
    """`jax.jit(fn)` over the mesh of all processes, for local arrays in nested tuples, lists, and pytrees. `stacked` has no effect: `core.trace.entry` gives
    it to all such functions.

    The first call of a signature compiles, then waits for the other processes of its collectives, and compares with theirs.
    state: the first argument is a list of state, and the program gives (results, new state), which goes from one program to the next.
    """
    sharding = NamedSharding(mesh, PartitionSpec())
    seen, programs = {}, {}

    def program(args):
        leaves, tree = jax.tree_util.tree_flatten(args)
        signature = (tree, *[(getattr(x, "shape", ()), getattr(x, "dtype", type(x))) for x in leaves])
        kept = kept_shardings(args[0]) if state else ()
        if (kept, signature) not in programs:
            wanted = (sharding, [k or sharding for k in kept]) if state else sharding
            programs[kept, signature] = shared_buffers.program(fn, donate, out_shardings=wanted)
        return programs[kept, signature]

    def on_mesh(args):
        return jax.tree_util.tree_map(lambda x: to_mesh(x, sharding), args)

    @functools.wraps(fn)
    def call(*args):
        compiled = program(args)
        given = on_mesh(args)
        calls = seen.get(compiled)
        if calls is None:
            calls = seen[compiled] = collectives_of(jax.make_jaxpr(fn)(*given))
            compiled.lower(*given).compile()
            _first(calls)
        else:
            agreement.agree(calls)
        if state:
            forget(args[0])
        with agreement.watching(calls) as watched:
            out = compiled(*given)
            arrays = jax.tree_util.tree_leaves(out)
            watched.output = arrays[0] if arrays else None
        if state:
            out, new = out
            new = [state_to_local(a) if a.sharding.is_fully_replicated else a for a in new]
            return jax.tree_util.tree_map(to_local, out), new
        return jax.tree_util.tree_map(to_local, out)

    call.lower = lambda *args: program(args).lower(*on_mesh(args))
    return call


def _first(calls):
    agreement.agree(calls)
    for ranks, _, _ in calls:
        agreement.meet(ranks)


COLLECTIVES = Table("collectives of several processes")


@COLLECTIVES.rule("collectives", "split collectives")
def _ranks(eqn, me):
    """The ranks of the group of a collective that the rank `me` is in."""
    groups = eqn.params.get("axis_index_groups") or [range(world().size)]
    return next(tuple(g) for g in groups if me in g)


COLLECTIVES.leave(
    "its beginning is what the others wait for",
    *("all_gather_done", "all_to_all_done", "pbroadcast_done", "ppermute_done", "psum_done", "reduce_scatter_done"),
)
COLLECTIVES.leave(
    "its programs are looked into", "own", "calls", "branches", "loops", "mapped", "solvers", "custom_partitioning"
)
COLLECTIVES.leave(
    "no process waits for another in it", *(family for family in FAMILIES if not COLLECTIVES.knows(family))
)


def collectives_of(program: Any):
    """[(ranks, text, times)] of the collectives that this process takes part in; `times` is None where the program does not tell how often."""
    found, me = [], world().rank
    for site in sites(program):
        rule = COLLECTIVES.of(site.eqn)
        ranks = rule(site.eqn, me) if rule is not None else ()
        if len(ranks) > 1:
            shapes = ", ".join(f"{v.aval.dtype}{list(v.aval.shape)}" for v in site.eqn.invars)
            found.append((ranks, f"{site.name} of {shapes}", site.times if site.certain else None))
    return found


@functools.lru_cache(maxsize=4096)
def _program(kernel, settings, place):
    return spread(_body(kernel, settings, place), place.mesh, state=False)


def _body(kernel, settings, place):
    everywhere = PartitionSpec()

    def body(*arrays):
        # XLA would take a constant for equal on all devices, and multiply instead of adding: the barrier hides it
        arrays = jax.lax.optimization_barrier(arrays) if arrays else arrays
        return kernel(place, *arrays, *settings)

    body.__name__ = kernel.__name__
    return jax.shard_map(body, mesh=place.mesh, in_specs=everywhere, out_specs=everywhere, check_vma=False)


def across(kernel: Any, place: "Place", arrays: Sequence[jax.Array], settings: Any = (), order: Any = None):
    """Run a kernel of `kernels.py` over a group: at once for values, as a part of the program that is being traced otherwise.

    Returned: (what the kernel gives, order). `order` is None, or a zero that the kernel waits for; a new one comes out.
    """
    if place.inside:
        return kernel(place, *arrays, *settings), order
    if not tracing(arrays):
        return _program(kernel, settings, place)(*arrays), order
    if order is not None:
        arrays = (after(arrays[0], order), *arrays[1:])
    out = _body(kernel, settings, place)(*arrays)
    made = zero_of(jax.tree_util.tree_leaves(out)[0])
    if made is not None:
        note(made)
        order = None if order is None else made
    return out, order


def tracing(arrays: Sequence[jax.Array]):
    """Whether a program is being traced, so that a collective becomes a part of it."""
    return current() is not None or any(isinstance(a, Tracer) for a in arrays)


# --- order: the processes may run different programs, but each group must meet its collectives in one order. XLA orders by data,
# so each collective takes in a zero that the one before it made of its result.
# `here().collectives`: (root frame or None, trace, the zero of the last collective of that trace).


def note(zero: Any):
    """The zero that the last collective of this trace made."""
    frame, trace = current(), trace_state()
    root = frame and frame.root
    others = [entry for entry in here().collectives if entry[0] is root and entry[1] != trace]
    change(collectives=(*others[-64:], (root, trace, zero)))


def last(given: Any = None):
    """The zero that the next collective of this trace waits for, together with `given`."""
    frame, trace = current(), trace_state()
    found = [zero for root, where, zero in here().collectives if where == trace and root is (frame and frame.root)]
    if not found:
        return jnp.zeros((), jnp.float32) if given is None else given
    return found[0] if given is None else found[0] + given


def close(arrays: Sequence[jax.Array], frame: "Frame"):
    """Tie the last collective of a trace to an output, so that XLA does not drop those whose result this process does not use."""
    zeros = [zero for root, trace, zero in here().collectives if root is frame and trace == trace_state()]
    change(collectives=())
    if zeros and arrays:
        small = min(range(len(arrays)), key=lambda i: arrays[i].size or math.inf)
        arrays[small] = after(arrays[small], zeros[0])
    return arrays


def plan(closed: "jax.extend.core.ClosedJaxpr"):
    """How `core.trace.entry` is to start a program: None (as usual), or `spread` if it holds collectives of several processes."""
    if world().size == 1 or not collectives_of(closed):
        return None
    start = functools.partial(spread, mesh=mesh_of_all())
    start.flat = functools.partial(start, state=False)
    return start
