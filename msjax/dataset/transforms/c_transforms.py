"""The 1.x names `mindspore.dataset.transforms.c_transforms`."""

from .compose import Compose, RandomApply, RandomChoice
from .transforms import Concatenate, Duplicate, Fill, Mask, OneHot, PadEnd, Plugin, Relational, Slice, TypeCast, Unique

__all__ = [
    "Compose",
    "Concatenate",
    "Duplicate",
    "Fill",
    "Mask",
    "OneHot",
    "PadEnd",
    "Plugin",
    "RandomApply",
    "RandomChoice",
    "Relational",
    "Slice",
    "TypeCast",
    "Unique",
]
