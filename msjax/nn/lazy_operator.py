"""Operators that MindSpore's layers keep as attributes and that subclasses call: `self.matmul` of Dense,
`self.conv2d` of Conv2d.
"""

from collections.abc import Callable


class Served:
    """Class attribute of a Cell that is made when an instance is first asked for it; an instance may set its own.

    Example:
        >>> from mindspore.nn import Cell
        >>> from msjax.nn.lazy_operator import Served
        >>> class Dense(Cell):
        ...     matmul = Served(lambda self: ops.MatMul(transpose_b=True))
    """

    def __init__(self, make: Callable):
        self.make = make

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, cell, owner):
        if cell is None:
            return self
        own = cell.__dict__
        for table in ("_cells", "_params", "_buffers"):  # a subclass has put a Cell, Parameter or buffer there
            if self.name in own.get(table, ()):
                return own[table][self.name]
        made = own[self.name] = self.make(cell)
        return made
