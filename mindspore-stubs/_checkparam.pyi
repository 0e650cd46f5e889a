"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.operators.check import _ as _
from msjax.core.operators.check import _BINARY as _BINARY
from msjax.core.operators.check import _INTERVAL as _INTERVAL
from msjax.core.operators.check import _STATIC as _STATIC
from msjax.core.operators.check import _check_3d_int_or_tuple as _check_3d_int_or_tuple
from msjax.core.operators.check import _expand_tuple as _expand_tuple
from msjax.core.operators.check import *
from msjax.core.operators.check import _ as _
from msjax.core.operators.check import _BINARY as _BINARY
from msjax.core.operators.check import _INTERVAL as _INTERVAL
from msjax.core.operators.check import _STATIC as _STATIC
from msjax.core.operators.check import _check_3d_int_or_tuple as _check_3d_int_or_tuple
from msjax.core.operators.check import _expand_tuple as _expand_tuple
