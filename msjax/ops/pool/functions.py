"""Pooling functions and Primitives in one, two and three dimensions; `pool` holds the window arithmetic.

Positions of maxima are flat within the last axes of one channel. A maximum that is tied belongs to the first element of its window.
"""

import math
import numbers
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Dtype, Ints, Real, Static
from ...core.values import dtype as mstype
from ..conv.kernels import paddings, spread
from ..dtypes import floats_only
from ..elementwise.math import to_float
from ..shape.shaping import merged
from ..shapes import number_of_axes
from .windows import _channels_first, _restore, avg_pool, ceil_pads, lowest, max_pool

if TYPE_CHECKING:
    import jax


def batched(name: str, x: "jax.Array", n: int, unbatched: bool = True):
    """(x with a batch axis, whether it was added) for an (N, C, ...) or (C, ...) array with n last axes.

    unbatched: whether a (C, ...) array is taken.
    """
    if not unbatched:
        number_of_axes(name, n + 2, input=x.shape)
    if x.ndim not in (n + 1, n + 2):
        raise ValueError(f"For '{name}', the dim of input should be {n + 1} or {n + 2}, but got {x.ndim}.")
    return (x[None], True) if x.ndim == n + 1 else (x, False)


def _unbatched(out, added):
    if not added:
        return out
    return tuple(o[0] for o in out) if isinstance(out, tuple) else out[0]


def _windows(name, n, kernel_size, stride, padding, dilation=1):
    kernel = spread(kernel_size, n, "kernel_size")
    stride = kernel if stride is None else spread(stride, n)
    dilation = spread(dilation, n, "dilation")
    for what, values in (("kernel_size", kernel), ("stride", stride), ("dilation", dilation)):
        if any(v < 1 for v in values):
            raise ValueError(f"For '{name}', the '{what}' must be positive, but got {values}.")
    pads = paddings("pad", padding, (0,) * n, kernel, stride, dilation)
    if any(p < 0 for pair in pads for p in pair):
        raise ValueError(f"For '{name}', the 'padding' must be non-negative, but got {padding}.")
    return kernel, stride, pads, dilation


def _check_size(name, x, kernel, pads, dilation, error=ValueError):
    if any(length + sum(p) < d * (k - 1) + 1 for length, p, k, d in zip(x.shape[2:], pads, kernel, dilation)):
        raise error(
            f"For '{name}', the kernel {tuple(kernel)} is larger than the padded input of shape {tuple(x.shape)}."
        )


def max_positions(
    x: "jax.Array", kernel: Sequence[int], stride: Sequence[int], pads: Sequence[int], dilation: Sequence[int]
):
    """Flat position of the maximum of each window; NaN is the greatest. Of a window within the padding it is that behind the last."""
    shape = x.shape[2:]
    numbers = jnp.broadcast_to(jnp.arange(math.prod(shape), dtype=jnp.int32).reshape(shape), x.shape)

    def first_of_greatest(a, b):
        (x, i), (y, j) = a, b
        if jnp.issubdtype(x.dtype, jnp.inexact):
            more = (y > x) | ((y != y) & (x == x))
            same = (x == y) | ((x != x) & (y != y))
        else:
            more, same = y > x, x == y
        later = more | (same & (j < i))
        return jnp.where(later, y, x), jnp.where(later, j, i)

    start = (np.asarray(lowest(x.dtype), x.dtype)[()], np.int32(math.prod(shape)))
    _, winners = lax.reduce_window(
        (lax.stop_gradient(x), numbers),
        start,
        first_of_greatest,
        (1, 1, *kernel),
        (1, 1, *stride),
        ((0, 0), (0, 0), *pads),
        window_dilation=(1, 1, *dilation),
    )
    return jnp.minimum(winners, math.prod(shape))


def at_positions(x: "jax.Array", positions: Any):
    """Elements of an (N, C, ...) array at flat positions of each channel."""
    flat = jnp.take_along_axis(merged(x, 2), merged(positions, 2), 2)
    return flat.reshape(positions.shape)


def _maxima(x, positions):
    """(elements at positions of `max_positions`, the positions): of a window within the padding the lowest, and the last position."""
    count = math.prod(x.shape[2:])
    inside = jnp.minimum(positions, count - 1)
    return jnp.where(positions < count, at_positions(x, inside), jnp.asarray(lowest(x.dtype), x.dtype)), inside


