"""Made by `python -m msjax stubs`: do not edit."""
from . import config as config
from . import datatypes as datatypes
from . import py_util_helpers as py_util_helpers
from . import validator_helpers as validator_helpers
from msjax import *
from msjax.dataset import *
from msjax.dataset.core import *
