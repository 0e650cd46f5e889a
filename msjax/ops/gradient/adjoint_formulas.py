"""Gradient operators that read saved results of the forward: its output, the places of maxima, statistics, shapes."""

import math

import jax
import numpy as np
from jax import lax
from jax import numpy as jnp

from ...core.operators.quotients import exact_sum
from ...core.operators.rows import Prim, args
from ...core.program.halves import segment_sum
from ..shape.padding import in_pairs
from ..shapes import any_case, channels_last
from .adjoints import adjoint, func, of_shape, prim, pull

_SELU_ALPHA, _SELU_SCALE = 1.67326324, 1.05070098


# --- of one input
@adjoint(Prim("AbsGrad", call=args("x", "dout")))
def _(x, dout):
    return jnp.sign(x) * dout


@adjoint(Prim("ReluGrad", call=args("y_backprop", "x")))
def _(dy, x):
    return jnp.where(x > 0, dy, 0)


@adjoint(Prim("ReLU6Grad", call=args("y_backprop", "x")))
def _(dy, x):
    return jnp.where((x > 0) & (x <= 6), dy, 0)


@adjoint(Prim("HShrinkGrad", init=args(lambd=0.5), call=args("gradients", "features")))
def _(dy, x, *, lambd):
    return jnp.where(jnp.abs(x) <= lambd, 0, dy)


@adjoint(Prim("SoftShrinkGrad", init=args(lambd=0.5), call=args("input_grad", "input_x")))
def _(dy, x, *, lambd):
    return jnp.where(jnp.abs(x) <= lambd, 0, dy)


@adjoint(Prim("ThresholdGrad", call=args("grad_output", "input", "threshold")))
def _(dy, x, threshold):
    return jnp.where(x <= threshold, 0, dy)


# --- of one input, by the output; of complex numbers by the conjugate, but for two of MindSpore's kernels (Inv, Tanh)
@adjoint(Prim("AcoshGrad", call=args("out", "dout")))
def _(out, dout):
    return dout / jnp.sinh(jnp.conj(out))


@adjoint(Prim("AsinhGrad", call=args("out", "dout")))
def _(out, dout):
    return dout / jnp.cosh(jnp.conj(out))


@adjoint(Prim("EluGrad", call=args("dout", "out")))
def _(dout, out):
    return jnp.where(out < 0, dout * (out + 1), dout)


@adjoint(Prim("InvGrad", call=args("x", "grad")))
def _(out, dout):
    return -dout * out * out


@adjoint(Prim("ReciprocalGrad", call=args("y", "dy")))
def _(out, dout):
    return -dout * jnp.conj(out * out)


@adjoint(Prim("RsqrtGrad", call=args("y_backprop", "x")))
def _(out, dout):
    return -0.5 * dout * jnp.conj(out) ** 3


@adjoint(Prim("SqrtGrad", call=args("dy", "y")))
def _(out, dout):  # the output comes first, whatever the names say
    return 0.5 * dout / jnp.conj(out)


@adjoint(Prim("SeluGrad", call=args("gradient", "result")))
def _(dout, out):
    slope = jnp.where(out < 0, out + _SELU_SCALE * _SELU_ALPHA, _SELU_SCALE)
    return dout * slope.astype(dout.dtype)


@adjoint(Prim("SigmoidGrad", call=args("y", "dy")))
def _(out, dout):
    return dout * jnp.conj(out * (1 - out))


@adjoint(Prim("TanhGrad", call=args("y", "dy")))
def _(out, dout):
    return dout * (1 - out * out)


@adjoint(Prim("SoftmaxGrad", call=args("y", "dy")))
def _(out, dout):
    return out * (dout - jnp.sum(out * dout, -1, keepdims=True))


@adjoint(Prim("LogSoftmaxGrad", init=args(axis=-1), call=args("logits", "grad")))
def _(out, dout, *, axis):
    return dout - jnp.exp(out) * jnp.sum(dout, axis, keepdims=True)


@adjoint(Prim("EluGradExt", call=args("dout", "x_or_out", alpha=1.0, is_result=False)))
def _(dout, x, alpha, is_result):
    slope = x + alpha if is_result else alpha * jnp.exp(x)
    return jnp.where(x < 0, dout * slope, dout)


