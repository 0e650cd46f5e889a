"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.core.settings.context import *
from msjax.train.parallel_utils import *
