"""Made by `python -m msjax stubs`: do not edit."""
from . import distributed as distributed
from . import linalg as linalg
from . import nn as nn
from . import optim as optim
from . import special as special
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.mint import *
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from . import distributed as distributed
from . import linalg as linalg
from . import nn as nn
from . import optim as optim
from . import special as special
