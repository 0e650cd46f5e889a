"""Pooling functions and Primitives in one, two and three dimensions; `pool` holds the window arithmetic.

Positions of maxima are flat within the last axes of one channel. A maximum that is tied belongs to the first element of its window.
"""

import math

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.ranges import check_range
from ...core.operators.record import op
from ...core.values import dtype as mstype
from ..conv.kernels import paddings, spread
from .windows import _channels_first, _restore, avg_pool, ceil_pads, lowest, max_pool


def batched(name, x, n):
    """(x with a batch axis, whether it was added) for an (N, C, ...) or (C, ...) array with n last axes."""
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


def _check_size(name, x, kernel, pads, dilation):
    if any(length + sum(p) < d * (k - 1) + 1 for length, p, k, d in zip(x.shape[2:], pads, kernel, dilation)):
        raise ValueError(
            f"For '{name}', the kernel {tuple(kernel)} is larger than the padded input of shape {tuple(x.shape)}."
        )


def max_positions(x, kernel, stride, pads, dilation):
    """Flat position of the maximum of each window; NaN is the greatest."""
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
    return jnp.minimum(winners, math.prod(shape) - 1)


def at_positions(x, positions):
    """Elements of an (N, C, ...) array at flat positions of each channel."""
    flat = jnp.take_along_axis(x.reshape(*x.shape[:2], -1), positions.reshape(*x.shape[:2], -1), 2)
    return flat.reshape(positions.shape)


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
    return at_positions(x, max_positions(x, kernel, stride, pads, dilation))


def _max_with_options(name, n, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices):
    kernel, stride, pads, dilation = _windows(name, n, kernel_size, stride, padding, dilation)
    if any(2 * max(p) > k for p, k in zip(pads, kernel)):
        raise ValueError(
            f"For '{name}', the 'padding' must be at most half of 'kernel_size', but got {padding} and {kernel}."
        )
    x, added = batched(name, input, n)
    if ceil_mode:
        pads = ceil_pads(pads, x.shape[2:], kernel, stride, dilation)
    _check_size(name, x, kernel, pads, dilation)
    if not return_indices:
        return _unbatched(_max(x, kernel, stride, pads, dilation), added)
    positions = max_positions(x, kernel, stride, pads, dilation)
    return _unbatched((at_positions(x, positions), positions.astype(jnp.int64)), added)


