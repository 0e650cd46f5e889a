"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.experimental import *
from msjax.experimental.map_parameter import *
