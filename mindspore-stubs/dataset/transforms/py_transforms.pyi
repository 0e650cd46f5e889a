"""Made by `python -m msjax stubs`: do not edit."""
from msjax.dataset.transforms.py_transforms import *
