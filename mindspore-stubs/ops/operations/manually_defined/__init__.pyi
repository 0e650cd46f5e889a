"""Made by `python -m msjax stubs`: do not edit."""
from . import _inner as _inner
from . import ops_def as ops_def
from msjax import *
from msjax.ops.generated import *
from msjax.ops import *
from msjax.ops.operations.manually_defined import *
