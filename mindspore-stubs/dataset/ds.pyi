"""Made by `python -m msjax stubs`: do not edit."""
from msjax.dataset import *
from msjax import MissingNames as _MissingNames
_MissingNames = _MissingNames
from msjax.dataset import ZipDataset as _ZipDataset
_ZipDataset = _ZipDataset
from msjax.dataset.check import check_type as _check_type
_check_type = _check_type
from msjax.dataset.engine.recovery import _get_training_dataset as _get_training_dataset
from msjax.dataset.engine.recovery import _reset_training_dataset as _reset_training_dataset
from msjax.dataset.engine.recovery import _set_training_dataset as _set_training_dataset
