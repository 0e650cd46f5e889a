"""Made by `python -m msjax stubs`: do not edit."""
from . import cell as cell
from . import dynamic_lr as dynamic_lr
from . import flash_attention as flash_attention
from . import functional as functional
from . import generator as generator
from . import grad as grad
from . import init as init
from . import layer as layer
from . import learning_rate_schedule as learning_rate_schedule
from . import loss as loss
from . import lr_scheduler as lr_scheduler
from . import metrics as metrics
from . import optim as optim
from . import optim_ex as optim_ex
from . import probability as probability
from . import quant as quant
from . import reinforcement as reinforcement
from . import rl as rl
from . import sparse as sparse
from . import transformer as transformer
from . import utils as utils
from . import wrap as wrap
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
from msjax.nn import *
from msjax.train.metrics import *
from msjax.nn.transformer import *
from msjax.nn.transformer import *
from msjax.train.metrics import *
from msjax.nn import *
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
from . import cell as cell
from . import dynamic_lr as dynamic_lr
from . import flash_attention as flash_attention
from . import functional as functional
from . import generator as generator
from . import grad as grad
from . import init as init
from . import layer as layer
from . import learning_rate_schedule as learning_rate_schedule
from . import loss as loss
from . import lr_scheduler as lr_scheduler
from . import metrics as metrics
from . import optim as optim
from . import optim_ex as optim_ex
from . import probability as probability
from . import quant as quant
from . import reinforcement as reinforcement
from . import rl as rl
from . import sparse as sparse
from . import transformer as transformer
from . import utils as utils
from . import wrap as wrap
