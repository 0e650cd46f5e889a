"""Made by `python -m msjax stubs`: do not edit."""
from . import functional as functional
from . import layer as layer
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.core.spec.texts import complete as _complete_
_complete = _complete_
from msjax.mint.nn import *
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.core.spec.texts import complete as _complete_
_complete = _complete_
from . import functional as functional
from . import layer as layer
