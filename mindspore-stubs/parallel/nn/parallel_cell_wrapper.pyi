"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.unsupported.accepted import *
from msjax.parallel.inner import *
from msjax.parallel import *
from msjax.nn.transformer import *
from msjax.nn.wrap.micro_batch import *
from msjax.nn.wrap.parallel import *
from msjax.parallel.nn.parallel_cell_wrapper import *
