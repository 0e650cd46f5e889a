"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.dataset.transforms import *
from msjax.dataset.transforms.py_transforms_util import *
