"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from typing import Any
from . import _c_dataengine as _c_dataengine
from . import _c_expression as _c_expression
from . import _c_mindrecord as _c_mindrecord
from . import _check_jit_forbidden_api as _check_jit_forbidden_api
from . import _checkparam as _checkparam
from . import _extends as _extends
from . import amp as amp
from . import boost as boost
from . import common as common
from . import communication as communication
from . import compression as compression
from . import context as context
from . import dataset as dataset
from . import default_config as default_config
from . import device_context as device_context
from . import device_manager as device_manager
from . import dtype as dtype
from . import experimental as experimental
from . import graph as graph
from . import hal as hal
from . import hypercomplex as hypercomplex
from . import log as log
from . import mindrecord as mindrecord
from . import mint as mint
from . import multiprocessing as multiprocessing
from . import nn as nn
from . import numpy as numpy
from . import onnx as onnx
from . import ops as ops
from . import parallel as parallel
from . import profiler as profiler
from . import rewrite as rewrite
from . import runtime as runtime
from . import safeguard as safeguard
from . import scipy as scipy
from . import tools as tools
from . import train as train
from . import utils as utils
from . import version as version
bool: Any
float: Any
int: Any
from msjax import __version__ as __version__
