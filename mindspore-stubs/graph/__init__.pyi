"""Made by `python -m msjax stubs`: do not edit."""
from . import api as api
from . import custom_backend as custom_backend
from . import custom_infer as custom_infer
from . import custom_pass as custom_pass
from . import dynamic_shape as dynamic_shape
from . import jit_begin_end as jit_begin_end
from . import jit_config as jit_config
from . import jit_context as jit_context
from . import jit_trace as jit_trace
from . import lazy_inline as lazy_inline
from . import mutable as mutable
from . import no_inline as no_inline
from . import symbol as symbol
from msjax import *
from msjax.core.grad.no_gradient import *
from msjax.core.grad.hooks import *
from msjax.core.grad.autodiff import *
from msjax.inner.compile_options import *
from msjax.core.trace.mutable import *
from msjax.core.trace.compile import *
from msjax.unsupported.graph import *
from msjax.graph import *
