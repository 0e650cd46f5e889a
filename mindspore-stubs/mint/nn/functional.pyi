"""Made by `python -m msjax stubs`: do not edit."""
from msjax.mint.nn.functional import *
