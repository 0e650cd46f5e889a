"""Made by `python -m msjax stubs`: do not edit."""
from . import P as P
from . import _constants as _constants
from . import _grad as _grad
from . import _grad_experimental as _grad_experimental
from . import _op_impl as _op_impl
from . import _primitive_cache as _primitive_cache
from . import _register_for_op as _register_for_op
from . import _tracefunc as _tracefunc
from . import _utils as _utils
from . import auto_generate as auto_generate
from . import communication as communication
from . import composite as composite
from . import deprecated as deprecated
from . import function as function
from . import functional as functional
from . import functional_overload as functional_overload
from . import op_info_register as op_info_register
from . import operations as operations
from . import primitive as primitive
from . import signature as signature
from . import tensor_method as tensor_method
from . import vm_impl_registry as vm_impl_registry
from msjax.ops import *
