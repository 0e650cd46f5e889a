"""Max and average pooling over windows.

On CPU, XLA's reduce_window is slow and its gradient 50 times slower, so 2-D pooling goes by phases there (see `conv.spread_taps`): the
forward is a running maximum over strided slices with the number of the winning tap, the backward sums plainly shifted arrays; where windows
overlap the phases of the input are laid out first, so that each element is read by strides once. GPU and
TPU keep plain lax. Ties go to the first element of a window in both.
"""

import functools
import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.grad.winners import settled
from ...core.operators.quotients import exact_quotient
from ...core.operators.record import op
from ...core.operators.rows import Prim
from ...core.program.halves import in_float32
from ...core.settings.context import present_device
from ...core.spec import Array, Ints
from ..conv.kernels import paddings, spread, spread_taps
from ..shapes import channels_last


def lowest(dtype: Any):
    """The smallest value of a dtype.

    Raises:
        TypeError: the dtype is bool.
    """
    if dtype == jnp.bool_:
        raise TypeError("the type must be one of numbers, but got bool.")
    return -jnp.inf if jnp.issubdtype(dtype, jnp.inexact) else jnp.iinfo(dtype).min


def ceil_pads(
    pads: Sequence[int], size: Sequence[int], kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]
):
    """Pads with enough behind each axis that the last, partial window counts (a window must start within input or front padding)."""
    made = []
    for (front, back), length, k, s, d in zip(pads, size, kernel, stride, dilation):
        span = d * (k - 1) + 1
        out = math.ceil((length + front + back - span) / s) + 1
        if (out - 1) * s >= length + front:
            out -= 1
        made.append((front, max((out - 1) * s + span - length - front, back)))
    return made


