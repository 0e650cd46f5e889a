"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.inner.compile_options import _GraphExecutor as __GraphExecutor
_CellGraphExecutor = __GraphExecutor
from msjax.inner.common import _ContextParameters as _ContextParameters
from msjax.inner.common import _OWN as _OWN
from msjax.inner.common import _TensorPyMeta as _TensorPyMeta
from msjax.inner.common import _deprecated_names as _deprecated_names
from msjax.inner.common import _empty_instance as _empty_instance
from msjax.inner.common import _get_graph_seed as _get_graph_seed
from msjax.inner.common import _random_normal as _random_normal
from msjax.inner.common import _random_uniform as _random_uniform
from msjax.inner.common import _register_basic_file_system as _register_basic_file_system
from msjax.inner.common import _register_mindio_file_system as _register_mindio_file_system
from msjax.inner.common import _run_op as _run_op
from msjax.inner.common import _stub_method as _stub_method
from msjax.inner.common import _truncated_normal as _truncated_normal
from msjax.ops.gradient.functions import _Grad as _Grad
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.ops.inner_primitives import _VirtualDataset as _VirtualDataset
from msjax.ops.gradient.functions import _Vmap as _Vmap
from msjax.ops.graph_api.graph_names import _add_attr as _add_attr
from msjax.ops.attention.multi_head import _check_attn_mask_shape as _check_attn_mask_shape
from msjax.ops.attention.multi_head import _check_kpm_shape as _check_kpm_shape
from msjax.ops.attention.multi_head import _check_qkv_shape as _check_qkv_shape
from msjax.ops.graph_api.inner import _check_same_type as _check_same_type
from msjax.ops.graph_api.inner import _deconv_output_length as _deconv_output_length
from msjax.ops.graph_api.inner import _expand as _expand
from msjax.ops.custom.custom import _get_cache_prim as _get_cache_prim
from msjax.inner.common import _get_graph_seed as __get_graph_seed
_get_seed = __get_graph_seed
from msjax.ops.attention.multi_head import _in_projection as _in_projection
from msjax.ops.attention.multi_head import _in_projection_packed as _in_projection_packed
from msjax.ops.attention.multi_head import _inner_dropout as _inner_dropout
from msjax.ops.attention.multi_head import _inner_pad as _inner_pad
from msjax.ops.image.resizing import _interploate_ext_make_tuple as _interploate_ext_make_tuple
from msjax.ops.image.resizing import _interpolate_ext_scale_factor_convert_size as _interpolate_ext_scale_factor_convert_size
from msjax.ops.graph_api.graph_names import _ms_pyfunc as _ms_pyfunc
from msjax.inner.common import _set_prim_op_user_data as _set_prim_op_user_data
from msjax.core.operators.primitive import _NESTED as _NESTED
from msjax.core.operators.primitive import _TARGETS as _TARGETS
from msjax import constexpr as _constexpr
_primexpr = _constexpr
from msjax import constexpr as constexpr
from msjax.core.operators.record import _MOST_VARIANTS as _MOST_VARIANTS
from msjax.core.operators.record import _NO_KEY as _NO_KEY
from msjax.core.operators.record import _NUMBERS as _NUMBERS
from msjax.core.operators.record import _STRICT as _STRICT
from msjax.core.operators.record import _TABLES as _TABLES
from msjax.core.operators.record import _UNDER_TAPE as _UNDER_TAPE
from msjax.ops.signature import *
from msjax.core.operators.record import *
from msjax.core.operators.primitive import *
from msjax.ops import *
from msjax.inner.common import *
from msjax import *
from msjax import *
from msjax.inner.common import *
from msjax.ops import *
from msjax.core.operators.primitive import *
from msjax.core.operators.record import *
from msjax.ops.signature import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.inner.compile_options import _GraphExecutor as __GraphExecutor
_CellGraphExecutor = __GraphExecutor
from msjax.inner.common import _ContextParameters as _ContextParameters
from msjax.inner.common import _OWN as _OWN
from msjax.inner.common import _TensorPyMeta as _TensorPyMeta
from msjax.inner.common import _deprecated_names as _deprecated_names
from msjax.inner.common import _empty_instance as _empty_instance
from msjax.inner.common import _get_graph_seed as _get_graph_seed
from msjax.inner.common import _random_normal as _random_normal
from msjax.inner.common import _random_uniform as _random_uniform
from msjax.inner.common import _register_basic_file_system as _register_basic_file_system
from msjax.inner.common import _register_mindio_file_system as _register_mindio_file_system
from msjax.inner.common import _run_op as _run_op
from msjax.inner.common import _stub_method as _stub_method
from msjax.inner.common import _truncated_normal as _truncated_normal
from msjax.ops.gradient.functions import _Grad as _Grad
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.ops.inner_primitives import _VirtualDataset as _VirtualDataset
from msjax.ops.gradient.functions import _Vmap as _Vmap
from msjax.ops.graph_api.graph_names import _add_attr as _add_attr
from msjax.ops.attention.multi_head import _check_attn_mask_shape as _check_attn_mask_shape
from msjax.ops.attention.multi_head import _check_kpm_shape as _check_kpm_shape
from msjax.ops.attention.multi_head import _check_qkv_shape as _check_qkv_shape
from msjax.ops.graph_api.inner import _check_same_type as _check_same_type
from msjax.ops.graph_api.inner import _deconv_output_length as _deconv_output_length
from msjax.ops.graph_api.inner import _expand as _expand
from msjax.ops.custom.custom import _get_cache_prim as _get_cache_prim
from msjax.inner.common import _get_graph_seed as __get_graph_seed
_get_seed = __get_graph_seed
from msjax.ops.attention.multi_head import _in_projection as _in_projection
from msjax.ops.attention.multi_head import _in_projection_packed as _in_projection_packed
from msjax.ops.attention.multi_head import _inner_dropout as _inner_dropout
from msjax.ops.attention.multi_head import _inner_pad as _inner_pad
from msjax.ops.image.resizing import _interploate_ext_make_tuple as _interploate_ext_make_tuple
from msjax.ops.image.resizing import _interpolate_ext_scale_factor_convert_size as _interpolate_ext_scale_factor_convert_size
from msjax.ops.graph_api.graph_names import _ms_pyfunc as _ms_pyfunc
from msjax.inner.common import _set_prim_op_user_data as _set_prim_op_user_data
from msjax.core.operators.primitive import _NESTED as _NESTED
from msjax.core.operators.primitive import _TARGETS as _TARGETS
from msjax import constexpr as _constexpr
_primexpr = _constexpr
from msjax import constexpr as constexpr
from msjax.core.operators.record import _MOST_VARIANTS as _MOST_VARIANTS
from msjax.core.operators.record import _NO_KEY as _NO_KEY
from msjax.core.operators.record import _NUMBERS as _NUMBERS
from msjax.core.operators.record import _STRICT as _STRICT
from msjax.core.operators.record import _TABLES as _TABLES
from msjax.core.operators.record import _UNDER_TAPE as _UNDER_TAPE
from typing import Any
def __getattr__(name: str) -> Any: ...
