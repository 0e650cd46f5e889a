"""Made by `python -m msjax stubs`: do not edit."""
from msjax.nn.transformer.op_parallel_config import *
from msjax.nn.transformer.op_parallel_config import _Config as _Config
from msjax.nn.transformer.op_parallel_config import _PipeLineConfig as _PipeLineConfig
from msjax.nn.transformer.op_parallel_config import _check_config as _check_config
from msjax.nn.transformer.op_parallel_config import _stages as _stages
