"""Made by `python -m msjax stubs`: do not edit."""
from . import dlpack as dlpack
from . import runtime_execution_order_check as runtime_execution_order_check
from . import sdc_detect as sdc_detect
from . import stress_detect as stress_detect
from . import utils as utils
from msjax import *
from msjax.utils import *
