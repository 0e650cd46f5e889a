"""Made by `python -m msjax stubs`: do not edit."""
from . import atb as atb
from . import register as register
from msjax import *
from msjax.experimental import *
from msjax.experimental.llm_boost import *
