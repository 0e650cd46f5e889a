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
from msjax.dataset import DictIterator as DictIterator
from msjax.dataset import DummyIterator as DummyIterator
from msjax.dataset import Iterator as Iterator
from msjax.dataset import TupleIterator as TupleIterator
from msjax.dataset.engine.iterators import _BLOCKS_AHEAD as _BLOCKS_AHEAD
from msjax.dataset.engine.iterators import _BYTES_AHEAD as _BYTES_AHEAD
from msjax.dataset.engine.iterators import _Channel as _Channel
from msjax.dataset.engine.iterators import _Direct as _Direct
from msjax.dataset.engine.iterators import _cleanup as _cleanup
from msjax.dataset.engine.iterators import _epoch_rows as _epoch_rows
from msjax.dataset.engine.iterators import _log as _log
from msjax.dataset.engine.iterators import _nested as _nested
from msjax.dataset.engine.iterators import _numpy_value as _numpy_value
from msjax.dataset.engine.iterators import _run_ahead as _run_ahead
from msjax.dataset.engine.iterators import _run_before as _run_before
from msjax.dataset.engine.iterators import _shut as _shut
from msjax.dataset.engine.iterators import _skip as _skip
from msjax.dataset.engine.iterators import _unset_iterator_cleanup as _unset_iterator_cleanup
from msjax.dataset.engine.iterators import tensor_maker as tensor_maker
from msjax.dataset.engine.iterators import *
from msjax.dataset import *
from msjax import *
from msjax import *
from msjax.dataset import *
from msjax.dataset.engine.iterators import *
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
from msjax.dataset import DictIterator as DictIterator
from msjax.dataset import DummyIterator as DummyIterator
from msjax.dataset import Iterator as Iterator
from msjax.dataset import TupleIterator as TupleIterator
from msjax.dataset.engine.iterators import _BLOCKS_AHEAD as _BLOCKS_AHEAD
from msjax.dataset.engine.iterators import _BYTES_AHEAD as _BYTES_AHEAD
from msjax.dataset.engine.iterators import _Channel as _Channel
from msjax.dataset.engine.iterators import _Direct as _Direct
from msjax.dataset.engine.iterators import _cleanup as _cleanup
from msjax.dataset.engine.iterators import _epoch_rows as _epoch_rows
from msjax.dataset.engine.iterators import _log as _log
from msjax.dataset.engine.iterators import _nested as _nested
from msjax.dataset.engine.iterators import _numpy_value as _numpy_value
from msjax.dataset.engine.iterators import _run_ahead as _run_ahead
from msjax.dataset.engine.iterators import _run_before as _run_before
from msjax.dataset.engine.iterators import _shut as _shut
from msjax.dataset.engine.iterators import _skip as _skip
from msjax.dataset.engine.iterators import _unset_iterator_cleanup as _unset_iterator_cleanup
from msjax.dataset.engine.iterators import tensor_maker as tensor_maker
from typing import Any
def __getattr__(name: str) -> Any: ...
