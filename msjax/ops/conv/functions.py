"""Convolution functions and Primitives around `conv`: one and three dimensions, transposed, depthwise, deformable."""

import functools
from collections.abc import Sequence
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.settings import products
from ...core.settings.context import present_device
from ...core.spec import Array, Ints, MaybeArray, Operand, Static
from ...core.spec.rules import AnyCase, AsValue
from ..shape.shaping import merged
from ..shapes import number_of_axes, same_shape
from .kernels import _LAYOUT, _convolution, bilinear, check_types, convolve, is_split, paddings, spread


@op(ops=True, residuals=True)
def conv1d(
    input: Array,
    weight: Array,
    bias: MaybeArray = None,
    stride: Ints = 1,
    pad_mode: str = "valid",
    padding: Ints = 0,
    dilation: Ints = 1,
    groups: int = 1,
) -> Array:
    """Convolution of (N, C_in, L) with a weight of (C_out, C_in / groups, k); arguments as for `conv2d`.

    Example:
        >>> x, weight = Tensor(np.ones((1, 3, 8), np.float32)), Tensor(np.ones((4, 3, 2), np.float32))
        >>> ops.conv1d(x, weight, pad_mode="same").shape
        (1, 4, 8)
    """
    return _convolution("conv1d", 1, input, weight, bias, stride, pad_mode, padding, dilation, groups)


@op(ops=True, residuals=True)
def conv3d(
    input: Array,
    weight: Array,
    bias: MaybeArray = None,
    stride: Ints = 1,
    pad_mode: str = "valid",
    padding: Ints = 0,
    dilation: Ints = 1,
    groups: int = 1,
) -> Array:
    """Convolution of (N, C_in, D, H, W) with a weight of (C_out, C_in / groups, kD, kH, kW); arguments as for `conv2d`."""
    return _convolution("conv3d", 3, input, weight, bias, stride, pad_mode, padding, dilation, groups)


@op(
    prim=Prim(
        "Conv3D",
        init=args(
            "out_channel",
            "kernel_size",
            mode=1,
            pad_mode="valid",
            pad=0,
            stride=1,
            dilation=1,
            group=1,
            data_format="NCDHW",
        ),
        call=args("x", "w"),
        unused=("mode", "data_format"),
    ),
    ops=False,
    residuals=True,
)
def conv3d_primitive(
    x: Array,
    w: Operand,
    pad_mode: str = "valid",
    pad: Ints = 0,
    stride: Ints = 1,
    dilation: Ints = 1,
    group: int = 1,
    out_channel: int | None = None,
    kernel_size: Ints | None = None,
) -> Array:
    """Convolution of (N, C_in, D, H, W) with a weight of (C_out, C_in / groups, kD, kH, kW)."""
    return _convolution("Conv3D", 3, x, w, None, stride, pad_mode, pad, dilation, group)


def _mint_convolution(n):
    name = f"conv{n}d"

    def run(
        input: Array,
        weight: Array,
        bias: MaybeArray = None,
        stride: Ints = 1,
        padding: Ints | str = 0,
        dilation: Ints = 1,
        groups: int = 1,
    ) -> Array:
        if input.ndim not in (n + 1, n + 2):
            raise ValueError(
                f"For '{name}', the input must have {n + 1} or {n + 2} axes, but got shape {tuple(input.shape)}."
            )
        x = input if input.ndim == n + 2 else input[None]
        mode = padding if isinstance(padding, str) else "pad"
        out = _convolution(
            name, n, x, weight, bias, stride, mode, 0 if isinstance(padding, str) else padding, dilation, groups
        )
        return out if input.ndim == n + 2 else out[0]

    run.__name__ = f"mint_conv{n}d"
    run.__doc__ = (
        f'Convolution of a batched or single array with {n} spatial axes; padding is numbers, "valid" or "same".'
    )
    return run


for _n in (1, 2, 3):
    _spec = f"conv{_n}d"
    op(
        _mint_convolution(_n),
        ops=False,
        residuals=True,
        mint=(f"nn.functional.{_spec}", _spec) if _n == 2 else f"nn.functional.{_spec}",
    )


