"""Made by `python -m msjax stubs`: do not edit."""
from . import layers as layers
from . import loss as loss
from . import moe as moe
from . import op_parallel_config as op_parallel_config
from . import transformer as transformer
from msjax.nn.transformer.layers import _LayerNorm as _LayerNorm
from msjax.nn.transformer.layers import _Linear as _Linear
from msjax.nn.transformer import *
from msjax.nn.transformer.layers import _LayerNorm as _LayerNorm
from msjax.nn.transformer.layers import _Linear as _Linear
from . import layers as layers
from . import loss as loss
from . import moe as moe
from . import op_parallel_config as op_parallel_config
from . import transformer as transformer
