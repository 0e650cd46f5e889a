"""Made by `python -m msjax stubs`: do not edit."""
from msjax.nn.transformer.moe import MoE as MoE
from msjax.nn.transformer.moe import Router as Router
from msjax.nn.transformer.moe import TopkRouter as TopkRouter
from msjax.nn.transformer.moe import _check_moe_config as _check_moe_config
from msjax.nn.transformer.moe import calculate_expert_capacity as calculate_expert_capacity
from msjax.nn.transformer.moe import default_moe_config as default_moe_config
from msjax.nn.transformer.moe import *
from msjax.nn.transformer.moe import MoE as MoE
from msjax.nn.transformer.moe import Router as Router
from msjax.nn.transformer.moe import TopkRouter as TopkRouter
from msjax.nn.transformer.moe import _check_moe_config as _check_moe_config
from msjax.nn.transformer.moe import calculate_expert_capacity as calculate_expert_capacity
from msjax.nn.transformer.moe import default_moe_config as default_moe_config
