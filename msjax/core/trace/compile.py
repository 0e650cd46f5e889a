"""Compilation: `@ms.jit`, a Cell called in GRAPH_MODE, and the train step inside `Model`.

A call is split into Tensors (inputs of the compiled program) and everything else (part of the cache key, by value). The function is
traced once to a jaxpr in a Frame that was seeded with the state it can reach; a box that was read without having been given is added
and the function traced again. Then the jaxpr is compiled with the written state donated, so user Python runs once a signature.

A compiled entry is used only while nothing it depended on has changed: versions of the Cells that were called, dtypes and
`requires_grad` of the Parameters, Tensors that were taken in as constants. A changed attribute therefore retraces, it is never stale.
"""

import functools
import inspect
import sys
import time
import weakref

import jax
import jax.numpy as jnp

from ..compat import UnexpectedTracerError, jaxpr_as_fun
from ..operators import ranges
from ..operators.record import Forward
from ..settings import context
from ..values.tensor import Leaked, Tensor, wrap
from . import control_flow, watch
from . import invalidation as versions
from .call_structure import Leaf, Mutable, join, outputs, split
from .frame import Frame, Rollback, recorder
from .state_discovery import reachable_state

_slot = Tensor._data  # the array that a box really holds, also for a Parameter
_MAX_RETRACES = 20
_MAX_ENTRIES = 16  # compiled variants kept for one signature (train and eval flags, ...)


# Functions from (closed jaxpr, boxes of state) to what starts it in the place of `jax.jit` (or None), put here by `msjax.parallel`: programs that
# run on several devices.
plans = []
# Functions (outputs, frame) -> outputs that end a trace: what must happen, but nobody uses the result, is tied to an output.
closings = []
# Functions (arguments, keywords) -> the same, before a compiled function looks at them: parts of a batch become the whole one.
entrances = []


def launcher(closed, boxes):
    """How a program is started: a function (pure function, donate=, stacked=) -> callable. stacked: inputs have an axis of steps first."""
    for plan in plans:
        found = plan(closed, boxes)
        if found is not None:
            return found
    return _on_one_device


def _on_one_device(fn, donate=(), stacked=False):
    return jax.jit(fn, donate_argnums=donate)


