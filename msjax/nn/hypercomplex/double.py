"""Layers of double numbers. has_diagonal_form: the numbers are given as (real + other, real - other)."""

from typing import TYPE_CHECKING

from ... import ops
from ..cell.cell import Cell
from ..layer.activation import ReLU as _ReLU
from . import layers
from .algebras import Diagonal, Double
from .parts import get_x_and_y, to_2channel
from .pooling import *  # noqa: F403

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor

Conv1d = layers.of_numbers("Conv1d", layers.Conv1d, Double, "has_diagonal_form", Diagonal)
Conv2d = layers.of_numbers("Conv2d", layers.Conv2d, Double, "has_diagonal_form", Diagonal)
Conv3d = layers.of_numbers("Conv3d", layers.Conv3d, Double, "has_diagonal_form", Diagonal)
Dense = layers.of_numbers("Dense", layers.Dense, Double, "has_diagonal_form", Diagonal)
BatchNorm1d = layers.of_numbers("BatchNorm1d", layers.BatchNorm1d, Double, "has_diagonal_form", Diagonal)
BatchNorm2d = layers.of_numbers("BatchNorm2d", layers.BatchNorm2d, Double, "has_diagonal_form", Diagonal)
BatchNorm3d = layers.of_numbers("BatchNorm3d", layers.BatchNorm3d, Double, "has_diagonal_form", Diagonal)


class J1J2ReLU(Cell):
    """max(0, part) of the real and the other part of numbers in their diagonal form."""

    def construct(self, u: "Tensor"):
        first, second = get_x_and_y(u / 2)
        x, y = ops.relu(first + second), ops.relu(first - second)
        return to_2channel(x + y, x - y)


class ReLU(Cell):
    """max(0, part) of the real and the other part."""

    def __init__(self, has_diagonal_form: bool = False):
        super().__init__()
        self.op = J1J2ReLU() if has_diagonal_form else _ReLU()

    def construct(self, u: "Tensor"):
        return self.op(u)
