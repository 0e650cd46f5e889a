"""Made by `python -m msjax stubs`: do not edit."""
from msjax.dataset.transforms.c_transforms import *
