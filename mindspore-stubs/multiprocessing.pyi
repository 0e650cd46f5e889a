"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.multiprocessing import Array as Array
from msjax.multiprocessing import AuthenticationError as AuthenticationError
from msjax.multiprocessing import Barrier as Barrier
from msjax.multiprocessing import BoundedSemaphore as BoundedSemaphore
from msjax.multiprocessing import BufferTooShort as BufferTooShort
from msjax.multiprocessing import Condition as Condition
from msjax.multiprocessing import Event as Event
from msjax.multiprocessing import JoinableQueue as JoinableQueue
from msjax.multiprocessing import Lock as Lock
from msjax.multiprocessing import Manager as Manager
from msjax.multiprocessing import Pipe as Pipe
from msjax.multiprocessing import Pool as Pool
from msjax.multiprocessing import Process as Process
from msjax.multiprocessing import ProcessError as ProcessError
from msjax.multiprocessing import Queue as Queue
from msjax.multiprocessing import RLock as RLock
from msjax.multiprocessing import RawArray as RawArray
from msjax.multiprocessing import RawValue as RawValue
from msjax.multiprocessing import Semaphore as Semaphore
from msjax.multiprocessing import SimpleQueue as SimpleQueue
from msjax.multiprocessing import TimeoutError as TimeoutError
from msjax.multiprocessing import Value as Value
from msjax.multiprocessing import active_children as active_children
from msjax.multiprocessing import allow_connection_pickling as allow_connection_pickling
from msjax.multiprocessing import cpu_count as cpu_count
from msjax.multiprocessing import current_process as current_process
from msjax.multiprocessing import freeze_support as freeze_support
from msjax.multiprocessing import get_all_start_methods as get_all_start_methods
from msjax.multiprocessing import get_context as get_context
from msjax.multiprocessing import get_logger as get_logger
from msjax.multiprocessing import get_start_method as get_start_method
from msjax.multiprocessing import log_to_stderr as log_to_stderr
from msjax.multiprocessing import parent_process as parent_process
from msjax.multiprocessing import reducer as reducer
from msjax.multiprocessing import set_executable as set_executable
from msjax.multiprocessing import set_forkserver_preload as set_forkserver_preload
from msjax.multiprocessing import set_start_method as set_start_method
from msjax.multiprocessing import *
from msjax import *
from msjax import *
from msjax.multiprocessing import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.multiprocessing import Array as Array
from msjax.multiprocessing import AuthenticationError as AuthenticationError
from msjax.multiprocessing import Barrier as Barrier
from msjax.multiprocessing import BoundedSemaphore as BoundedSemaphore
from msjax.multiprocessing import BufferTooShort as BufferTooShort
from msjax.multiprocessing import Condition as Condition
from msjax.multiprocessing import Event as Event
from msjax.multiprocessing import JoinableQueue as JoinableQueue
from msjax.multiprocessing import Lock as Lock
from msjax.multiprocessing import Manager as Manager
from msjax.multiprocessing import Pipe as Pipe
from msjax.multiprocessing import Pool as Pool
from msjax.multiprocessing import Process as Process
from msjax.multiprocessing import ProcessError as ProcessError
from msjax.multiprocessing import Queue as Queue
from msjax.multiprocessing import RLock as RLock
from msjax.multiprocessing import RawArray as RawArray
from msjax.multiprocessing import RawValue as RawValue
from msjax.multiprocessing import Semaphore as Semaphore
from msjax.multiprocessing import SimpleQueue as SimpleQueue
from msjax.multiprocessing import TimeoutError as TimeoutError
from msjax.multiprocessing import Value as Value
from msjax.multiprocessing import active_children as active_children
from msjax.multiprocessing import allow_connection_pickling as allow_connection_pickling
from msjax.multiprocessing import cpu_count as cpu_count
from msjax.multiprocessing import current_process as current_process
from msjax.multiprocessing import freeze_support as freeze_support
from msjax.multiprocessing import get_all_start_methods as get_all_start_methods
from msjax.multiprocessing import get_context as get_context
from msjax.multiprocessing import get_logger as get_logger
from msjax.multiprocessing import get_start_method as get_start_method
from msjax.multiprocessing import log_to_stderr as log_to_stderr
from msjax.multiprocessing import parent_process as parent_process
from msjax.multiprocessing import reducer as reducer
from msjax.multiprocessing import set_executable as set_executable
from msjax.multiprocessing import set_forkserver_preload as set_forkserver_preload
from msjax.multiprocessing import set_start_method as set_start_method
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
