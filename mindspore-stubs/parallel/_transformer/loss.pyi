"""Made by `python -m msjax stubs`: do not edit."""
from msjax.nn.transformer.loss import *
