"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.run_check.run_check import *
