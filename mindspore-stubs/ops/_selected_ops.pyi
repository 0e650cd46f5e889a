"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
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
from msjax.ops._selected_ops import *
from msjax.ops import *
from msjax import *
from msjax import *
from msjax.ops import *
from msjax.ops._selected_ops import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
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
from typing import Any
def __getattr__(name: str) -> Any: ...
