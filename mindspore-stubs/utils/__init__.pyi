"""Made by `python -m msjax stubs`: do not edit."""
from . import dlpack as dlpack
from . import sdc_detect as sdc_detect
from . import utils as utils
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax import ExitByRequest as ExitByRequest
from msjax import MsDispatchMode as MsDispatchMode
from msjax import RSCPluginHandle as RSCPluginHandle
from msjax import TFTCommValue as TFTCommValue
from msjax.utils import _FaultTolerance as _FaultTolerance
from msjax.utils import _reuse_data_ptr as _reuse_data_ptr
from msjax.utils import _tft_handler as _tft_handler
from msjax import comm_exec_order_check as comm_exec_order_check
from msjax import from_dlpack as from_dlpack
from msjax import get_sdc_detect_result as get_sdc_detect_result
from msjax import runtime_execution_order_check as runtime_execution_order_check
from msjax import sdc_detect_start as sdc_detect_start
from msjax import sdc_detect_stop as sdc_detect_stop
from msjax import stress_detect as stress_detect
from msjax import to_dlpack as to_dlpack
from msjax.utils import *
from msjax import *
from msjax import *
from msjax.utils import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax import ExitByRequest as ExitByRequest
from msjax import MsDispatchMode as MsDispatchMode
from msjax import RSCPluginHandle as RSCPluginHandle
from msjax import TFTCommValue as TFTCommValue
from msjax.utils import _FaultTolerance as _FaultTolerance
from msjax.utils import _reuse_data_ptr as _reuse_data_ptr
from msjax.utils import _tft_handler as _tft_handler
from msjax import comm_exec_order_check as comm_exec_order_check
from msjax import from_dlpack as from_dlpack
from msjax import get_sdc_detect_result as get_sdc_detect_result
from msjax import runtime_execution_order_check as runtime_execution_order_check
from msjax import sdc_detect_start as sdc_detect_start
from msjax import sdc_detect_stop as sdc_detect_stop
from msjax import stress_detect as stress_detect
from msjax import to_dlpack as to_dlpack
from typing import Any
from . import dlpack as dlpack
from . import sdc_detect as sdc_detect
from . import utils as utils
def __getattr__(name: str) -> Any: ...
