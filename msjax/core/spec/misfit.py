"""Which argument is of a type that its annotation does not take."""

from collections.abc import Iterable, Sequence

from ..values.dtype import Type
from .kinds import ARRAY, INTEGERS, LIKE, MOVES, plain_types

_KNOWN = (bool, int, float, complex, str, type(None), tuple, list, dict, slice, type, type(Ellipsis))


def misfit(parameters: Iterable, arguments: Sequence, met: bool = False, a_list: bool = False):
    """(name, value, required type) of the first argument whose type its parameter does not accept, or None.

    parameters: (`inspect.Parameter`, its marks, whether it is an operand). met: whether the shapes of operands do not fit; a list is none.
    a_list: whether a list, be it of Tensors, is what is wrong.
    """
    for (p, marks, operand), value in zip(parameters, arguments):
        types = plain_types(p.annotation)
        listed = isinstance(value, (tuple, list))
        tensor = _is_tensor(value) and not (a_list and listed)
        required = operand and p.default is p.empty
        wants_tensor = (ARRAY in marks or met and listed) and LIKE not in marks
        missing = required and (value is None or wants_tensor and not tensor)
        real = INTEGERS in marks and "loat" in str(getattr(value, "dtype", ""))
        no_word = types == (str,) and not isinstance(value, (str, type(None)))
        numeric = operand or MOVES in marks or bool in types or isinstance(p.default, (bool, float))
        if missing or real or no_word or _is_foreign(value) or numeric and str not in types and _is_text(value):
            return p.name, value, _wanted(p, operand, real, types)
    return None


def _wanted(p, operand, real, types):
    if real:
        return "integers"
    if operand:
        return "a Tensor"
    named = [t.__name__ for t in types if t in _KNOWN and t is not type(None)]
    return " or ".join(named) or "another"


def _is_foreign(value):
    """Whether an argument is of no type that operators know."""
    return not isinstance(value, _KNOWN) and not hasattr(value, "dtype") and not isinstance(value, Type)


def _is_tensor(value):
    """Whether an argument is a Tensor, an array, or a sequence with one."""
    if isinstance(value, (tuple, list)):
        return any(_is_tensor(v) for v in value)
    return hasattr(value, "shape")


def _is_text(value):
    return isinstance(value, str) or isinstance(value, (tuple, list)) and any(isinstance(v, str) for v in value)
