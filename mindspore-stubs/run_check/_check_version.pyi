"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.run_check._check_version import *
