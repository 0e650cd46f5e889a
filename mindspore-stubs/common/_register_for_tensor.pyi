"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops.graph_api.graph_names import *
from msjax.common._register_for_tensor import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as no_gradient
_no_grad = no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.ops.graph_api.graph_names import _TensorOperators as _TensorOperators
from msjax.ops.graph_api.graph_names import _VmImplementations as _VmImplementations
from msjax.ops.graph_api.graph_names import _add_attr as _add_attr
from msjax.ops.graph_api.graph_names import _items as _items
from msjax.ops.graph_api.graph_names import _ms_pyfunc as _ms_pyfunc
from msjax.ops.graph_api.graph_names import _no_node as _no_node
from msjax.ops.graph_api.graph_names import _one_like as _one_like
from msjax.ops.graph_api.graph_names import _refused as _refused
