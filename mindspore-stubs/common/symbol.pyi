"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.inner.common import *
from msjax.common.symbol import *
