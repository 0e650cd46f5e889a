"""Made by `python -m msjax stubs`: do not edit."""
from . import constant as constant
from . import profiler_context as profiler_context
from msjax import *
from msjax.train.profiler import *
from msjax.profiler.common import *
