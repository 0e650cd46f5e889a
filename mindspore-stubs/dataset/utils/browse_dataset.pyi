"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.dataset.utils import *
from msjax.dataset.utils.browse_dataset import *
