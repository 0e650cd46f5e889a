"""Transforms of any data: `mindspore.dataset.transforms`."""

from msjax.dataset.transforms import c_transforms, py_transforms, transforms
from msjax.dataset.transforms.transforms import *  # noqa: F403
from msjax.dataset.transforms.transforms import PyTensorOperation, TensorOperation
from msjax.dataset.transforms.transforms import __all__ as _names

__all__ = [*_names, "c_transforms", "py_transforms", "transforms"]
