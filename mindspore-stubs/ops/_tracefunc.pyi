"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops import *
from msjax.core.trace.tracefunc import *
from msjax.ops._tracefunc import *
