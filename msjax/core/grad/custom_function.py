"""`mindspore.common._Function`: a function with a forward and a backward that the user writes, as PyTorch's autograd.Function."""

import inspect

import jax.numpy as jnp
import numpy as np

from ..values.tensor import Tensor, wrap
from ..values.tensor_trees import map_tensors, tensor_leaves
from .own_gradient import call_with_gradient

__all__ = ["_Function"]


class _Function:
    """A function whose gradient is `backward`. A subclass writes static methods `forward(ctx, ...)` and `backward(ctx, ...)`.

    `ctx` keeps what `backward` needs: `ctx.save_for_backward(x)`, then `ctx.saved_tensors`; any attribute may be set too. With a
    static method `setup_context(ctx, inputs, output)`, `forward` gets no `ctx`. `apply` runs it, eagerly and in compiled code.

    Raises:
        NotImplementedError: `forward`, or when it is needed `backward`, is not written.
        RuntimeError: `backward` gives a gradient for an argument that is not a Tensor, one of another shape, or too few.

    Example:
        >>> class Double(_Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return x * 2
        ...
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         return grad * 2
        >>> Double.apply(Tensor([1.0]))
    """

    saved_tensors = ()
    dirty_tensors = ()
    non_differentiable = ()
    materialize_grads = True
    needs_input_grad = ()

    @staticmethod
    def forward(ctx, *args, **kwargs):
        """The function itself; a subclass writes it."""
        raise NotImplementedError("forward function should be customized: a static method forward(ctx, ...).")

    @staticmethod
    def backward(ctx, *grad_outputs):
        """The gradients of all arguments (None for an argument without one), from the gradients of the outputs; a
        subclass defines it.
        """
        raise NotImplementedError("backward function should be customized: a static method backward(ctx, ...).")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Save values for the backward; overridden by subclasses whose `forward` takes no `ctx`."""
        raise NotImplementedError("setup_context is not implemented.")

    def save_for_backward(self, *tensors):
        """Keep Tensors for the backward, which finds them, as they are now, in `ctx.saved_tensors`."""
        self.saved_tensors = tuple(_as_it_is(t) if isinstance(t, Tensor) else t for t in tensors)

    def mark_dirty(self, *args):
        """Name the arguments that `forward` changes in place."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args):
        """Name the outputs that have no gradient; the backward gets zeros (or None) for them."""
        self.non_differentiable = args

    def set_materialize_grads(self, value):
        """Whether the backward gets zeros (True) or None for outputs that nobody used; in compiled code it gets zeros."""
        self.materialize_grads = value

    @classmethod
    def apply(cls, *args, **kwargs):
        """Run the function; in a gradient its `backward` is used."""
        with_setup = cls.setup_context is not _Function.setup_context
        if with_setup:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        if kwargs:
            raise TypeError(f"apply() takes no keyword arguments, but got {', '.join(kwargs)}: give them in order.")
        ctx = cls()
        places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        ctx.needs_input_grad = tuple(i in places for i in range(len(args)))
        note = {}

        def forward(*tensors):
            given = list(args)
            for place, tensor in zip(places, tensors):
                given[place] = tensor
            out = cls.forward(*given) if with_setup else cls.forward(ctx, *given)
            if with_setup:
                cls.setup_context(ctx, tuple(given), out)
            leaves = tensor_leaves(out)
            note["zeros"] = ctx.materialize_grads
            note["constant"] = [any(leaf is t for t in ctx.non_differentiable) for leaf in leaves]
            note["dirty"] = [
                (args[place], i)
                for place, tensor in zip(places, tensors)
                for i, leaf in enumerate(leaves)
                if leaf is tensor and any(tensor is t for t in ctx.dirty_tensors)
            ]
            return out

        def pull(inputs, out, grads):
            if any(note["constant"]) and len(tensor_leaves(grads)) == len(note["constant"]):  # tapes may leave some out
                constant = iter(note["constant"])
                grads = map_tensors(lambda g: wrap(jnp.zeros_like(g._data)) if next(constant) else g, grads)
            given = [
                g if isinstance(g, Tensor) else None for g in (grads if isinstance(grads, (tuple, list)) else (grads,))
            ]
            found = cls.backward(ctx, *given)
            return _gradients(
                cls.__name__, args, inputs, places, found if isinstance(found, (tuple, list)) else (found,)
            )

        out = call_with_gradient(forward, pull, [args[p] for p in places], ctx.__dict__, note=note)
        leaves = tensor_leaves(out)
        for box, i in note["dirty"]:  # the argument that was changed in place is that output from here on
            box._assign(leaves[i]._data, leaves[i]._var)
        return out


def _as_it_is(tensor):
    """A new Tensor with the same value, and with the attributes that the user set on the original."""
    saved = tensor.value()
    if type(tensor) is Tensor:
        vars(saved).update(vars(tensor))
    return saved


def _gradients(name, args, inputs, places, found):
    """One gradient (or None) for each Tensor argument; RuntimeError if the number or shapes do not match."""
    if len(found) < len(args):
        raise RuntimeError(
            f"The backward of '{name}' must return one gradient for each of the {len(args)} arguments of forward (None where "
            f"there is none), but it gave {len(found)}."
        )
    for i, grad in enumerate(found):
        if i not in places and grad is not None:
            raise RuntimeError(
                f"Input is not tensor, but gradient is not none, position: {i} type: {type(grad)}: '{name}'."
            )
    return [fitted(found[place], box, f"argument {place} of '{name}'") for box, place in zip(inputs, places)]


def _spreads(shape, wider):
    """Whether a shape broadcasts to a wider one."""
    try:
        return np.broadcast_shapes(shape, wider) == tuple(wider)
    except ValueError:
        return False


def fitted(grad: Tensor, box: Tensor, what: str):
    """A gradient that a user's function gave for a Tensor, broadcast or summed to its shape, in its dtype; None stays None."""
    if grad is None:
        return None
    shape = grad.shape if isinstance(grad, Tensor) else ()
    if isinstance(grad, Tensor) and shape == box.shape:
        return grad if grad.dtype == box.dtype else grad.astype(box.dtype)
    if isinstance(grad, Tensor) and _spreads(box.shape, shape):
        ahead = len(shape) - box.ndim
        axes = (*range(ahead), *(i + ahead for i, n in enumerate(box.shape) if n == 1 and shape[i + ahead] != 1))
        return grad.sum(axes).reshape(box.shape).astype(box.dtype)
    try:
        if not isinstance(grad, Tensor) or np.broadcast_shapes(shape, box.shape) != box.shape or not shape:
            raise ValueError
    except ValueError:
        raise RuntimeError(
            f"For grad interface or custom function, grad tensor should be broadcast to expected shape, but got {shape} "
            f"vs {box.shape}: {what}."
        ) from None
    return grad.broadcast_to(box.shape)
