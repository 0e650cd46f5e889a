"""Hooks on the gradients of Tensors: `Tensor.register_hook`."""

import itertools
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import jax

from ..process import shared
from ..settings.execution_state import here
from ..trace import control_flow
from ..trace.frame import current
from ..values.tensor import Tensor, wrap
from ..values.tensor_trees import is_tensor
from .own_gradient import call_with_gradient


class HookHandle:
    """Handle of a hook: `remove()` takes it away."""

    _numbers = itertools.count()
    traced = False  # it was registered while its function was traced
    _known = weakref.WeakValueDictionary()  # id -> handle, for Tensor.remove_hook

    def __init__(self, hooks: dict | None = None):
        self._hooks = hooks
        self.id = next(HookHandle._numbers)
        HookHandle._known[self.id] = self

    def remove(self):
        """Take the hook away; a second time does nothing."""
        if self.traced and current() is not None:
            raise control_flow.Unstageable("a hook is removed by the function that registers it")
        if self._hooks is not None:
            self._hooks.pop(id(self), None)
            shared.touch()
        self._hooks = None


def register_hook(self: Tensor, hook: Any = None, *, hook_fn: Callable | None = None):
    """Call `hook(gradient)` with the gradient of a Tensor in the backward; a result other than None replaces the
    gradient.

    The hook of a Parameter stays until its handle is removed, and is registered outside of compiled code (ValueError); that of
    another Tensor lives as long as the Tensor. Until MindSpore 2.4 the argument was called `hook_fn`.
    """
    hook_fn = hook if hook_fn is None else hook_fn
    if not callable(hook_fn):
        raise TypeError(f"For 'register_hook', the 'hook' must be a function, but got {type(hook_fn).__name__}.")
    if self._through_frames and not self.requires_grad:
        raise RuntimeError(
            f"The tensor requires grad is false, which can not register tensor hook: the Parameter '{self.name}'."
        )
    active = here().recorder
    if self._through_frames and active is not None and active.is_frame:  # it would stay, once more for each trace
        raise ValueError(
            f"For 'register_hook', a hook on the Parameter '{self.name}' cannot be registered in compiled code: register it "
            "before the network runs."
        )
    hooks = _hooks_on_value(self, active)
    handle = HookHandle(hooks)
    hooks[id(handle)] = (hook_fn, handle)
    if self._through_frames:
        shared.touch()
    elif active is not None and not active.is_frame:
        for tape in active.chain():
            if self._var in tape.tracked:
                tape.hooks[self._var] = hooks
    elif active is not None:
        if len(hooks) > 1:
            raise control_flow.Unstageable("several hooks are registered on one Tensor")
        handle.traced = True
        out = call_with_gradient(
            lambda b: wrap(b._data, b._var), lambda _, out, grad: [through_hooks(hooks, grad)], [self]
        )
        self._assign(out._data, out._var)
        self.__dict__["_hook_point"] = self._data
    return handle


def _hooks_on_value(box, active):
    """The hooks of a Tensor's present value: re-binding a Tensor removes its hooks, except for a leaf outside of
    gradients.
    """
    own = box.__dict__
    if active is None or box._through_frames:
        point = None
    elif active.is_frame:
        point = box._data
    else:
        point = None if any(box._var in tape.leaves for tape in active.chain()) else box._var
    if (
        own.get("_hook_point") not in (None, point)
        if not isinstance(point, jax.Array)
        else own.get("_hook_point") is not point
    ):
        own.pop("_grad_hooks", None)
    own["_hook_point"] = point
    return own.setdefault("_grad_hooks", {})


def through_hooks(hooks: dict, grad: Tensor):
    for hook_fn, _ in list(hooks.values()):
        changed = control_flow.resolve(hook_fn)(grad)
        if changed is not None and not is_tensor(changed):
            raise RuntimeError(f"Tensor hook should be return Tensor, but get type: {type(changed).__name__}.")
        grad = grad if changed is None else changed
    return grad


def hooked(boxes: Sequence, grads: list):
    return [
        through_hooks(b.__dict__["_grad_hooks"], g) if "_grad_hooks" in b.__dict__ else g for b, g in zip(boxes, grads)
    ]


def has_hooks(values: Sequence):
    """Whether one of the values is a Tensor with hooks on its gradient."""
    return any([is_tensor(v) and "_grad_hooks" in v.__dict__ for v in values])


def hooks_of(box: Tensor):
    """The functions that `register_hook` has attached to a Tensor, in order."""
    return [hook_fn for hook_fn, _ in box.__dict__.get("_grad_hooks", {}).values()]


def remove_hook(handle_id: int):
    """Take away the hook whose handle has this `id`; an unknown one does nothing."""
    handle = HookHandle._known.get(handle_id)
    if handle is not None:
        handle.remove()


Tensor.register_hook, Tensor.hooks, Tensor.remove_hook = register_hook, hooks_of, staticmethod(remove_hook)
