"""`if` and `while` on traced conditions: `lax.cond` and `lax.while_loop` over blocks of user code.

`rewrite` turns the blocks of a function into closures. The variables that a block may set are the cells of its closure;
here they are read before and after a block, and put back. So a block on a traced condition is traced once, by
`jax.make_jaxpr`, in a frame and a journal of its own: what it changed (variables, Parameters, Tensors in place, lists,
dicts, attributes) becomes the outputs of its jaxpr, and nothing of the trace stays behind. The jaxprs are then joined
by `lax.cond`, or repeated by `lax.while_loop`.

The two branches of a condition change different things. What one leaves alone, it gives back as it was before; what only one sets
(`if c: y = 1`) has no value after the other, and says so when it is read. Python numbers stay numbers where both branches agree, and
become traced where they differ. The body of a loop must give what it takes: it is traced until the types of what it changes stand still,
a few times at most. What fits in neither way is told as
`Unstageable`, and the whole function runs eagerly for that signature.
"""

import linecache
import math
import sys
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax import lax

from ...compat import Tracer, jaxpr_as_fun
from ...operators import known
from ...settings.context import present_device
from ...values.tensor import Tensor, wrap
from ..effects import UNSET, Journal, Variable
from ..effects import current as current_journal
from ..frame import Frame
from ..frame import current as current_frame
from . import values
from .errors import NEEDS_STAGING, Unlike, Unstageable, as_unstageable, explain_unset, is_engine, user_location
from .jumps import PREFIX, RESULT, RETURNED
from .values import Mismatch, UnlikeTypes

if TYPE_CHECKING:
    from .runtime import _Round

RECURSION_LIMIT = 10_000  # a branch in a branch is some twenty Python frames deeper
MAX_REENTRIES = 3  # a block may be traced inside itself: a helper that takes a function
MAX_ROUNDS = 8  # traces of a loop body until the carried dtypes settle; two are the usual case
SELECTED = 32 << 20  # bytes of results that an accelerator selects; more do not fit its fast memory


# --- conditions
def truth_of(condition: bool | Tensor | tuple):
    """True or False, or None where the condition is traced. ValueError for a Tensor of several elements."""
    if condition is True or condition is False:
        return condition
    array = condition._data if isinstance(condition, Tensor) else condition
    if isinstance(array, Tracer) and array.size != 1:
        raise ValueError(
            "Only tensor which shape is () or (1,) can be converted to bool, but got tensor shape is "
            f"{tuple(array.shape)}. The truth value of an array with several elements is ambiguous. Use a.any() or a.all()."
        )
    try:
        return bool(condition)
    except NEEDS_STAGING:
        return None


def bool_array(condition: bool | Tensor):
    """Scalar bool array of a condition."""
    array = jnp.asarray(condition._data if isinstance(condition, Tensor) else condition).reshape(())
    return array if array.dtype == bool else array != 0


# --- what a block may change
class Box:
    """The array of a Parameter, or of a Tensor that is changed in place."""

    def __init__(self, box: Tensor):
        self.box, self.key = box, ("box", id(box))

    def read(self):
        return self.box._data

    def write(self, array: Any):
        frame = current_frame()
        if frame is None or not self.box._through_frames:
            self.box._assign(array)
        else:  # with the derivative that the block gave it
            frame.write_box(self.box, array)

    def describe(self):
        return f"Parameter '{self.box.name}'" if self.box._through_frames else "a Tensor changed in place"


class Result:
    """The value of an expression."""

    key = ("result",)
    value = UNSET

    def read(self):
        return self.value

    def write(self, value: Any):
        self.value = value

    def describe(self):
        return "the value"


def variables_of(*blocks):
    """The closure cells that the blocks share with their function, and those of the functions that these cells hold."""
    found, seen, todo = {}, set(), list(blocks)
    while todo:
        fn = todo.pop()
        fn = getattr(fn, "__func__", fn)
        if not isinstance(fn, types.FunctionType) or fn in seen:
            continue
        seen.add(fn)
        for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or ()):
            if name not in (PREFIX, "__class__") and id(cell) not in found:
                found[id(cell)] = variable = Variable(name, cell, fn.__code__.co_filename)
                todo.append(variable.read())
    return list(found.values())


# --- one block, traced
class Trace:
    """A block's jaxpr and its changes: `changes` maps the key of a slot to (slot, tree)."""

    __slots__ = ("run", "effects", "changes", "value")

    def __init__(self):
        self.changes, self.value, self.run, self.effects = {}, None, None, ()


