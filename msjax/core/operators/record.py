"""The operator record: one pure function on arrays, and everything that is made of it.

    @op(prim=Prim("ReduceSum", init=args(keepdim=False), call=args("x", axis=()), to={"x": "input", "axis": "dim"}), tensor="sum", mint="sum")
    def sum(input: Array, dim: Static[Axis] = None, keepdim: bool = False, *, dtype: Dtype | None = None):
        return jnp.sum(...)

The function sees arrays. The record calls it with Tensors: eagerly as one cached `jax.jit` call, inside a trace plainly, under
a gradient tape with a recorded backward. A *face* is a spelling of the record: `ops.sum`, `ops.ReduceSum()(x)`, `Tensor.sum`,
`mint.sum`; `faces.py` makes them when they are first asked for, so importing ten families costs no more than reading them.

What becomes an array: every Tensor, NumPy or JAX array wherever it stands (also inside lists and tuples), and Python numbers
given for an *operand*, which the parameter's annotation says. Everything else is static: it selects the compiled variant by value.
"""

import inspect
import os
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from .. import spec
from ..above import above
from ..compat import TRACED_VALUE_ERRORS, Tracer
from ..errors import describe, of_program
from ..foreign_messages import NO_OPERAND, decided_type, in_plain_words, says
from ..host import wide
from ..settings import context
from ..settings.execution_state import here
from ..spec.misfit import misfit
from ..values.ownership import hand_out
from ..values.tensor import Tensor, device_array, wrap
from . import ranges
from .arguments import ARRAY, NUMBERS, gather, plain, scatter
from .casts import call_in
from .forward import ARRAYS, Forward, is_array, strong, wrap_tree
from .number_arguments import NumberArguments
from .own_calls import KINDS as OWN_CALLS
from .own_calls import taker
from .ranges import Checked
from .rows import KINDS, Face, row_of
from .views import STORES, changed, link

_PLAIN = (int, bool, float, str)
_KINDS = (
    TypeError,
    ValueError,
    IndexError,
    KeyError,
    RuntimeError,
    ZeroDivisionError,
    NotImplementedError,
)  # that are explained
_LISTS = (tuple, list)
_VALUE_NEEDED = "a Tensor stands where a Python value is needed."
_MOST_VARIANTS = 1024  # compiled for one operator; a new one takes the place of the oldest
_STRICT = type("_STRICT", (), {})()  # in the cache keys of check mode, whose programs look at more
records = {}  # unique record name -> Record
functions = {}  # name in mindspore.ops -> (record, row of the face)
primitives = {}  # Primitive class name -> (record, row)
tensor_methods = {}  # Tensor method name -> (record, row)
mint_functions = {}  # dotted name below mindspore.mint -> (record, row)
numpy_functions = {}  # dotted name below mindspore.numpy -> (record, row)
_TABLES = {
    "ops": functions,
    "prim": primitives,
    "tensor": tensor_methods,
    "mint": mint_functions,
    "np": numpy_functions,
}


