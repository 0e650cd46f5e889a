"""Cells in a list, tuple or dict of a network's own: they are none of its children, so their Parameters are neither trained nor saved."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ... import log
from ...core.identity import ByIdentity
from ...inner.common import Cell_

if TYPE_CHECKING:
    from .cell import Cell

_looked_at = ByIdentity()


def tell_of_hidden_cells(network: "Cell") -> None:
    """Warn, once for a network, of Cells with trainable Parameters that it holds in a list, tuple or dict alone. MindSpore says nothing."""
    if network in _looked_at:
        return
    _looked_at[network] = True
    for cell, name, held, hidden in _hidden(network):
        container = "CellDict" if isinstance(held, dict) else "CellList"
        log.warning(
            f"The Parameters of {len(hidden)} Cell(s) in '{name}' of {type(cell).__name__} (such as {type(hidden[0]).__name__}) are neither "
            f"trained nor saved: a {type(held).__name__} of Cells does not make them children. If they are to be, write "
            f"self.{name} = nn.{container}(...)."
        )


def _hidden(network: "Cell") -> Iterator[tuple]:
    """(Cell, attribute, its value, the Cells in it) for each attribute that holds Cells with trainable Parameters that are no children."""
    cells = [cell for _, cell in network.cells_and_names()]
    children = set(map(id, cells))
    for cell in cells:
        for name, held in vars(cell).items():
            if type(held) in (list, tuple, dict):
                items = held.values() if type(held) is dict else held
                hidden = [item for item in items if isinstance(item, Cell_) and id(item) not in children]
                if any(p.requires_grad for item in hidden for p in item.get_parameters()):
                    yield cell, name, held, hidden
