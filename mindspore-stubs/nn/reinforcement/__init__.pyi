"""Made by `python -m msjax stubs`: do not edit."""
from . import _batch_read_write as _batch_read_write
from . import _tensors_queue as _tensors_queue
from . import tensor_array as tensor_array
from msjax import *
from msjax.nn.inner import *
from msjax.nn import *
from msjax.nn.reinforcement import *
