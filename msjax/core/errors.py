"""Exceptions of the engine, and the form of its messages: what went wrong, where, the value that was given, the remedy."""

import collections
from typing import Any

from ..alias.tracebacks import wants_all
from .callers import users_frame
from .compat import callback_logger
from .foreign_messages import in_plain_words

_raised_on_host = collections.deque(
    maxlen=16
)  # by functions of the user's that programs called: any thread may run them


class TracedValueLeak(RuntimeError):
    """A value of a finished trace is used outside it."""


class Unstageable(RuntimeError):
    """The function contains a statement that cannot be compiled; it must run eagerly.

    Attributes:
        reason: one sentence. filename, lineno: where, in the user's code (None, 0 where this is not known).
    """

    def __init__(self, reason: str, filename: str | None = None, lineno: int = 0):
        self.reason, self.filename, self.lineno = reason, filename, lineno
        super().__init__(reason)

    def __str__(self):
        return f"{self.filename}:{self.lineno}: {self.reason}" if self.filename else self.reason


_LEAKED = """{what} holds a value of a compiled function that has finished, so it has no content.
  A Tensor that is made while a function compiles exists only inside it. Instead of
      self.saved = x                      # in construct or in a @jit function
  return it from the function, or keep it in a Parameter:
      self.saved = Parameter(...)         # in __init__
      self.saved = x                      # in construct: this assigns the Parameter
  or run in PYNATIVE_MODE, where every Tensor has its content."""


def leaked_value(what: str):
    """The error for a Tensor that outlived its trace."""
    return TracedValueLeak(_LEAKED.format(what=what))


_LEAVES = """a function of JAX takes {what} {where}, while a gradient is recorded in PYNATIVE_MODE. \
The record knows Tensors, not JAX's arrays: the gradient would be zero beyond this line.
  Make the function a part of the network, once:
      self.f = msjax.from_jax(f)          # in __init__; f is the JAX function, such as jnp.tanh or jax.vmap(g)
      y = self.f(x)                       # in construct: a Tensor, with the gradient that JAX gives
  or @msjax.register_op above a function of your own, or GRAPH_MODE, where JAX differentiates the whole step.
  Where no gradient is wanted: f(ops.stop_gradient(x))."""


def leaves_the_tape(box: Any):
    """The error for a Tensor whose array goes to a function of JAX while a tape follows it."""
    frame = users_frame()
    where = "here" if frame is None else f"at {frame.f_code.co_filename}:{frame.f_lineno}"
    return RuntimeError(_LEAVES.format(what=describe(box), where=where))


def describe(value: Any):
    """Short text of an argument for an error message: type, shape and dtype of a Tensor, repr of the rest."""
    if hasattr(value, "_through_frames"):
        name = f" '{value.name}'" if value._through_frames else ""
        return f"{type(value).__name__}{name}(shape={tuple(value.shape)}, dtype={value.dtype})"
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"{type(value).__name__}(shape={tuple(value.shape)}, dtype={value.dtype})"
    if isinstance(value, (list, tuple)):
        inner = shortened(", ".join(describe(v) for v in value[:8]) + (", ..." if len(value) > 8 else ""), 400)
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def shortened(text: str, length: int = 1200):
    """A text of at most about this length: of a longer one, such as a message with the values of a large list, its begin and its end.

    Example:
        >>> shortened("a list of 1000 numbers: " + "7, " * 1000 + "is no shape", 60)
        'a list of 1000 numbers: 7, 7, 7, 7, 7, 7, 7,  ...  7, is no shape'
    """
    return text if len(text) <= length else f"{text[: length * 3 // 4]} ... {text[-length // 4 :]}"


def note_host_error(error: BaseException):
    """A function of the user's that a program called has raised this; `of_program` gives it to whoever waits for the program."""
    callback_logger.disabled = not wants_all()  # which prints the traceback once more
    _raised_on_host.append(error)


def of_program(error: BaseException):
    """The exception to raise for a failed program: the one that the user's own function raised inside, else a
    RuntimeError in plain words.
    """
    said = str(error)
    for own in reversed(_raised_on_host):
        if type(own).__name__ in said and str(own) in said:
            _raised_on_host.remove(own)
            return own
    return RuntimeError(in_plain_words(said))