@op(
    ops="max_pool2d(x, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False)",
    mint="nn.functional.max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
    residuals=True,
    static=("kernel_size",),
)
def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Maximum over windows of an (N, C, H, W) or (C, H, W) array.

    stride: `kernel_size` by default. ceil_mode: a last, partial window counts too. return_indices: also the flat positions (int64).

    Example:
        >>> ops.max_pool2d(Tensor(np.ones((1, 1, 4, 4), np.float32)), 2)
    """
    return _max_with_options("max_pool2d", 2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@op(
    ops="max_pool3d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
    residuals=True,
    static=("kernel_size",),
)
def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Maximum over windows of an (N, C, D, H, W) or (C, D, H, W) array; arguments as for `max_pool2d`."""
    return _max_with_options("max_pool3d", 3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@op(ops=False, residuals=True, static=("kernel_size",))
def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Maximum over windows of an (N, C, L) or (C, L) array; arguments as for `max_pool2d`."""
    return _max_with_options("max_pool1d", 1, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@op(
    prim=(
        "MaxPoolWithArgmaxV2(kernel_size, strides=None, pads=0, dilation=(1, 1), ceil_mode=False, argmax_type=mindspore.int64)(x)",
        "MaxPoolWithIndices(kernel_size, strides=None, pads=0, dilation=(1, 1), ceil_mode=False, argmax_type=mindspore.int64)(x)",
    ),
    ops=False,
    residuals=True,
    static=("kernel_size",),
)
def max_pool_with_argmax_v2(
    x, kernel_size, strides=None, pads=0, dilation=(1, 1), ceil_mode=False, argmax_type=mstype.int64
):
    """(maxima of 2-D windows, their flat positions as `argmax_type`)"""
    out, positions = _max_with_options(
        "MaxPoolWithArgmaxV2", 2, x, kernel_size, strides, pads, dilation, ceil_mode, True
    )
    return out, positions.astype(mstype.to_numpy(argmax_type))


@op(
    prim="MaxPool3DWithArgmax(ksize, strides, pads, dilation=(1, 1, 1), ceil_mode=False, data_format='NCDHW', argmax_type=mindspore.int64)(x)",
    ops=False,
    residuals=True,
    static=("kernel_size", "stride", "pads"),
)
def max_pool3d_with_argmax(
    x, kernel_size, stride, pads, dilation=(1, 1, 1), ceil_mode=False, data_format="NCDHW", argmax_type=mstype.int64
):
    """(maxima of 3-D windows, their flat positions as `argmax_type`)"""
    out, positions = _max_with_options(
        "MaxPool3DWithArgmax", 3, x, kernel_size, stride, pads, dilation, ceil_mode, True
    )
    return out, positions.astype(mstype.to_numpy(argmax_type))


@op(
    prim="MaxPoolWithArgmax(kernel_size=1, strides=1, pad_mode='valid', data_format='NCHW')(x)",
    ops=False,
    residuals=True,
)
def max_pool_with_argmax(x, kernel_size=1, strides=1, pad_mode="valid", data_format="NCHW"):
    """(maxima of 2-D windows, their flat positions as int32); pad_mode "valid" or "same"."""
    kernel, stride = spread(kernel_size, 2, "kernel_size"), spread(strides, 2)
    x = _channels_first(x, 2, data_format)
    pads = paddings(pad_mode, 0, x.shape[2:], kernel, stride, (1, 1))
    positions = max_positions(x, kernel, stride, pads, (1, 1))
    return _restore(at_positions(x, positions), data_format), _restore(positions, data_format)


def _mode_pads(pad_mode, pad, x, kernel, stride, ceil_mode):
    pads = paddings(pad_mode, pad, x.shape[2:], kernel, stride, (1,) * len(kernel))
    return ceil_pads(pads, x.shape[2:], kernel, stride, (1,) * len(kernel)) if ceil_mode else pads, pads


@op(
    prim="MaxPool3D(kernel_size=1, strides=1, pad_mode='VALID', pad_list=0, ceil_mode=None, data_format='NCDHW')(x)",
    ops=False,
    residuals=True,
)
def max_pool3d_primitive(
    x, kernel_size=1, strides=1, pad_mode="VALID", pad_list=0, ceil_mode=None, data_format="NCDHW"
):
    """Maximum over 3-D windows; pad_mode "valid", "same" or "pad" (with `pad_list`: one number or six)."""
    kernel, stride = spread(kernel_size, 3, "kernel_size"), spread(strides, 3)
    x = _channels_first(x, 3, data_format)
    if ceil_mode and pad_mode.lower() != "pad":
        raise ValueError("When the 'pad_mode' is 'same' or 'valid', the 'ceil_mode' only supports 'None'.")
    pads, _ = _mode_pads(pad_mode, pad_list, x, kernel, stride, ceil_mode)
    _check_size("MaxPool3D", x, kernel, pads, (1, 1, 1))
    return _restore(_max(x, kernel, stride, pads, (1, 1, 1)), data_format)


# --- means
def _mean(name, n, input, kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad, divisor):
    kernel = spread(kernel_size, n, "kernel_size")
    stride = kernel if stride is None else spread(stride, n)
    x, added = batched(name, input, n)
    pads, real = _mode_pads(pad_mode, padding, x, kernel, stride, ceil_mode)
    if pad_mode.lower() == "pad" and any(sum(p) > k for p, k in zip(real, kernel)):
        raise ValueError(
            f"For '{name}', the sum of the paddings at both ends must be at most the kernel size, but got {padding} and "
            f"{tuple(kernel)}."
        )
    _check_size(name, x, kernel, pads, (1,) * n)
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
    ops="avg_pool1d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True)",
    mint="nn.functional.avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True)",
)
def avg_pool1d(input, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True):
    """Mean over windows of an (N, C, L) or (C, L) array."""
    return _mean("avg_pool1d", 1, input, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, None)


@op(
    ops="avg_pool2d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0)",
    mint="nn.functional.avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None)",
)
def avg_pool2d(input, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0):
    """Mean over windows of an (N, C, H, W) or (C, H, W) array.

    count_include_pad: padding counts as zeros. divisor_override: divides the sums instead of the window's size (0 or None: not).

    Example:
        >>> ops.avg_pool2d(Tensor(np.ones((1, 1, 4, 4), np.float32)), 2, 2).shape
        (1, 1, 2, 2)
    """
    return _mean(
        "avg_pool2d", 2, input, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, divisor_override
    )


@op(
    ops="avg_pool3d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0)",
    mint="nn.functional.avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None)",
)
def avg_pool3d(input, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0):
    """Mean over windows of an (N, C, D, H, W) or (C, D, H, W) array; arguments as for `avg_pool2d`."""
    return _mean(
        "avg_pool3d", 3, input, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, divisor_override
    )


@op(
    prim="AvgPool3D(kernel_size=1, strides=1, pad_mode='valid', pad=0, ceil_mode=False, count_include_pad=True, divisor_override=0, "
    "data_format='NCDHW')(input)",
    ops=False,
)
def avg_pool3d_primitive(
    input,
    kernel_size=1,
    strides=1,
    pad_mode="valid",
    pad=0,
    ceil_mode=False,
    count_include_pad=True,
    divisor_override=0,
    data_format="NCDHW",
):
    """Mean over 3-D windows; pad_mode "valid", "same" or "pad" (with `pad`)."""
    x = _channels_first(input, 3, data_format)
    return _restore(
        _mean("AvgPool3D", 3, x, kernel_size, strides, pad_mode, pad, ceil_mode, count_include_pad, divisor_override),
        data_format,
    )


# --- power means
def _power_mean(name, n, x, norm_type, kernel_size, stride, ceil_mode):
    if isinstance(norm_type, bool) or not isinstance(norm_type, (int, float)):
        raise TypeError(f"For '{name}', the type of 'norm_type' must be float or int, but got {type(norm_type)}.")
    if norm_type == 0:
        raise ValueError(f"For '{name}', the value of 'norm_type' can not be 0.")
    kernel = spread(kernel_size, n, "kernel_size")
    mean = _mean(name, n, x ** float(norm_type), kernel, stride, "pad", 0, ceil_mode, True, None)
    return (mean * math.prod(kernel)) ** (1.0 / norm_type)


@op(ops="lp_pool1d(x, norm_type, kernel_size, stride=None, ceil_mode=False)", static=("norm_type", "kernel_size"))
def lp_pool1d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    """(sum of x ** p over each window) ** (1 / p) of an (N, C, L) or (C, L) array."""
    return _power_mean("lp_pool1d", 1, x, norm_type, kernel_size, stride, ceil_mode)


@op(ops="lp_pool2d(x, norm_type, kernel_size, stride=None, ceil_mode=False)", static=("norm_type", "kernel_size"))
def lp_pool2d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    """(sum of x ** p over each window) ** (1 / p) of an (N, C, H, W) or (C, H, W) array."""
    return _power_mean("lp_pool2d", 2, x, norm_type, kernel_size, stride, ceil_mode)


# --- adaptive: the output's size is given, window i covers floor(i L / out) to ceil((i + 1) L / out)
def _sizes(name, output_size, size):
    values = (output_size,) * len(size) if isinstance(output_size, int) or output_size is None else tuple(output_size)
    if len(values) != len(size):
        raise ValueError(
            f"For '{name}', the 'output_size' must be one number or {len(size)} numbers, but got {output_size}."
        )
    made = tuple(length if v is None or v == -1 else v for v, length in zip(values, size))
    if any(isinstance(v, bool) or not isinstance(v, int) for v in made):
        raise TypeError(f"For '{name}', the 'output_size' must be int or a tuple of int, but got {output_size}.")
    if any(v < (1 if len(size) == 1 else 0) for v in made):
        raise ValueError(f"For '{name}', the 'output_size' must be positive, but got {output_size}.")
    return made


def _adaptive_bounds(length, out):
    starts = np.arange(out) * length // out
    return starts, -(-(np.arange(1, out + 1) * length) // out)


def _adaptive_mean(name, n, input, output_size):
    x, added = batched(name, input, n)
    out = x if x.dtype not in (jnp.float16, jnp.bfloat16) else x.astype(jnp.float32)
    for axis, size in enumerate(_sizes(name, output_size, x.shape[2:]), 2):
        length = x.shape[axis]
        if size == 0:
            out = jnp.zeros((*out.shape[:axis], 0, *out.shape[axis + 1 :]), out.dtype)
        elif length % size == 0:
            out = jnp.mean(out.reshape(*out.shape[:axis], size, length // size, *out.shape[axis + 1 :]), axis + 1)
        else:
            starts, ends = _adaptive_bounds(length, size)
            place = np.arange(length)[:, None]
            weights = jnp.asarray(((place >= starts) & (place < ends)) / (ends - starts), out.dtype)
            out = jnp.moveaxis(jnp.tensordot(out, weights, ((axis,), (0,)), precision=lax.Precision.HIGHEST), -1, axis)
    return _unbatched(out.astype(input.dtype), added)


def _adaptive_max(name, n, input, output_size):
    """(maxima, flat positions)"""
    x, added = batched(name, input, n)
    sizes = _sizes(name, output_size, x.shape[2:])
    if 0 in sizes:
        shape = (*x.shape[:2], *sizes)
        return _unbatched((jnp.zeros(shape, x.dtype), jnp.zeros(shape, jnp.int64)), added)
    taps, out, length = [], lax.stop_gradient(x), x.shape[2:]
    for axis, size in enumerate(sizes):
        starts, ends = _adaptive_bounds(length[axis], size)
        inside = np.minimum(starts[:, None] + np.arange((ends - starts).max()), ends[:, None] - 1)
        taps.append(inside)  # a short window repeats its last element
        out = jnp.take(out, jnp.asarray(inside), axis=2 + 2 * axis)
    order = (0, 1, *(2 + 2 * i for i in range(n)), *(3 + 2 * i for i in range(n)))
    windows = out.transpose(order).reshape(*x.shape[:2], *sizes, -1)
    positions = np.zeros((1,) * (2 * n), np.int64)
    for axis, inside in enumerate(taps):
        shape = [1] * (2 * n)
        shape[axis], shape[n + axis] = inside.shape
        positions = positions * length[axis] + inside.reshape(shape)
    positions = jnp.asarray(positions.reshape(*sizes, -1))
    best = jnp.argmax(windows, -1)
    flat = jnp.take_along_axis(jnp.broadcast_to(positions, windows.shape), best[..., None], -1)[..., 0]
    return _unbatched((at_positions(x, flat), flat), added)


@op(
    ops="adaptive_avg_pool1d(input, output_size)",
    mint="nn.functional.adaptive_avg_pool1d(input, output_size)",
    static=("output_size",),
)
def adaptive_avg_pool1d(input, output_size):
    """Means that make an (N, C, L) array `output_size` long."""
    return _adaptive_mean("adaptive_avg_pool1d", 1, input, output_size)


@op(
    prim="AdaptiveAvgPool2D(output_size)(x)",
    ops=("adaptive_avg_pool2d(input, output_size)", "adaptive_avg_pool2d_ext(input, output_size)"),
    mint="nn.functional.adaptive_avg_pool2d(input, output_size)",
    static=("output_size",),
)
def adaptive_avg_pool2d(input, output_size):
    """Means that give an (N, C, H, W) or (C, H, W) array the size `output_size` = (H', W') or one number; None keeps an axis.

    Example:
        >>> ops.adaptive_avg_pool2d(Tensor(np.ones((1, 3, 4, 4), np.float32)), 1).shape
        (1, 3, 1, 1)
    """
    return _adaptive_mean("adaptive_avg_pool2d", 2, input, output_size)


@op(
    prim="AdaptiveAvgPool3D(output_size)(x)",
    ops="adaptive_avg_pool3d(input, output_size)",
    mint=(
        "nn.functional.adaptive_avg_pool3d(input, output_size)",
        "nn.functional.adaptive_avg_pool3d_ext(input, output_size)",
    ),
    static=("output_size",),
)
def adaptive_avg_pool3d(input, output_size):
    """Means that give an (N, C, D, H, W) or (C, D, H, W) array the size `output_size`; None keeps an axis."""
    return _adaptive_mean("adaptive_avg_pool3d", 3, input, output_size)


@op(
    ops="adaptive_max_pool1d(input, output_size)",
    mint="nn.functional.adaptive_max_pool1d(input, output_size, return_indices=False)",
    static=("output_size",),
    residuals=True,
)
def adaptive_max_pool1d(input, output_size, return_indices=False):
    """Maxima that make an (N, C, L) array `output_size` long."""
    out = _adaptive_max("adaptive_max_pool1d", 1, input, output_size)
    return out if return_indices else out[0]


@op(
    ops="adaptive_max_pool2d(input, output_size, return_indices=False)",
    mint="nn.functional.adaptive_max_pool2d(input, output_size, return_indices=False)",
    static=("output_size",),
    residuals=True,
)
def adaptive_max_pool2d(input, output_size, return_indices=False):
    """Maxima that give an (N, C, H, W) or (C, H, W) array the size `output_size`; None keeps an axis."""
    out = _adaptive_max("adaptive_max_pool2d", 2, input, output_size)
    return out if return_indices else out[0]


@op(prim="AdaptiveMaxPool2D(output_size)(input)", ops=False, static=("output_size",), residuals=True)
def adaptive_max_pool2d_primitive(input, output_size):
    """(maxima, flat positions) that give an (N, C, H, W) or (C, H, W) array the size `output_size`."""
    return _adaptive_max("AdaptiveMaxPool2D", 2, input, output_size)


@op(ops="adaptive_max_pool3d(input, output_size, return_indices=False)", static=("output_size",), residuals=True)
def adaptive_max_pool3d(input, output_size, return_indices=False):
    """Maxima that give an (N, C, D, H, W) or (C, D, H, W) array the size `output_size`; positions are int32."""
    out, positions = _adaptive_max("adaptive_max_pool3d", 3, input, output_size)
    return (out, positions.astype(jnp.int32)) if return_indices else out


@op(prim="AdaptiveMaxPool3D()(x, output_size)", ops=False, static=("output_size",), residuals=True)
def adaptive_max_pool3d_primitive(x, output_size):
    """(maxima, flat positions as int32) of an (N, C, D, H, W) or (C, D, H, W) array."""
    out, positions = _adaptive_max("AdaptiveMaxPool3D", 3, x, output_size)
    return out, positions.astype(jnp.int32)


# --- the inverse of max pooling
def _unpool(name, n, x, indices, kernel_size, stride, padding, output_size):
    if x.shape != indices.shape:
        raise ValueError(
            f"For '{name}', the shape of 'x' and 'indices' must be equal, but got {tuple(x.shape)} and {tuple(indices.shape)}."
        )
    kernel, stride, pads, _ = _windows(name, n, kernel_size, stride, padding)
    x, added = batched(name, x, n)
    size = tuple((length - 1) * s - 2 * p[0] + k for length, s, p, k in zip(x.shape[2:], stride, pads, kernel))
    if output_size is not None and len(output_size):
        given = tuple(output_size)[-n:]
        if any(abs(g - v) >= s for g, v, s in zip(given, size, stride)):
            raise ValueError(f"For '{name}', the 'output_size' must be near {size}, but got {given}.")
        size = given
    batch = math.prod(x.shape[:2])
    check_range(indices, 0, math.prod(size), name)
    flat = jnp.zeros((batch, math.prod(size)), x.dtype)
    flat = flat.at[jnp.arange(batch)[:, None], indices.reshape(batch, -1)].set(x.reshape(batch, -1))
    return _unbatched(flat.reshape(*x.shape[:2], *size), added)


@op(
    ops="max_unpool1d(x, indices, kernel_size, stride=None, padding=0, output_size=None)",
    static=("kernel_size", "output_size"),
)
def max_unpool1d(x, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Maxima put back to their positions, zeros elsewhere, for (N, C, L) or (C, L) arrays."""
    return _unpool("max_unpool1d", 1, x, indices, kernel_size, stride, padding, output_size)


@op(
    ops="max_unpool2d(x, indices, kernel_size, stride=None, padding=0, output_size=None)",
    static=("kernel_size", "output_size"),
    mint="nn.functional.max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None)",
)
def max_unpool2d(x, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Maxima put back to their positions, zeros elsewhere, for (N, C, H, W) or (C, H, W) arrays."""
    return _unpool("max_unpool2d", 2, x, indices, kernel_size, stride, padding, output_size)


@op(
    ops="max_unpool3d(x, indices, kernel_size, stride=None, padding=0, output_size=None)",
    static=("kernel_size", "output_size"),
)
def max_unpool3d(x, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Maxima put back to their positions, zeros elsewhere, for (N, C, D, H, W) or (C, D, H, W) arrays."""
    return _unpool("max_unpool3d", 3, x, indices, kernel_size, stride, padding, output_size)


def _unpool_primitive(n):
    def run(x, argmax, ksize, strides=0, pads=0, output_shape=(), data_format=None):
        name, formats = f"MaxUnpool{n}D", ("NHWC", "NDHWC")
        last = data_format in formats
        x, argmax = (jnp.moveaxis(a, -1, 1) if last else a for a in (x, argmax))
        shape = tuple(output_shape)
        size = (shape[1:-1] if last else shape[2:]) if shape else None
        out = _unpool(name, n, x, argmax, ksize, None if strides in (0, None) else strides, pads, size)
        return jnp.moveaxis(out, 1, -1) if last else out

    run.__name__ = f"max_unpool{n}d_primitive"
    run.__doc__ = "Maxima put back to their flat positions, zeros elsewhere."
    return run


for _n, _format in ((2, "NCHW"), (3, "NCDHW")):
    op(
        _unpool_primitive(_n),
        ops=False,
        prim=f"MaxUnpool{_n}D(ksize, strides=0, pads=0, output_shape=(), data_format='{_format}')(x, argmax)",
        static=("ksize",),
    )
