"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from ml_dtypes import *
from msjax.common.np_dtype import *
