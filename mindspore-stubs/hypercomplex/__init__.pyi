"""Made by `python -m msjax stubs`: do not edit."""
from . import complex as complex
from . import double as double
from . import dual as dual
from . import hypercomplex as hypercomplex
from . import utils as utils
from msjax.nn.hypercomplex import *
from . import complex as complex
from . import double as double
from . import dual as dual
from . import hypercomplex as hypercomplex
from . import utils as utils