def max_pool(
    x: jax.Array,
    kernel: Sequence[int],
    stride: Sequence[int],
    pads: Sequence[int],
    dilation: Sequence[int] | None = None,
):
    """Maximum over windows of an (N, C, ...) array; padding never wins."""
    n = len(kernel)
    dilation = dilation or (1,) * n
    wholes = [i for i in range(n) if kernel[i] == x.shape[2 + i] > 1 and dilation[i] == 1 and not any(pads[i])]
    still = [i for i in range(n) if kernel[i] == 1 and 1 in (stride[i], x.shape[2 + i]) and not any(pads[i])]
    if wholes and len(wholes) + len(still) == n:
        for i in reversed(wholes):
            x = _largest_along(x, 2 + i)
        return x
    if (
        n == 2
        and present_device() == "CPU"
        and jnp.issubdtype(x.dtype, jnp.floating)
        and all(d == 1 for d in dilation)
        and math.prod(kernel) <= 49
    ):
        return _max_phases(x, tuple(kernel), tuple(stride), tuple(map(tuple, pads)))
    over = (1, 1, *kernel), (1, 1, *stride), ((0, 0), (0, 0), *pads)

    def largest(x):
        return lax.reduce_window(
            x, np.asarray(lowest(x.dtype), x.dtype)[()], lax.max, *over, window_dilation=(1, 1, *dilation)
        )

    windows = math.prod(-(-k // s) for k, s in zip(kernel, stride))  # that an element is in: its gradient is their sum
    return in_float32(largest, x) if windows > 16 else largest(x)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _largest_along(x, axis):
    """The maximum along an axis, which stays; its gradient is the first winner's. Of a window the gradient compares all elements anew."""
    return jnp.max(x, axis, keepdims=True)


@_largest_along.defjvp
def _largest_along_jvp(axis, primals, tangents):
    (x,), (moved,) = primals, tangents
    wins = lax.broadcasted_iota(np.int32, x.shape, axis) == jnp.expand_dims(lax.argmax(x, axis, np.int32), axis)
    return _largest_along(x, axis), jnp.sum(jnp.where(wins, moved, 0), axis, keepdims=True)


def _slices(x, kernel, stride, pads, fill):
    """The taps of all windows: k*k arrays of the output's size."""
    padded = jnp.pad(x, ((0, 0), (0, 0), *pads), constant_values=fill) if any(p != (0, 0) for p in pads) else x
    out = [(length - k) // s + 1 for length, k, s in zip(padded.shape[2:], kernel, stride)]
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            yield lax.slice(
                padded,
                (0, 0, i, j),
                (*x.shape[:2], i + (out[0] - 1) * stride[0] + 1, j + (out[1] - 1) * stride[1] + 1),
                (1, 1, *stride),
            )


def _phase_slices(x, kernel, stride, pads, fill):
    """The same taps, as plain slices of the stride * stride phases of x: strided reads are slow, so they are done once."""
    (sh, sw), (batch, channels) = stride, x.shape[:2]
    out = [(length + sum(p) - k) // s + 1 for length, k, s, p in zip(x.shape[2:], kernel, stride, pads)]
    size = [s * (n + (k - 1) // s) for s, n, k in zip(stride, out, kernel)]  # what the windows reach, in whole phases
    behind = [n - length - front for n, length, (front, _) in zip(size, x.shape[2:], pads)]
    around = [(0, 0, 0), (0, 0, 0), *((front, b, 0) for (front, _), b in zip(pads, behind))]
    grid = lax.pad(x, jnp.asarray(fill, x.dtype), around).reshape(batch, channels, size[0] // sh, sh, size[1] // sw, sw)
    phases = settled(grid.transpose(3, 5, 0, 1, 2, 4))
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            top, left = i // sh, j // sw
            yield phases[i % sh, j % sw, :, :, top : top + out[0], left : left + out[1]]


def _spread_back(tap, arrays, kernel, stride, pads, shape):
    """`spread_taps` onto the unpadded input of the given shape."""
    height = max(shape[2] + sum(pads[0]), kernel[0])
    width = max(shape[3] + sum(pads[1]), kernel[1])
    full = spread_taps(tap, arrays, kernel, stride, (height, width))
    return full[:, :, pads[0][0] : pads[0][0] + shape[2], pads[1][0] : pads[1][0] + shape[3]]


def _max_phases(x, kernel, stride, pads):
    overlap = kernel[0] > stride[0] or kernel[1] > stride[1]

    def forward(x):
        """(maxima, number of the first tap of each that has it)"""
        taps = list((_phase_slices if overlap and max(stride) > 1 else _slices)(x, kernel, stride, pads, -jnp.inf))
        best, winner = taps[0], jnp.zeros(taps[0].shape, jnp.uint8)
        for number, tap in enumerate(taps[1:], 1):
            more = (tap > best) | (tap != tap)
            best, winner = jnp.where(more, tap, best), jnp.where(more, jnp.uint8(number), winner)
        if overlap:  # the numbers in a pass of their own, behind a barrier: together XLA makes a loop four times slower
            best, winner = lax.optimization_barrier(best), jnp.zeros(best.shape, jnp.uint8)
            for number in range(len(taps) - 1, -1, -1):
                winner = jnp.where((taps[number] == best) | (taps[number] != taps[number]), jnp.uint8(number), winner)
        return best, winner

    @jax.custom_vjp
    def run(x):
        return forward(x)[0]

    def run_forward(
        x,
    ):  # where windows overlap, taps are compared with the maximum: XLA might compute x twice, with two roundings
        best, winner = forward(settled(x) if overlap and max(stride) == 1 else x)
        # `settled`: else the backward would find the winners again, from an array that XLA may overwrite (docs/compiler_bugs.md).
        return best, (settled(winner), jnp.zeros((0, *x.shape), x.dtype))  # an empty array carries the shape

    def run_backward(saved, g):
        winner, like = saved

        def chosen(i, j, g, winner):
            return jnp.where(winner == i * kernel[1] + j, g, 0)

        def spread(g):
            return _spread_back(chosen, (g, winner), kernel, stride, pads, like.shape[1:])

        return (in_float32(spread, g),)

    run.defvjp(run_forward, run_backward)
    return run(x)


def window_sum(x: jax.Array, kernel: Sequence[int], stride: Sequence[int], pads: Sequence[int]):
    """Sum over windows of an (N, C, ...) array, padded with zeros."""
    if len(kernel) == 2 and present_device() == "CPU" and math.prod(kernel) <= 49:
        return _sum_phases(x, tuple(kernel), tuple(stride), tuple(map(tuple, pads)))
    return lax.reduce_window(
        x, np.zeros((), x.dtype)[()], lax.add, (1, 1, *kernel), (1, 1, *stride), ((0, 0), (0, 0), *pads)
    )


def _sum_phases(x, kernel, stride, pads):
    def forward(x):
        total = None
        for tap in _slices(x, kernel, stride, pads, 0):
            total = tap if total is None else total + tap
        return total

    @jax.custom_vjp
    def run(x):
        return forward(x)

    def run_forward(x):
        return forward(x), jnp.zeros((0, *x.shape), x.dtype)

    def run_backward(like, g):
        return (_spread_back(lambda i, j, g: g, (g,), kernel, stride, pads, like.shape[1:]),)

    run.defvjp(run_forward, run_backward)
    return run(x)


def avg_pool(
    x: jax.Array,
    kernel: Sequence[int],
    stride: Sequence[int],
    pads: Sequence[int],
    count_include_pad: bool = True,
    divisor: int | None = None,
    extra: Any = None,
):
    """Mean over windows. `extra`: pads without those that ceil_mode added behind, which never count."""
    if x.dtype in (jnp.float16, jnp.bfloat16):  # the sum may be too large for it, or for its digits
        wide = avg_pool(x.astype(jnp.float32), kernel, stride, pads, count_include_pad, divisor, extra)
        return wide.astype(x.dtype)
    total = window_sum(x, kernel, stride, pads)
    if divisor is not None:
        return exact_quotient(total, np.asarray(divisor, total.dtype))
    if all(p == (0, 0) for p in pads) or (count_include_pad and extra is None):
        return exact_quotient(total, np.asarray(math.prod(kernel), total.dtype))
    return exact_quotient(total, _counts(x.shape[2:], kernel, stride, pads, count_include_pad, extra or pads, x.dtype))


def _counts(size, kernel, stride, pads, count_include_pad, real_pads, dtype):
    """How many elements of each window count, a NumPy array."""
    axes = []
    for length, k, s, (front, back), (real_front, real_back) in zip(size, kernel, stride, pads, real_pads):
        starts = np.arange((length + front + back - k) // s + 1) * s - front
        low, high = (-real_front, length + real_back) if count_include_pad else (0, length)
        axes.append(np.clip(starts + k, None, high) - np.clip(starts, low, None))
    counts = axes[0]
    for axis in axes[1:]:
        counts = counts[..., None] * axis
    return np.maximum(counts, 1).astype(dtype)


def _channels_first(x, n, data_format):
    return jnp.moveaxis(x, -1, 1) if channels_last(data_format) else x


def _restore(x, data_format):
    return jnp.moveaxis(x, 1, -1) if channels_last(data_format) else x


def primitive_window(value: Any, n: int):
    """The n window sizes of a Primitive's argument: a number, n numbers, or n + 2 numbers (batch and channel in front)."""
    return spread(value, n, "kernel_size")


@op(prim=Prim("MaxPool", inputs=("x",)), ops=False, name="max_pool_prim")
def max_pool_primitive(
    x: Array, kernel_size: Ints = 1, strides: Ints = 1, pad_mode: str = "valid", data_format: str = "NCHW"
) -> Array:
    """Maximum over 2-D windows; pad_mode "valid" or "same"."""
    return _pool_primitive("MaxPool", 2, x, kernel_size, strides, pad_mode, data_format, max_pool)


@op(prim=Prim("AvgPool", inputs=("x",)), ops=False, name="avg_pool_prim")
def avg_pool_primitive(
    x: Array, kernel_size: Ints = 1, strides: Ints = 1, pad_mode: str = "valid", data_format: str = "NCHW"
) -> Array:
    """Mean over 2-D windows; pad_mode "valid" or "same" (padding does not count)."""
    return _pool_primitive(
        "AvgPool", 2, x, kernel_size, strides, pad_mode, data_format, lambda *a: avg_pool(*a, count_include_pad=False)
    )


def _pool_primitive(name, n, x, kernel_size, strides, pad_mode, data_format, pool):
    if x.ndim != n + 2:
        raise ValueError(f"For '{name}', the input must have {n + 2} axes, but got shape {tuple(x.shape)}.")
    kernel, stride = primitive_window(kernel_size, n), spread(strides, n)
    x = _channels_first(x, n, data_format)
    pads = paddings(pad_mode, 0, x.shape[2:], kernel, stride, (1,) * n)
    if any(length + sum(p) < k for length, p, k in zip(x.shape[2:], pads, kernel)):
        raise (RuntimeError if name == "AvgPool" else ValueError)(
            f"For '{name}', the kernel {kernel} is larger than the padded input of shape {tuple(x.shape)}."
        )
    return _restore(pool(x, kernel, stride, pads), data_format)
