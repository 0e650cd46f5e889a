"""Activation functions."""

import math
from typing import Annotated, Literal

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.quotients import exact_quotient
from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, args
from ...core.spec import Array, Dtype, Ints, Number, Real
from ...core.spec.rules import LOOSE, AsValue, Raises, That, Within
from ...core.values import dtype as mstype
from ...core.values.promote import cast
from ..dtypes import floats_only, rounded_once, tanh
from ..elementwise.math import to_float
from ..shape.shaping import axis_of
from ..shapes import number_of_axes


@op(
    prim=Prim("ReLU", call=args("x"), to={"x": "input"}),
    ops=Face("relu", args("input", inplace=False), in_place="inplace"),
    mint=Face("nn.functional.relu", args("input", inplace=False), in_place="inplace"),
)
def relu(input: Array) -> Array:
    """max(x, 0), elementwise; the gradient at 0 is 0.

    Example:
        >>> print(ops.relu(Tensor([-1.0, 2.0])))
        [0. 2.]
    """
    # a NaN stays one: hidden here, it would come back as a wrong number elsewhere
    return jnp.where(input <= 0, jnp.zeros_like(input), input) if input.dtype != bool else input


@op(
    prim=(Prim("ReLU6", call=args("x"), to={"x": "input"}),),
    ops=Face("relu6", args("x"), to={"x": "input"}),
    mint=Face("nn.functional.relu6", args("input", inplace=False), in_place="inplace"),
)
def relu6(input: Array) -> Array:
    """min(max(x, 0), 6), elementwise; the gradient at 6 is 1.

    Example:
        >>> print(ops.relu6(Tensor([-1.0, 2.0, 8.0])))
        [0. 2. 6.]
    """
    return jnp.where(input <= 0, jnp.zeros_like(input), jnp.where(input > 6, jnp.full_like(input, 6), input))


@op(prim=Prim("ReLUV2"), ops=True)
def relu_v2(x: Array):
    """max(x, 0) and the mask of the elements that were positive (uint8)."""
    return relu(x), (x > 0).astype(jnp.uint8)


@op(
    prim=Prim("Sigmoid", call=args("x"), to={"x": "input"}),
    ops=True,
    tensor="sigmoid",
    mint=("sigmoid", "nn.functional.sigmoid"),
)
def sigmoid(input: Array) -> Array:
    """1 / (1 + exp(-x)), elementwise.

    Example:
        >>> print(ops.sigmoid(Tensor([0.0, 1.0])))
        [0.5       0.7310586]
    """
    return lax.logistic(to_float(input))


@op(ops=True, mint=Face("nn.functional.logsigmoid", args("input"), to={"input": "x"}))
@rounded_once
def logsigmoid(x: Array) -> Array:
    """log(sigmoid(x)), without overflow.

    Example:
        >>> print(ops.logsigmoid(Tensor([0.0, 1.0])))
        [-0.6931472 -0.3132617]
    """
    return -jnp.logaddexp(-x, jnp.zeros_like(x))


def _default_axis(x):
    """The axis of mint.nn.functional.softmax when none is given."""
    return 0 if x.ndim in (0, 1, 3) else 1


def _axis_numbers(axis):
    return tuple(axis) if isinstance(axis, list) else axis


@op(
    prim=Prim("Softmax", init=args(axis=-1), call=args("x"), to={"x": "input"}),
    ops=Face("softmax", args("input", axis=-1).only(dtype=None)),
    tensor=Method("softmax", args("axis", dtype=None)),
    mint=(
        Face("softmax", args("input", "dim").only(dtype=None), to={"dim": "axis"}),
        Face("nn.functional.softmax", args("input", dim=None, dtype=None), to={"dim": "axis"}),
    ),
    residuals=True,
)
def softmax(input: Array, axis: Ints = -1, dtype: Dtype | None = None) -> Array:
    """exp(x) / sum(exp(x)) along an axis (or a tuple of them).

    Example:
        >>> print(ops.softmax(Tensor([1.0, 2.0, 3.0])))
        [0.09003057 0.24472848 0.66524094]
    """
    if dtype is not None:
        input = cast(input, mstype.to_numpy(dtype))
    if not jnp.issubdtype(input.dtype, jnp.floating):
        raise TypeError(
            "For 'Softmax', the type of 'input' must be a float type, but got "
            f"Tensor[{mstype.from_numpy(input.dtype)}]."
        )
    if input.ndim == 0:
        axis_of("Softmax", 0 if axis is None else axis, 1)
        return jnp.ones_like(input)
    return jax.nn.softmax(input, axis=_default_axis(input) if axis is None else _axis_numbers(axis))