@adjoint(Prim("LeakyReLUGradExt", call=args("dy", "input", negative_slope=0.01, is_result=False)))
def _(dout, x, slope, is_result):
    return jnp.where(x > 0, dout, dout * slope)


@adjoint(Prim("CholeskyGrad", call=args("x", "grad")))
def _(out, dout):
    lower = jnp.tril(out)
    return pull(jnp.linalg.cholesky, lower @ jnp.swapaxes(lower, -1, -2), dout)


@adjoint(Prim("L2NormalizeGrad", init=args(axis=0, epsilon=0.0001), call=args("input_x", "out", "dout")))
def _(x, out, dout, *, axis, epsilon):
    axis = tuple(axis) if isinstance(axis, (list, tuple)) else axis
    norm = jnp.sqrt(jnp.maximum(jnp.sum(x * x, axis, keepdims=True), epsilon))
    return (dout - out * jnp.sum(out * dout, axis, keepdims=True)) / norm


# --- of several inputs
def _distance_grad(difference, distance, dy, p):
    """Of a distance in the p-norm, by the difference."""
    size = jnp.abs(difference)
    if p == math.inf:
        share = (size == distance).astype(dy.dtype)
    else:
        share = jnp.where(distance == 0, 0, (size / jnp.where(distance == 0, 1, distance)) ** (p - 1))
    return jnp.sign(difference) * share * dy


@adjoint(Prim("CdistGrad", init=args(p=2.0), call=args("grad", "input_x", "input_y", "cdist")))
def _(dy, x, y, distance, *, p):
    difference = x[..., :, None, :] - y[..., None, :, :]
    return jnp.sum(_distance_grad(difference, distance[..., None], dy[..., None], p), -2)


@adjoint(Prim("PdistGrad", init=args(p=2.0), call=args("y_grad", "x", "y")))
def _(dy, x, distance, *, p):
    first, second = jnp.triu_indices(x.shape[-2], 1)
    part = _distance_grad(x[..., first, :] - x[..., second, :], distance[..., None], dy[..., None], p)
    return jnp.zeros_like(x).at[..., first, :].add(part).at[..., second, :].add(-part)


@adjoint(Prim("EinsumGrad", init=args("equation"), call=args("x", "dout")))
def _(operands, dout, *, equation):
    return pull(lambda *a: jnp.einsum(equation, *a), tuple(operands), dout)


@adjoint(Prim("IgammaGradA", call=args("a", "x")))
def _(a, x):
    return lax.igamma_grad_a(*jnp.broadcast_arrays(a, x))


@adjoint(Prim("RandomGammaGrad", call=args("alpha", "sample")))
def _(alpha, sample):
    return lax.random_gamma_grad(*jnp.broadcast_arrays(alpha, sample))


@adjoint(Prim("MaximumGradGrad", init=args(grad_x=True, grad_y=True), call=args("x", "y", "dx", "dy")))
def _(x, y, dx, dy, *, grad_x, grad_y):
    return jnp.zeros_like(x), jnp.zeros_like(y), jnp.where(x >= y, dx, dy)


@adjoint(Prim("MinimumGradGrad", call=args("x1", "x2", "grad_y1", "grad_y2")))
def _(x, y, dx, dy):
    return jnp.zeros_like(x), jnp.zeros_like(y), jnp.where(x <= y, dx, dy)


@adjoint(Prim("MaskedSelectGrad", call=args("input", "mask", "grad")))
def _(x, mask, grad):
    shape = jnp.broadcast_shapes(x.shape, mask.shape)
    flat = jnp.broadcast_to(mask, shape).reshape(-1)
    grad = jnp.concatenate([grad, jnp.zeros(1, grad.dtype)])  # nothing may be selected
    spread = jnp.where(flat, grad[jnp.cumsum(flat) - 1], 0).reshape(shape)
    return pull(lambda a: jnp.broadcast_to(a, shape), x, spread)


@adjoint(
    Prim(
        "MedianGrad", init=args(global_median=False, axis=0, keep_dims=False), call=args("y_grad", "x", "y", "indices")
    )
)
def _(dy, x, y, indices, *, global_median, axis, keep_dims):
    if global_median:
        here = (x == y).astype(dy.dtype)
        return here / jnp.sum(here) * dy
    if x.ndim == 0:
        return dy
    if not keep_dims:
        dy, indices = jnp.expand_dims(dy, axis), jnp.expand_dims(indices, axis)
    return jnp.put_along_axis(jnp.zeros_like(x), indices, dy.astype(x.dtype), axis, inplace=False)


