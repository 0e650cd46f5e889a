"""Gradient operators of sliding windows: pooling and convolution."""

import math

import jax
from jax import lax
from jax import numpy as jnp

from ...core.grad.reals import along
from ...core.operators.quotients import exact_mean
from ...core.operators.rows import Prim, args
from ...core.program.halves import in_float32
from ...core.values import dtype as mstype
from ..shape.shaping import merged
from .adjoints import adjoint, func, of_shape, prim, pull


# --- of pooling
def _from_positions(dy, x, argmax, rank):
    """The gradient of a maximum over windows: added at the flat positions of the maxima in the last `rank` axes."""
    lead, inner = math.prod(x.shape[:-rank]), math.prod(x.shape[-rank:])
    rows, count = jnp.arange(lead)[:, None], math.prod(dy.shape[-rank:])
    place, dy = (rows, argmax.reshape(lead, count)), dy.reshape(lead, count)
    flat = in_float32(lambda dy: jnp.zeros((lead, inner), dy.dtype).at[place].add(dy), dy)
    return flat.reshape(x.shape).astype(x.dtype)


def _at_positions(dx, argmax, rank):
    """The elements at the places of the maxima: the adjoint of `_from_positions`."""
    before = dx.ndim - rank
    return jnp.take_along_axis(merged(dx, before), merged(argmax, before), axis=before).reshape(argmax.shape)


@adjoint(Prim("AdaptiveAvgPool2DGrad", call=args("input_grad", "orig_input_shape")))
def _(dy, shape):
    return pull(prim("AdaptiveAvgPool2D", output_size=dy.shape[-2:]), of_shape(shape, dy), dy)


@adjoint(Prim("AdaptiveAvgPool3DGrad", call=args("y_grad", "orig_input_shape")))
def _(dy, shape):
    return pull(prim("AdaptiveAvgPool3D", output_size=dy.shape[-3:]), of_shape(shape, dy), dy)


@adjoint(Prim("AdaptiveAvgPool2DGradExt", call=args("grad_output", "x")))
def _(dy, x):
    return pull(prim("AdaptiveAvgPool2D", output_size=dy.shape[-2:]), x, dy)


@adjoint(Prim("AdaptiveAvgPool3DGradExt", call=args("input_grad", "input")))
def _(dy, x):
    return pull(prim("AdaptiveAvgPool3D", output_size=dy.shape[-3:]), x, dy)


@adjoint(Prim("AdaptiveMaxPool2DGrad", call=args("y_grad", "x", "argmax")))
def _(dy, x, argmax):
    return _from_positions(dy, x, argmax, 2)


@adjoint(Prim("AdaptiveMaxPool3DGrad", call=args("input_grad", "x", "argmax")))
def _(dy, x, argmax):
    return _from_positions(dy, x, argmax, 3)


@adjoint(
    Prim(
        "AvgPoolGradV1",
        init=args(kernel_size=1, strides=1, pad_mode="VALID", data_format="NCHW"),
        call=args("orig_input_shape", "dout"),
    )
)
def _(shape, dy, **settings):
    return pull(prim("AvgPool", **settings), of_shape(shape, dy), dy)


@adjoint(
    Prim(
        "AvgPool3DGrad",
        init=args(
            kernel_size=1,
            strides=1,
            pads=0,
            ceil_mode=False,
            count_include_pad=True,
            divisor_override=0,
            data_format="NCDHW",
            pad_mode="pad",
        ),
        call=args("origin_input_shape", "grads"),
    )
)
def _(shape, dy, *, pads, kernel_size, strides, **settings):
    forward = prim("AvgPool3D", kernel_size=_last(3, kernel_size), strides=_last(3, strides), pad=pads, **settings)
    return pull(forward, of_shape(shape, dy), dy)


