"""Containers of Cells: `SequentialCell` runs them in turn, `CellList` and `CellDict` only hold them."""

import itertools
import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self, overload

from ..core.spec.checking import checked
from ..core.spec.rules import Like
from ..core.trace.frame import current as current_frame
from ..core.values.tensor import Tensor
from .cell.cell import Cell


def _checked_cell(cell, where, error=TypeError):
    if not isinstance(cell, Cell):
        raise error(f"For '{where}', each argument must be a Cell, but got {type(cell).__name__}.")
    return cell


def _name_place(cells):
    """At which part of its dotted name the first Parameter has its container's key, and the parts before it.

    By that rule of MindSpore, a lone Cell that is a container itself ("0.0.weight") is taken to lie one deeper; names in
    checkpoints depend on it.
    """
    firsts = ((key, next(cell.get_parameters(), None)) for key, cell in cells.items())
    named = [
        (key, first.name.split(".")) for key, first in itertools.islice((f for f in firsts if f[1] is not None), 2)
    ]
    if not named:
        return 0, ""
    key, parts = named[0]
    for place in [i for i, part in enumerate(parts) if part == key] or [0]:
        if len(named) > 1 and named[1][1][place : place + 1] == [named[1][0]]:
            break
    return place, "".join(f"{part}." for part in parts[:place])


class _Indexed(Cell):
    """Cells under the names "0", "1", ...; a deleted or inserted Cell renames those after it."""

    _holds_dicts, _refused_item = True, TypeError

    def _checked(self, cell, error=TypeError):
        if not self._holds_dicts and isinstance(cell, CellDict):
            raise TypeError(f"For '{self.cls_name}', the type of a cell can not be CellDict.")
        return _checked_cell(cell, self.cls_name, error)

    def _index(self, index):
        if isinstance(index, Tensor):
            # MindSpore's graphs choose a Cell by a Tensor; a traced one needs its value: the function runs eagerly.
            index = operator.index(index)
        if isinstance(index, bool) or not isinstance(index, int):
            raise TypeError(
                f"For '{self.cls_name}', the type of 'index' must be int or slice, but got {type(index).__name__}."
            )
        if not -len(self) <= index < len(self):
            raise IndexError(
                f"For '{self.cls_name}', the value of 'index' must be a number in range [{-len(self)}, {len(self)}), "
                f"but got {index}."
            )
        return index % len(self)

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells.values())

    @overload
    def __getitem__(self, index: slice) -> Self: ...
    @overload
    def __getitem__(self, index: int | str) -> Cell: ...
    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._of(list(self._cells.items())[index])
        if isinstance(index, str) and index in self._cells:
            return self._cells[index]
        return list(self._cells.values())[self._index(index)]

    def __setitem__(self, index, cell):
        key = list(self._cells)[self._index(index)]
        self._put(key, self._checked(cell, self._refused_item), _name_place(self._cells)[1])

    def __delitem__(self, index):
        keys = list(self._cells)
        gone = set(keys[index] if isinstance(index, slice) else [keys[self._index(index)]])
        for key in gone:
            del self._cells[key]
        self._renumber(list(self._cells.values()), *_name_place(self._cells))

    def __bool__(self):
        return len(self._cells) != 0

    def _put(self, key, cell, prefix):
        if self._auto_prefix:
            cell.update_parameters_name(f"{prefix}{key}.")
        self._cells[key] = cell
        self._note_change()

    def _renumber(self, cells, place, prefix):
        """Hold these Cells under "0", "1", ...; a Cell that gets another position gets other names, one with a name of its own keeps it."""
        old = {id(cell): key for key, cell in self._cells.items()}
        self._cells.clear()
        for i, cell in enumerate(cells):
            key = old.get(id(cell))
            if key is not None and not key.isdigit():
                self._cells[key] = cell
                continue
            self._cells[str(i)] = cell
            if self._auto_prefix and key is None:
                cell.update_parameters_name(f"{prefix}{i}.")
            elif self._auto_prefix and key != str(i):
                for param in cell.get_parameters():
                    param.name = ".".join([f"{prefix}{i}", *param.name.split(".")[place + 1 :]])
        self._note_change()

    def append(self, cell):
        """Add a Cell at the end; returns the container."""
        self._put(str(len(self)), self._checked(cell), _name_place(self._cells)[1])
        return self

    def extend(self, cells):
        """Add several Cells at the end; returns the container.

        Raises:
            TypeError: `cells` is not a list, or holds something that is not a Cell.
        """
        if not isinstance(cells, (list, tuple, Iterable)):
            raise TypeError(
                f"For '{self.cls_name}', the new cells wanted to append should be instance of list, but got "
                f"{type(cells).__name__}."
            )
        prefix = _name_place(self._cells)[1]
        for cell in list(cells):
            self._put(str(len(self)), self._checked(cell), prefix)
        return self

    __iadd__ = extend

    def set_grad(self, flag=True):
        """Mark the container and its Cells for gradients."""
        for cell in self._cells.values():
            cell.set_grad(flag)
        return super().set_grad(flag)


