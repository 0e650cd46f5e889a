"""Made by `python -m msjax stubs`: do not edit."""
from . import constant as constant
from . import enums as enums
from . import exceptions as exceptions
from msjax import *
from msjax.mindrecord import *
from msjax.mindrecord.common import *