def trace(block: "Callable | _Round", variables: list[Variable], where: tuple, carried: tuple | list = ()):
    """Trace a block without arguments.

    `carried` lists (slot, joined tree or UNSET, its choices): the values that the slots have inside, as inputs of the
    jaxpr. They count as changed.
    """
    _check_depth(block, where)
    result = Trace()
    always = {slot.key for slot, tree, _ in carried if tree is not UNSET}
    inputs = [jax.ShapeDtypeStruct(c.shape, c.dtype, weak_type=c.weak) for _, _, choices in carried for c in choices]

    def body(*arrays):
        outputs, before, journal = [], [(v, v.read()) for v in variables], Journal(code=_code(block))
        arrays = list(arrays)
        try:
            frame = Frame(current_frame())
            with journal, frame:
                for slot, tree, choices in carried:
                    mine, arrays = arrays[: len(choices)], arrays[len(choices) :]
                    _enter(slot, tree, mine, frame)
                start = {v.key: v.read() for v in variables}
                result.value = block()
                for v in variables:
                    new = v.read()
                    if new is not start[v.key] or v.key in always:  # a carried Tensor may have been changed in place
                        result.changes[v.key] = v, UNSET if new is UNSET else values.flatten(new, outputs, frame)
                for entry in journal.entries.values():
                    if values.holds_any_of(entry.old, frame):
                        continue  # it was made in this block: nobody outside sees it
                    new = entry.read()
                    result.changes[entry.key] = entry, UNSET if new is UNSET else values.flatten(new, outputs, frame)
                if isinstance(result.value, (Tensor, jax.Array, tuple, list, dict)):
                    result.value = values.flatten(result.value, outputs, frame)
                else:
                    result.value = values.Fixed(result.value)
            for box, array in zip(*frame.outputs()):
                result.changes["box", id(box)] = Box(box), values.flatten(array, outputs, frame)
        finally:
            journal.undo()
            for v, value in before:
                v.write(value)
        return outputs

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        closed = jax.make_jaxpr(body)(*inputs)
    except (Unstageable, Unlike):
        raise
    except Exception as error:
        raise _unstageable(error, where) from error
    finally:
        sys.setrecursionlimit(limit)
    result.run, result.effects = jaxpr_as_fun(closed), closed.effects
    return result


def _code(block):
    return getattr(block, "__code__", None)


def _check_depth(block, where):
    """A block that is reached again while it is traced belongs to a function that calls itself: only its values end that."""
    code, journal, depth = _code(block), current_journal(), 0
    while journal is not None:
        depth += journal.code is not None and journal.code is code
        journal = journal.parent
    if depth >= MAX_REENTRIES and not is_engine(code.co_filename):
        raise Unstageable("a function calls itself under a condition on a Tensor", *where)


def _enter(slot, tree, arrays, frame):
    if isinstance(slot, Box):
        frame.given(slot.box, arrays[0])
    else:
        slot.write(UNSET if tree is UNSET else values.build(tree, arrays))


def _unstageable(error, where):
    known = as_unstageable(error, *where)
    if known is not None:
        return known
    # The branch may not be the one that is taken, so this is no error of the program yet; eagerly it may become one.
    place = user_location(error)
    text = str(error).split("\n")[0]
    return Unstageable(
        f"code under a traced condition raises {type(error).__name__}{': ' + text if text else ''}",
        *(place if place[0] else where),
    )


def _place(block):
    code = _code(block)
    return (code.co_filename, code.co_firstlineno) if code is not None else (None, 0)


