"""Made by `python -m msjax stubs`: do not edit."""
from msjax.mint import *
from msjax.alias.names import MissingNames as MissingNames
_MissingNames = MissingNames
from . import distributed as distributed
from . import linalg as linalg
from . import nn as nn
from . import optim as optim
from . import special as special
