"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
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
from msjax.train.parallel_utils import *
from msjax.core.settings.context import *
from msjax import *
from msjax import *
from msjax.core.settings.context import *
from msjax.train.parallel_utils import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
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
from typing import Any
def __getattr__(name: str) -> Any: ...
