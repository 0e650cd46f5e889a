"""How numbers of two parts are multiplied and measured: complex (i * i = -1), double (1), dual (0).

`product(apply, x, y, a, b)` is (x, y) times (a, b), where `apply` is the real product, a convolution for example. Double numbers may
be given in their diagonal form: (real + other, real - other), whose product is that of the parts. MindSpore keeps the weights of a
double convolution or dense layer in that form always, those of a batch normalization never.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ... import ops

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor


class Complex:
    """Real and imaginary part."""

    @staticmethod
    def product(apply: Callable, x: "Tensor", y: "Tensor", a: "Tensor", b: "Tensor"):
        return apply(x, a) - apply(y, b), apply(x, b) + apply(y, a)

    weighted = product

    @staticmethod
    def convolution(convolve: Callable, x: "Tensor", y: "Tensor", a: "Tensor", b: "Tensor", axis: int):
        """Both parts are channels of one convolution."""
        both = ops.concat([x, y], axis)
        return convolve(both, ops.concat([a, -b], axis)), convolve(both, ops.concat([b, a], axis))

    @staticmethod
    def square_norm(x: "Tensor", y: "Tensor"):
        return x**2 + y**2


class Karatsuba(Complex):
    """Complex numbers with three products instead of four."""

    @staticmethod
    def weighted(apply: Callable, x: "Tensor", y: "Tensor", a: "Tensor", b: "Tensor"):
        first, second, third = apply(x, a), apply(y, b), apply(x + y, a + b)
        return first - second, third - first - second

    @staticmethod
    def convolution(convolve: Callable, x: "Tensor", y: "Tensor", a: "Tensor", b: "Tensor", axis: int):
        return Karatsuba.weighted(convolve, x, y, a, b)


class Double:
    """Real part, and the part whose unit has the square 1."""

    @staticmethod
    def product(apply: Callable, x: "Tensor", y: "Tensor", a: "Tensor", b: "Tensor"):
        return apply(x, a) + apply(y, b), apply(x, b) + apply(y, a)

    @staticmethod
    def weighted(apply: Callable, x: "Tensor", y: "Tensor", a: "Tensor", b: "Tensor"):
        first, second = apply(x + y, a), apply(x - y, b)
        return first + second, first - second

    @staticmethod
    def convolution(convolve: Callable, x: "Tensor", y: "Tensor", a: "Tensor", b: "Tensor", axis: int):
        return Double.weighted(convolve, x, y, a, b)

    @staticmethod
    def square_norm(x: "Tensor", y: "Tensor"):
        return (ops.abs(x) + ops.abs(y)) ** 2


class Diagonal:
    """Double numbers in their diagonal form."""

    @staticmethod
    def product(apply: Callable, x: "Tensor", y: "Tensor", a: "Tensor", b: "Tensor"):
        return apply(x, a), apply(y, b)

    weighted = product

    @staticmethod
    def convolution(convolve: Callable, x: "Tensor", y: "Tensor", a: "Tensor", b: "Tensor", axis: int):
        return convolve(x, a), convolve(y, b)

    @staticmethod
    def square_norm(x: "Tensor", y: "Tensor"):
        return ops.maximum(ops.abs(x), ops.abs(y)) ** 2


class Dual:
    """Real part, and the part whose unit has the square 0."""

    @staticmethod
    def product(apply: Callable, x: "Tensor", y: "Tensor", a: "Tensor", b: "Tensor"):
        return apply(x, a), apply(x, b) + apply(y, a)

    weighted = product

    @staticmethod
    def convolution(convolve: Callable, x: "Tensor", y: "Tensor", a: "Tensor", b: "Tensor", axis: int):
        """The dual part is one convolution of both parts as its channels."""
        return convolve(x, a), convolve(ops.concat([x, y], axis), ops.concat([b, a], axis))

    @staticmethod
    def square_norm(x: "Tensor", y: "Tensor"):
        half = ops.abs(y) / 2
        return (half + ops.sqrt(x**2 + half**2 + 1e-7)) ** 2
