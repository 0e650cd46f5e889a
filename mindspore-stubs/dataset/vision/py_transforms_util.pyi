"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.dataset.transforms.transforms import *
from msjax.dataset.transforms import *
from msjax.dataset.vision import *
from msjax.dataset.vision.py_transforms_util import *
