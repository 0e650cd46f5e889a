"""Transforms of any data: `mindspore.dataset.transforms`."""

from . import c_transforms, py_transforms, transforms
from .transforms import *  # noqa: F403
from .transforms import __all__ as _names
from .user_operations import PyTensorOperation, TensorOperation

__all__ = [*_names, "c_transforms", "py_transforms", "transforms"]
