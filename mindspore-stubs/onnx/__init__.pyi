"""Made by `python -m msjax stubs`: do not edit."""
from . import onnx_export as onnx_export
from msjax import *
from msjax.train.onnx import *
from msjax.onnx import *