def _max(x, kernel, stride, pads, dilation):
    """`max_pool`, by positions where lax has no gradient (dilation) or a slow one (more than two axes)."""
    if len(kernel) == 1:
        lifted = (
            max_pool(x[:, :, None], (1, *kernel), (1, *stride), [(0, 0), *pads], (1, *dilation))
            if dilation == (1,)
            else None
        )
        if lifted is not None:
            return lifted[:, :, 0]
    if len(kernel) == 2 and all(d == 1 for d in dilation) or not jnp.issubdtype(x.dtype, jnp.floating):
        return max_pool(x, kernel, stride, pads, dilation)
    return _maxima(x, max_positions(x, kernel, stride, pads, dilation))[0]


def _max_with_options(
    name, n, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices, unbatched=True
):
    kernel, stride, pads, dilation = _windows(name, n, kernel_size, stride, padding, dilation)
    if any(2 * max(p) > k for p, k in zip(pads, kernel)):
        raise ValueError(
            f"For '{name}', the 'padding' must be at most half of 'kernel_size', but got {padding} and {kernel}."
        )
    x, added = batched(name, input, n, unbatched)
    if ceil_mode:
        pads = ceil_pads(pads, x.shape[2:], kernel, stride, dilation)
    _check_size(name, x, kernel, pads, dilation, RuntimeError if name == "max_pool2d" and unbatched else ValueError)
    if not return_indices:
        return _unbatched(_max(x, kernel, stride, pads, dilation), added)
    out, positions = _maxima(x, max_positions(x, kernel, stride, pads, dilation))
    return _unbatched((out, positions.astype(jnp.int64)), added)


@op(
    ops=Face(
        "max_pool2d",
        args("x", "kernel_size", stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False),
        to={"x": "input"},
        fixed={"unbatched": False},
    ),
    mint=Face("nn.functional.max_pool2d", fixed={"unbatched": True}),
    residuals=True,
)
def max_pool2d(
    input: Array,
    kernel_size: Static[Ints],
    stride: Ints | None = None,
    padding: Ints = 0,
    dilation: Ints = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
    unbatched: bool = True,
):
    """Maximum over windows of an (N, C, H, W) array, in `mint` also of a (C, H, W) array.

    stride: `kernel_size` by default. ceil_mode: a last, partial window counts too. return_indices: also the flat positions (int64).

    Example:
        >>> print(ops.max_pool2d(Tensor(np.ones((1, 1, 4, 4), np.float32)), 2))
        [[[[1. 1.]
           [1. 1.]]]]
    """
    return _max_with_options(
        "max_pool2d", 2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices, unbatched
    )


@op(
    ops=Face(
        "max_pool3d",
        args("x", "kernel_size", stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False),
        to={"x": "input"},
    ),
    residuals=True,
)
def max_pool3d(
    input: Array,
    kernel_size: Static[Ints],
    stride: Ints | None = None,
    padding: Ints = 0,
    dilation: Ints = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
):
    """Maximum over windows of an (N, C, D, H, W) array; arguments as for `max_pool2d`."""
    return _max_with_options(
        "max_pool3d", 3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices, False
    )


