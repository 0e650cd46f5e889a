"""Made by `python -m msjax stubs`: do not edit."""
from . import distributed_data_parallel as distributed_data_parallel
from . import flatten_grad_buffer as flatten_grad_buffer
from msjax import *
from msjax.unsupported.accepted import *
from msjax.parallel.inner import *
from msjax.parallel import *
from msjax.nn.wrap.parallel import *
from msjax.parallel.distributed import *
