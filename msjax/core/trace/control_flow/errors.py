"""Errors of control flow on traced values, with their place in the user's code."""

import collections
import dis
import os
import pathlib

import jax

from ...compat import TRACED_VALUE_ERRORS, TracerArrayConversionError, TracerBoolConversionError, UnexpectedTracerError
from ...errors import Unstageable
from ...foreign_messages import says

# Python asked a traced value for its content: convert the function and trace again.
NEEDS_STAGING = TRACED_VALUE_ERRORS
_PACKAGE = pathlib.Path(__file__).parents[3]  # msjax itself
_ENGINE = tuple(f"{folder}{os.sep}" for folder in (pathlib.Path(jax.__file__).parent, _PACKAGE))


_NEEDED = (
    (
        TracerBoolConversionError,
        "a truth value where it cannot be staged (an assert, a generator, code without source text)",
    ),
    (TracerArrayConversionError, "NumPy or Python data (x.asnumpy(), x.tolist(), a NumPy function)"),
)
_unset = collections.OrderedDict()  # (file, variable) -> why staging left it without a value


def explain_unset(filename: str, name: str, reason: str):
    """Keep the reason why a variable has no value, for the error that its use will raise."""
    _unset[filename, name] = reason
    if len(_unset) > 1000:
        _unset.popitem(last=False)


class Unlike(TypeError):
    """The values of two branches on a Tensor are of unlike types, which MindSpore does not join either."""


Unlike.__name__, Unlike.__qualname__, Unlike.__module__ = "TypeError", "TypeError", "builtins"  # what a user sees


class UnsetVariable(Unstageable, UnboundLocalError):
    """A variable that only one branch, or only the body of a loop, sets is used after it."""


# Must pass through the `except` clauses of converted code.
PASS_THROUGH = (*NEEDS_STAGING, UnexpectedTracerError, Unstageable)


def is_engine(filename: str):
    """Whether a file is this package's, or JAX's."""
    return filename.startswith((*_ENGINE, "<frozen", "<face "))


def user_location(error: BaseException):
    """(file name, line) of the user's innermost frame in an exception's traceback, or (None, 0)."""
    found, tb = (None, 0), error.__traceback__
    while tb is not None:
        filename = tb.tb_frame.f_code.co_filename
        if not is_engine(filename):
            found = filename, tb.tb_lineno
        tb = tb.tb_next
    return found


def innermost(error: BaseException):
    """The last entry of an exception's traceback, the place where it was raised; None for an exception that was not
    raised.
    """
    tb = error.__traceback__
    while tb is not None and tb.tb_next is not None:
        tb = tb.tb_next
    return tb


def failed_instruction(error: BaseException):
    """The bytecode instruction that raised an exception; None if it was not raised."""
    tb = innermost(error)
    if tb is None:
        return None
    return next((i for i in dis.get_instructions(tb.tb_frame.f_code) if i.offset == tb.tb_lasti), None)


def name_without_value(error: BaseException):
    """The variable that a NameError is about: an UnboundLocalError has it in its text only, but the instruction that failed has it, too."""
    if error.name:
        return error.name
    instruction = failed_instruction(error)
    return instruction.argval if instruction is not None and instruction.opname.startswith("LOAD_") else None


def as_unstageable(error: BaseException, filename: str | None = None, lineno: int = 0):
    """The Unstageable for an exception of a trace, or None for an error of the program itself."""
    if isinstance(error, Unstageable):
        if error.filename is None:
            error.filename, error.lineno = user_location(error)
        return error
    if isinstance(error, NameError):
        return _unset_variable(error)
    if isinstance(error, NEEDS_STAGING):
        needed = next(
            (text for kind, text in _NEEDED if isinstance(error, kind)), "int(x), x.item(), a list index, a shape"
        )
        reason = f"Python needs the content of a traced Tensor here: {needed}"
    elif isinstance(error, UnexpectedTracerError):
        reason = "a traced value was kept after its trace had ended (that of a branch, a loop body or a transform)"
    elif says("loop without reverse mode", error):
        reason = "a gradient is taken through a `while` whose number of rounds depends on a Tensor; use a fixed range"
    else:
        return None
    where = user_location(error)
    return Unstageable(reason, *(where if where[0] else (filename, lineno)))


def _unset_variable(error):
    tb = innermost(error)
    if tb is None:
        return None
    filename, name = tb.tb_frame.f_code.co_filename, name_without_value(error)
    reason = _unset.get((filename, name))
    return reason and UnsetVariable(f"the local variable '{name}' has no value here: {reason}", filename, tb.tb_lineno)
