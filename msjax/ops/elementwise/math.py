"""Mathematics of one operand, elementwise: one table of functions that share their signature, then those with more
parameters.
"""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators import views
from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Number, Operand, Real
from ...core.values import dtype as mstype
from ...core.values.promote import kind_of
from ..dtypes import rounded_once, tanh
from ..shapes import same_shape


def to_float(x: jax.Array):
    """Integers and bools as float32; floats and complex numbers as they are."""
    return x if kind_of(x.dtype) > 1 else x.astype(jnp.float32)


def _of_float(fn):
    return lambda x: fn(to_float(x))


def _exp2(x):
    """Of half precision in float32: exp2(2) of bfloat16 was 3.984375."""
    x = to_float(x)
    return jnp.exp2(x.astype(jnp.promote_types(x.dtype, jnp.float32))).astype(x.dtype)


def _real_part(fn):
    """Rounding functions leave integers alone."""
    return lambda x: x if kind_of(x.dtype) < 2 else fn(x)


def _sign(x):
    """NaN has the sign 0."""
    if kind_of(x.dtype) == 3:
        size = jnp.abs(x)
        return jnp.where(size == 0, 0, x / jnp.where(size == 0, 1, size)).astype(x.dtype)
    return x if x.dtype == bool else (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype)


@jax.custom_jvp
def real_abs(x: jax.Array):
    return lax.abs(x)


@real_abs.defjvp
def _real_abs_jvp(primals, tangents):
    return lax.abs(primals[0]), tangents[0] * _sign(primals[0])  # 0 at 0 and at NaN


def absolute(x: jax.Array):
    """The absolute value of complex numbers stays complex."""
    if kind_of(x.dtype) == 2:
        return real_abs(x)
    return x if x.dtype == bool or x.dtype.kind == "u" else lax.abs(x).astype(x.dtype)


@jax.custom_jvp
def _rsqrt(x):
    return lax.rsqrt(x)


@_rsqrt.defjvp
def _rsqrt_jvp(primals, tangents):
    out = lax.rsqrt(primals[0])
    return out, -0.5 * tangents[0] * out * out * out


@jax.custom_jvp
def _arccosh(x):
    return jnp.arccosh(x)


@_arccosh.defjvp
def _arccosh_jvp(primals, tangents):
    """JAX's own is the root of a product: a number below -1, where there is no result; of complex numbers with a negative
    real part it has the other sign.
    """
    (x,) = primals
    return jnp.arccosh(x), tangents[0] * lax.rsqrt(x - 1) * lax.rsqrt(x + 1)


def _arcsinh(x):
    """In float16 the square in the derivative is too large from 256 on."""
    return jnp.arcsinh(x.astype(jnp.float32)).astype(x.dtype) if x.dtype == jnp.float16 else jnp.arcsinh(x)


@jax.custom_jvp
def _log_gamma(x):
    return lax.lgamma(x)


@_log_gamma.defjvp
def _log_gamma_jvp(primals, tangents):
    return lax.lgamma(primals[0]), tangents[0] * _digamma(primals[0])


@jax.custom_jvp
def _digamma(x):
    return jnp.where(x == 0, jnp.asarray(-jnp.inf, x.dtype), lax.digamma(x))  # JAX's is NaN at 0


@_digamma.defjvp
def _digamma_jvp(primals, tangents):
    (x,) = primals
    return _digamma(x), tangents[0] * lax.polygamma(jnp.ones_like(x), x)


def _negative(x):
    if x.dtype == bool:
        raise TypeError("For 'Neg', the type of 'input' must be a number type, but got Tensor[Bool].")
    return -x


def _reciprocal(x):
    return 1 / to_float(x)


def _inverse(x):
    if kind_of(x.dtype) > 1:
        return 1 / x
    return jnp.where(x == 0, jnp.iinfo(x.dtype).min, jnp.where(jnp.abs(x) == 1, x, 0)).astype(
        x.dtype
    )  # 1 / 0 as C casts it


