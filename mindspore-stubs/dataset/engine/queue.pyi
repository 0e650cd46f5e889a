"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.dataset import ZipDataset as _ZipDataset_
_ZipDataset = _ZipDataset_
from msjax.dataset.check import check_type as _check_type_
_check_type = _check_type_
from msjax.dataset.engine.recovery import _get_training_dataset as _get_training_dataset
from msjax.dataset.engine.recovery import _reset_training_dataset as _reset_training_dataset
from msjax.dataset.engine.recovery import _set_training_dataset as _set_training_dataset
from msjax.dataset.engine.queue import *
from msjax.dataset import *
from msjax import *
from msjax import *
from msjax.dataset import *
from msjax.dataset.engine.queue import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.dataset import ZipDataset as _ZipDataset_
_ZipDataset = _ZipDataset_
from msjax.dataset.check import check_type as _check_type_
_check_type = _check_type_
from msjax.dataset.engine.recovery import _get_training_dataset as _get_training_dataset
from msjax.dataset.engine.recovery import _reset_training_dataset as _reset_training_dataset
from msjax.dataset.engine.recovery import _set_training_dataset as _set_training_dataset
from typing import Any
def __getattr__(name: str) -> Any: ...
