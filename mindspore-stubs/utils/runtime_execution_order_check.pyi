"""Made by `python -m msjax stubs`: do not edit."""
from msjax.parallel.execution_order import *
