"""Made by `python -m msjax stubs`: do not edit."""
from . import c_transforms as c_transforms
from . import py_transforms as py_transforms
from msjax.dataset.vision.video import DecodeParams as DecodeParams
from msjax.dataset.vision.video import VideoFrameDvpp as VideoFrameDvpp
from msjax.dataset.vision.operation import parse_padding as parse_padding
from msjax.dataset.vision import *
from msjax.dataset.vision.video import DecodeParams as DecodeParams
from msjax.dataset.vision.video import VideoFrameDvpp as VideoFrameDvpp
from msjax.dataset.vision.operation import parse_padding as parse_padding
from . import c_transforms as c_transforms
from . import py_transforms as py_transforms
