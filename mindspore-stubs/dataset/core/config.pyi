"""Made by `python -m msjax stubs`: do not edit."""
from msjax.dataset.config import _FILE_KEYS as _FILE_KEYS
from msjax.dataset.config import _UINT32_MAX as _UINT32_MAX
from msjax.dataset.config import _UNSEEDED as _UNSEEDED
from msjax.dataset.config import _follow as _follow
from msjax.dataset.config import _init_device_info as _init_device_info
from msjax.dataset.config import _log as _log
from msjax.dataset.config import _settings as _settings
from msjax.dataset.config import debug_hooks as debug_hooks
from msjax.dataset.config import fixed_seed as fixed_seed
from msjax.dataset.config import get_dynamic_shape as get_dynamic_shape
from msjax.dataset.config import get_video_backend as get_video_backend
from msjax.dataset.config import set_dynamic_shape as set_dynamic_shape
from msjax.dataset.config import set_video_backend as set_video_backend
from msjax.dataset.config import *
from msjax.dataset.config import _FILE_KEYS as _FILE_KEYS
from msjax.dataset.config import _UINT32_MAX as _UINT32_MAX
from msjax.dataset.config import _UNSEEDED as _UNSEEDED
from msjax.dataset.config import _follow as _follow
from msjax.dataset.config import _init_device_info as _init_device_info
from msjax.dataset.config import _log as _log
from msjax.dataset.config import _settings as _settings
from msjax.dataset.config import debug_hooks as debug_hooks
from msjax.dataset.config import fixed_seed as fixed_seed
from msjax.dataset.config import get_dynamic_shape as get_dynamic_shape
from msjax.dataset.config import get_video_backend as get_video_backend
from msjax.dataset.config import set_dynamic_shape as set_dynamic_shape
from msjax.dataset.config import set_video_backend as set_video_backend
