"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops.graph_api.parser_names import *
from msjax.inner.common import *
from msjax.nn.cell.recompute import *
from msjax.ops.sparse.tensors import *
from msjax.inner.runtime_options import *
from msjax.core.values.interop import *
from msjax.core.grad.no_gradient import *
from msjax.core.grad.hooks import *
from msjax.core.grad.autodiff import *
from msjax.inner.compile_options import *
from msjax.core.trace.mutable import *
from msjax.core.trace.compile import *
from msjax.core.operators.random import *
from msjax.core.settings.seed import *
from msjax.core.values.parameter import *
from msjax.core.values.tensor import *
from msjax.core.values.dtype import *
from msjax.common import *
from msjax.core.values.interop import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as no_gradient
_no_grad = no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.inner.compile_options import _GraphExecutor as _GraphExecutor
_CellGraphExecutor = _GraphExecutor
from msjax.inner.common import _ContextParameters as _ContextParameters
from msjax.inner.common import _TensorPyMeta as _TensorPyMeta
from msjax.inner.common import _empty_instance as _empty_instance
from msjax.inner.common import _generator as _generator
from msjax.inner.common import _get_graph_seed as _get_graph_seed
from msjax.inner.common import _get_graph_seed as _get_graph_seed
_get_seed = _get_graph_seed
from msjax.inner.common import _random_normal as _random_normal
from msjax.inner.common import _random_uniform as _random_uniform
from msjax.inner.common import _register_basic_file_system as _register_basic_file_system
from msjax.inner.common import _register_mindio_file_system as _register_mindio_file_system
from msjax.inner.common import _run_op as _run_op
from msjax.inner.common import _set_prim_op_user_data as _set_prim_op_user_data
from msjax.inner.common import _stub_method as _stub_method
from msjax.inner.common import _truncated_normal as _truncated_normal
from msjax.ops.sparse.tensors import _Sparse as _Sparse
from msjax.ops.sparse.tensors import _check_shape as _check_shape
from msjax.ops.sparse.tensors import _check_tensors as _check_tensors
from msjax.ops.sparse.tensors import _of_parts as _of_parts
from msjax.ops.sparse.tensors import _shown as _shown
from msjax.core.values.printing import _value_text as _value_text
from msjax.inner.runtime_options import _limit as _limit
from msjax.inner.runtime_options import _own_memory as _own_memory
from msjax.inner.runtime_options import _recorded as _recorded
from msjax.inner.runtime_options import _stream as _stream
from msjax.core.values.interop import _Capsule as _Capsule
from msjax.core.grad.no_gradient import _Detached as _Detached
from msjax.core.grad.hooks import _hooks_on_value as _hooks_on_value
from msjax.core.grad.autodiff import _Link as _Link
from msjax.core.grad.autodiff import _by_position as _by_position
from msjax.core.grad.autodiff import _by_values as _by_values
from msjax.core.grad.autodiff import _check_differentiable as _check_differentiable
from msjax.core.grad.autodiff import _eager as _eager
from msjax.core.grad.autodiff import _gradients as _gradients
from msjax.core.grad.autodiff import _input_leaf as _input_leaf
from msjax.core.grad.autodiff import _leaf as _leaf
from msjax.core.grad.autodiff import _link as _link
from msjax.core.grad.autodiff import _primary as _primary
from msjax.core.grad.autodiff import _traced as _traced
from msjax.core.grad.autodiff import _wanted as _wanted
from msjax.inner.compile_options import _GraphExecutor as _GraphExecutor
from msjax.inner.compile_options import _PynativeExecutor as _PynativeExecutor
from msjax.core.operators.primitive import constexpr as constexpr
_function_forbid_reuse = constexpr
from msjax.core.grad.no_gradient import no_gradient as no_gradient
_no_grad = no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.core.trace.mutable import _mutable as _mutable
from msjax.core.trace.compile import _Trace as _Trace
from msjax.core.trace.compile import _identifier as _identifier
from msjax.core.trace.compile import _key_text as _key_text
from msjax.core.trace.compile import _only_compiles as _only_compiles
from msjax.core.operators.random import _Drawn as _Drawn
from msjax.core.operators.random import _Place as _Place
from msjax.core.operators.random import _State as _State
from msjax.core.operators.random import _next as _next
from msjax.core.operators.random import _place_key as _place_key
from msjax.core.operators.random import _restart as _restart
from msjax.core.values.buffer import _Buffer as _Buffer
from msjax.core.values.parameter import _Info as _Info
from msjax.core.values.parameter import _ParameterMeta as _ParameterMeta
from msjax.core.values.parameter import _as_state_jvp as _as_state_jvp
from msjax.core.values.parameter import _checked_name as _checked_name
from msjax.core.values.parameter import _content as _content
from msjax.core.values.parameter import _deferred_content as _deferred_content
from msjax.core.values.parameter import _from_host as _from_host
from msjax.core.values.parameter import _get_unique_parameter_key as _get_unique_parameter_key
from msjax.core.values.parameter import _in_dtype as _in_dtype
from msjax.core.values.parameter import is_generated_name as is_generated_name
_is_parameter_generated = is_generated_name
from msjax.core.values.parameter import _of_file as _of_file
from msjax.core.values.tensor import _TensorMeta as _TensorMeta
from msjax.core.values.tensor import _from_host as _from_host
from msjax.core.values.tensor import _host_value as _host_value
from msjax.core.values.tensor import _leave as _leave
from msjax.core.values.tensor import _leaves as _leaves
from msjax.core.values.tensor import _short as _short
from msjax.core.values.tensor import _tensors_to_numpy as _tensors_to_numpy
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.values.dtype import _by_printed as _by_printed
from msjax.core.values.dtype import _issubclass_ as _issubclass_
from . import _decorator as _decorator
from . import _grad_function as _grad_function
from . import _jit_fallback_utils as _jit_fallback_utils
from . import _monad as _monad
from . import _pijit_context as _pijit_context
from . import _register_for_adapter as _register_for_adapter
from . import _register_for_recompute as _register_for_recompute
from . import _register_for_tensor as _register_for_tensor
from . import _stub_tensor as _stub_tensor
from . import _tensor_docs as _tensor_docs
from . import _utils as _utils
from . import api as api
from . import device as device
from . import dtype as dtype
from . import dump as dump
from . import dynamic_shape as dynamic_shape
from . import file_system as file_system
from . import generator as generator
from . import hook_handle as hook_handle
from . import initializer as initializer
from . import jit_begin_end as jit_begin_end
from . import jit_config as jit_config
from . import jit_context as jit_context
from . import jit_trace as jit_trace
from . import lazy_inline as lazy_inline
from . import mindir_util as mindir_util
from . import mutable as mutable
from . import no_inline as no_inline
from . import np_dtype as np_dtype
from . import parameter as parameter
from . import recompute as recompute
from . import seed as seed
from . import sparse_tensor as sparse_tensor
from . import storage as storage
from . import symbol as symbol
from . import tensor as tensor
