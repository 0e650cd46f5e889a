"""Made by `python -m msjax stubs`: do not edit."""
from . import bijector as bijector
from . import exp as exp
from . import gumbel_cdf as gumbel_cdf
from . import invert as invert
from . import power_transform as power_transform
from . import scalar_affine as scalar_affine
from . import softplus as softplus
from msjax import *
from msjax.nn.probability import *
from msjax.nn.probability.bijector import *
