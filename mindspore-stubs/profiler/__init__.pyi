"""Made by `python -m msjax stubs`: do not edit."""
from . import common as common
from . import dynamic_profiler as dynamic_profiler
from . import envprofiler as envprofiler
from . import experimental_config as experimental_config
from . import mstx as mstx
from . import profiler as profiler
from . import profiler_action_controller as profiler_action_controller
from . import profiler_interface as profiler_interface
from . import profiling as profiling
from . import schedule as schedule
from msjax import *
from msjax.train.profiler import *
from msjax.profiler import *
