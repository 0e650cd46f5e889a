"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.train.inner import *
from msjax.train import *
from msjax.train.metrics import *
from msjax.nn.metrics.evaluation import *
