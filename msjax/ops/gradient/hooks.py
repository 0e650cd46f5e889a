"""Operators that change gradients on their way back, or look at them."""

from collections.abc import Callable
from typing import Any

from ...core.grad.own_gradient import call_with_gradient
from ...core.operators.primitive import Primitive
from ...core.trace import control_flow
from ...core.values.tensor import wrap
from ...core.values.tensor_trees import is_tensor, map_tensors, tensor_leaves


def _identity(tensors, pull):
    """The Tensors as they are, a tuple; in the backward their gradients pass through `pull(gradients)`."""
    return call_with_gradient(
        lambda *t: tuple(wrap(b.jax_array, b._var) for b in t),
        lambda inputs, _, grads: pull(tuple(tensor_leaves(grads))),
        list(tensors),
    )


def _in_place_of(gradients, changed, name):
    """What a hook gave instead of the gradients: as many Tensors, of their shapes and dtypes."""
    if len(gradients) == 1:
        changed = changed if isinstance(changed, tuple) and len(changed) == 1 else (changed,)
    elif not isinstance(changed, tuple):
        raise TypeError(f"The output gradient of {name} should be a tuple, but got {type(changed).__name__}.")
    if len(changed) != len(gradients):
        raise ValueError(
            f"The tuple size of the output gradient of {name} should be {len(gradients)}, but it is {len(changed)}."
        )
    for new, gradient in zip(changed, gradients):
        if not is_tensor(new):
            raise TypeError(f"The output type of function: {name} should be a tensor but got {type(new).__name__}.")
        if (new.shape, new.dtype) != (gradient.shape, gradient.dtype):
            raise ValueError(
                f"The output of function: {name} should be a Tensor of shape {gradient.shape} and {gradient.dtype}, but got "
                f"{new.shape} and {new.dtype}."
            )
    return changed


class InsertGradientOf(Primitive):
    """Identity whose gradient is changed by a function: `InsertGradientOf(f)(x)` passes `f(dx)` on.

    If `x` is a tuple, list or dict, `dx` has its structure. A value without Tensors has no gradient, and `f` is not called.

    Raises:
        TypeError: `f` is not a function.
    """

    def __init__(self, f: Callable):
        super().__init__()
        if not callable(f):
            raise TypeError(f"For 'InsertGradientOf', the type of 'f' must be function, but got {type(f).__name__}.")
        self.f = f

    def __call__(self, x: Any):
        if is_tensor(x):
            return _identity([x], lambda grads: (control_flow.resolve(self.f)(grads[0]),))[0]
        tensors = tensor_leaves(x)
        if not tensors:
            return x

        def filled(values):
            rest = iter(values)
            return map_tensors(lambda _: next(rest), x)

        return filled(
            _identity(tensors, lambda grads: tuple(tensor_leaves(control_flow.resolve(self.f)(filled(grads)))))
        )


class HookBackward(Primitive):
    """Identity that calls `hook_fn((gradient, …))` in the backward; a result other than None replaces the gradient.

    Raises:
        TypeError: `hook_fn` is not a function; an input is not a Tensor; the result for one input is no Tensor, for several no tuple.
        ValueError: the result has another number of Tensors, or another shape or dtype than the gradient.
    """

    def __init__(self, hook_fn: Callable, cell_id: Any = ""):
        super().__init__()
        if not callable(hook_fn):
            raise TypeError(f"For 'HookBackward', the type of 'hook_fn' must be function, but got {type(hook_fn)}.")
        self.hook_fn, self.cell_id = hook_fn, cell_id

    def __call__(self, *args):
        for value in args:
            if not is_tensor(value):
                raise TypeError(
                    f"For 'HookBackward', the element of 'input' must be Tensor, but got {type(value).__name__}."
                )

        def pull(grads):
            changed = control_flow.resolve(self.hook_fn)(grads)
            return (
                grads if changed is None else _in_place_of(grads, changed, getattr(self.hook_fn, "__name__", "hook_fn"))
            )

        out = _identity(args, pull)
        return out if len(out) > 1 else out[0]
