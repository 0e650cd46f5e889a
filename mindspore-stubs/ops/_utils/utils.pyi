"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops import *
from msjax.ops._utils.utils import *
