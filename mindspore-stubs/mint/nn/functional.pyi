"""Made by `python -m msjax stubs`: do not edit."""
from msjax.mint.nn.functional import *
from msjax.alias.names import MissingNames as MissingNames
_MissingNames = MissingNames
