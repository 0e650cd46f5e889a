"""Made by `python -m msjax stubs`: do not edit."""
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.mint.linalg import *
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
