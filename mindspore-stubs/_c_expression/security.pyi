"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops.pyboost import *
from msjax.core.grad.no_gradient import *
from msjax.core.grad.hooks import *
from msjax.core.grad.autodiff import *
from msjax.inner.compile_options import *
from msjax.core.trace.mutable import *
from msjax.core.trace.compile import *
from msjax.parallel.communication import *
from msjax.core.values.tensor import *
from msjax.core.settings.context import *
from msjax.inner.common import *
from msjax._c_expression.security import *
from msjax.core.values.interop import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as no_gradient
_no_grad = no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.ops.pyboost import _caller as _caller
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
from msjax.parallel.communication import _before_init as _before_init
from msjax.parallel.communication import _beside as _beside
from msjax.parallel.communication import _check_group as _check_group
from msjax.parallel.communication import _check_name as _check_name
from msjax.parallel.communication import _int as _int
from msjax.parallel.communication import _members as _members
from msjax.parallel.communication import _require_init as _require_init
from msjax.core.values.tensor import _TensorMeta as _TensorMeta
from msjax.core.values.tensor import _from_host as _from_host
from msjax.core.values.tensor import _host_value as _host_value
from msjax.core.values.tensor import _leave as _leave
from msjax.core.values.tensor import _leaves as _leaves
from msjax.core.values.tensor import _short as _short
from msjax.core.values.tensor import _tensors_to_numpy as _tensors_to_numpy
from msjax.core.settings.context import _among as _among
from msjax.core.settings.context import _check as _check
from msjax.core.settings.context import _choose_device as _choose_device
from msjax.core.settings.context import _from as _from
from msjax.core.settings.context import _get_mode as _get_mode
from msjax.core.settings.context import _resolved_device as _resolved_device
from msjax.core.settings.context import _settings_to_change as _settings_to_change
from msjax.core.settings.context import _tf32 as _tf32
from msjax.core.settings.context import _unknown as _unknown
from msjax.core.settings.context import _use_compile_cache as _use_compile_cache
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
