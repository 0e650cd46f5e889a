"""Made by `python -m msjax stubs`: do not edit."""
from . import cell_wrapper as cell_wrapper
from . import grad_reducer as grad_reducer
from . import loss_scale as loss_scale
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
from msjax.nn.wrap.loss_scale import _grad_overflow as _grad_overflow
from msjax.nn.wrap.loss_scale import _grad_scale as _grad_scale
from msjax.nn import _public as _public
from msjax.nn.wrap.loss_scale import grad_scale as grad_scale
from msjax.nn.wrap.loss_scale import shard_grad_scale as shard_grad_scale
from msjax.nn import AllreduceGraph as AllreduceGraph
from msjax.nn import DistributedGradReducer as DistributedGradReducer
from msjax.nn import DynamicLossScaleUpdateCell as DynamicLossScaleUpdateCell
from msjax.nn import FixedLossScaleUpdateCell as FixedLossScaleUpdateCell
from msjax.nn import ForwardValueAndGrad as ForwardValueAndGrad
from msjax.nn import GetNextSingleOp as GetNextSingleOp
from msjax.nn import GradAccumulationCell as GradAccumulationCell
from msjax.nn import Jvp as Jvp
from msjax.nn import MicroBatchInterleaved as MicroBatchInterleaved
from msjax.nn import ParameterUpdate as ParameterUpdate
from msjax.nn import PipelineCell as PipelineCell
from msjax.nn import PipelineGradReducer as PipelineGradReducer
from msjax.nn import TrainOneStepCell as TrainOneStepCell
from msjax.nn import TrainOneStepWithLossScaleCell as TrainOneStepWithLossScaleCell
from msjax.nn import VirtualDatasetCellTriple as VirtualDatasetCellTriple
from msjax.nn import Vjp as Vjp
from msjax.nn import WithEvalCell as WithEvalCell
from msjax.nn import WithGradCell as WithGradCell
from msjax.nn import WithLossCell as WithLossCell
from msjax.nn.wrap import *
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
from msjax.nn.wrap import *
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
from msjax.nn.wrap.loss_scale import _grad_overflow as _grad_overflow
from msjax.nn.wrap.loss_scale import _grad_scale as _grad_scale
from msjax.nn import _public as _public
from msjax.nn.wrap.loss_scale import grad_scale as grad_scale
from msjax.nn.wrap.loss_scale import shard_grad_scale as shard_grad_scale
from msjax.nn import AllreduceGraph as AllreduceGraph
from msjax.nn import DistributedGradReducer as DistributedGradReducer
from msjax.nn import DynamicLossScaleUpdateCell as DynamicLossScaleUpdateCell
from msjax.nn import FixedLossScaleUpdateCell as FixedLossScaleUpdateCell
from msjax.nn import ForwardValueAndGrad as ForwardValueAndGrad
from msjax.nn import GetNextSingleOp as GetNextSingleOp
from msjax.nn import GradAccumulationCell as GradAccumulationCell
from msjax.nn import Jvp as Jvp
from msjax.nn import MicroBatchInterleaved as MicroBatchInterleaved
from msjax.nn import ParameterUpdate as ParameterUpdate
from msjax.nn import PipelineCell as PipelineCell
from msjax.nn import PipelineGradReducer as PipelineGradReducer
from msjax.nn import TrainOneStepCell as TrainOneStepCell
from msjax.nn import TrainOneStepWithLossScaleCell as TrainOneStepWithLossScaleCell
from msjax.nn import VirtualDatasetCellTriple as VirtualDatasetCellTriple
from msjax.nn import Vjp as Vjp
from msjax.nn import WithEvalCell as WithEvalCell
from msjax.nn import WithGradCell as WithGradCell
from msjax.nn import WithLossCell as WithLossCell
from typing import Any
from . import cell_wrapper as cell_wrapper
from . import grad_reducer as grad_reducer
from . import loss_scale as loss_scale
def __getattr__(name: str) -> Any: ...
