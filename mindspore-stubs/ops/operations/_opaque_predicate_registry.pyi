"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops.generated import *
from msjax.ops import *
from msjax.ops.operations._opaque_predicate_registry import *
