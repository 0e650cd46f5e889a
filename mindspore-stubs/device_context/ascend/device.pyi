"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.inner.chips.ascend import _ACL as _ACL
from msjax.inner.chips.ascend import _SWITCH as _SWITCH
from msjax.inner.chips.ascend import aclinit_config as aclinit_config
from msjax.inner.chips.ascend import aclnn_cache as aclnn_cache
from msjax.inner.chips.ascend import aoe_job_type as aoe_job_type
from msjax.inner.chips.ascend import aoe_tune_mode as aoe_tune_mode
from msjax.inner.chips.ascend import conv_allow_hf32 as conv_allow_hf32
from msjax.inner.chips.ascend import debug_option as debug_option
from msjax.inner.chips.ascend import execute_timeout as execute_timeout
from msjax.inner.chips.ascend import matmul_allow_hf32 as matmul_allow_hf32
from msjax.inner.chips.ascend import op_compile as op_compile
from msjax.inner.chips.ascend import op_precision_mode as op_precision_mode
from msjax.inner.chips.ascend import precision_mode as precision_mode
from msjax.device_context.ascend.device import *
from msjax.inner.chips.ascend import *
from msjax import *
from msjax import *
from msjax.inner.chips.ascend import *
from msjax.device_context.ascend.device import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.inner.chips.ascend import _ACL as _ACL
from msjax.inner.chips.ascend import _SWITCH as _SWITCH
from msjax.inner.chips.ascend import aclinit_config as aclinit_config
from msjax.inner.chips.ascend import aclnn_cache as aclnn_cache
from msjax.inner.chips.ascend import aoe_job_type as aoe_job_type
from msjax.inner.chips.ascend import aoe_tune_mode as aoe_tune_mode
from msjax.inner.chips.ascend import conv_allow_hf32 as conv_allow_hf32
from msjax.inner.chips.ascend import debug_option as debug_option
from msjax.inner.chips.ascend import execute_timeout as execute_timeout
from msjax.inner.chips.ascend import matmul_allow_hf32 as matmul_allow_hf32
from msjax.inner.chips.ascend import op_compile as op_compile
from msjax.inner.chips.ascend import op_precision_mode as op_precision_mode
from msjax.inner.chips.ascend import precision_mode as precision_mode
from typing import Any
def __getattr__(name: str) -> Any: ...
