"""Made by `python -m msjax stubs`: do not edit."""
from msjax.log import *
from msjax.log import _ENVIRONMENT as _ENVIRONMENT
from msjax.log import _FORMAT as _FORMAT
from msjax.log import _Formatter as _Formatter
from msjax.log import _LEVELS as _LEVELS
from msjax.log import _LogActionOnce as _LogActionOnce
from msjax.log import _NUMBERS as _NUMBERS
from msjax.log import _PACKAGE as _PACKAGE
from msjax.log import _Stderr as _Stderr
from msjax.log import _count as _count
from msjax.log import _file_handler as _file_handler
from msjax.log import _get_env_config as _get_env_config
from msjax.log import _get_logger as _get_logger
from msjax.log import _level as _level
from msjax.log import _lock as _lock
from msjax.log import _log as _log
from msjax.log import _setting as _setting
from msjax.log import _verify_config as _verify_config
from msjax.log import critical as critical
from msjax.log import debug as debug
from msjax.log import error as error
from msjax import get_level as get_level
from msjax import get_log_config as get_log_config
from msjax.log import info as info
from msjax.log import warning as warning
