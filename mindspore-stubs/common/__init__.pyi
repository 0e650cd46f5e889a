"""Made by `python -m msjax stubs`: do not edit."""
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
from . import mindir_util as mindir_util
from . import np_dtype as np_dtype
from . import parameter as parameter
from . import sparse_tensor as sparse_tensor
from . import storage as storage
from . import symbol as symbol
from msjax.core.grad.custom_function import _Function as _Function
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
from msjax import recompute as recompute
from msjax import COOTensor as COOTensor
from msjax import CSRTensor as CSRTensor
from msjax import RowTensor as RowTensor
from msjax import RowTensor as _RowTensor
RowTensorInner = _RowTensor
from msjax import SparseTensor as SparseTensor
from msjax.ops.sparse.tensors import _INDEX_TYPES as _INDEX_TYPES
from msjax.ops.sparse.tensors import _Sparse as _Sparse
from msjax.ops.sparse.tensors import _check_shape as _check_shape
from msjax.ops.sparse.tensors import _check_tensors as _check_tensors
from msjax.ops.sparse.tensors import _of_parts as _of_parts
from msjax.ops.sparse.tensors import _positions as _positions
from msjax.ops.sparse.tensors import _shown as _shown
from msjax import DeviceCtx as DeviceCtx
from msjax import MemPool as MemPool
from msjax import PluggableAllocator as PluggableAllocator
from msjax import StreamLimitCtx as StreamLimitCtx
from msjax.inner.runtime_options import _PRECISIONS as _PRECISIONS
from msjax.inner.runtime_options import _UNLIMITED as _UNLIMITED
from msjax.inner.runtime_options import _device_limits as _device_limits
from msjax.inner.runtime_options import _limit as _limit
from msjax.inner.runtime_options import _operator_threads as _operator_threads
from msjax.inner.runtime_options import _own_memory as _own_memory
from msjax.inner.runtime_options import _recorded as _recorded
from msjax.inner.runtime_options import _stream as _stream
from msjax.inner.runtime_options import _stream_limits as _stream_limits
from msjax.inner.runtime_options import aclinit_config as aclinit_config
from msjax.inner.runtime_options import aoe_job_type as aoe_job_type
from msjax.inner.runtime_options import aoe_tune_mode as aoe_tune_mode
from msjax.inner.runtime_options import conv_allow_hf32 as conv_allow_hf32
from msjax.inner.runtime_options import debug_option as debug_option
from msjax import dispatch_threads_num as dispatch_threads_num
from msjax.inner.runtime_options import execute_timeout as execute_timeout
from msjax import get_device_limit as get_device_limit
from msjax import get_stream_limit as get_stream_limit
from msjax.inner.runtime_options import matmul_allow_hf32 as matmul_allow_hf32
from msjax import memory_replay as memory_replay
from msjax.inner.runtime_options import op_compile as op_compile
from msjax.inner.runtime_options import op_precision_mode as op_precision_mode
from msjax.inner.runtime_options import precision_mode as precision_mode
from msjax import reset_stream_limit as reset_stream_limit
from msjax import set_cpu_affinity as set_cpu_affinity
from msjax import set_device_limit as set_device_limit
from msjax import set_dump as set_dump
from msjax import set_kernel_launch_capture as set_kernel_launch_capture
from msjax import set_kernel_launch_group as set_kernel_launch_group
from msjax import set_stream_limit as set_stream_limit
from msjax.inner.runtime_options import threads_num as threads_num
from msjax import use_mem_pool as use_mem_pool
from msjax import from_dlpack as from_dlpack
from msjax import frombuffer as frombuffer
from msjax import swap_tensors as swap_tensors
from msjax import tensor as tensor
from msjax import to_dlpack as to_dlpack
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
from msjax.core.settings.seed import Seeds as Seeds
from msjax.core.settings.seed import _LARGEST as _LARGEST
from msjax.core.settings.seed import _OF_ZERO as _OF_ZERO
from msjax.core.settings.seed import _STEP as _STEP
from msjax.core.settings.seed import _lock as _lock
from msjax.core.settings.seed import _process as _process
from msjax import get_seed as get_seed
from msjax.core.settings.seed import initializers_seeded as initializers_seeded
from msjax.core.settings.seed import kernel_seeds as kernel_seeds
from msjax.core.settings.seed import next_seeds as next_seeds
from msjax.core.settings.seed import restore as restore
from msjax.core.settings.seed import seeds as seeds
from msjax import set_seed as set_seed
from msjax.core.values.buffer import _Buffer as _Buffer
from msjax.core.values.parameter import _get_unique_parameter_key as _get_unique_parameter_key
from msjax.core.values.parameter import is_generated_name as _is_generated_name
_is_parameter_generated = _is_generated_name
from msjax.core.values.parameter import as_state as as_state
from msjax.core.values.parameter import is_generated_name as is_generated_name
from msjax.core.values.tensor import _TensorMeta as _TensorMeta
from msjax.core.values.tensor import converted as converted
from msjax.core.values.tensor import on_device as on_device
from msjax.core.values.dtype import BFloat as BFloat
from msjax import Bool as Bool
from msjax.core.values.dtype import Complex as Complex
from msjax.core.values.dtype import Dict as Dict
from msjax import Float as Float
from msjax.core.values.dtype import FunctionType as FunctionType
from msjax import Int as Int
from msjax.core.values.dtype import List as List
from msjax.core.values.dtype import Number as Number
from msjax import QuantDtype as QuantDtype
from msjax.core.values.dtype import String as String
from msjax import TensorType as TensorType
from msjax.core.values.dtype import Tuple as Tuple
from msjax.core.values.dtype import Type as Type
from msjax.core.values.dtype import UInt as UInt
from msjax.core.values.dtype import _ALL as _ALL
from msjax.core.values.dtype import _FROM_NAME as _FROM_NAME
from msjax.core.values.dtype import _FROM_NUMPY as _FROM_NUMPY
from msjax.core.values.dtype import _FROM_PYTHON as _FROM_PYTHON
from msjax.core.values.dtype import _NAMED as _NAMED
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.values.dtype import _TO_PYTHON as _TO_PYTHON
from msjax.core.values.dtype import _issubclass_ as _issubclass_
from msjax.core.values.dtype import _null as _null
from msjax.core.values.dtype import bool as bool
from msjax.core.values.dtype import coo_tensor as coo_tensor
from msjax.core.values.dtype import csr_tensor as csr_tensor
from msjax import dtype_to_nptype as dtype_to_nptype
from msjax import dtype_to_pytype as dtype_to_pytype
from msjax.core.values.dtype import env_type as env_type
from msjax.core.values.dtype import float as float
from msjax.core.values.dtype import from_numpy as from_numpy
from msjax.core.values.dtype import function as function
from msjax import get_py_obj_dtype as get_py_obj_dtype
from msjax.core.values.dtype import int as int
from msjax.core.values.dtype import of as of
from msjax import pytype_to_dtype as pytype_to_dtype
from msjax.core.values.dtype import str_to_type as str_to_type
from msjax.core.values.dtype import symbolic_key as symbolic_key
from msjax import to_numpy as to_numpy
from msjax.core.values.dtype import type_refkey as type_refkey
from msjax.core.values.dtype import type_size_in_bytes as type_size_in_bytes
from msjax.core.values.dtype import type_type as type_type
from msjax.core.values.dtype import undetermined as undetermined
from msjax.common import *
from msjax.core.values.dtype import *
from msjax.core.values.tensor import *
from msjax.core.values.parameter import *
from msjax.core.settings.seed import *
from msjax.core.operators.random import *
from msjax.core.trace.compile import *
from msjax.core.trace.mutable import *
from msjax.inner.compile_options import *
from msjax.core.grad.autodiff import *
from msjax.core.grad.hooks import *
from msjax.core.grad.no_gradient import *
from msjax.core.values.interop import *
from msjax.inner.runtime_options import *
from msjax.ops.sparse.tensors import *
from msjax.nn.cell.recompute import *
from msjax.inner.common import *
from msjax.ops.graph_api.parser_names import *
from msjax import *
from msjax.core.values.interop import *
from msjax.core.values.interop import *
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
from msjax.core.grad.custom_function import _Function as _Function
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
from msjax import recompute as recompute
from msjax import COOTensor as COOTensor
from msjax import CSRTensor as CSRTensor
from msjax import RowTensor as RowTensor
from msjax import RowTensor as _RowTensor
RowTensorInner = _RowTensor
from msjax import SparseTensor as SparseTensor
from msjax.ops.sparse.tensors import _INDEX_TYPES as _INDEX_TYPES
from msjax.ops.sparse.tensors import _Sparse as _Sparse
from msjax.ops.sparse.tensors import _check_shape as _check_shape
from msjax.ops.sparse.tensors import _check_tensors as _check_tensors
from msjax.ops.sparse.tensors import _of_parts as _of_parts
from msjax.ops.sparse.tensors import _positions as _positions
from msjax.ops.sparse.tensors import _shown as _shown
from msjax import DeviceCtx as DeviceCtx
from msjax import MemPool as MemPool
from msjax import PluggableAllocator as PluggableAllocator
from msjax import StreamLimitCtx as StreamLimitCtx
from msjax.inner.runtime_options import _PRECISIONS as _PRECISIONS
from msjax.inner.runtime_options import _UNLIMITED as _UNLIMITED
from msjax.inner.runtime_options import _device_limits as _device_limits
from msjax.inner.runtime_options import _limit as _limit
from msjax.inner.runtime_options import _operator_threads as _operator_threads
from msjax.inner.runtime_options import _own_memory as _own_memory
from msjax.inner.runtime_options import _recorded as _recorded
from msjax.inner.runtime_options import _stream as _stream
from msjax.inner.runtime_options import _stream_limits as _stream_limits
from msjax.inner.runtime_options import aclinit_config as aclinit_config
from msjax.inner.runtime_options import aoe_job_type as aoe_job_type
from msjax.inner.runtime_options import aoe_tune_mode as aoe_tune_mode
from msjax.inner.runtime_options import conv_allow_hf32 as conv_allow_hf32
from msjax.inner.runtime_options import debug_option as debug_option
from msjax import dispatch_threads_num as dispatch_threads_num
from msjax.inner.runtime_options import execute_timeout as execute_timeout
from msjax import get_device_limit as get_device_limit
from msjax import get_stream_limit as get_stream_limit
from msjax.inner.runtime_options import matmul_allow_hf32 as matmul_allow_hf32
from msjax import memory_replay as memory_replay
from msjax.inner.runtime_options import op_compile as op_compile
from msjax.inner.runtime_options import op_precision_mode as op_precision_mode
from msjax.inner.runtime_options import precision_mode as precision_mode
from msjax import reset_stream_limit as reset_stream_limit
from msjax import set_cpu_affinity as set_cpu_affinity
from msjax import set_device_limit as set_device_limit
from msjax import set_dump as set_dump
from msjax import set_kernel_launch_capture as set_kernel_launch_capture
from msjax import set_kernel_launch_group as set_kernel_launch_group
from msjax import set_stream_limit as set_stream_limit
from msjax.inner.runtime_options import threads_num as threads_num
from msjax import use_mem_pool as use_mem_pool
from msjax import from_dlpack as from_dlpack
from msjax import frombuffer as frombuffer
from msjax import swap_tensors as swap_tensors
from msjax import tensor as tensor
from msjax import to_dlpack as to_dlpack
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
from msjax.core.settings.seed import Seeds as Seeds
from msjax.core.settings.seed import _LARGEST as _LARGEST
from msjax.core.settings.seed import _OF_ZERO as _OF_ZERO
from msjax.core.settings.seed import _STEP as _STEP
from msjax.core.settings.seed import _lock as _lock
from msjax.core.settings.seed import _process as _process
from msjax import get_seed as get_seed
from msjax.core.settings.seed import initializers_seeded as initializers_seeded
from msjax.core.settings.seed import kernel_seeds as kernel_seeds
from msjax.core.settings.seed import next_seeds as next_seeds
from msjax.core.settings.seed import restore as restore
from msjax.core.settings.seed import seeds as seeds
from msjax import set_seed as set_seed
from msjax.core.values.buffer import _Buffer as _Buffer
from msjax.core.values.parameter import _get_unique_parameter_key as _get_unique_parameter_key
from msjax.core.values.parameter import is_generated_name as _is_generated_name
_is_parameter_generated = _is_generated_name
from msjax.core.values.parameter import as_state as as_state
from msjax.core.values.parameter import is_generated_name as is_generated_name
from msjax.core.values.tensor import _TensorMeta as _TensorMeta
from msjax.core.values.tensor import converted as converted
from msjax.core.values.tensor import on_device as on_device
from msjax.core.values.dtype import BFloat as BFloat
from msjax import Bool as Bool
from msjax.core.values.dtype import Complex as Complex
from msjax.core.values.dtype import Dict as Dict
from msjax import Float as Float
from msjax.core.values.dtype import FunctionType as FunctionType
from msjax import Int as Int
from msjax.core.values.dtype import List as List
from msjax.core.values.dtype import Number as Number
from msjax import QuantDtype as QuantDtype
from msjax.core.values.dtype import String as String
from msjax import TensorType as TensorType
from msjax.core.values.dtype import Tuple as Tuple
from msjax.core.values.dtype import Type as Type
from msjax.core.values.dtype import UInt as UInt
from msjax.core.values.dtype import _ALL as _ALL
from msjax.core.values.dtype import _FROM_NAME as _FROM_NAME
from msjax.core.values.dtype import _FROM_NUMPY as _FROM_NUMPY
from msjax.core.values.dtype import _FROM_PYTHON as _FROM_PYTHON
from msjax.core.values.dtype import _NAMED as _NAMED
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.values.dtype import _TO_PYTHON as _TO_PYTHON
from msjax.core.values.dtype import _issubclass_ as _issubclass_
from msjax.core.values.dtype import _null as _null
from msjax.core.values.dtype import bool as bool
from msjax.core.values.dtype import coo_tensor as coo_tensor
from msjax.core.values.dtype import csr_tensor as csr_tensor
from msjax import dtype_to_nptype as dtype_to_nptype
from msjax import dtype_to_pytype as dtype_to_pytype
from msjax.core.values.dtype import env_type as env_type
from msjax.core.values.dtype import float as float
from msjax.core.values.dtype import from_numpy as from_numpy
from msjax.core.values.dtype import function as function
from msjax import get_py_obj_dtype as get_py_obj_dtype
from msjax.core.values.dtype import int as int
from msjax.core.values.dtype import of as of
from msjax import pytype_to_dtype as pytype_to_dtype
from msjax.core.values.dtype import str_to_type as str_to_type
from msjax.core.values.dtype import symbolic_key as symbolic_key
from msjax import to_numpy as to_numpy
from msjax.core.values.dtype import type_refkey as type_refkey
from msjax.core.values.dtype import type_size_in_bytes as type_size_in_bytes
from msjax.core.values.dtype import type_type as type_type
from msjax.core.values.dtype import undetermined as undetermined
from typing import Any
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
from . import mindir_util as mindir_util
from . import np_dtype as np_dtype
from . import parameter as parameter
from . import sparse_tensor as sparse_tensor
from . import storage as storage
from . import symbol as symbol
bool: Any
float: Any
int: Any
def __getattr__(name: str) -> Any: ...
