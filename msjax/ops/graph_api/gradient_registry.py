"""Gradients that a program registers for its own Primitives: `mindspore.ops._grad_experimental.grad_base`.

MindSpore asks these registries where its graphs have a kernel for such a Primitive. Here, as in MindSpore's PYNATIVE_MODE, a Primitive
that a program defines is what its `__call__` does, and its gradient the gradient of that.
"""

from typing import Any

from ...core.operators.primitive import Primitive

__all__ = [
    "BpropRegistry",
    "TaylorFpropRegistry",
    "bprop_getters",
    "bprops",
    "get_bprop_fn",
    "get_taylor_fprop_fn",
    "taylor_fprop_getters",
    "taylor_fprops",
]


class BpropRegistry(dict):
    """Functions by the name of a Primitive, or by its class and name."""

    def register(self, prim: Any):
        """Decorator: keep the function under a name, or under a class of Primitives and its name."""

        def keep(fn):
            if isinstance(prim, str):
                self[prim] = fn
            elif issubclass(prim, Primitive):
                self[id(prim)] = self[prim.__name__] = fn
            return fn

        return keep


class TaylorFpropRegistry(BpropRegistry):
    """The same for Taylor expansions."""


bprop_getters, bprops = BpropRegistry(), BpropRegistry()
taylor_fprop_getters, taylor_fprops = TaylorFpropRegistry(), TaylorFpropRegistry()


def get_bprop_fn(prim: Any, get_closure: bool = False):
    """The gradient that was registered for a name or class, made for it unless `get_closure`; None if there is none."""
    found = bprop_getters.get(prim)
    if found is None:
        return bprops.get(prim)
    return found if get_closure else found(prim)


def get_taylor_fprop_fn(prim: Any):
    """The Taylor expansion that was registered for a name or class; None if there is none."""
    found = taylor_fprop_getters.get(prim)
    return found(prim) if found else taylor_fprops.get(prim)
