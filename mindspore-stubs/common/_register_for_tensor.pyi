"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.ops.graph_api.graph_names import _TYPE_NUMBERS as _TYPE_NUMBERS
from msjax.ops.graph_api.graph_names import _TensorOperators as _TensorOperators
from msjax.ops.graph_api.graph_names import _VmImplementations as _VmImplementations
from msjax.ops.graph_api.graph_names import _add_attr as _add_attr
from msjax.ops.graph_api.graph_names import _items as _items
from msjax.ops.graph_api.graph_names import _ms_pyfunc as _ms_pyfunc
from msjax.ops.graph_api.graph_names import _name as _name
from msjax.ops.graph_api.graph_names import _no_node as _no_node
from msjax.ops.graph_api.graph_names import _one_like as _one_like
from msjax.ops.graph_api.graph_names import _ones_like_for_grad as _ones_like_for_grad
from msjax.ops.graph_api.graph_names import _refused as _refused
from msjax.ops.graph_api.graph_names import _use as _use
from msjax.ops.graph_api.graph_names import array_to_scalar as array_to_scalar
from msjax.ops.graph_api.graph_names import broadcast_gradient_args as broadcast_gradient_args
from msjax.ops.graph_api.graph_names import dtype_to_enum as dtype_to_enum
from msjax.ops.graph_api.graph_names import geswitch as geswitch
from msjax.ops.graph_api.graph_names import is_dynamic_sequence_element_unknown as is_dynamic_sequence_element_unknown
from msjax.ops.graph_api.graph_names import is_sequence_shape_unknown as is_sequence_shape_unknown
from msjax.ops.graph_api.graph_names import is_sequence_value_unknown as is_sequence_value_unknown
from msjax.ops.graph_api.graph_names import is_tensor_bool_cond as is_tensor_bool_cond
from msjax.ops.graph_api.graph_names import iter_converter as iter_converter
from msjax.ops.graph_api.graph_names import merge as merge
from msjax.ops.graph_api.graph_names import ms_hasnext as ms_hasnext
from msjax.ops.graph_api.graph_names import ms_next as ms_next
from msjax.ops.graph_api.graph_names import recompute_block as recompute_block
from msjax.ops.graph_api.graph_names import reduced_shape as reduced_shape
from msjax.ops.graph_api.graph_names import reshape_function as reshape_function
from msjax.ops.graph_api.graph_names import slice_get_item as slice_get_item
from msjax.ops.graph_api.graph_names import switch_layer as switch_layer
from msjax.ops.graph_api.graph_names import tensor_slice as tensor_slice
from msjax.ops.graph_api.graph_names import zip_operation as zip_operation
from msjax.common._register_for_tensor import *
from msjax.ops.graph_api.graph_names import *
from msjax import *
from msjax import *
from msjax.ops.graph_api.graph_names import *
from msjax.common._register_for_tensor import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.ops.graph_api.graph_names import _TYPE_NUMBERS as _TYPE_NUMBERS
from msjax.ops.graph_api.graph_names import _TensorOperators as _TensorOperators
from msjax.ops.graph_api.graph_names import _VmImplementations as _VmImplementations
from msjax.ops.graph_api.graph_names import _add_attr as _add_attr
from msjax.ops.graph_api.graph_names import _items as _items
from msjax.ops.graph_api.graph_names import _ms_pyfunc as _ms_pyfunc
from msjax.ops.graph_api.graph_names import _name as _name
from msjax.ops.graph_api.graph_names import _no_node as _no_node
from msjax.ops.graph_api.graph_names import _one_like as _one_like
from msjax.ops.graph_api.graph_names import _ones_like_for_grad as _ones_like_for_grad
from msjax.ops.graph_api.graph_names import _refused as _refused
from msjax.ops.graph_api.graph_names import _use as _use
from msjax.ops.graph_api.graph_names import array_to_scalar as array_to_scalar
from msjax.ops.graph_api.graph_names import broadcast_gradient_args as broadcast_gradient_args
from msjax.ops.graph_api.graph_names import dtype_to_enum as dtype_to_enum
from msjax.ops.graph_api.graph_names import geswitch as geswitch
from msjax.ops.graph_api.graph_names import is_dynamic_sequence_element_unknown as is_dynamic_sequence_element_unknown
from msjax.ops.graph_api.graph_names import is_sequence_shape_unknown as is_sequence_shape_unknown
from msjax.ops.graph_api.graph_names import is_sequence_value_unknown as is_sequence_value_unknown
from msjax.ops.graph_api.graph_names import is_tensor_bool_cond as is_tensor_bool_cond
from msjax.ops.graph_api.graph_names import iter_converter as iter_converter
from msjax.ops.graph_api.graph_names import merge as merge
from msjax.ops.graph_api.graph_names import ms_hasnext as ms_hasnext
from msjax.ops.graph_api.graph_names import ms_next as ms_next
from msjax.ops.graph_api.graph_names import recompute_block as recompute_block
from msjax.ops.graph_api.graph_names import reduced_shape as reduced_shape
from msjax.ops.graph_api.graph_names import reshape_function as reshape_function
from msjax.ops.graph_api.graph_names import slice_get_item as slice_get_item
from msjax.ops.graph_api.graph_names import switch_layer as switch_layer
from msjax.ops.graph_api.graph_names import tensor_slice as tensor_slice
from msjax.ops.graph_api.graph_names import zip_operation as zip_operation
from typing import Any
def __getattr__(name: str) -> Any: ...
