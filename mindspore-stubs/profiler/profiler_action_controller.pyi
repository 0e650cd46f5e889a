"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.train import Profiler as Profiler
from msjax.train.profiler import ProfilerAction as ProfilerAction
from msjax.train.profiler import _DEFAULT_FOLDER as _DEFAULT_FOLDER
from msjax.train.profiler import _ExperimentalConfig as _ExperimentalConfig
from msjax.profiler.profiler_action_controller import *
from msjax.train.profiler import *
from msjax import *
from msjax import *
from msjax.train.profiler import *
from msjax.profiler.profiler_action_controller import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.train import Profiler as Profiler
from msjax.train.profiler import ProfilerAction as ProfilerAction
from msjax.train.profiler import _DEFAULT_FOLDER as _DEFAULT_FOLDER
from msjax.train.profiler import _ExperimentalConfig as _ExperimentalConfig
from typing import Any
def __getattr__(name: str) -> Any: ...
