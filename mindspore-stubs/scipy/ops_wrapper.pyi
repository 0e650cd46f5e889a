"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops import *
from msjax.scipy import *
from msjax.scipy.inner import *
from msjax.scipy.ops_wrapper import *
