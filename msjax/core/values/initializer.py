"""Initializers: how Parameters get their first content.

All draw on the host with NumPy, so making a network compiles nothing. Each takes one number from NumPy's global stream and draws from
MindSpore's generator with it (`philox.py`): with the same seed a network has the same weights in both, and what a script draws from
`np.random` afterwards is the same too.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..settings.execution_state import here, within
from ..settings.seed import next_seeds
from . import dtype as mstype
from . import philox
from .deferred import blocks
from .tensor import Tensor

if TYPE_CHECKING:
    from .dtype import Type

__all__ = [
    "Constant",
    "Dirac",
    "HeNormal",
    "HeUniform",
    "Identity",
    "Initializer",
    "Normal",
    "One",
    "Orthogonal",
    "Sparse",
    "TruncatedNormal",
    "Uniform",
    "VarianceScaling",
    "XavierNormal",
    "XavierUniform",
    "Zero",
    "initializer",
]

_BY_NAME = {}


def _register(*names):
    def add(cls):
        for name in (cls.__name__.lower(), *names):
            _BY_NAME[name] = cls
        return cls

    return add


def _seed():
    """One number of NumPy's global stream: drawn now, or when the Parameter was made."""
    drawn = here().drawn
    return int(np.random.randint(1, 1 << 63, dtype=np.int64)) if drawn is None else drawn


class Initializer:
    """Base class: a subclass fills the NumPy array that it is given, in `_initialize(arr)`.

    Example:
        >>> from mindspore.common.initializer import Initializer
        >>> class Two(Initializer):
        ...     def _initialize(self, arr):
        ...         arr[...] = 2
        >>> w = Parameter(initializer(Two(), (2, 3)))
        >>> print(w.asnumpy())
        [[2. 2. 2.]
         [2. 2. 2.]]
    """

    def __init__(self, **kwargs):
        self._kwargs = kwargs

    _seed = None
    draws = True  # whether it takes a number from NumPy's global stream

    @property
    def can_wait(self):
        """Whether content can be made later than the Parameter: all that it draws is one number. So in classes that say `_waits`, not in
        classes derived from them.
        """
        return "_waits" in vars(type(self))

    def check(self, shape: Sequence[int]):
        """ValueError if the initializer cannot fill `shape`, or was made with invalid arguments."""
        with within(drawn=0):
            self(np.empty((1,) * len(shape), np.float32))

    @property
    def seed(self):
        """(seed, second seed): of the number that was assigned, else the next one of the global seed. (0, 0) without any.

        Content does not depend on it: its seed is drawn from NumPy's global stream.
        """
        return next_seeds() if self._seed is None else (self._seed + 1, 0)

    @seed.setter
    def seed(self, value: Any):
        self._seed = value

    def _initialize(self, *kwargs):
        raise NotImplementedError(
            f"'{type(self).__name__}' must override '_initialize(self, arr)', which fills the NumPy array 'arr'."
        )

    def __call__(self, arr: np.ndarray):
        return self._initialize(arr)


def _fill(arr, draw, seed):
    seed = _seed() if seed is None else int(seed)
    for start, block in blocks(arr):
        philox.fill(block, draw, seed, start)


def _sigma(sigma):
    if sigma < 0:
        raise ValueError(f"The standard deviation of an initializer must not be negative, but got {sigma}.")
    return sigma


def _normal(arr, mean, sigma, seed=None):
    _fill(arr, philox.normal(mean, _sigma(sigma)), seed)


def _uniform(arr, low, high, seed=None):
    _fill(arr, philox.uniform(low, high), seed)


def _truncated_normal(arr, mean, sigma, low, high, seed=None):
    """Normal draws between `low` and `high`."""
    _fill(arr, philox.truncated_normal(mean, _sigma(sigma), low, high), seed)


