"""Compilation: `@ms.jit`, a Cell called in GRAPH_MODE, and the train step inside `Model`.

A call is split into Tensors (inputs of the compiled program) and everything else (part of the cache key, by value). The function is
traced once to a jaxpr in a Frame that was seeded with the state it can reach; a box that was read without having been given is added
and the function traced again. Then the jaxpr is compiled with the written state donated, so user Python runs once a signature.

A compiled entry is used only while nothing it depended on has changed: versions of the Cells that were called, dtypes and
`requires_grad` of the Parameters, Tensors that were taken in as constants. A changed attribute therefore retraces, it is never stale.
"""

import collections
import functools
import os
import time
import weakref
from collections.abc import Callable
from typing import Any, TypeVar, Unpack, overload

import jax
import numpy as np

from ... import log
from .. import host
from ..above import above
from ..compat import Tracer, jaxpr_as_fun, leave_64_bits, take_64_bits
from ..errors import Unstageable, of_program
from ..host import wide
from ..operators import random, views
from ..process import shared
from ..program.folding import folded
from ..program.needs import used
from ..program.sharing import opened
from ..program.together import is_together
from ..settings import context, parallel_context
from ..settings.execution_state import here, within
from ..traceable import is_traceable
from ..values.deferred import SHAPES
from ..values.ownership import content
from ..values.tensor import Leaked, Tensor, on_device, wrap
from . import control_flow, jit_options, saved_graphs, stacking, watch
from .arrangement import Arrangement
from .call_structure import Leaf, Outputs, join, split
from .declared import Declared
from .effects import Item, Journal
from .entry import Entry, Fallback, launcher, on_one_device
from .entry_parts import Guards, Program, Results, State
from .frame import Frame, Rollback
from .guards import Reads, Watch, can_be_input
from .lengths import Buckets, Declined
from .numbers import number
from .replay import Plan
from .state_discovery import check_names, reachable_state

_MAX_RETRACES = 20
_MAX_ENTRIES = 16  # compiled variants kept for one signature (train and eval flags, ...)
_MAX_REBUILDS, _FEW_CALLS = (
    16,
    4,
)  # so many variants in succession that served fewer calls than that: the signature runs eagerly


_SHARED = "; served by the program of other lengths"


# --- a function and its variants
_instances = weakref.WeakSet()


def _only_compiles():
    """Whether a call compiles its program and does not run it."""
    return os.environ.get("MS_DEV_PRECOMPILE_ONLY") == "1"


