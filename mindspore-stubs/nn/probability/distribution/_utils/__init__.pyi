"""Made by `python -m msjax stubs`: do not edit."""
from . import custom_ops as custom_ops
from . import utils as utils
from msjax import *
from msjax.nn.probability import *
from msjax.nn.probability.distribution import *
from msjax.nn.probability.distribution._utils import *
