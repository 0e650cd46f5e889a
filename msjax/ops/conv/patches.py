"""Windows of an image as columns, and back: unfold, fold, im2col, col2im, extracted patches, morphological dilation."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, args
from ...core.spec import Array, Ints, Static
from ..shape.shaping import axis_of, merged
from ..shapes import number_of_axes
from .kernels import paddings, spread

if TYPE_CHECKING:
    import jax


def taps(
    x: "jax.Array",
    kernel: Sequence[int],
    stride: Sequence[int],
    pads: Sequence[int],
    dilation: Sequence[int],
    fill: Any = 0,
):
    """(N, C, k1 * k2 * ..., out1, out2, ...): the elements under each place of the kernel."""
    n = len(kernel)
    x = jnp.pad(x, ((0, 0), (0, 0), *pads), constant_values=fill)
    out = [(length - d * (k - 1) - 1) // s + 1 for length, k, s, d in zip(x.shape[2:], kernel, stride, dilation)]
    if any(o < 1 for o in out):
        raise ValueError(
            f"the windows of size {tuple(kernel)} do not fit into the padded input of shape {tuple(x.shape)}."
        )
    pieces = []
    for place in np.ndindex(*kernel):
        start = [p * d for p, d in zip(place, dilation)]
        stop = [b + (o - 1) * s + 1 for b, o, s in zip(start, out, stride)]
        pieces.append(lax.slice(x, (0, 0, *start), (*x.shape[:2], *stop), (1, 1, *stride)))
    return jnp.stack(pieces, 2) if n else x


def untaps(
    columns: "jax.Array",
    size: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    pads: Sequence[int],
    dilation: Sequence[int],
):
    """The sum of all taps put back to an (N, C, *size) array; columns is (N, C, k1 * k2 * ..., out1, ...)."""
    if columns.dtype in (jnp.float16, jnp.bfloat16):
        return untaps(columns.astype(jnp.float32), size, kernel, stride, pads, dilation).astype(columns.dtype)
    full = tuple(length + sum(p) for length, p in zip(size, pads))
    total = jnp.zeros((*columns.shape[:2], *full), columns.dtype)
    out = columns.shape[3:]
    for number, place in enumerate(np.ndindex(*kernel)):
        start = [p * d for p, d in zip(place, dilation)]
        where = tuple(slice(b, b + (o - 1) * s + 1, s) for b, o, s in zip(start, out, stride))
        total = total.at[(slice(None), slice(None), *where)].add(columns[:, :, number])
    return total[(slice(None), slice(None), *(slice(p[0], p[0] + length) for p, length in zip(pads, size)))]


def _options(kernel_size, dilation, padding, stride):
    kernel = spread(kernel_size, 2, "kernel_size")
    stride, dilation = spread(stride, 2), spread(dilation, 2, "dilation")
    return kernel, stride, paddings("pad", padding, (0, 0), kernel, stride, dilation), dilation


@op(ops=True, mint="nn.functional.unfold")
def unfold(input: Array, kernel_size: Static[Ints], dilation: Ints = 1, padding: Ints = 0, stride: Ints = 1) -> Array:
    """The windows of an (N, C, H, W) image as columns: (N, C * kH * kW, windows).

    Example:
        >>> ops.unfold(Tensor(np.ones((1, 2, 4, 4), np.float32)), kernel_size=3, padding=1).shape
        (1, 18, 16)
    """
    number_of_axes("unfold", 4, input=input.shape)
    columns = taps(input, *_options(kernel_size, dilation, padding, stride))
    return columns.reshape(input.shape[0], input.shape[1] * columns.shape[2], math.prod(columns.shape[3:]))


@op(ops=False)
def unfold_axis(input: Array, dimension: Static[Any], size: Static[Any], step: Static[Any]):
    """Windows of `size` along one axis, every `step` elements, as a new last axis."""
    axis = axis_of("unfold", dimension, input.ndim)
    count = (input.shape[axis] - size) // step + 1
    if count < 1:
        raise ValueError(f"For 'unfold', the 'size' must be at most {input.shape[axis]}, but got {size}.")
    windows = jnp.take(input, jnp.asarray(np.arange(count)[:, None] * step + np.arange(size)), axis)
    return jnp.moveaxis(windows, axis + 1, -1)


@composite(ops=False, tensor="unfold")
def unfold_method(self: Array, *args: Any, **named: Any):
    """`unfold(dimension, size, step)`: windows along one axis; `unfold(kernel_size, dilation=1, padding=0, stride=1)`: `ops.unfold`."""
    if (
        len(args) + len(named) == 3
        and all(isinstance(a, int) for a in args)
        and set(named) <= {"dimension", "size", "step"}
    ):
        given = dict(zip(("dimension", "size", "step"), args), **named)
        return records["unfold_axis"](self, given["dimension"], given["size"], given["step"])
    given = dict(zip(("kernel_size", "dilation", "padding", "stride"), args), **named)
    if "kernel_size" not in given:
        raise TypeError("unfold() missing 1 required positional argument: 'kernel_size'.")
    return records["unfold"](
        self, given["kernel_size"], given.get("dilation", 1), given.get("padding", 0), given.get("stride", 1)
    )


def _fold(name, columns, output_size, options):
    kernel, stride, pads, dilation = options
    size = spread(output_size, 2, "output_size")
    if min(size) < 0:
        raise ValueError(f"For '{name}', the 'output_size' must not be negative, but got {tuple(size)}.")
    windows = [
        (length + sum(p) - d * (k - 1) - 1) // s + 1 for length, p, k, s, d in zip(size, pads, kernel, stride, dilation)
    ]
    if columns.shape[2] != math.prod(kernel) or columns.shape[3] != math.prod(windows):
        raise ValueError(
            f"For '{name}', the input must hold {math.prod(windows)} windows of {math.prod(kernel)} elements, but got shape "
            f"{tuple(columns.shape)}."
        )
    return untaps(columns.reshape(*columns.shape[:3], *windows), size, kernel, stride, pads, dilation)


@op(
    ops=Face("fold", fixed={"unbatched": False}),
    tensor=Method("fold", fixed={"unbatched": False}),
    mint=Face("nn.functional.fold", fixed={"unbatched": True}),
)
def fold(
    input: Array,
    output_size: Static[Ints],
    kernel_size: Static[Ints],
    dilation: Ints = 1,
    padding: Ints = 0,
    stride: Ints = 1,
    unbatched: bool = True,
) -> Array:
    """The inverse of `unfold`, where windows overlap their sum: (N, C * kH * kW, windows) to (N, C, H, W).

    `ops.fold` also takes the windows as (N, C, kH * kW, windows).
    """
    if unbatched:
        number_of_axes("fold", (2, 3), input=input.shape)
    else:
        number_of_axes("fold", 1, output_size=np.shape(output_size))
    x = input[None] if unbatched and input.ndim == 2 else input
    options = _options(kernel_size, dilation, padding, stride)
    places = math.prod(options[0])
    rows = math.prod(x.shape[1:-1])
    if x.ndim < 3 or rows % places:
        raise ValueError(
            f"For 'fold', the channels must be a multiple of the window's {places} elements, but got shape {tuple(input.shape)}."
        )
    out = _fold("fold", x.reshape(x.shape[0], rows // places, places, x.shape[-1]), output_size, options)
    return out if x is input else out[0]


@op(prim=Prim("Im2Col", inputs=("x",)), ops=False)
def im2col(x: Array, ksizes: Static[Ints], strides: Ints = 1, dilations: Ints = 1, pads: Ints = 0) -> Array:
    """The windows of an (N, C, H, W) image: (N, C, kH * kW, windows)."""
    columns = taps(x, *_options(ksizes, dilations, pads, strides))
    return merged(columns, 3)


@op(
    ops=Face("col2im", args("input_x", "output_size", "kernel_size", "dilation", "padding_value", "stride")),
    tensor=Method("col2im", args("output_size", "kernel_size", "dilation", "padding_value", "stride")),
    prim=Prim(
        "Col2Im",
        init=args("kernel_size", dilation=1, padding=0, stride=1),
        call=args("x", "output_size"),
        to={"padding": "padding_value", "x": "input_x"},
    ),
)
def col2im(
    input_x: Array,
    output_size: Static[Any],
    kernel_size: Static[Ints],
    dilation: Static[Ints] = 1,
    padding_value: Static[Ints] = 0,
    stride: Static[Ints] = 1,
) -> Array:
    """Windows (N, C, kH * kW, windows) put back to an (N, C, H, W) image; where they overlap their sum."""
    number_of_axes("Col2Im", 4, x=input_x.shape)
    number_of_axes("Col2Im", 1, output_size=np.shape(output_size))
    return _fold("col2im", input_x, output_size, _options(kernel_size, dilation, padding_value, stride))


def _patches(name, n, x, ksizes, strides, rates, padding):
    kernel, stride, dilation = spread(ksizes, n, "ksizes"), spread(strides, n), spread(rates, n, "rates")
    if not isinstance(padding, str) or padding.lower() not in ("valid", "same"):
        raise ValueError(f"For '{name}', the 'padding' must be 'valid' or 'same', but got {padding!r}.")
    number_of_axes(name, n + 2, input_x=x.shape)
    columns = taps(x, kernel, stride, paddings(padding, 0, x.shape[2:], kernel, stride, dilation), dilation)
    return columns


@op(prim=Prim("ExtractImagePatches", inputs=("input_x",)), ops=False)
def extract_image_patches(
    input_x: Array, ksizes: Static[Any], strides: Static[Any], rates: Static[Any], padding: str = "VALID"
):
    """The windows of an (N, C, H, W) image as channels, the place in the window before the channel: (N, kH * kW * C, oH, oW)."""
    columns = _patches("ExtractImagePatches", 2, input_x, ksizes, strides, rates, padding)
    return jnp.swapaxes(columns, 1, 2).reshape(columns.shape[0], math.prod(columns.shape[1:3]), *columns.shape[3:])


@op(prim=Prim("ExtractVolumePatches", inputs=("input_x",)), ops=False)
def extract_volume_patches(input_x: Array, kernel_size: Static[Any], strides: Static[Any], padding: Static[Any]):
    """The windows of an (N, C, D, H, W) volume as channels: (N, kD * kH * kW * C, oD, oH, oW)."""
    columns = _patches("ExtractVolumePatches", 3, input_x, kernel_size, strides, 1, padding)
    return jnp.swapaxes(columns, 1, 2).reshape(columns.shape[0], math.prod(columns.shape[1:3]), *columns.shape[3:])


@op(prim=Prim("Dilation2D", inputs=("x", "filter")), ops=False)
def dilation2d(
    x: Array,
    filter: Array,
    stride: Static[Ints],
    dilation: Static[Ints],
    pad_mode: str = "SAME",
    data_format: str = "NCHW",
) -> Array:
    """Greyscale dilation: the maximum of x + filter over each window; filter is (C, kH, kW)."""
    kernel, stride, dilation = filter.shape[1:], spread(stride, 2), spread(dilation, 2, "dilation")
    low = -jnp.inf if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype).min // 2
    columns = taps(x, kernel, stride, paddings(pad_mode, 0, x.shape[2:], kernel, stride, dilation), dilation, low)
    return jnp.max(columns + filter.reshape(1, filter.shape[0], -1, 1, 1), 2)