def _fans(shape):
    """(fan_in, fan_out) of a weight of shape (out, in, *kernel)."""
    if len(shape) < 2:
        raise ValueError(
            "'fan_in' and 'fan_out' can not be computed for tensor with fewer than 2 dimensions, "
            f"but got dimensions {len(shape)}."
        )
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def _fan(shape, mode):
    if mode.lower() not in ("fan_in", "fan_out"):
        raise ValueError(f"'mode' {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _fans(shape)[mode.lower() == "fan_out"]


_calculate_fan_in_and_fan_out, _calculate_correct_fan = (
    _fans,
    _fan,
)  # MindSpore's names, which layers of projects import


def _gain(nonlinearity, slope=None):
    if nonlinearity in (
        "linear",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_transpose1d",
        "conv_transpose2d",
        "conv_transpose3d",
        "sigmoid",
    ):
        return 1.0
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        if slope is None:
            slope = 0.01
        elif isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(
                f"For 'HeUniform', 'negative_slope' {slope} is not a valid number: it should be int or float, "
                f"but got {type(slope)}."
            )
        return math.sqrt(2.0 / (1 + slope**2))
    raise ValueError(
        "For 'HeUniform', the argument 'nonlinearity' should be one of ['sigmoid', 'tanh', 'relu' or 'leaky_relu'], "
        f"but got {nonlinearity}."
    )


@_register("zeros")
class Zero(Initializer):
    """All zeros."""

    _waits, draws, constant = True, False, 0

    def _initialize(self, arr):
        arr.fill(0)


@_register("ones")
class One(Initializer):
    """All ones."""

    _waits, draws, constant = True, False, 1

    def _initialize(self, arr):
        arr.fill(1)


@_register()
class Constant(Initializer):
    """One value everywhere, or the content of an array."""

    def __init__(self, value: float | np.ndarray):
        super().__init__(value=value)
        self.value = value

    draws = False

    @property
    def can_wait(self):
        """Whether the content can be made later: the value is one number, not an array that may change in the meantime."""
        return type(self) is Constant and np.ndim(self.value) == 0

    @property
    def constant(self):
        """The value, if it is one."""
        return self.value if self.can_wait else None

    def _initialize(self, arr):
        arr[...] = np.asarray(self.value)


@_register("xavier_normal")
class XavierNormal(Initializer):
    """Normal with standard deviation gain * sqrt(2 / (fan_in + fan_out)) (Glorot and Bengio, 2010)."""

    _waits = True

    def __init__(self, gain: int | float = 1):
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr):
        _normal(arr, 0, self.gain * math.sqrt(2.0 / sum(_fans(arr.shape))))


@_register("xavier_uniform")
class XavierUniform(Initializer):
    """Uniform within gain * sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio, 2010)."""

    _waits = True

    def __init__(self, gain: int | float = 1):
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr):
        bound = self.gain * math.sqrt(6.0 / sum(_fans(arr.shape)))
        _uniform(arr, -bound, bound)


