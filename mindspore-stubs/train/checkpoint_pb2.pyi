"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.train.checkpoint_messages import *
from msjax.train.checkpoint_pb2 import *
