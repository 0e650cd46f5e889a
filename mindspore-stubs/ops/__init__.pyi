"""Made by `python -m msjax stubs`: do not edit."""
from msjax.ops import *
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
from . import P as P
from . import _constants as _constants
from . import _grad as _grad
from . import _grad_experimental as _grad_experimental
from . import _op_impl as _op_impl
from . import _primitive_cache as _primitive_cache
from . import _register_for_op as _register_for_op
from . import _tracefunc as _tracefunc
from . import _utils as _utils
from . import auto_generate as auto_generate
from . import communication as communication
from . import composite as composite
from . import deprecated as deprecated
from . import function as function
from . import functional as functional
from . import functional_overload as functional_overload
from . import operations as operations
from . import primitive as primitive
from . import signature as signature
from . import tensor_method as tensor_method
from . import vm_impl_registry as vm_impl_registry
