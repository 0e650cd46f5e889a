"""Made by `python -m msjax stubs`: do not edit."""
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.dataset import ZipDataset as _ZipDataset_
_ZipDataset = _ZipDataset_
from msjax.dataset.check import check_type as _check_type_
_check_type = _check_type_
from msjax.dataset.engine.recovery import _get_training_dataset as _get_training_dataset
from msjax.dataset.engine.recovery import _reset_training_dataset as _reset_training_dataset
from msjax.dataset.engine.recovery import _set_training_dataset as _set_training_dataset
from msjax.dataset import *
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.dataset import ZipDataset as _ZipDataset_
_ZipDataset = _ZipDataset_
from msjax.dataset.check import check_type as _check_type_
_check_type = _check_type_
from msjax.dataset.engine.recovery import _get_training_dataset as _get_training_dataset
from msjax.dataset.engine.recovery import _reset_training_dataset as _reset_training_dataset
from msjax.dataset.engine.recovery import _set_training_dataset as _set_training_dataset
