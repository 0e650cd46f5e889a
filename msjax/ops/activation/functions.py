"""Activation functions."""

import jax
import jax.numpy as jnp
from jax import lax

from ...core.operators.record import op
from ...core.values import dtype as mstype
from ..elementwise.arithmetic import exact_quotient
from ..elementwise.math import to_float


@op(prim="ReLU()(x)", ops="relu(input, inplace=False)", mint="nn.functional.relu(input, inplace=False)")
def relu(input):
    """max(x, 0), elementwise; the gradient at 0 is 0.

    Example:
        >>> ops.relu(Tensor([-1.0, 2.0]))
    """
    # a NaN stays one: hidden here, it would come back as a wrong number elsewhere
    return jnp.where(input <= 0, jnp.zeros_like(input), input) if input.dtype != bool else input


@op(prim=("ReLU6()(x)",), ops="relu6(x)", mint="nn.functional.relu6(input, inplace=False)")
def relu6(input):
    """min(max(x, 0), 6), elementwise.

    Example:
        >>> ops.relu6(Tensor([-1.0, 2.0, 8.0]))
    """
    return jnp.where(input <= 0, jnp.zeros_like(input), jnp.where(input >= 6, jnp.full_like(input, 6), input))


@op(prim="ReLUV2()(x)", ops="relu_v2(x)")
def relu_v2(x):
    """max(x, 0) and the mask of the elements that were positive (uint8)."""
    return relu(x), (x > 0).astype(jnp.uint8)


@op(
    prim="Sigmoid()(x)",
    ops="sigmoid(input)",
    tensor="sigmoid()",
    mint=("sigmoid(input)", "nn.functional.sigmoid(input)"),
)
def sigmoid(input):
    """1 / (1 + exp(-x)), elementwise.

    Example:
        >>> ops.sigmoid(Tensor([0.0, 1.0]))
    """
    return lax.logistic(to_float(input))


@op(ops="logsigmoid(x)", mint="nn.functional.logsigmoid(input)")
def logsigmoid(x):
    """log(sigmoid(x)), without overflow.

    Example:
        >>> ops.logsigmoid(Tensor([0.0, 1.0]))
    """
    return -jnp.logaddexp(-x, jnp.zeros_like(x))


def _default_axis(x):
    """The axis of mint.nn.functional.softmax when none is given."""
    return 0 if x.ndim in (0, 1, 3) else 1


def _axis_numbers(axis):
    return tuple(axis) if isinstance(axis, list) else axis


@op(
    prim="Softmax(axis=-1)(x)",
    ops="softmax(input, axis=-1, *, dtype=None)",
    tensor="softmax(axis, dtype=None)",
    mint=("softmax(input, dim, *, dtype=None)", "nn.functional.softmax(input, dim=None, dtype=None)"),
    residuals=True,
)
def softmax(input, axis=-1, dtype=None):
    """exp(x) / sum(exp(x)) along an axis (or a tuple of them).

    Example:
        >>> ops.softmax(Tensor([1.0, 2.0, 3.0]))
    """
    if not jnp.issubdtype(input.dtype, jnp.inexact) and dtype is None:
        raise TypeError(
            "For 'Softmax', the type of 'input' must be a float type, but got "
            f"Tensor[{mstype.from_numpy(input.dtype)}]."
        )
    if dtype is not None:
        input = input.astype(mstype.to_numpy(dtype))
    return jax.nn.softmax(input, axis=_default_axis(input) if axis is None else _axis_numbers(axis))


@op(
    prim=("LogSoftmax(axis=-1)(logits)", "LogSoftmaxExt(axis=-1, dtype=None)(logits)"),
    ops="log_softmax(logits, axis=-1)",
    mint=(
        "nn.functional.log_softmax(input, dim=None, *, dtype=None)",
        "special.log_softmax(input, dim=None, *, dtype=None)",
    ),
    residuals=True,
)
def log_softmax(logits, axis=-1, dtype=None):
    """log(softmax(x)) along an axis, without overflow.

    Example:
        >>> ops.log_softmax(Tensor([1.0, 2.0, 3.0]))
    """
    if dtype is not None:
        logits = logits.astype(mstype.to_numpy(dtype))
    if logits.ndim == 0 and axis in (-1, 0):
        return jnp.zeros_like(logits)
    return jax.nn.log_softmax(logits, axis=_default_axis(logits) if axis is None else _axis_numbers(axis))


@op(ops="softmin(x, axis=-1, *, dtype=None)", residuals=True)
def softmin(x, axis=-1, dtype=None):
    """softmax(-x) along an axis.

    Example:
        >>> ops.softmin(Tensor([1.0, 2.0, 3.0]))
    """
    return softmax(-x, axis, dtype)


