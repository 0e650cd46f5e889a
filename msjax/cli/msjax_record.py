"""Records the values that a MindSpore script computes, Cell by Cell, so that two runs can be compared number by number.

This file stands alone: it needs NumPy and a MindSpore of 1.5 or newer (or msjax in its place), nothing else. Copy it to
the machine where MindSpore runs:

    python msjax_record.py train.py --out run.npz [--steps 3] [arguments of the script]

It runs the script operator by operator (PYNATIVE_MODE, no data sinking; `--graph` leaves that to the script), and writes for
each call of a Cell its inputs and outputs, for each call of an optimizer the gradients and the Parameters afterwards, the initial
values of all Parameters, what random operators drew, and the batches that the data pipeline gave. `msjax diff run.npz train.py`
runs the script on msjax from these values and compares.
"""

import argparse
import json
import os
import random
import runpy
import sys
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

VERSION = 1
RANDOM_FUNCTIONS = (
    "bernoulli gamma laplace log_uniform_candidate_sampler multinomial multinomial_with_replacement normal poisson rand "
    "rand_like randint randint_like randn randn_like random_categorical random_gamma random_poisson randperm rrelu "
    "standard_laplace standard_normal uniform uniform_candidate_sampler"
).split()
RANDOM_PRIMITIVES = (
    "Bernoulli Gamma Multinomial MultinomialWithReplacement ParameterizedTruncatedNormal Poisson RandomCategorical "
    "RandomGamma RandomPoisson RandomShuffle Randperm RandpermV2 StandardLaplace StandardNormal TruncatedNormal UniformInt "
    "UniformReal"
).split()
DROPOUT_FUNCTIONS = "dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout".split()
DROPOUT_LAYERS = "Dropout Dropout1d Dropout2d Dropout3d".split()


class Finished(BaseException):
    """Leaves the script once enough steps are recorded; not an Exception, so that the script does not catch it."""


class Recording:
    """The recorded values of one run.

    arrays: the values. events: in the order in which they were finished, dicts with `kind` ("call", "gradient", "parameter"),
    `path`, `number` (how many such events the path had before), `line` ("file:line" in the user's code) and the places of their
    values in `arrays`.
    """

    def __init__(self, meta: dict | None = None, events: list | None = None, arrays: Any = None):
        self.meta = meta if meta is not None else {"version": VERSION}
        self.events = events if events is not None else []
        self.arrays = arrays if arrays is not None else {}

    def store(self, value: Any, whole: bool = True):
        """Store an array and return its description for the event; with `whole` False a large array is sampled."""
        array, dtype = value
        row = {"shape": list(array.shape), "dtype": dtype}
        limit = self.meta.get("sample")
        if limit and not whole and array.size > limit:
            row["sampled"] = True
            array = sampled(array, limit)
        row["at"] = f"a{len(self.arrays)}"
        self.arrays[row["at"]] = array
        return row

    def save(self, path: str):
        """Write one .npz file, compressed."""
        text = json.dumps({"meta": self.meta, "events": self.events}).encode("utf-8")
        np.savez_compressed(path, record=np.frombuffer(text, np.uint8), **self.arrays)

    @classmethod
    def load(cls, path: str, read: Callable = np.load):
        """Read a recording that `save` wrote; `read` returns the arrays of a file by name.

        Raises:
            ValueError: the file is not a recording.
        """
        try:
            arrays = dict(read(path))
            text = json.loads(bytes(arrays.pop("record")).decode("utf-8"))
            return cls(text["meta"], text["events"], arrays)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise ValueError(
                f"{path} is not a recorded run: make one with `python msjax_record.py train.py --out run.npz` ({error})"
            ) from error


def sampled(array: Any, limit: int):
    """`limit` elements of an array, evenly spread."""
    return array.reshape(-1)[np.linspace(0, array.size - 1, limit).astype(np.int64)]


