"""Names of Cells in compiled programs: profiles show `conv1-Conv2d` within its parent's, as MindSpore's graphs have them."""

import contextlib
from typing import TYPE_CHECKING

import jax

if TYPE_CHECKING:
    from .cell import Cell


@contextlib.contextmanager
def named_call(root: int, cell: "Cell"):
    """A `with` block: operations traced inside belong to a Cell called by the Cell in `root.calling`."""
    above, root.calling = root.calling, cell
    try:
        with jax.named_scope(f"{_name_within(above, cell)}-{type(cell).__name__}"):
            yield
    finally:
        root.calling = above


def _name_within(above, cell):
    """The attribute, or the number in a list, by which the caller knows the Cell."""
    inner = () if above is None else above._cells.items()
    for name, child in inner:
        if child is cell:
            return name
    for name, child in inner:
        for number, of_list in () if child is None else child._cells.items():
            if of_list is cell:
                return f"{name}.{number}"
    return "cell"
