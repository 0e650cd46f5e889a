"""`mindspore.numpy`: NumPy's functions on Tensors, differentiable, with int32 and float32 where Python numbers come
in.
"""

import importlib as _importlib
import math as _math

from .. import ops as _ops  # noqa: F401  registers the operators
from ..alias.names import MissingNames as _MissingNames
from ..core.operators import namespaces as _spelling
from ..core.operators import record as _registry
from ..core.values.dtype import (  # noqa: F401
    bool_,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ..core.values.tensor import Tensor  # noqa: F401

# Importing a family registers its functions; the package keeps no attribute of its name.
for _family in ("algebra", "creation", "elementwise", "manipulation", "statistics"):
    _importlib.import_module(f".{_family}", __name__)
from .creation import mgrid, ogrid  # noqa: E402, F401

for _family in ("algebra", "arrays", "creation", "elementwise", "manipulation", "statistics"):
    globals().pop(_family, None)
del _family

float_, int_, uint, inf, pi, nan, newaxis = float32, int32, uint32, _math.inf, _math.pi, _math.nan, None
PINF, NINF, PZERO, NZERO, NAN, NaN, Inf, e = inf, -inf, 0.0, -0.0, nan, nan, inf, _math.e
numeric_types = [int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, bool_]

_getattr, __dir__ = _spelling.spelled(__name__, _registry.numpy_functions, missing=_MissingNames(__name__))


def __getattr__(name):
    return _importlib.import_module(".fft", __name__) if name == "fft" else _getattr(name)
