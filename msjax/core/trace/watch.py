"""Warnings about compilation: a function that is traced again and again, or that compiles for long, with the reason."""

import contextlib
import inspect
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from ..callers import warn
from ..traceable import is_traceable
from .call_structure import Mutable

_MANY = 8  # traces of one function
_LONG = 5.0  # seconds until a first call is told of; the time is told again whenever it has doubled


def count(name: str, reasons: list[str]):
    """Warn once when a function is traced for the ninth time: the values that changed, and the remedy."""
    if len(reasons) != _MANY + 1:
        return
    changes = list(dict.fromkeys(reasons[1:]))
    if any("shape" in change for change in changes):
        remedy = (
            "pad to a few lengths (dataset.batch with pad, or bucket_batch_by_length), or run it in PYNATIVE_MODE, where only "
            "single operators compile"
        )
    elif any("attribute" in change or "flag" in change for change in changes):
        remedy = "keep what changes in a Parameter, and set modes before the loop"
    else:
        remedy = "give numbers that change as Tensors, or through mindspore.mutable()"
    shown = "; ".join(changes[-3:])
    warn(
        f"'{name}' has been traced {_MANY + 1} times, and each time it compiles. What changed: {shown}. Remedy: {remedy}."
    )


def left_training(function: Callable, cells: list):
    """Warn when parts of a compiled Cell have left training and the Cell itself was not told so: a step goes on, but not
    as MindSpore's would.
    """
    if cells and is_traceable(function) and not any(cell is function for cell in cells):
        parts, name = ", ".join(dict.fromkeys(type(cell).__name__ for cell in cells)), type(function).__name__
        warn(
            f"'{name}' was compiled while parts of it ({parts}) were in training, and set_train(False) has been called on them since. It goes "
            "on without training, as in PYNATIVE_MODE: Dropout drops nothing, BatchNorm takes its running statistics. MindSpore's graph stays as "
            f"it was compiled. If '{name}' trains, call set_train() before its next step."
        )


@contextlib.contextmanager
def compiling(name: str):
    """Report a long compilation on stderr: the time so far, and its end."""
    started, done, told = time.perf_counter(), threading.Event(), []

    def tell():
        wait = _LONG
        while not done.wait(wait):
            taken = time.perf_counter() - started
            told.append(taken)
            sys.stderr.write(f"msjax: compiling '{name}' ... {taken:.0f} s\n")
            wait = taken  # until it has doubled

    threading.Thread(target=tell, daemon=True, name="msjax-tells").start()
    try:
        yield
        if told:
            sys.stderr.write(f"msjax: '{name}' is compiled, {time.perf_counter() - started:.0f} s\n")
    finally:
        done.set()


def labels(function: Callable, key: Any):
    """Labels for the parts of a call's key: "x", "sizes[1]", "k".

    function: what is called. key: as `call_structure.split` makes it.
    """
    try:
        names = [p.name for p in inspect.signature(function).parameters.values() if p.kind is not p.KEYWORD_ONLY]
    except (TypeError, ValueError):
        names = []
    found, place, number = [], 0, 0
    while place < len(key):
        if isinstance(key[place], str):
            label = key[place]
            found.append(label)
            place += 1
        else:
            label = names[number] if number < len(names) else f"argument {number}"
            number += 1
        place = _label(key, place, label, found)
    return found


def _label(key, place, label, found):
    """Note the label of one value and of the values inside it; returns the next position."""
    if place >= len(key):
        return place
    part = key[place]
    found.append(label)
    place += 1
    kind = part[0] if isinstance(part, tuple) and len(part) == 2 else None
    if isinstance(kind, type) and issubclass(kind, (list, tuple)):
        for i in range(part[1]):
            place = _label(key, place, f"{label}[{i}]", found)
    elif isinstance(kind, type) and issubclass(kind, dict):
        for _ in range(part[1]):
            name = key[place]
            found.append(label)
            place = _label(key, place + 1, f"{label}[{name[-1]!r}]", found)
    elif isinstance(part, type) and not issubclass(part, Mutable):  # an object with Tensors inside
        place = _label(key, place, label, found)
    return place
