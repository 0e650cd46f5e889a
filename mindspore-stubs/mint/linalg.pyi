"""Made by `python -m msjax stubs`: do not edit."""
from msjax.mint.linalg import *
from msjax.alias.names import MissingNames as MissingNames
_MissingNames = MissingNames
