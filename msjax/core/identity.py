"""Tables of objects by identity, for objects without a hash of their own: arrays and Tensors."""

import weakref
from typing import Any


class ByIdentity:
    """{object: value}; an entry goes when its object goes, so an id is never taken for another object's.

    Example:
        >>> import numpy as np
        >>> from msjax.core.identity import ByIdentity
        >>> table, array = ByIdentity(), np.zeros(3)
        >>> table[array] = "zeros"
        >>> table.get(array), array in table
        ('zeros', True)
        >>> del array
        >>> len(table)
        0
    """

    __slots__ = ("_entries",)

    def __init__(self):
        self._entries = {}  # id -> (weak reference, value)

    def __len__(self):
        return len(self._entries)

    def __contains__(self, key: Any):
        return id(key) in self._entries

    def __setitem__(self, key: Any, value: Any):
        entries, number = self._entries, id(key)
        entries[number] = weakref.ref(key, lambda _: entries.pop(number, None)), value

    def get(self, key: Any):
        """The value of an object, or None."""
        found = self._entries.get(id(key))
        return None if found is None else found[1]

    def discard(self, key: Any):
        """Leave an object out, if it is in the table."""
        self._entries.pop(id(key), None)
