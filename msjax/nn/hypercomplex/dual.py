"""Layers of dual numbers."""

from ..layer.activation import ReLU as ReLU
from . import layers
from .algebras import Dual
from .parts import matmul as matmul
from .pooling import *  # noqa: F403

Conv1d = layers.of_numbers("Conv1d", layers.Conv1d, Dual)
Conv2d = layers.of_numbers("Conv2d", layers.Conv2d, Dual)
Conv3d = layers.of_numbers("Conv3d", layers.Conv3d, Dual)
Dense = layers.of_numbers("Dense", layers.Dense, Dual)
BatchNorm1d = layers.of_numbers("BatchNorm1d", layers.BatchNorm1d, Dual)
BatchNorm2d = layers.of_numbers("BatchNorm2d", layers.BatchNorm2d, Dual)
BatchNorm3d = layers.of_numbers("BatchNorm3d", layers.BatchNorm3d, Dual)
