"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.core.operators.random import At as At
from msjax import Generator as Generator
from msjax.core.operators.random import RandomState as RandomState
from msjax.core.operators.random import Streams as Streams
from msjax.core.operators.random import _DefaultGenerator as _DefaultGenerator
from msjax import get_rng_state as get_rng_state
from msjax import initial_seed as initial_seed
from msjax import manual_seed as manual_seed
from msjax import seed as seed
from msjax import set_rng_state as set_rng_state
from msjax.core.operators.random import stream as stream
from msjax.core.operators.random import streams as streams
from msjax.common.generator import *
from msjax.core.operators.random import *
from msjax import *
from msjax import *
from msjax.core.operators.random import *
from msjax.common.generator import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.core.operators.random import At as At
from msjax import Generator as Generator
from msjax.core.operators.random import RandomState as RandomState
from msjax.core.operators.random import Streams as Streams
from msjax.core.operators.random import _DefaultGenerator as _DefaultGenerator
from msjax import get_rng_state as get_rng_state
from msjax import initial_seed as initial_seed
from msjax import manual_seed as manual_seed
from msjax import seed as seed
from msjax import set_rng_state as set_rng_state
from msjax.core.operators.random import stream as stream
from msjax.core.operators.random import streams as streams
from typing import Any
def __getattr__(name: str) -> Any: ...