@adjoint(
    Prim(
        "BinaryCrossEntropyGrad", init=args(reduction="mean"), call=args("input", "target", "grad_output", weight=None)
    )
)
def _(x, target, dy, weight, *, reduction):
    weight = jnp.ones_like(x) if weight is None else weight
    return pull(lambda a: prim("BinaryCrossEntropy", reduction=reduction)(a, target, weight), x, dy)


@adjoint(Prim("KLDivGrad", call=args("grad_output", "input", "target", reduction="mean", log_target=False)))
def _(dy, x, target, reduction, log_target):
    return pull(lambda a: func("kl_div", reduction=reduction, log_target=log_target)(a, target), x, dy)


@adjoint(Prim("MSELossGradExt", call=args("dout", "x", "target", reduction="mean")))
def _(dy, x, target, reduction):
    return pull(lambda a: func("mse_loss", reduction=reduction)(a, target), x, dy)


@adjoint(
    Prim(
        "NLLLossGrad",
        init=args(reduction="mean", ignore_index=-100),
        call=args("logits", "loss_grad", "labels", "weight", "total_weight"),
    )
)
def _(x, dy, labels, weight, total_weight, *, reduction, ignore_index):
    share = jnp.where(labels == ignore_index, 0, weight[labels]) * dy
    share = share / total_weight if any_case(reduction) == "mean" else share
    return jnp.zeros_like(x).at[jnp.arange(len(labels)), labels].add(-share)


@adjoint(Prim("SigmoidCrossEntropyWithLogitsGrad", call=args("x", "y", "dout")))
def _(x, target, dy):
    return (jax.nn.sigmoid(x) - target) * dy


@adjoint(Prim("DropoutGrad", init=args(keep_prob=0.5), call=args("dy", "mask")))
def _(dy, mask, *, keep_prob):
    return dy * mask.astype(dy.dtype) / keep_prob


@adjoint(Prim("DropoutGradExt", call=args("input", "mask", "p")))
def _(dy, mask, p):
    return dy * mask.astype(dy.dtype) / (1 - p)


# --- of an input of which the shape matters
def _channel_sides(rank, data_format):
    channel = rank - 1 if channels_last(data_format) else 1
    return tuple(i for i in range(rank) if i != channel)


@adjoint(Prim("AffineGridGrad", init=args(align_corners=False), call=args("y_grad", "x_size")))
def _(dy, size, *, align_corners):
    theta = of_shape((size[0], len(size) - 2, len(size) - 1), dy)
    return pull(lambda a: prim("AffineGrid", align_corners=align_corners)(a, size), theta, dy)


@adjoint(Prim("BiasAddGrad", init=args(data_format="NCHW"), call=args("dout")))
def _(dy, *, data_format):
    return exact_sum(dy, _channel_sides(dy.ndim, data_format))


@adjoint(Prim("ConcatOffset", init=args(N=2, axis=0), call=args("input_x")))
def _(tensors, *, N, axis):
    sizes = [t.shape[axis] for t in tensors]
    offsets = np.zeros((len(tensors), tensors[0].ndim), np.int64)
    offsets[:, axis] = np.cumsum([0, *sizes[:-1]])
    return jnp.asarray(offsets)


@adjoint(Prim("FlattenGrad", call=args("x", "shape")))
def _(dy, shape):
    return dy.reshape(shape)


@adjoint(Prim("LuUnpackGrad", init=args("L_grad_flag", "U_grad_flag"), call=args("L_grad", "U_grad", "LU_data")))
def _(lower, upper, data, *, L_grad_flag, U_grad_flag):
    rows, columns = data.shape[-2:]

    def widened(part):
        missing = [(0, 0)] * (part.ndim - 2) + [(0, rows - part.shape[-2]), (0, columns - part.shape[-1])]
        return jnp.pad(part, missing)

    return widened(jnp.tril(lower, -1)), widened(jnp.triu(upper))


