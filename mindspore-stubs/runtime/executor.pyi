"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
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
from msjax import Event as Event
from msjax import Stream as Stream
from msjax import StreamCtx as StreamCtx
from msjax import communication_stream as communication_stream
from msjax import communication_stream as _communication_stream
current_stream = _communication_stream
from msjax import communication_stream as _communication_stream
default_stream = _communication_stream
from msjax import set_cur_stream as set_cur_stream
from msjax.core.settings.device import DeviceInfo as DeviceInfo
from msjax.core.settings.device import _PLATFORMS as _PLATFORMS
from msjax.core.settings.device import _TARGETS as _TARGETS
from msjax.core.settings.device import _used as _used
from msjax import device_count as device_count
from msjax import empty_cache as empty_cache
from msjax import get_arch_list as get_arch_list
from msjax import get_current_device as get_current_device
from msjax import get_device_capability as get_device_capability
from msjax import get_device_name as get_device_name
from msjax import get_device_properties as get_device_properties
from msjax import is_available as is_available
from msjax import is_initialized as is_initialized
from msjax import launch_blocking as launch_blocking
from msjax import max_memory_allocated as max_memory_allocated
from msjax import max_memory_reserved as max_memory_reserved
from msjax import memory_allocated as memory_allocated
from msjax import memory_reserved as memory_reserved
from msjax import memory_stats as memory_stats
from msjax import memory_summary as memory_summary
from msjax import reset_max_memory_allocated as reset_max_memory_allocated
from msjax import reset_max_memory_allocated as _reset_max_memory_allocated
reset_max_memory_reserved = _reset_max_memory_allocated
from msjax import reset_max_memory_allocated as _reset_max_memory_allocated
reset_peak_memory_stats = _reset_max_memory_allocated
from msjax import set_deterministic as set_deterministic
from msjax import set_device as set_device
from msjax import set_memory as set_memory
from msjax import synchronize as synchronize
from msjax.runtime.executor import *
from msjax.core.settings.device import *
from msjax.inner.streams import *
from msjax.inner.runtime_options import *
from msjax import *
from msjax import *
from msjax.inner.runtime_options import *
from msjax.inner.streams import *
from msjax.core.settings.device import *
from msjax.runtime.executor import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
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
from msjax import Event as Event
from msjax import Stream as Stream
from msjax import StreamCtx as StreamCtx
from msjax import communication_stream as communication_stream
from msjax import communication_stream as _communication_stream
current_stream = _communication_stream
from msjax import communication_stream as _communication_stream
default_stream = _communication_stream
from msjax import set_cur_stream as set_cur_stream
from msjax.core.settings.device import DeviceInfo as DeviceInfo
from msjax.core.settings.device import _PLATFORMS as _PLATFORMS
from msjax.core.settings.device import _TARGETS as _TARGETS
from msjax.core.settings.device import _used as _used
from msjax import device_count as device_count
from msjax import empty_cache as empty_cache
from msjax import get_arch_list as get_arch_list
from msjax import get_current_device as get_current_device
from msjax import get_device_capability as get_device_capability
from msjax import get_device_name as get_device_name
from msjax import get_device_properties as get_device_properties
from msjax import is_available as is_available
from msjax import is_initialized as is_initialized
from msjax import launch_blocking as launch_blocking
from msjax import max_memory_allocated as max_memory_allocated
from msjax import max_memory_reserved as max_memory_reserved
from msjax import memory_allocated as memory_allocated
from msjax import memory_reserved as memory_reserved
from msjax import memory_stats as memory_stats
from msjax import memory_summary as memory_summary
from msjax import reset_max_memory_allocated as reset_max_memory_allocated
from msjax import reset_max_memory_allocated as _reset_max_memory_allocated
reset_max_memory_reserved = _reset_max_memory_allocated
from msjax import reset_max_memory_allocated as _reset_max_memory_allocated
reset_peak_memory_stats = _reset_max_memory_allocated
from msjax import set_deterministic as set_deterministic
from msjax import set_device as set_device
from msjax import set_memory as set_memory
from msjax import synchronize as synchronize
from typing import Any
def __getattr__(name: str) -> Any: ...