# --- one compiled variant
class Entry:
    """A traced and compiled function for one signature."""

    __slots__ = (
        "name",
        "known",
        "mut",
        "ro",
        "positions",
        "pure",
        "executable",
        "start",
        "held",
        "result",
        "n_out",
        "mutated",
        "guards",
        "constants",
        "epoch",
        "context",
        "params",
        "forward",
        "scans",
        "donate",
        "trace_seconds",
        "first_seconds",
        "calls",
        "plain",
    )

    fallback = None

    def valid(self):
        """Whether nothing that the trace depended on has changed."""
        if (
            self.plain and recorder.get() is not None
        ):  # traced without the gradients that users wrote, and a tape wants them
            return False
        for box, array in self.constants:
            if box._data is not array:
                return False
        if self.epoch != versions.epoch:
            for cell, state in self.guards:
                if cell._compile_state() != state:
                    return False
            for box, dtype, shape, wanted in self.params:
                if box.requires_grad is not wanted or box.dtype != dtype or box.shape != shape:
                    return False
            if self.context != context.snapshot():
                return False
            self.epoch = versions.epoch
        return True

    def outdated(self):
        """Whether it can never be valid again: a Cell's version only grows."""
        return any(cell._compile_version() != version for cell, version in ((c, s[0]) for c, s in self.guards))

    def run(self, leaves, active):
        """Execute, write the new state to its boxes, and return the result as Tensors."""
        if active is not None:
            return self._run_on_tape(leaves, active)
        get = _slot.__get__
        mut = [get(p) for p in self.mut]
        log = Rollback.log
        if log is not None:
            for p, a in zip(self.mut, mut):
                log.setdefault(id(p), (p, a))
        if self.donate:
            self._protect(mut)
        outs, changed, new = self.executable(mut, [get(p) for p in self.ro], [b._data for b in leaves])
        put = _slot.__set__
        for p, a in zip(self.mut, new):
            put(p, a)
        for i, a in zip(self.mutated, changed):
            leaves[i]._assign(a)
        return wrap(outs[0]) if type(self.result) is Leaf else join(self.result, [wrap(o) for o in outs])

    def _protect(self, arrays):
        """Copy what somebody else holds too (`p.value()`, another Parameter): donating it would delete it under them."""
        held = self.held
        for i, array in enumerate(arrays):
            if sys.getrefcount(array) > _REFERENCES and (
                held is None or sys.getrefcount(array) > _REFERENCES + held(array)
            ):
                arrays[i] = jnp.copy(array)

    def _run_on_tape(self, leaves, tape):
        if self.forward is None:
            self.forward = Forward(_TapeRecord(self.name), self._flat, getattr(self.start, "flat", jax.jit))
        boxes = [*self.mut, *self.ro, *leaves]
        outs = tape.run(self.forward, [b._data for b in boxes], boxes)
        n, m = self.n_out, len(self.mutated)
        for i, box in zip(self.mutated, outs[n : n + m]):
            leaves[i]._assign(box._data, box._var)
        for p, box in zip(self.mut, outs[n + m :]):
            p._assign(box._data, None)
        return join(self.result, list(outs[:n]))

    def _flat(self, *arrays):
        m, r = len(self.mut), len(self.ro)
        outs, changed, new = self.pure(list(arrays[:m]), list(arrays[m : m + r]), list(arrays[m + r :]))
        return tuple([*outs, *changed, *new])

    def scan(self, stacked, steps):
        """Run `steps` times inside one program, over stacked inputs (leading axis: step); the result is that of the last step.

        stacked: one array for each Tensor argument. State is carried, and donated.
        """
        if self.scans is None:

            def many(mut, ro, xs):
                def step(carry, x):
                    outs, _, new = self.pure(carry, ro, x)
                    return new, outs

                new, outs = jax.lax.scan(step, mut, xs)
                return [o[-1] for o in outs], new

            self.scans = self.start(many, donate=(0,) if self.donate else (), stacked=True)
        get = _slot.__get__
        mut = [get(p) for p in self.mut]
        if self.donate:
            self._protect(mut)
        outs, new = self.scans(mut, [get(p) for p in self.ro], stacked)
        for p, a in zip(self.mut, new):
            _slot.__set__(p, a)
        return join(self.result, [wrap(o) for o in outs])


class _TapeRecord:
    residuals, dynamic = True, False

    def __init__(self, name):
        self.name = name


def _measure_references():
    """What `sys.getrefcount` says of an array that only one box holds, counted as `Entry.run` counts it."""
    probe = Tensor.__new__(Tensor)
    _slot.__set__(probe, object())
    held = [_slot.__get__(probe)]
    for _, array in enumerate(held):
        return sys.getrefcount(array)


_REFERENCES = _measure_references()


class Fallback:
    """A signature that runs eagerly because its trace met something that cannot be compiled."""

    __slots__ = ("reason", "notice", "calls")

    def __init__(self, reason, notice):
        self.reason, self.notice, self.calls = reason, notice, 0

    fallback = True

    def valid(self):
        return True

    def outdated(self):
        return False


# --- a function and its variants
_instances = weakref.WeakSet()


