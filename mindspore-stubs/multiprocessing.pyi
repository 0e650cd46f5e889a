"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.multiprocessing import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from typing import Any
Array: Any
Barrier: Any
BoundedSemaphore: Any
Condition: Any
Event: Any
JoinableQueue: Any
Lock: Any
Manager: Any
Pipe: Any
Pool: Any
Queue: Any
RLock: Any
RawArray: Any
RawValue: Any
Semaphore: Any
SimpleQueue: Any
Value: Any
allow_connection_pickling: Any
cpu_count: Any
freeze_support: Any
get_all_start_methods: Any
get_context: Any
get_logger: Any
get_start_method: Any
log_to_stderr: Any
set_executable: Any
set_forkserver_preload: Any
set_start_method: Any
def __getattr__(name: str) -> Any: ...
