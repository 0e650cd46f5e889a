"""Rules for the values of a parameter, said in its annotation beside its type.

    def __init__(self, in_channels: PositiveInt, stride: Pair[PositiveInt] = 1, pad_mode: Literal["same", "valid"] = "same"): ...

`checking.py` compares arguments with them before a function runs. A plain type is exact: `int` takes no bool, `float` no int; `Real` takes both.
"""

import math
import re
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

T = TypeVar("T")


class _Rule:
    """What an annotation says beside its type; signatures print its words."""

    __slots__ = ()

    def __repr__(self):
        return f"<{self}>"


class Within(_Rule):
    """Numbers of an interval, as mathematics writes it: Within("(0, 1]"), Within("[1, inf)").

    Example:
        >>> from msjax.core.spec.rules import Within
        >>> Within("(0, 1]").holds(0.5)
        True
    """

    __slots__ = ("high", "high_in", "low", "low_in", "text")

    def __init__(self, text: str):
        opening, low, high, closing = re.fullmatch(r"([\[(])(\S+), (\S+)([\])])", text).groups()
        self.text, self.low, self.high = text, float(low), float(high)
        self.low_in, self.high_in = opening == "[", closing == "]"

    def holds(self, value: Any):
        low, high = self.low, self.high
        return (low <= value if self.low_in else low < value) and (value <= high if self.high_in else value < high)

    def __str__(self):
        if self.high == math.inf and self.low == -math.inf:
            return "that is finite"
        if self.high == math.inf:
            return f"{'>=' if self.low_in else '>'} {self.low:g}"
        return f"in {self.text}"


class Length(_Rule):
    """Tuples and lists of one of these lengths: Length(2), Length(1, 3); Length(at_least=1)."""

    __slots__ = ("allowed", "at_least")

    def __init__(self, *allowed, at_least: int = 0):
        self.allowed, self.at_least = allowed, at_least

    def holds(self, value: Any):
        return len(value) in self.allowed if self.allowed else len(value) >= self.at_least

    def __str__(self):
        return f"of {' or '.join(map(str, self.allowed)) if self.allowed else f'at least {self.at_least}'} items"


class That(_Rule):
    """Values for which a function is true: That("that is odd", lambda value: value % 2).

    is_type: others are of a wrong type.
    """

    __slots__ = ("holds", "is_type", "text")

    def __init__(self, text: str, holds: Callable, is_type: bool = False):
        self.text, self.holds, self.is_type = text, holds, is_type

    def __str__(self):
        return self.text


class Rank(_Rule):
    """Tensors with one of these numbers of axes: Rank(2), Rank(3, 4); Rank(at_least=1), Rank(at_most=2).

    Example:
        >>> from msjax.core.spec.rules import Rank
        >>> Rank(3, 4).holds(Tensor([[1.0]])), str(Rank(at_least=2))
        (False, 'with at least 2 axes')
    """

    __slots__ = ("allowed", "at_least", "at_most")

    def __init__(self, *allowed, at_least: int = 0, at_most: float = math.inf):
        self.allowed, self.at_least, self.at_most = allowed, at_least, at_most

    def holds(self, value: Any):
        return value.ndim in self.allowed if self.allowed else self.at_least <= value.ndim <= self.at_most

    def __str__(self):
        limit = f"at least {self.at_least}" if self.at_most == math.inf else f"at most {self.at_most}"
        count = " or ".join(map(str, self.allowed)) or limit
        return f"with {count} {'axis' if count in ('1', 'at least 1', 'at most 1') else 'axes'}"


class Holding(_Rule):
    """Tensors of one of these dtypes, by their names: Holding("float16", "float32"), or of all but one, Holding(but="bool").

    Others are of a wrong type.
    """

    __slots__ = ("but", "names")
    is_type = True

    def __init__(self, *names, but: str = ""):
        self.names, self.but = names, but

    def holds(self, value: Any):
        name = str(value.dtype).lower()
        return name != self.but if self.but else name in self.names

    def __str__(self):
        return f"not of {self.but}" if self.but else f"of {' or '.join(self.names)}"


class Raises(_Rule):
    """The exception types of a parameter for which MindSpore does not raise TypeError for a wrong type, and ValueError for a wrong length
    or value of a right one. none, item: for None, and for an item of a wrong type, if not that of a wrong type.
    """

    __slots__ = ("item", "length", "none", "type", "value")

    def __init__(
        self,
        type: type[Exception] = TypeError,
        length: type[Exception] = ValueError,
        value: type[Exception] = ValueError,
        none: type[Exception] | None = None,
        item: type[Exception] | None = None,
    ):
        self.type, self.length, self.value, self.none = type, length, value, none or type
        self.item = item or type

    def __str__(self):
        return f"or {self.type.__name__}" + (f", {self.value.__name__}" if self.value is not self.type else "")


class Loose(_Rule):
    """Any value is taken: MindSpore does not compare it, or the function that it is handed to does."""

    __slots__ = ()

    def __str__(self):
        return "or what acts like one"


class Caseless(_Rule):
    """Words are compared without regard to case."""

    __slots__ = ()

    def __str__(self):
        return "in any case"


LOOSE, CASELESS = Loose(), Caseless()
Like = Annotated[T, LOOSE]  # Like[int]: also what acts like an int
AnyCase = Annotated[T, CASELESS]  # AnyCase[Literal["same", "valid"]]: "SAME", too
AsValue = Annotated[
    T, Raises(type=ValueError)
]  # AsValue[Literal["none", "mean", "sum"]]: MindSpore raises ValueError for what is not a str, too
OfType = Annotated[T, Raises()]  # OfType[bool]: operators, too, compare the type, and read no meaning into another
Given = Annotated[T, Raises(none=ValueError)]  # MindSpore raises ValueError for None: "is not provided"

NonEmpty = Length(at_least=1)
NotBelow0 = That(">= 0", lambda value: not value < 0)  # NaN is taken, as where MindSpore raises for `value < 0`
NotBelow1 = That(">= 1", lambda value: not value < 1)
NotTo0 = That("> 0", lambda value: not value <= 0)
OnlyFalse = Annotated[
    Like[bool], That("that is False", lambda value: not value)
]  # what MindSpore's CPU does not run, either
Distinct = That("whose items differ", lambda value: len(set(value)) == len(value))
Nothing = Annotated[Any, That("nothing, such as None", lambda value: not value, is_type=True)]
PositiveInt = Annotated[int, Within("[1, inf)")]
NonNegativeInt = Annotated[int, Within("[0, inf)")]
PositiveFloat = Annotated[float, Within("(0, inf)")]
NonNegativeFloat = Annotated[float, Within("[0, inf)")]
FiniteFloat = Annotated[float, Within("(-inf, inf)")]
PositiveReal = Annotated[int | float, Within("(0, inf)")]
Pair: TypeAlias = T | tuple[T, T]  # one for both axes, or one for each
Triple: TypeAlias = T | tuple[T, T, T]
Reduction = AsValue[Literal["none", "mean", "sum"]]
Function = Callable[..., Any]
TypedPair = Annotated[
    T | tuple[T, T], Raises(length=TypeError)
]  # MindSpore raises TypeError for tuples of another length
