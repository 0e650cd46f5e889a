"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.values.buffer import _Buffer as _Buffer
from msjax.core.values.parameter import _Info as _Info
from msjax.core.values.parameter import _ParameterMeta as _ParameterMeta
from msjax.core.values.parameter import _as_state_jvp as _as_state_jvp
from msjax.core.values.parameter import _checked_name as _checked_name
from msjax.core.values.parameter import _content as _content
from msjax.core.values.parameter import _deferred_content as _deferred_content
from msjax.core.values.parameter import _from_host as _from_host
from msjax.core.values.parameter import _get_unique_parameter_key as _get_unique_parameter_key
from msjax.core.values.parameter import _in_dtype as _in_dtype
from msjax.core.values.parameter import is_generated_name as _is_generated_name
_is_parameter_generated = _is_generated_name
from msjax.core.values.parameter import _of_file as _of_file
from msjax.core.values.parameter import as_state as as_state
from msjax.core.values.parameter import is_generated_name as is_generated_name
from msjax.core.values.parameter import *
from msjax.core.values.buffer import _Buffer as _Buffer
from msjax.core.values.parameter import _Info as _Info
from msjax.core.values.parameter import _ParameterMeta as _ParameterMeta
from msjax.core.values.parameter import _as_state_jvp as _as_state_jvp
from msjax.core.values.parameter import _checked_name as _checked_name
from msjax.core.values.parameter import _content as _content
from msjax.core.values.parameter import _deferred_content as _deferred_content
from msjax.core.values.parameter import _from_host as _from_host
from msjax.core.values.parameter import _get_unique_parameter_key as _get_unique_parameter_key
from msjax.core.values.parameter import _in_dtype as _in_dtype
from msjax.core.values.parameter import is_generated_name as _is_generated_name
_is_parameter_generated = _is_generated_name
from msjax.core.values.parameter import _of_file as _of_file
from msjax.core.values.parameter import as_state as as_state
from msjax.core.values.parameter import is_generated_name as is_generated_name
