"""Image and video operations: `mindspore.dataset.vision` on NumPy, OpenCV and Pillow."""

from msjax.dataset.vision.transforms import *  # noqa: F403
from msjax.dataset.vision.utils import *  # noqa: F403