def _crop_to(dy, pairs, mode):
    """The gradient of padding by `pairs` (one an axis)."""
    shape = [n - before - after for n, (before, after) in zip(dy.shape, pairs)]
    return pull(lambda a: jnp.pad(a, pairs, mode=mode), of_shape(shape, dy), dy)


def _last_axis_first(padding, rank):
    """(before, after) of each axis; in `padding` the last axis comes first."""
    pairs = [tuple(padding[i : i + 2]) for i in range(0, len(padding), 2)][::-1]
    return [(0, 0)] * (rank - len(pairs)) + pairs


@adjoint(Prim("MirrorPadGrad", init=args(mode="REFLECT"), call=args("dy", "paddings")))
def _(dy, paddings, *, mode):
    return _crop_to(dy, [tuple(p) for p in paddings], mode.lower())


@adjoint(Prim("PadV3Grad", init=args(mode="reflect", paddings_contiguous=True), call=args("x", "paddings")))
def _(dy, paddings, *, mode, paddings_contiguous):
    flat = list(paddings) if paddings_contiguous else in_pairs(paddings)
    return _crop_to(dy, _last_axis_first(flat, dy.ndim), {"circular": "wrap"}.get(mode, mode))


def _register_pads():
    def row(kind, mode, n):
        @adjoint(Prim(f"{kind}Pad{n}DGrad", call=args("grad_output", "input", "padding")))
        def _(dy, x, padding):
            return _crop_to(dy, _last_axis_first(padding, x.ndim), mode)

    for n in (1, 2, 3):
        row("Reflection", "reflect", n)
        row("Replication", "edge", n)


_register_pads()


@adjoint(Prim("SliceGrad", call=args("dy", "x", "begin", "size")))
def _(dy, x, begin, size):
    return lax.dynamic_update_slice(jnp.zeros_like(x), dy.astype(x.dtype), list(begin))


@adjoint(
    Prim(
        "StridedSliceGrad",
        init=args(begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0),
        call=args("dy", "shapex", "begin", "end", "strides"),
    )
)
def _(dy, shape, begin, end, strides, **masks):
    forward = prim("StridedSlice", **masks)
    return pull(lambda a: forward(a, begin, end, strides), of_shape(shape, dy), dy)


@adjoint(Prim("TraceGrad", call=args("y_grad", "x_shape")))
def _(dy, shape):
    return pull(jnp.trace, of_shape(shape, dy), dy)


@adjoint(Prim("UniqueGrad", call=args("dy", "y")))
def _(dy, inverse):
    return dy[inverse]


# --- of normalization
def _normalization_grad(dy, x, scale, mean, variance, epsilon, inner, others):
    """(dx, dscale, dbias) of `(x - mean) / sqrt(variance + epsilon) * scale + bias`, the statistics being those of x.

    `inner`: axes of the statistics; `others`: axes that scale and bias do not have. All Tensors have the rank of x.
    """
    wide, rstd = x.astype(jnp.float32), lax.rsqrt(variance + epsilon)
    normal = (wide - mean) * rstd
    scaled = dy.astype(jnp.float32) * scale
    along = normal * jnp.mean(scaled * normal, inner, keepdims=True)
    dx = rstd * (scaled - jnp.mean(scaled, inner, keepdims=True) - along)
    return dx.astype(x.dtype), jnp.sum(dy * normal, others).astype(scale.dtype), jnp.sum(dy, others).astype(scale.dtype)


def _statistics(x, axes):
    wide = x.astype(jnp.float32)
    return jnp.mean(wide, axes, keepdims=True), jnp.var(wide, axes, keepdims=True)


def _batch_norm_grad(dy, x, scale, mean, variance, is_training, epsilon, data_format):
    axes = _channel_sides(x.ndim, data_format)
    shape = [1 if i in axes else n for i, n in enumerate(x.shape)]
    scale, mean, variance = (a.reshape(shape) for a in (scale, mean, variance))
    if is_training:
        return _normalization_grad(dy, x, scale, mean, variance, epsilon, axes, axes)
    rstd = lax.rsqrt(variance + epsilon)
    return (dy * scale * rstd).astype(x.dtype), jnp.sum(dy * (x - mean) * rstd, axes), jnp.sum(dy, axes)


