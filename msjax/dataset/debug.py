"""Hooks that look at rows on their way through a map: `mindspore.dataset.debug`."""

import abc
from typing import Any

import numpy as np

__all__ = ["DebugHook", "PrintDataHook", "PrintMetaDataHook"]


class DebugHook(abc.ABC):
    """Base of the hooks given to `config.set_debug_mode` or written between the operations of a map.

    A subclass defines `compute(*args)`; the columns pass through unchanged.

    Example:
        >>> from msjax.dataset.debug import DebugHook
        >>> class Show(DebugHook):
        ...     def compute(self, *args):
        ...         print("row", args)
        >>> Show()(1, 2)
        row ((1, 2),)
        (1, 2)
    """

    def __init__(self, prev_op_name: Any = None):
        self.prev_op_name = prev_op_name
        self.is_first_op = None

    def __call__(self, *args):
        if self.prev_op_name:
            side = "INPUT" if self.is_first_op else "OUTPUT"
            print(f"[Dataset debugger] Print the [{side}] of the operation [{self.prev_op_name}].", flush=True)
        self.compute(args)
        return args

    @abc.abstractmethod
    def compute(self, *args):
        """Looks at the columns; `args[0]` is the tuple of them."""

    def set_previous_op_name(self, prev_op_name: Any):
        """Sets the name of the operation next to the hook."""
        self.prev_op_name = prev_op_name

    def set_is_first(self, is_first_op: Any):
        """Sets whether the hook runs before its operation."""
        self.is_first_op = is_first_op


def _print_columns(columns, describe):
    for i, column in enumerate(columns):
        print(f"Column {i}. {describe(column)}", flush=True)


def _meta(column):
    if isinstance(column, np.ndarray):
        return f"The dtype is [{column.dtype}]. The shape is [{column.shape}]."
    if hasattr(column, "getbands"):
        return f"The type is [{type(column)}]. The shape is [{column.size}]."
    return f"The type is [{type(column)}]. The size is [{len(column)}]." if hasattr(column, "__len__") else ""


class PrintMetaDataHook(DebugHook):
    """Prints dtype and shape of each column."""

    def compute(self, *args):
        _print_columns(args[0], _meta)
        return args


class PrintDataHook(DebugHook):
    """Prints the content of each column."""

    def compute(self, *args):
        _print_columns(
            args[0], lambda column: f"The data is [{np.asarray(column) if hasattr(column, 'getbands') else column}]."
        )
        return args
