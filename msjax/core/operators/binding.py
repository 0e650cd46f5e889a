"""How the arguments of a face become those of its record: by closures that are made once.

Most calls give all arguments by position, or leave the last ones out: then binding is the joining of two tuples. For calls with keywords
the order is worked out once for each list of keywords, and kept. `inspect.Signature.bind` would take twenty times as long.
"""

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .record import Record

REQUIRED = type("_Required", (), {"__repr__": lambda self: "<required>"})()  # in the place of what is not given


def _missing(name, params, values):
    names = [repr(p.name) for p, v in zip(params, values) if v is REQUIRED]
    listed = " and ".join(names)
    some = "s" if len(names) > 1 else ""
    return TypeError(f"{name}() missing {len(names)} required positional argument{some}: {listed}")


def _too_many(name, least, most, given):
    taken = f"{most}" if least == most else f"from {least} to {most}"
    some = "" if taken == "1" else "s"
    return TypeError(f"{name}() takes {taken} positional argument{some} but {given} were given")


class Binder:
    """The binding of calls to a list of parameters.

    least, most: how many arguments may be given by position. tails: (..., the values of the parameters from the n-th on, ...), for that many
    arguments given by position. wrong_count: gives the error for that many arguments, in the place of Python's.
    """

    __slots__ = (
        "name",
        "params",
        "least",
        "most",
        "tails",
        "star",
        "more",
        "index",
        "empty",
        "required",
        "wrong_count",
    )

    def __init__(self, name: str, params: Sequence, wrong_count: Callable | None = None):
        self.name, self.params, self.wrong_count = name, params, wrong_count
        positional = [p for p in params if p.kind is p.POSITIONAL_OR_KEYWORD or p.kind is p.POSITIONAL_ONLY]
        self.star = next((i for i, p in enumerate(params) if p.kind is p.VAR_POSITIONAL), None)
        self.more = next((i for i, p in enumerate(params) if p.kind is p.VAR_KEYWORD), None)
        self.most = len(positional)
        self.index = {p.name: i for i, p in enumerate(params) if i not in (self.star, self.more)}
        self.empty = [
            () if i == self.star else REQUIRED if p.default is p.empty else p.default for i, p in enumerate(params)
        ]
        self.required = [i for i, value in enumerate(self.empty) if value is REQUIRED and i != self.more]
        # no call by position alone is right where a keyword is required, and each call makes a dict for what takes any keyword
        always = self.more is not None or any(i >= self.most for i in self.required)
        self.least = self.most + 1 if always else len(self.required)
        self.tails = tuple(tuple(self.empty[n:]) for n in range(self.most + 1))

    def values(self, args: Sequence, kwargs: dict):
        """The values of all parameters in order: a tuple for `*args`, a dict for `**kwargs`; None if a keyword is not a
        parameter.

        Raises:
            TypeError: as Python does for calls that do not fit, or what `wrong_count` gives.
        """
        given, most, index = len(args), self.most, self.index
        if given > most:
            if self.star is None:
                least = sum(i < most for i in self.required)
                raise self.wrong_count(given) if self.wrong_count else _too_many(self.name, least, most, given)
            values = [*args[:most], *self.empty[most:]]
            values[self.star] = args[most:]
        else:
            values = [*args, *self.empty[given:]]
        if self.more is not None:
            values[self.more] = {}
        for keyword, value in kwargs.items():
            i = index.get(keyword)
            if i is None:
                if self.more is None:
                    return None
                values[self.more][keyword] = value
            elif i < given and i < most:
                raise TypeError(f"{self.name}() got multiple values for argument '{keyword}'")
            else:
                values[i] = value
        for i in self.required:
            if values[i] is REQUIRED:
                count = given + len(kwargs)
                raise self.wrong_count(count) if self.wrong_count else _missing(self.name, self.params, values)
        return values