@_register("he_uniform")
class HeUniform(Initializer):
    """Uniform within sqrt(3) * gain / sqrt(fan) (He et al., 2015)."""

    _waits = True

    def __init__(self, negative_slope: int | float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"):
        super().__init__(negative_slope=negative_slope, mode=mode, nonlinearity=nonlinearity)
        self.negative_slope, self.mode, self.nonlinearity = negative_slope, mode, nonlinearity

    def _initialize(self, arr):
        bound = math.sqrt(3.0) * _gain(self.nonlinearity, self.negative_slope) / math.sqrt(_fan(arr.shape, self.mode))
        _uniform(arr, -bound, bound)


@_register("he_normal")
class HeNormal(Initializer):
    """Normal with standard deviation gain / sqrt(fan) (He et al., 2015)."""

    _waits = True

    def __init__(self, negative_slope: int | float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"):
        super().__init__(negative_slope=negative_slope, mode=mode, nonlinearity=nonlinearity)
        self.negative_slope, self.mode, self.nonlinearity = negative_slope, mode, nonlinearity

    def _initialize(self, arr):
        _normal(arr, 0, _gain(self.nonlinearity, self.negative_slope) / math.sqrt(_fan(arr.shape, self.mode)))


@_register()
class Identity(Initializer):
    """The identity matrix; two axes only."""

    def _initialize(self, arr):
        if arr.ndim != 2:
            raise ValueError(
                f"For Identity initializer, the dimension of the initialized tensor should be 2, but got {arr.ndim}."
            )
        arr[...] = np.eye(*arr.shape)


@_register()
class Sparse(Initializer):
    """Normal(0, sigma), with the fraction `sparsity` of each column set to zero; two axes only."""

    def __init__(self, sparsity: float, sigma: int | float = 0.01):
        super().__init__(sparsity=sparsity, sigma=sigma)
        self.sparsity, self.sigma = sparsity, sigma

    def _initialize(self, arr):
        if arr.ndim != 2:
            raise ValueError(
                f"For Sparse initializer, the dimension of the initialized tensor should be 2, but got {arr.ndim}."
            )
        rows, columns = arr.shape
        zeros = int(math.ceil(self.sparsity * rows))
        _normal(arr, 0, self.sigma)
        for column in range(columns):
            arr[np.random.permutation(rows)[:zeros], column] = 0


@_register()
class Dirac(Initializer):
    """Convolution weight (3 to 5 axes) that passes its input channels on unchanged, in each of `groups` groups."""

    def __init__(self, groups: int = 1):
        super().__init__(groups=groups)
        self.groups = groups

    def _initialize(self, arr):
        if arr.ndim not in (3, 4, 5):
            raise ValueError(
                f"For Dirac initializer, only support to initialize tensor with dimension of 3, 4 or 5, but got {arr.ndim}."
            )
        if arr.shape[0] % self.groups:
            raise ValueError(
                "For Dirac initializer, the first dimension of the initialized tensor must be divisible by groups, "
                f"but got first dimension {arr.shape[0]}, groups {self.groups}."
            )
        arr.fill(0)
        out = arr.shape[0] // self.groups
        centre = tuple(k // 2 for k in arr.shape[2:])
        for group in range(self.groups):
            for channel in range(min(out, arr.shape[1])):
                arr[(group * out + channel, channel, *centre)] = 1


@_register()
class Orthogonal(Initializer):
    """A (semi-)orthogonal matrix times `gain`; axes after the first are taken together (Saxe et al., 2013)."""

    def __init__(self, gain: int | float = 1.0):
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr):
        if arr.ndim < 2:
            raise ValueError(
                "For Orthogonal initializer, the dimension of the initialized tensor should be greater than or equal to 2, "
                f"but got {arr.ndim}."
            )
        rows, columns = arr.shape[0], math.prod(arr.shape[1:])
        draw = np.empty((rows, columns), np.float32)
        _normal(draw, 0, 1)
        q, r = np.linalg.qr(draw if rows >= columns else draw.T)
        q = q * np.sign(np.diag(r))
        arr[...] = (self.gain * (q if rows >= columns else q.T)).reshape(arr.shape)


@_register()
class VarianceScaling(Initializer):
    """Variance scale / fan, drawn from "untruncated_normal", "uniform" or "truncated_normal".

    MindSpore draws "truncated_normal" uniformly, with the same variance, and so does msjax: the weights are then the same.
    """

    _waits = True

    def __init__(self, scale: int | float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal"):
        super().__init__(scale=scale, mode=mode, distribution=distribution)
        if scale <= 0.0:
            raise ValueError(
                f"For VarianceScaling initializer, the argument 'scale' must be greater than 0, but got {scale}."
            )
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(
                f"For VarianceScaling initializer, the argument 'mode' must be fan_in, fan_out or fan_avg, but got {mode}."
            )
        if distribution not in ("uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError(
                "For VarianceScaling initializer, the argument 'distribution' must be uniform, truncated_normal or "
                f"untruncated_normal, but got {distribution}."
            )
        self.scale, self.mode, self.distribution = scale, mode, distribution

    def _initialize(self, arr):
        fan_in, fan_out = _fans(arr.shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[self.mode]
        variance = self.scale / max(1.0, fan)
        if self.distribution == "untruncated_normal":
            _normal(arr, 0, math.sqrt(variance))
        else:
            bound = math.sqrt(3.0 * variance)
            _uniform(arr, -bound, bound)


@_register()
class Uniform(Initializer):
    """Uniform within [-scale, scale]."""

    _waits = True

    def __init__(self, scale: int | float = 0.07):
        super().__init__(scale=scale)
        self.scale = scale

    def _initialize(self, arr):
        _uniform(arr, -self.scale, self.scale)


@_register()
class Normal(Initializer):
    """Normal with mean `mean` and standard deviation `sigma`."""

    _waits = True

    def __init__(self, sigma: int | float = 0.01, mean: int | float = 0.0):
        super().__init__(sigma=sigma, mean=mean)
        self.sigma, self.mean = sigma, mean

    def _initialize(self, arr):
        _normal(arr, self.mean, self.sigma)


@_register()
class TruncatedNormal(Initializer):
    """Normal cut to the interval [a, b].

    Until MindSpore 1.x, a and b were counted in standard deviations from the mean; in 2.x they are the interval's ends.

    Raises:
        ValueError: `sigma` is negative, or `a` is not less than `b`.
    """

    _waits = True

    def __init__(self, sigma: int | float = 0.01, mean: int | float = 0.0, a: int | float = -2.0, b: float = 2.0):
        super().__init__(sigma=sigma, mean=mean, a=a, b=b)
        self.sigma, self.mean, self.a, self.b = sigma, mean, a, b

    @property
    def draws(self):
        """Whether it takes a number from NumPy's global stream: not where all elements are the mean."""
        return self.sigma != 0

    def _initialize(self, arr):
        if self.a >= self.b:
            raise ValueError(f"For 'TruncatedNormal', the 'a' must be less than 'b', but got {self.a} and {self.b}.")
        if self.sigma == 0:
            arr[...] = self.mean
            return
        _truncated_normal(arr, self.mean, self.sigma, self.a, self.b)


def initializer(init: Any, shape: int | Sequence[int] | None = None, dtype: "Type" = mstype.float32):
    """Tensor of the given shape that `init` fills on first use.

    Args:
        init: Initializer, its name ("normal", "ones", "xavier_uniform", ...), a number, or a Tensor of that shape.
        shape: int, tuple or list of ints; may be left out where `init` is a Tensor.
        dtype: mindspore dtype.

    Raises:
        TypeError, ValueError: an unknown name, or an `init` or `shape` of the wrong kind.

    Example:
        >>> print(initializer("ones", (2, 3)).init_data())
        [[1. 1. 1.]
         [1. 1. 1.]]
    """
    if not isinstance(init, (Tensor, int, float, str, Initializer, np.number)):
        raise TypeError(
            "For 'initializer', the type of the 'init' argument should be 'Tensor', 'number', 'string' or "
            f"'initializer', but got {type(init)}."
        )
    if isinstance(init, Tensor):
        if shape is not None and tuple(_shape(shape)) != tuple(init.shape):
            raise ValueError(
                "For 'initializer', the shape of the 'init' argument should be same as the argument 'shape', but got the "
                f"'init' shape {init.shape} and the 'shape' {shape}."
            )
        return init
    if isinstance(init, str):
        if init.lower() not in _BY_NAME:
            raise ValueError(
                f"For 'initializer', the class corresponding to '{init}' was not found; there are {', '.join(sorted(_BY_NAME))}."
            )
        init = _BY_NAME[init.lower()]()
    elif not isinstance(init, Initializer):
        init = Constant(init)
    return Tensor(shape=_shape(() if shape is None else shape), dtype=dtype, init=init)


# What initializers outside this package are made of.
_INITIALIZER_ALIAS, _calculate_gain = _BY_NAME, _gain
fill_normal, fill_uniform, fill_truncated_normal = _normal, _uniform, _truncated_normal


def _assignment(arr, num):
    """Fill an array with a number or with another array, and return it."""
    if arr.shape == ():
        arr = arr.reshape(1)
        arr[:] = num
        return arr.reshape(())
    arr[:] = num[:] if isinstance(num, np.ndarray) else num
    return arr


def _init_random_normal(mean, sigma, shape):
    """An array of normal draws."""
    made = np.empty(shape, np.float32)
    _normal(made, mean, sigma)
    return made


def _init_random_uniform(a, b, shape):
    """An array of uniform draws from [a, b)."""
    made = np.empty(shape, np.float32)
    _uniform(made, a, b)
    return made


def _init_truncated_normal(a, b, mean, sigma, shape):
    """An array of normal draws between a and b."""
    made = np.empty(shape, np.float32)
    _truncated_normal(made, mean, sigma, a, b)
    return made


def _calculate_in_and_out(arr):
    """(inputs, outputs) that one element of a weight array connects."""
    return _fans(arr.shape)


def _shape(shape):
    items = shape if isinstance(shape, (list, tuple)) else (shape,)
    for length in items:
        if isinstance(length, bool) or not isinstance(length, (int, np.integer)) or length < 1:
            raise ValueError(
                "For 'initializer', the argument 'shape' is invalid, the value of 'shape' must be positive integer, "
                f"but got {shape}."
            )
    return tuple(int(length) for length in items)
