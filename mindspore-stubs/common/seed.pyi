"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.inner.compile_options import _GraphExecutor as __GraphExecutor
_CellGraphExecutor = __GraphExecutor
from msjax.inner.common import _ContextParameters as _ContextParameters
from msjax.inner.common import _OWN as _OWN
from msjax.inner.common import _TensorPyMeta as _TensorPyMeta
from msjax.inner.common import _deprecated_names as _deprecated_names
from msjax.inner.common import _empty_instance as _empty_instance
from msjax.inner.common import _get_graph_seed as _get_graph_seed
from msjax.inner.common import _get_graph_seed as __get_graph_seed
_get_seed = __get_graph_seed
from msjax.inner.common import _random_normal as _random_normal
from msjax.inner.common import _random_uniform as _random_uniform
from msjax.inner.common import _register_basic_file_system as _register_basic_file_system
from msjax.inner.common import _register_mindio_file_system as _register_mindio_file_system
from msjax.inner.common import _run_op as _run_op
from msjax.inner.common import _set_prim_op_user_data as _set_prim_op_user_data
from msjax.inner.common import _stub_method as _stub_method
from msjax.inner.common import _truncated_normal as _truncated_normal
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
from msjax.common.seed import *
from msjax.core.operators.random import *
from msjax.inner.common import *
from msjax import *
from msjax import *
from msjax.inner.common import *
from msjax.core.operators.random import *
from msjax.common.seed import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.inner.compile_options import _GraphExecutor as __GraphExecutor
_CellGraphExecutor = __GraphExecutor
from msjax.inner.common import _ContextParameters as _ContextParameters
from msjax.inner.common import _OWN as _OWN
from msjax.inner.common import _TensorPyMeta as _TensorPyMeta
from msjax.inner.common import _deprecated_names as _deprecated_names
from msjax.inner.common import _empty_instance as _empty_instance
from msjax.inner.common import _get_graph_seed as _get_graph_seed
from msjax.inner.common import _get_graph_seed as __get_graph_seed
_get_seed = __get_graph_seed
from msjax.inner.common import _random_normal as _random_normal
from msjax.inner.common import _random_uniform as _random_uniform
from msjax.inner.common import _register_basic_file_system as _register_basic_file_system
from msjax.inner.common import _register_mindio_file_system as _register_mindio_file_system
from msjax.inner.common import _run_op as _run_op
from msjax.inner.common import _set_prim_op_user_data as _set_prim_op_user_data
from msjax.inner.common import _stub_method as _stub_method
from msjax.inner.common import _truncated_normal as _truncated_normal
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
