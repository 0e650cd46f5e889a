"""Made by `python -m msjax stubs`: do not edit."""
from msjax.parallel.execution_order import _RANK as _RANK
from msjax.parallel.execution_order import _RECEIVES as _RECEIVES
from msjax.parallel.execution_order import _SENDS as _SENDS
from msjax import comm_exec_order_check as comm_exec_order_check
from msjax import runtime_execution_order_check as runtime_execution_order_check
from msjax.parallel.execution_order import *
from msjax.parallel.execution_order import _RANK as _RANK
from msjax.parallel.execution_order import _RECEIVES as _RECEIVES
from msjax.parallel.execution_order import _SENDS as _SENDS
from msjax import comm_exec_order_check as comm_exec_order_check
from msjax import runtime_execution_order_check as runtime_execution_order_check
