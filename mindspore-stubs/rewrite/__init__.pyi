"""Made by `python -m msjax stubs`: do not edit."""
from msjax.rewrite import *
from . import api as api
from . import common as common
from . import node as node
from . import parsers as parsers
from . import symbol_tree as symbol_tree