class Compiled:
    """A function with its compiled variants.

    fn: what is traced: a function, or a Traceable. fullgraph: what cannot be compiled is an error.
    """

    def __init__(self, fn: Callable, fullgraph: bool = False, name: str | None = None):
        self.fn, self.fullgraph = fn, fullgraph
        self.name = name or getattr(fn, "__qualname__", type(fn).__name__)
        self.entries = {}  # key -> [Entry or Fallback]
        self.history = []  # (key, reason) of each trace
        self.dynamic = {}  # key -> slot outside the arguments whose value is an input: it changes from call to call
        self.constant = {}  # as `dynamic`, of slots that cannot be inputs: Python needs their values
        # lengths that were left open, and programs that serve many of them
        self.declared, self.buckets = None, Buckets()
        # whether inputs are those of one of several devices that are not there, and are repeated for all
        self.of_all = False
        self.rebuilt = collections.Counter()  # key -> entries in succession that were of use for a few calls only
        # whether that was wanted when the last entry was built: to ask at each call takes a microsecond
        self.only_compiles = False
        _instances.add(self)

    def __call__(self, *args, **kwargs):
        active = here().recorder
        if active is not None and active.is_frame:
            return control_flow.resolve(self.fn)(*args, **kwargs)  # inside a trace: inlined
        before = take_64_bits()
        try:
            return self._call(args, kwargs, active)
        finally:
            leave_64_bits(before)

    def _call(self, args, kwargs, active):
        if shared.forked:
            host.refuse_if_forked()
        if self.name.endswith(".construct") and args and is_traceable(args[0]):  # `@jit` on the method, not on the Cell
            declared = args[0].__dict__.get("_declared")
            if declared is not None:
                declared.check(args[1:], kwargs)
        if context.is_strict():  # check mode: operator by operator, at the user's lines
            with Rollback():
                return self._plain(args, kwargs)
        args, kwargs = above.take_arguments(args, kwargs)
        if self.of_all:
            args, kwargs = above.of_all(args, kwargs) or (args, kwargs)
        leaves, structure, key = split(args, kwargs)
        if active is None and any([b.__dict__.get("_grad_hooks") for b in leaves]):
            with Rollback():  # a hook on an input is a Python function that belongs to that very Tensor
                return self._plain(args, kwargs)
        entry = self.find(key)
        if entry is None:
            try:
                entry = self.build(structure, key, leaves)
            except ValueError as error:
                args, kwargs, entry = self._of_all(args, kwargs, error)
                leaves, _, _ = split(args, kwargs)
        entry.calls += 1
        if self.only_compiles and _only_compiles():
            return None  # the program is compiled, and not run
        if entry.fallback:
            first = entry.calls == 1
            with Rollback():
                try:
                    out = self._plain(args, kwargs)
                except UnboundLocalError as error:
                    if entry.unset:
                        error.args = (entry.reason,)
                    raise
            if first:  # and not before: what ends in an error of its own says enough
                watch.warn(entry.notice)
            return out
        try:
            if entry.calls == 1:
                started = time.perf_counter()
                with watch.compiling(self.name):
                    out = entry.run(leaves, active)
                entry.first_seconds = time.perf_counter() - started
                return out
            return entry.run(leaves, active)
        except jax.errors.JaxRuntimeError as error:
            raise of_program(error) from None

    def _plain(self, args, kwargs):
        """Run the function operator by operator: what it changes is what its program would change."""
        with views.copying():
            if is_traceable(self.fn):
                return self.fn._run_call(args, kwargs, None)
            return control_flow.resolve(self.fn)(*args, **kwargs)

    @wide
    def _of_all(self, args: Any, kwargs: Any, error: ValueError):
        """The arguments of a network that cannot run on the part of one device, joined to the whole, and its entry;
        otherwise its error.
        """
        whole = None if self.of_all else above.of_all(args, kwargs)
        if whole is None:
            raise error
        entry = self.entry_of_all(args, kwargs)
        self.of_all = True
        log.warning(
            f"{self.name} cannot be computed with a part of the batch ({error}), and the other devices of 'device_num' are not there: it is computed "
            "with this part repeated for each of them. Give it the whole batch with set_auto_parallel_context(full_batch=True)."
        )
        return *whole, entry

    def entry_of_all(self, args: Any, kwargs: dict | None = None):
        """As `entry_for`; where this process has the inputs of one of several devices, for those of all."""
        kwargs = kwargs or {}
        whole = above.of_all(args, kwargs)
        args, kwargs = (args, kwargs) if whole is None else whole
        with within(of_all=whole is not None):
            return self.entry_for(*args, **kwargs)

    @wide
    def entry_for(self, *args, **kwargs):
        """The compiled variant for these arguments (traced if need be), without running it."""
        leaves, structure, key = split(args, kwargs)
        return self.find(key) or self.build(structure, key, leaves)

    def find(self, key: Any):
        """The valid entry of a signature, or None."""
        for entry in self.entries.get(key, ()):
            if entry.valid():
                return entry
        return None

    def build(self, structure: tuple, key: Any, leaves: list):
        """Trace and compile a new variant; falls back to eager execution where that cannot be."""
        host.computes()  # each call asks whether the process was forked, so there is nothing to forget
        if is_traceable(self.fn):
            parallel_context.check_full_batch()
        self.only_compiles = _only_compiles()
        self.history.append((key, self._why(key)))
        watch.count(self.name, [reason for _, reason in self.history if not reason.endswith(_SHARED)])
        before = [e for e in self.entries.get(key, ()) if not e.fallback]
        watch.left_training(self.fn, [cell for e in before for cell in e.guards.left_training()])
        try:
            changing = self._learn(key)
            if changing is not None:
                raise Unstageable(
                    f"{changing.describe()} changes at each call, and the compiled program depends on its value"
                )
            entry = self._trace(structure, leaves)
            if entry.shared:
                self.history[-1] = (key, self.history[-1][1] + _SHARED)
        except Exception as error:
            cause = control_flow.as_unstageable(error)
            if cause is None:
                told = control_flow.in_graph_words(error)
                if told is error:
                    raise
                raise told from error.__cause__
            entry = self._fall_back(cause)
        entries = self.entries.setdefault(key, [])
        entries[:] = [e for e in entries if not e.outdated()][-(_MAX_ENTRIES - 1) :]
        entries.append(entry)
        return entry

    def _learn(self, key):
        """Make the values that changed since the last entry of a signature inputs; returns a slot that cannot become
        one and changes at each call.
        """
        last = next((e for e in reversed(self.entries.get(key, ())) if not e.fallback), None)
        changed = [] if last is None else last.guards.watch.changed()
        for slot, old, new in changed:
            if slot.key not in self.constant and can_be_input(old) and can_be_input(new):
                self.dynamic[slot.key] = slot
        self.rebuilt[key] = self.rebuilt[key] + 1 if changed and last.calls < _FEW_CALLS else 0
        return changed[0][0] if self.rebuilt[key] > _MAX_REBUILDS else None

    def _fall_back(self, cause):
        where = f" ({cause.filename}:{cause.lineno})" if cause.filename else ""
        if self.fullgraph:
            raise RuntimeError(
                f"'{self.name}' cannot be compiled as one graph, as fullgraph=True demands{where}: {cause.reason}."
            ) from cause
        notice = f"'{self.name}' runs eagerly for this signature{where}: {cause.reason}."
        return Fallback(cause.reason, notice, isinstance(cause, control_flow.UnsetVariable))

    def _trace(self, structure, leaves):
        # What a function depends on is known only when it has run. So it is traced with the state that it can be seen to reach; a Parameter
        # that it reads besides, or a counter that it both reads and changes, becomes an input, and the function is traced again. One that Python
        # needs the value of (`if self.step == 3`) cannot be an input: then what was tried so stays a constant, with a guard. Each round leaves
        # nothing behind: its frame and its journal end with it. Two rounds are usual where there is such state, and one where there is none.
        started = time.perf_counter()
        args, kwargs = structure
        random.streams().get().box()  # made before: a first draw in the trace would be a Parameter that was missing
        known = reachable_state(self.fn, args, kwargs)
        for _ in range(_MAX_RETRACES):
            trace = _Trace(self, known, leaves)
            try:
                closed = opened(trace.run(args, kwargs))
            except Exception as error:
                if not self.dynamic or control_flow.as_unstageable(error) is None:
                    raise
                self.constant.update(self.dynamic)  # perhaps it is one of these whose value Python needs
                self.dynamic.clear()
                continue
            missing = [b for b in trace.frame.missing.values() if id(b) not in known]
            known.update((id(b), b) for b in missing)
            counting = {k: s for k, s in trace.counting.items() if k not in self.constant and k not in self.dynamic}
            self.dynamic.update(counting)
            if not missing and not counting:
                break
        else:
            raise Unstageable(f"it reads other Parameters each time it is traced: {missing[0]!r}")
        entry, arrangement = self._compile(closed, trace, time.perf_counter() - started)
        check_names(args, kwargs, (*entry.state.written, *entry.state.read))
        if self.declared is not None:
            self._open_lengths(entry, arrangement, closed, trace, structure)
        return entry

    def _open_lengths(self, entry, arrangement, closed, trace, structure):
        """Let a program of other lengths serve an entry, where lengths were left open and that is exact."""
        shapes = [leaf.shape for leaf in trace.leaves]
        if not (places := self.declared.open_axes(*structure, shapes)) or not on_one_device(entry.program.start):
            return
        lengths = tuple(dict.fromkeys([shapes[leaf][axis] for leaf, axis in places]))  # equal ones stay equal
        if min(lengths) < 2:  # an axis of length 0 or 1 may mean something else
            return
        pattern = tuple([(leaf, axis, lengths.index(shapes[leaf][axis])) for leaf, axis in places])
        known = {id(b): b for b in trace.state}

        def again(changed):
            leaves = [list(shape) for shape in shapes]
            for leaf, axis, which in pattern:
                leaves[leaf][axis] = changed[which]
            boxes = [wrap(on_device(np.zeros(s, b._data.dtype))) for s, b in zip(leaves, trace.leaves)]
            return _Trace(self, known, boxes).run(*structure)

        def make(evaluation):
            return entry.program.started(arrangement.program(evaluation, _identifier(self.name)))

        try:
            entry.shared, entry.program.run = self.buckets.serve(
                closed, lengths, (pattern, arrangement, entry.results.changed), again, make
            )
        except Declined as declined:
            if not self.buckets.told:
                self.buckets.told = True
                shown = " and ".join(map(str, lengths))
                watch.warn(
                    f"'{self.name}' has a program for length {shown} alone, although it was left open: {declined}."
                )

    def _compile(self, closed, trace, seconds):
        """The Entry of a trace, with its arrangement: how the program's inputs and outputs are grouped."""
        frame, boxes, written = trace.frame, trace.state, trace.written
        saved_graphs.save(self.name, closed)
        ids, position, needed = {id(b) for b in written}, {id(b): i for i, b in enumerate(boxes)}, used(closed)
        read = [b for b in boxes if (id(b) in frame.read or not b._through_frames) and id(b) not in ids]
        given = [b for b in read if closed.jaxpr.invars[position[id(b)]] in needed]
        state = State(written, given, trace.numbers, trace.kept)
        arrangement = self._arrangement(trace, position, written, given)
        donate = not closed.effects  # a callback may raise: then the old state must still be there
        start = launcher(closed, [*written, *given], boxes)
        closed = getattr(start, "program", closed)  # laid out for several devices
        call = jaxpr_as_fun(closed)
        pure = arrangement.program(lambda arrays: call(*arrays), _identifier(self.name))
        program = Program(self.name, pure, start, donate, closed.in_avals[len(boxes) :])
        inputs = {id(box) for _, box in trace.kept}
        packed = self._pack(program, state, arrangement, closed, inputs | set(frame.captured))
        settle = getattr(start, "settle", None)
        if settle is not None:  # on several devices: what is in no stack goes to its place, what is in one has it
            settle([group for p, b in zip(state.packings or (), (written, given)) for group in p.stacked(b)])
        if here().contents is not SHAPES and not getattr(
            start, "makes", False
        ):  # else each run makes what it needs, where it does
            state.make()
        program.ready(packed)
        guards = Guards(
            frame.cells.values(),
            # a Tensor that holds a tracer now was made in the trace: `y = self.table; y[0] = x` gives y a Tensor of its own
            [(b, a) for b, a in frame.captured.values() if id(b) not in inputs and not isinstance(b._lent, Tracer)],
            [b for b in (*written, *read) if b._through_frames],
            trace.watch,
            frame.plain,
        )
        effects = trace.effects if trace.effects.changes else None
        results = Results(trace.result, trace.n_out, trace.changed, effects, trace.same)
        return Entry(program, state, guards, results, seconds), arrangement

    @staticmethod
    def _arrangement(trace, position, written, read):
        written_at, read_at = (tuple([position[id(b)] for b in boxes]) for boxes in (written, read))
        given = {*written_at, *read_at}
        unread = tuple([(i, b.shape, content(b).dtype) for i, b in enumerate(trace.state) if i not in given])
        return Arrangement(len(trace.state), written_at, read_at, unread, trace.n_out, len(trace.changed))

    def _pack(self, program, state, arrangement, closed, alone):
        """Let the state of equal layers be in stacks, if that pays: `program.pure` over stacks. Else None.

        alone: ids of boxes that are in no stack: others may take their places, or the trace looked at their values.
        """
        place = getattr(program.start, "place", None)  # of what starts it on several devices
        wanted = any(map(is_together, closed.jaxpr.eqns))  # the program itself wants stacks
        one = on_one_device(program.start) or getattr(program.start, "held", False)
        if not (context.folds_layers() or wanted) or not (place or one) or self.declared is not None:
            return None
        folding = folded(closed, arrangement.state)
        if folding is None:
            return None
        written = stacking.Packing(state.written, arrangement.written, folding.groups, alone, place)
        read = stacking.Packing(state.read, arrangement.read, folding.groups, alone, place)
        pure = stacking.program(folding, arrangement, written, read, _identifier(self.name))
        rest = [jax.ShapeDtypeStruct(a.shape, a.dtype, weak_type=a.weak_type) for a in program.inputs]
        at = len(rest) - len(state.numbers)
        shapes = written.shapes(state.written), read.shapes(state.read), rest[:at], tuple(rest[at:])
        if not wanted and not stacking.pays(pure, shapes):
            return None
        state.packings = written, read
        return pure

    def _why(self, key):
        """Why a new trace is made, for `explain`."""
        if not self.entries:
            return "first call"
        if key in self.entries:
            guards = [e.guards for e in self.entries[key] if not e.fallback][-1:]  # of the newest one
            changed = [words for g in guards for words in g.changes()]
            return f"{', '.join(dict.fromkeys(changed)) or 'a value that Python read'} changed"
        last = next(reversed(self.entries))
        for i, (new, old) in enumerate(zip(key, last)):
            if new != old:
                return f"{watch.labels(self.fn, key)[i]}: {_key_text(old)} -> {_key_text(new)}"
        return f"the number of arguments changed from {len(last)} to {len(key)} parts"


