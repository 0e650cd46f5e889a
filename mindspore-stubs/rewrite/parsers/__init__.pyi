"""Made by `python -m msjax stubs`: do not edit."""
from . import assign_parser as assign_parser
from . import class_def_parser as class_def_parser
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax import Node as Node
from msjax import NodeType as NodeType
from msjax.rewrite.pattern import PatternEngine as PatternEngine
from msjax.rewrite.pattern import PatternNode as PatternNode
from msjax.rewrite.pattern import Replacement as Replacement
from msjax import ScopedValue as ScopedValue
from msjax import SymbolTree as SymbolTree
from msjax import ValueType as ValueType
from msjax.rewrite.pattern import VarNode as VarNode
from msjax.nn import CellList as CellList
from msjax.nn import SequentialCell as SequentialCell
from msjax.rewrite.settings import _ignore_third_party_paths as _ignore_third_party_paths
from msjax.rewrite.settings import _ms_cells_to_subtree as _ms_cells_to_subtree
from msjax.rewrite.settings import _subtree_black_list as _subtree_black_list
from msjax.rewrite.parsers import *
from msjax.rewrite.settings import *
from msjax.rewrite import *
from msjax import *
from msjax import *
from msjax.rewrite import *
from msjax.rewrite.settings import *
from msjax.rewrite.parsers import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax import Node as Node
from msjax import NodeType as NodeType
from msjax.rewrite.pattern import PatternEngine as PatternEngine
from msjax.rewrite.pattern import PatternNode as PatternNode
from msjax.rewrite.pattern import Replacement as Replacement
from msjax import ScopedValue as ScopedValue
from msjax import SymbolTree as SymbolTree
from msjax import ValueType as ValueType
from msjax.rewrite.pattern import VarNode as VarNode
from msjax.nn import CellList as CellList
from msjax.nn import SequentialCell as SequentialCell
from msjax.rewrite.settings import _ignore_third_party_paths as _ignore_third_party_paths
from msjax.rewrite.settings import _ms_cells_to_subtree as _ms_cells_to_subtree
from msjax.rewrite.settings import _subtree_black_list as _subtree_black_list
from typing import Any
from . import assign_parser as assign_parser
from . import class_def_parser as class_def_parser
def __getattr__(name: str) -> Any: ...
