"""Made by `python -m msjax stubs`: do not edit."""
from . import loss as loss
from msjax import *
from msjax.nn.inner import *
from msjax.nn import *
from msjax.nn.loss.checks import *
from msjax.nn.loss import *
