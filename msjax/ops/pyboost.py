"""How MindSpore's generated code calls an operator in eager mode: `pyboost_dense(Dense(), [x, weight, bias])`.

Code of that time copies it from `mindspore.ops.auto_generate`; here the Primitive that is given is simply called.
"""

from typing import Any

from ..unsupported.inner import defined


def str_to_enum(op_name: str, arg_name: str, value: Any):
    """The text itself: operators take their options as text here, where MindSpore's C++ core takes numbers."""
    return value


def _caller(name):
    def call(primitive, arguments):
        return primitive(*arguments)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = "The outputs of a Primitive for a list of arguments."
    return call


globals().update((n, _caller(n)) for n in defined("mindspore._c_expression", "function") if n.startswith("pyboost_"))
