"""Made by `python -m msjax stubs`: do not edit."""
from . import adam as adam
from . import adamw as adamw
from . import fused_adamw as fused_adamw
from . import sgd as sgd
from msjax.mint.optim import *
from . import adam as adam
from . import adamw as adamw
from . import fused_adamw as fused_adamw
from . import sgd as sgd
