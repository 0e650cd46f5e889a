"""`ops.composite.multitype_ops`: the functions that MindSpore's parser puts in the place of Python's operators, chosen by types.

Here compiled code runs Python's operators themselves, so these do what the operators do. Adapters of other frameworks read their
entries and register bodies for classes of their own; classes with methods (`__add__`) need none.
"""

import itertools
import operator

from . import parser_names
from .structures import MultitypeFuncGraph

_KINDS = ("Tensor", "Number", "String", "Tuple", "List", "Dictionary", "None")
_INDICES = ("Number", "Slice", "Tensor", "Tuple", "List", "None", "Ellipsis", "String")


def _made(name, fn, *kinds):
    graph = MultitypeFuncGraph(name)
    for types in itertools.product(*kinds):
        graph.register(*types)(fn)
    graph.__doc__ = f"`operator.{name}`, chosen by the types of its arguments."
    return graph


_BINARY = (
    "add sub mul floordiv mod bitwise_and:and_ bitwise_or:or_ bitwise_xor:xor left_shift:lshift right_shift:rshift equal:eq "
    "not_equal:ne less:lt less_equal:le greater:gt greater_equal:ge div:truediv pow_:pow in_:in_ not_in_:not_in_"
)
__all__ = ["getitem", "logical_and", "logical_not", "logical_or", "negative", "setitem", "uadd"]
for _row in _BINARY.split():
    _name, _, _python = _row.partition(":")
    globals()[_name] = _made(_name, getattr(parser_names, _python or _name), _KINDS, _KINDS)
    __all__.append(_name)
negative = _made("negative", operator.neg, ("Tensor", "Number"))
uadd = _made("uadd", operator.pos, ("Tensor", "Number"))
logical_not = _made("logical_not", operator.not_, _KINDS)
logical_not.register("Tensor")(lambda x: x.logical_not())
logical_and = _made("logical_and", lambda x, y: x and y, _KINDS, _KINDS)
logical_or = _made("logical_or", lambda x, y: x or y, _KINDS, _KINDS)
for _graph, _method in ((logical_and, "logical_and"), (logical_or, "logical_or")):
    _graph.register("Tensor", "Tensor")(lambda x, y, _method=_method: getattr(x, _method)(y))
getitem = _made("getitem", operator.getitem, ("Tensor", "Tuple", "List", "String", "Dictionary"), _INDICES)
setitem = _made("setitem", parser_names.tensor_setitem_by_number, ("Tensor", "List", "Dictionary"), _INDICES, _KINDS)
