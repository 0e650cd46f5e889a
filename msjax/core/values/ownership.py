"""Whom an array belongs to. A compiled program writes the new state over the old, and only over arrays that belong to one box alone.

That is called donation: an Adam step over 10 million Parameters takes 8 ms with it, and 60 ms without. A donated array is gone for all
who hold it, so a box (a Parameter, or a Tensor that a program changes) keeps a note of what is its own:

- What a program, an initializer or a copy has made belongs to the box that it is put into (`keep`).
- Whoever reads the array by `box._data` may go on to hold it (`p.value()`, `jax_array`, another box, a constant of a trace), so it is no
  longer the box's own (`hand_out`). It never becomes so again; the next run copies it and what it makes is the box's own.
- Those who read it and let go of it before they return (an operator's call, `asnumpy`, printing) read `box._lent`, and change no note.
  JAX's programs give no array that shares memory with one of their inputs; `tests/core/test_ownership.py` holds JAX to it.
- An eager tape lets go of arrays later, so all tapes that are alive are asked what they hold (`holders`).

No references are counted. Views of NumPy need no note: JAX does not reuse memory that has one.

A Parameter's note is a slot beside the array: it owns the array that stands in both. A Tensor's array is read without a function in between,
so what is a Tensor's own stands in the second slot only: the first one is empty, and Python asks `Tensor.__getattr__` for it, which
hands it out.
"""

import operator
import threading
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from .rows import Row
    from .tensor import Tensor


class Held:
    """The two slots of a box: the array it contains, and the array that it owns (nothing else refers to it)."""

    __slots__ = ("_data", "_own")


_get, _put, _empty = Held._data.__get__, Held._data.__set__, Held._data.__delete__
_owned, _own = Held._own.__get__, Held._own.__set__
_turns = threading.Lock()  # of threads that move an array of a Tensor from one slot to the other


def content(box: "Tensor"):
    """The content of a box, without marking it as shared; the reader must not keep it."""
    try:
        return _get(box)
    except AttributeError:
        with _turns:
            array = _owned(box)
            return _get(box) if array is None else array


def hand_out(box: "Tensor"):
    """The content of a box, for a reader that may keep it."""
    if box._through_frames:
        _own(box, None)
        return _get(box)
    with _turns:
        try:
            return _get(box)
        except AttributeError:
            array = _owned(box)
            if array is None:
                raise
            _put(box, array)
            _own(box, None)
            return array


def put(box: "Tensor", array: "jax.Array | Row"):
    """Give a Parameter an array that other objects may hold."""
    _own(box, None)
    _put(box, array)


def keep(box: "Tensor", array: jax.Array):
    """Give a box an array that no other object holds."""
    if box._through_frames:
        _put(box, array)
        _own(box, array)
        return
    with _turns:
        _own(box, array)
        try:
            _empty(box)
        except AttributeError:
            pass  # it is empty already


def owns(box: "Tensor"):
    """Whether the content of a box belongs to this box alone."""
    return _note(box) is content(box)


def contents(boxes: Sequence):
    """The contents of boxes, for a reader that does not keep them."""
    try:
        return list(map(_get, boxes))
    except AttributeError:
        return list(map(content, boxes))


def keep_all(boxes: Sequence, arrays: Sequence, parameters: bool):
    """As `keep`, for many. parameters: whether all boxes are Parameters."""
    if parameters:
        any(
            map(_put, boxes, arrays)
        )  # a step does this for each Parameter: a loop of Python's takes three times as long
        any(map(_own, boxes, arrays))
    else:
        for box, array in zip(boxes, arrays):
            keep(box, array)


def for_writing(boxes: Sequence, arrays: Sequence):
    """The arrays that a program may overwrite: the box's own array, or a copy if another object may hold it. arrays:
    the boxes' contents.
    """
    try:
        notes = list(map(_owned, boxes))
    except AttributeError:
        notes = list(map(_note, boxes))
    if not _holders and all(map(operator.is_, notes, arrays)):
        return arrays
    lent = _lent()
    return [
        a if a is note and id(a) not in lent or not isinstance(a, jax.Array) else jnp.copy(a)
        for note, a in zip(notes, arrays)  # a plan's state are shapes: of these there is no copy
    ]


def not_lent(arrays: Sequence[jax.Array]):
    """The arrays, which belong to no box (stacks of rows), in a form that a program may overwrite: those that a holder keeps are copied."""
    lent = _lent() if _holders else ()
    return [jnp.copy(a) if id(a) in lent else a for a in arrays]


def _lent():
    return {id(array) for holder in _alive() for array in holder.arrays()}


def _note(box):
    """The array that is the box's own, or None."""
    try:
        return _owned(box)
    except AttributeError:  # nothing was ever
        return None


# --- who holds arrays for longer than a call
_holders = set()  # weak references to objects whose `arrays()` are what they hold


def holds(holder: Any):
    """Register an object that, as long as it lives, is asked for the arrays it holds (`holder.arrays()`) before any is
    overwritten.
    """
    _holders.add(weakref.ref(holder, _holders.discard))


def _alive():
    return [holder for ref in _holders.copy() if (holder := ref()) is not None]
