"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.nn.inner import *
from msjax.nn import *
from msjax.nn.reinforcement import *
from msjax.nn.reinforcement._batch_read_write import *
