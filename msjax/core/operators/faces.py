"""Faces: `ops.sum`, `ops.ReduceSum()(x)`, `Tensor.sum`, `mint.sum`, made from the operator records when they are first asked for.

A face is a function with MindSpore's own signature that calls its record with the arguments in the record's order (`binding.py`).
`rows.py` has the rows that say how the two differ.
"""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from ..above import above
from ..hints import unknown_keyword
from ..keywords import Signature, old_keywords
from ..settings.execution_state import here
from ..spec import texts
from ..spec.kinds import SEED, marks
from ..values.tensor import Tensor
from . import primitive_settings
from . import record as registry
from .argument_kinds import Operands
from .binding import Binder, Call
from .flags import flag_checks
from .own_seeds import made_own
from .primitive import Primitive
from .rows import Property, Reflected

_SELF = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
_OTHER = inspect.Parameter("other", inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _no_tensor(name, value):
    raise TypeError(f"descriptor '{name}' for 'Tensor' objects doesn't apply to a '{type(value).__name__}' object")


def _refuse(name, parameter, value, default):
    if value != default:
        raise ValueError(f"For '{name}', '{parameter}' can only be {default!r} on this platform, but got {value!r}.")


def _miscounted(name, wanted, count):
    kind = TypeError if name in above.generated_classes() else ValueError  # as MindSpore's two kinds of Primitives do
    return kind(f"For primitive[{name}], the input number must be {wanted}, but got {count}.")


# --- other names of parameters
old_forms = {}  # (module, name of a function) -> {keyword that only MindSpore 1.x has there: what serves the call}


old_attributes = {}  # name of a Primitive -> the rules of `old_keywords` for the attributes that it has in MindSpore 1.x


def old_form(name: str, *keywords, module: Any = "mindspore.ops"):
    """Decorator for the function that serves `ops.name` when it is called with one of these keywords, which only
    MindSpore 1.x has.

    The function gets what was given under the names of today, by position or keyword, and the old keywords.
    """

    def register(fn):
        old_forms.setdefault((module, name), {}).update(dict.fromkeys(keywords, fn))
        return fn

    return register


def old_names(name: str, module: Any = "mindspore.ops", **renamed):
    """Keywords of `ops.name` in MindSpore 1.x, old="today's name", for those that no other face of the operator has."""
    old_forms.setdefault((module, name), {}).update(renamed)


class _OtherNames:
    """The keywords that a face takes besides its own: the names of the same parameters in the record's other faces, and old ones.

    taken: {record parameter: parameter of the face}.
    """

    __slots__ = ("record", "taken", "form", "known")

    def __init__(self, record, taken, form):
        self.record, self.taken, self.form, self.known = record, taken, form, None

    def of_faces(self):
        """{other name: the face's parameters that it may mean}"""
        if self.known is None:
            self.known = {}
            for name, target in other_names(self.record).items():
                own = [self.taken[t] for t in target if t in self.taken]
                if own:
                    self.known[name] = own
        return self.known

    def __call__(self, own):
        return {*self.of_faces(), *old_forms.get(self.form, ())}


def other_names(record: Any):
    """{name: the record's parameters with this name} in all faces of a record."""
    own = record.signature()
    found = {p.name: [p.name] for p in own}
    for row in record.rows:
        if isinstance(row, Reflected):
            continue
        for target, name in row.resolved(own if not row.is_method else own[1:])[1].items():
            if target not in found.setdefault(name, []):
                found[name].append(target)
    return found


def _by_other_names(this, others, args, kwargs):
    """Call a face again with the keywords of other faces under its own names."""
    own = this.__signature__.documented()
    given = dict(zip(own, args))
    form = old_forms.get(others.form, {})
    star = next((n for n, p in own.items() if p.kind is p.VAR_POSITIONAL and n in kwargs and n not in form), None)
    if star is not None:  # `ones(size=(2, 3))` is `ones((2, 3))`: Python takes no keyword for any number of arguments
        before = list(own)[: list(own).index(star)]
        if len(args) > len(before):
            raise TypeError(f"{this.__name__}() got multiple values for argument '{star}'")
        rest = {n: v for n, v in kwargs.items() if n != star}
        return this(*args, *(rest.pop(n) for n in before[len(args) :] if n in rest), kwargs[star], **rest)
    named = {n if callable(form.get(n, n)) else form.get(n, n): v for n, v in kwargs.items()}
    old = {name: value for name, value in named.items() if name in form}
    known = others.of_faces()
    for name, value in named.items():
        if name in old:
            continue
        target = next((n for n in (name, *known.get(name, ())) if n in own and n not in given), None)
        if target is None:
            if name in given:
                raise TypeError(f"{this.__name__}() got multiple values for argument '{name}'")
            what = f"{this.__qualname__.removeprefix('Tensor.')}()"
            raise unknown_keyword(what, name, [n for n in own if n != "self"])
        given[target] = value
    if old:
        return form[next(iter(old))](**given, **old)
    return this(**given)


# --- making
# Operators with a class on the other side that has its own, as sparse Tensors have, leave it to that class.
_MEET_OTHERS = ("__add__", "__sub__", "__mul__", "__truediv__")
foreign_operands = set()  # such classes, and those of what only some of Python's operators take for a Tensor
foreign_operands.update((tuple, list))
_TAKE_LISTS = {f"__{name}__" for name in ("add", "radd", "sub", "rsub", "isub", "floordiv", "rfloordiv", "rpow")}
_TAKE_LISTS_COMPILED = _TAKE_LISTS | {
    f"__{kind}{name}__" for name in ("add", "sub", "mul", "truediv", "floordiv", "mod") for kind in ("", "r", "i")
}


def _build(name, params, record, taken, row, module, qualifier="", attributes=(), counted=None):
    """The function of a face.

    taken: {record parameter: parameter or attribute}. attributes: names of what an instance of a Primitive holds. counted: the Primitive
    whose call it is, with a word of its own for a wrong number of arguments.
    """
    others = _OtherNames(record, {t: n for t, n in taken.items() if n not in attributes}, (module, name))
    wrong_count = None
    if counted and all(p.kind is p.POSITIONAL_OR_KEYWORD for p in params):
        wanted = sum(p.default is p.empty for p in params) - 1

        def wrong_count(count):
            return _miscounted(counted, wanted, count - 1)

    binder = Binder(name, params, wrong_count)
    call = Call(record, params, taken, attributes, row.fixed)
    place = {p.name: i for i, p in enumerate(params)}
    refused = [
        (place[p.name], p.name, p.default)
        for p in params
        if p.name in row.unused and p.default is not p.empty and p.kind is not p.VAR_POSITIONAL
    ]
    flags = flag_checks(name, params, module)
    in_place = place.get(row.in_place)

    plans = [{} for _ in range(binder.most + 1)]  # number of arguments by position -> {keywords: how to call with them}
    rare = {row[0] for row in refused} | ({in_place} if in_place is not None else set())

    def careful(args, kwargs):
        """A call whose arguments are checked one by one."""
        values = binder.values(args, kwargs)
        if values is None:
            return _by_other_names(face, others, args, kwargs)
        for position, parameter, default in refused:
            if values[position] is not default:
                _refuse(name, parameter, values[position], default)
        for position, parameter, wrong in flags:
            if values[position].__class__ is not bool:
                wrong(name, parameter, values[position])
        if in_place is not None and values[in_place]:
            return values[0].assign_value(call(values))
        if kwargs:
            remember(len(args), tuple(kwargs))
        return call(values)

    def remember(count, keywords):
        places = [place[k] for k in keywords if k in place]
        planned = (
            call.planned(binder, count, keywords) if rare.isdisjoint(places) and count <= first_looked_at else None
        )
        if planned is not None and len(plans[count]) < _MOST_PLANS:
            looked_at = [(count + i, p, w) for i, k in enumerate(keywords) for at, p, w in flags if at == place[k]]
            plans[count][keywords] = (*planned, looked_at)

    # what is left out has its default, so that only arguments from the first checked one on are looked at
    first_looked_at = min([binder.most, *rare, *(row[0] for row in flags)])
    of_tensor = qualifier == "Tensor."
    meets = name in _MEET_OTHERS or name in _TAKE_LISTS_COMPILED
    make = _of_operand if of_tensor and meets else _of_tensor if of_tensor else _of_anything
    face = make(name, careful, call, (binder.least, first_looked_at, binder.tails), plans)
    face.__signature__ = Signature.of(params, others)
    face.__name__, face.__module__, face.__qualname__ = name, module, qualifier + name
    face.__doc__ = _text(record, {"Parameters": params}, taken, f"{module}.{name}")
    face._record = record
    return face


def _text(record, sections, taken, path):
    name = path.removeprefix("mindspore.")
    return texts.of_operator(record, sections, taken, name, registry.spellings(record))


_MOST_PLANS = 64  # lists of keywords in one order, for one face


def _of_anything(name, careful, call, counts, plans):
    """A face.

    careful: serves the calls with keywords that `plans` does not know yet, and those whose number of arguments is not from `least` to `most`.
    counts: (least, most, the values of the other parameters for each number of arguments).
    """
    target, pick = call.target, call.pick
    least, most, tails = counts

    def with_keywords(args, kwargs):
        plan = plans[len(args)].get(tuple(kwargs)) if len(args) <= most else None
        if plan is None:
            return careful(args, kwargs)
        order, constants, flags = plan
        given = args + tuple(kwargs.values()) + constants
        for position, parameter, wrong in flags:
            if given[position].__class__ is not bool:
                wrong(name, parameter, given[position])
        return target(*order(given))

    if target is None:

        def face(*args, **kwargs):
            return careful(args, kwargs)

    elif pick is not None:

        def face(*args, **kwargs):
            count = len(args)
            if kwargs:
                return with_keywords(args, kwargs)
            if not least <= count <= most:
                return careful(args, kwargs)
            return target(*pick(args + tails[count]))

    elif most == len(tails) - 1 == least and not tails[most]:

        def face(*args, **kwargs):
            if kwargs:
                return with_keywords(args, kwargs)
            if len(args) != least:
                return careful(args, kwargs)
            return target(*args)

    else:

        def face(*args, **kwargs):
            count = len(args)
            if kwargs:
                return with_keywords(args, kwargs)
            if not least <= count <= most:
                return careful(args, kwargs)
            return target(*args, *tails[count])

    return face


def _of_tensor(name, *rest):
    """A method of Tensor, or a property."""
    inner = _of_anything(name, *rest)
    if name.startswith("__"):
        return inner

    def face(self, *args, **kwargs):
        if not isinstance(self, Tensor):
            _no_tensor(name, self)
        return inner(self, *args, **kwargs)

    return face


def _of_operand(name, careful, call, counts, plans):
    """A method of Tensor for an operator between two."""
    inner = _of_anything(name, careful, call, counts, plans)
    least, most, tails = counts
    direct, tail = (call.target, tails[2]) if call.pick is None and least <= 2 <= most else (None, ())

    def face(self, other, **more):
        kind = type(other)
        if kind in foreign_operands:
            if kind is tuple or kind is list:
                active = here().recorder
                compiled = active is not None and active.is_frame
                if name in (_TAKE_LISTS_COMPILED if compiled else _TAKE_LISTS):
                    other = _of_one_dtype(name, self, other)
            elif name in _MEET_OTHERS:
                return NotImplemented
        if more or direct is None:
            return inner(self, other, **more)
        return direct(self, other, *tail) if tail else direct(self, other)

    return face


def _of_one_dtype(name, tensor, listed):
    """A list or tuple as an operand beside a Tensor, whose type the numbers in it take."""
    types = {v.dtype for v in listed if isinstance(v, Tensor)}
    if types and any(isinstance(v, (int, float)) for v in listed):
        types.add(tensor.dtype)
    if len(types) > 1:
        raise TypeError(
            f"For '{name}', the items of a {type(listed).__name__} must have one data type, but got {', '.join(sorted(map(str, types)))}. "
            "Methods as x.max(axis) and x.sort() give (values, indices): name the one that is meant."
        )
    return Operands(listed)


def function(table: Mapping, name: str, module: str):
    """The function face `name` of a table (`registry.functions`, `mint_functions`, `numpy_functions`)."""
    record, row = table[name]
    params, taken, _ = row.resolved(record.signature())
    return _build(name.rsplit(".", 1)[-1], params, record, taken, row, module)


def method(name: str):
    """The Tensor method or property `name`."""
    record, row = registry.tensor_methods[name]
    own = record.signature()
    first = own[0]
    if isinstance(row, Reflected):
        params, taken = [_SELF, _OTHER], {first.name: "other", own[1].name: "self"}
    else:
        params, taken, _ = row.resolved(own[1:])
        params, taken = [_SELF, *params], {first.name: "self", **taken}
    made = _build(name, params, record, taken, row, "mindspore.Tensor", qualifier="Tensor.")
    return property(made, doc=made.__doc__) if isinstance(row, Property) else made


def primitive(name: str):
    """The Primitive class `name`."""
    record, row = registry.primitives[name]
    _, taken, _ = row.resolved(record.signature())
    own = record.signature()
    init, call = row.settings(own), row.inputs(own)
    names = tuple(p.name for p in init)
    both = {*names} & {p.name for p in call}
    if both:
        raise RuntimeError(f"The face {name} names {sorted(both)} twice.")
    attributes = [n for n in names if n in taken.values()]
    run = _build(
        "__call__", [_SELF, *call], record, taken, row, f"mindspore.ops.{name}", f"{name}.", attributes, counted=name
    )
    seeds = tuple(taken[p.name] for p in own if SEED in marks(p) and taken.get(p.name) in names)
    __init__ = _constructor(name, init, row, seeds)
    return type(
        name,
        (Primitive,),
        {
            "__init__": __init__,
            "__call__": run,
            "__doc__": _text(record, {"Parameters": init, "Inputs": call}, taken, f"mindspore.ops.{name}"),
            "__module__": "mindspore.ops",
            "_record": record,
            "_attributes": names,
            "_writes": record.writes,
        },
    )


def _constructor(name, init, row, seeds):
    """`__init__` of a Primitive: it checks and keeps the settings; `seeds`: those that choose the stream of its random numbers."""
    binder = Binder("__init__", [_SELF, *init])
    refused = primitive_settings.refused(name) if init else {}
    names = [p.name for p in init]
    only = [(i, p.name, p.default) for i, p in enumerate(init) if p.name in row.unused and p.default is not p.empty]

    def __init__(*args, **kwargs):
        values = binder.values(args, kwargs)
        if values is None:
            wrong = next(k for k in kwargs if k not in names)
            raise unknown_keyword(f"{name}.__init__()", wrong, names)
        self, *settings = values
        if refused:
            given = dict(zip(names, settings))
            primitive_settings.check(name, refused, {k: given[k] for k in refused})
        Primitive.__init__(self)
        for parameter, value in zip(names, settings):
            setattr(self, parameter, value)
        for position, parameter, default in only:
            if settings[position] is not default:
                _refuse(name, parameter, settings[position], default)
        if seeds:
            made_own(self, seeds)

    __init__.__signature__ = Signature([_SELF, *init])
    __init__.__qualname__ = f"{name}.__init__"
    old = old_attributes.get(name)
    return old_keywords(**old)(__init__) if old else __init__


class LazyMethod:
    """A placeholder for a Tensor method until its first use."""

    def __set_name__(self, owner, name):
        self.name = name

    def __init__(self, name: str):
        self.name = name

    def __get__(self, instance, owner):
        made = method(self.name)
        setattr(Tensor, self.name, made)
        return made.__get__(instance, owner)


def attach_methods(names: Sequence[str] | None = None):
    """Give Tensor a method for every record that names one, or for the given names."""
    for name in registry.tensor_methods if names is None else names:
        if name in Tensor.__dict__ and not isinstance(Tensor.__dict__[name], LazyMethod):
            if name not in _REPLACEABLE:
                raise RuntimeError(
                    f"Tensor.{name} is defined in core/values/tensor.py and by the operator '{registry.tensor_methods[name][0].name}'."
                )
        setattr(Tensor, name, LazyMethod(name))


_REPLACEABLE = ("__eq__", "__ne__", "__hash__", "__lt__", "__le__", "__gt__", "__ge__")
