"""The 1.x module of Pillow operations."""

from msjax.dataset.vision import *  # noqa: F403
