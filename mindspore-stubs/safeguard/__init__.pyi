"""Made by `python -m msjax stubs`: do not edit."""
from . import rewrite_obfuscation as rewrite_obfuscation
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.unsupported.services import _no_hooks as _no_hooks
from msjax.unsupported.services import _no_obfuscation as _no_obfuscation
from msjax.train import export_split_mindir as export_split_mindir
from msjax.train import flops_collection as flops_collection
from msjax.train import load_obf_params_into_net as load_obf_params_into_net
from msjax.train import mindio_preload as mindio_preload
from msjax.train import obfuscate_ckpt as obfuscate_ckpt
from msjax.train import register_saved_tensors_hooks as register_saved_tensors_hooks
from msjax.train import saved_tensors_hooks as saved_tensors_hooks
from msjax.train import set_mindio_server_info as set_mindio_server_info
from msjax.safeguard import *
from msjax.unsupported.services import *
from msjax import *
from msjax import *
from msjax.unsupported.services import *
from msjax.safeguard import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.unsupported.services import _no_hooks as _no_hooks
from msjax.unsupported.services import _no_obfuscation as _no_obfuscation
from msjax.train import export_split_mindir as export_split_mindir
from msjax.train import flops_collection as flops_collection
from msjax.train import load_obf_params_into_net as load_obf_params_into_net
from msjax.train import mindio_preload as mindio_preload
from msjax.train import obfuscate_ckpt as obfuscate_ckpt
from msjax.train import register_saved_tensors_hooks as register_saved_tensors_hooks
from msjax.train import saved_tensors_hooks as saved_tensors_hooks
from msjax.train import set_mindio_server_info as set_mindio_server_info
from typing import Any
from . import rewrite_obfuscation as rewrite_obfuscation
def __getattr__(name: str) -> Any: ...
