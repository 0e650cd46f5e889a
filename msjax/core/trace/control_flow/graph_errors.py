"""Errors of a function that is being compiled, as MindSpore's graph compiler has them.

There Python's own errors are errors of the compiler: a missing key is a ValueError, a name that is not defined is found before anything
runs. An error that gets another type here is of both types.
"""

import builtins
import dis
import functools
import inspect
import linecache
import types

from ... import foreign_messages
from .errors import failed_instruction, innermost, is_engine, name_without_value, user_location


def in_graph_words(error: BaseException):
    """MindSpore's graph-compiler exception for an `error` raised while the user's code was traced; the same error if it
    is already MindSpore's.
    """
    if isinstance(error, NameError) and not isinstance(error, UnboundLocalError):
        return _same(error, _not_defined(name_without_value(error) or "", *user_location(error)))
    found = _undefined_name(error.__traceback__)
    if found is not None:
        return _of_both(NameError, error, _not_defined(*found))
    if not _of_python(error) or not _in_users_code(error.__traceback__):
        return error
    wanted, text = _words(error) or foreign_messages.in_graph_words(error) or (None, None)
    if wanted is None:
        return error
    wanted = _of_misfit(error) or wanted
    return _same(error, text) if wanted is type(error) else _of_both(wanted, error, text)


def _words(error):
    """(class, text) where the class of Python's error and the instruction that failed say enough."""
    if type(error) is ZeroDivisionError:
        modulo = failed_instruction(error).argrepr.startswith("%")
        said = "Cannot perform modulo operation on zero."
        return ValueError, said if modulo else "The divisor could not be zero. But the divisor is zero now."
    if type(error) is KeyError:
        return ValueError, f"The key {error} does not exist in the dict."
    return None


def _of_misfit(error):
    """The class for a call whose arguments do not fit: it depends on the function's parameters, and on whether the call names some.

    None for other errors, and where the function is not found.
    """
    name, twice = foreign_messages.called_wrongly(error) or (None, False)
    function = name and _function_called(name, error.__traceback__)
    if not function:
        return None
    kinds = {p.kind for p in inspect.signature(function).parameters.values()}
    if twice:
        return RuntimeError if inspect.Parameter.VAR_POSITIONAL in kinds else TypeError
    plain = kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD} and not function.__defaults__
    return TypeError if plain and not _names_arguments(error) else RuntimeError


def _function_called(name, tb):
    """The function of a qualified name that code on the way to an error can reach, or None."""
    first, *rest = name.rpartition("<locals>.")[2].split(".")
    while tb is not None:
        frame = tb.tb_frame
        for start, path in (
            *((held.get(first), rest) for held in (frame.f_locals, frame.f_globals)),
            *((type(value), [name.rpartition(".")[2]]) for value in frame.f_locals.values()),
        ):
            for part in path:
                start = inspect.getattr_static(start, part, None)
            if isinstance(start, types.FunctionType) and start.__qualname__ == name:
                return start
        tb = tb.tb_next
    return None


def _names_arguments(error):
    """Whether the call that failed gives arguments by name."""
    frame, call = innermost(error).tb_frame, failed_instruction(error)
    if call.opname == "CALL_FUNCTION_EX":
        given = frame.f_locals.get("kwargs", True) if is_engine(frame.f_code.co_filename) else True
        return bool(call.arg and given)
    before = [i.opname for i in dis.get_instructions(frame.f_code) if i.offset < call.offset][-2:]
    return call.opname.endswith("_KW") or "KW_NAMES" in before


def _not_defined(name, filename, lineno):
    line = linecache.getline(filename, lineno).strip() if filename else ""
    return f"The name '{name}' is not defined, or not supported in graph mode.\nIn file {filename}:{lineno}\n    {line}"


def _of_python(error):
    """Whether Python itself raised an error in a line of the user's, and no `raise` and no engine did."""
    instruction = failed_instruction(error)
    return instruction is not None and instruction.opname not in ("RAISE_VARARGS", "RERAISE")


def _in_users_code(tb):
    """Whether code of the user's ran: else the function was called with arguments that do not fit."""
    while tb is not None and is_engine(tb.tb_frame.f_code.co_filename):
        tb = tb.tb_next
    return tb is not None


def _same(error, text):
    error.args = (text,)
    return error


def _of_both(kind, error, text):
    made = _both(kind, type(error))(text)
    made.__traceback__, made.__cause__ = error.__traceback__, error.__cause__
    return made


@functools.cache
def _both(kind, python):
    if issubclass(python, kind):
        return python
    try:
        return type(kind.__name__, (kind, python), {"__module__": "builtins", "__str__": BaseException.__str__})
    except TypeError:  # two that do not go together
        return kind


def _undefined_name(tb):
    """(name, file, line) that a function of the user's on the way to an error refers to, and nobody defines; or None."""
    while tb is not None:
        frame = tb.tb_frame
        if not is_engine(frame.f_code.co_filename):
            for name, lineno in _global_names(frame.f_code):
                if name not in frame.f_globals and not hasattr(builtins, name):
                    return name, frame.f_code.co_filename, lineno
        tb = tb.tb_next
    return None


def _global_names(code):
    lineno = code.co_firstlineno
    for instruction in dis.get_instructions(code):
        lineno = instruction.positions.lineno or lineno
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval, lineno
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _global_names(constant)
