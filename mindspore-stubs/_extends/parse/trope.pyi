"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops.graph_api.parser_names import *
from msjax._extends.parse.trope import *
