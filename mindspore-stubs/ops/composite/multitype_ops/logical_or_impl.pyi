"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops.graph_api.parser_names import *
from msjax.ops import *
from msjax.ops.graph_api.multitype_ops import *
from msjax.ops.composite.multitype_ops.logical_or_impl import *
