"""Errors of user functions, told as the user wrote them: the function, the row, the traceback."""

import contextlib
import traceback
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..operation import Operation, operation_name


class PipelineError(RuntimeError):
    """An operation failed on a row; `row_number` counts the rows of the epoch at that operation, from 0."""

    row_number = 0

    def __reduce__(self):
        return RuntimeError, self.args


PipelineError.__name__ = PipelineError.__qualname__ = "RuntimeError"  # as it is shown
PipelineError.__module__ = "builtins"


def _describe(value):
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    return type(value).__name__


def user_error(error: Exception, operation: Any, number: float, names: Sequence[str], row: tuple):
    """The error to raise (`from error`) when `operation` raised `error` on row `number`."""
    if isinstance(error, PipelineError):
        return error
    kind = "" if isinstance(operation, Operation) else "user defined "
    shown = ", ".join(map(_describe, row)) if isinstance(row, tuple) else ""
    own = "".join(traceback.format_exception(type(error), error, _user_part(error.__traceback__)))
    new = PipelineError(
        f"Exception thrown from {kind}Python function in dataset: map operation: [{operation_name(operation)}] failed "
        f"on row {number}, column(s) {list(names)}, input {shown}.\n{own}"
    )
    new.row_number = number
    return new


def source_error(error: Exception, source: Any, index: int):
    """The error to raise (`from error`) when the user's `source` raised `error` on row `index`."""
    if isinstance(error, PipelineError):
        return error
    own = "".join(traceback.format_exception(type(error), error, _user_part(error.__traceback__)))
    name = getattr(source, "__qualname__", type(source).__qualname__)
    new = PipelineError(
        f"Exception thrown from user defined Python function in dataset: the source {name} of GeneratorDataset failed "
        f"on row {index}.\n{own}"
    )
    new.row_number = index if isinstance(index, int) else 0
    return new


@contextlib.contextmanager
def of_user(what: str):
    """A `with` block for a call of the user's function: an error inside is reported as an error of that function, named
    `what`.
    """
    try:
        yield
    except (PipelineError, NotImplementedError):
        raise
    except Exception as error:
        own = "".join(traceback.format_exception(type(error), error, _user_part(error.__traceback__)))
        raise PipelineError(
            f"Exception thrown from user defined Python function in dataset: {what} failed.\n{own}"
        ) from error


def _user_part(trace):
    """The traceback without the engine's own frames at its start."""
    while (
        trace is not None
        and trace.tb_next is not None
        and trace.tb_frame.f_globals.get("__name__", "").startswith(("msjax.dataset.engine", "msjax.dataset.sources"))
    ):
        trace = trace.tb_next
    return trace