class SequentialCell(_Indexed):
    """Runs Cells in turn, each on the output of the one before.

    Args: Cells one by one, a list of Cells, or an OrderedDict from name to Cell.

    Example:
        >>> nn.SequentialCell(nn.Dense(3, 4), nn.ReLU())(x).shape
        (2, 4)
    """

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], (list, tuple)):
            args = args[0]
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, cell in args[0].items():
                self._put(name, _checked_cell(cell, self.cls_name), "")
        else:
            for i, cell in enumerate(args):
                self._put(str(i), _checked_cell(cell, self.cls_name), "")
        self.cell_list = list(self._cells.values())

    def _of(self, items):
        return type(self)(OrderedDict(items))

    def _note_change(self):
        self.__dict__["cell_list"] = list(self._cells.values())
        super()._note_change()

    def construct(self, input_data: Tensor):
        for cell in self._cells.values():
            input_data = cell(input_data)
        return input_data


class CellList(_Indexed):
    """A list of Cells whose Parameters are named "0.…", "1.…"; it cannot be called.

    Args: Cells one by one, or one list of Cells. auto_prefix: put the position before the Parameters' names.
    """

    _holds_dicts, _refused_item = False, AttributeError
    _only_holds = True  # `vmap` of a CellList calls each Cell on its own slice

    def __init__(self, *args, **kwargs):
        super().__init__(kwargs.get("auto_prefix", True))
        self.extend(args[0] if len(args) == 1 and not isinstance(args[0], Cell) else args)

    def _of(self, items):
        # A slice in compiled code leaves the Parameters their names, as in MindSpore; one of a SequentialCell renames them there, too.
        prefix = self._auto_prefix and current_frame() is None
        return type(self)([cell for _, cell in items], auto_prefix=prefix)

    @checked
    def insert(self, index: int, cell: Like[Cell]):
        """Put a Cell before position `index`."""
        cells = list(self._cells.values())
        if not -len(cells) <= index <= len(cells):
            raise IndexError(
                f"For '{self.cls_name}', the value of 'index' must be a number in range [{-len(cells)}, "
                f"{len(cells)}], but got {index}."
            )
        place = _name_place(self._cells)
        cells.insert(index + len(cells) if index < 0 else index, self._checked(cell))
        self._renumber(cells, *place)

    def construct(self, *inputs):
        raise NotImplementedError("A CellList only holds Cells: call them one by one, or use SequentialCell.")


class CellDict(Cell):
    """A dict of Cells; it cannot be called.

    Args: a mapping, or an iterable of (name, Cell) pairs.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(kwargs.get("auto_prefix", True))
        if len(args) == 1:
            self.update(args[0])

    def __getitem__(self, key) -> Cell:
        return self._cells[key]

    def __setitem__(self, key, cell):
        if not isinstance(key, str):
            raise TypeError(f"For '{self.cls_name}', the type of 'key' must be str, but got {type(key).__name__}.")
        if not key or "." in key:
            raise KeyError(
                f"For '{self.cls_name}', the key must not be empty and must not contain '.', but got '{key}'."
            )
        if hasattr(self, key) and key not in self._cells:
            raise KeyError(f"For '{self.cls_name}', the key '{key}' is an attribute of CellDict already.")
        _checked_cell(cell, self.cls_name)
        if isinstance(cell, (_Indexed, CellDict)):
            raise TypeError(
                f"For '{self.cls_name}', the type of a cell can not be CellDict, CellList or SequentialCell, but got "
                f"{type(cell).__name__}."
            )
        if self._auto_prefix:
            cell.update_parameters_name(f"{_name_place(self._cells)[1]}{key}.")
        self._cells[key] = cell
        self._note_change()

    def __delitem__(self, key):
        del self._cells[key]
        self._note_change()

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[str]:
        return iter(self._cells)

    def __contains__(self, key):
        return key in self._cells

    def __bool__(self):
        return len(self._cells) != 0

    def keys(self):
        """The names."""
        return self._cells.keys()

    def values(self):
        """The Cells."""
        return self._cells.values()

    def items(self):
        """Pairs (name, Cell)."""
        return self._cells.items()

    def clear(self):
        """Take all Cells out."""
        self._cells.clear()
        self._note_change()

    def pop(self, key: str):
        """Take one Cell out and return it."""
        cell = self._cells.pop(key)
        self._note_change()
        return cell

    def update(self, cells: Any):
        """Add Cells from a mapping or from (name, Cell) pairs.

        Raises:
            TypeError: `cells` is neither. ValueError: an element is not a pair.
        """
        if not isinstance(cells, Iterable):
            raise TypeError(
                f"For '{self.cls_name}', the 'cells' must be a mapping or an iterable of pairs, but got "
                f"{type(cells).__name__}."
            )
        if isinstance(cells, (Mapping, CellDict)):
            cells = cells.items()
        for pair in cells:
            if len(pair) != 2:
                raise ValueError(
                    f"For '{self.cls_name}', each element must be a pair (name, Cell), but got {len(pair)} elements."
                )
            self[pair[0]] = pair[1]

    def construct(self, *args, **kwargs):
        raise NotImplementedError("A CellDict only holds Cells: call them one by one.")