@op(ops=False, mint="conv_tbc", residuals=True)
def conv_tbc(input: Array, weight: Array, bias: Operand, pad: int = 0):
    """Convolution over time of (T, B, C_in) with a weight of (k, C_in, C_out)."""
    out = convolve(input.transpose(1, 2, 0), weight.transpose(2, 1, 0), (1,), [(pad, pad)], (1,), 1)
    return out.transpose(2, 0, 1) + bias


@op(
    prim=Prim(
        "DepthwiseConv2dNative",
        init=args("channel_multiplier", "kernel_size", mode=3, pad_mode="valid", pad=0, stride=1, dilation=1, group=1),
        call=args("x", "w"),
        unused=("mode", "group"),
    ),
    ops=False,
    residuals=True,
)
def depthwise_conv2d_native(
    x: Array,
    w: Operand,
    channel_multiplier: int = 1,
    pad_mode: str = "valid",
    pad: int = 0,
    stride: int = 1,
    dilation: int = 1,
    kernel_size: Any = None,
):
    """Each channel convolved with `channel_multiplier` kernels of its own; w is (channel_multiplier, C, kH, kW)."""
    weight = w.transpose(1, 0, 2, 3).reshape(-1, 1, *w.shape[2:])
    return _convolution("DepthwiseConv2dNative", 2, x, weight, None, stride, pad_mode, pad, dilation, x.shape[1])


# --- transposed
def transposed_length(pad_mode: str, length: int, kernel: int, stride: int, dilation: int, padding: int) -> int:
    """Output length of a transposed convolution along one axis; `padding` is the sum of both sides."""
    span = dilation * (kernel - 1) + 1
    if pad_mode == "same":
        return length * stride
    if pad_mode == "valid":
        return length * stride + max(span - stride, 0)
    return length * stride - padding + span - stride


def transposed(
    x: "jax.Array",
    weight: "jax.Array",
    stride: Sequence[int],
    pads: Sequence[int],
    dilation: Sequence[int],
    groups: int,
    size: Sequence[int],
):
    """The gradient of a convolution with respect to its input of spatial `size`: x is (N, C_out, ...), weight (C_out, C_in / groups, ...).

    Raises:
        TypeError: x and weight are of different types.
    """
    check_types(f"Conv{x.ndim - 2}DTranspose", x, weight)
    options = {
        "stride": tuple(stride),
        "fronts": tuple(front for front, _ in pads),
        "dilation": tuple(dilation),
        "size": tuple(size),
    }
    if present_device() != "CPU" or not x.size:
        return _transposed_plain(x, weight, groups=groups, **options)
    if not is_split(x.dtype, groups):
        return _transposed_primitive().bind(x, weight, groups=groups, **options)
    return jnp.concatenate(  # one dense convolution a group, as in `conv`
        [
            _transposed_primitive().bind(a, w, groups=1, **options)
            for a, w in zip(jnp.split(x, groups, 1), jnp.split(weight, groups, 0))
        ],
        1,
    )


