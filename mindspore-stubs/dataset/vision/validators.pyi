"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.transforms.transforms import _COMPARE as _COMPARE
from msjax.dataset.transforms.transforms import _only_one as _only_one
from msjax.dataset.transforms.transforms import _text as _text
from msjax.dataset.transforms.transforms import column_type as column_type
from msjax.dataset.transforms.user_operations import PyTensorOperation as PyTensorOperation
from msjax.dataset.transforms.user_operations import TensorOperation as TensorOperation
from msjax.dataset.vision.video import DecodeParams as DecodeParams
from msjax.dataset.vision.video import VideoFrameDvpp as VideoFrameDvpp
from msjax.dataset.vision.operation import parse_padding as parse_padding
from msjax.dataset.vision.validators import *
from msjax.dataset.vision import *
from msjax.dataset.transforms import *
from msjax.dataset.transforms.transforms import *
from msjax import *
from msjax import *
from msjax.dataset.transforms.transforms import *
from msjax.dataset.transforms import *
from msjax.dataset.vision import *
from msjax.dataset.vision.validators import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.transforms.transforms import _COMPARE as _COMPARE
from msjax.dataset.transforms.transforms import _only_one as _only_one
from msjax.dataset.transforms.transforms import _text as _text
from msjax.dataset.transforms.transforms import column_type as column_type
from msjax.dataset.transforms.user_operations import PyTensorOperation as PyTensorOperation
from msjax.dataset.transforms.user_operations import TensorOperation as TensorOperation
from msjax.dataset.vision.video import DecodeParams as DecodeParams
from msjax.dataset.vision.video import VideoFrameDvpp as VideoFrameDvpp
from msjax.dataset.vision.operation import parse_padding as parse_padding
from typing import Any
def __getattr__(name: str) -> Any: ...