# --- two branches
def stage_if(condition: Tensor, then: Callable, orelse: Callable, both: bool = False):
    """`lax.cond` of two blocks; returns the value of the block that is taken. `both`: see `cond`.

    Each block is traced on its own. Then every variable that one of them changes must have one form behind the `if`: where the arrays
    differ there is a choice, an output of `lax.cond`, and everything else must be equal. What is unlike may stay unset until it is read.
    """
    where = _place(then)
    variables = variables_of(then, orelse)
    traces = [trace(block, variables, where) for block in (then, orelse)]
    choices, plans = [], []
    unset = _join_slots(traces, choices, plans)
    result = Result()
    wrong = _join_results(result, traces, choices, plans, where, (then, orelse))
    if wrong or unset:  # a condition of constants is decided, as in MindSpore
        decided = known.truth(condition._data if isinstance(condition, Tensor) else condition)
        if decided is not None:
            return then() if decided else orelse()
    if wrong:
        raise wrong
    for slot, mismatch in unset:
        if isinstance(mismatch, UnlikeTypes):
            raise _unlike(where, (then, orelse), mismatch)
        if not _may_be_unset(slot):
            raise Unstageable(f"the two branches leave {_described(slot)} unlike: {mismatch}", *where)
    arrays = _choose(condition, traces, choices, both)
    for slot, tree in plans:
        slot.write(tree if tree is UNSET else values.build(tree, arrays))
    for slot, mismatch in unset:
        _leave_unset(slot, f"after the `if` on a Tensor at line {where[1]}, {mismatch}")
    return result.value


def _join_slots(traces, choices, plans):
    """Add to `plans` what each changed variable is behind the branches; returns [(variable, why it is nothing)]."""
    slots = {key: slot for t in traces for key, (slot, _) in t.changes.items()}
    returned = [_returns(t) for t in traces]
    unset = []
    for key, slot in slots.items():
        sides = [t.changes[key][1] if key in t.changes else _outside(slot, t.changes) for t in traces]
        try:
            if getattr(slot, "name", None) == RESULT and UNSET not in sides:
                values.check_types(*sides)
            plans.append((slot, _join(slot, sides, returned, choices)))
        except Mismatch as mismatch:
            unset.append((slot, mismatch))
    return unset


def _join_results(result, traces, choices, plans, where, blocks):
    """Add to `plans` the value of the `if` itself; returns the error if the sides have unlike values."""
    sides = [t.value for t in traces]
    try:
        if where[0] is not None and not is_engine(where[0]):
            values.check_types(*sides)
        plans.append((result, values.merge(*sides, choices)))
    except UnlikeTypes as mismatch:
        return _unlike(where, blocks, mismatch)
    except Mismatch as mismatch:
        return Unstageable(f"the two sides of a condition on a Tensor have unlike values: {mismatch}", *where)
    return None


def _choose(condition, traces, choices, both):
    """The arrays of the side that is taken, one for each choice."""
    effects = any(t.effects for t in traces)
    if not choices and not effects:
        return []

    def branch(side):
        def run():
            arrays = traces[side].run()
            return [c.pick(side, arrays) for c in choices]

        return run

    cheap = both and not effects and present_device() != "CPU" and sum(map(_bytes, choices)) <= SELECTED
    return (_selected if cheap else lax.cond)(bool_array(condition), branch(0), branch(1))


def _selected(condition, then, orelse):
    """As `lax.cond`, of both sides' arrays: an accelerator's compiler fetches what a condition reads into its fast memory again."""
    return [lax.select_n(condition, no, yes) for yes, no in zip(then(), orelse())]


def _bytes(choice):
    return math.prod(choice.shape) * choice.dtype.itemsize


def _unlike(where, blocks, mismatch):
    shown = "\n".join(
        f"  {side} branch:\n{text}" for side, text in zip(("true", "false"), map(_source, blocks)) if text
    )
    return Unlike(
        f"{_place_text(where)}Cannot join the return values of different branches, perhaps you need to make them equal: the two "
        f"sides of a condition on a Tensor have unlike types: {mismatch}\n{shown}".rstrip()
    )


def _source(block):
    """The user's lines of a block, at most 8 of them."""
    code = _code(block)
    if code is None or is_engine(code.co_filename):
        return ""
    lines = sorted({line for _, _, line in code.co_lines() if line} - {code.co_firstlineno})
    return "".join(f"    {linecache.getline(code.co_filename, line).rstrip()}\n" for line in lines[:8]).rstrip()


def _described(slot):
    return "the returned value" if getattr(slot, "name", None) == RESULT else slot.describe()


def _may_be_unset(slot):
    """Whether a slot can be left without a value: only a variable, whose use then raises NameError."""
    return isinstance(slot, Variable) and slot.name != RESULT


def _leave_unset(variable, reason):
    """Leave a variable without a value; using it raises an error that gives the reason."""
    variable.write(UNSET)
    explain_unset(variable.filename, variable.name, reason)


def _place_text(where):
    return f"{where[0]}:{where[1]}: " if where[0] else ""


