"""Made by `python -m msjax stubs`: do not edit."""
from . import compile_config as compile_config
from . import jit_fallback_modules as jit_fallback_modules
from . import namespace as namespace
from . import parser as parser
from . import resources as resources
from . import standard_method as standard_method
from . import trope as trope
from msjax import *
from msjax.core.grad.no_gradient import *
from msjax.core.grad.hooks import *
from msjax.core.grad.autodiff import *
from msjax.inner.compile_options import *
from msjax.core.trace.mutable import *
from msjax.core.trace.compile import *
from msjax._extends.parse import *
