"""Rows of faces: how the spelling of an operator differs from its record's signature.

A face with the parameters of the record is its name alone. Another is a row:

    Face("reduce_mean", args("x", axis=None), to={"x": "input"})
    Prim("MaxPool", inputs=("x",))
    Prim("ReduceMean", init=args(keep_dims=False), call=args("x", axis=()), to={"x": "input"})
    Method("mean", args(axis=None).only(dtype=None))

Parameters stand for the record's parameters of the same name; `to` names the record's parameter for the others.
"""

import inspect
from typing import Any

_Parameter = inspect.Parameter
REQUIRED = _Parameter.empty  # in the place of a default: for a required keyword that stands behind others


class Parameters:
    """The parameters of a face, in order; `args` makes them."""

    __slots__ = ("required", "defaulted", "named_required", "named")

    def __init__(self, required: Any, defaulted: Any, named_required: Any = (), named: Any = None):
        self.required, self.defaulted = required, defaulted
        self.named_required, self.named = named_required, named or {}

    def only(self, *required, **defaulted):
        """The same, and these by keyword only."""
        return Parameters(self.required, self.defaulted, required, defaulted)

    def listed(self):
        """The parameters as `inspect.Parameter`s."""
        kind, made, last = _Parameter.POSITIONAL_OR_KEYWORD, [], []
        for name in self.required:
            if name.startswith("**"):
                last.append(_Parameter(name[2:], _Parameter.VAR_KEYWORD))
            elif name.startswith("*"):
                made.append(_Parameter(name[1:], _Parameter.VAR_POSITIONAL))
                kind = _Parameter.KEYWORD_ONLY
            else:
                made.append(_Parameter(name, kind))
        made += [_Parameter(name, kind, default=value) for name, value in self.defaulted.items()]
        kind = _Parameter.KEYWORD_ONLY
        made += [_Parameter(name, kind) for name in self.named_required]
        made += [_Parameter(name, kind, default=value) for name, value in self.named.items()]
        return made + last


def args(*required, **defaulted):
    """Parameters of a face: names of the required ones (`"*tensors"` takes any number), then those with defaults.

    Example:
        >>> from msjax.core.operators.rows import args
        >>> [str(p) for p in args("x", axis=()).only(dtype=None).listed()]
        ['x', 'axis=()', 'dtype=None']
    """
    return Parameters(required, defaulted)


class Unsaid:
    """A default that is not the same as its value written by the caller: `initial=None` chooses another overload than nothing does.

    Example:
        >>> from msjax.core.operators.rows import Unsaid
        >>> Unsaid(None)
        None
        >>> Unsaid.read(Unsaid(True), False)
        (True, [True, False])
    """

    __slots__ = ("value",)

    def __init__(self, value: Any):
        self.value = value

    def __repr__(self):
        return repr(self.value)

    @staticmethod
    def read(*values: Any):
        """(whether the caller gave one of the values, the values)."""
        given = not all(isinstance(v, Unsaid) for v in values)
        return given, [v.value if isinstance(v, Unsaid) else v for v in values]


class Face:
    """A function of `ops`, `mint` or `numpy`.

    name: what it is called, `linalg.norm` for one of a module below. call: its parameters; None: those of the record. to: {parameter: the
    record's parameter}, where the names differ. unused: parameters that mean nothing here; one with a default can only have that value.
    in_place: a parameter, True or False: whether the result is written to the first argument. fixed: {the record's parameter: its value},
    for those that no caller of this face gives.
    """

    __slots__ = ("name", "call", "to", "unused", "in_place", "fixed")
    is_method = False  # the first argument is not a parameter

    def __init__(
        self, name: str, call: Any = None, *, to: Any = None, unused: Any = (), in_place: Any = None, fixed: Any = None
    ):
        self.name, self.call, self.to, self.unused, self.in_place = name, call, to or {}, unused, in_place
        self.fixed = fixed or {}

    def _parameters(self, own):
        return self._open(own) if self.call is None else self.call.listed()

    def _open(self, own):
        return [p for p in own if p.name not in self.fixed] if self.fixed else own

    def resolved(self, own: list[object]):
        """(parameters, {record parameter: parameter}, names of the unused) for a record with the parameters `own`.

        Raises:
            RuntimeError: a parameter of the face stands for none of the record, or one of the record gets no value.
        """
        params = self._parameters(own)
        return params, *self._joined(params, own)

    def _joined(self, params, own):
        wanted = {p.name: p for p in own if p.kind is not p.VAR_KEYWORD}
        unused = {*self.unused, self.in_place}
        taken = {
            self.to.get(p.name, p.name): p.name for p in params if p.kind is not p.VAR_KEYWORD and p.name not in unused
        }
        for name, given in taken.items():
            if name not in wanted:
                raise RuntimeError(f"The face {self.name} has a parameter '{given}' that its operator does not know.")
        for name, p in wanted.items():
            if name not in taken and p.default is p.empty and p.kind is not p.VAR_POSITIONAL and name not in self.fixed:
                raise RuntimeError(f"The face {self.name} gives no value for '{name}'.")
        return taken, unused


class Method(Face):
    """A method of Tensor: the Tensor is the record's first argument, the parameters are the rest."""

    __slots__ = ()
    is_method = True


class Property(Method):
    """A property of Tensor."""

    __slots__ = ()


class Reflected(Method):
    """A method of Tensor for the reflected form of a binary operator, such as `__radd__`: the Tensor is the second
    operand.
    """

    __slots__ = ()


class Prim(Face):
    """A Primitive: a class whose constructor has the parameters `init`, and whose instances are called with the
    parameters `call`.

    inputs: names of the record's parameters that the call takes, where the constructor has all the others with the record's defaults:
    `Prim("MaxPool", inputs=("x",))`. Without it, `init` and `call` list the two where they are not such parts of the record's signature.
    """

    __slots__ = ("init", "split")

    def __init__(
        self,
        name: str,
        init: Any = None,
        call: Any = None,
        *,
        inputs: Any = None,
        to: Any = None,
        unused: Any = (),
        in_place: Any = None,
        fixed: Any = None,
    ):
        super().__init__(name, call, to=to, unused=unused, in_place=in_place, fixed=fixed)
        if inputs is not None and (init is not None or call is not None):
            raise TypeError(f"The row of {name} has 'inputs' and lists of parameters: give one of the two.")
        self.init, self.split = init, inputs

    def settings(self, own: Any):
        """Parameters of the constructor, for a record with the parameters `own`."""
        if self.split is None:
            return [] if self.init is None else self.init.listed()
        return [p.replace(kind=p.POSITIONAL_OR_KEYWORD) for p in self._open(own) if p.name not in self.split]

    def inputs(self, own: list):
        """Parameters of the call, for a record with the parameters `own`."""
        if self.split is not None:
            found = {p.name: p for p in own}
            return [found[name] for name in self.split]
        return self._open(own) if self.call is None else self.call.listed()

    def _parameters(self, own):
        return [*self.settings(own), *self.inputs(own)]


def row_of(given: Any, kind: Any):
    """The given row; a str stands for a row of class `kind` with that name."""
    return kind(given) if isinstance(given, str) else given


KINDS = {"ops": Face, "prim": Prim, "tensor": Method, "mint": Face, "np": Face}
