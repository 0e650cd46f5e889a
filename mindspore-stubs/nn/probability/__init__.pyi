"""Made by `python -m msjax stubs`: do not edit."""
from . import bijector as bijector
from . import bnn_layers as bnn_layers
from . import distribution as distribution
from . import dpn as dpn
from . import infer as infer
from . import toolbox as toolbox
from . import transforms as transforms
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.nn.probability import *
from msjax import *
from msjax import *
from msjax.nn.probability import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from typing import Any
from . import bijector as bijector
from . import bnn_layers as bnn_layers
from . import distribution as distribution
from . import dpn as dpn
from . import infer as infer
from . import toolbox as toolbox
from . import transforms as transforms
def __getattr__(name: str) -> Any: ...
