"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.rewrite.pattern import PatternEngine as PatternEngine
from msjax.rewrite.pattern import PatternNode as PatternNode
from msjax.rewrite.pattern import Replacement as Replacement
from msjax import SymbolTree as SymbolTree
from msjax import ValueType as ValueType
from msjax.rewrite.pattern import VarNode as VarNode
from msjax import Node as Node
from msjax.rewrite.node import _FUNCTIONS as _FUNCTIONS
from msjax.rewrite.node import _attributes_of as _attributes_of
from msjax.rewrite.node import _checked as _checked
from msjax.rewrite.node import call_text as call_text
from msjax.rewrite.node import kind_of_cell as kind_of_cell
from msjax.rewrite.node import *
from msjax.rewrite import *
from msjax import *
from msjax import *
from msjax.rewrite import *
from msjax.rewrite.node import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.rewrite.pattern import PatternEngine as PatternEngine
from msjax.rewrite.pattern import PatternNode as PatternNode
from msjax.rewrite.pattern import Replacement as Replacement
from msjax import SymbolTree as SymbolTree
from msjax import ValueType as ValueType
from msjax.rewrite.pattern import VarNode as VarNode
from msjax import Node as Node
from msjax.rewrite.node import _FUNCTIONS as _FUNCTIONS
from msjax.rewrite.node import _attributes_of as _attributes_of
from msjax.rewrite.node import _checked as _checked
from msjax.rewrite.node import call_text as call_text
from msjax.rewrite.node import kind_of_cell as kind_of_cell
from typing import Any
def __getattr__(name: str) -> Any: ...
