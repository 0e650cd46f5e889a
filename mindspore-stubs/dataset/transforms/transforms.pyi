"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.transforms import Compose as Compose
from msjax.dataset.transforms import Concatenate as Concatenate
from msjax.dataset.transforms import Duplicate as Duplicate
from msjax.dataset.transforms import Fill as Fill
from msjax.dataset.transforms import Mask as Mask
from msjax.dataset.transforms import OneHot as OneHot
from msjax.dataset.transforms import PadEnd as PadEnd
from msjax.dataset.transforms import Plugin as Plugin
from msjax.dataset.transforms import RandomApply as RandomApply
from msjax.dataset.transforms import RandomChoice as RandomChoice
from msjax.dataset.transforms import RandomOrder as RandomOrder
from msjax.dataset.transforms import Relational as Relational
from msjax.dataset.transforms import Slice as Slice
from msjax.dataset.transforms import TypeCast as TypeCast
from msjax.dataset.transforms import Unique as Unique
from msjax.dataset.transforms.transforms import _COMPARE as _COMPARE
from msjax.dataset.transforms.transforms import _only_one as _only_one
from msjax.dataset.transforms.transforms import _text as _text
from msjax.dataset.transforms.transforms import column_type as column_type
from msjax.dataset.transforms import not_random as not_random
from msjax.dataset.transforms.transforms import *
from msjax.dataset.transforms import *
from msjax import *
from msjax import *
from msjax.dataset.transforms import *
from msjax.dataset.transforms.transforms import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.transforms import Compose as Compose
from msjax.dataset.transforms import Concatenate as Concatenate
from msjax.dataset.transforms import Duplicate as Duplicate
from msjax.dataset.transforms import Fill as Fill
from msjax.dataset.transforms import Mask as Mask
from msjax.dataset.transforms import OneHot as OneHot
from msjax.dataset.transforms import PadEnd as PadEnd
from msjax.dataset.transforms import Plugin as Plugin
from msjax.dataset.transforms import RandomApply as RandomApply
from msjax.dataset.transforms import RandomChoice as RandomChoice
from msjax.dataset.transforms import RandomOrder as RandomOrder
from msjax.dataset.transforms import Relational as Relational
from msjax.dataset.transforms import Slice as Slice
from msjax.dataset.transforms import TypeCast as TypeCast
from msjax.dataset.transforms import Unique as Unique
from msjax.dataset.transforms.transforms import _COMPARE as _COMPARE
from msjax.dataset.transforms.transforms import _only_one as _only_one
from msjax.dataset.transforms.transforms import _text as _text
from msjax.dataset.transforms.transforms import column_type as column_type
from msjax.dataset.transforms import not_random as not_random
from typing import Any
def __getattr__(name: str) -> Any: ...
