"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.values.dtype import *
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.values.dtype import _by_printed as _by_printed
from msjax.core.values.dtype import _issubclass_ as _issubclass_
