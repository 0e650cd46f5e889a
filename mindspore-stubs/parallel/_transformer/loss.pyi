"""Made by `python -m msjax stubs`: do not edit."""
from msjax.nn.transformer.loss import _TokenLoss as _TokenLoss
from msjax.nn.transformer.layers import _check_input_dtype as _check_input_dtype
from msjax.nn.transformer.layers import _check_input_shape as _check_input_shape
from msjax.nn.transformer.loss import *
from msjax.nn.transformer.loss import _TokenLoss as _TokenLoss
from msjax.nn.transformer.layers import _check_input_dtype as _check_input_dtype
from msjax.nn.transformer.layers import _check_input_shape as _check_input_shape
