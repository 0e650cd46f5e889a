"""Made by `python -m msjax stubs`: do not edit."""
from msjax.dataset.vision.c_transforms import *
