"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.core.values.dtype import BFloat as BFloat
from msjax import Bool as Bool
from msjax.core.values.dtype import Complex as Complex
from msjax.core.values.dtype import Dict as Dict
from msjax import Float as Float
from msjax.core.values.dtype import FunctionType as FunctionType
from msjax import Int as Int
from msjax.core.values.dtype import List as List
from msjax.core.values.dtype import Number as Number
from msjax.core.values.dtype import String as String
from msjax import TensorType as TensorType
from msjax.core.values.dtype import Tuple as Tuple
from msjax.core.values.dtype import Type as Type
from msjax.core.values.dtype import UInt as UInt
from msjax.core.values.dtype import _ALL as _ALL
from msjax.core.values.dtype import _FROM_NAME as _FROM_NAME
from msjax.core.values.dtype import _FROM_NUMPY as _FROM_NUMPY
from msjax.core.values.dtype import _FROM_PYTHON as _FROM_PYTHON
from msjax.core.values.dtype import _NAMED as _NAMED
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.values.dtype import _TO_PYTHON as _TO_PYTHON
from msjax.core.values.dtype import _issubclass_ as _issubclass_
from msjax.core.values.dtype import _null as _null
from msjax.core.values.dtype import bool as bool
from msjax.core.values.dtype import coo_tensor as coo_tensor
from msjax.core.values.dtype import csr_tensor as csr_tensor
from msjax import dtype_to_nptype as dtype_to_nptype
from msjax import dtype_to_pytype as dtype_to_pytype
from msjax.core.values.dtype import env_type as env_type
from msjax.core.values.dtype import float as float
from msjax.core.values.dtype import from_numpy as from_numpy
from msjax.core.values.dtype import function as function
from msjax import get_py_obj_dtype as get_py_obj_dtype
from msjax.core.values.dtype import int as int
from msjax.core.values.dtype import of as of
from msjax import pytype_to_dtype as pytype_to_dtype
from msjax.core.values.dtype import str_to_type as str_to_type
from msjax.core.values.dtype import symbolic_key as symbolic_key
from msjax import to_numpy as to_numpy
from msjax.core.values.dtype import type_refkey as type_refkey
from msjax.core.values.dtype import type_size_in_bytes as type_size_in_bytes
from msjax.core.values.dtype import type_type as type_type
from msjax.core.values.dtype import undetermined as undetermined
from msjax.nn import FakeQuantWithMinMaxObserver as FakeQuantWithMinMaxObserver
from msjax.nn.layer.quant_observer import QuantConfig as QuantConfig
from msjax.nn.layer.quant_observer import UniformQuantObserver as UniformQuantObserver
from msjax.nn.layer.quant_observer import _Observer as _Observer
from msjax.nn.layer.quant_observer import _Partial as _Partial
from msjax.nn import ActQuant as ActQuant
from msjax.nn import Conv2dBnFoldQuant as Conv2dBnFoldQuant
from msjax.nn import Conv2dBnFoldQuantOneConv as Conv2dBnFoldQuantOneConv
from msjax.nn import Conv2dBnWithoutFoldQuant as Conv2dBnWithoutFoldQuant
from msjax.nn import Conv2dQuant as Conv2dQuant
from msjax.nn import DenseQuant as DenseQuant
from msjax.nn import MulQuant as MulQuant
from msjax.nn import TensorAddQuant as TensorAddQuant
from msjax.nn.layer.quant import _Folded as _Folded
from msjax.nn.layer.quant import _QuantActivation as _QuantActivation
from msjax.nn.layer.quant import _QuantBinary as _QuantBinary
from msjax.nn.layer.quant import _QuantConvolution as _QuantConvolution
from msjax.nn.layer.quant import _channels as _channels
from msjax.nn.quantization.training import _AddFakeQuantAfterSubCell as _AddFakeQuantAfterSubCell
from msjax.nn.quantization.training import _AddFakeQuantInput as _AddFakeQuantInput
from msjax.compression.quant.quantizer import *
from msjax.nn.quantization import *
from msjax.nn.layer.quant import *
from msjax.nn.layer.quant_observer import *
from msjax.core.values.dtype import *
from msjax import *
from msjax import *
from msjax.core.values.dtype import *
from msjax.nn.layer.quant_observer import *
from msjax.nn.layer.quant import *
from msjax.nn.quantization import *
from msjax.compression.quant.quantizer import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.core.values.dtype import BFloat as BFloat
from msjax import Bool as Bool
from msjax.core.values.dtype import Complex as Complex
from msjax.core.values.dtype import Dict as Dict
from msjax import Float as Float
from msjax.core.values.dtype import FunctionType as FunctionType
from msjax import Int as Int
from msjax.core.values.dtype import List as List
from msjax.core.values.dtype import Number as Number
from msjax.core.values.dtype import String as String
from msjax import TensorType as TensorType
from msjax.core.values.dtype import Tuple as Tuple
from msjax.core.values.dtype import Type as Type
from msjax.core.values.dtype import UInt as UInt
from msjax.core.values.dtype import _ALL as _ALL
from msjax.core.values.dtype import _FROM_NAME as _FROM_NAME
from msjax.core.values.dtype import _FROM_NUMPY as _FROM_NUMPY
from msjax.core.values.dtype import _FROM_PYTHON as _FROM_PYTHON
from msjax.core.values.dtype import _NAMED as _NAMED
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.values.dtype import _TO_PYTHON as _TO_PYTHON
from msjax.core.values.dtype import _issubclass_ as _issubclass_
from msjax.core.values.dtype import _null as _null
from msjax.core.values.dtype import bool as bool
from msjax.core.values.dtype import coo_tensor as coo_tensor
from msjax.core.values.dtype import csr_tensor as csr_tensor
from msjax import dtype_to_nptype as dtype_to_nptype
from msjax import dtype_to_pytype as dtype_to_pytype
from msjax.core.values.dtype import env_type as env_type
from msjax.core.values.dtype import float as float
from msjax.core.values.dtype import from_numpy as from_numpy
from msjax.core.values.dtype import function as function
from msjax import get_py_obj_dtype as get_py_obj_dtype
from msjax.core.values.dtype import int as int
from msjax.core.values.dtype import of as of
from msjax import pytype_to_dtype as pytype_to_dtype
from msjax.core.values.dtype import str_to_type as str_to_type
from msjax.core.values.dtype import symbolic_key as symbolic_key
from msjax import to_numpy as to_numpy
from msjax.core.values.dtype import type_refkey as type_refkey
from msjax.core.values.dtype import type_size_in_bytes as type_size_in_bytes
from msjax.core.values.dtype import type_type as type_type
from msjax.core.values.dtype import undetermined as undetermined
from msjax.nn import FakeQuantWithMinMaxObserver as FakeQuantWithMinMaxObserver
from msjax.nn.layer.quant_observer import QuantConfig as QuantConfig
from msjax.nn.layer.quant_observer import UniformQuantObserver as UniformQuantObserver
from msjax.nn.layer.quant_observer import _Observer as _Observer
from msjax.nn.layer.quant_observer import _Partial as _Partial
from msjax.nn import ActQuant as ActQuant
from msjax.nn import Conv2dBnFoldQuant as Conv2dBnFoldQuant
from msjax.nn import Conv2dBnFoldQuantOneConv as Conv2dBnFoldQuantOneConv
from msjax.nn import Conv2dBnWithoutFoldQuant as Conv2dBnWithoutFoldQuant
from msjax.nn import Conv2dQuant as Conv2dQuant
from msjax.nn import DenseQuant as DenseQuant
from msjax.nn import MulQuant as MulQuant
from msjax.nn import TensorAddQuant as TensorAddQuant
from msjax.nn.layer.quant import _Folded as _Folded
from msjax.nn.layer.quant import _QuantActivation as _QuantActivation
from msjax.nn.layer.quant import _QuantBinary as _QuantBinary
from msjax.nn.layer.quant import _QuantConvolution as _QuantConvolution
from msjax.nn.layer.quant import _channels as _channels
from msjax.nn.quantization.training import _AddFakeQuantAfterSubCell as _AddFakeQuantAfterSubCell
from msjax.nn.quantization.training import _AddFakeQuantInput as _AddFakeQuantInput
from typing import Any
bool: Any
float: Any
int: Any
def __getattr__(name: str) -> Any: ...
