"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.train.inner import *
from msjax.train import *
from msjax.train.callback import *
from msjax.train.callback._checkpoint import *
