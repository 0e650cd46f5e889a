"""Special functions: Bessel, gamma, beta, zeta."""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy import special as _jax

from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Operand
from ...core.spec.rules import Like, PositiveInt
from ...core.values.promote import promote_float
from ..dtypes import rounded_once
from ..shapes import ANY, number_of_axes, same_shape
from .math import to_float

# --- Bessel functions J, Y of orders 0 and 1.
# Below _FAR: J_n(x) is the mean of cos(n t - x sin t) over t in [0, pi]; the mean over equally spaced t converges
# faster than any power,
# and with the weights W_k = sum over j of (-1)^j cos(2 j t_k) / j it also gives Neumann's series for Y. Above:
# Hankel's expansion.
_NODES, _FAR, _TERMS = 80, 25.0, 12
_ANGLES = (np.arange(_NODES) + 0.5) * np.pi / _NODES
_SINES = np.sin(_ANGLES)
_WEIGHTS = sum((-1.0) ** j * np.cos(2 * j * _ANGLES) / j for j in range(1, 41))


def _near(order, second, x):
    """J or Y for small positive x."""

    def part(k, sums):
        s, w = jnp.asarray(_SINES)[k], jnp.asarray(_WEIGHTS)[k]
        wave = jnp.cos(x * s) if order == 0 else s * jnp.sin(x * s)
        return sums[0] + wave, sums[1] + wave * w

    first, weighted = lax.fori_loop(0, _NODES, part, (jnp.zeros_like(x), jnp.zeros_like(x)))
    first, weighted = first / _NODES, weighted / _NODES
    if not second:
        return first
    log = jnp.log(x / 2) + np.euler_gamma
    y = 2 / np.pi * log * first - 4 / np.pi * weighted
    return y if order == 0 else y - 2 / (np.pi * x) * _near(0, False, x)


def _far(order, second, x):
    """J or Y for large x."""
    mu, p, q, term = 4.0 * order * order, 1.0, 0.0, 1.0
    for k in range(1, 2 * _TERMS):
        term = term * (mu - (2 * k - 1) ** 2) / (k * 8 * x)
        sign = -1.0 if k % 4 in (2, 3) else 1.0
        p, q = (p + sign * term, q) if k % 2 == 0 else (p, q + sign * term)
    phase = x - (2 * order + 1) * np.pi / 4
    wave = p * jnp.sin(phase) + q * jnp.cos(phase) if second else p * jnp.cos(phase) - q * jnp.sin(phase)
    return jnp.sqrt(2 / (np.pi * x)) * wave


def _oscillating(order, second, x):
    kind, x = x.dtype, x.astype(jnp.float64)
    size = jnp.abs(x)
    out = jnp.where(
        size < _FAR, _near(order, second, jnp.minimum(size, _FAR)), _far(order, second, jnp.maximum(size, _FAR))
    )
    if second:
        out = jnp.where(x > 0, out, jnp.where(x <= 0, -jnp.inf, jnp.nan))  # for negative x too, as MindSpore's kernels
        if order and kind != np.float64:
            out = jnp.where(x == 0, jnp.nan, out)
    elif order:
        out = jnp.where(x < 0, -out, out)
    return out.astype(kind)


def _damped(order, scaled, x):
    """K: the integral of exp(-x cosh t) cosh(order t) over t > 0, by equal steps, as far as exp(-x cosh t) counts."""
    kind, x = x.dtype, x.astype(jnp.float64)
    safe = jnp.where(x > 0, x, 1.0)
    step = jnp.arccosh(1 + 50 / safe) / 200

    def part(k, total):
        t = k * step
        return total + jnp.where(k == 0, 0.5, 1.0) * jnp.exp(-safe * (jnp.cosh(t) - 1)) * jnp.cosh(order * t)

    out = lax.fori_loop(0, 201, part, jnp.zeros_like(x)) * step
    out = jnp.where(x == jnp.inf, 0, out if scaled else out * jnp.exp(-safe))
    return jnp.where(x > 0, out, jnp.where(x <= 0, jnp.inf, jnp.nan)).astype(kind)


def _with_derivative(fn, derivative):
    made = jax.custom_jvp(fn)

    @made.defjvp
    def jvp(primals, tangents):
        out = made(primals[0])
        return out, tangents[0] * derivative(primals[0], out).astype(out.dtype)

    return made


_j0 = _with_derivative(lambda x: _oscillating(0, False, x), lambda x, y: -_oscillating(1, False, x))
_j1 = _with_derivative(
    lambda x: _oscillating(1, False, x),
    lambda x, y: _oscillating(0, False, x) - jnp.where(x == 0, 0.5, y / jnp.where(x == 0, 1, x)),
)
_y0 = _with_derivative(lambda x: _oscillating(0, True, x), lambda x, y: -_oscillating(1, True, x))
_y1 = _with_derivative(lambda x: _oscillating(1, True, x), lambda x, y: _oscillating(0, True, x) - y / x)
_i0 = _with_derivative(_jax.i0, lambda x, y: _jax.i1(x))  # JAX's own is 1 at 0
_k0 = _with_derivative(lambda x: _damped(0, False, x), lambda x, y: -_damped(1, False, x))
_k1 = _with_derivative(lambda x: _damped(1, False, x), lambda x, y: -_damped(0, False, x) - y / x)
_k0e = _with_derivative(lambda x: _damped(0, True, x), lambda x, y: y - _damped(1, True, x))
_k1e = _with_derivative(lambda x: _damped(1, True, x), lambda x, y: y * (1 - 1 / x) - _damped(0, True, x))

