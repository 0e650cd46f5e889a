"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.inner.runtime_options import *
from msjax.inner.streams import *
from msjax.core.settings.device import *
from msjax.utils import *
from msjax.tools import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as no_gradient
_no_grad = no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.inner.runtime_options import _limit as _limit
from msjax.inner.runtime_options import _own_memory as _own_memory
from msjax.inner.runtime_options import _recorded as _recorded
from msjax.inner.runtime_options import _stream as _stream
from msjax.inner.streams import _checked as _checked
from msjax.core.settings.device import _checked as _checked
from msjax.core.settings.device import _devices as _devices
from msjax.core.settings.device import _memory as _memory
from msjax.core.settings.device import _named as _named
from msjax.core.settings.device import _numbered as _numbered
from msjax.core.settings.device import _readable as _readable
from msjax.core.settings.device import _stats as _stats
from msjax.utils import _FaultTolerance as _FaultTolerance
from msjax.utils import _reuse_data_ptr as _reuse_data_ptr
