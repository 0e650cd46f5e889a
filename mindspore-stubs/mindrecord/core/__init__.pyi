"""Made by `python -m msjax stubs`: do not edit."""
from . import shardutils as shardutils
from msjax import *
from msjax.mindrecord import *
from msjax.mindrecord.core import *
