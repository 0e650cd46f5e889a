"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.values.initializer import _BY_NAME as _BY_NAME
from msjax.core.values.initializer import _INITIALIZER_ALIAS as _INITIALIZER_ALIAS
from msjax.core.values.initializer import _assignment as _assignment
from msjax.core.values.initializer import _fan as __fan
_calculate_correct_fan = __fan
from msjax.core.values.initializer import _fans as __fans
_calculate_fan_in_and_fan_out = __fans
from msjax.core.values.initializer import _gain as __gain
_calculate_gain = __gain
from msjax.core.values.initializer import _calculate_in_and_out as _calculate_in_and_out
from msjax.core.values.initializer import _init_random_normal as _init_random_normal
from msjax.core.values.initializer import _init_random_uniform as _init_random_uniform
from msjax.core.values.initializer import _init_truncated_normal as _init_truncated_normal
from msjax.core.values.initializer import _register as _register
from msjax.core.values.initializer import _truncated_normal as _truncated_normal
from msjax.core.values.initializer import _normal as __normal
fill_normal = __normal
from msjax.core.values.initializer import _truncated_normal as __truncated_normal
fill_truncated_normal = __truncated_normal
from msjax.core.values.initializer import _uniform as __uniform
fill_uniform = __uniform
from msjax.core.values.initializer import *
from msjax.core.values.initializer import _BY_NAME as _BY_NAME
from msjax.core.values.initializer import _INITIALIZER_ALIAS as _INITIALIZER_ALIAS
from msjax.core.values.initializer import _assignment as _assignment
from msjax.core.values.initializer import _fan as __fan
_calculate_correct_fan = __fan
from msjax.core.values.initializer import _fans as __fans
_calculate_fan_in_and_fan_out = __fans
from msjax.core.values.initializer import _gain as __gain
_calculate_gain = __gain
from msjax.core.values.initializer import _calculate_in_and_out as _calculate_in_and_out
from msjax.core.values.initializer import _init_random_normal as _init_random_normal
from msjax.core.values.initializer import _init_random_uniform as _init_random_uniform
from msjax.core.values.initializer import _init_truncated_normal as _init_truncated_normal
from msjax.core.values.initializer import _register as _register
from msjax.core.values.initializer import _truncated_normal as _truncated_normal
from msjax.core.values.initializer import _normal as __normal
fill_normal = __normal
from msjax.core.values.initializer import _truncated_normal as __truncated_normal
fill_truncated_normal = __truncated_normal
from msjax.core.values.initializer import _uniform as __uniform
fill_uniform = __uniform
