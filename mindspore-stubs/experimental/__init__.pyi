"""Made by `python -m msjax stubs`: do not edit."""
from . import llm_boost as llm_boost
from . import map_parameter as map_parameter
from . import optim as optim
from msjax import *
from msjax.experimental import *
