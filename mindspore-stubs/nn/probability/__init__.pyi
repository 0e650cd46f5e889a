"""Made by `python -m msjax stubs`: do not edit."""
from . import bijector as bijector
from . import bnn_layers as bnn_layers
from . import distribution as distribution
from . import dpn as dpn
from . import infer as infer
from . import toolbox as toolbox
from . import transforms as transforms
from msjax import *
from msjax.nn.probability import *
