"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.mint.optim import *
from msjax.mint.optim.fused_adamw import *
