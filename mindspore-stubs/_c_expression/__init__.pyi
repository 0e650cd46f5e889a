"""Made by `python -m msjax stubs`: do not edit."""
from . import amp as amp
from . import np_dtypes as np_dtypes
from . import op_enum as op_enum
from . import security as security
from . import typing as typing
from msjax import *
from msjax.ops.pyboost import *
from msjax.core.grad.no_gradient import *
from msjax.core.grad.hooks import *
from msjax.core.grad.autodiff import *
from msjax.inner.compile_options import *
from msjax.core.trace.mutable import *
from msjax.core.trace.compile import *
from msjax.parallel.communication import *
from msjax.core.values.tensor import *
from msjax.core.settings.context import *
from msjax.inner.common import *
from msjax._c_expression import *