@adjoint(
    Prim(
        "BatchNormGrad",
        init=args(is_training=False, epsilon=1e-05, data_format="NCHW"),
        call=args("dout", "x", "scale", "saved_mean", "saved_variance", "reserve"),
    )
)
def _(dy, x, scale, mean, variance, reserve, **settings):
    return _batch_norm_grad(dy, x, scale, mean, variance, **settings)


@adjoint(
    Prim(
        "BatchNormGradGrad",
        init=args(is_training=False, epsilon=1e-05, data_format="NCHW"),
        call=args("x", "dy", "scale", "saved_mean", "saved_variance", "dout_dx", "dout_dscale", "dout_dbias"),
    )
)
def _(x, dy, scale, mean, variance, ddx, ddscale, ddbias, *, is_training, data_format, **settings):
    def first(x, dy, scale):
        m, v = _statistics(x, _channel_sides(x.ndim, data_format)) if is_training else (mean, variance)
        return _batch_norm_grad(dy, x, scale, m, v, is_training=is_training, data_format=data_format, **settings)

    return pull(first, (x, dy, scale), (ddx, ddscale, ddbias))


@adjoint(
    Prim(
        "InstanceNormGrad",
        init=args(epsilon=0.0, momentum=0.1),
        call=args("dy", "x", "gamma", "save_mean", "save_variance"),
    )
)
def _(dy, x, gamma, mean, variance, *, epsilon, momentum):
    axes = tuple(range(2, x.ndim))
    gamma = gamma.reshape(1, -1, *[1] * len(axes))
    return _normalization_grad(dy, x, gamma, *_statistics(x, axes), epsilon, axes, (0, *axes))


def _layer_norm_grad(x, dy, mean, variance, gamma, begin_norm_axis, begin_params_axis):
    inner = tuple(range(begin_norm_axis % x.ndim, x.ndim))
    others = tuple(range(begin_params_axis % x.ndim))
    return _normalization_grad(dy, x, gamma, mean, variance, 0.0, inner, others)


@adjoint(
    Prim(
        "LayerNormGrad",
        init=args(begin_norm_axis=1, begin_params_axis=1),
        call=args("x", "dy", "variance", "mean", "gamma"),
    )
)
def _(x, dy, variance, mean, gamma, **axes):
    return _layer_norm_grad(x, dy, mean, variance, gamma, **axes)


@adjoint(
    Prim(
        "LayerNormGradGrad",
        init=args(begin_norm_axis=1, begin_params_axis=1),
        call=args("x", "dy", "variance", "mean", "gamma", "d_dx", "d_dg", "d_db"),
    )
)
def _(x, dy, variance, mean, gamma, ddx, ddgamma, ddbeta, **axes):
    def first(x, dy, gamma):
        statistics = _statistics(x, tuple(range(axes["begin_norm_axis"] % x.ndim, x.ndim)))
        return _layer_norm_grad(x, dy, *statistics, gamma, **axes)

    return pull(first, (x, dy, gamma), (ddx, ddgamma, ddbeta))


@adjoint(Prim("RmsNormGrad", call=args("dy", "x", "rstd", "gamma")))
def _(dy, x, rstd, gamma):
    wide, scaled = x.astype(jnp.float32) * rstd, dy.astype(jnp.float32) * gamma
    inner = tuple(range(x.ndim - gamma.ndim, x.ndim))
    dx = rstd * (scaled - wide * jnp.mean(scaled * wide, inner, keepdims=True))
    return dx.astype(x.dtype), jnp.sum(dy.astype(jnp.float32) * wide, tuple(range(x.ndim - gamma.ndim)))


# --- of images
@adjoint(
    Prim(
        "ROIAlignGrad",
        init=args("pooled_height", "pooled_width", "spatial_scale", sample_num=2),
        call=args("dy", "rois", "xdiff_shape"),
    )
)
def _(dy, rois, shape, **settings):
    forward = prim("ROIAlign", **settings)
    return pull(lambda a: forward(a, rois), of_shape(shape, dy), dy)


@adjoint(
    Prim("ResizeBilinearGrad", init=args(align_corners=False, half_pixel_centers=False), call=args("grads", "image"))
)
def _(dy, image, **settings):
    forward = prim("ResizeBilinearV2", **settings)
    return pull(lambda a: forward(a, dy.shape[2:]), image, dy)


