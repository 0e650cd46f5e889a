"""What a traced array will hold, where it follows from known arrays alone: a mask that `construct` builds from `ones` and `tril`.

A trace notes each operator all of whose inputs are known: constants, Python numbers, results of such operators, and state that training leaves
alone. Nothing is computed for the note. `ask` computes the content when it is needed, by the operators themselves, so it is
exact however the array was built. An input of the program is not known, nor what depends on one.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from ..above import above
from ..compat import Tracer
from ..settings.execution_state import here
from ..values.ownership import content

_MOST = 1 << 26  # elements of an array that is computed to be looked at
_MOST_INDICES = 1 << 16
_OF_SHAPES = frozenset(("full_like", "ones_like", "zeros_like"))  # operators whose first array may hold anything


class Fact:
    """How a known array is made.

    make: the pure function of `inputs` (arrays, numbers, Facts), an operator's, whose record is `record`, and which of its results it is where it
    has several. box: of state, the box whose content it is. answers: what was found out about it, by question.
    """

    __slots__ = ("answers", "box", "inputs", "make", "record", "which")

    def __init__(self, record: Any = None, make: Any = None, inputs: Sequence = (), box: Any = None, which: Any = None):
        self.record, self.make, self.inputs, self.box, self.which = record, make, inputs, box, which
        self.answers = {}

    def boxes(self):
        """The boxes of state that it depends on."""
        if self.box is not None:
            return [self.box]
        return [box for i in self.inputs if isinstance(i, Fact) for box in i.boxes()]

    def allows(self, allowed: Callable):
        """Whether the records of all operators that make it are allowed."""
        if self.record is None:
            return True
        return allowed(self.record) and all(i.allows(allowed) for i in self.inputs if isinstance(i, Fact))

    def compute(self):
        """Its array, or None if one on the way to it is too large."""
        if self.box is not None:
            return _plain(content_outside(self.box))
        inputs = [i.compute() if isinstance(i, Fact) else i for i in self.inputs]
        shapes = [jax.ShapeDtypeStruct(i.shape, i.dtype) if hasattr(i, "dtype") else i for i in inputs]
        if any(i is None for i in inputs) or math.prod(self._one(jax.eval_shape(self.make, *shapes)).shape) > _MOST:
            return None
        return self._one(self.make(*inputs))

    def _one(self, out):
        return out if self.which is None else out[self.which]


class Step(NamedTuple):
    """How an operator that is followed made an array: its record, its arguments, the arrays among them, and the result."""

    record: Any
    args: Sequence
    arrays: Sequence
    out: Any

    def has_factor(self):
        """Whether `alpha`, the factor of the second term of a sum, is another number than 1."""
        return any(type(a) is not int or a != 1 for a in self.args[2:])


class Known:
    """The known arrays of one trace.

    steps: id of an array -> the Step that made it, for operators that are followed.
    facts: id of a traced array -> (the array, its Fact); equal ways to make an array share one Fact (`made`), so that it is looked at once for
    all layers. joined: id of the array of `a and b` or `a or b` -> (the array, a, b, whether it is `and`).
    """

    __slots__ = ("facts", "joined", "made", "steps")

    def __init__(self):
        self.facts, self.joined, self.made, self.steps = {}, {}, {}, {}

    def noted(self):
        """The numbers of notes, for `forget_after`."""
        return len(self.facts), len(self.steps), len(self.joined)

    def forget_after(self, noted: tuple[int, int, int]):
        """Forget the notes made since `noted`: they are about arrays of a transform within this trace, which has ended."""
        for entries, count in zip((self.facts, self.steps, self.joined), noted):
            while len(entries) > count:
                entries.popitem()

    def state(self, box: Any, array: jax.Array):
        """A traced array is the content of a box of state that training leaves alone."""
        self.facts[id(array)] = (array, Fact(box=box))

    def handed_on(self, box: Any, inner: jax.Array, captured: dict):
        """A transform has the tracer `inner` in the place of what a Tensor holds. captured: that of the root frame."""
        array = box._data
        if isinstance(array, Tracer):
            if id(array) in self.facts:
                self.facts[id(inner)] = (inner, self.facts[id(array)][1])
        elif not box._through_frames:
            captured[id(box)] = (box, array)
            fact = Fact(make=lambda same: same, inputs=(array,))
            self.facts[id(inner)] = (inner, self.made.setdefault(id(array), fact))

    def result(self, record: Any, key: Sequence, make: Callable, arrays: Sequence, out: Any):
        """`out` is what an operator gave for these arrays. key: its other arguments."""
        inputs, names = [], []
        for a in arrays:
            if isinstance(a, Tracer):
                if id(a) in self.facts:
                    a = self.facts[id(a)][1]
                elif record.name in _OF_SHAPES and not inputs:
                    inputs.append(np.broadcast_to(np.zeros((), a.dtype), a.shape))
                    names.append((a.shape, a.dtype))
                    continue
                else:
                    return
            elif isinstance(a, np.ndarray):
                a = a.copy()  # the user may change it
            inputs.append(a)
            names.append(_name(a))
        for which, one in enumerate(out) if isinstance(out, tuple) else ((None, out),):
            if isinstance(one, Tracer) and id(one) not in self.facts:
                fact = Fact(record, make, inputs, which=which)
                try:
                    fact = self.made.setdefault((record.name, tuple(key), which, *names), fact)
                except TypeError:  # an argument that cannot be compared
                    pass
                self.facts[id(one)] = (one, fact)


def _name(given):
    """What tells an input of an operator from all others."""
    if isinstance(given, (Fact, jax.Array)):
        return id(given)
    return type(given), (given.shape, given.dtype, given.tobytes()) if isinstance(given, np.ndarray) else repr(given)


def content_outside(box: Any):
    """The array of a box outside of the trace that has it as state."""
    rebound = here().recorder.root.rebound.get(id(box))
    return content(box) if rebound is None else rebound[1]


def _plain(array):
    return array if isinstance(array, jax.Array) and not isinstance(array, Tracer) else None


def _fact_of(array):
    """The fact of a traced array, or None where nothing is known of it."""
    frame = here().recorder
    if frame is None or not frame.is_frame:
        return None
    return frame.root.known.facts.get(id(array), (None, None))[1]


def ask(array: jax.Array, question: Callable, allowed: Callable):
    """`question(content as a NumPy array)` of a traced array, or False if its content is not known.

    allowed: which operators' records may be run for it. A True holds for the state that the content depends on: a change of it traces again.
    """
    fact = _fact_of(array)
    if fact is None:
        return False
    key = (question, allowed)
    if key not in fact.answers:
        fact.answers[key] = _answer(fact, question, allowed)
    if fact.answers[key]:
        for box in fact.boxes():
            here().recorder.root.captured[id(box)] = (box, content_outside(box))
    return fact.answers[key]


def content_of_constants(array: jax.Array):
    """The content of a traced array of indices that follows from constants alone, as a NumPy array; None where it is not known."""
    fact = _fact_of(array)
    if fact is None or array.size > _MOST_INDICES:
        return None
    if content_of_constants not in fact.answers:
        found = None if fact.boxes() else _answer(fact, np.asarray, _plain_operator)
        fact.answers[content_of_constants] = None if found is False else found
    return fact.answers[content_of_constants]


above.known_content = content_of_constants


def truth(array: jax.Array):
    """The truth value of a traced array of one element, or None if that is not known: of `a and b` one known False is enough."""
    for value, question in ((True, _holds), (False, _fails)):
        if ask(array, question, _plain_operator):
            return value
    frame = here().recorder
    if frame is None or not frame.is_frame or id(array) not in frame.root.known.joined:
        return None
    _, *halves, conjunction = frame.root.known.joined[id(array)]
    found = [truth(half) if isinstance(half, Tracer) else bool(half) for half in halves]
    if (not conjunction) in found:
        return not conjunction
    return conjunction if found == [conjunction] * 2 else None


def note_joined(array: jax.Array, left: Any, right: Any, conjunction: bool):
    """`array` is `left and right` (or `left or right`)."""
    frame = here().recorder
    if frame is not None and frame.is_frame:
        frame.root.known.joined[id(array)] = (array, left, right, conjunction)


def _holds(content):
    return bool(content.all())


def _fails(content):
    return not content.any()


def _plain_operator(record):
    return not record.random and not record.dynamic


def _answer(fact, question, allowed):
    if not fact.allows(allowed):
        return False
    try:
        with jax.ensure_compile_time_eval():
            found = fact.compute()
            return found is not None and question(np.asarray(found))
    except Exception:  # what cannot be computed now, or lies on other processes, is not known
        return False
