"""Annotations of parameters. They decide which numbers are operands, which arguments are static, what wrong arguments
raise, and the types that editors show.

    def lerp(input: Array, end: Array, weight: Operand): ...
    def sum(input: Array, dim: Static[Axis] = None, keepdim: bool = False, dtype: Dtype | None = None): ...

The types are `typing.Annotated`, so type checkers read them as the plain types in them.
"""

import functools
import types
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import jax

from ..values.dtype import Type

if TYPE_CHECKING:
    import inspect

__all__ = [
    "Array", "ArrayLike", "Arrays", "Axis", "Dtype", "Filling", "Integers", "Ints", "Key", "MaybeArray", "Nested", "Number", "Operand", "Real", "Reals",
    "Seed", "Shown", "Static", "Tensors",
]  # fmt: skip

T = TypeVar("T")


class Mark:
    """A marker in an annotation, read by the engine."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __repr__(self):
        return self.name


class Shown:
    """In an annotation: the type that editors show, where the operator takes more than the type that it computes with."""

    __slots__ = ("text",)

    def __init__(self, text: str):
        self.text = text

    def __repr__(self):
        return f"<{self.text}>"


ARRAY, OPERAND, LIKE, INTEGERS = Mark("ARRAY"), Mark("OPERAND"), Mark("LIKE"), Mark("INTEGERS")
STATIC, MOVES, SEED, SEVERAL = Mark("STATIC"), Mark("MOVES"), Mark("SEED"), Mark("SEVERAL")
UNSIGNED = Mark("UNSIGNED")

# --- what is computed with: a Python number given for it is an input of the compiled program, too
Array = Annotated[jax.Array, ARRAY]  # a Tensor, no number
Integers = Annotated[jax.Array, ARRAY, INTEGERS]  # a Tensor of whole numbers: positions
Tensors = Annotated[jax.Array, ARRAY, SEVERAL]  # a Tensor, or a tuple or list of Tensors
Operand = Annotated[jax.Array | complex, OPERAND]  # a Tensor or a number
Filling = Annotated[jax.Array | complex, OPERAND, UNSIGNED]  # one that may be a whole number of uint64
ArrayLike = Annotated[Any, LIKE]  # a Tensor, a number, or a list of them, as in mindspore.numpy
Arrays = Annotated[Any, OPERAND]  # a list or tuple of Tensors
MaybeArray = jax.Array | None  # a Tensor that may be left out

# --- what selects the compiled program by its value
Static = Annotated[T, STATIC]  # a Python value, whose value is read where a Tensor is given
Number = Annotated[float, MOVES]  # a number that becomes an input of the program when a second value is given
Real = int | float
Ints = int | tuple[int, ...] | list[int]
Axis = int | tuple[int, ...] | list[int] | None
Nested = int | tuple[Any, ...] | list[Any]  # such as pairs of paddings
Reals = tuple[float, ...] | list[float]
Dtype = Type | type | str
Seed = Annotated[Any, SEED]  # chooses the stream that the key of a random operator comes from
Key = jax.Array


@functools.cache
def _marks(annotation):
    if get_origin(annotation) is Annotated:
        inner, *marks = get_args(annotation)
        return frozenset(m for m in marks if isinstance(m, Mark)) | _marks_of(inner)
    if get_origin(annotation) in (Union, types.UnionType):
        return frozenset().union(*map(_marks_of, get_args(annotation)))
    return frozenset()


def _marks_of(annotation):
    try:
        return _marks(annotation)
    except TypeError:  # what has no hash is not an annotation of ours
        return frozenset()


def marks(parameter: "inspect.Parameter"):
    """The marks in the annotation of an `inspect.Parameter`."""
    return frozenset() if parameter.annotation is parameter.empty else _marks_of(parameter.annotation)


def is_operand(parameter: "inspect.Parameter", found: frozenset):
    """Whether numbers given for a parameter are operands; `found`: its marks. Without an annotation: those without a default are."""
    if parameter.annotation is parameter.empty:
        return parameter.default is parameter.empty and parameter.kind is not parameter.KEYWORD_ONLY
    return STATIC not in found and not found.isdisjoint((ARRAY, OPERAND, LIKE))


def plain_types(annotation: Any):
    """The Python types in an annotation: of `Static[Axis]` int, tuple, list, None; of Literal["a", "b"] str."""
    if get_origin(annotation) is Annotated:
        return plain_types(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return tuple(t for part in get_args(annotation) for t in plain_types(part))
    if get_origin(annotation) is Literal:
        return tuple({type(word): None for word in get_args(annotation)})
    return (get_origin(annotation) or annotation,)