def _inverse_error(x):
    return lax.erf_inv(to_float(x))


def _imaginary(x):
    return lax.imag(x) if kind_of(x.dtype) == 3 else jnp.zeros_like(x)


def _real(x):
    return lax.real(x) if kind_of(x.dtype) == 3 else x


def _conjugate(x):
    return lax.conj(x) if kind_of(x.dtype) == 3 else x


def _angle(x):
    if kind_of(x.dtype) == 3:
        return jnp.angle(x)
    x = to_float(x)
    return jnp.where(jnp.isnan(x), x, jnp.where(x < 0, jnp.asarray(np.pi, x.dtype), jnp.zeros_like(x)))


def _square(x):
    return x & x if x.dtype == bool else x * x


def _degrees(factor):
    return lambda x: to_float(x) * jnp.asarray(factor, to_float(x).dtype)


def _never(x):
    return jnp.zeros(x.shape, bool)


def _fraction(x):
    return jnp.zeros(x.shape, jnp.int64) if x.dtype == bool else x - jnp.trunc(x)


def _float_test(fn, of_integers=_never):
    return lambda x: fn(x) if kind_of(x.dtype) > 1 else of_integers(x)


# name: (function, what it computes, Primitive, other names in ops, whether Tensor has it, whether mint has it)
_TABLE = {
    "exp": (_of_float(jnp.exp), "e to the power of each element", "Exp", "tensor_exp", True, True),
    "expm1": (_of_float(jnp.expm1), "exp(x) - 1, exact near 0", "Expm1", "tensor_expm1", True, True),
    "exp2": (_exp2, "2 to the power of each element", "", "", False, True),
    "log": (_of_float(jnp.log), "natural logarithm of each element", "Log", "", True, True),
    "log1p": (_of_float(jnp.log1p), "log(1 + x), exact near 0", "Log1p", "", True, True),
    "log2": (_of_float(jnp.log2), "logarithm to base 2", "", "", True, True),
    "log10": (_of_float(jnp.log10), "logarithm to base 10", "", "", True, True),
    "sqrt": (_of_float(jnp.sqrt), "square root of each element", "Sqrt", "", True, True),
    "rsqrt": (_of_float(_rsqrt), "reciprocal of the square root", "Rsqrt", "", True, True),
    "square": (_square, "square of each element", "Square", "", True, True),
    "reciprocal": (_reciprocal, "reciprocal of each element", "Reciprocal", "", True, True),
    "inv": (_inverse, "reciprocal of each element, of integers its whole part", "Inv", "", True, False),
    "abs": (absolute, "absolute value of each element", "Abs", "absolute", True, True),
    "neg": (_negative, "each element with the other sign", "Neg", "negative", True, True),
    "sign": (_sign, "-1, 0 or 1, by the sign of each element", "Sign", "sgn", True, True),
    "positive": (lambda x: x, "the elements as they are", "", "", True, False),
    "sin": (_of_float(jnp.sin), "sine of angles in radians", "Sin", "", True, True),
    "cos": (_of_float(jnp.cos), "cosine of angles in radians", "Cos", "", True, True),
    "tan": (_of_float(rounded_once(jnp.tan)), "tangent of angles in radians", "Tan", "", True, True),
    "asin": (_of_float(jnp.arcsin), "angle in radians whose sine is given", "Asin", "arcsin", True, True),
    "acos": (_of_float(jnp.arccos), "angle in radians whose cosine is given", "ACos", "arccos", True, True),
    "atan": (_of_float(jnp.arctan), "angle in radians whose tangent is given", "Atan", "arctan", True, True),
    "sinh": (_of_float(jnp.sinh), "hyperbolic sine", "Sinh", "", True, True),
    "cosh": (_of_float(jnp.cosh), "hyperbolic cosine", "Cosh", "", True, True),
    "tanh": (_of_float(tanh), "hyperbolic tangent", "Tanh", "", True, True),
    "asinh": (_of_float(_arcsinh), "inverse of the hyperbolic sine", "Asinh", "arcsinh", True, True),
    "acosh": (_of_float(_arccosh), "inverse of the hyperbolic cosine", "Acosh", "arccosh", True, True),
    "atanh": (_of_float(jnp.arctanh), "inverse of the hyperbolic tangent", "Atanh", "arctanh", True, True),
    "sinc": (_of_float(jnp.sinc), "sin(pi x) / (pi x), and 1 at 0", "Sinc", "", True, True),
    "deg2rad": (_degrees(np.pi / 180), "degrees as radians", "", "", True, False),
    "rad2deg": (_degrees(180 / np.pi), "radians as degrees", "", "", True, False),
    "erf": (_of_float(lax.erf), "error function", "Erf", "", True, True),
    "erfc": (_of_float(lax.erfc), "1 minus the error function", "Erfc", "", True, True),
    "erfinv": (_inverse_error, "inverse of the error function", "Erfinv", "", True, True),
    "lgamma": (_of_float(rounded_once(_log_gamma)), "logarithm of the gamma function", "Lgamma", "", True, False),
    "digamma": (
        _of_float(rounded_once(_digamma)),
        "derivative of the logarithm of the gamma function",
        "Digamma",
        "",
        True,
        False,
    ),
    "floor": (_real_part(jnp.floor), "each element rounded down", "Floor", "", True, True),
    "ceil": (_real_part(jnp.ceil), "each element rounded up", "Ceil", "", True, True),
    "trunc": (_real_part(jnp.trunc), "each element rounded towards zero", "Trunc", "", True, True),
    "rint": (
        _real_part(jnp.round),
        "each element rounded to the nearest integer, halves to even",
        "Rint",
        "",
        False,
        False,
    ),
    "frac": (_fraction, "the part of each element after the decimal point", "", "", True, True),
    "isnan": (_float_test(jnp.isnan), "whether each element is NaN", "IsNan", "isnan_ext", True, True),
    "isinf": (_float_test(jnp.isinf), "whether each element is infinite", "IsInf", "", True, True),
    "isfinite": (
        _float_test(jnp.isfinite, lambda x: jnp.ones(x.shape, bool)),
        "whether each element is neither infinite nor NaN",
        "IsFinite",
        "",
        True,
        True,
    ),
    "isneginf": (_float_test(jnp.isneginf), "whether each element is minus infinity", "", "", True, True),
    "isposinf": (_float_test(jnp.isposinf), "whether each element is plus infinity", "", "", True, False),
    "isreal": (jnp.isreal, "whether each element has no imaginary part", "", "", True, False),
    "signbit": (jnp.signbit, "whether the sign of each element is minus", "", "", True, False),
    "real": (_real, "real part", "Real", "", True, True),
    "imag": (_imaginary, "imaginary part", "Imag", "", True, True),
    "conj": (_conjugate, "complex conjugate", "Conj", "", True, False),
    "angle": (_angle, "angle of complex numbers in radians", "Angle", "", True, False),
}
_MORE_TENSOR_NAMES = {"abs": "__abs__", "neg": "__neg__", "positive": "__pos__"}
_IN_SPECIAL = ("erfc", "expm1", "exp2", "log1p", "sinc")
_OWN_PARAMETER = {
    "arcsin": "x",
    "deg2rad": "x",
    "frac": "x",
    "inv": "x",
    "rad2deg": "x",
    "sqrt": "x",
    "isnan_ext": "tensor",
}
_EXAMPLES = {"acosh": "1.0, 2.0", "acos": "0.1, 0.5", "asin": "0.1, 0.5", "atanh": "0.1, 0.5", "erfinv": "0.1, 0.5"}


