"""Made by `python -m msjax stubs`: do not edit."""
from . import amp as amp
from . import np_dtypes as np_dtypes
from . import op_enum as op_enum
from . import security as security
from . import typing as typing
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.ops.pyboost import _caller as _caller
from msjax import MsDispatchMode as MsDispatchMode
from msjax import JitConfig as JitConfig
from msjax.inner.compile_options import _GraphExecutor as _GraphExecutor
from msjax.inner.compile_options import _PynativeExecutor as _PynativeExecutor
from msjax.inner.compile_options import _cell_graph_executor as _cell_graph_executor
from msjax.inner.compile_options import _executor as _executor
from msjax import constexpr as _constexpr
_function_forbid_reuse = _constexpr
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.inner.compile_options import _pynative_executor as _pynative_executor
from msjax.inner.compile_options import cell_attr_register as cell_attr_register
from msjax import enable_dynamic as enable_dynamic
from msjax import is_invalid_or_jit_forbidden_method as is_invalid_or_jit_forbidden_method
from msjax import jit_class as jit_class
from msjax import lazy_inline as lazy_inline
from msjax import jit_class as _jit_class
ms_class = _jit_class
from msjax import ms_function as ms_function
from msjax import ms_hybrid as ms_hybrid
from msjax import ms_kernel as ms_kernel
from msjax import ms_memory_recycle as ms_memory_recycle
from msjax import no_inline as no_inline
from msjax import run_check as run_check
from msjax import set_recursion_limit as set_recursion_limit
from msjax import mutable as mutable
from msjax import Compiled as Compiled
from msjax.core.trace.compile import _FEW_CALLS as _FEW_CALLS
from msjax.core.trace.compile import _MAX_ENTRIES as _MAX_ENTRIES
from msjax.core.trace.compile import _MAX_REBUILDS as _MAX_REBUILDS
from msjax.core.trace.compile import _MAX_RETRACES as _MAX_RETRACES
from msjax.core.trace.compile import _SHARED as _SHARED
from msjax.core.trace.compile import _instances as _instances
from msjax.core.trace.compile import instances as instances
from msjax import jit as jit
from msjax.parallel.communication import Backend as Backend
from msjax.parallel.communication import GroupOptions as GroupOptions
from msjax.parallel.communication import _WAITS as _WAITS
from msjax.parallel.communication import _before_init as _before_init
from msjax.parallel.communication import _beside as _beside
from msjax.parallel.communication import _check_group as _check_group
from msjax.parallel.communication import _check_name as _check_name
from msjax.parallel.communication import _groups as _groups
from msjax.parallel.communication import _int as _int
from msjax.parallel.communication import _members as _members
from msjax.parallel.communication import _require_init as _require_init
from msjax.parallel.communication import groups as groups
from msjax.parallel.communication import is_initialized as is_initialized
from msjax.parallel.communication import ranks_of as ranks_of
from msjax.core.values.tensor import _TensorMeta as _TensorMeta
from msjax.core.values.tensor import converted as converted
from msjax import from_numpy as from_numpy
from msjax.core.values.tensor import on_device as on_device
from msjax import ParallelMode as ParallelMode
from msjax.core.settings.context import Settings as Settings
from msjax.core.settings.context import _DEVICE_TARGETS as _DEVICE_TARGETS
from msjax.core.settings.context import _MAY_BE_NONE as _MAY_BE_NONE
from msjax.core.settings.context import _OFFLOAD as _OFFLOAD
from msjax.core.settings.context import _OF_PROCESS as _OF_PROCESS
from msjax.core.settings.context import _ONLY_TOLD as _ONLY_TOLD
from msjax.core.settings.context import _PLATFORM_TARGET as _PLATFORM_TARGET
from msjax.core.settings.context import _PRECISIONS as _PRECISIONS
from msjax.core.settings.context import _PS_DEFAULTS as _PS_DEFAULTS
from msjax.core.settings.context import _TOLD as _TOLD
from msjax.core.settings.context import _VALUES as _VALUES
from msjax.core.settings.context import _devices as _devices
from msjax.core.settings.context import _get_mode as _get_mode
from msjax.core.settings.context import _noticed as _noticed
from msjax.core.settings.context import _offload as _offload
from msjax.core.settings.context import _ps as _ps
from msjax.core.settings.context import allows_tf32 as allows_tf32
from msjax.core.settings.context import computing_for as computing_for
from msjax.core.settings.context import folds_layers as folds_layers
from msjax import get_auto_parallel_context as get_auto_parallel_context
from msjax import get_context as get_context
from msjax import get_jit_config as get_jit_config
from msjax import get_offload_context as get_offload_context
from msjax import get_ps_context as get_ps_context
from msjax.core.settings.context import is_graph_mode as is_graph_mode
from msjax.core.settings.context import is_strict as is_strict
from msjax.core.settings.context import meaningless as meaningless
from msjax.core.settings.context import note_host_memory as note_host_memory
from msjax.core.settings.context import present_device as present_device
from msjax.core.settings.context import process as process
from msjax.core.settings.context import reset as reset
from msjax import reset_auto_parallel_context as reset_auto_parallel_context
from msjax import reset_ps_context as reset_ps_context
from msjax import set_auto_parallel_context as set_auto_parallel_context
from msjax import set_context as set_context
from msjax.core.settings.context import set_device_count as set_device_count
from msjax import set_offload_context as set_offload_context
from msjax import set_ps_context as set_ps_context
from msjax.core.settings.context import settings as settings
from msjax.core.settings.context import snapshot as snapshot
from msjax.core.settings.context import written_for as written_for
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
from msjax._c_expression import *
from msjax.inner.common import *
from msjax.core.settings.context import *
from msjax.core.values.tensor import *
from msjax.parallel.communication import *
from msjax.core.trace.compile import *
from msjax.core.trace.mutable import *
from msjax.inner.compile_options import *
from msjax.core.grad.autodiff import *
from msjax.core.grad.hooks import *
from msjax.core.grad.no_gradient import *
from msjax.ops.pyboost import *
from msjax import *
from msjax.core.values.interop import *
from msjax.core.values.interop import *
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
from msjax._c_expression import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.ops.pyboost import _caller as _caller
from msjax import MsDispatchMode as MsDispatchMode
from msjax import JitConfig as JitConfig
from msjax.inner.compile_options import _GraphExecutor as _GraphExecutor
from msjax.inner.compile_options import _PynativeExecutor as _PynativeExecutor
from msjax.inner.compile_options import _cell_graph_executor as _cell_graph_executor
from msjax.inner.compile_options import _executor as _executor
from msjax import constexpr as _constexpr
_function_forbid_reuse = _constexpr
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.inner.compile_options import _pynative_executor as _pynative_executor
from msjax.inner.compile_options import cell_attr_register as cell_attr_register
from msjax import enable_dynamic as enable_dynamic
from msjax import is_invalid_or_jit_forbidden_method as is_invalid_or_jit_forbidden_method
from msjax import jit_class as jit_class
from msjax import lazy_inline as lazy_inline
from msjax import jit_class as _jit_class
ms_class = _jit_class
from msjax import ms_function as ms_function
from msjax import ms_hybrid as ms_hybrid
from msjax import ms_kernel as ms_kernel
from msjax import ms_memory_recycle as ms_memory_recycle
from msjax import no_inline as no_inline
from msjax import run_check as run_check
from msjax import set_recursion_limit as set_recursion_limit
from msjax import mutable as mutable
from msjax import Compiled as Compiled
from msjax.core.trace.compile import _FEW_CALLS as _FEW_CALLS
from msjax.core.trace.compile import _MAX_ENTRIES as _MAX_ENTRIES
from msjax.core.trace.compile import _MAX_REBUILDS as _MAX_REBUILDS
from msjax.core.trace.compile import _MAX_RETRACES as _MAX_RETRACES
from msjax.core.trace.compile import _SHARED as _SHARED
from msjax.core.trace.compile import _instances as _instances
from msjax.core.trace.compile import instances as instances
from msjax import jit as jit
from msjax.parallel.communication import Backend as Backend
from msjax.parallel.communication import GroupOptions as GroupOptions
from msjax.parallel.communication import _WAITS as _WAITS
from msjax.parallel.communication import _before_init as _before_init
from msjax.parallel.communication import _beside as _beside
from msjax.parallel.communication import _check_group as _check_group
from msjax.parallel.communication import _check_name as _check_name
from msjax.parallel.communication import _groups as _groups
from msjax.parallel.communication import _int as _int
from msjax.parallel.communication import _members as _members
from msjax.parallel.communication import _require_init as _require_init
from msjax.parallel.communication import groups as groups
from msjax.parallel.communication import is_initialized as is_initialized
from msjax.parallel.communication import ranks_of as ranks_of
from msjax.core.values.tensor import _TensorMeta as _TensorMeta
from msjax.core.values.tensor import converted as converted
from msjax import from_numpy as from_numpy
from msjax.core.values.tensor import on_device as on_device
from msjax import ParallelMode as ParallelMode
from msjax.core.settings.context import Settings as Settings
from msjax.core.settings.context import _DEVICE_TARGETS as _DEVICE_TARGETS
from msjax.core.settings.context import _MAY_BE_NONE as _MAY_BE_NONE
from msjax.core.settings.context import _OFFLOAD as _OFFLOAD
from msjax.core.settings.context import _OF_PROCESS as _OF_PROCESS
from msjax.core.settings.context import _ONLY_TOLD as _ONLY_TOLD
from msjax.core.settings.context import _PLATFORM_TARGET as _PLATFORM_TARGET
from msjax.core.settings.context import _PRECISIONS as _PRECISIONS
from msjax.core.settings.context import _PS_DEFAULTS as _PS_DEFAULTS
from msjax.core.settings.context import _TOLD as _TOLD
from msjax.core.settings.context import _VALUES as _VALUES
from msjax.core.settings.context import _devices as _devices
from msjax.core.settings.context import _get_mode as _get_mode
from msjax.core.settings.context import _noticed as _noticed
from msjax.core.settings.context import _offload as _offload
from msjax.core.settings.context import _ps as _ps
from msjax.core.settings.context import allows_tf32 as allows_tf32
from msjax.core.settings.context import computing_for as computing_for
from msjax.core.settings.context import folds_layers as folds_layers
from msjax import get_auto_parallel_context as get_auto_parallel_context
from msjax import get_context as get_context
from msjax import get_jit_config as get_jit_config
from msjax import get_offload_context as get_offload_context
from msjax import get_ps_context as get_ps_context
from msjax.core.settings.context import is_graph_mode as is_graph_mode
from msjax.core.settings.context import is_strict as is_strict
from msjax.core.settings.context import meaningless as meaningless
from msjax.core.settings.context import note_host_memory as note_host_memory
from msjax.core.settings.context import present_device as present_device
from msjax.core.settings.context import process as process
from msjax.core.settings.context import reset as reset
from msjax import reset_auto_parallel_context as reset_auto_parallel_context
from msjax import reset_ps_context as reset_ps_context
from msjax import set_auto_parallel_context as set_auto_parallel_context
from msjax import set_context as set_context
from msjax.core.settings.context import set_device_count as set_device_count
from msjax import set_offload_context as set_offload_context
from msjax import set_ps_context as set_ps_context
from msjax.core.settings.context import settings as settings
from msjax.core.settings.context import snapshot as snapshot
from msjax.core.settings.context import written_for as written_for
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
from typing import Any
from . import amp as amp
from . import np_dtypes as np_dtypes
from . import op_enum as op_enum
from . import security as security
from . import typing as typing
def __getattr__(name: str) -> Any: ...
