"""What a call that failed can still be: the same call with its values read, with wider integers or with its arrays brought together.

Each of these costs something, or is rare, so an operator is called first as if none were needed. What none of them serves is an error in
MindSpore's words.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..compat import TRACED_VALUE_ERRORS, Tracer
from ..values.tensor import Tensor
from .arguments import in_64_bits, is_number
from .meeting import meet

if TYPE_CHECKING:
    from .record import Record

_VALUE_NEEDED = "a Tensor stands where a Python value is needed."


def tried_again(record: "Record", error: Exception, args: Sequence, arrays: Sequence, boxes: Sequence, traced: bool):
    """The result of a call that raised `error`, or the error that users see. arrays, boxes: of the arguments. traced: a trace called the operator."""
    if isinstance(error, TRACED_VALUE_ERRORS):
        if traced or any(isinstance(a, Tracer) for a in arrays):
            raise error  # code that is being traced asks for a value: whoever traces it knows what to do
        known = _read_numbers(record, args)
        if known is None:
            raise record.explain(TypeError(_VALUE_NEEDED), args) from error.__cause__
        return record(*known)
    if isinstance(error, OverflowError):
        known = in_64_bits(args, record.marks, error)
        if isinstance(known, Exception):
            raise record.explain(known, args) from None
        return record(*known)
    if traced:
        _ask_numbers(record, args)
    elif not record.random and meet(boxes):
        return record(*args)
    raise record.explain(error, args) from (error.__cause__ or None)


def _ask_numbers(record, args):
    """Ask the numbers of a program that stand for Python values (an axis) for their values, which whoever traces then gives."""
    for a, operand in zip(args, record.operand):
        for value in () if operand else a if isinstance(a, (list, tuple)) else (a,):
            if isinstance(value, Tensor) and isinstance(value._data, Tracer) and value._data.weak_type:
                value._data.item()


def _read_numbers(record, args):
    """The arguments with a Python number in the place of each Tensor of one element for a parameter that is not an operand; None if none is."""
    read = [
        a.item() if isinstance(a, Tensor) and a._lent.size == 1 and not operand and is_number(p) else a
        for a, operand, p in zip(args, record.operand, record.params)
    ]
    return read if any(a is not b for a, b in zip(read, args)) else None
