"""Python numbers that a compiled program takes as inputs, or computes: an attribute that counts, a variable of a staged loop."""

from typing import TYPE_CHECKING

import jax.numpy as jnp

from ..values.tensor import Tensor
from .frame import current as current_frame

if TYPE_CHECKING:
    import jax

_KINDS = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


class TracedNumber(Tensor):
    """A Python number whose value is known when the program runs.

    Its array is weakly typed: like a number it takes the dtype of a Tensor that it meets. Numbers among themselves stay numbers, and
    leave the compiled function as Python numbers.
    """

    @property
    def kind(self):
        """The Python type: int, float or complex."""
        return _KINDS[self._data.dtype.kind]

    def __neg__(self):
        return number(-self._data)

    def __pos__(self):
        return self

    def __abs__(self):
        return number(abs(self._data))


def number(array: "jax.Array"):
    """A TracedNumber around a weakly typed array without axes."""
    box = Tensor.__new__(TracedNumber)
    box._data, box._var = array, current_frame()
    return box


def _operand(value):
    if type(value) is TracedNumber:
        return value._data
    return value if type(value) in (int, float, complex) else None


def _power(base, exponent):
    if isinstance(exponent, float) or isinstance(exponent, int) and exponent >= 0:
        return jnp.power(base, exponent)
    return NotImplemented  # an int to an int that may be negative: whether it is an int or a float depends on the value


_COMPUTE = {
    "add": jnp.add,
    "sub": jnp.subtract,
    "mul": jnp.multiply,
    "truediv": jnp.true_divide,
    "floordiv": jnp.floor_divide,
    "mod": jnp.remainder,
    "pow": _power,
}


def _operator(name, compute):
    """A method that computes with another number, and leaves the rest to the operator of Tensors."""

    def method(self, other):
        operand = _operand(other)
        if operand is not None:
            array = compute(self._data, operand)
            if array is not NotImplemented:
                return number(array)
        return getattr(super(TracedNumber, self), name)(other)

    return method


for _name, _compute in _COMPUTE.items():
    for _form in (f"__{_name}__", f"__i{_name}__"):  # a number has no operator in place: `n += 1` makes another number
        setattr(TracedNumber, _form, _operator(f"__{_name}__", _compute))
    if _name != "pow":
        setattr(TracedNumber, f"__r{_name}__", _operator(f"__r{_name}__", lambda a, b, compute=_compute: compute(b, a)))
