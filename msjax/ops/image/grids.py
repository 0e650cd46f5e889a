"""Images sampled at given places: grid_sample, affine_grid, crops of boxes, regions of interest, glimpses."""

import itertools
from collections.abc import Sequence
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np

from ...core.operators.record import op
from ...core.operators.rows import Prim, args
from ...core.spec import Array, Ints, Key, Number, Static
from ...core.spec.rules import AsValue
from ..shape.shaping import merged
from ..shapes import any_case, number_of_axes, same_shape
from .resizing import cubic_weights


# --- grid_sample
def _pixel(coordinate, length, align_corners):
    """Pixel numbers of coordinates in [-1, 1]."""
    return (coordinate + 1) * ((length - 1) / 2) if align_corners else ((coordinate + 1) * length - 1) / 2


def _reflect(x, low, high):
    """x reflected into [low, high]; the bounds are halves of the given numbers."""
    if low == high:
        return jnp.zeros_like(x)
    low, span = low / 2, (high - low) / 2
    x = jnp.abs(x - low)
    part, flips = x - jnp.floor(x / span) * span, jnp.floor(x / span)
    return jnp.where(flips % 2 == 0, part + low, span - part + low)


def _clip(x, length):
    """x within [0, length - 1]; no gradient passes where it was outside."""
    return jnp.where((x > 0) & (x < length - 1), x, jax.lax.stop_gradient(jnp.clip(x, 0, length - 1)))


def _source(coordinate, length, padding_mode, align_corners):
    x = _pixel(coordinate, length, align_corners)
    if padding_mode == "border":
        x = _clip(x, length)
    elif padding_mode == "reflection":
        x = _reflect(x, 0, 2 * (length - 1)) if align_corners else _reflect(x, -1, 2 * length - 1)
        x = _clip(x, length)
    return jnp.where(jnp.isfinite(x), x, -100.0)


def gather_pixels(flat: Any, places: Any, size: Sequence[int]):
    """Values of flat (N, C, pixels) at integer places, one array a spatial axis of shape (N, ...); zero outside."""
    inside, number = True, 0
    for place, length in zip(places, size):
        inside = inside & (place >= 0) & (place < length)
        number = number * length + jnp.clip(place, 0, length - 1).astype(jnp.int32)
    n, channels = flat.shape[:2]
    picked = jnp.take_along_axis(flat, merged(number[:, None], 2), 2).reshape(n, channels, *number.shape[1:])
    return jnp.where(inside[:, None], picked, 0)


def _grid_sample(name, x, grid, mode, padding_mode, align_corners):
    n = x.ndim - 2
    if n not in (2, 3):
        raise ValueError(f"For '{name}', the input must have four or five axes, but got shape {tuple(x.shape)}.")
    if grid.ndim != n + 2 or grid.shape[-1] != n or grid.shape[0] != x.shape[0]:
        raise ValueError(
            f"For '{name}', the 'grid' must have shape (N, ..., {n}) with N of the input, but got {tuple(grid.shape)} for {tuple(x.shape)}."
        )
    mode, padding_mode = any_case(mode), any_case(padding_mode)
    if mode not in ("bilinear", "nearest") + (("bicubic",) if n == 2 else ()):
        raise ValueError(f"For '{name}', the 'mode' must be 'bilinear' or 'nearest', but got {mode!r}.")
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(
            f"For '{name}', the 'padding_mode' must be 'zeros', 'border' or 'reflection', but got {padding_mode!r}."
        )
    size = x.shape[2:]
    flat = merged(x, 2)
    coordinates = [grid[..., n - 1 - i] for i in range(n)]  # the grid holds x, y, (z); the axes are (z), y, x
    if mode == "bicubic":
        return _bicubic_sample(
            flat,
            [_pixel(c, length, align_corners) for c, length in zip(coordinates, size)],
            size,
            padding_mode,
            align_corners,
        )
    places = [_source(c, length, padding_mode, align_corners) for c, length in zip(coordinates, size)]
    if mode == "nearest":
        return gather_pixels(
            flat, [jnp.sign(p) * jnp.floor(jnp.abs(p) + 0.5) for p in places], size
        )  # halves away from zero
    low = [jnp.floor(p) for p in places]
    total = 0
    for corner in itertools.product((0, 1), repeat=n):
        weight = 1
        for p, lo, c in zip(places, low, corner):
            weight = weight * (p - lo if c else lo + 1 - p)
        total = total + gather_pixels(flat, [lo + c for lo, c in zip(low, corner)], size) * weight[:, None]
    return total.astype(x.dtype)


