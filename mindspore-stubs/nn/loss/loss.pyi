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
from msjax.nn.wrap.micro_batch import _MicroBatch as _MicroBatch
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.nn.wrap.micro_batch import _TrainGradAccuStepCell as _TrainGradAccuStepCell
from msjax.nn.wrap.micro_batch import _VirtualDatasetCell as _VirtualDatasetCell
from msjax.nn.wrap.loss_scale import _grad_overflow as _grad_overflow
from msjax.nn.wrap.loss_scale import _grad_scale as _grad_scale
from msjax.nn import _public as _public
from msjax.nn.wrap.loss_scale import grad_scale as grad_scale
from msjax.nn.wrap.loss_scale import shard_grad_scale as shard_grad_scale
from msjax.nn import LossBase as _LossBase
Loss = _LossBase
from msjax.nn.loss.checks import _check_channel_and_shape as _check_channel_and_shape
from msjax.nn.loss.checks import _check_cross_entropy_inputs as _check_cross_entropy_inputs
from msjax.nn.loss.checks import _check_ctcloss_targets_shape as _check_ctcloss_targets_shape
from msjax.nn.loss.checks import _check_shape as __check_shape
_check_dice_shape = __check_shape
from msjax.nn.loss.checks import _check_input_dtype as _check_input_dtype
from msjax.nn.loss.checks import _check_is_tensor as _check_is_tensor
from msjax.nn.loss.checks import _check_label_dtype as _check_label_dtype
from msjax.nn.loss.checks import _check_ndim as _check_ndim
from msjax.nn.loss.checks import _check_ndim_multi as _check_ndim_multi
from msjax.nn.loss.checks import _check_rmseloss_dtype as _check_rmseloss_dtype
from msjax.nn.loss.checks import _check_shape as _check_shape
from msjax.nn.loss.checks import _check_weights as _check_weights
from msjax.nn.loss.checks import _the as _the
from msjax.nn import BCELoss as BCELoss
from msjax.nn import BCEWithLogitsLoss as BCEWithLogitsLoss
from msjax.nn import CrossEntropyLoss as CrossEntropyLoss
from msjax.nn import FocalLoss as FocalLoss
from msjax.nn import HuberLoss as HuberLoss
from msjax.nn import KLDivLoss as KLDivLoss
from msjax.nn import L1Loss as L1Loss
from msjax.nn import L1LossExt as L1LossExt
from msjax.nn import LossBase as LossBase
from msjax.nn import MAELoss as MAELoss
from msjax.nn import MSELoss as MSELoss
from msjax.nn import NLLLoss as NLLLoss
from msjax.nn import RMSELoss as RMSELoss
from msjax.nn.loss.loss import ReducedLoss as ReducedLoss
from msjax.nn import SmoothL1Loss as SmoothL1Loss
from msjax.nn import SoftmaxCrossEntropyWithLogits as SoftmaxCrossEntropyWithLogits
from msjax.nn import LossBase as _LossBase
_Loss = _LossBase
from msjax.nn.loss.loss import _REDUCTIONS as _REDUCTIONS
from msjax.nn.loss.loss import _class_weight as _class_weight
from msjax.nn.loss.loss import check_tensor as check_tensor
from msjax.nn.loss.loss import check_tensors as check_tensors
from msjax.nn.loss.loss import *
from msjax.nn.loss.checks import *
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
from msjax.nn.loss.checks import *
from msjax.nn.loss.loss import *
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
from msjax.nn.wrap.micro_batch import _MicroBatch as _MicroBatch
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.nn.wrap.micro_batch import _TrainGradAccuStepCell as _TrainGradAccuStepCell
from msjax.nn.wrap.micro_batch import _VirtualDatasetCell as _VirtualDatasetCell
from msjax.nn.wrap.loss_scale import _grad_overflow as _grad_overflow
from msjax.nn.wrap.loss_scale import _grad_scale as _grad_scale
from msjax.nn import _public as _public
from msjax.nn.wrap.loss_scale import grad_scale as grad_scale
from msjax.nn.wrap.loss_scale import shard_grad_scale as shard_grad_scale
from msjax.nn import LossBase as _LossBase
Loss = _LossBase
from msjax.nn.loss.checks import _check_channel_and_shape as _check_channel_and_shape
from msjax.nn.loss.checks import _check_cross_entropy_inputs as _check_cross_entropy_inputs
from msjax.nn.loss.checks import _check_ctcloss_targets_shape as _check_ctcloss_targets_shape
from msjax.nn.loss.checks import _check_shape as __check_shape
_check_dice_shape = __check_shape
from msjax.nn.loss.checks import _check_input_dtype as _check_input_dtype
from msjax.nn.loss.checks import _check_is_tensor as _check_is_tensor
from msjax.nn.loss.checks import _check_label_dtype as _check_label_dtype
from msjax.nn.loss.checks import _check_ndim as _check_ndim
from msjax.nn.loss.checks import _check_ndim_multi as _check_ndim_multi
from msjax.nn.loss.checks import _check_rmseloss_dtype as _check_rmseloss_dtype
from msjax.nn.loss.checks import _check_shape as _check_shape
from msjax.nn.loss.checks import _check_weights as _check_weights
from msjax.nn.loss.checks import _the as _the
from msjax.nn import BCELoss as BCELoss
from msjax.nn import BCEWithLogitsLoss as BCEWithLogitsLoss
from msjax.nn import CrossEntropyLoss as CrossEntropyLoss
from msjax.nn import FocalLoss as FocalLoss
from msjax.nn import HuberLoss as HuberLoss
from msjax.nn import KLDivLoss as KLDivLoss
from msjax.nn import L1Loss as L1Loss
from msjax.nn import L1LossExt as L1LossExt
from msjax.nn import LossBase as LossBase
from msjax.nn import MAELoss as MAELoss
from msjax.nn import MSELoss as MSELoss
from msjax.nn import NLLLoss as NLLLoss
from msjax.nn import RMSELoss as RMSELoss
from msjax.nn.loss.loss import ReducedLoss as ReducedLoss
from msjax.nn import SmoothL1Loss as SmoothL1Loss
from msjax.nn import SoftmaxCrossEntropyWithLogits as SoftmaxCrossEntropyWithLogits
from msjax.nn import LossBase as _LossBase
_Loss = _LossBase
from msjax.nn.loss.loss import _REDUCTIONS as _REDUCTIONS
from msjax.nn.loss.loss import _class_weight as _class_weight
from msjax.nn.loss.loss import check_tensor as check_tensor
from msjax.nn.loss.loss import check_tensors as check_tensors
from typing import Any
def __getattr__(name: str) -> Any: ...
