"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.values.buffer import _Buffer as _Buffer
from msjax.core.values.parameter import _get_unique_parameter_key as _get_unique_parameter_key
from msjax.core.values.parameter import is_generated_name as _is_generated_name
_is_parameter_generated = _is_generated_name
from msjax.core.values.parameter import as_state as as_state
from msjax.core.values.parameter import is_generated_name as is_generated_name
from msjax.core.values.parameter import *
from msjax.core.values.buffer import _Buffer as _Buffer
from msjax.core.values.parameter import _get_unique_parameter_key as _get_unique_parameter_key
from msjax.core.values.parameter import is_generated_name as _is_generated_name
_is_parameter_generated = _is_generated_name
from msjax.core.values.parameter import as_state as as_state
from msjax.core.values.parameter import is_generated_name as is_generated_name
