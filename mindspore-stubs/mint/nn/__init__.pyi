"""Made by `python -m msjax stubs`: do not edit."""
from msjax.mint.nn import *
from msjax import MissingNames as _MissingNames
_MissingNames = _MissingNames
from msjax.core.spec.texts import complete as _complete
_complete = _complete
from . import functional as functional
from . import layer as layer
