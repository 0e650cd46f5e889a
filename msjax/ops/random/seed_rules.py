"""Which seeds the random operators take, as annotations."""

from typing import Annotated, Any

from ...core.operators.own_seeds import OwnSeed
from ...core.spec.kinds import SEED
from ...core.spec.rules import That

__all__ = ["FunctionSeed", "IntSeed", "GivenSeed"]


def _is_seed(value):
    return value is None or type(value) in (int, OwnSeed) and abs(value) < 1 << 64


# Of Primitives and functions: a NumPy number is none.
IntSeed = Annotated[Any, SEED, That("an int below 2^64", _is_seed, is_type=True)]
# Of functions, where False is none. A Primitive has judged its own seeds when it was made.
FunctionSeed = Annotated[
    Any,
    SEED,
    That("an int below 2^64", lambda value: value is False or _is_seed(value), is_type=True),
    That("not negative", lambda value: isinstance(value, OwnSeed) or value is None or value >= 0),
]
GivenSeed = Annotated[
    Any,
    SEED,
    That("an int", lambda value: type(value) in (int, OwnSeed), is_type=True),
    That("not negative", lambda value: value >= 0),
]
