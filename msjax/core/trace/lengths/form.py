"""The form of a program, whatever its lengths: traces at several lengths, laid over each other.

A traced program is full of numbers: lengths of axes, limits of slices, literals. Those that differ between traces at two lengths depend
on the length. `unite` finds for each of them an expression (`Open`), or makes it an input (`Given`); `fit` tells whether the trace at one
more length is an instance of the form, which shows, for that very length, that nothing else depends on it.
"""

import dataclasses
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ...program.interpreter import Interpreter
from ...program.parts import is_program, opened
from ...program.primitives import name_of

if TYPE_CHECKING:
    import jax.extend


class Declined(Exception):
    """Why lengths cannot share a program."""


@dataclasses.dataclass(frozen=True)
class Open:
    """scale * length + offset, of the open length of number `which`."""

    which: int
    scale: int
    offset: int

    def at(self, lengths: tuple[int, ...]):
        """Its value at these lengths."""
        return self.scale * lengths[self.which] + self.offset


@dataclasses.dataclass(frozen=True)
class Ref:
    """A variable of a program."""

    index: int


@dataclasses.dataclass(frozen=True)
class Given:
    """A constant that another length changes: an input of the program."""

    index: int
    shape: tuple
    dtype: object

    val = None  # a `Literal` whose value is known when the program runs


class Value:
    """A constant, a `Literal`."""

    __slots__ = ("val", "dtype", "shape")

    def __init__(self, array: Any, aval: Any):
        self.val, self.dtype, self.shape = array, aval.dtype, tuple(aval.shape)

    def same(self, other: Any):
        """Whether both are the same constant."""
        if self.val is other.val:
            return True
        if (
            self.shape != other.shape
            or self.dtype != other.dtype
            or jax.numpy.issubdtype(self.dtype, jax.dtypes.extended)
        ):
            return False
        return np.asarray(self.val).tobytes() == np.asarray(other.val).tobytes()


@dataclasses.dataclass
class Step:
    """One equation of the form. `eqn`: the equation of the first trace; opened: whether it depends on an open length."""

    primitive: object
    invars: list
    shapes: list  # of the inputs
    params: dict
    outvars: list
    out_shapes: list
    eqn: object
    opened: bool = False


@dataclasses.dataclass
class Program:
    """A jaxpr with its calls of other functions inlined, read like a jaxpr. `source`: the original program."""

    invars: list
    shapes: list  # of the inputs
    eqns: list
    outvars: list
    out_shapes: list
    source: object
    opened: bool = False

    constvars = ()


class _Writer(Interpreter):
    """Writes a jaxpr as a Program, with variables in the order in which they are made."""

    def __init__(self):
        self.count, self.steps = 0, []

    def new(self):
        self.count += 1
        return Ref(self.count - 1)

    def literal(self, atom):
        return Value(atom.val, atom.aval)

    def constant(self, value, variable):
        return Value(value, variable.aval)

    def enters(self, eqn, given, around):
        return name_of(eqn) != "checkpoint"

    def equation(self, eqn, given, around):
        outs = [self.new() for _ in eqn.outvars]
        params = {name: _plain(value) for name, value in eqn.params.items()}
        shapes, made = [tuple(a.aval.shape) for a in eqn.invars], [tuple(v.aval.shape) for v in eqn.outvars]
        self.steps.append(Step(eqn.primitive, given, shapes, params, outs, made, eqn))
        return outs


def write(program: "jax.extend.core.ClosedJaxpr"):
    """A jaxpr, closed or not, as a Program."""
    writer, (jaxpr, _) = _Writer(), opened(program)
    inputs = [writer.new() for _ in jaxpr.invars]
    outs = writer.run(program, inputs)
    shapes = [[tuple(v.aval.shape) for v in variables] for variables in (jaxpr.invars, jaxpr.outvars)]
    return Program(inputs, shapes[0], writer.steps, outs, shapes[1], program)


def _plain(value):
    if is_program(value):
        return write(value)
    if type(value) in (list, tuple) and any(map(is_program, value)):
        return type(value)(write(v) for v in value)
    return value


# --- several traces, one form
def unite(programs: list[Program], lengths: list[tuple]):
    """(form, its Given constants) of several traces. lengths: the lengths of each trace; trace i + 1 differs from the
    first in length i only.

    Raises:
        Declined: they differ in more than numbers.
    """
    uniting = _Uniting(lengths)
    form = uniting.join(programs)
    return form, uniting.given


def _number(value):
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


