"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
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
from msjax.common.recompute import *
from msjax.core.trace.compile import *
from msjax.core.trace.mutable import *
from msjax.inner.compile_options import *
from msjax.core.grad.autodiff import *
from msjax.core.grad.hooks import *
from msjax.core.grad.no_gradient import *
from msjax import *
from msjax import *
from msjax.core.grad.no_gradient import *
from msjax.core.grad.hooks import *
from msjax.core.grad.autodiff import *
from msjax.inner.compile_options import *
from msjax.core.trace.mutable import *
from msjax.core.trace.compile import *
from msjax.common.recompute import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
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
from typing import Any
def __getattr__(name: str) -> Any: ...
