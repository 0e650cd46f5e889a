"""Made by `python -m msjax stubs`: do not edit."""
from msjax.scipy.sparse import *
from . import linalg as linalg