class Record:
    """One operator.

    fn: the pure function; the annotations of its parameters (`core.spec`) say which take Python numbers as arrays, which must be Python
    values (shapes, axes): a Tensor given for one is read. operands, static: their names, where a function has no annotations.
    random: `fn` gets a PRNG key first; its parameters that are a `Seed` choose the stream that the key comes from.
    dynamic: the result's shape depends on values, so it runs un-jitted on concrete arrays. writes: indices of the arguments that
    receive the first outputs of `fn` (an assignment); the call returns what is left, or those arguments. residuals: under a tape
    the forward saves what the backward needs, instead of computing the forward again (worth it for matmul, conv, norms, RNN).
    composite: `fn` works on Tensors and calls other operators; it is called as it is.
    view: in eager code the results share their content with the first argument.
    states: a Primitive that writes Parameters: their shapes stay, and no list stands for a Tensor.
    """

    __slots__ = (
        "name",
        "fn",
        "params",
        "names",
        "marks",
        "operand",
        "random",
        "dynamic",
        "writes",
        "residuals",
        "composite",
        "static",
        "view",
        "doc",
        "title",
        "seeds",
        "states",
        "no_lists",
        "_forward",
        "numbers",
        "rows",
    )

    def __init__(
        self,
        fn: Callable,
        name: str,
        operands: Sequence[str] = (),
        random: bool = False,
        dynamic: bool = False,
        writes: Sequence[str] = (),
        residuals: bool = False,
        composite: bool = False,
        title: str | None = None,
        static: Sequence[str] = (),
    ):
        self.name, self.random, self.dynamic, self.writes = name, random, dynamic, writes
        self.fn = wide(fn) if composite else fn  # the others are run by a `Forward`
        self.residuals, self.composite, self.title = residuals, composite, title or name
        self.operand, self.static = operands, static
        self.params, self.view, self.states, self.no_lists = None, False, False, ()
        self._forward, self.numbers, self.rows = {}, None, []

    def signature(self):
        """Parameters of the function as the caller sees them (without the key of random operators)."""
        if self.params is None:
            params = list(inspect.signature(self.fn).parameters.values())[1 if self.random else 0 :]
            self.operand, self.static = (n() if callable(n) else n for n in (self.operand, self.static))
            named = self.operand
            self.params = params
            self.names = [p.name for p in params]
            self.marks = [spec.marks(p) for p in params]
            self.operand = [p.name in named if named else spec.is_operand(p, m) for p, m in zip(params, self.marks)]
            static = [i for i, marks in enumerate(self.marks) if spec.STATIC in marks]
            self.static = tuple(self.names.index(n) for n in self.static) or tuple(static)
            self.operand = [o and i not in self.static for i, o in enumerate(self.operand)]
            variadic = [p.kind is p.VAR_POSITIONAL for p in params]
            self.seeds = [i for i, marks in enumerate(self.marks) if spec.SEED in marks] if self.random else []
            if self.states:
                self.no_lists = [i for i, p in enumerate(params) if jax.Array in spec.plain_types(p.annotation)]
            self.numbers = NumberArguments(self._compiled, [spec.MOVES in marks for marks in self.marks])
            if any(variadic):
                self.operand = self.operand[: variadic.index(True)] + [True] * 64
        return self.params

    # --- calling
    def __call__(self, *args):
        """Call with all arguments in order (faces have filled in the defaults)."""
        if self.composite:
            return self.fn(*args)
        if self.params is None:
            self.signature()
        for i in self.static:
            if args[i] is not None and type(args[i]) not in _PLAIN:
                args = self._read_static(args)
                break
        state = here()
        if state.modes:
            return state.modes[-1]._intercept(self, args)
        if OWN_CALLS and (take := taker(args)) is not None:
            return take(self, args)
        active = state.recorder
        if state.casts:
            wanted = state.casts[-1](self.title)
            if wanted is not None:
                return call_in(self, args, *wanted)
        key, nested = [], None
        if self.random:
            arrays, boxes = [above.next_key(*[args[i] for i in self.seeds])], [None]
        else:
            arrays, boxes = [], []
        operand = self.operand
        for position, a in enumerate(args):
            kind = type(a)
            if kind is Tensor:
                boxes.append(a)
                arrays.append(a._data)
                key.append(ARRAY)
            elif a is None or kind is str:
                key.append(a)
            elif kind in NUMBERS:
                if operand[position]:
                    boxes.append(None)
                    arrays.append(a.item() if isinstance(a, np.generic) else a)
                    key.append(ARRAY)
                else:
                    key.append(kind)
                    key.append(a)
            else:
                if position in self.no_lists and kind in _LISTS:
                    error = f"the type of '{self.names[position]}' must be a Tensor, but got {kind.__name__}"
                    raise self.explain(TypeError(error), args)
                nested = nested or {}
                key.append(gather(a, arrays, boxes, nested, position, operand[position]))
        if self.dynamic:  # is not compiled, so it may give one of its inputs
            for box in boxes:
                if box is not None and box._through_frames:
                    hand_out(box)
        try:
            if active is not None and active.is_frame:
                return self._traced(args, arrays, boxes, nested, active)
            if (state.settings or context.process).strict:
                key.append(_STRICT)
            key = tuple(key)
            forward = self._forward.get(key)
            if forward is None:
                forward, numbers = self._variant(key, args, arrays, nested)
                if numbers:
                    arrays += numbers
                    boxes += [None] * len(numbers)
            if active is not None:
                out = self._finish(args, active.run(forward, arrays, boxes))
                return link(self, args, out) if self.view else out
            out = forward.call(*arrays)
            if type(out) is Checked:
                out = ranges.settle(out)
        except TRACED_VALUE_ERRORS as error:
            if active is not None and active.is_frame or any(isinstance(a, Tracer) for a in arrays):
                raise  # code that is being traced asks for a value: whoever traces it knows what to do
            raise self.explain(TypeError(_VALUE_NEEDED), args) from error.__cause__
        except OverflowError as error:
            beyond = any(type(a) is int and not -(1 << 63) <= a < 1 << 63 for a in args)
            if not beyond or str(error).startswith("For '"):
                raise self.explain(error, args) from None
            taken = self._with_unsigned(args)
            if taken is None:
                raise self.explain(RuntimeError("a whole number must fit 64 bits with its sign"), args) from None
            return self(*taken)
        except Exception as error:
            raise self.explain(error, args) from (error.__cause__ or None)
        if self.writes:
            return self._finish(args, wrap_tree(out))
        if self.view:
            return link(self, args, wrap_tree(out))
        return wrap(out) if type(out) in ARRAYS or is_array(out) else wrap_tree(out)

    def _with_unsigned(self, args):
        """The arguments with numbers of uint64 as Tensors where the operator takes such numbers; None if there is none."""
        at = [
            i
            for i, (a, marks) in enumerate(zip(args, self.marks))
            if type(a) is int and 1 << 63 <= a < 1 << 64 and spec.UNSIGNED in marks
        ]
        if not at:
            return None
        return [wrap(device_array(np.asarray(a, np.uint64))) if i in at else a for i, a in enumerate(args)]

    def _variant(self, key, args, arrays, nested):
        """(Forward, numbers that it takes besides the arrays) for a call that has none yet."""
        operand, numbers = self.operand, {}
        if not self.dynamic:
            numbers = self.numbers.of(args, operand)
        if numbers:
            setting, at = list(key), 0
            for i, a in enumerate(args):
                at += 2 if type(a) in NUMBERS and not operand[i] else 1
                if i in numbers:
                    setting[at - 1] = ARRAY
            found = self.numbers.forward(
                numbers, tuple(setting), arrays, lambda also, hand_on: self._rebuild(args, nested, also, hand_on)
            )
            if found is not None:
                return found
        while len(self._forward) >= _MOST_VARIANTS:
            self._forward.pop(next(iter(self._forward)), None)  # the oldest
        forward = self._forward[key] = self._compiled(self._rebuild(args, nested))
        return forward, None

    def _compiled(self, pure):
        return Forward(self.name, pure, self.residuals, not self.dynamic, written=len(self.writes))

    def forget(self):
        """Let go of all compiled variants; the next call compiles."""
        self._forward.clear()
        if self.numbers is not None:
            self.numbers.families.clear()

    def _read_static(self, args):
        """The arguments with Python values in the place of Tensors for static parameters."""
        changed = None
        for i in self.static:
            a = args[i]
            if a is not None and type(a) not in _PLAIN:
                changed = changed or list(args)
                changed[i] = plain(a)
        return args if changed is None else tuple(changed)

    def _rebuild(self, args, nested, also=(), hand_on=None):
        """Pure function of the flat arrays (for random operators: of the key first) that calls `fn` with arguments like `args`.

        also: positions of numbers that are further inputs, after the arrays. hand_on: a function of (the input, which of them) that
        gives what `fn` gets.
        """
        parts, count = {}, 1 if self.random else 0
        for position, a in enumerate(args):
            kind = type(a)
            if nested is not None and position in nested:
                tree, n = nested[position]
                parts[position] = (tree, count, n)
                count += n
            elif kind is Tensor or (kind in NUMBERS and self.operand[position]):
                parts[position] = (None, count, 1)
                count += 1
        fixed = [None if i in parts else a for i, a in enumerate(args)]  # keeps no Tensor alive
        keyword, fn, random = _keyword_only(self.params), self.fn, self.random

        def call(*arrays):
            full = list(fixed)
            for position, (tree, start, n) in parts.items():
                full[position] = arrays[start] if tree is None else scatter(tree, list(arrays[start : start + n]))
            for number, position in enumerate(also):
                full[position] = hand_on(arrays[count + number], number)
            named = dict(zip(keyword, full[len(full) - len(keyword) :])) if keyword else {}
            positional = full[: len(full) - len(keyword)]
            if random:
                positional.insert(0, jax.random.wrap_key_data(arrays[0]))
            return strong(fn(*positional, **named))

        call.__name__ = call.__qualname__ = self.name
        return call

    def _traced(self, args, arrays, boxes, nested, frame):
        captured = frame.root.captured
        for box in boxes:
            if box is not None and not box._through_frames and not isinstance(box._data, Tracer):
                captured[id(box)] = (box, box._data)
        with jax.named_scope(self.title):
            out = self._rebuild(args, nested)(*arrays)
        return self._finish(args, wrap_tree(out, frame), frame)

    def _finish(self, args, out, frame=None):
        """Write the outputs that belong to written arguments. A call without further outputs gives the Tensors, of Parameters their values."""
        if not self.writes:
            return out
        outs = out if type(out) is tuple else (out,)
        for index, new in zip(self.writes, outs):
            if new is None:  # an argument that may be left out, and was
                continue
            if self.states and new.shape != args[index].shape:
                error = f"the shape of '{self.names[index]}', {args[index].shape}, must stay, but its new value has {new.shape}."
                raise self.explain(ValueError(error), args)
            args[index]._assign(new._data, None if frame is not None else new._var)
            changed(args[index], self.name in STORES)
        left = outs[len(self.writes) :] or tuple(
            args[i] if not args[i]._through_frames else new for i, new in zip(self.writes, outs)
        )
        return left[0] if len(left) == 1 else left

    def _misfit(self, args, met, a_list=False):
        """The result of `spec.misfit` for a call. Types are compared first, as in MindSpore."""
        if self.params is None or any(p.kind is p.VAR_POSITIONAL for p in self.params):
            return None
        return misfit(zip(self.params, self.marks, self.operand), args, met, a_list)

    def explain(self, error: BaseException, args: Sequence):
        """The same error, in MindSpore's words and with the arguments' shapes and dtypes appended."""
        if isinstance(error, jax.errors.JaxRuntimeError):
            error = of_program(error)
        said = str(error)
        text = in_plain_words(said)
        if "\nArguments: " in text:
            return error
        kind = type(error)
        a_list = says("list as an index", error)  # where a Tensor is needed
        misfit = None
        if a_list or kind not in (TypeError, RuntimeError, NotImplementedError):
            misfit = self._misfit(args, a_list or says("shapes that do not meet", error), a_list)
        if misfit is not None:
            name, value, wanted = misfit
            reason = "" if a_list or kind is AttributeError else f": {text}"  # how that came to light helps nobody
            kind, text = TypeError, f"the type of '{name}' must be {wanted}, but got {_kind_name(value)}{reason}"
        elif kind is AttributeError:
            got = next((_kind_name(a) for a in args if isinstance(a, (list, tuple, dict))), None)
            kind, text = TypeError, f"{NO_OPERAND} {f'got {got}' if got else text}"
        elif kind is ZeroDivisionError:
            kind = ValueError
        elif not said.startswith("For '"):  # what operators say themselves has its type
            kind = decided_type(error) or kind
        if kind not in _KINDS:
            return error
        if says("operands of Python", error) and self.params is not None:
            given = ", ".join(f"{n}={_kind_name(a)}" for n, a in zip(self.names, args[:2]))
            valid = ", ".join(f"{n}=<Number, Tensor>" for n in self.names[:2])
            text = (
                f'Failed calling {self.title} with "{self.title}()({given})".\nThe valid calling should be: \n'
                f"\"{self.title}()({valid})\".\nFor '{self.title}', {text}"
            )
            return kind(f"{text}\nArguments: {', '.join(f'{n}={describe(a)}' for n, a in zip(self.names, args))}")
        prefix = "" if text.startswith("For '") or text.startswith("For primitive") else f"For '{self.title}', "
        if self.params is None or any(p.kind is p.VAR_POSITIONAL for p in self.params):
            shown = ", ".join(describe(a) for a in args)
        else:
            shown = ", ".join(f"{n}={describe(a)}" for n, a in zip(self.names, args))
        return kind(f"{prefix}{text}\nArguments: {shown}")