class Session:
    """One run of a script with everything recorded.

    replay: a Recording whose initial values, draws and batches are used in place of new ones. steps: optimizer calls until the
    script is left; 0: it runs to its end. eager: GRAPH_MODE and `jit` are switched off. sample: of larger arrays keep that many
    elements. formula: initial values are drawn by NumPy from the Parameter's name (and need not be stored). compiled: reaches the
    values inside compiled functions (`msjax.cli.compiled_values`); without it, and not eager, only whole networks are seen.
    """

    def __init__(
        self,
        replay: Any = None,
        steps: int = 3,
        eager: bool = True,
        sample: int = 0,
        formula: bool = False,
        compiled: Any = None,
    ):
        self.recording = Recording()
        meta = self.recording.meta
        meta.update(
            steps=steps, eager=eager, sample=sample, formula=formula, initial={}, draws={}, batches=[], numpy=None
        )
        self.meta, self.replay, self.steps, self.eager = meta, replay, steps, eager
        self.compiled = None if eager else compiled
        self.names, self.roots = {}, {}  # id of a Cell -> its path, -> the Cell
        self.counts, self.known = {}, {}  # path -> events; name -> Parameter
        self.depth = self.done = self.iterators = 0
        self.alone = False  # within what is not recorded
        self.undo = []

    # --- the framework, reached through its public names only
    def patch(self, owner: Any, name: str, make: Callable):
        """Replace an attribute by `make(old)` until the run ends."""
        old = getattr(owner, name, None)
        if old is None:
            return
        own = name in vars(owner)
        new = make(old)
        try:
            setattr(owner, name, new)
        except (AttributeError, TypeError):
            return
        self.undo.append((owner, name, old if own else None))

    def attach(self):
        """Put the recorder around Cells, optimizers, random operators and data pipelines."""
        import mindspore as ms
        from mindspore import nn, ops

        self.ms = ms
        self.tensor, self.parameter = ms.Tensor, ms.Parameter
        self.optimizers = tuple(
            o for o in (getattr(nn, "Optimizer", None), _attribute(ms, "experimental.optim.Optimizer")) if o
        )
        self.home = os.path.dirname(os.path.abspath(ms.__file__))
        self.meta["made_with"] = {
            "framework": "msjax" if os.path.basename(self.home) == "msjax" else "MindSpore",
            "version": ms.__version__,
            "numpy": np.__version__,
        }
        if self.eager:
            ms.context.set_context(mode=ms.context.PYNATIVE_MODE)
            for owner in (ms, ms.context):
                self.patch(owner, "set_context", _stays_eager)
            self.patch(ms, "jit", _identity)
            self.patch(ms, "ms_function", _identity)
        elif self.compiled:
            for name in ("jit", "ms_function"):
                self.patch(ms, name, lambda old: self.compiled.jit(old, self.finish))
        for name in ("train", "fit", "eval"):
            self.patch(ms.Model if hasattr(ms, "Model") else ms.train.Model, name, _without_sinking)
        self.patch(nn.Cell, "__call__", self._cell_call)
        for kind in self.optimizers:
            self.patch(kind, "__init__", self._optimizer_made)
        self._attach_random(ms, nn, ops)
        dataset = __import__("mindspore.dataset", fromlist=["dataset"])
        base = next(c for c in dataset.GeneratorDataset.__mro__ if "create_tuple_iterator" in vars(c))
        for name in ("create_tuple_iterator", "create_dict_iterator"):
            self.patch(base, name, self._iterator)

    def _attach_random(self, ms, nn, ops):
        mint = getattr(ms, "mint", None)
        functional = _attribute(ms, "mint.nn.functional")
        homes = [
            h for h in (ops, _attribute(ms, "ops.functional"), _attribute(ms, "ops.function"), mint, functional) if h
        ]
        for home in homes:
            for name in RANDOM_FUNCTIONS:
                if callable(getattr(home, name, None)):
                    self.patch(home, name, lambda old, name=name: self._draws("ops." + name, old))
            for name in DROPOUT_FUNCTIONS:
                if callable(getattr(home, name, None)):
                    self.patch(home, name, lambda old, name=name: self._drops("ops." + name, old))
        for name in RANDOM_PRIMITIVES:
            kind = getattr(ops, name, None)
            if kind is not None:
                self.patch(kind, "__call__", lambda old, name=name: self._draws(name, old))
        for home in (nn, _attribute(ms, "mint.nn")):
            for name in DROPOUT_LAYERS:
                kind = getattr(home, name, None)
                if kind is not None:
                    self.patch(kind, "construct", lambda old, name=name: self._drops(name, old, layer=True))

    def detach(self):
        """Take everything away again."""
        for owner, name, old in reversed(self.undo):
            if old is None:
                delattr(owner, name)
            else:
                setattr(owner, name, old)
        self.undo = []

    def array(self, value: Any):
        """(NumPy array, name of the dtype) of a Tensor."""
        dtype = _dtype(value)
        if "bfloat16" in dtype:
            value = value.astype(self.ms.float32)
        return np.array(value.asnumpy()), dtype

    def tensors(self, value: Any):
        """The Tensors in a value, in order, through tuples, lists and dicts."""
        if isinstance(value, self.tensor):
            return [value]
        if isinstance(value, (tuple, list)):
            return [t for v in value for t in self.tensors(v)]
        if isinstance(value, dict):
            return [t for v in value.values() for t in self.tensors(v)]
        return []

    # --- Cells
    def _cell_call(self, old):
        def call(cell, *args, **kwargs):
            hidden = type(cell).__name__[0] == "_"  # a private part: another version may be built otherwise
            within = self._within(self.tensors((args, kwargs)))
            if self.alone or hidden or not (self.eager or self.compiled) and (within or self.depth):
                return old(cell, *args, **kwargs)
            if self.depth == 0:
                self._root(cell, within)
            self.depth += 1
            try:
                if isinstance(cell, self.optimizers):
                    out = self._step(cell, old, args, kwargs)
                else:
                    out = self._recorded_call(cell, old, args, kwargs)
            finally:
                self.depth -= 1
            if not within:
                self.finish()
            return out

        return call

    def _recorded_call(self, cell, old, args, kwargs):
        inputs = self.tensors((args, kwargs))
        kept = [self._kept(t) for t in inputs]  # as they are before the call
        line = self.line()
        inner = _inside(sys._getframe(2).f_code.co_filename, self.home) and self._ours(cell)
        out = old(cell, *args, **kwargs)
        outputs = [self._kept(t) for t in self.tensors(out)]
        path = self.names.get(id(cell), type(cell).__name__)

        def note(values):
            given, made = values[: len(kept)], values[len(kept) :]
            self.event("call", path, line, given, made, cell=type(cell).__name__, inner=inner)

        self._when_run(note, kept + outputs)
        if (
            not self.eager
            and not self.compiled
            and any(isinstance(c, self.optimizers) for _, c in cell.cells_and_names())
        ):
            self._stepped(cell.get_parameters(), line)  # a compiled training step
        return out

    def finish(self):
        """Leave the script if all steps are recorded."""
        if self.depth or self.alone:
            return
        if self.compiled:
            self.compiled.done()
        if self.done >= self.steps > 0:
            raise Finished

    def _within(self, tensors):
        """Whether this is a part of a function that is being compiled."""
        return self.compiled.tracing() if self.compiled else _traced(tensors)

    def _kept(self, tensor):
        """(NumPy array, name of the dtype) of a Tensor; in a function that is being compiled, (Tensor, name of the dtype)."""
        if not self._within([tensor]):
            return self.array(tensor)
        dtype = _dtype(tensor)
        return self.compiled.kept(tensor.astype(self.ms.float32) if "bfloat16" in dtype else tensor), dtype

    def _when_run(self, note, kept):
        """Call `note` with the values that `_kept` returned: now, or each time the compiled function reaches this
        place.
        """
        if not self._within([]) and not any(hasattr(value, "asnumpy") for value, _ in kept):
            note(kept)
            return
        dtypes = [dtype for _, dtype in kept]
        self.compiled.told(lambda arrays: note(list(zip(arrays, dtypes))), [value for value, _ in kept])

    def _ours(self, cell):
        """Whether a Cell's class is the framework's own."""
        return _inside(getattr(sys.modules.get(type(cell).__module__), "__file__", None) or "", self.home)

    def _root(self, cell, within):
        if id(cell) not in self.roots:
            same = sum(type(c).__name__ == type(cell).__name__ for c in self.roots.values())
            name = type(cell).__name__ + ("" if not same else f"#{same + 1}")
            self.roots[id(cell)] = cell
            for path, part in cell.cells_and_names():
                if not path:
                    self.names[id(part)] = name  # a root has its own name, also inside another
                else:
                    self.names.setdefault(id(part), path)
            own = {
                p.name for _, part in cell.cells_and_names() if isinstance(part, self.optimizers) for p in _own(part)
            }
            self.initial(cell.get_parameters(), within, own)

    def line(self):
        """file:line of the innermost frame in the user's code."""
        frame = sys._getframe(1)
        while frame is not None:
            file = frame.f_code.co_filename
            if file != __file__ and not _inside(file, self.home) and file[:1] != "<" and not _of_python(file):
                return f"{file}:{frame.f_lineno}"
            frame = frame.f_back
        return ""

    def event(self, kind: str, path: str, line: str, inputs: Sequence = (), outputs: Sequence = (), **more):
        """Note an event; the values are (array, dtype)."""
        number = self.counts.get((kind, path), 0)
        self.counts[kind, path] = number + 1
        keep = self.recording.store
        row = {"kind": kind, "path": path, "number": number, "line": line, "step": self.done}
        row.update(more, inputs=[keep(v, False) for v in inputs], outputs=[keep(v, False) for v in outputs])
        self.recording.events.append(row)

    # --- Parameters
    def initial(self, parameters: Any, within: bool = False, settings: Any = ()):
        """Note, or set, the initial values of Parameters that are seen for the first time.

        within: in a function that is being compiled, where only optimizers make Parameters: these start from zeros.
        settings: names of Parameters that no formula may change (the learning rates of an optimizer).
        """
        recorded = self.replay.meta["initial"] if self.replay else {}
        formula = self.replay.meta["formula"] if self.replay else self.meta["formula"]
        for p in parameters:
            if p.name in self.known:
                continue
            self.known[p.name] = p
            if within:
                continue
            row = recorded.get(p.name)
            if formula:
                value, dtype = self.array(p)
                if p.name not in settings and value.dtype.kind == "f" and value.size > 1 and np.ptp(value) > 0:
                    drawn = np.random.RandomState(zlib.crc32(p.name.encode())).standard_normal(value.shape)
                    # a scale that both runs agree on, near what the initializers give
                    scale = 1.0 / np.sqrt(max(1.0, np.prod(value.shape[1:])))
                    p.set_data(self.as_tensor((drawn * scale).astype(value.dtype), dtype))
                continue
            if row is not None and list(p.shape) == row["shape"]:
                p.set_data(self.as_tensor(self.replay.arrays[row["at"]], row["dtype"]))
            self.meta["initial"][p.name] = self.recording.store(self.array(p))

    def as_tensor(self, array: Any, dtype: Any):
        """A Tensor of a recorded value."""
        made = self.ms.Tensor(array)
        return made.astype(self.ms.bfloat16) if "bfloat16" in dtype else made

    def _optimizer_made(self, old):
        def init(optimizer, *args, **kwargs):
            old(optimizer, *args, **kwargs)
            self.initial(getattr(optimizer, "parameters", ()))

        return init

    def _step(self, optimizer, old, args, kwargs):
        """A call of an optimizer; its own parts are not recorded."""
        line = self.line()
        for p, gradient in zip(optimizer.parameters, self.tensors(args[:1])):
            self._when_run(
                lambda kept, name=p.name: self.event("gradient", name, line, outputs=kept), [self._kept(gradient)]
            )
        out = self._alone(old, optimizer, *args, **kwargs)
        self._stepped(optimizer.get_parameters(), line)
        return out

    def _stepped(self, parameters, line):
        """Note all Parameters after a step."""
        parameters = list(parameters)
        self.initial(parameters, self._within([]), {p.name for p in parameters})  # state that was made only now
        names = list(self.known)

        def note(kept):
            self.done += 1
            for name, value in zip(names, kept):
                self.event("parameter", name, line, outputs=[value])

        self._when_run(note, [self._kept(self.known[name]) for name in names])

    # --- what is drawn
    def _draw(self, name, make):
        """The next value of a random operator: the recorded one, or a new one, which is noted."""
        rows = self.meta["draws"].setdefault(name, [])
        recorded = self.replay.meta["draws"].get(name, []) if self.replay else []
        if self._within([]):
            made = make()
            dtype = _dtype(made)

            def give(array):
                if len(rows) < len(recorded):
                    array = self.replay.arrays[recorded[len(rows)]["at"]]
                rows.append(self.recording.store((array, dtype)))
                return array

            return self.compiled.asked(give, made)
        if len(rows) < len(recorded):
            row = recorded[len(rows)]
            value = self.as_tensor(self.replay.arrays[row["at"]], row["dtype"])
        else:
            value = make()
        rows.append(self.recording.store(self.array(value)))
        return value

    def _draws(self, name, old):
        def call(*args, **kwargs):
            if self.alone or not (self.eager or self.compiled):
                return old(*args, **kwargs)
            return self._draw(name, lambda: self._alone(old, *args, **kwargs))

        return call

    def _alone(self, old, *args, **kwargs):
        """Call something whose own parts are not recorded."""
        before, self.alone = self.alone, True
        try:
            return old(*args, **kwargs)
        finally:
            self.alone = before

    def _drops(self, name, old, layer=False):
        """Replace dropout by a product with its own mask (the dropout of ones), which can be recorded."""
        at = 1 if layer else 0

        def call(*args, **kwargs):
            if self.alone or not (self.eager or self.compiled) or len(args) <= at or (layer and not args[0].training):
                return old(*args, **kwargs)
            x = args[at]
            path = self.names.get(id(args[0]), name) if layer else name

            def make():
                ones = self.ms.Tensor(np.ones(tuple(x.shape), np.float32)).astype(x.dtype)
                return self._alone(old, *args[:at], ones, *args[at + 1 :], **kwargs)

            return x * self._draw(path, make)

        return call

    # --- data
    def _iterator(self, old):
        def make(*args, **kwargs):
            rows = self.replay.meta["batches"] if self.replay else []
            number, self.iterators = self.iterators, self.iterators + 1
            as_arrays = bool(kwargs.get("output_numpy", False))
            recorded = rows[number] if number < len(rows) else []
            kept = []
            self.meta["batches"].append(kept)
            return self._batches(old(*args, **kwargs), recorded, kept, as_arrays)

        return make

    def _batches(self, iterator, recorded, kept, as_arrays):
        for i, batch in enumerate(iterator):
            parts = batch.items() if isinstance(batch, dict) else enumerate(batch)
            names, values = zip(*parts)
            if i < len(recorded):
                values = [self._given(v, row, as_arrays) for v, row in zip(values, recorded[i])]
            arrays = [(np.array(v), str(v.dtype)) if isinstance(v, np.ndarray) else self.array(v) for v in values]
            kept.append([self.recording.store(a) if a[0].dtype.kind in "biufc" else None for a in arrays])
            yield dict(zip(names, values)) if isinstance(batch, dict) else type(batch)(values)

    def _given(self, value, row, as_arrays):
        if row is None:
            return value
        array = self.replay.arrays[row["at"]]
        return array if as_arrays else self.as_tensor(array, row["dtype"])

    # --- running
    def run(self, start: Callable):
        """Record the values that `start()` computes; returns the Recording.

        start: runs the script. What it raises, beyond SystemExit, goes on after the recorder is taken away.
        """
        self.seed()
        self.attach()
        try:
            start()
        except (Finished, SystemExit):
            pass
        finally:
            self.detach()
        return self.recording

    def seed(self):
        """NumPy's and Python's own generators start alike in both runs."""
        seed = self.replay.meta["numpy"] if self.replay else int.from_bytes(os.urandom(4), "little")
        self.meta["numpy"] = seed
        np.random.seed(seed)
        random.seed(seed)


