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
from typing import Any, TypedDict, Unpack

import jax
import numpy as np

from ..above import above
from ..compat import Tracer
from ..host import computes, wide
from ..settings import context, products
from ..settings.execution_state import here
from ..spec import kinds as spec
from ..values import ranges
from ..values.ownership import hand_out
from ..values.ranges import Checked
from ..values.tensor import Tensor, wrap
from .argument_kinds import checking, kinds_of, refuse
from .arguments import ARRAY, LISTS, NUMBERS, PLAIN_KINDS, gather, is_plain_list, is_whole, read_static, scatter
from .casts import CastParameter, call_in, changes, write_uncast
from .explained import explained
from .forward import ARRAYS, Forward, is_array, strong, wrap_tree
from .known import Step
from .limits import limits_of
from .number_arguments import NumberArguments
from .operand_types import rules_of
from .own_calls import KINDS as OWN_CALLS
from .own_calls import taker
from .rows import KINDS, Face, row_of
from .second_tries import tried_again
from .views import STORES, changed, link

_NUMBERS = frozenset((int, bool, float))
_MOST_VARIANTS = 1024  # compiled for one operator; a new one takes the place of the oldest
_STRICT = type("_STRICT", (), {})()  # in the cache keys of check mode, whose programs look at more
_UNDER_TAPE = type("_UNDER_TAPE", (), {})()  # in the keys of calls that a tape notes
_NO_KEY = np.zeros(2, np.uint32)  # of a random operator that draws nothing
records = {}  # unique record name -> Record
functions = {}  # name in mindspore.ops -> (record, row of the face)
primitives = {}  # Primitive class name -> (record, row)
tensor_methods = {}  # Tensor method name -> (record, row)
mint_functions = {}  # dotted name below mindspore.mint -> (record, row)
numpy_functions = {}  # dotted name below mindspore.numpy -> (record, row)


def _forget_ready():
    """A forked process forgets which calls need no look, so that they come to `host.refuse_if_forked`."""
    for record in records.values():
        if record._ready:
            record._ready.clear()


_TABLES = {
    "ops": functions,
    "prim": primitives,
    "tensor": tensor_methods,
    "mint": mint_functions,
    "np": numpy_functions,
}


class Options(TypedDict, total=False):
    """The options of an operator, besides its function and its faces.

    operands, static: names of the parameters that take Python numbers as arrays, and of those that must be Python values (shapes, axes),
    where the function has no annotations that say it. random: the function gets a PRNG key first; its parameters that are a `Seed` choose
    the stream that the key comes from. dynamic: the result's shape depends on values, so it runs un-jitted on concrete arrays. writes:
    indices of the arguments that receive the first outputs of the function (an assignment); the call returns what is left, or those
    arguments. residuals: under a tape the forward saves what the backward needs, instead of computing the forward again (worth it for matmul,
    conv, norms, RNN). composite: the function works on Tensors and calls other operators; it is called as it is.
    """

    operands: Sequence[str] | Callable
    static: Sequence[str] | Callable
    random: bool
    dynamic: bool
    writes: Sequence[int]
    residuals: bool
    composite: bool


