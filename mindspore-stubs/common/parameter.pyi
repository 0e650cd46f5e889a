"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.values.parameter import *
