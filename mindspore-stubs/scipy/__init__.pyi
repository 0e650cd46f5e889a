"""Made by `python -m msjax stubs`: do not edit."""
from . import fft as fft
from . import linalg as linalg
from . import ops as ops
from . import ops_grad as ops_grad
from . import ops_wrapper as ops_wrapper
from . import optimize as optimize
from . import sparse as sparse
from . import utils as utils
from . import utils_const as utils_const
from msjax.scipy import *
from . import fft as fft
from . import linalg as linalg
from . import ops as ops
from . import ops_grad as ops_grad
from . import ops_wrapper as ops_wrapper
from . import optimize as optimize
from . import sparse as sparse
from . import utils as utils
from . import utils_const as utils_const
