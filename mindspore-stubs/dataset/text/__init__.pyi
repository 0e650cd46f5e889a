"""Made by `python -m msjax stubs`: do not edit."""
from . import transforms as transforms
from . import utils as utils
from . import validators as validators
from msjax.dataset.text import *
from . import transforms as transforms
from . import utils as utils
from . import validators as validators
