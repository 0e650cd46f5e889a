"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.values.tensor import _TensorMeta as _TensorMeta
from msjax.core.values.tensor import converted as converted
from msjax import from_numpy as from_numpy
from msjax.core.values.tensor import on_device as on_device
from msjax.core.values.tensor import *
from msjax.core.values.interop import *
from msjax.core.values.interop import *
from msjax.core.values.tensor import *
from msjax.core.values.tensor import _TensorMeta as _TensorMeta
from msjax.core.values.tensor import converted as converted
from msjax import from_numpy as from_numpy
from msjax.core.values.tensor import on_device as on_device