_BESSEL = {
    "i0": (_i0, "Modified Bessel function of the first kind, order 0"),
    "i0e": (_jax.i0e, "exp(-|x|) times the modified Bessel function of the first kind, order 0"),
    "i1": (_jax.i1, "Modified Bessel function of the first kind, order 1"),
    "i1e": (_jax.i1e, "exp(-|x|) times the modified Bessel function of the first kind, order 1"),
    "j0": (_j0, "Bessel function of the first kind, order 0"),
    "j1": (_j1, "Bessel function of the first kind, order 1"),
    "y0": (_y0, "Bessel function of the second kind, order 0"),
    "y1": (_y1, "Bessel function of the second kind, order 1"),
    "k0": (_k0, "Modified Bessel function of the second kind, order 0"),
    "k1": (_k1, "Modified Bessel function of the second kind, order 1"),
    "k0e": (_k0e, "exp(x) times the modified Bessel function of the second kind, order 0"),
    "k1e": (_k1e, "exp(x) times the modified Bessel function of the second kind, order 1"),
}


def _register(name, fn, what):
    fn = rounded_once(fn)

    def bessel(x: Array) -> Array:
        return fn(to_float(x))

    bessel.__doc__ = f"{what}, elementwise.\n\nExample:\n    >>> ops.bessel_{name}(Tensor([0.5, 1.0]))\n"
    op(
        bessel,
        name=f"bessel_{name}",
        prim=Prim(f"Bessel{name[0].upper()}{name[1:]}"),
        ops=(f"bessel_{name}", Face("i0", args("input"), to={"input": "x"})) if name == "i0" else f"bessel_{name}",
        tensor="i0" if name == "i0" else None,
    )


for _name, (_fn, _what) in _BESSEL.items():
    _register(_name, _fn, _what)


# --- gamma and its family
@op(prim=Prim("Igamma", call=args("a", "x"), to={"a": "input", "x": "other"}), ops=True, tensor="igamma")
def igamma(input: Array, other: Array) -> Array:
    """Lower regularized incomplete gamma function P(input, other).

    Example:
        >>> print(ops.igamma(Tensor([2.0]), Tensor([1.0])))
        [0.26424113]
    """
    a, x = promote_float(input, other)
    # as in MindSpore, whose series has no value at a = 0 but at x = 0
    return jnp.where(a == 0, jnp.where(x == 0, 0, jnp.nan).astype(a.dtype), _jax.gammainc(jnp.where(a == 0, 1, a), x))


@op(prim=Prim("Igammac", call=args("a", "x"), to={"a": "input", "x": "other"}), ops=True, tensor="igammac")
def igammac(input: Array, other: Array) -> Array:
    """Upper regularized incomplete gamma function Q(input, other).

    Example:
        >>> print(ops.igammac(Tensor([2.0]), Tensor([1.0])))
        [0.7357589]
    """
    a, x = promote_float(input, other)
    return jnp.where(a == 0, jnp.nan, _jax.gammaincc(jnp.where(a == 0, 1, a), x))


@op(prim=Prim("Betainc"), ops=False)
def betainc(a: Array, b: Array, x: Array) -> Array:
    """Regularized incomplete beta function."""
    for other in (b, x):
        same_shape("Betainc", a=a.shape, b_or_x=other.shape)
    return _jax.betainc(*promote_float(a, b, x))


@op(
    prim=Prim("Zeta", call=args("x", "q"), to={"x": "input", "q": "other"}, fixed={"scalars": False}),
    ops=Face("zeta", fixed={"scalars": True}),
)
def zeta(input: Operand, other: Operand, scalars: bool = True) -> Array:
    """Hurwitz zeta function: the sum of (k + other) ** -input over k from 0 on.

    Example:
        >>> print(ops.zeta(Tensor([2.0]), Tensor([1.0])))
        [1.644934]
    """
    shapes = jnp.shape(input), jnp.shape(other)
    if all(shapes) or not scalars:
        same_shape("Zeta", x=shapes[0], q=shapes[1])
    if not scalars:
        number_of_axes("Zeta", range(1, ANY), x=shapes[0])
    return _jax.zeta(*promote_float(input, other))


@op(prim=Prim("Polygamma", call=args("n", "x"), to={"x": "input"}), ops=True)
def polygamma(n: Array, input: Array) -> Array:
    """n-th derivative of digamma.

    Example:
        >>> print(ops.polygamma(Tensor(1), Tensor([1.0, 2.0])))
        [1.644934   0.64493406]
    """
    number_of_axes("Polygamma", 0, n=n.shape)
    x = to_float(input)
    order = jnp.asarray(n).astype(jnp.int32)
    higher = _jax.polygamma(jnp.maximum(order, 1), x)
    return jnp.where(order == 0, lax.digamma(x), higher)


@op(prim=Prim("Mvlgamma", init=args("p"), call=args("x"), to={"x": "input"}), ops=True, tensor="mvlgamma")
def mvlgamma(input: Array, p: Like[PositiveInt]) -> Array:
    """Logarithm of the multivariate gamma function of dimension p.

    Example:
        >>> print(ops.mvlgamma(Tensor([3.0, 4.0]), 2))
        [1.5501953 3.5650988]
    """
    x = to_float(input)
    steps = jnp.arange(p, dtype=x.dtype) / 2
    return p * (p - 1) / 4 * math.log(math.pi) + jnp.sum(lax.lgamma(x[..., None] - steps), -1)


@op(prim=Prim("Eps"), ops=True)
def eps(x: Array) -> Array:
    """The distance of 1 to the next larger number of the dtype, in the shape of x.

    Example:
        >>> print(ops.eps(Tensor([4.0])))
        [1.1920929e-07]
    """
    return jnp.full_like(x, jnp.finfo(x.dtype).eps)