def _renamed(name, parameter):
    return Face(name, args(parameter), to={parameter: "input"})


def _register(name, fn, what, prims, others, has_method, has_mint):
    other = others.split()
    visible = [n for n in other if not n.startswith("tensor_") and not n.endswith("_ext")]

    def operator(input: Array):
        return fn(input)

    operator.__name__ = operator.__qualname__ = name
    operator.__module__ = __name__
    operator.__doc__ = (
        f"{what[0].upper()}{what[1:]}, elementwise.\n\nArgs:\n    input: Tensor of any shape.\n\nExample:\n"
        f"    >>> ops.{name}(Tensor([{_EXAMPLES.get(name, '1.0, 2.5')}]))\n"
    )
    methods = [name, *visible] if has_method else []
    if name in _MORE_TENSOR_NAMES:
        methods.append(_MORE_TENSOR_NAMES[name])
    mint = [
        name,
        *[n for n in visible if n not in ("absolute", "sgn")],
        *([f"special.{name}"] if name in _IN_SPECIAL else []),
    ]
    op(
        operator,
        prim=tuple(Prim(p, call=args("x"), to={"x": "input"}) for p in prims.split()) or None,
        ops=tuple(_renamed(n, _OWN_PARAMETER.get(n, "input")) for n in (name, *other)),
        tensor=tuple(methods),
        mint=tuple(n for n in mint) if has_mint else None,
    )
    globals()[name] = operator


