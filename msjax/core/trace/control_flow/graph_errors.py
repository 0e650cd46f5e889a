"""Errors of a function that is being compiled, as MindSpore's graph compiler has them.

There Python's own errors are errors of the compiler: a missing key is a ValueError, a name that is not defined is found before anything
runs. An error that gets another type here is of both types.
"""

import builtins
import dis
import functools
import linecache
import re
import types

from .errors import is_engine, user_location

# what Python says -> type in MindSpore, and what it says
_WORDS = (
    (ZeroDivisionError, r"^integer modulo", ValueError, "Cannot perform modulo operation on zero."),
    (ZeroDivisionError, r"", ValueError, "The divisor could not be zero. But the divisor is zero now."),
    (KeyError, r"(.*)", ValueError, "The key {0} does not exist in the dict."),
    (
        TypeError,
        r"^range expected at (?:least|most) \d arguments?, got (\d+)",
        RuntimeError,
        "For 'make_range', the input size should within [1, 3] but got{0}",
    ),
    (
        ValueError,
        r"^range\(\) arg 3 must not be zero",
        RuntimeError,
        "For 'range', the argument 'step' could not be 0.",
    ),
    (TypeError, r"^slice indices must be integers", TypeError, "Slice indices must be integers or bool."),
    (ValueError, r"^slice step cannot be zero", ValueError, "Slice step cannot be zero."),
    (
        TypeError,
        r"^tuple indices must be integers or slices, not (.*)",
        IndexError,
        "TupleGetItem evaluator index should be an int64 number, but got {0}.",
    ),
    (IndexError, r"^tuple index out of range", IndexError, "TupleGetItem evaluator index should be in range."),
    (TypeError, r"^object of type '(.*)' has no len", AttributeError, "'{0}' object has no attribute '__len__'"),
)


def in_graph_words(error):
    """What MindSpore's graph compiler raises where tracing the user's code raised `error`; the same error where that is it."""
    if isinstance(error, NameError) and not isinstance(error, UnboundLocalError):
        name = error.name or (re.search(r"'(\w+)'", str(error)) or [None, ""])[1]
        return _same(error, _not_defined(name, *user_location(error)))
    found = _undefined_name(error.__traceback__)
    if found is not None:
        return _of_both(NameError, error, _not_defined(*found))
    if not _of_python(error):
        return error
    for kind, pattern, wanted, text in _WORDS:
        found = type(error) is kind and re.search(pattern, str(error))
        if found:
            text = text.format(*found.groups())
            return _same(error, text) if wanted is kind else _of_both(wanted, error, text)
    return error


def _not_defined(name, filename, lineno):
    line = linecache.getline(filename, lineno).strip() if filename else ""
    return f"The name '{name}' is not defined, or not supported in graph mode.\nIn file {filename}:{lineno}\n    {line}"


def _of_python(error):
    """Whether Python itself raised an error in a line of the user's, and no `raise` and no engine did."""
    tb = error.__traceback__
    while tb is not None and tb.tb_next is not None:
        tb = tb.tb_next
    if tb is None:
        return False
    code = tb.tb_frame.f_code
    return not any(
        i.offset == tb.tb_lasti and i.opname in ("RAISE_VARARGS", "RERAISE") for i in dis.get_instructions(code)
    )


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
