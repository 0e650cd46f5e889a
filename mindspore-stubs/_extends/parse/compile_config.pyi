"""Made by `python -m msjax stubs`: do not edit."""
from msjax.unsupported.compile_config import *
