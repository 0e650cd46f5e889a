"""`no_gradient`: a block in which the results of operators are constants for gradients."""

import contextlib

import jax

from ..operators.dispatch import MsDispatchMode
from ..settings.execution_state import here, within
from ..values.tensor import wrap
from ..values.tensor_trees import map_tensors


class _Detached(MsDispatchMode):
    """Inside a trace: results of operators are constants for gradients."""

    def __ms_dispatch__(self, func, args, kwargs=None):
        given = {id(a) for a in args}
        return map_tensors(lambda box: box if id(box) in given else wrap(jax.lax.stop_gradient(box._data)), func(*args))


class no_gradient(contextlib.ContextDecorator):
    """`with no_gradient():` results of operators inside are constants for gradients, eagerly and compiled. Also a
    decorator.
    """

    def __init__(self):
        self.ends = []  # one for each time it is entered: a decorated function may call itself

    def __enter__(self):
        active = here().recorder
        if active is not None and active.is_frame:
            inside = _Detached()
        else:
            inside = within(recorder=None)
        inside.__enter__()
        self.ends.append(inside.__exit__)

    def __exit__(self, *error):
        self.ends.pop()(*error)
        return False