def _bicubic_sample(flat, places, size, padding_mode, align_corners):
    low = [jnp.floor(p) for p in places]
    weights = [cubic_weights(p - lo) for p, lo in zip(places, low)]
    total = 0
    for i, j in itertools.product(range(4), repeat=2):
        at = [low[0] + i - 1, low[1] + j - 1]
        if padding_mode == "border":
            at = [jnp.clip(a, 0, length - 1) for a, length in zip(at, size)]
        elif padding_mode == "reflection":
            bounds = [(0, 2 * (length - 1)) if align_corners else (-1, 2 * length - 1) for length in size]
            at = [jnp.clip(_reflect(a, *b), 0, length - 1) for a, b, length in zip(at, bounds, size)]
        total = total + gather_pixels(flat, at, size) * (weights[0][i] * weights[1][j])[:, None]
    return total.astype(flat.dtype)


@op(ops=True, mint="nn.functional.grid_sample")
def grid_sample(
    input: Array, grid: Array, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Array:
    """The input (N, C, H, W) or (N, C, D, H, W) sampled at the places of a grid (N, ..., 2 or 3).

    grid: x, y (and z) in [-1, 1], where -1 and 1 are the outer edges of the image, or with `align_corners` the centres of its corner pixels.
    mode: "bilinear" or "nearest". padding_mode: "zeros", "border" or "reflection", for places outside.

    Example:
        >>> x = Tensor(np.ones((1, 1, 2, 2), np.float32))
        >>> theta = Tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
        >>> print(ops.grid_sample(x, ops.affine_grid(theta, x.shape)))
        [[[[1. 1.]
           [1. 1.]]]]
    """
    return _grid_sample("grid_sample", input, grid, mode, padding_mode, bool(align_corners))


@op(
    ops=False,
    prim=(Prim("GridSampler2D", inputs=("input_x", "grid")), Prim("GridSampler3D", inputs=("input_x", "grid"))),
)
def grid_sampler(
    input_x: Array,
    grid: Array,
    interpolation_mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
):
    """As `grid_sample`."""
    return _grid_sample("GridSampler", input_x, grid, interpolation_mode, padding_mode, align_corners)


@op(
    ops=True,
    prim=Prim(
        "AffineGrid", init=args(align_corners=False), call=args("theta", "output_size"), to={"output_size": "size"}
    ),
)
def affine_grid(theta: Array, size: Static[Ints], align_corners: bool = False) -> Array:
    """The grid for `grid_sample` that an affine transformation gives.

    theta: (N, 2, 3) for size (N, C, H, W), (N, 3, 4) for (N, C, D, H, W).
    """
    n = len(size) - 2
    if n not in (2, 3) or theta.shape[1:] != (n, n + 1):
        raise ValueError(
            f"For 'affine_grid', the 'theta' must be (N, {n}, {n + 1}) for size {tuple(size)}, but got shape {tuple(theta.shape)}."
        )
    same_shape("affine_grid", images=size[:1], theta=theta.shape[:1])
    axes = []
    for length in size[2:]:
        line = np.linspace(-1, 1, length) if length > 1 else np.zeros(1)
        axes.append(line[:length] if align_corners else line[:length] * ((length - 1) / max(length, 1)))
    mesh = np.meshgrid(*axes, indexing="ij")
    points = jnp.asarray(np.stack([*mesh[::-1], np.ones(size[2:])], -1), theta.dtype)
    return jnp.einsum("...k,njk->n...j", points, theta, precision=jax.lax.Precision.HIGHEST)


# --- boxes cut out of images
def _crop(name, image, boxes, box_indices, crop_size, method, extrapolation_value):
    if method not in ("bilinear", "nearest", "bilinear_v2"):
        raise ValueError(
            f"For '{name}', the 'method' must be 'bilinear', 'nearest' or 'bilinear_v2', but got {method!r}."
        )
    height, width = image.shape[1:3]
    x = jnp.moveaxis(image.astype(jnp.float32), -1, 1)
    flat = merged(x, 2)[box_indices]
    places, inside = [], []
    for axis, (length, out) in enumerate(((height, crop_size[0]), (width, crop_size[1]))):
        low, high, index = boxes[:, axis, None], boxes[:, axis + 2, None], jnp.arange(out, dtype=jnp.float32)
        if method == "bilinear_v2":
            start = jnp.trunc(low * length)
            span = jnp.maximum(jnp.trunc(high * length) - start + 1, 1)
            place = jnp.clip((index + 0.5) * (span / out) - 0.5 + start, 0, length - 1)
        else:
            place = (
                low * (length - 1) + index * ((high - low) * (length - 1) / (out - 1))
                if out > 1
                else 0.5 * (low + high) * (length - 1) + index * 0
            )
        places.append(place)
        inside.append((place >= 0) & (place <= length - 1))
    rows, columns = jnp.broadcast_arrays(places[0][:, :, None], places[1][:, None, :])
    size = (height, width)
    if method == "nearest":
        out = gather_pixels(flat, [jnp.floor(rows + 0.5), jnp.floor(columns + 0.5)], size)
    else:
        top, left, out = jnp.floor(rows), jnp.floor(columns), 0
        for i, j in itertools.product((0, 1), repeat=2):
            weight = (rows - top if i else top + 1 - rows) * (columns - left if j else left + 1 - columns)
            at = [jnp.minimum(top + i, height - 1), jnp.minimum(left + j, width - 1)]
            out = out + gather_pixels(flat, at, size) * weight[:, None]
    keep = inside[0][:, :, None] & inside[1][:, None, :]
    return jnp.moveaxis(jnp.where(keep[:, None], out, extrapolation_value), 1, -1)


@op(
    ops=True,
    prim=Prim(
        "CropAndResize",
        init=args(method="bilinear", extrapolation_value=0.0),
        call=args("x", "boxes", "box_index", "crop_size"),
        to={"x": "image", "box_index": "box_indices"},
    ),
)
def crop_and_resize(
    image: Array,
    boxes: Array,
    box_indices: Array,
    crop_size: Static[Ints],
    method: str = "bilinear",
    extrapolation_value: Number = 0.0,
):
    """Boxes (y1, x1, y2, x2, in parts of the height and width) of NHWC images, each resized to crop_size (height, width), as float32.

    box_indices: which image each box is of. Places outside give `extrapolation_value`.
    """
    if image.ndim != 4 or boxes.ndim != 2 or boxes.shape[1] != 4:
        raise ValueError(
            f"For 'CropAndResize', the 'image' must have four axes and 'boxes' shape (n, 4), but got {tuple(image.shape)} and "
            f"{tuple(boxes.shape)}."
        )
    return _crop("CropAndResize", image, boxes, box_indices, tuple(crop_size), method, extrapolation_value)


@op(prim=Prim("ROIAlign", inputs=("features", "rois")), ops=False)
def roi_align(
    features: Array,
    rois: Array,
    pooled_height: Static[int],
    pooled_width: Static[int],
    spatial_scale: Static[Number],
    sample_num: int = 2,
    roi_end_mode: int = 1,
) -> Array:
    """Means of bilinear samples in pooled_height x pooled_width bins of each region (He et al., 2017).

    rois: (n, 5): image number, x1, y1, x2, y2, in pixels times 1 / spatial_scale. sample_num: samples a bin and axis; 0: as many as pixels.
    """
    number_of_axes("ROIAlign", 4, features=features.shape)
    number_of_axes("ROIAlign", 2, rois=rois.shape)
    rois = jax.lax.stop_gradient(rois)
    index = rois[:, 0].astype(jnp.int32)
    axes = (
        (rois[:, 2], rois[:, 4], features.shape[2], pooled_height),
        (rois[:, 1], rois[:, 3], features.shape[3], pooled_width),
    )
    weights = []  # of each pixel of a line in each bin, (n, bins, length): bilinear samples of a grid are sums of products
    for low, high, length, bins in axes:
        start = low * spatial_scale
        span = jnp.maximum((high + roi_end_mode) * spatial_scale - start, 0.0 if roi_end_mode == 1 else 1.0)
        weights.append(_sampled(start, span / bins, length, bins, max(sample_num, 0)))

    def one(roi):
        image, rows, columns = roi
        return jnp.einsum("bh,chw,dw->cbd", rows, features[image].astype(rows.dtype), columns)

    return jax.lax.map(one, (index, *weights), batch_size=_ROIS).astype(features.dtype)


_ROIS = 16  # regions whose images are in memory at once


def _sampled(start, width, length, bins, samples):
    """(n, bins, length): the part that each pixel of a line has in each bin of a region, a mean of linear samples.

    start, width: (n,), of the region and of its bins. samples: in a bin; 0: as many as whole pixels, which differs from region to region. Samples
    more than a pixel outside of the line are 0.
    """
    places = start[:, None] + width[:, None] * jnp.arange(bins, dtype=start.dtype)
    count = jnp.full(width.shape, samples, width.dtype) if samples else jnp.floor(width)  # as MindSpore counts
    count, number = jnp.maximum(count, 1)[:, None, None], jnp.arange(samples or length + 3, dtype=start.dtype)
    step = width[:, None, None] / count
    if not samples:  # at most so many samples, one to two pixels apart, are on the line: from the first of them on
        number = number + jnp.maximum(jnp.ceil((-1 - places[:, :, None]) / jnp.maximum(step, 1e-6) - 0.5), 0)
    at = places[:, :, None] + (number + 0.5) * step
    used = (number < count) & (at >= -1) & (at <= length) & (step > 0)
    at = jnp.clip(at, 0, length - 1)
    near = jnp.maximum(1 - jnp.abs(at[..., None] - jnp.arange(length, dtype=start.dtype)), 0)
    return jnp.sum(jnp.where(used[..., None], near, 0), axis=2) / count


@op(random=True, prim=Prim("ExtractGlimpse", inputs=("x", "size", "offsets")), ops=False)
def extract_glimpse(
    key: Key,
    x: Array,
    size: Static[Any],
    offsets: Array,
    centered: bool = True,
    normalized: bool = True,
    uniform_noise: bool = True,
    noise: AsValue[Literal["uniform", "gaussian", "zero"]] = "uniform",
):
    """Windows of `size` (height, width) around offsets (N, 2) of NHWC images; pixels outside are noise ("uniform",
    "gaussian" or "zero").

    normalized: offsets are parts of the size; centered: relative to the image's centre.
    """
    lengths, inside, at = x.shape[1:3], True, []
    for axis in range(2):
        place = offsets[:, axis] * (lengths[axis] if normalized else 1)
        place = place / 2 + lengths[axis] / 2 if centered else place
        line = jnp.trunc(place - size[axis] / 2).astype(jnp.int32)[:, None] + jnp.arange(size[axis])
        line = jnp.expand_dims(line, 2 - axis)
        inside = inside & (line >= 0) & (line < lengths[axis])
        at.append(jnp.clip(line, 0, lengths[axis] - 1))
    out = x[jnp.arange(x.shape[0])[:, None, None], at[0], at[1]]
    if noise == "zero":
        fill = jnp.zeros((), x.dtype)
    elif noise == "gaussian" and not uniform_noise:
        fill = jax.random.normal(key, out.shape, jnp.float32) * jnp.std(x) + jnp.mean(x)
    else:
        fill = jax.random.uniform(key, out.shape, jnp.float32)
    return jnp.where(inside[..., None], out, fill.astype(x.dtype))


@op(prim=Prim("PSROIPooling", inputs=("features", "rois")), ops=False)
def psroi_pooling(
    features: Array, rois: Array, spatial_scale: Static[Any], group_size: Static[Any], output_dim: Static[Any]
):
    """Means over group_size x group_size bins of each region, bin (i, j) of output channel c from input channel (c * group_size + i) *
    group_size + j (R-FCN, Dai et al., 2016).

    rois: (batch, 5, n): image number, x1, y1, x2, y2, in pixels times 1 / spatial_scale.
    """
    if features.ndim != 4 or rois.ndim != 3 or rois.shape[1] != 5:
        raise ValueError(
            f"For 'PSROIPooling', 'features' must have 4 axes and 'rois' the shape (batch, 5, n), but got {features.shape} and {rois.shape}."
        )
    count, channels, height, width = features.shape
    if channels != output_dim * group_size**2:
        raise ValueError(
            f"For 'PSROIPooling', 'features' must have output_dim * group_size * group_size channels, but got {channels} with "
            f"{output_dim} and {group_size}."
        )
    boxes = jax.lax.stop_gradient(jnp.moveaxis(rois, 1, 2).reshape(-1, 5)).astype(jnp.float32)
    index = jnp.clip(boxes[:, 0].astype(jnp.int32), 0, count - 1)
    masks = []
    for low, high, length in ((boxes[:, 2], boxes[:, 4], height), (boxes[:, 1], boxes[:, 3], width)):
        start, end = (jnp.floor(side * spatial_scale + 0.5) for side in (low, high))
        step = jnp.maximum(end - start, 0.1)[:, None] / group_size
        bins = jnp.arange(group_size, dtype=step.dtype)
        first = jnp.clip(jnp.floor(start[:, None] + bins * step), 0, length)[..., None]
        last = jnp.clip(jnp.ceil(start[:, None] + (bins + 1) * step), 0, length)[..., None]
        masks.append(((jnp.arange(length) >= first) & (jnp.arange(length) < last)).astype(features.dtype))
    rows, columns = masks
    area = rows.sum(-1)[:, :, None] * columns.sum(-1)[:, None, :]
    maps = features.reshape(count, output_dim, group_size, group_size, height, width)[index]
    total = jnp.einsum("ncijhw,nih,njw->ncij", maps, rows, columns)
    return jnp.where(area[:, None] > 0, total / jnp.maximum(area[:, None], 1), 0).astype(features.dtype)
