"""Made by `python -m msjax stubs`: do not edit."""
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
from msjax.rewrite.api.scoped_value import *
from msjax.rewrite import *
from msjax import *
from msjax import *
from msjax.rewrite import *
from msjax.rewrite.api.scoped_value import *
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
from typing import Any
def __getattr__(name: str) -> Any: ...
