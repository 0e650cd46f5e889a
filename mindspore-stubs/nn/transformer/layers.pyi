"""Made by `python -m msjax stubs`: do not edit."""
from msjax.nn.transformer.layers import *
from msjax.nn.transformer.layers import _LayerInputCheck as _LayerInputCheck
from msjax.nn.transformer.layers import _LayerNorm as _LayerNorm
from msjax.nn.transformer.layers import _Linear as _Linear
from msjax.nn.transformer.layers import _activation_check as _activation_check
from msjax.nn.transformer.layers import _args_type_validator_check as _args_type_validator_check
from msjax.nn.transformer.layers import _check_input_dtype as _check_input_dtype
from msjax.nn.transformer.layers import _check_input_shape as _check_input_shape
from msjax.nn.transformer.layers import _check_input_shape_value as _check_input_shape_value
from msjax.nn.transformer.layers import _check_past_none_input_none as _check_past_none_input_none
from msjax.nn.transformer.layers import _check_shape_equal as _check_shape_equal
from msjax.nn.transformer.layers import _checked_strategy as _checked_strategy
from msjax.nn.transformer.layers import _valid_type_checks as _valid_type_checks
from msjax.nn.transformer.layers import _valid_value_checks as _valid_value_checks
from msjax.nn.transformer.layers import check_divides as check_divides
from msjax.nn.transformer.layers import check_mask as check_mask
from msjax.nn.transformer.layers import check_past as check_past
from msjax.nn.transformer.layers import check_rate as check_rate
from msjax.nn.transformer.layers import check_rows as check_rows
from msjax.nn.transformer.layers import check_valid_length as check_valid_length
from msjax.nn.transformer.layers import checked_arguments as checked_arguments
