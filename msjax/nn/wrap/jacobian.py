"""Products with the Jacobian as Cells, the forms of MindSpore before `ops.jvp` and `ops.vjp`."""

from ... import ops
from ..cell.cell import Cell


class Jvp(Cell):
    """(fn(x, ...), its Jacobian times v): the last argument of the call is v, with the structure of the inputs.

    Example:
        >>> nn.Jvp(net)(x, v)
    """

    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def construct(self, *args):
        *inputs, v = args
        return ops.jvp(self.fn, inputs[0] if len(inputs) == 1 else tuple(inputs), v)


class Vjp(Cell):
    """(fn(x, ...), v times its Jacobian): the last argument of the call is v, with the structure of the output.

    Example:
        >>> nn.Vjp(net)(x, v)
    """

    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def construct(self, *args):
        *inputs, v = args
        value, product = ops.vjp(self.fn, *inputs)
        grads = product(*v) if isinstance(v, (tuple, list)) else product(v)
        return value, grads[0] if isinstance(grads, tuple) and len(inputs) == 1 else grads


__all__ = ["Jvp", "Vjp"]
