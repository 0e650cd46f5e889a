"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.core.operators.random import *
from msjax.nn.generator import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as no_gradient
_no_grad = no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.core.operators.random import _Drawn as _Drawn
from msjax.core.operators.random import _Place as _Place
from msjax.core.operators.random import _State as _State
from msjax.core.operators.random import _next as _next
from msjax.core.operators.random import _place_key as _place_key
from msjax.core.operators.random import _restart as _restart
