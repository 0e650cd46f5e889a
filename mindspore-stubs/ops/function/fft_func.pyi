"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops.short_names import *
from msjax.ops.inner_primitives import *
from msjax.ops.generated import *
from msjax.ops import *
from msjax.ops.function.fft_func import *