class Call:
    """The call of a record with the values of a face's parameters.

    taken: {record parameter: the face's parameter, or an attribute of its first argument}. fixed: {record parameter: its value here}.
    pick, target: the call is `target(*pick(values))`, or `target(*values)` where pick is None; target is None where the call needs keywords or any
    number of arguments: then the Call itself takes the values.
    """

    __slots__ = ("record", "target", "pick", "sources", "attributes", "place")

    def __init__(
        self, record: "Record", params: Sequence, taken: dict, attributes: tuple | list = (), fixed: Any = None
    ):
        self.record, own = record, record.signature()
        self.place = {p.name: i for i, p in enumerate(params)}
        self.attributes, self.pick = attributes, None
        more = next((p.name for p in params if p.kind is p.VAR_KEYWORD), None)
        fixed = fixed or {}
        # (kind of the record's parameter, its name, the parameter or attribute that is its value or None, default)
        self.sources = [
            (p.kind, p.name, more if p.kind is p.VAR_KEYWORD else taken.get(p.name), fixed.get(p.name, p.default))
            for p in own
        ]
        self.target = record.fn if record.composite else record.__call__  # bound: to look it up costs 0.1 us a call
        variable = any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in own)
        if variable or record.composite and any(p.kind is p.KEYWORD_ONLY for p in own):
            self.target = None
        else:
            self.pick = self._picker(params)

    def _picker(self, params):
        """The function that puts the values in order, with attributes and defaults of the record among them; None if they are."""
        count, constants, order = len(params), [], []
        attributes = {name: count + i for i, name in enumerate(self.attributes)}
        first = count + len(attributes)
        for _, _, name, default in self.sources:
            if name in attributes:
                order.append(attributes[name])
            elif name in self.place:
                order.append(self.place[name])
            else:
                order.append(first + len(constants))
                constants.append(default)
        if order == list(range(count)):
            return None
        constants = tuple(constants)
        if not order:
            return lambda values: ()
        ordered = _items(operator.itemgetter, order)
        if not attributes:
            return (lambda values: ordered((*values, *constants))) if constants else ordered
        held = _items(operator.attrgetter, self.attributes)
        return lambda values: ordered((*values, *held(values[0]), *constants))

    def planned(self, binder: Binder, count: int, keywords: tuple[str, ...]):
        """(pick, constants) for calls with `count` positional arguments and these keywords: the record's arguments are
        `pick((*args, *kwargs.values(), *constants))`; None if the call needs more work.
        """
        if self.target is None or self.attributes or count > binder.most:
            return None
        given = {i: i for i in range(count)}
        given.update({binder.index[name]: count + i for i, name in enumerate(keywords)})
        constants, order = [], []
        for _, _, name, default in self.sources:
            at = self.place.get(name)
            if at in given:
                order.append(given[at])
            else:
                order.append(count + len(keywords) + len(constants))
                constants.append(default if at is None else binder.empty[at])
        return _items(operator.itemgetter, order), tuple(constants)

    def __call__(self, values: Sequence):
        if self.target is not None:
            return self.target(*(values if self.pick is None else self.pick(values)))
        positional, named = [], {}
        for kind, name, source, default in self.sources:
            value = default
            if source in self.place:
                value = values[self.place[source]]
            elif source in self.attributes:
                value = getattr(values[0], source)
            if kind == _VAR_POSITIONAL:
                positional += () if source is None else (value,) if source == "self" else value
            elif kind == _VAR_KEYWORD:
                named |= {} if source is None else value
            elif kind == _KEYWORD_ONLY and self.record.composite:
                named[name] = value
            else:
                positional.append(value)
        return (self.record.fn if self.record.composite else self.record)(*positional, **named)


_VAR_POSITIONAL, _KEYWORD_ONLY, _VAR_KEYWORD = 2, 3, 4  # inspect's kinds are IntEnums


def _items(getter, items):
    """`itemgetter` or `attrgetter` that gives a tuple of one item, too."""
    if len(items) == 1:
        get = getter(items[0])
        return lambda values: (get(values),)
    return getter(*items)
