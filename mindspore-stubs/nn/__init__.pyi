"""Made by `python -m msjax stubs`: do not edit."""
from . import cell as cell
from . import dynamic_lr as dynamic_lr
from . import flash_attention as flash_attention
from . import functional as functional
from . import generator as generator
from . import grad as grad
from . import init as init
from . import layer as layer
from . import learning_rate_schedule as learning_rate_schedule
from . import loss as loss
from . import metrics as metrics
from . import optim as optim
from . import probability as probability
from . import quant as quant
from . import reinforcement as reinforcement
from . import rl as rl
from . import sparse as sparse
from . import transformer as transformer
from . import utils as utils
from . import wrap as wrap
from msjax.nn import *
