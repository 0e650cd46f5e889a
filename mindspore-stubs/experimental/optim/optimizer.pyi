"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.nn.inner import _channel_check as _channel_check
from msjax.nn.inner import _check_axes as _check_axes
from msjax.nn.inner import check_dense_input_shape as _check_dense_input_shape_
_check_dense_input_shape = _check_dense_input_shape_
from msjax.nn.inner import _check_input_3d as _check_input_3d
from msjax.nn.inner import _check_input_5dims as _check_input_5dims
from msjax.ops.graph_api.inner import _deconv_output_length as _deconv_output_length
from msjax.nn.inner import _get_prefix_and_index as _get_prefix_and_index
from msjax.nn.inner import _shape_check as _shape_check
from msjax.nn.inner import _shape_check_bn as _shape_check_bn
from msjax.nn.inner import _shape_infer as _shape_infer
from msjax.nn.inner import _subject as _subject
from msjax.nn.inner import _valid_cell as _valid_cell
from msjax.nn.inner import _valid_index as _valid_index
from msjax.nn.inner import _valid_index_for_inserting as _valid_index_for_inserting
from msjax.experimental.optim.adam import SpeedAdamW as SpeedAdamW
from msjax.experimental.optim.optimizer import ParameterGroup as ParameterGroup
from msjax.experimental.optim.optimizer import _rate_of as _rate_of
from msjax.experimental.optim.optimizer import check_adam as check_adam
from msjax.experimental.optim.optimizer import check_not_less_than as check_not_less_than
from msjax.experimental.optim.optimizer import check_not_less_than_without_equal as check_not_less_than_without_equal
from msjax.experimental.optim.optimizer import check_ranges as check_ranges
from msjax.experimental.optim.optimizer import *
from msjax.experimental.optim import *
from msjax.nn.inner import *
from msjax import *
from msjax import *
from msjax.nn.inner import *
from msjax.experimental.optim import *
from msjax.experimental.optim.optimizer import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.nn.inner import _channel_check as _channel_check
from msjax.nn.inner import _check_axes as _check_axes
from msjax.nn.inner import check_dense_input_shape as _check_dense_input_shape_
_check_dense_input_shape = _check_dense_input_shape_
from msjax.nn.inner import _check_input_3d as _check_input_3d
from msjax.nn.inner import _check_input_5dims as _check_input_5dims
from msjax.ops.graph_api.inner import _deconv_output_length as _deconv_output_length
from msjax.nn.inner import _get_prefix_and_index as _get_prefix_and_index
from msjax.nn.inner import _shape_check as _shape_check
from msjax.nn.inner import _shape_check_bn as _shape_check_bn
from msjax.nn.inner import _shape_infer as _shape_infer
from msjax.nn.inner import _subject as _subject
from msjax.nn.inner import _valid_cell as _valid_cell
from msjax.nn.inner import _valid_index as _valid_index
from msjax.nn.inner import _valid_index_for_inserting as _valid_index_for_inserting
from msjax.experimental.optim.adam import SpeedAdamW as SpeedAdamW
from msjax.experimental.optim.optimizer import ParameterGroup as ParameterGroup
from msjax.experimental.optim.optimizer import _rate_of as _rate_of
from msjax.experimental.optim.optimizer import check_adam as check_adam
from msjax.experimental.optim.optimizer import check_not_less_than as check_not_less_than
from msjax.experimental.optim.optimizer import check_not_less_than_without_equal as check_not_less_than_without_equal
from msjax.experimental.optim.optimizer import check_ranges as check_ranges
from typing import Any
def __getattr__(name: str) -> Any: ...
