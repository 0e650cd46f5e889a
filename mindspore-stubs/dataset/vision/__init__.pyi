"""Made by `python -m msjax stubs`: do not edit."""
from msjax.dataset.vision import *
from . import c_transforms as c_transforms
from . import py_transforms as py_transforms
from . import py_transforms_util as py_transforms_util
from . import transforms as transforms
from . import utils as utils
from . import validators as validators
