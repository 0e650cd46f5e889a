"""Made by `python -m msjax stubs`: do not edit."""
from msjax.mint.nn import *
from msjax.alias.names import MissingNames as MissingNames
_MissingNames = MissingNames
from msjax.core.spec.texts import complete as complete
_complete = complete
from . import functional as functional
from . import layer as layer
