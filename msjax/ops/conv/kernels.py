"""Convolution in one, two and three dimensions, and its transpose.

XLA's own convolution serves everywhere but for the cases where the CPU has a form that is many times faster: depthwise (38x forward,
8x backward), grouped (100x backward), few windows for the weight's size (up to 75x), the backward of 1x1 (3x) and the weight's gradient
over large images (6x). `_CPU` is the table of these; GPU and TPU keep plain lax.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.interpreters import ad, batching, mlir

from ...core.operators.record import op
from ...core.operators.rows import Prim, args
from ...core.program.primitives import make_known
from ...core.settings import products
from ...core.settings.context import present_device
from ...core.spec import Array, Ints, MaybeArray
from ..shapes import same_shape

_LAYOUT = {1: ("NCH", "OIH", "NCH"), 2: ("NCHW", "OIHW", "NCHW"), 3: ("NCDHW", "OIDHW", "NCDHW")}


def spread(value: Any, n: int, what: str = "stride"):
    """n numbers from one number or from n (or n + 2, with two in front) of them."""
    if isinstance(value, int) or getattr(value, "ndim", None) == 0:
        return (int(value),) * n  # of a traced number: the program runs eagerly
    value = tuple(value)
    if len(value) == 1:
        return value * n
    if len(value) == n + 2:
        return value[2:]
    if len(value) != n:
        raise ValueError(f"the '{what}' must be one number or {n} numbers, but got {value}.")
    return value


def paddings(
    pad_mode: Any,
    padding: Any,
    size: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    dilation: Sequence[int],
):
    """Pairs (before, after) for each axis. pad_mode: "valid", "same" (output = ceil(input / stride), the odd one behind) or "pad"."""
    mode = pad_mode.lower()
    n = len(kernel)
    if mode == "valid":
        return [(0, 0)] * n
    if mode == "same":
        pairs = []
        for length, k, s, d in zip(size, kernel, stride, dilation):
            total = max((-(-length // s) - 1) * s + d * (k - 1) + 1 - length, 0)
            pairs.append((total // 2, total - total // 2))
        return pairs
    if isinstance(padding, int):
        return [(padding, padding)] * n
    padding = tuple(padding)
    if len(padding) == n:
        return [(p, p) for p in padding]
    if len(padding) == 2 * n:
        return [(padding[2 * i], padding[2 * i + 1]) for i in range(n)]
    raise ValueError(f"the 'padding' must be one number, {n} or {2 * n} numbers, but got {padding}.")


def convolve(
    x: jax.Array, weight: jax.Array, stride: Sequence[int], pads: Sequence[int], dilation: Sequence[int], groups: int
):
    """Convolution of (N, C, ...) with a weight of (O, C / groups, ...), by the fastest form of the platform."""
    n = x.ndim - 2
    if n == 2 and x.size and present_device() == "CPU":
        for applies, form in _CPU:
            if applies(x, weight, stride, pads, dilation, groups):
                return form(x, weight, stride, pads, dilation, groups)
    if present_device() != "CPU":
        return _of_kept_axes(x, weight, stride, pads, dilation, groups)
    return _plain(x, weight, stride, pads, dilation, groups)


def _plain(x, weight, stride, pads, dilation, groups):
    return lax.conv_general_dilated(
        x,
        weight,
        stride,
        pads,
        rhs_dilation=dilation,
        dimension_numbers=_LAYOUT[x.ndim - 2],
        feature_group_count=groups,
        precision=products.of_convolutions(),
    )


def _of_kept_axes(x, weight, stride, pads, dilation, groups):
    """The convolution over the axes that a window slides along; an axis as long as its window counts as channels.

    Texts of (N, 1, words, width) under windows of (k, width) have one channel: the matrix unit of a TPU multiplies 128 of them at once.
    """
    n = x.ndim - 2
    sizes = zip(x.shape[2:], weight.shape[2:], pads, dilation)
    kept = [i for i, (size, k, p, step) in enumerate(sizes) if not (size == k > 1 == step and tuple(p) == (0, 0))]
    if len(kept) in (0, n):
        return _plain(x, weight, stride, pads, dilation, groups)
    whole = [i for i in range(n) if i not in kept]

    def folded(a):
        turned = a.transpose(0, 1, *(i + 2 for i in whole + kept))
        return turned.reshape(a.shape[0], -1, *turned.shape[2 + len(whole) :])

    options = ([option[i] for i in kept] for option in (stride, pads, dilation))
    return jnp.expand_dims(_plain(folded(x), folded(weight), *options, groups), [i + 2 for i in whole])


# --- CPU forms
_MOST_IN_WINDOWS = 1 << 22  # elements of all windows of an image that overlap
_LONG = 16  # windows along an axis: a slice for each place in them takes long to compile


def _has_few_windows(x, weight, stride, pads, dilation, groups):
    """Whether the windows are fewer than the channels they go to, smaller in number than the taps of each, or do not overlap.

    XLA takes the weight for the image where that is the smaller one (110 ms instead of 3 for 3x3 over 2x2 of 512 channels, batch 4), and
    turns a weight that is larger than all windows for each gradient.
    """
    out, kernel = _output_size(x.shape[2:], weight.shape[2:], stride, pads), weight.shape[2:]
    pixels, taps, plain = out[0] * out[1], kernel[0] * kernel[1], all(p == (0, 0) for p in pads)
    if groups != 1 or tuple(dilation) != (1, 1) or x.dtype != jnp.float32 or any(min(p) < 0 for p in pads):
        return False
    if plain and tuple(stride) != (1, 1) and all(k <= s for k, s in zip(kernel, stride)):
        return True
    elements = x.shape[0] * pixels * x.shape[1] * taps
    return x.shape[0] * pixels <= weight.shape[0] or pixels < taps and elements <= _MOST_IN_WINDOWS


def _windows(x, kernel, stride, pads):
    """The windows of the images, as (N, C, kH, kW, H, W)."""
    out = _output_size(x.shape[2:], kernel, stride, pads)
    if tuple(kernel) == tuple(stride) and all(p == (0, 0) for p in pads):
        x = x[:, :, : out[0] * kernel[0], : out[1] * kernel[1]]
        return x.reshape(*x.shape[:2], out[0], kernel[0], out[1], kernel[1]).transpose(0, 1, 3, 5, 2, 4)
    return _shifted(_shifted(_pad(x, pads), 1, kernel, stride, out), 0, kernel, stride, out)


def _shifted(x, axis, kernel, stride, out):
    """Windows along one axis of an image: (N, C, ..., H, W), stacked behind the channels."""
    length, step, count = kernel[axis], stride[axis], out[axis]
    at = x.ndim - 2 + axis
    if length >= _LONG:
        return _shifted_twice_as_far(x, at, length, step, count)
    ends = [i + (count - 1) * step + 1 for i in range(length)]
    return jnp.stack([lax.slice_in_dim(x, i, end, step, at) for i, end in enumerate(ends)], axis=2)


def _shifted_twice_as_far(x, at, length, step, count):
    """The same by a few stacks, each twice as long as the last one: a slice a tap takes twice as long to compile (1.5 seconds for 41 taps)."""
    steps = -(-length // step)
    rows = count + steps - 1
    x = lax.slice_in_dim(x, 0, min(rows * step, x.shape[at]), 1, at)
    x = jnp.pad(x, [(0, rows * step - n if axis == at else 0) for axis, n in enumerate(x.shape)])
    x = jnp.moveaxis(x.reshape(*x.shape[:at], rows, step, *x.shape[at + 1 :]), at + 1, 2)
    x = jnp.expand_dims(x, 2)  # (N, C, 1, step, ..., rows, ...)
    at += 2
    while (have := x.shape[2]) < steps:
        more = min(have, steps - have)
        left = x.shape[at] - more
        further = lax.slice_in_dim(x, more, more + left, 1, at)[:, :, have - more :]
        x = jnp.concatenate([lax.slice_in_dim(x, 0, left, 1, at), further], axis=2)
    return x.reshape(*x.shape[:2], steps * step, *x.shape[4:])[:, :, :length]


def _by_windows(x, weight, stride, pads, dilation, groups):
    """One matrix product: windows (pixels of all images, C kH kW) times the weight (O, C kH kW), as it lies in memory, also for gradients."""
    kernel = weight.shape[2:]
    windows = _windows(x, kernel, stride, pads)
    count, size = x.shape[0], windows.shape[-2:]
    rows = windows.reshape(count, -1, size[0] * size[1]).transpose(0, 2, 1).reshape(count * size[0] * size[1], -1)
    product = lax.dot_general(rows, weight.reshape(weight.shape[0], -1), (((1,), (1,)), ((), ())))
    return product.reshape(count, *size, weight.shape[0]).transpose(0, 3, 1, 2)


def _is_pointwise(x, weight, stride, pads, dilation, groups):
    return (
        groups == 1
        and weight.shape[2:] == (1, 1)
        and tuple(stride) == (1, 1)
        and all(p == (0, 0) for p in pads)
        and x.dtype == jnp.float32
    )


@jax.custom_vjp
def _pointwise(x, weight):
    return _plain(x, weight, (1, 1), [(0, 0)] * 2, (1, 1), 1)


def _pointwise_forward(x, weight):
    return _pointwise(x, weight), (x, weight)


def _pointwise_backward(saved, g):
    """Two matrix products over the pixels."""
    x, weight = saved
    w = weight[:, :, 0, 0]
    return jnp.einsum("nohw,oc->nchw", g, w), jnp.einsum("nohw,nchw->oc", g, x)[:, :, None, None]


_pointwise.defvjp(_pointwise_forward, _pointwise_backward)
_pointwise_once = jax.jit(_pointwise)  # traced once for all layers of equal shapes


_MANY_PIXELS = 144  # of the output: below, XLA's own gradient of the weight is as fast


def _is_large(x, weight, stride, pads, dilation, groups):
    out = _output_size(x.shape[2:], weight.shape[2:], stride, pads)
    return (
        groups == 1
        and tuple(dilation) == (1, 1)
        and all(min(p) >= 0 for p in pads)
        and out[0] * out[1] >= _MANY_PIXELS
        and min(x.shape[1], weight.shape[0]) >= 16
        and x.dtype == jnp.float32
    )


def _large(x, weight, stride, pads, dilation, groups):
    """XLA's convolution with a gradient of the weight by one matrix product a sample.

    XLA writes that gradient as a convolution whose window is the whole output; on the CPU it runs at 5 GFLOPS for a window of 32x32,
    where forward and input gradient run at 55. Sample by sample the shifted images of one product stay in the cache (32 GFLOPS).
    """
    return _large_primitive().bind(x, weight, stride=tuple(stride), pads=tuple(map(tuple, pads)))


def _large_plain(x, weight, *, stride, pads):
    return _plain(x, weight, stride, pads, (1, 1), 1)


def _large_input_gradient(g, x, weight, *, stride, pads):
    given = jax.ShapeDtypeStruct(x.aval.shape, x.aval.dtype)
    return jax.linear_transpose(lambda x: _large_plain(x, weight, stride=stride, pads=pads), given)(g)[0]


def _large_weight_gradient(g, x, weight, *, stride, pads):
    return _weight_gradient(x, g, weight.aval.shape, stride, pads)


def _large_shape(x, weight, *, stride, pads):
    return x.shape[0], weight.shape[0], *_output_size(x.shape[2:], weight.shape[2:], stride, pads)


def bilinear(
    name: str,
    plain: Callable[..., jax.Array],
    input_gradient: Callable[..., jax.Array],
    weight_gradient: Callable[..., jax.Array],
    shape: Callable[..., tuple[int, ...]],
):
    """A primitive of an input and a weight that has derivatives of every order in both modes, which `jax.custom_vjp` does not have.

    plain, shape: of (x, weight) and the parameters; the gradients: of (gradient of the result, x, weight), the one that is
    asked for as its type and shape only.
    """
    from jax.extend.core import Primitive  # Pallas comes with it: not for those who only import

    def batched(arrays, axes, **parameters):
        return jax.vmap(functools.partial(plain, **parameters), axes)(*arrays), 0

    made = Primitive(name)
    made.def_impl(plain)
    made.def_abstract_eval(lambda x, weight, **parameters: x.update(shape=shape(x, weight, **parameters)))
    mlir.register_lowering(made, mlir.lower_fun(plain, multiple_results=False))
    ad.defbilinear(made, input_gradient, weight_gradient)
    batching.primitive_batchers[made] = batched
    make_known(name, plain)
    return made


@functools.cache
def _large_primitive():
    return bilinear("convolution_large", _large_plain, _large_input_gradient, _large_weight_gradient, _large_shape)


def _weight_gradient(x, g, shape, stride, pads):
    """Gradient of the weight of `shape` (O, C, kH, kW): the sum over samples of g (O, pixels) times the shifted images (C taps, pixels).

    Images are shifted along the columns, and these along the rows: two stacks to compile and not a slice a tap (of 3x3 a third less to
    compile, of 7x7 two thirds), and a tenth to a fifth faster.
    """
    outer, channels, *kernel = shape
    out = g.shape[2:]

    def add(total, sample):
        image, gradient = sample
        windows = _windows(image[None], kernel, stride, pads).reshape(-1, out[0] * out[1])
        return total + lax.dot_general(gradient.reshape(outer, -1), windows, (((1,), (1,)), ((), ()))), None

    total, _ = lax.scan(add, jnp.zeros((outer, channels * kernel[0] * kernel[1]), x.dtype), (x, g))
    return total.reshape(shape)


def _is_depthwise(x, weight, stride, pads, dilation, groups):
    return (
        groups == x.shape[1] == weight.shape[0]
        and groups > 1
        and weight.shape[1] == 1
        and tuple(dilation) == (1, 1)
        and x.dtype == jnp.float32
    )


def _depthwise(x, weight, stride, pads, dilation, groups):
    return _taps(x, weight, tuple(stride), tuple(map(tuple, pads)))


def _pad(x, pads):
    return jnp.pad(x, ((0, 0), (0, 0), *pads)) if any(p != (0, 0) for p in pads) else x


def _tap_slice(x, i, j, stride, out):
    """Every stride-th pixel of x from (i, j) on."""
    return lax.slice(
        x,
        (0, 0, i, j),
        (*x.shape[:2], i + (out[0] - 1) * stride[0] + 1, j + (out[1] - 1) * stride[1] + 1),
        (1, 1, *stride),
    )


def _output_size(size, kernel, stride, pads):
    return tuple((length + sum(p) - k) // s + 1 for length, k, s, p in zip(size, kernel, stride, pads))


def _taps_forward_only(x, weight, stride, pads):
    kernel = weight.shape[2:]
    out = _output_size(x.shape[2:], kernel, stride, pads)
    padded = _pad(x, pads)
    total = None
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            term = _tap_slice(padded, i, j, stride, out) * weight[:, 0, i, j][None, :, None, None]
            total = term if total is None else total + term
    return total


def _taps(x, weight, stride, pads):
    """Depthwise convolution as a sum of k*k shifted products, which XLA fuses into one loop."""

    @jax.custom_vjp
    def run(x, weight):
        return _taps_forward_only(x, weight, stride, pads)

    def forward(x, weight):
        return run(x, weight), (x, weight)

    def backward(saved, g):
        x, weight = saved
        kernel = weight.shape[2:]
        padded = _pad(x, pads)
        span = [(n - 1) * s + 1 for n, s in zip(g.shape[2:], stride)]

        def of_tap(at):
            start = [jnp.int32(0), jnp.int32(0), at // kernel[1], at % kernel[1]]
            pixels = lax.dynamic_slice(padded, start, (*x.shape[:2], *span))[:, :, :: stride[0], :: stride[1]]
            return jnp.sum(pixels * g, axis=(0, 2, 3))

        # a loop, for one sum that is compiled instead of k*k (0.2 instead of 0.5 s for 5x5), and 2 to 3 times faster over large images
        dw = lax.map(of_tap, jnp.arange(kernel[0] * kernel[1], dtype=jnp.int32)).T.reshape(weight.shape)
        dx = spread_taps(
            lambda i, j, g: g * weight[:, 0, i, j][None, :, None, None], (g,), kernel, stride, padded.shape[2:]
        )
        return lax.slice(
            dx, (0, 0, pads[0][0], pads[1][0]), (*dx.shape[:2], pads[0][0] + x.shape[2], pads[1][0] + x.shape[3])
        ), dw

    run.defvjp(forward, backward)
    return run(x, weight)


def spread_taps(
    tap: Callable, arrays: tuple[jax.Array, ...], kernel: Sequence[int], stride: Sequence[int], size: Sequence[int]
):
    """Sum over the taps (i, j) of `tap(i, j, *arrays)`, placed at rows i + stride * r and columns j + stride * c of an array of `size`.

    No scatter: each of the stride * stride phases of the result is a sum of plainly shifted arrays, and the phases are interleaved. The
    arrays (N, C, r, c; the first one's border is zeros) are padded once, behind a barrier: else XLA would pad anew for every tap.
    """
    (sh, sw), (height, width) = stride, size
    rows, columns = -(-height // sh), -(-width // sw)
    top, left = (kernel[0] - 1) // sh, (kernel[1] - 1) // sw

    def around(x):
        x = x[:, :, :rows, :columns]
        return jnp.pad(x, ((0, 0), (0, 0), (top, rows - x.shape[2]), (left, columns - x.shape[3])))

    if top or left or any(a.shape[2:] != (rows, columns) for a in arrays):
        arrays = lax.optimization_barrier(tuple(around(a) for a in arrays))
    phases = []
    for a in range(sh):
        row = []
        for b in range(sw):
            total = None
            for i in range(a, kernel[0], sh):
                for j in range(b, kernel[1], sw):
                    r, c = top - i // sh, left - j // sw
                    part = tap(i, j, *(x[:, :, r : r + rows, c : c + columns] for x in arrays))
                    total = part if total is None else total + part
            row.append(total)
        phases.append(row)
    shape = next(p for r in phases for p in r if p is not None)
    phases = [[jnp.zeros_like(shape) if p is None else p for p in r] for r in phases]
    if (sh, sw) == (1, 1):
        return phases[0][0]
    grid = jnp.stack([jnp.stack(r, axis=-1) for r in phases], axis=3)  # (N, C, rows, sh, columns, sw)
    return grid.reshape(*shape.shape[:2], rows * sh, columns * sw)[:, :, :height, :width]


# Groups. One convolution for each group runs fastest and compiles slowest (32 of 3x3: 10 s); a loop over groups of 8 channels runs a third to
# a twentieth as fast. XLA's own convolution of 256 groups of 4 channels under 41 taps has a gradient that takes 4.2 seconds, the loop's 6 ms.
_FEW_GROUPS = 32  # below which as many convolutions compile fast enough
_MOST_SPLIT = 64  # groups, each a convolution of its own
_SMALL_GROUP = 16  # channels in times channels out of a group, up to which a loop is as fast as its parts
_MOST_OF_ALL_GROUPS = 1 << 20  # elements of all windows, below which they are one batched product


def is_split(dtype: Any, groups: int):
    """Whether a grouped convolution runs as one convolution for each group, by XLA's library, which takes no groups.
    Not for float64, which the library lacks: programs with two dozen of XLA's own loops crash (jaxlib 0.10:
    segmentation faults).
    """
    return 1 < groups <= _MOST_SPLIT and dtype != jnp.float64


def _has_small_windows(x, weight, stride, pads, dilation, groups):
    """Whether all windows of many groups are small together, or those of some groups that are long and do not begin at each place."""
    taps, out = math.prod(weight.shape[2:]), math.prod(_output_size(x.shape[2:], weight.shape[2:], stride, pads))
    long = any(k >= _LONG and s > 1 for k, s in zip(weight.shape[2:], stride))
    return (
        groups >= (4 if long else _FEW_GROUPS)
        and x.dtype == jnp.float32
        and tuple(dilation) == (1, 1)
        and all(min(p) >= 0 for p in pads)
        and math.prod(x.shape[:2]) * taps * out <= _MOST_OF_ALL_GROUPS
    )


def _by_group_windows(x, weight, stride, pads, dilation, groups):
    """One matrix product batched over images and groups."""
    windows = _windows(x, weight.shape[2:], stride, pads)
    rows = windows.reshape(x.shape[0], groups, -1, math.prod(windows.shape[-2:]))
    product = jnp.einsum("ngkp,gok->ngop", rows, weight.reshape(groups, weight.shape[0] // groups, -1))
    return product.reshape(x.shape[0], weight.shape[0], *windows.shape[-2:])


def _has_few_groups(x, weight, stride, pads, dilation, groups):
    small = weight.shape[1] * (weight.shape[0] // groups) <= _SMALL_GROUP
    return is_split(x.dtype, groups) and (groups < _FEW_GROUPS or not small)


def _split(x, weight, stride, pads, dilation, groups):
    """One dense convolution a group."""
    images, weights = jnp.split(x, groups, axis=1), jnp.split(weight, groups, axis=0)
    return jnp.concatenate([_plain(a, b, stride, pads, dilation, 1) for a, b in zip(images, weights)], axis=1)


def _has_many_groups(x, weight, stride, pads, dilation, groups):
    return groups >= _FEW_GROUPS and x.dtype != jnp.float64


def _looped(x, weight, stride, pads, dilation, groups):
    """A loop over the groups."""
    images = jnp.moveaxis(x.reshape(x.shape[0], groups, -1, *x.shape[2:]), 1, 0)
    weights = weight.reshape(groups, -1, *weight.shape[1:])
    out = lax.map(lambda of: _plain(*of, stride, pads, dilation, 1), (images, weights))
    return jnp.moveaxis(out, 0, 1).reshape(x.shape[0], weight.shape[0], *out.shape[3:])


_CPU = (
    (_has_few_windows, _by_windows),
    (_is_pointwise, lambda x, weight, *_: _pointwise_once(x, weight)),
    (_is_depthwise, _depthwise),
    (_has_small_windows, _by_group_windows),
    (_has_few_groups, _split),
    (_has_many_groups, _looped),
    (_is_large, _large),
)


# --- operators
def _check(name, x, weight, n, groups):
    if x.ndim != n + 2:
        raise ValueError(f"For '{name}', the input must have {n + 2} axes, but got shape {tuple(x.shape)}.")
    if weight.ndim != n + 2:
        raise ValueError(f"For '{name}', the weight must have {n + 2} axes, but got shape {tuple(weight.shape)}.")
    if x.shape[1] != weight.shape[1] * groups:
        error = ValueError if n == 3 else RuntimeError  # as MindSpore's shape inference has it
        raise error(
            f"For '{name}', 'C_in' of the input must be that of the weight times 'groups': got {x.shape[1]} and "
            f"{weight.shape[1]} * {groups} (input {tuple(x.shape)}, weight {tuple(weight.shape)})."
        )
    check_types(name, x, weight)


def check_types(name: str, x: "jax.Array", weight: "jax.Array"):
    """TypeError unless the input and the weight of a convolution are of one type."""
    if x.dtype != weight.dtype:
        raise TypeError(
            f"For '{name}', the type of 'weight' should be same as 'input', but got {weight.dtype} and {x.dtype}."
        )


def _convolution(name, n, input, weight, bias, stride, pad_mode, padding, dilation, groups):
    _check(name, input, weight, n, groups)
    if not isinstance(pad_mode, str) or pad_mode.lower() not in ("valid", "same", "pad"):
        raise ValueError(f"For '{name}', the 'pad_mode' must be 'pad', 'same' or 'valid', but got {pad_mode!r}.")
    stride, dilation = spread(stride, n), spread(dilation, n, "dilation")
    pads = paddings(pad_mode, padding, input.shape[2:], weight.shape[2:], stride, dilation)
    for length, (front, back), k, d in zip(input.shape[2:], pads, weight.shape[2:], dilation):
        if length + front + back < d * (k - 1) + 1:
            raise ValueError(
                f"For '{name}', the padded input must be at least as large as the kernel {tuple(weight.shape[2:])}, "
                f"but got an input of shape {tuple(input.shape)} with padding {pads}."
            )
    out = convolve(input, weight, stride, pads, dilation, groups)
    if bias is None:
        return out
    same_shape(name, channels=out.shape[1:2], bias=bias.shape)
    return out + bias.reshape((1, -1) + (1,) * n)


@op(
    prim=Prim(
        "Conv2D",
        init=args(
            "out_channel",
            "kernel_size",
            mode=1,
            pad_mode="valid",
            pad=0,
            stride=1,
            dilation=1,
            group=1,
            data_format="NCHW",
        ),
        call=args("x", "weight"),
        to={"pad": "padding", "group": "groups", "x": "input"},
        unused=("out_channel", "kernel_size", "mode", "data_format"),
    ),
    residuals=True,
)
def conv2d(
    input: Array,
    weight: Array,
    bias: MaybeArray = None,
    stride: Ints = 1,
    pad_mode: str = "valid",
    padding: Ints = 0,
    dilation: Ints = 1,
    groups: int = 1,
) -> Array:
    """Two-dimensional convolution (cross-correlation) of (N, C_in, H, W) with a weight of (C_out, C_in / groups, kH, kW).

    pad_mode: "valid" (no padding), "same" (output H = ceil(H / stride)), "pad" (`padding` on each side: one number, two, or four as
    top, bottom, left, right).

    Example:
        >>> x, weight = Tensor(np.ones((1, 3, 8, 8), np.float32)), Tensor(np.ones((4, 3, 3, 3), np.float32))
        >>> ops.conv2d(x, weight, stride=2, pad_mode="same").shape
        (1, 4, 4, 4)
    """
    return _convolution("conv2d", 2, input, weight, bias, stride, pad_mode, padding, dilation, groups)
