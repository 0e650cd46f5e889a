"""Made by `python -m msjax stubs`: do not edit."""
from msjax.dataset.config import *
from msjax.dataset.config import _follow as _follow
from msjax.dataset.config import _init_device_info as _init_device_info
