"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.dataset import *
from msjax.dataset.engine.iterators import *
