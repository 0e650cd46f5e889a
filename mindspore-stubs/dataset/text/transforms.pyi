"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.dataset.text import *
from msjax.dataset.text.transforms import *
