"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.dataset import *
from msjax.dataset.validators import *
from msjax.dataset.transforms.validators import *
