"""Settings of the parser of networks, under the names of MindSpore's inner modules (`rewrite.common.namespace`,
`rewrite.parsers`).
"""

from ..nn import Cell, CellList, SequentialCell

_subtree_black_list = [CellList, SequentialCell]  # networks of these classes are calls of a Cell, and are not read
_ms_cells_to_subtree = False
_ignore_third_party_paths: list = []  # where everything that can be imported is read here


class SymbolTreeBuilder:
    """`entry_functions`: names of the method that is read; `construct` always is."""

    entry_functions = ["construct"]


class ClassDefParser:
    """The same, and `final_networks`: base classes that are not looked into."""

    entry_functions = SymbolTreeBuilder.entry_functions
    final_networks = [Cell]


class AssignParser:
    """`types_for_cell_container`: classes that are read as a container of Cells."""

    types_for_cell_container = [SequentialCell]
