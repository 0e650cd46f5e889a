"""Made by `python -m msjax stubs`: do not edit."""
from msjax.nn.transformer.moe import *
from msjax.nn.transformer.moe import _check_moe_config as _check_moe_config