@op(
    prim=("GeLU()(x)", "Gelu()(x)"),
    ops=("gelu(input, approximate='none')",),
    mint=("nn.functional.gelu(input, *, approximate='none')", "npu_gelu(input, approximate='none')"),
)
def gelu(input, approximate="tanh"):
    """Gaussian error linear unit: x times the normal distribution function of x ("none"), or its approximation by tanh
    ("tanh").

    Raises:
        ValueError: another `approximate`.

    Example:
        >>> ops.gelu(Tensor([-1.0, 2.0]))
    """
    if approximate not in ("none", "tanh"):
        raise ValueError(f"For 'gelu', the 'approximate' must be 'none' or 'tanh', but got {approximate!r}.")
    return jax.nn.gelu(input, approximate=approximate == "tanh")


@op(prim=("FastGeLU()(x)", "FastGelu()(x)"), ops="fast_gelu(x)")
def fast_gelu(x):
    """A cheap approximation of gelu: x / (1 + exp(-1.702 |x|)) * exp(0.851 (x - |x|)).

    Example:
        >>> ops.fast_gelu(Tensor([-1.0, 2.0]))
    """
    size = jnp.abs(x)
    return x / (1 + jnp.exp(-1.702 * size)) * jnp.exp(0.851 * (x - size))


@op(ops="leaky_relu(input, alpha=0.2)", mint="nn.functional.leaky_relu(input, negative_slope=0.01, inplace=False)")
def leaky_relu(input, alpha=0.2):
    """x where it is positive, alpha * x elsewhere.

    Example:
        >>> ops.leaky_relu(Tensor([-1.0, 2.0]))
    """
    return jnp.where(input > 0, input, input * jnp.asarray(alpha, input.dtype))


@op(prim="Elu(alpha=1.0)(x)", ops="elu(input_x, alpha=1.0)")
def elu(input, alpha=1.0):
    """x where it is positive, alpha * (exp(x) - 1) elsewhere; alpha must be 1.0, as in MindSpore.

    Example:
        >>> ops.elu(Tensor([-1.0, 2.0]))
    """
    if alpha != 1.0:
        raise ValueError(f"For primitive[Elu], the alpha must be 1.0, but got {alpha}.")
    return elu_of(input, 1.0)


@op(name="elu_of", ops=False, mint="nn.functional.elu(input, alpha=1.0, inplace=False)")
def elu_of(input, alpha=1.0):
    """x where it is positive, alpha * (exp(x) - 1) elsewhere."""
    return jnp.where(input > 0, input, alpha * jnp.expm1(jnp.where(input > 0, jnp.zeros_like(input), input)))