class Compiled:
    """A function with its compiled variants.

    fn: what is traced. owner: the Cell whose `construct` it is, or None. fullgraph: what cannot be compiled is an error.
    """

    def __init__(self, fn, owner=None, fullgraph=False, name=None, static=()):
        self.fn, self.owner, self.fullgraph = fn, owner, fullgraph
        self.name = name or getattr(fn, "__qualname__", type(fn).__name__)
        self.entries = {}  # key -> [Entry or Fallback]
        self.history = []  # (key, reason) of each trace
        self.converting = False  # whether a trace met control flow on a traced value
        _instances.add(self)

    def __call__(self, *args, **kwargs):
        active = recorder.get()
        if active is not None and active.is_frame:
            return control_flow.resolve(self.fn)(*args, **kwargs)  # inside a trace: inlined
        if ranges.strict:  # check mode: operator by operator, at the user's lines
            with Rollback():
                return self.fn(*args, **kwargs)
        for enter in entrances:
            args, kwargs = enter(args, kwargs)
        leaves, structure, key = split(args, kwargs)
        entry = self.find(key)
        if entry is None:
            entry = self.build(structure, key, leaves)
        if entry.fallback:
            entry.calls += 1
            with Rollback():
                out = self.fn(*args, **kwargs)
            if entry.calls == 1:  # and not before: what ends in an error of its own says enough
                watch.warn(entry.notice)
            return out
        entry.calls += 1
        if entry.calls == 1:
            started = time.perf_counter()
            with watch.compiling(self.name):
                out = entry.run(leaves, active)
            entry.first_seconds = time.perf_counter() - started
            return out
        return entry.run(leaves, active)

    def entry_for(self, *args, **kwargs):
        """The compiled variant for these arguments (traced if need be), without running it."""
        leaves, structure, key = split(args, kwargs)
        return self.find(key) or self.build(structure, key, leaves)

    def find(self, key):
        """The valid entry of a signature, or None."""
        for entry in self.entries.get(key, ()):
            if entry.valid():
                return entry
        return None

    def build(self, structure, key, leaves):
        """Trace and compile a new variant; falls back to eager execution where that cannot be."""
        self.history.append((key, self._why(key)))
        watch.count(self.name, [reason for _, reason in self.history])
        try:
            try:
                entry = self._trace(structure, leaves, converting=self.converting or self._prints())
            except control_flow.NEEDS_STAGING:
                self.converting = True  # the next signature will need it too
                entry = self._trace(structure, leaves, converting=True)
        except Exception as error:
            cause = control_flow.as_unstageable(error)
            if cause is None:
                raise
            entry = self._fall_back(cause)
        entries = self.entries.setdefault(key, [])
        entries[:] = [e for e in entries if not e.outdated()][-(_MAX_ENTRIES - 1) :]
        entries.append(entry)
        return entry

    def _prints(self):
        """`print` inside a compiled function shows values, so such a function is converted from the start."""
        code = getattr(inspect.unwrap(self.fn), "__code__", None)
        return code is not None and "print" in code.co_names

    def _fall_back(self, cause):
        where = f" ({cause.filename}:{cause.lineno})" if cause.filename else ""
        if self.fullgraph:
            raise RuntimeError(
                f"'{self.name}' cannot be compiled as one graph, as fullgraph=True demands{where}: {cause.reason}."
            ) from cause
        return Fallback(cause.reason, f"'{self.name}' runs eagerly for this signature{where}: {cause.reason}.")

    def _trace(self, structure, leaves, converting):
        # a Cell converts its own `construct`, between its hooks
        fn = control_flow.convert(self.fn) if converting and self.owner is None else self.fn
        started = time.perf_counter()
        args, kwargs = structure
        known = reachable_state(self.owner if self.owner is not None else self.fn, args, kwargs)
        for _ in range(_MAX_RETRACES):
            frame = Frame()
            frame.converting = converting
            frame.differentiated = recorder.get() is not None
            made = {}
            state = list(known.values())
            closed = self._jaxpr(fn, frame, state, args, kwargs, leaves, made)
            missing = [b for b in frame.missing.values() if id(b) not in known]
            if not missing:
                break
            known.update((id(b), b) for b in missing)
        else:
            raise RuntimeError(
                f"'{self.name}' reads other Parameters at each trace; last was {missing[0]!r}. Make Parameters in __init__, not in construct."
            )
        return self._compile(closed, frame, state, made, time.perf_counter() - started)

    def _jaxpr(self, fn, frame, state, args, kwargs, leaves, made):
        """Trace `fn` in `frame`; notes about its outputs go into `made`."""

        def traced(state_arrays, arrays):
            with frame:
                for box, array in zip(state, state_arrays):
                    frame.given(box, array)
                boxes = [wrap(a, frame) for a in arrays]
                result = fn(*join(args, boxes), **join(kwargs, boxes))
                outs = []
                made["result"] = outputs(result, outs)
                changed = [i for i, (b, a) in enumerate(zip(boxes, arrays)) if b._data is not a]
                made["changed"] = changed
                changed_arrays = [boxes[i]._data for i in changed]
            given = {id(b): a for b, a in zip(state, state_arrays)}
            # state that comes back as it was is not carried
            kept = [(b, a) for b, a in zip(*frame.outputs()) if a is not given.get(id(b))]
            made["written"], new = [b for b, _ in kept], [a for _, a in kept]
            frame.vals.clear()  # traced values end with their trace
            made["n"] = len(outs)
            frame.forget_values()
            arrays = [*outs, *changed_arrays, *new]
            for close in closings:
                arrays = close(arrays, frame)
            return arrays

        try:
            return jax.make_jaxpr(traced)([_slot.__get__(b) for b in state], [b._data for b in leaves])
        finally:
            frame.forget_values()  # also after an error
            for box, what in frame.stored:
                box._rebind_raw(Leaked(what), None)

    def _compile(self, closed, frame, state, made, seconds):
        entry = Entry()
        written = made["written"]
        ids = {id(b) for b in written}
        position = {id(b): i for i, b in enumerate(state)}
        read = [b for b in state if (id(b) in frame.read or not b._through_frames) and id(b) not in ids]
        used = {id(v) for part in (closed.jaxpr, *closed.jaxpr.eqns) for v in _inputs(part)}
        entry.name, entry.known = self.name, state
        entry.mut = written
        entry.ro = [b for b in read if id(closed.jaxpr.invars[position[id(b)]]) in used]
        entry.result, entry.n_out, entry.mutated = made["result"], made["n"], made["changed"]
        mut_at, ro_at = [position[id(b)] for b in entry.mut], [position[id(b)] for b in entry.ro]
        count, call = len(state), jaxpr_as_fun(closed)
        unread = [
            (i, b.shape, _slot.__get__(b).dtype) for i, b in enumerate(state) if i not in set(mut_at) | set(ro_at)
        ]
        n, m = entry.n_out, len(entry.mutated)

        def pure(mut, ro, leaves):
            arrays = [None] * count
            for i, a in zip(mut_at, mut):
                arrays[i] = a
            for i, a in zip(ro_at, ro):
                arrays[i] = a
            for i, shape, dtype in unread:
                arrays[i] = jnp.zeros(shape, dtype)  # never used: XLA drops it
            outs = call(*arrays, *leaves)
            return outs[:n], outs[n : n + m], outs[n + m :]

        pure.__name__ = pure.__qualname__ = _identifier(self.name)
        entry.pure = pure
        entry.donate = not closed.effects  # a callback may raise: then the old state must still be there
        entry.start = launcher(closed, [*entry.mut, *entry.ro])
        entry.held = getattr(entry.start, "held", None)  # how often what starts the program holds an array itself
        entry.executable = entry.start(pure, donate=(0,) if entry.donate else ())
        entry.guards = [(c, c._compile_state()) for c in frame.cells.values()]
        entry.constants = list(frame.captured.values())
        entry.params = [(b, b.dtype, b.shape, b.requires_grad) for b in [*written, *read] if b._through_frames]
        entry.epoch, entry.context = versions.epoch, context.snapshot()
        entry.forward, entry.scans, entry.plain = None, None, frame.plain
        entry.trace_seconds, entry.first_seconds, entry.calls = seconds, 0.0, 0
        return entry

    def _why(self, key):
        """Why a new trace is made, for `explain`."""
        if not self.entries:
            return "first call"
        if key in self.entries:
            changed = [
                type(c).__name__
                for e in self.entries[key]
                if not e.fallback
                for c, s in e.guards
                if c._compile_state() != s
            ]
            return (
                f"an attribute or flag of {', '.join(dict.fromkeys(changed))} changed"
                if changed
                else "a captured Tensor or Parameter changed"
            )
        last = next(reversed(self.entries))
        for i, (new, old) in enumerate(zip(key, last)):
            if new != old:
                return f"{watch.labels(self.fn, key)[i]}: {_key_text(old)} -> {_key_text(new)}"
        return f"the number of arguments changed from {len(last)} to {len(key)} parts"


