"""Image and video operations: `mindspore.dataset.vision` on NumPy, OpenCV and Pillow."""

from . import c_transforms, py_transforms, transforms, utils
from .transforms import *  # noqa: F403
from .transforms import __all__ as _operations
from .utils import *  # noqa: F403
from .utils import __all__ as _functions

__all__ = [
    "c_transforms",
    "py_transforms",
    "transforms",
    "utils",
    *_operations,
    *(name for name in _functions if name not in ("parse_padding", "DecodeParams", "VideoFrameDvpp")),
]
