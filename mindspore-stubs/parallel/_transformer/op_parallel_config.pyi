"""Made by `python -m msjax stubs`: do not edit."""
from msjax.nn.transformer.op_parallel_config import MoEParallelConfig as MoEParallelConfig
from msjax.nn.transformer.op_parallel_config import _Config as _Config
from msjax.nn.transformer.op_parallel_config import _PipeLineConfig as _PipeLineConfig
from msjax.nn.transformer.op_parallel_config import _check_config as _check_config
from msjax.nn.transformer.op_parallel_config import _stages as _stages
from msjax.nn.transformer.op_parallel_config import default_dpmp_config as default_dpmp_config
from msjax.nn.transformer.op_parallel_config import default_moeparallel_config as default_moeparallel_config
from msjax.nn.transformer.op_parallel_config import kept as kept
from msjax.nn.transformer.op_parallel_config import positive as positive
from msjax.nn.transformer.op_parallel_config import switch as switch
from msjax.nn.transformer.op_parallel_config import through as through
from msjax.nn.transformer.op_parallel_config import *
from msjax.nn.transformer.op_parallel_config import MoEParallelConfig as MoEParallelConfig
from msjax.nn.transformer.op_parallel_config import _Config as _Config
from msjax.nn.transformer.op_parallel_config import _PipeLineConfig as _PipeLineConfig
from msjax.nn.transformer.op_parallel_config import _check_config as _check_config
from msjax.nn.transformer.op_parallel_config import _stages as _stages
from msjax.nn.transformer.op_parallel_config import default_dpmp_config as default_dpmp_config
from msjax.nn.transformer.op_parallel_config import default_moeparallel_config as default_moeparallel_config
from msjax.nn.transformer.op_parallel_config import kept as kept
from msjax.nn.transformer.op_parallel_config import positive as positive
from msjax.nn.transformer.op_parallel_config import switch as switch
from msjax.nn.transformer.op_parallel_config import through as through