class _Uniting:
    def __init__(self, lengths):
        self.lengths, self.given, self.opened = lengths, [], False

    def join(self, values):
        """One value for those in the same place of all traces."""
        first = values[0]
        if any(type(v) is not type(first) for v in values[1:]) and not all(map(_number, values)):
            raise Declined("other lengths trace another program")
        if type(first) is Program:
            return self.program(values)
        if type(first) is Value:
            return self.constant(values)
        if type(first) is Ref:
            return self.same(values)
        if _number(first):
            return first if all(v == first for v in values) else self.length(values)
        if isinstance(first, (list, tuple)):
            if any(len(v) != len(first) for v in values):
                raise Declined("other lengths trace another program")
            parts = [self.join(list(part)) for part in zip(*values)]
            return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
        return self.same(values)

    def same(self, values):
        try:
            alike = all(v is values[0] or bool(v == values[0]) for v in values[1:])
        except ValueError:
            alike = False
        if not alike:
            raise Declined("other lengths trace another program")
        return values[0]

    def length(self, values):
        """The expression of a number that differs."""
        base = self.lengths[0]
        moved = [i for i, v in enumerate(values[1:]) if v != values[0]]
        if len(moved) > 1:
            raise Declined("two open lengths are combined into one")
        i = moved[0]
        scale, rest = divmod(int(values[i + 1] - values[0]), self.lengths[i + 1][i] - base[i])
        if rest:
            raise Declined("a length is not a multiple of an open length")
        self.opened = True
        return Open(i, scale, int(values[0]) - scale * base[i])

    def constant(self, values):
        if all(v.same(values[0]) for v in values[1:]):
            return values[0]
        if any(v.dtype != values[0].dtype for v in values):
            raise Declined("other lengths trace another program")
        shape = self.join([v.shape for v in values])
        self.opened = True
        self.given.append(Given(len(self.given), shape, values[0].dtype))
        return self.given[-1]

    def program(self, programs):
        first = programs[0]
        if any(len(p.eqns) != len(first.eqns) for p in programs):
            raise Declined("other lengths trace another program")
        before, self.opened = self.opened, False
        parts = [
            self.join([getattr(p, name) for p in programs]) for name in ("invars", "shapes", "outvars", "out_shapes")
        ]
        steps = [self.step(list(steps)) for steps in zip(*[p.eqns for p in programs])]
        made = Program(*parts[:2], steps, *parts[2:], first.source, self.opened)
        self.opened = self.opened or before
        return made

    def step(self, steps):
        first = steps[0]
        self.same([s.primitive for s in steps])
        before, self.opened = self.opened, False
        inputs, shapes, outs, out_shapes = (
            self.join([getattr(s, name) for s in steps]) for name in ("invars", "shapes", "outvars", "out_shapes")
        )
        params = {name: self.join([s.params[name] for s in steps]) for name in first.params}
        made = Step(first.primitive, inputs, shapes, params, outs, out_shapes, first.eqn, self.opened)
        self.opened = self.opened or before
        return made


# --- one more trace
def fit(form: Program, program: Program, lengths: tuple[int, ...]):
    """The constants of one more trace that are inputs of the form, or None if the trace does not fit the form."""
    fitting = _Fitting(lengths)
    return fitting.given if fitting.fits(form, program) else None


class _Fitting:
    def __init__(self, lengths):
        self.lengths, self.given = lengths, []

    def fits(self, form, value):
        """Whether a value equals the form's value in the same place."""
        if type(form) is Open:
            return _number(value) and form.at(self.lengths) == value
        if type(form) is Given:
            if type(value) is not Value or value.dtype != form.dtype or not self.all(form.shape, value.shape):
                return False
            self.given.append(value)
            return True
        if _number(form):
            return _number(value) and form == value
        if type(form) is not type(value):
            return False
        if type(form) is Program:
            return (
                self.all(form.invars, value.invars)
                and self.all(form.shapes, value.shapes)
                and self.all(form.outvars, value.outvars)
                and self.all(form.out_shapes, value.out_shapes)
                and len(form.eqns) == len(value.eqns)
                and all(map(self.step, form.eqns, value.eqns))
            )
        if type(form) is Value:
            return form.same(value)
        if isinstance(form, (list, tuple)):
            return self.all(form, value)
        try:
            return form is value or bool(form == value)
        except ValueError:
            return False

    def all(self, forms, values):
        return len(forms) == len(values) and all(map(self.fits, forms, values))

    def step(self, form, step):
        return (
            form.primitive is step.primitive
            and self.all(form.invars, step.invars)
            and self.all(form.shapes, step.shapes)
            and self.all(form.outvars, step.outvars)
            and self.all(form.out_shapes, step.out_shapes)
            and all(self.fits(part, step.params[name]) for name, part in form.params.items())
        )


__all__ = ["Declined", "Given", "Open", "Program", "Ref", "Step", "Value", "fit", "unite", "write"]
