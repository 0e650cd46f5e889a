"""Made by `python -m msjax stubs`: do not edit."""
from msjax import is_available as is_available
from msjax.inner.default_config import *
from msjax import is_available as is_available
