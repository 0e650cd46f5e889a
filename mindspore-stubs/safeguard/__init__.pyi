"""Made by `python -m msjax stubs`: do not edit."""
from . import rewrite_obfuscation as rewrite_obfuscation
from msjax import *
from msjax.unsupported.services import *
from msjax.safeguard import *
