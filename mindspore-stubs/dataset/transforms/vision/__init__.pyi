"""Made by `python -m msjax stubs`: do not edit."""
from msjax.dataset.vision import *
from . import c_transforms as c_transforms
from . import py_transforms as py_transforms
