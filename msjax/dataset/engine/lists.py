"""Arguments that are one thing or a list of them."""

from typing import Any


def to_list(items: Any):
    """None as [], one item as a list of it, a tuple as a list."""
    if items is None:
        return []
    return list(items) if isinstance(items, (list, tuple)) else [items]


def flatten_single_lists(nested: Any):
    """A list without the lists of one list in it."""
    if not isinstance(nested, list):
        return nested
    if len(nested) == 1 and isinstance(nested[0], list):
        return flatten_single_lists(nested[0])
    return [flatten_single_lists(item) for item in nested]
