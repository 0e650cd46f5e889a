"""Tuples and lists of `mutable(..., dynamic_len=True)`: their items have one type, and sequences derived from them have
a dynamic length too.

A graph of MindSpore does not know how long they are. Here each length is traced anew, so they hold their items as any sequence does; what
such a graph refuses is refused.
"""

import operator
from typing import Any

from ..values.tensor import Tensor
from .call_structure import CONTAINERS, Mutable, MutableContainer, MutableInt, register_container


def element_type(value: Any):
    """The properties that items of one sequence must share."""
    if isinstance(value, Tensor):
        return "Tensor", value.dtype, value.shape
    if isinstance(value, (tuple, list)):
        return ("list" if isinstance(value, list) else "tuple", *map(element_type, value))
    return next((kind.__name__ for kind in (bool, int, float, str) if isinstance(value, kind)), type(value).__name__)


def _check_items(items):
    """Items are of one kind; those that are sequences themselves may differ in length."""
    kinds = [k[0] if isinstance(k := element_type(v), tuple) else k for v in items]
    if len(set(kinds)) > 1:
        raise ValueError(
            "The element type do not match, can not convert to dynamic length sequence. In graph mode, the element type of "
            f"dynamic length array must be the same. The elements are {', '.join(dict.fromkeys(kinds))}."
        )


class DynamicLength(MutableContainer):
    """A sequence whose length is not known to a graph."""

    __slots__ = ()

    def _must_fit(self, value, text):
        if len(self) and element_type(self[0]) != element_type(value):
            raise TypeError(f"{text}: the items are {element_type(self[0])}, but got {element_type(value)}.")

    def __add__(self, other):
        return _added(self, other)

    def __radd__(self, other):
        return _added(other, self)

    def __mul__(self, times):
        return dynamic(_plain(self) * times)

    __rmul__ = __mul__

    def __getitem__(self, key):
        found = _plain(self)[key]
        return dynamic(found) if isinstance(key, slice) else found

    def count(self, value: Any):
        """The number of occurrences of an item, as a traced number."""
        return MutableInt(_plain(self).count(value))

    def index(self, value: Any, *limits):
        """The position of an item, as a traced number."""
        return MutableInt(_plain(self).index(value, *limits))


class _Tuple(DynamicLength, CONTAINERS[tuple]):
    __slots__ = ()
    __hash__ = CONTAINERS[tuple].__hash__


class _List(DynamicLength, CONTAINERS[list]):
    __slots__ = ()

    def __setitem__(self, key, value):
        if isinstance(key, slice):
            _check_items([*self, *value])
        else:
            text = "The element within dynamic length sequence and the new one must be of one type when the queue is dynamic length"
            self._must_fit(value, text)
        super().__setitem__(key, value)

    def append(self, value):
        """Add an item of the same type."""
        self._must_fit(
            value, "For 'append', the item must be of the type of the others when the queue is dynamic length"
        )
        super().append(value)

    def insert(self, place, value):
        """Put an item of the same type somewhere."""
        self._must_fit(
            value, "For 'insert', the item must be of the type of the others when the queue is dynamic length"
        )
        super().insert(place, value)

    def extend(self, values):
        """Add items of the same type."""
        for value in values:
            self.append(value)

    def __iadd__(self, values):
        self.extend(values)
        return self


register_container(_Tuple, tuple)
register_container(_List, list)


def dynamic(items: MutableContainer):
    """A tuple or list as one of dynamic length.

    Raises:
        ValueError: items of several types.
    """
    _check_items(items)
    return (_List if isinstance(items, list) else _Tuple)(items)


def _plain(items):
    return list(items) if isinstance(items, list) else tuple(items)


def _added(left, right):
    if not isinstance(left, (tuple, list)) or isinstance(left, list) is not isinstance(right, list):
        return NotImplemented
    if left and right and element_type(left[0]) != element_type(right[0]):
        raise TypeError(
            f"For 'sequence_add', the element of first input {element_type(left[0])} is not same with the element of second "
            f"input {element_type(right[0])}."
        )
    return dynamic(_plain(left) + _plain(right))


# --- ordinary sequences with `mutable` numbers as indices, in converted code
def has_mutable_bounds(key: Any):
    """Whether a slice has bounds that a graph does not know."""
    return isinstance(key, slice) and any(isinstance(v, Mutable) for v in (key.start, key.stop, key.step))


def take(owner: tuple[Tensor, ...], key: Any):
    """`owner[key]`."""
    if type(owner) in (list, tuple) and has_mutable_bounds(key):
        key = slice(*(v if v is None else operator.index(v) for v in (key.start, key.stop, key.step)))
        return dynamic(owner[key])
    return owner[key]


def check_before_set(owner: list, key: Any, value: Any):
    """Raise the errors of a graph for `owner[key] = value`."""
    if type(owner) is not list:
        return
    if isinstance(key, slice):
        if isinstance(value, DynamicLength):
            _check_items([*owner, *value])
        if has_mutable_bounds(key) and owner and value and element_type(owner[0]) != element_type(value[0]):
            raise TypeError(
                f"The element within origin sequence {element_type(owner[0])} and the new one {element_type(value[0])} must be "
                "of one type."
            )
    elif isinstance(key, Mutable) and owner:
        for i, item in enumerate(owner):
            if element_type(item) != element_type(owner[0]):
                raise TypeError(
                    f"The sequence[0] item {element_type(owner[0])} and the sequence[{i}] item {element_type(item)} must be of "
                    "one type where the index is a variable."
                )
        if element_type(value) != element_type(owner[0]):
            raise TypeError(
                f"The element within constant length sequence {element_type(owner[0])} and the new one {element_type(value)} "
                "must be of one type where the index is a variable."
            )