@op(ops=False, residuals=True)
def max_pool1d(
    input: Array,
    kernel_size: Static[Any],
    stride: Any = None,
    padding: int = 0,
    dilation: int = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
):
    """Maximum over windows of an (N, C, L) or (C, L) array; arguments as for `max_pool2d`."""
    return _max_with_options("max_pool1d", 1, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@op(
    prim=(Prim("MaxPoolWithArgmaxV2", inputs=("x",)), Prim("MaxPoolWithIndices", inputs=("x",))),
    ops=False,
    residuals=True,
)
def max_pool_with_argmax_v2(
    x: Array,
    kernel_size: Static[Ints],
    strides: Ints | None = None,
    pads: Ints = 0,
    dilation: Ints = (1, 1),
    ceil_mode: bool = False,
    argmax_type: Dtype = mstype.int64,
):
    """(maxima of 2-D windows, their flat positions as `argmax_type`)"""
    out, positions = _max_with_options(
        "MaxPoolWithArgmaxV2", 2, x, kernel_size, strides, pads, dilation, ceil_mode, True, False
    )
    return out, positions.astype(mstype.to_numpy(argmax_type))


@op(
    prim=Prim(
        "MaxPool3DWithArgmax",
        init=args(
            "ksize",
            "strides",
            "pads",
            dilation=(1, 1, 1),
            ceil_mode=False,
            data_format="NCDHW",
            argmax_type=mstype.int64,
        ),
        call=args("x"),
        to={"ksize": "kernel_size", "strides": "stride"},
    ),
    ops=False,
    residuals=True,
)
def max_pool3d_with_argmax(
    x: Array,
    kernel_size: Static[Ints],
    stride: Static[Ints],
    pads: Static[Ints],
    dilation: Ints = (1, 1, 1),
    ceil_mode: bool = False,
    data_format: str = "NCDHW",
    argmax_type: Dtype = mstype.int64,
):
    """(maxima of 3-D windows, their flat positions as `argmax_type`)"""
    out, positions = _max_with_options(
        "MaxPool3DWithArgmax", 3, x, kernel_size, stride, pads, dilation, ceil_mode, True, False
    )
    return out, positions.astype(mstype.to_numpy(argmax_type))


@op(prim=Prim("MaxPoolWithArgmax", inputs=("x",)), ops=False, residuals=True)
def max_pool_with_argmax(
    x: Array, kernel_size: int = 1, strides: int = 1, pad_mode: str = "valid", data_format: str = "NCHW"
):
    """(maxima of 2-D windows, their flat positions as int32); pad_mode "valid" or "same"."""
    kernel, stride = spread(kernel_size, 2, "kernel_size"), spread(strides, 2)
    x = _channels_first(x, 2, data_format)
    pads = paddings(pad_mode, 0, x.shape[2:], kernel, stride, (1, 1))
    out, positions = _maxima(x, max_positions(x, kernel, stride, pads, (1, 1)))
    planes = np.arange(x.shape[1], dtype=np.int32) * math.prod(x.shape[2:])
    # as MindSpore's CPU build counts: from the first channel of each image
    return _restore(out, data_format), _restore(positions + planes.reshape(-1, 1, 1), data_format)


def _mode_pads(pad_mode, pad, x, kernel, stride, ceil_mode):
    pads = paddings(pad_mode, pad, x.shape[2:], kernel, stride, (1,) * len(kernel))
    return ceil_pads(pads, x.shape[2:], kernel, stride, (1,) * len(kernel)) if ceil_mode else pads, pads


@op(prim=Prim("MaxPool3D", inputs=("x",)), ops=False, residuals=True)
def max_pool3d_primitive(
    x: Array,
    kernel_size: Ints = 1,
    strides: Ints = 1,
    pad_mode: str = "VALID",
    pad_list: Ints = 0,
    ceil_mode: bool | None = None,
    data_format: str = "NCDHW",
) -> Array:
    """Maximum over 3-D windows; pad_mode "valid", "same" or "pad" (with `pad_list`: one number or six)."""
    kernel, stride = spread(kernel_size, 3, "kernel_size"), spread(strides, 3)
    x = _channels_first(x, 3, data_format)
    if ceil_mode and pad_mode.lower() != "pad":
        raise ValueError("When the 'pad_mode' is 'same' or 'valid', the 'ceil_mode' only supports 'None'.")
    pads, _ = _mode_pads(pad_mode, pad_list, x, kernel, stride, ceil_mode)
    _check_size("MaxPool3D", x, kernel, pads, (1, 1, 1))
    return _restore(_max(x, kernel, stride, pads, (1, 1, 1)), data_format)


# --- means
def _mean(name, n, input, kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad, divisor, unbatched):
    kernel = spread(kernel_size, n, "kernel_size")
    stride = kernel if stride is None else spread(stride, n)
    floats_only(name, input=input)
    x, added = batched(name, input, n, unbatched)
    pads, real = _mode_pads(pad_mode, padding, x, kernel, stride, ceil_mode)
    if pad_mode.lower() == "pad" and any(sum(p) > k for p, k in zip(real, kernel)):
        raise ValueError(
            f"For '{name}', the sum of the paddings at both ends must be at most the kernel size, but got {padding} and "
            f"{tuple(kernel)}."
        )
    too_small = ValueError if unbatched and n == 2 else RuntimeError  # mint computes the size of two axes in Python
    _check_size(name, x, kernel, pads, (1,) * n, too_small)
    extra = real if pads != real else None
    if n == 1:
        lifted = avg_pool(
            x[:, :, None],
            (1, *kernel),
            (1, *stride),
            [(0, 0), *pads],
            count_include_pad,
            divisor or None,
            extra and [(0, 0), *extra],
        )
        return _unbatched(lifted[:, :, 0], added)
    return _unbatched(avg_pool(x, kernel, stride, pads, count_include_pad, divisor or None, extra), added)


@op(
    ops=Face(
        "avg_pool1d",
        args("input_x", kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True),
        to={"input_x": "input"},
        fixed={"unbatched": False},
    ),
    mint=Face(
        "nn.functional.avg_pool1d",
        args("input", "kernel_size", stride=None, padding=0, ceil_mode=False, count_include_pad=True),
    ),
)
def avg_pool1d(
    input: Array,
    kernel_size: Ints = 1,
    stride: Ints = 1,
    padding: Ints = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    unbatched: bool = True,
) -> Array:
    """Mean over windows of an (N, C, L) array, in `mint` also of a (C, L) array."""
    return _mean(
        "avg_pool1d", 1, input, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, None, unbatched
    )


@op(
    ops=Face(
        "avg_pool2d",
        args(
            "input_x", kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0
        ),
        to={"input_x": "input"},
        fixed={"unbatched": False},
    ),
    mint=Face(
        "nn.functional.avg_pool2d",
        args(
            "input",
            "kernel_size",
            stride=None,
            padding=0,
            ceil_mode=False,
            count_include_pad=True,
            divisor_override=None,
        ),
    ),
)
def avg_pool2d(
    input: Array,
    kernel_size: Ints = 1,
    stride: Ints = 1,
    padding: Ints = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
    unbatched: bool = True,
) -> Array:
    """Mean over windows of an (N, C, H, W) array, in `mint` also of a (C, H, W) array.

    count_include_pad: padding counts as zeros. divisor_override: divides the sums instead of the window's size (0 or None: not).

    Example:
        >>> ops.avg_pool2d(Tensor(np.ones((1, 1, 4, 4), np.float32)), 2, 2).shape
        (1, 1, 2, 2)
    """
    return _mean(
        "avg_pool2d",
        2,
        input,
        kernel_size,
        stride,
        "pad",
        padding,
        ceil_mode,
        count_include_pad,
        divisor_override,
        unbatched,
    )


@op(
    ops=Face(
        "avg_pool3d",
        args(
            "input_x", kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0
        ),
        to={"input_x": "input"},
        fixed={"unbatched": False},
    ),
    mint=Face(
        "nn.functional.avg_pool3d",
        args(
            "input",
            "kernel_size",
            stride=None,
            padding=0,
            ceil_mode=False,
            count_include_pad=True,
            divisor_override=None,
        ),
    ),
)
def avg_pool3d(
    input: Array,
    kernel_size: Ints = 1,
    stride: Ints = 1,
    padding: Ints = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
    unbatched: bool = True,
) -> Array:
    """Mean over windows of an (N, C, D, H, W) array, in `mint` also of a (C, D, H, W) array; arguments as for `avg_pool2d`."""
    return _mean(
        "avg_pool3d",
        3,
        input,
        kernel_size,
        stride,
        "pad",
        padding,
        ceil_mode,
        count_include_pad,
        divisor_override,
        unbatched,
    )


@op(prim=Prim("AvgPool3D", inputs=("input",)), ops=False)
def avg_pool3d_primitive(
    input: Array,
    kernel_size: Ints = 1,
    strides: Ints = 1,
    pad_mode: str = "valid",
    pad: Ints = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
    data_format: str = "NCDHW",
) -> Array:
    """Mean over 3-D windows; pad_mode "valid", "same" or "pad" (with `pad`)."""
    x = _channels_first(input, 3, data_format)
    return _restore(
        _mean(
            "AvgPool3D",
            3,
            x,
            kernel_size,
            strides,
            pad_mode,
            pad,
            ceil_mode,
            count_include_pad,
            divisor_override,
            False,
        ),
        data_format,
    )


# --- power means
def _power_mean(name, n, x, norm_type, kernel_size, stride, ceil_mode, unbatched=True):
    if isinstance(norm_type, bool) or not isinstance(norm_type, numbers.Real):
        raise TypeError(f"For '{name}', the type of 'norm_type' must be float or int, but got {type(norm_type)}.")
    if norm_type == 0:
        raise ValueError(f"For '{name}', the value of 'norm_type' can not be 0.")
    kernel = spread(kernel_size, n, "kernel_size")
    mean = _mean(name, n, to_float(x) ** float(norm_type), kernel, stride, "pad", 0, ceil_mode, True, None, unbatched)
    total, exponent = mean * math.prod(kernel), 1.0 / norm_type
    empty = total == 0  # there the root has no slope; MindSpore gives 0
    return jnp.where(empty, lax.stop_gradient(total) ** exponent, jnp.where(empty, 1, total) ** exponent)


@op(ops=True)
def lp_pool1d(
    x: Array, norm_type: Static[Real], kernel_size: Static[int], stride: int | None = None, ceil_mode: bool = False
) -> Array:
    """(sum of x ** p over each window) ** (1 / p) of an (N, C, L) or (C, L) array."""
    return _power_mean("lp_pool1d", 1, x, norm_type, kernel_size, stride, ceil_mode)


@op(ops=True)
def lp_pool2d(
    x: Array, norm_type: Static[Real], kernel_size: Static[Ints], stride: Ints | None = None, ceil_mode: bool = False
) -> Array:
    """(sum of x ** p over each window) ** (1 / p) of an (N, C, H, W) array."""
    return _power_mean("lp_pool2d", 2, x, norm_type, kernel_size, stride, ceil_mode, False)
