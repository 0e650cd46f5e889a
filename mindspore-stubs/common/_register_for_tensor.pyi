"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops.graph_api.graph_names import *
from msjax.common._register_for_tensor import *
