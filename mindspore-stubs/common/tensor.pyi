"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.values.tensor import _TensorMeta as _TensorMeta
from msjax.core.values.tensor import _from_host as _from_host
from msjax.core.values.tensor import _host_value as _host_value
from msjax.core.values.tensor import _leave as _leave
from msjax.core.values.tensor import _leaves as _leaves
from msjax.core.values.tensor import _short as _short
from msjax.core.values.tensor import _tensors_to_numpy as _tensors_to_numpy
from msjax.core.values.tensor import converted as converted
from msjax import from_numpy as from_numpy
from msjax.core.values.tensor import on_device as on_device
from msjax.core.values.tensor import *
from msjax.core.values.interop import *
from msjax.core.values.interop import *
from msjax.core.values.tensor import *
from msjax.core.values.tensor import _TensorMeta as _TensorMeta
from msjax.core.values.tensor import _from_host as _from_host
from msjax.core.values.tensor import _host_value as _host_value
from msjax.core.values.tensor import _leave as _leave
from msjax.core.values.tensor import _leaves as _leaves
from msjax.core.values.tensor import _short as _short
from msjax.core.values.tensor import _tensors_to_numpy as _tensors_to_numpy
from msjax.core.values.tensor import converted as converted
from msjax import from_numpy as from_numpy
from msjax.core.values.tensor import on_device as on_device
