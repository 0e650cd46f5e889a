"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.core.grad.no_gradient import *
from msjax.core.grad.hooks import *
from msjax.core.grad.autodiff import *
from msjax.inner.compile_options import *
from msjax.core.trace.mutable import *
from msjax.core.trace.compile import *
from msjax.unsupported.graph import *
from msjax.graph.no_inline import *
