"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.train.onnx import *
from msjax.onnx.onnx_export import *
