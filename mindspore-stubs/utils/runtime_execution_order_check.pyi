"""Made by `python -m msjax stubs`: do not edit."""
from msjax.parallel.execution_order import *
from msjax import comm_exec_order_check as comm_exec_order_check
from msjax import runtime_execution_order_check as runtime_execution_order_check