@adjoint(
    Prim("ResizeBicubicGrad", init=args(align_corners=False, half_pixel_centers=False), call=args("grads", "image"))
)
def _(dy, image, **settings):
    forward = prim("ResizeBicubic", **settings)
    return pull(lambda a: forward(a, dy.shape[2:]), image, dy)


@adjoint(Prim("ResizeLinear1DGrad", init=args(coordinate_transformation_mode="align_corners"), call=args("grads", "x")))
def _(dy, x, **settings):
    forward = prim("ResizeLinear1D", **settings)
    return pull(lambda a: forward(a, dy.shape[2:]), x, dy)


def _register_nearest():
    def row(name):
        @adjoint(Prim(name, init=args(align_corners=False, half_pixel_centers=False), call=args("grads", "size")))
        def _(dy, size, **settings):
            forward = prim("ResizeNearestNeighborV2", **settings)
            return pull(lambda a: forward(a, dy.shape[2:]), of_shape((*dy.shape[:2], *size), dy), dy)

    row("ResizeNearestNeighborGrad")
    row("ResizeNearestNeighborV2Grad")


_register_nearest()


@adjoint(
    Prim(
        "ScaleAndTranslateGrad",
        init=args(kernel_type="lanczos3", antialias=True),
        call=args("grads", "original_image", "scale", "translation"),
    )
)
def _(dy, image, scale, translation, **settings):
    forward = prim("ScaleAndTranslate", **settings)
    return pull(lambda a: forward(a, dy.shape[1:3], scale, translation), image, dy)


def _register_upsamples():
    def row(kind, mode, aligned):
        align = {"align_corners": False} if aligned else {}

        @adjoint(Prim(f"Upsample{kind}Grad", call=args("dy", "input_size", output_size=None, scales=None, **align)))
        def _(dy, input_size, output_size, scales, *aligned):
            settings = {"align_corners": aligned[0]} if aligned else {}
            # the size is that of the gradient, whether it or the scales were given
            return pull(func("interpolate", size=dy.shape[2:], mode=mode, **settings), of_shape(input_size, dy), dy)

    row("Nearest1D", "nearest", False)
    row("Nearest2D", "nearest", False)
    row("Nearest3D", "nearest", False)
    row("Linear1D", "linear", True)
    row("Bilinear2D", "bilinear", True)
    row("Bicubic2D", "bicubic", True)


_register_upsamples()


@adjoint(
    Prim(
        "UpsampleTrilinear3DGrad",
        init=args(align_corners=False),
        call=args("dy", "input_size", output_size=None, scales=None),
    )
)
def _(dy, input_size, output_size, scales, *, align_corners):
    forward = func("interpolate", size=dy.shape[2:], mode="trilinear", align_corners=align_corners)
    return pull(forward, of_shape(input_size, dy), dy)


# --- of sparse Tensors
@adjoint(Prim("SparseFillEmptyRowsGrad", call=args("reverse_index_map", "grad_values")))
def _(reverse, dy):
    return dy[reverse], (jnp.sum(dy) - jnp.sum(dy[reverse])).astype(dy.dtype)


def _register_segments():
    def row(name, grad, norm):
        @adjoint(Prim(name, call=args(grad, "indices", "segment_ids", "output_dim0")))
        def _(dy, indices, segment_ids, rows):
            size = norm(segment_sum(jnp.ones(segment_ids.shape, dy.dtype), segment_ids, dy.shape[0]))
            shares = dy[segment_ids] / size[segment_ids].reshape(-1, *[1] * (dy.ndim - 1))
            return segment_sum(shares, indices, rows)

    row("SparseSegmentMeanGrad", "x", lambda n: jnp.maximum(n, 1))
    row("SparseSegmentSqrtNGrad", "x", lambda n: jnp.sqrt(jnp.maximum(n, 1)))
    row("SparseSegmentSumGrad", "grad", jnp.ones_like)


_register_segments()


@adjoint(Prim("SparseSliceGrad", call=args("backprop_val_grad", "indices", "start", "new_indices")))
def _(dy, indices, start, new_indices):
    """Of each value of the sparse Tensor that was sliced: the gradient of the same value in the slice, or 0."""
    same = jnp.all(indices[:, None] == new_indices[None] + start, axis=-1)
    return same.astype(dy.dtype) @ dy
