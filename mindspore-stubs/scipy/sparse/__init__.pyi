"""Made by `python -m msjax stubs`: do not edit."""
from . import linalg as linalg
from msjax.scipy.sparse import *
from . import linalg as linalg
