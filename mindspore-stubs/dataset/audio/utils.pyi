"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.dataset.audio import *
from msjax.dataset.audio.utils import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as no_gradient
_no_grad = no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.audio.utils import _Name as _Name
from msjax.dataset.audio.utils import _check_range as _check_range
from msjax.dataset.audio.utils import _to_hertz as _to_hertz
from msjax.dataset.audio.utils import _to_mel as _to_mel
from msjax.dataset.audio.utils import _triangles as _triangles