def _transposed_plain(x, weight, *, stride, fronts, dilation, groups, size):
    """By XLA: the weight turned, over the input with zeros between its elements."""
    n, kernel = x.ndim - 2, weight.shape[2:]
    around = []
    for length, k, s, d, front, out in zip(x.shape[2:], kernel, stride, dilation, fronts, size):
        before = d * (k - 1) - front
        around.append((before, out - ((length - 1) * s + 1) - before + d * (k - 1)))
    grouped = weight.reshape(groups, weight.shape[0] // groups, *weight.shape[1:])
    turned = jnp.flip(jnp.swapaxes(grouped, 1, 2), tuple(range(3, 3 + n)))
    return lax.conv_general_dilated(
        x,
        turned.reshape(-1, weight.shape[0] // groups, *kernel),
        (1,) * n,
        around,
        lhs_dilation=stride,
        rhs_dilation=dilation,
        dimension_numbers=_LAYOUT[n],
        feature_group_count=groups,
        precision=products.of_convolutions(),
    )


def _back_again(g, weight, length, stride, fronts, dilation, groups, size):
    """The convolution that `transposed` is the gradient of: of an image of `size` to `length` places along each axis."""
    pads = []
    for axis, (n, k, s, d, front, whole) in enumerate(zip(length, weight.shape[2:], stride, dilation, fronts, size), 2):
        behind = (n - 1) * s + d * (k - 1) + 1 - front - whole
        if behind < 0:  # the last pixels are in no window
            g = lax.slice_in_dim(g, 0, whole + behind, axis=axis)
        pads.append((front, max(behind, 0)))
    return convolve(g, weight, stride, pads, dilation, groups)


def _transposed_input_gradient(g, x, weight, **options):
    return _back_again(g, weight, x.aval.shape[2:], **options)


def _transposed_weight_gradient(g, x, weight, **options):
    """By the weight's gradient of the convolution that this is the transpose of.

    XLA's own has the whole input with zeros between for its window: 20 to 35 times slower on the CPU, for 4x4 with stride 2.
    """
    zeros = jnp.zeros(weight.aval.shape, weight.aval.dtype)
    return jax.vjp(lambda w: _back_again(g, w, x.shape[2:], **options), zeros)[1](x)[0]


def _transposed_shape(x, weight, *, groups, size, **_):
    return x.shape[0], weight.shape[1] * groups, *size


@functools.cache
def _transposed_primitive():
    return bilinear(
        "convolution_transposed",
        _transposed_plain,
        _transposed_input_gradient,
        _transposed_weight_gradient,
        _transposed_shape,
    )


def _backprop_input(name, dout, weight, input_size, pad_mode, pad, stride, dilation, group):
    stride, dilation = spread(stride, 2), spread(dilation, 2, "dilation")
    size = tuple(int(v) for v in input_size)
    number_of_axes(name, 4, RuntimeError, dout=dout.shape, weight=weight.shape)
    if dout.shape[1] != weight.shape[0]:
        raise ValueError(
            f"For '{name}', the channels of 'dout' must be those of the weight, but got {dout.shape[1]} and {weight.shape[0]}."
        )
    pads = paddings(pad_mode, pad, size[2:], weight.shape[2:], stride, dilation)
    return transposed(dout, weight, stride, pads, dilation, group, size[2:])


@op(
    prim=(
        Prim(
            "Conv2DTranspose",
            init=args(
                "out_channel",
                "kernel_size",
                pad_mode="valid",
                pad=0,
                pad_list=None,
                mode=1,
                stride=1,
                dilation=1,
                group=1,
                data_format="NCHW",
            ),
            call=args("dout", "weight", "input_size"),
            unused=("data_format",),
        ),
        Prim(
            "Conv2DBackpropInput",
            init=args(
                "out_channel",
                "kernel_size",
                pad_mode="valid",
                pad=0,
                pad_list=None,
                mode=1,
                stride=1,
                dilation=1,
                group=1,
                data_format="NCHW",
            ),
            call=args("dout", "weight", "input_size"),
            unused=("data_format",),
        ),
    ),
    ops=False,
    residuals=True,
)
def conv2d_backprop_input(
    dout: Array,
    weight: Array,
    input_size: Static[Any],
    pad_mode: str = "valid",
    pad: Ints = 0,
    pad_list: str | None = None,
    stride: Ints = 1,
    dilation: Ints = 1,
    group: int = 1,
    out_channel: int | None = None,
    kernel_size: Ints | None = None,
    mode: int = 1,
) -> Array:
    """The gradient of `conv2d` with respect to its input, whose shape is `input_size`."""
    return _backprop_input(
        "Conv2DBackpropInput",
        dout,
        weight,
        input_size,
        pad_mode,
        pad if pad_list is None else pad_list,
        stride,
        dilation,
        group,
    )


def _transpose_function(name, n, input, weight, bias, stride, padding, output_padding, groups, dilation):
    if input.ndim not in (n + 1, n + 2):
        raise ValueError(
            f"For '{name}', the input must have {n + 1} or {n + 2} axes, but got shape {tuple(input.shape)}."
        )
    x = input if input.ndim == n + 2 else input[None]
    stride, dilation, extra = (
        spread(stride, n),
        spread(dilation, n, "dilation"),
        spread(output_padding, n, "output_padding"),
    )
    if x.shape[1] != weight.shape[0]:
        raise ValueError(
            f"For '{name}', the input must have {weight.shape[0]} channels, those of the weight, but got {x.shape[1]}."
        )
    if any(e >= max(s, d) for e, s, d in zip(extra, stride, dilation)):
        raise ValueError(
            f"For '{name}', the 'output_padding' must be smaller than 'stride' or 'dilation', but got {extra}, {stride}, {dilation}."
        )
    pads = paddings("pad", padding, x.shape[2:], weight.shape[2:], stride, dilation)
    size = tuple(
        (length - 1) * s - sum(p) + d * (k - 1) + e + 1
        for length, s, p, d, k, e in zip(x.shape[2:], stride, pads, dilation, weight.shape[2:], extra)
    )
    out = transposed(x, weight, stride, pads, dilation, groups, size)
    if bias is not None:
        same_shape(name, channels=out.shape[1:2], bias=bias.shape)
        out = out + bias.reshape(1, -1, *(1,) * n)
    return out if input.ndim == n + 2 else out[0]


@op(ops=True, mint="nn.functional.conv_transpose2d", residuals=True)
def conv_transpose2d(
    input: Array,
    weight: Array,
    bias: MaybeArray = None,
    stride: Ints = 1,
    padding: Ints = 0,
    output_padding: Ints = 0,
    groups: int = 1,
    dilation: Ints = 1,
) -> Array:
    """Transposed convolution of (N, C_in, H, W) or (C_in, H, W) with a weight of (C_in, C_out / groups, kH, kW).

    The output is (H - 1) * stride - 2 * padding + dilation * (kH - 1) + output_padding + 1 high.

    Example:
        >>> x, weight = Tensor(np.ones((1, 3, 4, 4), np.float32)), Tensor(np.ones((3, 2, 2, 2), np.float32))
        >>> ops.conv_transpose2d(x, weight, stride=2).shape
        (1, 2, 8, 8)
    """
    return _transpose_function(
        "conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


@op(
    ops=Face(
        "conv3d_transpose",
        args("inputs", "weight", pad_mode="valid", padding=0, stride=1, dilation=1, group=1, output_padding=0),
    ),
    prim=Prim(
        "Conv3DTranspose",
        init=args(
            "in_channel",
            "out_channel",
            "kernel_size",
            mode=1,
            pad_mode="valid",
            pad=0,
            stride=1,
            dilation=1,
            group=1,
            output_padding=0,
            data_format="NCDHW",
        ),
        call=args("x", "filter"),
        to={"pad": "padding", "x": "inputs", "filter": "weight"},
        unused=("mode", "data_format"),
    ),
    residuals=True,
)
def conv3d_transpose(
    inputs: Array,
    weight: Array,
    pad_mode: AsValue[AnyCase[Literal["valid", "same", "pad"]]] = "valid",
    padding: Ints = 0,
    stride: Ints = 1,
    dilation: Ints = 1,
    group: int = 1,
    output_padding: Ints = 0,
    in_channel: int | None = None,
    out_channel: int | None = None,
    kernel_size: Ints | None = None,
) -> Array:
    """Transposed convolution of (N, C_in, D, H, W) with a weight of (C_in, C_out / group, kD, kH, kW)."""
    number_of_axes("Conv3DTranspose", 5, x=inputs.shape, weight=weight.shape)
    pad_mode = pad_mode.lower()
    if pad_mode == "pad":
        return _transpose_function(
            "conv3d_transpose", 3, inputs, weight, None, stride, padding, output_padding, group, dilation
        )
    if any(spread(output_padding, 3, "output_padding")):
        raise ValueError(f"For 'Conv3DTranspose', 'output_padding' must be 0 if 'pad_mode' is {pad_mode!r}.")
    stride, dilation = spread(stride, 3), spread(dilation, 3, "dilation")
    size = tuple(
        transposed_length(pad_mode, *axis, 0) for axis in zip(inputs.shape[2:], weight.shape[2:], stride, dilation)
    )
    pads = paddings(pad_mode, 0, size, weight.shape[2:], stride, dilation)
    return transposed(inputs, weight, stride, pads, dilation, group, size)


# --- deformable
def _sample(x, rows, columns):
    """Bilinear samples of x (N, C, H, W) at (N, ...) places; zero outside."""
    n, channels, height, width = x.shape
    top, left = jnp.floor(rows), jnp.floor(columns)
    flat = merged(x, 2)
    total = 0
    for r, c in ((0, 0), (0, 1), (1, 0), (1, 1)):
        i, j = top + r, left + c
        weight = (1 - jnp.abs(rows - i)) * (1 - jnp.abs(columns - j))
        inside = (i >= 0) & (i < height) & (j >= 0) & (j < width)
        place = jnp.clip(i, 0, height - 1).astype(jnp.int32) * width + jnp.clip(j, 0, width - 1).astype(jnp.int32)
        picked = jnp.take_along_axis(flat, merged(place[:, None], 2), 2).reshape(n, channels, *rows.shape[1:])
        total = total + picked * jnp.where(inside, weight, 0)[:, None]
    return total


def _deform(x, offsets, strides, pads, kernel, dilations, groups, modulated):
    """Samples for each kernel place: (N, C, oH * kH, oW * kW)."""
    n, channels, height, width = x.shape
    stride, dilation, (kh, kw) = tuple(strides)[-2:], tuple(dilations)[-2:], kernel
    out_h, out_w = offsets.shape[2:]
    parts = 3 if modulated else 2
    expected = parts * groups * kh * kw
    if offsets.shape[1] != expected:
        raise ValueError(
            f"For 'DeformableOffsets', the 'offsets' must have {expected} channels, but got shape {tuple(offsets.shape)}."
        )
    offsets = offsets.reshape(n, parts, groups, kh, kw, out_h, out_w)
    base_r = (
        np.arange(out_h)[None, None, :, None] * stride[0] - pads[0] + np.arange(kh)[:, None, None, None] * dilation[0]
    )
    base_c = (
        np.arange(out_w)[None, None, None, :] * stride[1] - pads[2] + np.arange(kw)[None, :, None, None] * dilation[1]
    )
    grouped = x.reshape(n * groups, channels // groups, height, width)
    flat = [offsets[:, p].reshape(n * groups, kh, kw, out_h, out_w) for p in range(parts)]
    sampled = _sample(grouped, flat[1] + base_r.astype(x.dtype), flat[0] + base_c.astype(x.dtype))
    if modulated:
        sampled = sampled * flat[2][:, None]
    return sampled.transpose(0, 1, 4, 2, 5, 3).reshape(n, channels, out_h * kh, out_w * kw)


@op(prim=Prim("DeformableOffsets", inputs=("x", "offsets")), ops=False)
def deformable_offsets(
    x: Array,
    offsets: Operand,
    strides: Static[Any],
    pads: Static[Any],
    ksize: Static[Any],
    dilations: Ints = (1, 1, 1, 1),
    data_format: str = "NCHW",
    deformable_groups: int = 1,
    modulated: bool = True,
):
    """The samples of a deformable convolution, one tile of the kernel's size for each output pixel.

    offsets: (N, 3 * groups * kH * kW, oH, oW) holding x offsets, y offsets and the mask, in pixels. As in MindSpore's kernel `data_format`
    changes nothing.
    """
    return _deform(x, offsets, strides, pads, tuple(ksize), dilations, deformable_groups, modulated)


@op(ops=True, residuals=True)
def deformable_conv2d(
    x: Array,
    weight: Array,
    offsets: Array,
    kernel_size: Static[Ints],
    strides: Static[Ints],
    padding: Static[Ints],
    bias: MaybeArray = None,
    dilations: Ints = (1, 1, 1, 1),
    groups: int = 1,
    deformable_groups: int = 1,
    modulated: bool = True,
) -> Array:
    """Convolution whose kernel places move by `offsets` (Dai et al., 2017), with a mask when `modulated`.

    offsets: (N, 3 * deformable_groups * kH * kW, oH, oW): x offsets, y offsets, mask. strides, dilations: four numbers (1, 1, y, x);
    padding: top, bottom, left, right.
    """
    tiles = _deform(x, offsets, strides, padding, tuple(kernel_size), dilations, deformable_groups, modulated)
    return _convolution("deformable_conv2d", 2, tiles, weight, bias, tuple(kernel_size), "valid", 0, 1, groups)