def _dtype(tensor):
    """Name of a Tensor's dtype."""
    return str(tensor.dtype).replace("mindspore.", "").lower()


def _traced(tensors):
    """Whether a Tensor has no content yet, as within a function that msjax compiles."""
    return any(type(getattr(t, "_data", None)).__name__.endswith("Tracer") for t in tensors)


def _own(optimizer):
    """The Parameters of an optimizer that are not the network's: rates, moments, steps."""
    trained = {id(p) for p in optimizer.parameters}
    return [p for p in optimizer.get_parameters() if id(p) not in trained]


def _attribute(owner, path):
    for name in path.split("."):
        owner = getattr(owner, name, None)
    return owner


def _inside(file, folder):
    return file.startswith(folder + os.sep)


_PYTHON = os.path.dirname(os.path.abspath(os.__file__))


def _of_python(file):
    """Whether a file is of Python itself, or of jax."""
    before, installed, package = file.rpartition(os.sep + "site-packages" + os.sep)
    if installed:
        return package.split(os.sep)[0] in ("jax", "jaxlib", "optax")
    return _inside(file, _PYTHON)


def _identity(old):
    def decorate(fn=None, *args, **kwargs):
        return fn if callable(fn) else lambda f: f

    return decorate


def _stays_eager(old):
    def set_context(*args, **kwargs):
        if args:
            args = (1,) + args[1:]
        if "mode" in kwargs:
            kwargs["mode"] = 1  # PYNATIVE_MODE
        return old(*args, **kwargs)

    return set_context


