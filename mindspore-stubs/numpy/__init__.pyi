"""Made by `python -m msjax stubs`: do not edit."""
from . import array_creations as array_creations
from . import array_ops as array_ops
from . import dtypes as dtypes
from . import fft as fft
from . import logic_ops as logic_ops
from . import math_ops as math_ops
from . import utils as utils
from . import utils_const as utils_const
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.numpy import *
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from . import array_creations as array_creations
from . import array_ops as array_ops
from . import dtypes as dtypes
from . import fft as fft
from . import logic_ops as logic_ops
from . import math_ops as math_ops
from . import utils as utils
from . import utils_const as utils_const