@op(prim="CeLU(alpha=1.0)(x)", ops="celu(x, alpha=1.0)", mint="nn.functional.celu(input, alpha=1.0, inplace=False)")
def celu(x, alpha=1.0):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).

    Example:
        >>> ops.celu(Tensor([-1.0, 2.0]))
    """
    if alpha == 0:
        raise ValueError("For 'CeLU', the 'alpha' can not be equal to 0.")
    return jnp.where(x > 0, x, alpha * jnp.expm1(jnp.where(x > 0, jnp.zeros_like(x), x) / alpha))


@op(prim="SeLU()(input_x)", ops="selu(input_x)", mint="nn.functional.selu(input)")
def selu(input):
    """Self-normalizing elu: 1.0507 * (x, or 1.67326 * (exp(x) - 1) where it is negative).

    Example:
        >>> ops.selu(Tensor([-1.0, 2.0]))
    """
    return 1.0507009873554805 * elu_of(input, 1.6732632423543772)


@op(prim="SiLU()(x)", ops="silu(input)", mint="nn.functional.silu(input, inplace=False)")
def silu(input):
    """x * sigmoid(x).

    Example:
        >>> ops.silu(Tensor([-1.0, 2.0]))
    """
    return input * lax.logistic(input)


@op(prim="HSwish()(x)", ops="hardswish(input)", mint="nn.functional.hardswish(input, inplace=False)")
def hardswish(input):
    """x * min(max(x + 3, 0), 6) / 6.

    Example:
        >>> ops.hardswish(Tensor([-1.0, 2.0]))
    """
    inside = _sixth(input * (input + 3))
    return jnp.where(input < -3, jnp.zeros_like(input), jnp.where(input > 3, input, inside))


def _sixth(x):
    """x / 6, rounded once."""
    return exact_quotient(x, jnp.asarray(6, x.dtype)) if jnp.issubdtype(x.dtype, jnp.inexact) else x / 6


@op(prim="HSigmoid()(input_x)", ops="hardsigmoid(input)", mint="nn.functional.hardsigmoid(input, inplace=False)")
def hardsigmoid(input):
    """min(max((x + 3) / 6, 0), 1).

    Example:
        >>> ops.hardsigmoid(Tensor([-1.0, 2.0]))
    """
    x = to_float(input)
    return jnp.where(x <= -3, jnp.zeros_like(x), jnp.where(x >= 3, jnp.ones_like(x), _sixth(x + 3)))


@op(
    ops="hardtanh(input, min_val=-1.0, max_val=1.0)",
    mint="nn.functional.hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False)",
)
def hardtanh(input, min_val=-1.0, max_val=1.0):
    """x clipped to [min_val, max_val]; at the limits half of the gradient passes.

    Example:
        >>> ops.hardtanh(Tensor([-2.0, 0.5, 2.0]))
    """
    return jnp.minimum(jnp.maximum(input, jnp.asarray(min_val, input.dtype)), jnp.asarray(max_val, input.dtype))


@op(
    prim="HShrink(lambd=0.5)(input_x)",
    ops="hardshrink(input, lambd=0.5)",
    tensor="hardshrink(lambd=0.5)",
    mint="nn.functional.hardshrink(input, lambd=0.5)",
)
def hardshrink(input, lambd=0.5):
    """x where |x| > lambd, 0 elsewhere.

    Example:
        >>> ops.hardshrink(Tensor([-2.0, 0.3, 2.0]))
    """
    return jnp.where(jnp.abs(input) <= lambd, jnp.zeros_like(input), input)


@op(
    prim="SoftShrink(lambd=0.5)(input_x)",
    ops=("softshrink(input, lambd=0.5)", "soft_shrink(input, lambd=0.5)"),
    tensor="soft_shrink(lambd=0.5)",
    mint="nn.functional.softshrink(input, lambd=0.5)",
)
def softshrink(input, lambd=0.5):
    """x moved towards 0 by lambd, and 0 where |x| <= lambd.

    Example:
        >>> ops.softshrink(Tensor([-2.0, 0.3, 2.0]))
    """
    return jnp.where(input > lambd, input - lambd, jnp.where(input < -lambd, input + lambd, jnp.zeros_like(input)))


@op(ops="tanhshrink(input)", mint="nn.functional.tanhshrink(input)")
def tanhshrink(input):
    """x - tanh(x).

    Example:
        >>> ops.tanhshrink(Tensor([-2.0, 0.3, 2.0]))
    """
    return input - jnp.tanh(input)


@op(
    ops="threshold(input, thr, value)",
    mint="nn.functional.threshold(input, threshold, value, inplace=False)",
    operands=("input",),
)
def threshold(input, thr, value):
    """x where it is greater than `thr`, `value` elsewhere.

    Example:
        >>> ops.threshold(Tensor([0.0, 2.0]), 1.0, 100)
    """
    return jnp.where(input > thr, input, jnp.asarray(value, input.dtype))


@op(prim="Mish()(x)", ops="mish(x)", mint="nn.functional.mish(input)")
def mish(x):
    """x * tanh(log(1 + exp(x))).

    Example:
        >>> ops.mish(Tensor([-1.0, 2.0]))
    """
    return x * jnp.tanh(jax.nn.softplus(x))


@op(prim="PReLU()(x, weight)", ops="prelu(input, weight)", mint="nn.functional.prelu(input, weight)")
def prelu(input, weight):
    """x where it is positive, weight * x elsewhere; `weight` has one element, or one for each channel (axis 1).

    Example:
        >>> ops.prelu(Tensor([[-1.0, 2.0]]), Tensor([0.5]))
    """
    if weight.size > 1 and input.ndim > 1:
        if weight.size != input.shape[1]:
            raise ValueError(
                f"For 'PReLU', the size of 'weight' must be 1 or the number of channels {input.shape[1]}, but got "
                f"{weight.size}."
            )
        weight = weight.reshape((-1,) + (1,) * (input.ndim - 2))
    return jnp.where(input > 0, input, weight.astype(input.dtype) * input)


@op(
    prim="Softplus()(x)",
    ops="softplus(input, beta=1, threshold=20)",
    mint="nn.functional.softplus(input, beta=1, threshold=20)",
)
def softplus(input, beta=1, threshold=20):
    """log(1 + exp(beta * x)) / beta; x itself where beta * x is greater than `threshold`.

    Example:
        >>> ops.softplus(Tensor([-1.0, 2.0]))
    """
    scaled = input * beta
    over = scaled > threshold
    return jnp.where(over, input, jax.nn.softplus(jnp.where(over, jnp.zeros_like(scaled), scaled)) / beta)


@op(prim="Softsign()(x)", ops="softsign(x)", mint="nn.functional.softsign(input)")
def softsign(x):
    """x / (1 + |x|).

    Example:
        >>> ops.softsign(Tensor([-1.0, 2.0]))
    """
    return x / (1 + jnp.abs(x))


@op(prim="GLU(axis=-1)(x)", ops="glu(x, axis=-1)", mint="nn.functional.glu(input, dim=-1)")
def glu(x, axis=-1):
    """The first half of x along an axis times sigmoid of the second half.

    Example:
        >>> ops.glu(Tensor([[1.0, 2.0, 3.0, 4.0]]))
    """
    if x.shape[axis] % 2:
        raise ValueError(f"For 'GLU', the size of x along axis {axis} must be even, but got {x.shape[axis]}.")
    a, b = jnp.split(x, 2, axis)
    return a * lax.logistic(b)


@op(ops="swiglu(input, dim=-1)")
def swiglu(input, dim=-1):
    """silu of the first half of x along an axis times the second half.

    Example:
        >>> ops.swiglu(Tensor([[1.0, 2.0, 3.0, 4.0]]))
    """
    a, b = jnp.split(input, 2, dim)
    return a * lax.logistic(a) * b
