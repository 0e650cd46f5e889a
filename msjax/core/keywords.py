"""Keywords that a function takes besides the parameters that MindSpore 2.10 documents: their names in other faces, and those of MindSpore 1.x."""

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any, TypeVar, cast

from .above import above

_F = TypeVar("_F", bound=Callable)


class _NotGiven:
    def __repr__(self):
        return "<not given>"


_NOT_GIVEN = _NotGiven()


class Signature(inspect.Signature):
    """A signature whose text is MindSpore's documented one, with plain types, and whose `parameters` hold all accepted keywords.

    more: function of the documented parameters, by name, that gives the other names; it is called when `parameters` is read, which few
    programs do, while every operator has a signature.
    """

    more = staticmethod(lambda own: ())

    @classmethod
    def of(cls, parameters: Any, more: Any):
        """The signature with these documented parameters."""
        made = cls(parameters)
        made.more = more
        return made

    @property
    def parameters(self):
        own = dict(super().parameters)
        if not any(p.default is _NOT_GIVEN for p in own.values()):
            names = sorted(set(self.more(own)).difference(own))
            kind = inspect.Parameter.KEYWORD_ONLY
            own.update({n: inspect.Parameter(n, kind, default=_NOT_GIVEN) for n in names})
        return types.MappingProxyType(own)

    def documented(self):
        """{name: parameter} of MindSpore's documented parameters."""
        return {n: p for n, p in super().parameters.items() if p.default is not _NOT_GIVEN}

    def __str__(self):
        return str(above.printed(self))

    def format(self, **options):  # what `help` shows from Python 3.13 on
        return above.printed(self).format(**options)


def documented(function: Callable):
    """MindSpore's documented parameters of a function that also accepts other keywords."""
    signature = inspect.signature(function)
    return list((signature.documented() if isinstance(signature, Signature) else signature.parameters).values())


def renamed(function: Callable) -> dict[str, str | None]:
    """{keyword of MindSpore 1.x that a function takes by `old_keywords`: the parameter that it stands for alone, or None}"""
    signature = getattr(function, "__signature__", None)
    served = signature.more(()) if isinstance(signature, Signature) else {}
    if not isinstance(served, dict):  # the face of an operator
        return {}
    return {name: rule if isinstance(rule, str) else None for name, rule in served.items()}


class Only:
    """A keyword of MindSpore 1.x that is accepted with these values only; msjax behaves that way in any case."""

    def __init__(self, *values):
        self.values = values

    def check(self, what: str, name: str, value: Any):
        """Raise for another value."""
        if value not in self.values:
            raise ValueError(f"For '{what}', '{name}' can only be {self.values[0]!r}, but got {value!r}.")


def old_keywords(**served) -> Callable[[_F], _F]:
    """Decorator for keywords of MindSpore 1.x. old="new" renames a keyword; old=None ignores it; old=Only(value) accepts one
    value and ignores it; old=function converts the value to {parameter: value}.

    Example:
        >>> from msjax.core.keywords import old_keywords
        >>> @old_keywords(dense_shape="shape")
        ... def zeros(shape):
        ...     return [0] * shape
        >>> zeros(dense_shape=2)
        [0, 0]
    """

    def decorate(function):
        what = function.__qualname__.removesuffix(".__init__").rsplit(".", 1)[-1]

        @functools.wraps(function)
        def taking_old(*args, **kwargs):
            for name in served.keys() & kwargs.keys():
                value, rule = kwargs.pop(name), served[name]
                if isinstance(rule, Only):
                    rule.check(what, name, value)
                if rule is None or isinstance(rule, Only):
                    continue
                for new, meant in ({rule: value} if isinstance(rule, str) else rule(value)).items():
                    if new in kwargs:
                        raise TypeError(
                            f"For '{what}', '{name}' is MindSpore 1.x's name of '{new}', which is given, too."
                        )
                    kwargs[new] = meant
            return function(*args, **kwargs)

        taking_old.__signature__ = Signature.of(inspect.signature(function).parameters.values(), lambda own: served)
        return taking_old

    return cast(Callable[[_F], _F], decorate)
