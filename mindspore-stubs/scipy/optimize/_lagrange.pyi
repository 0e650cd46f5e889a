"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.scipy.optimize import *
from msjax.scipy.optimize._lagrange import *
