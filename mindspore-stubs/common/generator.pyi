"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.core.operators.random import *
from msjax.common.generator import *