def _without_sinking(old):
    def call(*args, **kwargs):
        kwargs["dataset_sink_mode"] = False
        return old(*args, **kwargs)

    return call


def options(prog: str):
    """The parser of a recording's options."""
    parser = argparse.ArgumentParser(prog=prog, description=__doc__.split("\n")[0])
    parser.add_argument("script", nargs="?", help="the script, unchanged; options that are not listed here are its own")
    parser.add_argument("--out", default="run.npz", help="the file to write (run.npz)")
    parser.add_argument(
        "--steps", type=int, default=3, help="optimizer calls after which the script is left (3); 0: its end"
    )
    parser.add_argument(
        "--graph", action="store_true", help="leave GRAPH_MODE as it is: of MindSpore only whole networks are seen"
    )
    parser.add_argument(
        "--sample", type=int, default=0, help="of arrays larger than this keep that many elements (0: all)"
    )
    parser.add_argument(
        "--formula", action="store_true", help="start from values drawn by NumPy for each name, which are not stored"
    )
    return parser


def record(given: Any, session: Any, start: Callable):
    """Run a script in a Session by `start()` and write the file, also when the script fails."""
    try:
        session.run(start)
    finally:
        session.recording.save(given.out)
        sys.stderr.write(f"{given.out}: {session.done} steps, {len(session.recording.events)} events\n")


def main(argv: list[str] | None):
    """The command line; see the text at the top of this file."""
    parser = options("msjax_record.py")
    given, rest = parser.parse_known_args(argv)
    if given.script is None:
        parser.error("which script?")
    session = Session(steps=given.steps, eager=not given.graph, sample=given.sample, formula=given.formula)
    sys.argv[:] = [given.script] + [a for a in rest if a != "--"]
    sys.path.insert(0, os.path.dirname(os.path.abspath(given.script)))
    record(given, session, lambda: runpy.run_path(given.script, run_name="__main__"))


if __name__ == "__main__":
    main(sys.argv[1:])