class _Trace:
    """One trace of a function: its inputs, and the notes of its effects."""

    def __init__(self, compiled, known, leaves):
        self.compiled, self.leaves, self.effects = compiled, leaves, None
        self.frame = Frame()
        self.frame.converting = True
        self.frame.differentiated = here().recorder is not None
        dynamic = compiled.dynamic
        values = {key: slot.read() for key, slot in dynamic.items()}
        dynamic = {key: dynamic[key] for key, value in values.items() if can_be_input(value)}
        self.numbers = [slot for key, slot in dynamic.items() if not isinstance(values[key], Tensor)]
        self.kept = [(slot, values[key]) for key, slot in dynamic.items() if isinstance(values[key], Tensor)]
        boxes = {id(box): box for _, box in self.kept}
        self.state = [*known.values(), *(box for key, box in boxes.items() if key not in known)]
        self.journal = Journal(Reads(self.frame, dynamic))

    def _forget_values(self):
        """Traced values end with their trace."""
        self.frame.forget_values()
        self.journal.forget_values()
        self.effects = self.effects and self.effects.without_values()

    def _counting(self):
        """key -> slot of values that the trace both reads and changes and that can be inputs: a counter, a running
        mean.
        """
        read, changed = self.journal.reads, self.effects.new
        return {
            key: slot
            for key, (slot, new) in changed.items()
            if (key in read.slots or isinstance(slot, Item) and id(slot.owner) in read.contents)
            and can_be_input(slot.read())
            and can_be_input(new)
        }

    def run(self, args, kwargs):
        """The jaxpr of the function for the arguments (with Leaf marks for Tensors); Python side effects are undone."""

        def program(state_arrays, arrays, numbers):
            made = []
            with self.frame, self.journal:
                try:
                    outs = self._run(args, kwargs, state_arrays, arrays, numbers, made)
                finally:
                    self.journal.undo()
            given = {id(b): a for b, a in zip(self.state, state_arrays)}
            # state that comes back as it was is not carried
            changed = [(b, a) for b, a in zip(*self.frame.outputs()) if a is not given.get(id(b))]
            self.written, new = [b for b, _ in changed], [a for _, a in changed]
            self.watch, self.counting = Watch(self.journal), self._counting()
            self._forget_values()
            return above.close_trace([*outs, *made, *new], self.frame)

        state = [content(b) for b in self.state]
        numbers = [slot.read() for slot in self.numbers]
        try:
            closed = jax.make_jaxpr(program)(state, [b._data for b in self.leaves], numbers)
            if (
                self.written or self.effects.changes or closed.effects
            ):  # as in MindSpore: what also does something gives new Tensors
                self.same = [(leaf, origin) for leaf, origin in self.same if not _is_given(origin)]
            return closed
        finally:
            self._forget_values()  # also after an error
            for box, what in self.frame.stored:
                box._rebind_raw(Leaked(what), None)

    def _run(self, args, kwargs, state_arrays, arrays, numbers, made):
        frame, journal = self.frame, self.journal
        replaced = {id(box) for _, box in self.kept}
        for box, array in zip(self.state, state_arrays):
            frame.given(box, array)
            if id(box) not in replaced and not (box._through_frames and box.requires_grad):
                frame.known.state(box, array)
        given = {slot.key: number(array) for slot, array in zip(self.numbers, numbers)}
        for slot in self.numbers:
            slot.enter(given[slot.key], journal)
        boxes = [number(a) if a.aval.weak_type else wrap(a, frame) for a in arrays]
        args, kwargs = join(args, boxes), join(kwargs, boxes)
        fn = self.compiled.fn
        if is_traceable(fn):
            frame.cells[id(fn)] = frame.calling = fn
            result = fn._run_call(args, kwargs, frame)
        else:
            result = control_flow.convert(fn)(*args, **kwargs)
        outs, there = [], journal.reads.outside  # a list that was there before is the result itself
        outputs = Outputs(outs, lambda value: not isinstance(value, Tensor) and id(value) in there)
        self.result, self.n_out = outputs.take(result), len(outs)
        self.changed = [i for i, (b, a) in enumerate(zip(boxes, arrays)) if b._data is not a]
        inputs = set(map(id, self.state))
        self.same = self._same(outputs.known.values(), dict(zip(map(id, self.state), state_arrays)), arrays)
        self.effects = Plan(journal, given, made, lambda box: id(box) in inputs)
        return [*outs, *[boxes[i]._data for i in self.changed]]

    def _same(self, returned, given, arrays):
        """[(place among the results, number of the argument or the Tensor)] of results that are not new Tensors.

        As in MindSpore, one result that is an argument or a Parameter is that object, and a Tensor from outside is itself wherever it stands.
        returned: (Leaf, Tensor) of each result. given: id -> array of the state. arrays: those of the arguments.
        """
        whole, found, outside = type(self.result) is Leaf, [], None
        for leaf, box in returned:
            array, key = box._data, id(box)
            if not box._through_frames and not isinstance(array, Tracer) or given.get(key) is array:
                if outside is None:
                    outside = self.journal.reads.tensors() - {id(kept) for _, kept in self.kept}
                if key in outside or box._through_frames and whole:
                    found.append((leaf.index, box))
            elif whole:
                place = next((i for i, a in enumerate(arrays) if a is array), None)
                if place is not None and place not in self.changed:
                    found.append((leaf.index, place))
        return found


