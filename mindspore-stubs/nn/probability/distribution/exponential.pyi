"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.nn.probability import *
from msjax.nn.probability.distribution import *
from msjax.nn.probability.distribution.exponential import *
