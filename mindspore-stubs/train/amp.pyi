"""Made by `python -m msjax stubs`: do not edit."""
from msjax.train.amp import *
from msjax.train.amp import BuildOptions as BuildOptions
from msjax.train import DynamicLossScaleManager as DynamicLossScaleManager
from msjax.train import FixedLossScaleManager as FixedLossScaleManager
from msjax.train import LossScaleManager as LossScaleManager
from msjax.train.amp import _ListedTo32 as _ListedTo32
from msjax.train.amp import _OutputTo as _OutputTo
from msjax.train.amp import _OutputTo16 as _OutputTo16
from msjax.train.amp import _OutputTo32 as _OutputTo32
from msjax.nn.wrap.micro_batch import _TrainGradAccuStepCell as _TrainGradAccuStepCell
from msjax.train.amp import _add_loss_network as _add_loss_network
from msjax.train.amp import _all_but as _all_but
from msjax.train.amp import _auto_black_list as _auto_black_list
from msjax.train.amp import _auto_mixed_precision_rewrite as _auto_mixed_precision_rewrite
from msjax.train.amp import _config_amp as _config_amp
from msjax.train.amp import _do_keep_batchnorm_fp32 as _do_keep_batchnorm_fp32
from msjax.train.amp import _is_set_by_user as _is_set_by_user
from msjax.train.amp import _keep_float32 as _keep_float32
from msjax.train.amp import _mixed as _mixed
from msjax.train.amp import _only as _only
from msjax.train.amp import _options as _options
from msjax.train.amp import _replace as _replace
from msjax.train.amp import _set_amp_decorator as _set_amp_decorator
from msjax.train.amp import _to as _to
from msjax.train import build_train_network as build_train_network
from msjax.train.amp import step_cell as step_cell
