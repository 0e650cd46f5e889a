"""Made by `python -m msjax stubs`: do not edit."""
from . import _comm_helper as _comm_helper
from . import _hccl_management as _hccl_management
from . import comm_func as comm_func
from . import management as management
from msjax import *
from msjax.unsupported.accepted import *
from msjax.parallel.inner import *
from msjax.parallel import *
from msjax.parallel.communication import *
from msjax.communication import *
