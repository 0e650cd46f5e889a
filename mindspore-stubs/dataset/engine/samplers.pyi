"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.dataset import *
from msjax.dataset.engine.samplers import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as no_gradient
_no_grad = no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.alias.names import MissingNames as MissingNames
_MissingNames = MissingNames
from msjax.dataset.engine.stream import ZipDataset as ZipDataset
_ZipDataset = ZipDataset
from msjax.dataset.check import check_type as check_type
_check_type = check_type
from msjax.dataset.engine.recovery import _get_training_dataset as _get_training_dataset
from msjax.dataset.engine.recovery import _reset_training_dataset as _reset_training_dataset
from msjax.dataset.engine.recovery import _set_training_dataset as _set_training_dataset