def _outside(slot, changes=None):
    """Tree of a slot's content; for a branch that does not assign the slot, with the branch's in-place changes."""
    value = slot.read()
    return UNSET if value is UNSET else values.flatten(value, changes=changes)


def _returns(trace_):
    """Whether a branch always ends in a `return` of its function."""
    return any(
        isinstance(slot, Variable) and slot.name == RETURNED and isinstance(tree, values.Fixed) and tree.origin is True
        for slot, tree in trace_.changes.values()
    )


def _join(slot, sides, returned, choices):
    unset = [s is UNSET for s in sides]
    if all(unset):
        return UNSET
    mark = len(choices)
    try:
        if any(unset):
            if getattr(slot, "name", None) == RESULT:
                return values.fill(sides[unset.index(False)], unset.index(False), choices)
            raise Mismatch(f"it is set in the {'false' if unset[0] else 'true'} branch only")
        return values.merge(*sides, choices)
    except Mismatch:
        del choices[mark:]
        if _may_be_unset(slot) and sum(returned) == 1:
            alive = returned.index(False)  # the other branch has returned: nobody reads its variables
            return sides[alive] if unset[alive] else values.fill(sides[alive], alive, choices)
        raise


# --- loops
def stage_while(test: Callable, body: "_Round | Callable"):
    """`lax.while_loop` of a test and a body, from the present state on."""
    where = _place(body)
    variables = variables_of(test, body)
    carried, temporary, touched = {}, {}, {}  # carried: key -> (slot, tree, choices); temporary: key -> (variable, why)
    for _ in range(MAX_ROUNDS):
        inside = [*carried.values(), *((v, UNSET, []) for v, _ in temporary.values())]
        round_ = trace(body, variables, where, inside)
        settled = True
        for key, (slot, after) in round_.changes.items():
            touched[key] = slot
            if key in temporary:
                continue
            try:
                tree, choices = _carry(slot, after)
            except Mismatch as mismatch:
                if not _may_be_unset(slot):
                    raise Unstageable(
                        f"a round of the loop changes the type of {_described(slot)}: {mismatch}", *where
                    ) from None
                temporary[key] = slot, mismatch
                explain_unset(slot.filename, slot.name, f"in the loop at line {where[1]}, {mismatch}")
                settled = settled and key not in carried and slot.read() is UNSET
                carried.pop(key, None)
                continue
            known = carried.get(key)
            settled = settled and known is not None and [c.spec() for c in known[2]] == [c.spec() for c in choices]
            carried[key] = slot, tree, choices
        if settled:
            break
    else:
        raise Unstageable("the dtypes or structures of the loop's variables change in every round", *where)
    lost = [slot for key, slot in touched.items() if key not in round_.changes and key not in temporary]
    if lost:
        raise Unstageable(f"the first round of the loop changes {_described(lost[0])}, later rounds do not", *where)
    _run_loop(test, body, carried, temporary, round_, variables, where)


def _carry(slot, after):
    """Join the value of a slot before the loop with its value after a round."""
    before, choices = _outside(slot), []
    if before is UNSET and after is not UNSET and getattr(slot, "name", None) == RESULT:
        return values.fill(after, 1, choices), choices
    if before is UNSET or after is UNSET:
        raise Mismatch("it is set inside the loop only" if before is UNSET else "a round of the loop deletes it")
    return values.merge(before, after, choices), choices


def _run_loop(test, body, carried, temporary, round_, variables, where):
    inside = [*carried.values(), *((v, UNSET, []) for v, _ in temporary.values())]
    condition = trace(lambda: wrap(bool_array(test()), current_frame()), variables, where, inside)
    changed = [slot for key, (slot, after) in condition.changes.items() if key not in carried]
    if changed:
        slot = changed[0]
        raise Unstageable(f"the test of the loop changes {_described(slot)}", *where)
    flat = [c for _, _, choices in carried.values() for c in choices]

    def after(arrays):
        outputs = round_.run(*arrays)
        return [c.pick(1, outputs) for c in flat]

    def go_on(arrays):
        return condition.run(*arrays)[condition.value.index]

    final = lax.while_loop(go_on, after, [c.pick(0, ()) for c in flat])
    for slot, tree, choices in carried.values():
        mine, final = final[: len(choices)], final[len(choices) :]
        slot.write(values.build(tree, mine))
    for variable, why in temporary.values():
        _leave_unset(variable, f"after the loop at line {where[1]}, {why}")
