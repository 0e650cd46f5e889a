"""Layers of complex numbers. use_karatsuba: three real products instead of four."""

from typing import TYPE_CHECKING

from ... import ops
from ..cell.cell import Cell
from . import layers
from .algebras import Complex, Karatsuba
from .parts import get_x_and_y, to_2channel
from .pooling import *  # noqa: F403

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor

Conv1d = layers.of_numbers("Conv1d", layers.Conv1d, Complex, "use_karatsuba", Karatsuba)
Conv2d = layers.of_numbers("Conv2d", layers.Conv2d, Complex, "use_karatsuba", Karatsuba)
Conv3d = layers.of_numbers("Conv3d", layers.Conv3d, Complex, "use_karatsuba", Karatsuba)
Dense = layers.of_numbers("Dense", layers.Dense, Complex, "use_karatsuba", Karatsuba)
BatchNorm1d = layers.of_numbers("BatchNorm1d", layers.BatchNorm1d, Complex)
BatchNorm2d = layers.of_numbers("BatchNorm2d", layers.BatchNorm2d, Complex)
BatchNorm3d = layers.of_numbers("BatchNorm3d", layers.BatchNorm3d, Complex)


class ReLU(Cell):
    """max(0, part) of both parts."""

    def construct(self, u: "Tensor"):
        x, y = get_x_and_y(u)
        return to_2channel(ops.relu(x), ops.relu(y), u.dtype)
