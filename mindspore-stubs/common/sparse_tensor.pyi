"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops.sparse.tensors import *
from msjax.common.sparse_tensor import *
