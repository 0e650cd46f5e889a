"""Layers, losses, optimizers."""
from .cell import Cell  # noqa: F401