def _register_mint_avg_pools():
    def row(face, function):
        @adjoint(
            Prim(
                face,
                call=args(
                    "grad",
                    "image",
                    "kernel_size",
                    stride=None,
                    padding=0,
                    ceil_mode=False,
                    count_include_pad=True,
                    divisor_override=None,
                ),
            )
        )
        def _(dy, x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
            settings = {
                "ceil_mode": ceil_mode,
                "count_include_pad": count_include_pad,
                "divisor_override": divisor_override,
            }
            return pull(func(function, kernel_size=kernel_size, stride=stride, padding=padding, **settings), x, dy)

    row("AvgPool2DGrad", "avg_pool2d")
    row("AvgPool3DGradExt", "avg_pool3d")


_register_mint_avg_pools()


def _last(n, value):
    """The last n numbers of a setting for all axes."""
    return tuple(value[-n:]) if isinstance(value, (tuple, list)) else value


def _windows(borders, overlapping):
    """(start, end) of the pooling windows between `borders`."""
    last = borders[-1]
    return [(a, min(b + 1, last) if overlapping else b) for a, b in zip(borders, borders[1:])]


@adjoint(
    Prim(
        "FractionalAvgPoolGrad",
        init=args(overlapping=False),
        call=args("orig_input_tensor_shape", "out_backprop", "row_pooling_sequence", "col_pooling_sequence"),
    )
)
def _(shape, dy, rows, columns, *, overlapping):
    def forward(x):
        for axis, borders in ((1, rows), (2, columns)):
            windows = [lax.slice_in_dim(x, a, b, axis=axis) for a, b in _windows(borders, overlapping)]
            x = jnp.stack([exact_mean(w, axis) for w in windows], axis)
        return x

    return pull(forward, of_shape(shape, dy), dy)


@adjoint(
    Prim(
        "FractionalMaxPoolGrad",
        init=args(overlapping=False),
        call=args("orig_input", "orig_output", "out_backprop", "row_pooling_sequence", "col_pooling_sequence"),
    )
)
def _(x, out, dy, rows, columns, *, overlapping):
    dx = jnp.zeros(x.shape, dy.dtype)
    n, channels = jnp.ogrid[: x.shape[0], : x.shape[3]]
    for i, (top, bottom) in enumerate(_windows(rows, overlapping)):
        for j, (left, right) in enumerate(_windows(columns, overlapping)):
            window = x[:, top:bottom, left:right].reshape(x.shape[0], -1, x.shape[3])
            at = jnp.argmax(window, axis=1)
            dx = dx.at[n, top + at // (right - left), left + at % (right - left), channels].add(dy[:, i, j])
    return dx


@adjoint(
    Prim(
        "FractionalMaxPoolGradWithFixedKsize",
        init=args(data_format="NCHW"),
        call=args("origin_input", "out_backprop", "argmax"),
    )
)
def _(x, dy, argmax, *, data_format):
    return _from_positions(dy, x, argmax, 2)


@adjoint(
    Prim(
        "FractionalMaxPool3DGradWithFixedKsize",
        init=args(data_format="NCDHW"),
        call=args("origin_input", "out_backprop", "argmax"),
    )
)
def _(x, dy, argmax, *, data_format):
    return _from_positions(dy, x, argmax, 3)


def _along(pool, x, tangent):
    """The derivative of a pool in the direction `tangent`; pools have a reverse mode alone."""
    out, pull = jax.vjp(pool, x)
    return along(pull, out, (tangent.astype(x.dtype),))


@adjoint(
    Prim(
        "MaxPoolGradGrad",
        init=args(kernel_size=1, strides=1, pad_mode="VALID"),
        call=args("x_origin", "out_origin", "grad"),
    )
)
def _(x, out, tangent, **settings):
    return _along(prim("MaxPool", **settings), x, tangent)


@adjoint(
    Prim(
        "MaxPoolGradGradWithArgmax",
        init=args(kernel_size=1, strides=1, pad_mode="VALID"),
        call=args("x", "grad", "argmax"),
    )
)
def _(x, tangent, argmax, **settings):
    return _at_positions(tangent, argmax % math.prod(x.shape[2:]), 2)


@adjoint(
    Prim(
        "MaxPoolGradWithArgmax",
        init=args(kernel_size=1, strides=1, pad_mode="VALID", data_format="NCHW"),
        call=args("x", "grad", "argmax"),
    )
)
def _(x, dy, argmax, **settings):  # the CPU build counts the positions from the first channel on
    return _from_positions(dy, x, argmax % math.prod(x.shape[2:]), 2)


def _register_indexed_pools():
    def row(name, last):
        settings = args("kernel_size", strides=None, pads=0, dilation=(1, 1), ceil_mode=False, argmax_type=mstype.int64)

        @adjoint(Prim(name, init=settings, call=args("x", "grad", last)))
        def _(x, dy, argmax, **settings):
            return _from_positions(dy, x, argmax, 2)

    row("MaxPoolGradWithArgmaxV2", "argmax")
    row("MaxPoolGradWithIndices", "argmax")


_register_indexed_pools()


def _max_pool_3d(kernel_size, strides, **settings):
    return prim("MaxPool3D", kernel_size=_last(3, kernel_size), strides=_last(3, strides), **settings)


@adjoint(
    Prim(
        "MaxPool3DGrad",
        init=args(
            kernel_size=(1, 1, 1, 1, 1), strides=(1, 1, 1, 1, 1), pad_mode="VALID", pad_list=0, data_format="NCDHW"
        ),
        call=args("x_origin", "out_origin", "grad"),
    )
)
def _(x, out, dy, **settings):
    return pull(_max_pool_3d(**settings), x, dy)


@adjoint(
    Prim(
        "MaxPool3DGradGrad",
        init=args(kernel_size=(1, 1, 1, 1, 1), strides=(1, 1, 1, 1, 1), pad_mode="VALID", data_format="NCDHW"),
        call=args("origin_input", "origin_output", "grad"),
    )
)
def _(x, out, tangent, **settings):
    return _along(_max_pool_3d(**settings), x, tangent)


@adjoint(
    Prim(
        "MaxPool3DGradWithArgmax",
        init=args("ksize", "strides", "pads", dilation=(1, 1, 1), ceil_mode=False, data_format="NCDHW"),
        call=args("x", "grads", "argmax"),
    )
)
def _(x, dy, argmax, **settings):
    return _from_positions(dy, x, argmax, 3)


def _unpool_grad(dy, argmax, rank, data_format):
    if not data_format.startswith("NC"):
        back, first = (jnp.moveaxis(dy, -1, 1), jnp.moveaxis(argmax, -1, 1))
        return jnp.moveaxis(_at_positions(back, first, rank), 1, -1)
    return _at_positions(dy, argmax, rank)


@adjoint(
    Prim(
        "MaxUnpool2DGrad",
        init=args("ksize", strides=0, pads=0, output_shape=(), data_format="NCHW"),
        call=args("x", "grads", "argmax"),
    )
)
def _(x, dy, argmax, *, data_format, **settings):
    return _unpool_grad(dy, argmax, 2, data_format)


@adjoint(
    Prim(
        "MaxUnpool3DGrad",
        init=args("ksize", strides=0, pads=0, output_shape=(), data_format="NCDHW"),
        call=args("x", "grads", "argmax"),
    )
)
def _(x, dy, argmax, *, data_format, **settings):
    return _unpool_grad(dy, argmax, 3, data_format)


# --- of convolution
_CONV_3D = (
    "(out_channel, kernel_size, mode=1, pad_mode='valid', pad=0, stride=(1, 1, 1, 1, 1), dilation=(1, 1, 1, 1, 1), "
    "group=1, data_format='NCDHW')"
)
_DEPTHWISE = "(channel_multiplier, kernel_size, pad_mode='valid', pad=0, pad_list=(0, 0, 0, 0), mode=3, stride=1, dilation=1, group=1)"


@adjoint(
    Prim(
        "Conv2DBackpropFilter",
        init=args(
            "out_channel",
            "kernel_size",
            pad_mode="valid",
            pad=0,
            pad_list=(0, 0, 0, 0),
            mode=1,
            stride=(1, 1),
            dilation=(1, 1, 1, 1),
            group=1,
            data_format="NCHW",
        ),
        call=args("out_backprop", "input", "filter_sizes"),
    )
)
def _(dy, x, sizes, *, pad_list, stride, dilation, mode, pad, **settings):
    pad = tuple(pad_list) if any(pad_list) else pad
    forward = prim("Conv2D", stride=_last(2, stride), dilation=_last(2, dilation), pad=pad, **settings)
    return pull(lambda w: forward(x, w), of_shape(sizes, x), dy)


def _conv_3d(*, stride, dilation, mode, **settings):
    return prim("Conv3D", stride=_last(3, stride), dilation=_last(3, dilation), **settings)


@adjoint(
    Prim(
        "Conv3DBackpropFilter",
        init=args(
            "out_channel",
            "kernel_size",
            mode=1,
            pad_mode="valid",
            pad=0,
            stride=(1, 1, 1, 1, 1),
            dilation=(1, 1, 1, 1, 1),
            group=1,
            data_format="NCDHW",
        ),
        call=args("x", "out_backprop", "filter_size"),
    )
)
def _(x, dy, sizes, **settings):
    forward = _conv_3d(**settings)
    return pull(lambda w: forward(x, w), of_shape(sizes, x), dy)


@adjoint(
    Prim(
        "Conv3DBackpropInput",
        init=args(
            "out_channel",
            "kernel_size",
            mode=1,
            pad_mode="valid",
            pad=0,
            stride=(1, 1, 1, 1, 1),
            dilation=(1, 1, 1, 1, 1),
            group=1,
            data_format="NCDHW",
        ),
        call=args("weight", "doutput", "input_size"),
    )
)
def _(weight, dy, sizes, **settings):
    forward = _conv_3d(**settings)
    return pull(lambda x: forward(x, weight), of_shape(sizes, weight), dy)


def _depthwise(*, pad_list, mode, group, **settings):
    return prim("DepthwiseConv2dNative", **settings)


@adjoint(
    Prim(
        "DepthwiseConv2dNativeBackpropFilter",
        init=args(
            "channel_multiplier",
            "kernel_size",
            pad_mode="valid",
            pad=0,
            pad_list=(0, 0, 0, 0),
            mode=3,
            stride=1,
            dilation=1,
            group=1,
        ),
        call=args("input", "filter_size", "dout"),
    )
)
def _(x, sizes, dy, **settings):
    forward = _depthwise(**settings)
    return pull(lambda w: forward(x, w), of_shape(sizes, x), dy)


@adjoint(
    Prim(
        "DepthwiseConv2dNativeBackpropInput",
        init=args(
            "channel_multiplier",
            "kernel_size",
            pad_mode="valid",
            pad=0,
            pad_list=(0, 0, 0, 0),
            mode=3,
            stride=1,
            dilation=1,
            group=1,
        ),
        call=args("input_size", "filter", "dout"),
    )
)
def _(sizes, weight, dy, **settings):
    forward = _depthwise(**settings)
    return pull(lambda x: forward(x, weight), of_shape(sizes, weight), dy)


@adjoint(
    Prim(
        "DeformableOffsetsGrad",
        init=args(
            "strides",
            "pads",
            "kernel_size",
            dilations=(1, 1, 1, 1),
            data_format="NCHW",
            deformable_groups=1,
            modulated=True,
        ),
        call=args("out_backprop", "input", "offsets"),
    )
)
def _(dy, x, offsets, *, kernel_size, data_format, **settings):
    forward = prim("DeformableOffsets", ksize=kernel_size, **settings)
    # MindSpore reads strides and dilations of both formats at the places that NCHW has for them
    given = [a if data_format == "NCHW" else a.transpose(0, 3, 1, 2) for a in (x, offsets, dy)]
    *inputs, out = [a.astype(jnp.promote_types(a.dtype, jnp.float32)) for a in given]  # products of float16 lose digits
    found = [g.astype(a.dtype) for g, a in zip(pull(forward, tuple(inputs), out), (x, offsets))]
    if data_format == "NCHW":
        return tuple(found)
    return tuple(a.transpose(0, 2, 3, 1) for a in found)
