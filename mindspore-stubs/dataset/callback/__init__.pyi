"""Made by `python -m msjax stubs`: do not edit."""
from . import ds_callback as ds_callback
from . import validators as validators
from msjax import *
from msjax.dataset import *
from msjax.dataset.callback import *
