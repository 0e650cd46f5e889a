"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.dataset.audio import *
from msjax.dataset.audio.validators import *