def _inputs(part):
    """What an equation takes, or what a jaxpr gives: the uses of variables."""
    return part.outvars if hasattr(part, "eqns") else part.invars


def _identifier(name):
    return "".join(c if c.isalnum() else "_" for c in name) or "compiled"


def _key_text(part):
    if isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], tuple):
        return f"a Tensor of shape {part[0]} and dtype {part[1]}"
    return repr(part[1]) if isinstance(part, tuple) and len(part) == 2 else repr(part)


# --- @jit
def jit(function=None, *args, **options):
    """Compile a function, or the `construct` of a Cell, the first time it is called with a new signature.

    Tensors are inputs; everything else (numbers, strings, Cells, ...) is a constant of the compiled variant. What cannot be compiled
    runs eagerly with one warning, or raises with `fullgraph=True`. The other options steer MindSpore's own compiler and are accepted.

    Example:
        >>> @jit
        ... def double(x):
        ...     return x * 2
        >>> double(Tensor([1.0]))
    """
    unknown = set(options) - _JIT_OPTIONS
    if unknown:
        raise TypeError(f"For 'jit', unknown options {sorted(unknown)}; accepted are {sorted(_JIT_OPTIONS)}.")
    if function is None or isinstance(function, str):
        return functools.partial(jit, **options)
    if options.get("fn") is not None:
        function = options["fn"]
    fullgraph = bool(options.get("fullgraph", False))
    if hasattr(function, "_compile_state"):  # a Cell
        function._jit_options = {"fullgraph": fullgraph}
        function._always_compile = True
        return function
    if not callable(function):
        raise TypeError(f"For 'jit', the 'function' must be a function or a Cell, but got {type(function).__name__}.")
    compiled = Compiled(function, fullgraph=fullgraph)

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return compiled(*args, **kwargs)

    wrapper.__wrapped__ = function
    wrapper._compiled = compiled
    return wrapper


