"""Made by `python -m msjax stubs`: do not edit."""
from . import symbol_tree_builder as symbol_tree_builder
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.rewrite.pattern import PatternEngine as PatternEngine
from msjax.rewrite.pattern import PatternNode as PatternNode
from msjax.rewrite.pattern import Replacement as Replacement
from msjax import ScopedValue as ScopedValue
from msjax import ValueType as ValueType
from msjax.rewrite.pattern import VarNode as VarNode
from msjax import SymbolTree as SymbolTree
from msjax.rewrite.symbol_tree import _NotStatic as _NotStatic
from msjax.rewrite.symbol_tree import _PACKAGE as _PACKAGE
from msjax.nn.container import _name_place as _name_place
from msjax.rewrite.symbol_tree import _of_user as _of_user
from msjax.rewrite.symbol_tree import *
from msjax.rewrite import *
from msjax import *
from msjax import *
from msjax.rewrite import *
from msjax.rewrite.symbol_tree import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.rewrite.pattern import PatternEngine as PatternEngine
from msjax.rewrite.pattern import PatternNode as PatternNode
from msjax.rewrite.pattern import Replacement as Replacement
from msjax import ScopedValue as ScopedValue
from msjax import ValueType as ValueType
from msjax.rewrite.pattern import VarNode as VarNode
from msjax import SymbolTree as SymbolTree
from msjax.rewrite.symbol_tree import _NotStatic as _NotStatic
from msjax.rewrite.symbol_tree import _PACKAGE as _PACKAGE
from msjax.nn.container import _name_place as _name_place
from msjax.rewrite.symbol_tree import _of_user as _of_user
from typing import Any
from . import symbol_tree_builder as symbol_tree_builder
def __getattr__(name: str) -> Any: ...
