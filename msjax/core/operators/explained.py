"""Errors of operators in MindSpore's words, with the shapes and dtypes of all arguments."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax

from ..errors import describe, of_program, shortened
from ..foreign_messages import NO_OPERAND, decided_type, in_plain_words, says
from ..spec.misfit import misfit

if TYPE_CHECKING:
    from .record import Record

_ARE_EXPLAINED = (
    *(TypeError, ValueError, IndexError, KeyError),
    *(RuntimeError, ZeroDivisionError, NotImplementedError),
)


def explained(record: "Record", error: BaseException, args: Sequence):
    """The error of a call `record(*args)` as MindSpore has it: its type, its wording, and the arguments; itself where it is explained already.

    The type comes from the arguments' annotations where one does not fit, else from the class of the exception; only what no class tells is
    read from its text (`core/foreign_messages.py`).
    """
    if isinstance(error, jax.errors.JaxRuntimeError):
        error = of_program(error)
    text = in_plain_words(str(error))
    if "\nArguments: " in text:
        return error
    kind, text = _kind_and_text(record, error, shortened(text), args)
    if kind not in _ARE_EXPLAINED:
        return error
    names = _names(record)
    title, shown = (
        record.title,
        ", ".join(map(describe, args) if names is None else _told(names, args, describe, record)),
    )
    if says("operands of Python", error) and record.params is not None:
        given, valid = _told(record.names, args[:2], _kind_name), [f"{n}=<Number, Tensor>" for n in record.names[:2]]
        text = (
            f'Failed calling {title} with "{title}()({", ".join(given)})".\nThe valid calling should be: \n'
            f"\"{title}()({', '.join(valid)})\".\nFor '{title}', {text}"
        )
        return kind(f"{text}\nArguments: {', '.join(_told(record.names, args, describe))}")
    prefix = "" if text.startswith(("For '", "For primitive")) else f"For '{title}', "
    return kind(f"{prefix}{text}\nArguments: {shown}")


def _kind_and_text(record, error, text, args):
    kind = type(error)
    said = str(error)
    a_list = says("list as an index", error)  # where a Tensor is needed
    wrong = None
    if a_list or kind not in (TypeError, RuntimeError, NotImplementedError):  # MindSpore looks at the types first
        wrong = _misfit(record, args, a_list or says("shapes that do not meet", error), a_list)
    if wrong is not None:
        name, value, wanted = wrong
        reason = "" if a_list or kind is AttributeError else f": {text}"  # how that came to light helps nobody
        return TypeError, f"the type of '{name}' must be {wanted}, but got {_kind_name(value)}{reason}"
    if kind is AttributeError:
        got = next((_kind_name(a) for a in args if isinstance(a, (list, tuple, dict))), None)
        return TypeError, f"{NO_OPERAND} {f'got {got}' if got else text}"
    if kind is ZeroDivisionError:
        return ValueError, text
    if not said.startswith("For '"):  # what operators say themselves has its type
        kind = decided_type(error) or kind
    return kind, text


def _names(record):
    """The names of the parameters, where each takes one argument and they are known."""
    if record.params is None or any(p.kind is p.VAR_POSITIONAL for p in record.params):
        return None
    return record.names


def _misfit(record, args, met, a_list):
    """The result of `spec.misfit` for a call."""
    if _names(record) is None:
        return None
    return misfit(zip(record.params, record.marks, record.operand), args, met, a_list)


def _told(names, args, tell, record=None):
    """The arguments with their names; those that faces of the record fix are none of the caller's."""
    fixed = {name for row in record.rows for name in row.fixed} if record else ()
    return [f"{name}={tell(a)}" for name, a in zip(names, args) if name not in fixed]


def _kind_name(value: Any):
    """MindSpore's name for the type of an argument."""
    kind = type(value).__name__
    return {"str": "string", "NoneType": "None", "Parameter": "Tensor"}.get(kind, kind)
