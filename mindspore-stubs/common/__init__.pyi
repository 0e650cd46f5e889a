"""Made by `python -m msjax stubs`: do not edit."""
from . import _decorator as _decorator
from . import _grad_function as _grad_function
from . import _jit_fallback_utils as _jit_fallback_utils
from . import _monad as _monad
from . import _pijit_context as _pijit_context
from . import _register_for_adapter as _register_for_adapter
from . import _register_for_recompute as _register_for_recompute
from . import _register_for_tensor as _register_for_tensor
from . import _stub_tensor as _stub_tensor
from . import _tensor_docs as _tensor_docs
from . import _utils as _utils
from . import api as api
from . import device as device
from . import dtype as dtype
from . import dump as dump
from . import dynamic_shape as dynamic_shape
from . import file_system as file_system
from . import generator as generator
from . import hook_handle as hook_handle
from . import initializer as initializer
from . import jit_begin_end as jit_begin_end
from . import jit_config as jit_config
from . import jit_context as jit_context
from . import jit_trace as jit_trace
from . import lazy_inline as lazy_inline
from . import mindir_util as mindir_util
from . import mutable as mutable
from . import no_inline as no_inline
from . import np_dtype as np_dtype
from . import parameter as parameter
from . import recompute as recompute
from . import seed as seed
from . import sparse_tensor as sparse_tensor
from . import storage as storage
from . import symbol as symbol
from . import tensor as tensor
from msjax import *
from msjax.ops.graph_api.parser_names import *
from msjax.inner.common import *
from msjax.nn.cell.recompute import *
from msjax.ops.sparse.tensors import *
from msjax.core.settings.runtime_options import *
from msjax.core.values.interop import *
from msjax.core.grad.no_gradient import *
from msjax.core.grad.hooks import *
from msjax.core.grad.autodiff import *
from msjax.inner.compile_options import *
from msjax.core.trace.mutable import *
from msjax.core.trace.compile import *
from msjax.core.operators.random import *
from msjax.core.settings.seed import *
from msjax.core.values.parameter import *
from msjax.core.values.tensor import *
from msjax.core.values.dtype import *
from msjax.common import *
