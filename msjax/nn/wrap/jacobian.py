"""Products with the Jacobian as Cells, the forms of MindSpore before `ops.jvp` and `ops.vjp`."""

from collections.abc import Callable
from typing import Any

from ... import ops
from ...core.spec.checking import checked
from ...core.spec.rules import Function, Like
from ...core.values.tensor import Tensor
from ..cell.cell import Cell


class Jvp(Cell):
    """(fn(x, ...), its Jacobian times v): the last argument of the call is v, with the structure of the inputs.

    Example:
        >>> output, tangent = nn.Jvp(net)(x, ops.ones_like(x))
        >>> output.shape, tangent.shape
        ((2, 2), (2, 2))
    """

    @checked
    def __init__(self, fn: Like[Function]):
        super().__init__()
        self.fn = fn

    def construct(self, *args):
        *inputs, v = args
        if not all(isinstance(x, Tensor) for x in inputs):
            raise TypeError(f"For 'Jvp', the inputs must be Tensors, but got {[type(x).__name__ for x in inputs]}.")
        return ops.jvp(self.fn, inputs[0] if len(inputs) == 1 else tuple(inputs), v)


class Vjp(Cell):
    """(fn(x, ...), v times its Jacobian): the last argument of the call is v, with the structure of the output.

    Example:
        >>> output, gradient = nn.Vjp(net)(x, ops.ones((2, 2)))
        >>> output.shape, gradient.shape
        ((2, 2), (2, 3))
    """

    @checked
    def __init__(self, fn: Like[Function]):
        super().__init__()
        self.fn = fn

    def construct(self, *args):
        *inputs, v = args
        value, product = ops.vjp(self.fn, *inputs)
        grads = product(v)
        return value, grads[0] if isinstance(grads, tuple) and len(inputs) == 1 else grads


__all__ = ["Jvp", "Vjp"]


def custom_vjp(fn: Callable | None = None):
    """A function as a Cell whose gradient is given by `defbwd`: a function of the inputs, the output and its cotangent.

    Example:
        >>> from msjax.nn.wrap.jacobian import custom_vjp
        >>> double = custom_vjp(lambda x: x * 2)
        >>> double.defbwd(lambda x, out, dout: (dout * 3,))
        >>> print(mindspore.grad(double)(Tensor([1.0])))
        [3.]
    """
    return CustomVjp if fn is None else CustomVjp(fn)


class CustomVjp(Cell):
    """The result of `custom_vjp`."""

    def __init__(self, fwd: Any):
        super().__init__()
        self.fwd, self.bwd = fwd, None

    def construct(self, *args):
        return self.fwd(*args)

    def defbwd(self, bwd: Any):
        """Use `bwd(*inputs, out, dout)` for the gradients of the inputs."""
        self.bwd = bwd

    def bprop(self, *args):
        """The gradients of the inputs."""
        return self.bwd(*args)
