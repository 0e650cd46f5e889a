"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.unsupported.services import *
from msjax.safeguard.rewrite_obfuscation import *
