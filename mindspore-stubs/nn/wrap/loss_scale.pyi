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
from msjax.nn.layer.normalization import _BatchNorm as _BatchNorm
from msjax.nn.wrap.micro_batch import _BroadCastCell as _BroadCastCell
from msjax.nn.layer.conv_base import ConvolutionBase as _ConvolutionBase
_Conv = _ConvolutionBase
from msjax.nn import LossBase as _LossBase
_Loss = _LossBase
from msjax.nn.wrap.micro_batch import _MicroBatch as _MicroBatch
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.nn.wrap.micro_batch import _TrainGradAccuStepCell as _TrainGradAccuStepCell
from msjax.nn.wrap.micro_batch import _VirtualDatasetCell as _VirtualDatasetCell
from msjax.nn import _public as _public
from msjax.nn import DynamicLossScaleUpdateCell as DynamicLossScaleUpdateCell
from msjax.nn import FixedLossScaleUpdateCell as FixedLossScaleUpdateCell
from msjax.nn import TrainOneStepWithLossScaleCell as TrainOneStepWithLossScaleCell
from msjax.nn.wrap.loss_scale import _grad_overflow as _grad_overflow
from msjax.nn.wrap.loss_scale import _grad_scale as _grad_scale
from msjax.nn.wrap.loss_scale import _hyper_map as _hyper_map
from msjax.nn.wrap.loss_scale import grad_scale as grad_scale
from msjax.nn.wrap.loss_scale import overflow_of as overflow_of
from msjax.nn.wrap.loss_scale import shard_grad_scale as shard_grad_scale
from msjax.nn.wrap.loss_scale import unscaled as unscaled
from msjax.nn.wrap.loss_scale import *
from msjax.nn import *
from msjax.nn.inner import *
from msjax import *
from msjax.train.metrics import *
from msjax.nn.transformer import *
from msjax.nn.transformer import *
from msjax.train.metrics import *
from msjax import *
from msjax.nn.inner import *
from msjax.nn import *
from msjax.nn.wrap.loss_scale import *
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
from msjax.nn.layer.normalization import _BatchNorm as _BatchNorm
from msjax.nn.wrap.micro_batch import _BroadCastCell as _BroadCastCell
from msjax.nn.layer.conv_base import ConvolutionBase as _ConvolutionBase
_Conv = _ConvolutionBase
from msjax.nn import LossBase as _LossBase
_Loss = _LossBase
from msjax.nn.wrap.micro_batch import _MicroBatch as _MicroBatch
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.nn.wrap.micro_batch import _TrainGradAccuStepCell as _TrainGradAccuStepCell
from msjax.nn.wrap.micro_batch import _VirtualDatasetCell as _VirtualDatasetCell
from msjax.nn import _public as _public
from msjax.nn import DynamicLossScaleUpdateCell as DynamicLossScaleUpdateCell
from msjax.nn import FixedLossScaleUpdateCell as FixedLossScaleUpdateCell
from msjax.nn import TrainOneStepWithLossScaleCell as TrainOneStepWithLossScaleCell
from msjax.nn.wrap.loss_scale import _grad_overflow as _grad_overflow
from msjax.nn.wrap.loss_scale import _grad_scale as _grad_scale
from msjax.nn.wrap.loss_scale import _hyper_map as _hyper_map
from msjax.nn.wrap.loss_scale import grad_scale as grad_scale
from msjax.nn.wrap.loss_scale import overflow_of as overflow_of
from msjax.nn.wrap.loss_scale import shard_grad_scale as shard_grad_scale
from msjax.nn.wrap.loss_scale import unscaled as unscaled
from typing import Any
def __getattr__(name: str) -> Any: ...