class Record:
    """One operator.

    fn: the pure function; the annotations of its parameters (`core.spec`) say which take Python numbers as arrays, which must be Python
    values: a Tensor given for one is read. title: the name in messages. options: see `Options`.
    view: in eager code the results share their content with the first argument.
    states: a Primitive that writes Parameters: their shapes stay, and no list stands for a Tensor.
    followed: a trace notes how its results were made. instead: function of (record, arguments, arrays, frame) that gives its result in a
    trace in another way, or None.
    """

    __slots__ = (
        "name",
        "fn",
        "params",
        "names",
        "marks",
        "operand",
        "random",
        "training",
        "dynamic",
        "writes",
        "residuals",
        "composite",
        "static",
        "whole",
        "read",
        "view",
        "doc",
        "title",
        "seeds",
        "states",
        "no_lists",
        "followed",
        "instead",
        "_forward",
        "_ready",
        "numbers",
        "rows",
        "types",
        "kinds",
        "limits",
    )

    def __init__(self, fn: Callable, name: str, title: str | None = None, **options: Unpack[Options]):
        self.name, self.title = name, title or name
        self.operand, self.static = options.pop("operands", ()), options.pop("static", ())
        self.random, self.dynamic = options.pop("random", False), options.pop("dynamic", False)
        self.writes, self.residuals = options.pop("writes", ()), options.pop("residuals", False)
        self.composite = options.pop("composite", False)
        if options:
            raise TypeError(
                f"an operator has no option {next(iter(options))!r}: its options are {[*Options.__annotations__]}."
            )
        self.fn = wide(fn) if self.composite else fn  # the others are run by a `Forward`
        self.params, self.view, self.states, self.no_lists, self.whole, self.read = None, False, False, (), (), ()
        self.followed, self.instead, self.types, self.kinds, self.limits = False, None, None, None, None
        self._forward, self.numbers, self.rows = {}, None, []
        # Calls that need nothing but their program, by the types of their arrays and the values of all else; None where there are none.
        self._ready = None if self.random or self.dynamic or self.composite or self.writes else {}

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
            self.whole = [i for i, p in enumerate(params) if not self.operand[i] and is_whole(p)]
            variadic = [p.kind is p.VAR_POSITIONAL for p in params]
            self.read = self.static if any(variadic) else tuple(sorted({*self.static, *self.whole}))
            self.seeds = [i for i, marks in enumerate(self.marks) if spec.SEED in marks] if self.random else []
            self.training = self.names.index("training") if self.random and "training" in self.names else None
            if self.states:
                self.no_lists = [i for i, p in enumerate(params) if jax.Array in spec.plain_types(p.annotation)]
            self.types, self.kinds = rules_of(self.name, self.names), kinds_of(self.name, self.names)
            self.limits = limits_of(params)
            if self.composite:
                self.fn = checking(self.fn, self.kinds, self.limits, self)
            self.numbers = NumberArguments(self._compiled, [spec.MOVES in marks for marks in self.marks])
            if any(variadic):
                self.operand = self.operand[: variadic.index(True)] + [True] * 64
        return self.params

    # --- calling
    def __call__(self, *args):
        """Call with all arguments in order (faces have filled in the defaults).

        A call like an earlier one goes straight to its program, or under a tape to its variant: one key tells which, and that nothing is
        left to be decided for arrays of such types. Every other call, and one that fails here, is served by `_call`, which knows how.
        """
        ready, state = self._ready, here()
        tape = state.recorder
        if ready is None or tape is not None and tape.is_frame or state.modes or state.casts:
            return self._call(args, None)
        if (state.settings or context.process).strict:
            return self._call(args, None)
        try:
            key, arrays, boxes = [], [], []
            for position, a in enumerate(args):
                kind = type(a)
                if kind is Tensor:
                    array = a._data
                    arrays.append(array)
                    boxes.append(a)
                    key.append(array.aval)
                elif a is None or kind is str:
                    key.append(a)
                elif kind in _NUMBERS:
                    key.append(kind)
                    if self.operand[position]:
                        arrays.append(a)
                        boxes.append(None)
                    else:
                        key.append(a or repr(a))  # 0.0 and -0.0 are equal, and two values
                elif isinstance(a, Tensor):
                    if OWN_CALLS and isinstance(a, tuple(OWN_CALLS)):
                        return self._call(args, None)
                    array = a._lent
                    arrays.append(array)
                    boxes.append(a)
                    key.append(array.aval)
                elif kind in LISTS:
                    kinds = tuple(map(type, a))
                    if not PLAIN_KINDS.issuperset(kinds):
                        return self._call(args, None)
                    key += kind, kinds, tuple(map(repr, a) if float in kinds else a)
                else:
                    return self._call(args, None)
            if tape is not None:
                key.append(_UNDER_TAPE)
            key = tuple(key)
            program = ready.get(key)
            if program is None:
                return self._call(args, key)
            if tape is not None:
                out = tape.run(program, arrays, boxes)
                return link(self, args, out) if self.view else out
            out = program(*arrays)
        except Exception:  # it is not decided here what that means
            return self._call(args, None)
        if type(out) in ARRAYS:
            out = wrap(out)
        else:
            out = wrap_tree(ranges.settle(out) if type(out) is Checked else out)
        return link(self, args, out) if self.view else out

    def _call(self, args, ready_key, looked_at=False):
        """Any call: checks, then whoever else serves it (a dispatch mode, a Tensor with calls of its own, a cast), then the operator itself.

        ready_key: where further calls that are equal in it go straight to the program, once that is decided. looked_at: the kinds of the
        arguments are known to be wrong.
        """
        if self.composite:
            return self.fn(*args)
        if self.params is None:
            self.signature()
        if self.writes and CastParameter in map(type, args):
            return write_uncast(self, args)
        if self.kinds is not None and not looked_at:
            self._check_kinds(args)
        read = [args[i] for i in self.read if i < len(args) and type(args[i]) not in PLAIN_KINDS]
        if read:
            if not all(map(is_plain_list, read)):
                ready_key = None  # the key tells a Tensor's type, and not its content
            args = read_static(args, self.read, self.static, self.whole)
        if self.limits is not None:
            self.limits.check(args, self)
        state = here()
        if state.modes:
            return state.modes[-1]._intercept(self, args)
        if OWN_CALLS and (take := taker(args)) is not None:
            return take(self, args)
        wanted = state.casts[-1](self) if state.casts else None
        if wanted is not None and changes(args, *wanted):
            return call_in(self, args, *wanted)
        return self._compute(args, state, ready_key)

    def _check_kinds(self, args):
        """Raise what MindSpore raises for arguments of another kind than the record's; a call that it can serve all the same goes on."""
        wrong = self.kinds.wrong(args, self)
        if wrong is None:
            return
        if self.writes or self.random:  # nothing of a refused call is done
            raise wrong
        refuse(wrong, lambda: self._call(args, None, True))

    def _compute(self, args, state, ready_key):
        """The operator on its arrays: inside a trace plainly, else as a compiled variant, which a tape notes if there is one."""
        active = state.recorder
        traced = active is not None and active.is_frame
        key, arrays, boxes, nested = self._take_apart(args)
        if self.dynamic:  # is not compiled, so it may give one of its inputs
            for box in boxes:
                if box is not None and box._through_frames:
                    hand_out(box)
        try:
            if traced:
                return self._traced(args, key, arrays, boxes, nested, active)
            if (state.settings or context.process).strict:
                key.append(_STRICT)
            key, numbers = tuple(key), None
            forward = self._forward.get(key)
            if forward is None:
                forward, numbers = self._variant(key, args, arrays, nested)
                if numbers:  # `__call__` knows no such inputs, so it never runs this variant
                    arrays += numbers
                    boxes += [None] * len(numbers)
                    ready_key = None
            if active is not None:
                out = self._finish(args, active.run(forward, arrays, boxes))
                if ready_key is not None:
                    self._make_ready(ready_key, forward)
                return link(self, args, out) if self.view else out
            out = forward.call(*arrays)
            out = ranges.settle(out) if type(out) is Checked else out
            if ready_key is not None:
                self._make_ready(ready_key, forward.settled(arrays))
        except Exception as error:
            return tried_again(self, error, args, arrays, boxes, traced)
        if self.writes:
            return self._finish(args, wrap_tree(out))
        if self.view:
            return link(self, args, wrap_tree(out))
        return wrap(out) if type(out) in ARRAYS or is_array(out) else wrap_tree(out)

    def _take_apart(self, args):
        """(key of the other arguments, as a list; arrays; their Tensors or None; structures of arguments with arrays inside, by position)"""
        key, nested = [], None
        if self.random:
            if self.training is not None and args[self.training] is False:
                arrays, boxes = [_NO_KEY], [None]  # nothing is drawn, so the generator stays as it is
            else:
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
                    key.append(bool if kind is bool else ARRAY)
                else:
                    key.append(kind)
                    key.append(a or repr(a))  # 0.0 and -0.0 are equal, and two values
            elif isinstance(a, Tensor):
                boxes.append(a)
                arrays.append(a._lent)  # an operator's call lets go of it
                key.append(ARRAY)
            else:
                if position in self.no_lists and kind in LISTS:
                    error = f"the type of '{self.names[position]}' must be a Tensor, but got {kind.__name__}"
                    raise self.explain(TypeError(error), args)
                nested = nested or {}
                key.append(gather(a, arrays, boxes, nested, position, operand[position]))
        return key, arrays, boxes, nested

    def _make_ready(self, key, program):
        """Let further calls go straight to the program (under a tape, the variant), if it is decided which one serves them."""
        if program is not None:
            computes(_forget_ready)
            if len(self._ready) >= _MOST_VARIANTS:
                self._ready.clear()
            self._ready[key] = program

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
        if self._ready:
            self._ready.clear()
        if self.numbers is not None:
            self.numbers.families.clear()

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
            elif isinstance(a, Tensor) or (kind in NUMBERS and self.operand[position]):
                parts[position] = (None, count, 1)
                count += 1
        fixed = [None if i in parts else a for i, a in enumerate(args)]  # keeps no Tensor alive
        keyword, fn, random, types = _keyword_only(self.params), self.fn, self.random, self.types
        bools = [i for i, a in enumerate(args) if type(a) is bool]

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
            try:
                with products.in_full():
                    out = strong(fn(*positional, **named))
            except (ValueError, IndexError):
                if types is not None and types.first:
                    types.check(full, bools)
                raise
            if types is not None:  # what the function itself says of types is more to the point
                types.check(full, bools)
            return out

        call.__name__ = call.__qualname__ = self.name
        return call

    def _traced(self, args, key, arrays, boxes, nested, frame):
        captured = frame.root.captured
        for box in boxes:
            if box is not None and not box._through_frames and not isinstance(box._data, Tracer):
                captured[id(box)] = (box, box._data)
        call = self._rebuild(args, nested)
        with jax.named_scope(self.title):
            out = None if self.instead is None else self.instead(self, args, arrays, frame)
            out = call(*arrays) if out is None else out
        if self.followed and all(out is not a for a in arrays):  # a cast may give what it got
            frame.root.known.steps[id(out)] = Step(self, args, arrays, out)
        if not self.random and not self.writes and not self.dynamic:
            frame.root.known.result(self, key, call, arrays, out)
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

    def explain(self, error: BaseException, args: Sequence):
        """The same error, in MindSpore's words and with the arguments' shapes and dtypes appended."""
        return explained(self, error, args)


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
    **options: Unpack[Options],
):
    """Register an operator; see the module's docstring, and `Options` for the further keywords.

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
        # messages name what users call: the Primitive, or else the function, where the record has a name of its own
        shown = next((given for given in (prim, name and ops) if given and given is not True), None)
        first = shown if isinstance(shown, (str, Face)) or not shown else shown[0]
        record = Record(fn, record_name, getattr(first, "name", first), **options)
        record.states = bool(record.writes and prim)
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
    return op(fn, composite=True, **faces)
