"""One compiled program measured: lowered for a topology, compiled by the real compiler, and counted."""

import contextlib
import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.sharding import SingleDeviceSharding

from ..core.lowered import lowered
from ..core.operators import layouts
from ..core.settings.context import computing_for
from ..core.settings.execution_state import within
from ..core.trace.call_structure import split
from ..core.trace.lowering import compiled_anew
from ..core.values.deferred import SHAPES
from ..core.values.parameter import Parameter
from ..parallel import devices
from .hlo import Program
from .topology import Topology, no_cache


@dataclasses.dataclass
class Measured:
    """A program as it was compiled for a topology.

    text: the compiled program (HLO). memory: bytes a device: arguments, outputs, aliased, temporary, peak. cost: the compiler's own counts,
    bodies of loops once. lowered: the program before compilation, with the user's dtypes. inputs: (name, kind, shape, dtype, sharding) of each
    input of the program: kind is weight, optimizer, state or input.
    """

    name: str
    topology: Topology
    text: str
    memory: dict
    cost: dict
    inputs: list
    seconds: dict
    lowered: str = ""

    _program = None

    @property
    def program(self):
        """The compiled program, read."""
        if self._program is None:
            self._program = Program(self.text)
        return self._program


def planning(topology: Topology):
    """The `with` block in which a network is built and traced for a topology: Parameters are shapes."""
    stack = contextlib.ExitStack()
    stack.enter_context(computing_for(topology.target))
    stack.enter_context(within(contents=SHAPES))
    if len(topology.devices) > 1:
        stack.enter_context(devices.pretending(topology.devices))
    stack.enter_context(jax.enable_x64(True))  # as within any call of msjax
    stack.enter_context(no_cache())
    stack.enter_context(_all_frames())
    return stack


@contextlib.contextmanager
def _all_frames():
    """Every instruction knows the whole way to the user's line: JAX keeps the ten innermost frames by itself."""
    before = jax.config.jax_traceback_in_locations_limit
    jax.config.update("jax_traceback_in_locations_limit", 200)
    try:
        yield
    finally:
        jax.config.update("jax_traceback_in_locations_limit", before)


def measure(step: Callable, inputs: tuple, topology: Topology, kwargs: dict | None = None):
    """Trace, lower, compile and measure one call of a Cell or function; nothing runs."""
    fresh = compiled_anew(step)
    with planning(topology):
        started = time.perf_counter()
        entry = fresh.entry_for(*inputs, **(kwargs or {}))
        traced = time.perf_counter() - started
        leaves, _, _ = split(inputs, kwargs or {})
        return compile_entry(entry, [b.jax_array for b in leaves], topology, traced)


def compile_entry(entry: Any, arrays: Sequence, topology: Topology, traced: float = 0.0):
    """The program of an entry that was traced within `planning`, compiled and measured."""
    started = time.perf_counter()
    state = entry.state.shapes()
    numbers = tuple(slot.read() for slot in entry.state.numbers)
    written, read = map(list, entry.state.first_boxes())
    platforms, held = (topology.platform,), list(state[0])
    if len(topology.devices) > 1:
        start = getattr(entry.program.run, "inner", entry.program.run)
        if not isinstance(start, devices.Start):
            raise NotImplementedError(
                f"'{entry.name}' runs as a pipeline of unequal stages, or over several processes: a plan is of one program over all devices."
            )
        placed = start._placed(*state, arrays)
        program = lowered(start, *state, arrays, numbers, platforms=platforms)
        shardings = [a.sharding for group in placed[:3] for a in group]
    else:
        one = SingleDeviceSharding(topology.devices[0])
        shapes = [[jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=one) for a in group] for group in (*state, arrays)]
        run = layouts.of_state(entry.program.packed, (0,) if entry.program.donate else ())
        program = lowered(run, *shapes, numbers, platforms=platforms)
        if isinstance(run, layouts.AsCompiled):  # which gives the compiler the state from its end
            written, held = written[::-1], held[::-1]
        shardings = [None] * sum(map(len, shapes))
    lowering = time.perf_counter() - started
    made = compile_lowered(program, entry.name, topology, seconds={"trace": traced, "lower": lowering})
    boxes = [*written, *read, *[None] * len(arrays)]
    held += [*state[1], *arrays]
    weights = {b.name: b for b in (*entry.state.written, *entry.state.read) if isinstance(b, Parameter)}
    made.inputs = [
        (*_named(b, i - len(written) - len(read), weights), tuple(a.shape), str(a.dtype), s)
        for i, (b, a, s) in enumerate(zip(boxes, held, shardings))
    ]
    return made


def compile_lowered(program: Any, name: str, topology: Topology, seconds: dict | None = None):
    """A lowered program (of msjax or of JAX by hand), compiled and measured."""
    started = time.perf_counter()
    with no_cache():
        compiled = program.compile()
    seconds = {**(seconds or {}), "compile": time.perf_counter() - started}
    told, memory = compiled.memory_analysis(), {}
    if told is not None:
        memory = {
            "arguments": told.argument_size_in_bytes,
            "outputs": told.output_size_in_bytes,
            "aliased": told.alias_size_in_bytes,
            "temporary": told.temp_size_in_bytes,
            "code": told.generated_code_size_in_bytes,
        }
        memory["peak"] = memory["arguments"] + memory["outputs"] - memory["aliased"] + memory["temporary"]
    try:
        cost = compiled.cost_analysis() or {}
    except (RuntimeError, NotImplementedError):  # CUDA's compiler without a driver has none
        cost = {}
    cost = cost[0] if isinstance(cost, list) else cost
    before = program.as_text("hlo", debug_info=True)
    return Measured(name, topology, compiled.as_text(), memory, dict(cost), [], seconds, before)


def _named(box, number, weights):
    """(name, kind) of an input of the program."""
    if box is None:
        return f"input {number}", "input"
    if not isinstance(box, Parameter):
        return "captured Tensor", "state"
    weight = weights.get(box.name.partition(".")[2])
    if weight is not None and weight is not box:
        return box.name, "optimizer"
    return box.name, "weight" if box.requires_grad and box.ndim and "float" in str(box.dtype).lower() else "state"
