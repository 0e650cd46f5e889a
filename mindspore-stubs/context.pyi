"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.settings.context import *
from msjax.core.settings.context import _among as _among
from msjax.core.settings.context import _check as _check
from msjax.core.settings.context import _choose_device as _choose_device
from msjax.core.settings.context import _from as _from
from msjax.core.settings.context import _get_mode as _get_mode
from msjax.core.settings.context import _resolved_device as _resolved_device
from msjax.core.settings.context import _settings_to_change as _settings_to_change
from msjax.core.settings.context import _tf32 as _tf32
from msjax.core.settings.context import _unknown as _unknown
from msjax.core.settings.context import _use_compile_cache as _use_compile_cache