def _kind_name(value):
    """MindSpore's name for the type of an argument."""
    kind = type(value).__name__
    return {"str": "string", "NoneType": "None", "Parameter": "Tensor"}.get(kind, kind)


if os.environ.get("MSJAX_CHECK", "0") not in ("", "0"):
    context.set_context(check_indices=True)


def _keyword_only(params):
    return [p.name for p in params if p.kind is p.KEYWORD_ONLY]


def op(
    fn: Callable | None = None,
    /,
    *,
    name: str | None = None,
    ops: bool = True,
    prim: Any = None,
    tensor: Any = None,
    mint: Any = None,
    np: Any = None,
    operands: Sequence[str] = (),
    random: bool = False,
    dynamic: bool = False,
    writes: Sequence[str] = (),
    residuals: bool = False,
    composite: bool = False,
    static: Sequence[str] = (),
):
    """Register an operator; see the module's docstring, and `Record` for the keywords.

    `ops` is True (same name), False (no function), or one or more faces; `prim`, `tensor`, `mint`, `np` are faces, alone or in a
    tuple. A face is a name, or a row of `rows.py` where its parameters are not those of the function.

    The decorated function stays what it is, so one operator can call another on arrays.
    """

    def register(fn):
        record_name = name or fn.__name__
        if record_name in records:
            raise RuntimeError(
                f"The operator '{record_name}' is defined twice: in {records[record_name].fn.__module__} and {fn.__module__}."
            )
        first = prim if isinstance(prim, (str, Face)) or not prim else prim[0]
        title = getattr(first, "name", first)
        record = Record(fn, record_name, operands, random, dynamic, writes, residuals, composite, title, static)
        record.states = bool(writes and prim)
        records[record_name] = record
        for kind, specs in (
            ("ops", record_name if ops is True else ops),
            ("prim", prim),
            ("tensor", tensor),
            ("mint", mint),
            ("np", np),
        ):
            for given in (specs,) if isinstance(specs, (str, Face)) else specs or ():
                _claim(kind, row_of(given, KINDS[kind]), record)
        return fn

    return register if fn is None else register(fn)


def spellings(record: Record):
    """The names of all faces of an operator, below `mindspore`: "ops.sum", "ops.ReduceSum", "Tensor.sum", "mint.sum"."""
    spelled = {"ops": "ops", "prim": "ops", "tensor": "Tensor", "mint": "mint", "np": "numpy"}
    names = dict.fromkeys(row.name for row in record.rows)
    return [
        f"{spelled[kind]}.{name}"
        for kind, table in _TABLES.items()
        for name in names
        if name in table and table[name][0] is record and not name.startswith("_")
    ]


def _claim(kind, row, record):
    table = _TABLES[kind]
    if row.name in table:
        raise RuntimeError(
            f"The {kind} name '{row.name}' is claimed by two operators: {table[row.name][0].name} and {record.name}."
        )
    table[row.name] = (record, row)
    record.rows.append(row)


def composite(fn: Callable | None = None, /, **faces):
    """Register a function on Tensors that calls other operators; faces as for `op`."""
    return op(fn, composite=True, **faces) if fn is not None else op(composite=True, **faces)
