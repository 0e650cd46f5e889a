"""Made by `python -m msjax stubs`: do not edit."""
from . import arg_dtype_cast as arg_dtype_cast
from . import arg_handler as arg_handler
from . import utils as utils
from msjax import *
from msjax.ops import *
from msjax.ops._utils import *