@op(
    prim=(Prim("LogSoftmax", init=args(axis=-1), call=args("logits")), Prim("LogSoftmaxExt", inputs=("logits",))),
    ops=Face("log_softmax", args("logits", axis=-1)),
    mint=(
        Face(
            "nn.functional.log_softmax", args("input", dim=None).only(dtype=None), to={"input": "logits", "dim": "axis"}
        ),
        Face("special.log_softmax", args("input", dim=None).only(dtype=None), to={"input": "logits", "dim": "axis"}),
    ),
    residuals=True,
)
def log_softmax(logits: Array, axis: int = -1, dtype: Dtype | None = None) -> Array:
    """log(softmax(x)) along an axis, without overflow.

    Example:
        >>> print(ops.log_softmax(Tensor([1.0, 2.0, 3.0])))
        [-2.407606   -1.4076059  -0.40760595]
    """
    if dtype is not None:
        logits = cast(logits, mstype.to_numpy(dtype))
    if logits.ndim == 0 and axis in (-1, 0):
        return jnp.zeros_like(logits)
    axis = _default_axis(logits) if axis is None else _axis_numbers(axis)
    return rounded_once(jax.nn.log_softmax)(logits, axis=axis)


@op(ops=Face("softmin", args("x", axis=-1).only(dtype=None)), residuals=True)
def softmin(x: Array, axis: Ints = -1, dtype: Dtype | None = None) -> Array:
    """softmax(-x) along an axis.

    Example:
        >>> print(ops.softmin(Tensor([1.0, 2.0, 3.0])))
        [0.66524094 0.24472848 0.09003057]
    """
    return softmax(-x, axis, dtype)


@op(
    prim=(Prim("GeLU", call=args("x"), to={"x": "input"}), Prim("Gelu", call=args("x"), to={"x": "input"})),
    ops=(Face("gelu", args("input", approximate="none")),),
    mint=(
        Face("nn.functional.gelu", args("input").only(approximate="none")),
        Face("npu_gelu", args("input", approximate="none")),
    ),
)
@rounded_once
def gelu(input: Array, approximate: AsValue[Literal["none", "tanh"]] = "tanh") -> Array:
    """Gaussian error linear unit: x times the normal distribution function of x ("none"), or its approximation by tanh
    ("tanh").

    Raises:
        ValueError: another `approximate`.

    Example:
        >>> print(ops.gelu(Tensor([-1.0, 2.0])))
        [-0.15865527  1.9544997 ]
    """
    floats_only("gelu", input=input)
    if approximate == "none":
        return jax.nn.gelu(input, approximate=False)
    near = jnp.clip(input, -32, 32)  # beyond, the share is 0 or 1; the cube, and its derivative, would not fit
    share = 0.5 * (1 + jnp.tanh(np.sqrt(2 / np.pi).astype(input.dtype) * (near + 0.044715 * near**3)))
    return input * share


@op(prim=(Prim("FastGeLU"), Prim("FastGelu")), ops=True)
def fast_gelu(x: Array) -> Array:
    """A cheap approximation of gelu: x / (1 + exp(-1.702 |x|)) * exp(0.851 (x - |x|)).

    Example:
        >>> print(ops.fast_gelu(Tensor([-1.0, 2.0])))
        [-0.15420423  1.9356586 ]
    """
    wide = x.astype(jnp.promote_types(x.dtype, jnp.float32))  # in float16 the difference below is too rough
    size = jnp.abs(wide)
    below = jnp.minimum(
        wide, 0
    )  # half of x - |x|, of whose derivatives the sum loses all that is added to large numbers
    return (wide / (1 + jnp.exp(-1.702 * size)) * jnp.exp(1.702 * below)).astype(x.dtype)


@op(ops=True)
def leaky_relu(input: Array, alpha: Number = 0.2) -> Array:
    """x if it is positive, else alpha * x, elementwise; the gradient at 0 is (1 + alpha) / 2.

    Example:
        >>> print(ops.leaky_relu(Tensor([-1.0, 2.0])))
        [-0.2  2. ]
    """
    low = input * cast(alpha, input.dtype)
    return jnp.minimum(low, input) if alpha > 1 else jnp.maximum(low, input)


