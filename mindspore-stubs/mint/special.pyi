"""Made by `python -m msjax stubs`: do not edit."""
from msjax.mint.special import *
from msjax.alias.names import MissingNames as MissingNames
_MissingNames = MissingNames