def _is_given(origin):
    """Whether a result is an argument, told by its number, or a Parameter."""
    return isinstance(origin, int) or origin._through_frames


def _identifier(name):
    return "".join(c if c.isalnum() else "_" for c in name) or "compiled"


def _key_text(part):
    if isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], tuple):
        return f"a Tensor of shape {part[0]} and dtype {part[1]}"
    return repr(part[1]) if isinstance(part, tuple) and len(part) == 2 else repr(part)


# --- @jit
_F = TypeVar("_F", bound=Callable)


@overload
def jit(function: _F, *args: Any, **options: Unpack[jit_options.Options]) -> _F: ...


@overload
def jit(function: str | None = None, *args: Any, **options: Unpack[jit_options.Options]) -> Callable[[_F], _F]: ...


def jit(function: Any = None, *args, **options) -> Any:
    """Compile a function, or the `construct` of a Cell, the first time it is called with a new signature.

    Tensors are inputs; everything else (numbers, strings, Cells, ...) is a constant of the compiled variant. What cannot be compiled
    runs eagerly with one warning, or raises with `fullgraph=True`. The other options steer MindSpore's own compiler; their values are
    checked (`jit_options`).

    Example:
        >>> @jit
        ... def double(x):
        ...     return x * 2
        >>> print(double(Tensor([1.0])))
        [2.]
    """
    jit_options.check(options)
    if function is None or isinstance(function, str):
        return functools.partial(jit, **options)
    if options.get("fn") is not None:
        function = options["fn"]
    fullgraph = bool(options.get("fullgraph", False))
    if isinstance(function, type) and hasattr(function, "construct"):  # a class of Cells: all of these
        function._jit_options, function._always_compile = {"fullgraph": fullgraph}, True
        return function
    if is_traceable(function):  # a Cell
        function._jit_options = {"fullgraph": fullgraph}
        function._always_compile = True
        return function
    if not callable(function):
        raise TypeError(f"For 'jit', the 'function' must be a function or a Cell, but got {type(function).__name__}.")
    compiled = Compiled(function, fullgraph=fullgraph)
    signature = options.get("input_signature")
    if signature is not None:
        compiled.declared = Declared(
            function, signature if isinstance(signature, (list, tuple)) else (signature,), "jit"
        )

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return compiled(*args, **kwargs)

    wrapper.__wrapped__ = function
    wrapper._compiled = compiled
    return wrapper


def instances():
    """All compiled functions that exist, for reports."""
    return list(_instances)


__all__ = ["Compiled", "jit"]
