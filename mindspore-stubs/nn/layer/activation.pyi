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
from msjax.nn.wrap.loss_scale import _grad_overflow as _grad_overflow
from msjax.nn.wrap.loss_scale import _grad_scale as _grad_scale
from msjax.nn import _public as _public
from msjax.nn.wrap.loss_scale import grad_scale as grad_scale
from msjax.nn.wrap.loss_scale import shard_grad_scale as shard_grad_scale
from msjax.nn.layer.activation import CELU as CELU
from msjax.nn.layer.activation import ELU as ELU
from msjax.nn.layer.activation import FastGelu as FastGelu
from msjax.nn.layer.activation import GELU as GELU
from msjax.nn.layer.activation import GLU as GLU
from msjax.nn.layer.activation import HShrink as HShrink
from msjax.nn.layer.activation import HSigmoid as HSigmoid
from msjax.nn.layer.activation import HSwish as HSwish
from msjax.nn.layer.activation import Hardtanh as Hardtanh
from msjax.nn.layer.activation import LRN as LRN
from msjax.nn.layer.activation import LeakyReLU as LeakyReLU
from msjax.nn.layer.activation import LogSigmoid as LogSigmoid
from msjax.nn.layer.activation import LogSoftmax as LogSoftmax
from msjax.nn.layer.activation import LogSoftmaxExt as LogSoftmaxExt
from msjax.nn.layer.activation import Mish as Mish
from msjax.nn.layer.activation import PReLU as PReLU
from msjax.nn.layer.activation import PReLUExt as PReLUExt
from msjax.nn.layer.activation import RReLU as RReLU
from msjax.nn.layer.activation import ReLU as ReLU
from msjax.nn.layer.activation import ReLU6 as ReLU6
from msjax.nn.layer.activation import SeLU as SeLU
from msjax.nn.layer.activation import SiLU as SiLU
from msjax.nn.layer.activation import Sigmoid as Sigmoid
from msjax.nn.layer.activation import SoftShrink as SoftShrink
from msjax.nn.layer.activation import Softmax as Softmax
from msjax.nn.layer.activation import Softmax2d as Softmax2d
from msjax.nn.layer.activation import Softmin as Softmin
from msjax.nn.layer.activation import Softsign as Softsign
from msjax.nn.layer.activation import Tanh as Tanh
from msjax.nn.layer.activation import Tanhshrink as Tanhshrink
from msjax.nn.layer.activation import Threshold as Threshold
from msjax.nn.layer.activation import _activation as _activation
from msjax.nn.layer.activation import activation_of as activation_of
from msjax.nn.layer.activation import get_activation as get_activation
from msjax.nn.layer.activation import *
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
from msjax.nn.layer.activation import *
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
from msjax.nn.layer.activation import CELU as CELU
from msjax.nn.layer.activation import ELU as ELU
from msjax.nn.layer.activation import FastGelu as FastGelu
from msjax.nn.layer.activation import GELU as GELU
from msjax.nn.layer.activation import GLU as GLU
from msjax.nn.layer.activation import HShrink as HShrink
from msjax.nn.layer.activation import HSigmoid as HSigmoid
from msjax.nn.layer.activation import HSwish as HSwish
from msjax.nn.layer.activation import Hardtanh as Hardtanh
from msjax.nn.layer.activation import LRN as LRN
from msjax.nn.layer.activation import LeakyReLU as LeakyReLU
from msjax.nn.layer.activation import LogSigmoid as LogSigmoid
from msjax.nn.layer.activation import LogSoftmax as LogSoftmax
from msjax.nn.layer.activation import LogSoftmaxExt as LogSoftmaxExt
from msjax.nn.layer.activation import Mish as Mish
from msjax.nn.layer.activation import PReLU as PReLU
from msjax.nn.layer.activation import PReLUExt as PReLUExt
from msjax.nn.layer.activation import RReLU as RReLU
from msjax.nn.layer.activation import ReLU as ReLU
from msjax.nn.layer.activation import ReLU6 as ReLU6
from msjax.nn.layer.activation import SeLU as SeLU
from msjax.nn.layer.activation import SiLU as SiLU
from msjax.nn.layer.activation import Sigmoid as Sigmoid
from msjax.nn.layer.activation import SoftShrink as SoftShrink
from msjax.nn.layer.activation import Softmax as Softmax
from msjax.nn.layer.activation import Softmax2d as Softmax2d
from msjax.nn.layer.activation import Softmin as Softmin
from msjax.nn.layer.activation import Softsign as Softsign
from msjax.nn.layer.activation import Tanh as Tanh
from msjax.nn.layer.activation import Tanhshrink as Tanhshrink
from msjax.nn.layer.activation import Threshold as Threshold
from msjax.nn.layer.activation import _activation as _activation
from msjax.nn.layer.activation import activation_of as activation_of
from msjax.nn.layer.activation import get_activation as get_activation
from typing import Any
def __getattr__(name: str) -> Any: ...