for _name, _row in _TABLE.items():
    _register(_name, *_row)


@op(
    prim=Prim("Round"),
    ops=Face("round", args("input").only(decimals=0)),
    tensor="round",
    mint=(Face("round", args("input").only(decimals=0)), Face("special.round", args("input").only(decimals=0))),
)
def round(input: Array, decimals: int = 0) -> Array:
    """Each element rounded to `decimals` digits after the point; halves to the even neighbour.

    Example:
        >>> print(ops.round(Tensor([0.5, 1.5, 2.6])))
        [0. 2. 3.]
    """
    if kind_of(input.dtype) < 2 and decimals >= 0:
        return input
    return jnp.round(input, decimals)


@composite(ops=False, name="builtin_round", tensor="__round__")
def builtin_round(input: Any, *decimals: Any):
    """Python's `round(x)`; `round(x, decimals)` only in compiled code, as in MindSpore."""
    if decimals and not views.copies():
        raise TypeError(f"Tensor.__round__() takes 1 positional argument but {1 + len(decimals)} were given")
    return records["round"](input, *decimals)


@op(ops=False, mint="fix")
def fix(input: Array):
    """Each element rounded towards zero."""
    return input if kind_of(input.dtype) < 2 else jnp.trunc(input)


@op(prim=Prim("NanToNum", inputs=("input",)), ops=True, tensor="nan_to_num", mint="nan_to_num")
def nan_to_num(input: Array, nan: Real | None = None, posinf: Real | None = None, neginf: Real | None = None) -> Array:
    """NaN replaced by `nan` (0), infinities by `posinf` and `neginf` (the largest and smallest number of the dtype).

    Example:
        >>> print(ops.nan_to_num(Tensor([float("nan"), float("inf"), 1.0])))
        [0.0000000e+00 3.4028235e+38 1.0000000e+00]
    """
    return jnp.nan_to_num(input, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


@op(ops=True, prim=Prim("Logit", init=args(eps=-1.0), call=args("x"), to={"x": "input"}), tensor="logit", mint=None)
def logit(input: Array, eps: Number | None = None) -> Array:
    """log(x / (1 - x)); with `eps` x is first clipped to [eps, 1 - eps].

    Example:
        >>> print(ops.logit(Tensor([0.1, 0.2, 0.3]), eps=1e-5))
        [-2.1972246 -1.3862944 -0.8472978]
    """
    x = to_float(input)
    if eps is not None and eps >= 0:
        x = jnp.where(x < eps, eps, jnp.where(x > 1 - eps, 1 - eps, x))  # the limits themselves have a gradient
    outside = (x < 0) | (x > 1)
    inside = jnp.where(outside, 0.5, x)
    return jnp.where(outside, jnp.where(outside, x, 0) * jnp.nan, jnp.log(inside / (1 - inside)))


@op(prim=Prim("ComplexAbs"), ops=False, name="complex_abs")
def complex_abs(x: Array) -> Array:
    """Magnitude of complex numbers."""
    return jnp.abs(x)


@op(prim=Prim("Complex"), ops=False, name="complex_number")
def complex_number(real: Array, imag: Array) -> Array:
    """Complex numbers of their real and imaginary parts."""
    both = jnp.broadcast_shapes(real.shape, imag.shape)
    if real.size != imag.size or math.prod(both) != real.size:  # the kernel pairs elements one by one
        same_shape("Complex", RuntimeError, real=real.shape, imag=imag.shape)
    return lax.complex(real.reshape(both), imag.reshape(both))


@op(ops=True)
def view_as_real(input: Array):
    """Complex numbers as pairs of real and imaginary part, in a new last axis.

    Example:
        >>> print(ops.view_as_real(Tensor([1 + 2j])))
        [[1. 2.]]
    """
    return jnp.stack([lax.real(input), lax.imag(input)], -1)


@op(prim=Prim("Polar"), ops=True, mint="polar")
def polar(abs: Array, angle: Operand) -> Array:
    """Complex numbers of magnitude and angle (radians).

    Example:
        >>> print(ops.polar(Tensor([1.0, 2.0]), Tensor([0.5, 1.0])))
        [0.87758255+0.47942555j 1.0806046 +1.6829419j ]
    """
    same_shape("Polar", abs=abs.shape, angle=angle.shape)
    return lax.complex(abs * jnp.cos(angle), abs * jnp.sin(angle))


@op(prim=Prim("SquareSumAll"), ops=False)
def square_sum_all(x: Array, y: Array):
    """Sum of the squares of all elements, of each of two Tensors."""
    return jnp.sum(x * x), jnp.sum(y * y)


@op(prim=Prim("L2Loss", call=args("input_x"), to={"input_x": "input"}), ops=False)
def l2_loss(input: Array) -> Array:
    """Half the sum of the squares of all elements."""
    return jnp.sum(input * input) / 2


@op(prim=Prim("CheckNumerics"), ops=False, composite=True)
def check_numerics(x: Array) -> Array:
    """x itself; RuntimeError if an element is infinite or NaN."""
    if not jnp.isfinite(x.jax_array).all():
        raise RuntimeError("For 'CheckNumerics', all elements must be finite, but got an infinite one or NaN.")
    return x


@op(ops=True, tensor="is_complex", composite=True)
def is_complex(input: Array):
    """Whether the elements are complex numbers, as a Python bool.

    Example:
        >>> ops.is_complex(Tensor([1.0]))
        False
    """
    return input.dtype in (mstype.complex64, mstype.complex128)


@op(ops=True, tensor="is_floating_point", composite=True)
def is_floating_point(input: Array):
    """Whether the elements are floating point numbers, as a Python bool.

    Example:
        >>> ops.is_floating_point(Tensor([1.0]))
        True
    """
    return input.dtype in (mstype.float16, mstype.float32, mstype.float64, mstype.bfloat16)


@op(ops=False, tensor="is_signed", composite=True)
def is_signed(input: Any):
    """Whether the dtype has negative numbers, as a Python bool."""
    return mstype.to_numpy(input.dtype).kind not in "bu"


@op(
    prim=Prim("PopulationCount", call=args("x"), to={"x": "input"}),
    ops=Face("population_count", args("input_x"), to={"input_x": "input"}),
)
def population_count(input: Array) -> Array:
    """Number of bits that are 1, as uint8.

    Example:
        >>> print(ops.population_count(Tensor([0, 1, 3], mindspore.int16)))
        [0 1 2]
    """
    return lax.population_count(input).astype(jnp.uint8)
