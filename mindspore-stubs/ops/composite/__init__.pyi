"""Made by `python -m msjax stubs`: do not edit."""
from . import array_ops as array_ops
from . import base as base
from . import clip_ops as clip_ops
from . import env_ops as env_ops
from . import math_ops as math_ops
from . import multitype_ops as multitype_ops
from . import random_ops as random_ops
from . import vmap_ops as vmap_ops
from msjax.ops import *