@op(
    name="leaky_relu_of",
    ops=False,
    mint=Face(
        "nn.functional.leaky_relu",
        args("input", negative_slope=0.01, inplace=False),
        to={"negative_slope": "alpha"},
        in_place="inplace",
    ),
)
def leaky_relu_of(input: Array, alpha: Number = 0.01) -> Array:
    """x if it is positive, else alpha * x, elementwise; the gradient at 0 is alpha."""
    return jnp.where(input > 0, input, input * cast(alpha, input.dtype))


@op(
    prim=Prim("Elu", init=args(alpha=1.0), call=args("x"), to={"x": "input"}),
    ops=Face("elu", args("input_x", alpha=1.0), to={"input_x": "input"}),
)
def elu(input: Array, alpha: Annotated[Number, LOOSE, That("equal to 1.0", lambda alpha: alpha == 1)] = 1.0) -> Array:
    """x if it is positive, else alpha * (exp(x) - 1), elementwise; alpha must be 1.0, as in MindSpore.

    Example:
        >>> print(ops.elu(Tensor([-1.0, 2.0])))
        [-0.63212055  2.        ]
    """
    return elu_of(input, 1.0)


@op(
    name="elu_of",
    ops=False,
    mint=Face("nn.functional.elu", args("input", alpha=1.0, inplace=False), in_place="inplace"),
)
@rounded_once
def elu_of(input: Array, alpha: Number = 1.0) -> Array:
    """x if it is positive, else alpha * (exp(x) - 1), elementwise."""
    # NaN passes by the branch of x: the gradient there is 1, so a mask that leaves a NaN out leaves no NaN in the gradient
    below = input <= 0
    return jnp.where(below, alpha * jnp.expm1(jnp.where(below, input, jnp.zeros_like(input))), input)


