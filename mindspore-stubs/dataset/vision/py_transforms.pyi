"""Made by `python -m msjax stubs`: do not edit."""
from msjax.dataset.vision.py_transforms import *
