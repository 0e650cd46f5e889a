"""Made by `python -m msjax stubs`: do not edit."""
from . import reshard_func as reshard_func
from msjax import *
from msjax.unsupported.accepted import *
from msjax.parallel.inner import *
from msjax.parallel import *
from msjax.nn.wrap.parallel import *
from msjax.parallel.function import *
