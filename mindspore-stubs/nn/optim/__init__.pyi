"""Made by `python -m msjax stubs`: do not edit."""
from . import _dist_optimizer_registry as _dist_optimizer_registry
from . import ada_grad as ada_grad
from . import adadelta as adadelta
from . import adafactor as adafactor
from . import adam as adam
from . import adamax as adamax
from . import adasum as adasum
from . import asgd as asgd
from . import ftrl as ftrl
from . import lamb as lamb
from . import lars as lars
from . import lazyadam as lazyadam
from . import momentum as momentum
from . import optimizer as optimizer
from . import proximal_ada_grad as proximal_ada_grad
from . import rmsprop as rmsprop
from . import rprop as rprop
from . import sgd as sgd
from . import tft_wrapper as tft_wrapper
from . import thor as thor
from msjax import *
from msjax.nn.inner import *
from msjax.nn import *
from msjax.nn.optim import *
