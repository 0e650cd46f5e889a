"""The 1.x module of array operations."""

from msjax.dataset.vision import *  # noqa: F403