@op(
    prim=Prim("CeLU", inputs=("x",)),
    ops=True,
    mint=Face("nn.functional.celu", args("input", alpha=1.0, inplace=False), to={"input": "x"}, in_place="inplace"),
)
@rounded_once
def celu(x: Array, alpha: Annotated[Number, LOOSE, That("except 0", lambda alpha: alpha != 0)] = 1.0) -> Array:
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).

    Example:
        >>> print(ops.celu(Tensor([-1.0, 2.0])))
        [-0.63212055  2.        ]
    """
    return jnp.where(x > 0, x, alpha * jnp.expm1(jnp.where(x > 0, jnp.zeros_like(x), x) / alpha))


@op(
    prim=Prim("SeLU", call=args("input_x"), to={"input_x": "input"}),
    ops=Face("selu", args("input_x"), to={"input_x": "input"}),
    mint="nn.functional.selu",
)
def selu(input: Array) -> Array:
    """Self-normalizing elu: 1.0507 * x if x is positive, else 1.0507 * 1.67326 * (exp(x) - 1).

    Example:
        >>> print(ops.selu(Tensor([-1.0, 2.0])))
        [-1.1113307  2.101402 ]
    """
    if _in_whole_numbers("SeLU", input, ("int8", "int32")):  # the kernel's constants are whole numbers then, too
        return jnp.where(input >= 0, input, jnp.trunc(jnp.expm1(input.astype(jnp.float32))).astype(input.dtype))
    below = 1.6732632423543772 * jnp.expm1(jnp.where(input < 0, input, jnp.zeros_like(input)))
    return 1.0507009873554805 * jnp.where(input < 0, below, input)


@op(
    prim=Prim("SiLU", call=args("x"), to={"x": "input"}),
    ops=True,
    mint=Face("nn.functional.silu", args("input", inplace=False), in_place="inplace"),
)
def silu(input: Array) -> Array:
    """x * sigmoid(x).

    Example:
        >>> print(ops.silu(Tensor([-1.0, 2.0])))
        [-0.26894143  1.761594  ]
    """
    return input * lax.logistic(input)


@op(
    prim=Prim("HSwish", call=args("x"), to={"x": "input"}),
    ops=True,
    mint=Face("nn.functional.hardswish", args("input", inplace=False), in_place="inplace"),
)
def hardswish(input: Array) -> Array:
    """x * min(max(x + 3, 0), 6) / 6.

    Example:
        >>> print(ops.hardswish(Tensor([-1.0, 2.0])))
        [-0.33333334  1.6666666 ]
    """
    if _in_whole_numbers("HSwish", input):
        return jnp.trunc(hardswish(input.astype(jnp.float64))).astype(input.dtype)
    near = jnp.where(jnp.abs(input) > 3, jnp.zeros_like(input), input)  # infinities have a gradient, too
    inside = _sixth(near * (near + 3))
    return jnp.where(input < -3, jnp.zeros_like(input), jnp.where(input > 3, input, inside))


def _in_whole_numbers(name, x, taken=("int8", "int16", "int32", "int64")):
    """Whether the result is rounded towards zero, as that of integers is.

    Raises:
        TypeError: the array is neither of a float type nor of those taken.
    """
    if x.dtype.name in taken:
        return True
    floats_only(name, input=x)
    return False


def _sixth(x):
    """x / 6, rounded once."""
    return exact_quotient(x, jnp.asarray(6, x.dtype))


@op(
    prim=Prim("HSigmoid", call=args("input_x"), to={"input_x": "input"}),
    ops=True,
    mint=Face("nn.functional.hardsigmoid", args("input", inplace=False), in_place="inplace"),
)
@rounded_once
def hardsigmoid(input: Array) -> Array:
    """min(max((x + 3) / 6, 0), 1).

    Example:
        >>> print(ops.hardsigmoid(Tensor([-1.0, 2.0])))
        [0.33333334 0.8333333 ]
    """
    if _in_whole_numbers("HSigmoid", input):
        return (input >= 3).astype(input.dtype)
    x = input
    return jnp.where(x <= -3, jnp.zeros_like(x), jnp.where(x >= 3, jnp.ones_like(x), _sixth(x + 3)))


@op(
    ops=True,
    mint=Face("nn.functional.hardtanh", args("input", min_val=-1.0, max_val=1.0, inplace=False), in_place="inplace"),
)
def hardtanh(input: Array, min_val: Number = -1.0, max_val: Number = 1.0) -> Array:
    """x clipped to [min_val, max_val]; at the limits half of the gradient passes.

    Example:
        >>> print(ops.hardtanh(Tensor([-2.0, 0.5, 2.0])))
        [-1.   0.5  1. ]
    """
    if input.dtype == bool:
        return jnp.clip(input.astype(jnp.float32), min_val, max_val) != 0
    low, high = (
        each if jnp.issubdtype(input.dtype, jnp.floating) or abs(each) != math.inf else None
        for each in (min_val, max_val)
    )
    least = input if low is None else jnp.maximum(input, cast(low, input.dtype))  # no integer is infinite
    return least if high is None else jnp.minimum(least, cast(high, input.dtype))


@op(
    prim=Prim("HShrink", init=args(lambd=0.5), call=args("input_x"), to={"input_x": "input"}),
    ops=True,
    tensor="hardshrink",
    mint="nn.functional.hardshrink",
)
def hardshrink(input: Array, lambd: Number = 0.5) -> Array:
    """x where |x| > lambd, 0 elsewhere.

    Example:
        >>> print(ops.hardshrink(Tensor([-2.0, 0.3, 2.0])))
        [-2.  0.  2.]
    """
    return jnp.where(jnp.abs(input) <= lambd, jnp.zeros_like(input), input)


@op(
    prim=Prim("SoftShrink", init=args(lambd=0.5), call=args("input_x"), to={"input_x": "input"}),
    ops=("softshrink", "soft_shrink"),
    tensor="soft_shrink",
    mint="nn.functional.softshrink",
)
def softshrink(
    input: Array, lambd: Annotated[Number, LOOSE, Within("[0, inf]"), Raises(value=RuntimeError)] = 0.5
) -> Array:
    """x moved towards 0 by lambd, and 0 where |x| <= lambd.

    Example:
        >>> print(ops.softshrink(Tensor([-2.0, 0.3, 2.0])))
        [-1.5  0.   1.5]
    """
    return jnp.where(input > lambd, input - lambd, jnp.where(input < -lambd, input + lambd, jnp.zeros_like(input)))


@op(ops=True, mint="nn.functional.tanhshrink")
def tanhshrink(input: Array) -> Array:
    """x - tanh(x).

    Example:
        >>> print(ops.tanhshrink(Tensor([-2.0, 0.3, 2.0])))
        [-1.0359724   0.00868741  1.0359724 ]
    """
    input = to_float(input)
    return input - tanh(input)


@op(
    ops=True,
    mint=Face(
        "nn.functional.threshold",
        args("input", "threshold", "value", inplace=False),
        to={"threshold": "thr"},
        in_place="inplace",
    ),
)
def threshold(input: Array, thr: Real, value: Number) -> Array:
    """x if it is greater than `thr`, else `value`, elementwise.

    Example:
        >>> print(ops.threshold(Tensor([0.0, 2.0]), 1.0, 100))
        [100.   2.]
    """
    return jnp.where(input > thr, input, cast(value, input.dtype))


@op(prim=Prim("Mish"), ops=True, mint=Face("nn.functional.mish", args("input"), to={"input": "x"}))
@rounded_once
def mish(x: Array) -> Array:
    """x * tanh(log(1 + exp(x))).

    Example:
        >>> print(ops.mish(Tensor([-1.0, 2.0])))
        [-0.30340144  1.943959  ]
    """
    return x * jnp.tanh(jax.nn.softplus(x))


@op(prim=Prim("PReLU", call=args("x", "weight"), to={"x": "input"}), ops=True, mint="nn.functional.prelu")
def prelu(input: Array, weight: Array) -> Array:
    """x if it is positive, else weight * x, elementwise; `weight` has one element, or one for each channel (axis 1).

    Example:
        >>> print(ops.prelu(Tensor([[-1.0, 2.0]]), Tensor([0.5])))
        [[-0.5  2. ]]
    """
    number_of_axes("PReLU", 1, weight=weight.shape)
    channels = input.shape[1] if input.ndim > 1 else 1
    if weight.size not in (1, channels):
        raise ValueError(
            f"For 'PReLU', the size of 'weight' must be 1 or the number of channels, {channels}, but got {weight.size}."
        )
    weight = weight.reshape(()) if weight.size == 1 else weight.reshape((-1,) + (1,) * (input.ndim - 2))
    below = jnp.where(input > 0, 0, input)  # an infinity times the gradient 0 would be NaN for the weight
    return jnp.where(input > 0, input, weight.astype(input.dtype) * below)


@op(prim=Prim("Softplus", call=args("x"), to={"x": "input"}), ops=False, mint="nn.functional.softplus")
@rounded_once
def softplus(
    input: Array, beta: Annotated[Number, LOOSE, That("except 0", lambda beta: beta != 0)] = 1, threshold: Number = 20
) -> Array:
    """log(1 + exp(beta * x)) / beta; x itself where beta * x is greater than `threshold`.

    Example:
        >>> print(ops.softplus(Tensor([-1.0, 2.0])))
        [0.3132617 2.126928 ]
    """
    scaled = input * beta
    over = scaled > threshold
    return jnp.where(over, input, jax.nn.softplus(jnp.where(over, jnp.zeros_like(scaled), scaled)) / beta)


@composite(ops=Face("softplus", args("input", beta=1, threshold=20)), name="softplus_of_product")
def softplus_of_product(input: Array, beta: Number = 1, threshold: Number = 20) -> Array:
    """log(1 + exp(beta * x)) / beta; x itself where beta * x is greater than `threshold`.

    Example:
        >>> print(ops.softplus(Tensor([-1.0, 2.0])))
        [0.3132617 2.126928 ]
    """
    if isinstance(beta, float):  # beta * x is a float then
        input = records["mul"](input, 1.0)
    return records["softplus"](input, beta, threshold)


@op(prim=Prim("Softsign"), ops=True, mint=Face("nn.functional.softsign", args("input"), to={"input": "x"}))
@rounded_once
def softsign(x: Array) -> Array:
    """x / (1 + |x|).

    Example:
        >>> print(ops.softsign(Tensor([-1.0, 2.0])))
        [-0.5        0.6666667]
    """
    return x / (1 + jnp.abs(x))


@op(
    prim=Prim("GLU", inputs=("x",)),
    ops=True,
    mint=Face("nn.functional.glu", args("input", dim=-1), to={"input": "x", "dim": "axis"}),
)
def glu(x: Array, axis: int = -1) -> Array:
    """The first half of x along an axis times sigmoid of the second half.

    Example:
        >>> print(ops.glu(Tensor([[1.0, 2.0, 3.0, 4.0]])))
        [[0.95257413 1.9640275 ]]
    """
    if x.shape[axis] % 2:
        raise RuntimeError(f"For 'GLU', the size of x along axis {axis} must be even, but got {x.shape[axis]}.")
    a, b = jnp.split(x, 2, axis)
    return a * lax.logistic(b)


@op(ops=True)
def swiglu(input: Array, dim: int = -1) -> Array:
    """silu of the first half of x along an axis times the second half.

    Example:
        >>> print(ops.swiglu(Tensor([[1.0, 2.0, 3.0, 4.0]])))
        [[2.1931758 7.046376 ]]
    """
    a, b = jnp.split(input, 2, dim)
    return a * lax.logistic(a) * b
