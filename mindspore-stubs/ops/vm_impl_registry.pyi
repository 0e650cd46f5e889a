"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.inner.common import *
from msjax.ops import *
from msjax.core.operators.primitive import *
from msjax.core.operators.record import *
from msjax.ops.vm_impl_registry import *
