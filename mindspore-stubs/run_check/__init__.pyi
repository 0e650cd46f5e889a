"""Made by `python -m msjax stubs`: do not edit."""
from . import _check_version as _check_version
from . import run_check as run_check
from msjax import *
from msjax.run_check import *
