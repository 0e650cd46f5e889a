"""Made by `python -m msjax stubs`: do not edit."""
from . import _bfgs as _bfgs
from . import _lagrange as _lagrange
from . import _lbfgs as _lbfgs
from msjax.scipy.optimize import *
from . import _bfgs as _bfgs
from . import _lagrange as _lagrange
from . import _lbfgs as _lbfgs