_JIT_OPTIONS = {
    "fn",
    "mode",
    "input_signature",
    "hash_args",
    "jit_config",
    "compile_once",
    "capture_mode",
    "jit_level",
    "dynamic",
    "fullgraph",
    "backend",
    "obj",
}


def mutable(input_data, dynamic_len=False):
    """Make Python numbers inputs of compiled functions instead of constants, so that a new value does not compile again.

    Tensors stay as they are; lists, tuples and dicts are converted inside. `dynamic_len` is accepted: a new length traces again.
    """
    if isinstance(input_data, bool) or not isinstance(input_data, (int, float, tuple, list, dict, Tensor)):
        raise TypeError(
            f"For 'mutable', the 'input_data' should be one of (int, float, Tensor, tuple[Tensor], list[Tensor], dict[Tensor]), but got {input_data!r}."
        )
    if isinstance(input_data, Tensor):
        return input_data
    if isinstance(input_data, (tuple, list)):
        return type(input_data)(mutable(v) if not isinstance(v, bool) else v for v in input_data)
    if isinstance(input_data, dict):
        return {k: mutable(v) for k, v in input_data.items()}
    return _MutableInt(input_data) if isinstance(input_data, int) else _MutableFloat(input_data)


class _MutableInt(Mutable, int):
    """An int that compiled functions take as an input."""

    __slots__ = ()

    @property
    def value(self):
        return int(self)


class _MutableFloat(Mutable, float):
    """A float that compiled functions take as an input."""

    __slots__ = ()

    @property
    def value(self):
        return float(self)


def instances():
    """All compiled functions that exist, for reports."""
    return list(_instances)


def leaked(error):
    """Whether an error of jax says that a traced value was used after its trace."""
    return isinstance(error, UnexpectedTracerError)


__all__ = ["Compiled", "jit", "mutable"]
