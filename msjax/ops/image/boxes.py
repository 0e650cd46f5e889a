"""Boxes and colours: overlap, suppression, encoding; conversions between RGB and HSV."""

import math
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.record import op
from ...core.operators.rows import Prim
from ...core.spec import Array, Ints, Key, Number, Operand, Seed, Static
from ...core.spec.rules import AnyCase
from ..shapes import ANY, last_axis, number_of_axes, same_shape


# --- overlap
def _overlap(a, b, extra):
    """(intersection, area of a, area of b) of boxes (x1, y1, x2, y2); `extra` is added to each side."""
    sides = [
        jnp.maximum(jnp.minimum(a[..., i + 2], b[..., i + 2]) - jnp.maximum(a[..., i], b[..., i]) + extra, 0)
        for i in range(2)
    ]
    area = [(box[..., 2] - box[..., 0] + extra) * (box[..., 3] - box[..., 1] + extra) for box in (a, b)]
    return sides[0] * sides[1], *area


@op(ops=True, prim=Prim("IOU", inputs=("anchor_boxes", "gt_boxes")))
def iou(anchor_boxes: Array, gt_boxes: Array, mode: AnyCase[Literal["iou", "iof"]] = "iou") -> Array:
    """Overlap (M, N) of N anchor boxes with M true ones (x1, y1, x2, y2): by the union ("iou") or by the true box ("iof").

    It carries no gradient, as in MindSpore: it is meant for matching boxes, not for a loss.
    """
    number_of_axes("IOU", 2, anchor_boxes=anchor_boxes.shape, gt_boxes=gt_boxes.shape)
    anchors, boxes = (lax.stop_gradient(b).astype(jnp.float32) for b in (anchor_boxes, gt_boxes))
    common, anchor, true = _overlap(anchors[None], boxes[:, None], 1)
    return (common / (anchor + true - common if mode.lower() == "iou" else true)).astype(anchor_boxes.dtype)


@op(ops=True, prim=Prim("CheckValid"))
def check_valid(bboxes: Array, img_metas: Array) -> Array:
    """Whether each box (x1, y1, x2, y2) lies in an image of (height, width, ratio)."""
    number_of_axes("CheckValid", 2, bboxes=bboxes.shape)
    number_of_axes("CheckValid", 1, img_metas=img_metas.shape)
    height, width = img_metas[0] * img_metas[2] - 1, img_metas[1] * img_metas[2] - 1
    return (bboxes[:, 0] >= 0) & (bboxes[:, 1] >= 0) & (bboxes[:, 2] <= width) & (bboxes[:, 3] <= height)


def _centres(box):
    return (
        (box[..., 0] + box[..., 2]) * 0.5,
        (box[..., 1] + box[..., 3]) * 0.5,
        box[..., 2] - box[..., 0] + 1,
        box[..., 3] - box[..., 1] + 1,
    )


@op(ops=True, prim=Prim("BoundingBoxEncode", inputs=("anchor_box", "groundtruth_box")))
def bounding_box_encode(
    anchor_box: Array, groundtruth_box: Array, means: Any = (0.0, 0.0, 0.0, 0.0), stds: Any = (1.0, 1.0, 1.0, 1.0)
) -> Array:
    """(dx, dy, log dw, log dh) that lead from anchor boxes (x1, y1, x2, y2) to true ones, normalised."""
    same_shape("BoundingBoxEncode", anchor_box=anchor_box.shape, groundtruth_box=groundtruth_box.shape)
    ax, ay, aw, ah = _centres(anchor_box)
    gx, gy, gw, gh = _centres(groundtruth_box)
    deltas = jnp.stack([(gx - ax) / aw, (gy - ay) / ah, jnp.log(gw / aw), jnp.log(gh / ah)], -1)
    return (deltas - jnp.asarray(means, deltas.dtype)) / jnp.asarray(stds, deltas.dtype)


@op(ops=True, prim=Prim("BoundingBoxDecode", inputs=("anchor_box", "deltas")))
def bounding_box_decode(
    anchor_box: Array,
    deltas: Array,
    max_shape: Static[Ints],
    means: Any = (0.0, 0.0, 0.0, 0.0),
    stds: Any = (1.0, 1.0, 1.0, 1.0),
    wh_ratio_clip: Number = 0.016,
) -> Array:
    """The boxes (x1, y1, x2, y2) that `bounding_box_encode` deltas describe, within an image of max_shape (height, width)."""
    same_shape("BoundingBoxDecode", anchor_box=anchor_box.shape, deltas=deltas.shape)
    deltas = deltas * jnp.asarray(stds, deltas.dtype) + jnp.asarray(means, deltas.dtype)
    limit = abs(math.log(wh_ratio_clip))
    ax, ay, aw, ah = _centres(anchor_box)
    gw, gh = (a * jnp.exp(jnp.clip(deltas[..., i], -limit, limit)) for a, i in ((aw, 2), (ah, 3)))
    gx, gy = ax + aw * deltas[..., 0], ay + ah * deltas[..., 1]
    sides = (gx - gw * 0.5 + 0.5, gy - gh * 0.5 + 0.5, gx + gw * 0.5 - 0.5, gy + gh * 0.5 - 0.5)
    return jnp.stack([jnp.clip(s, 0, max_shape[1 - i % 2]) for i, s in enumerate(sides)], -1)


def _corners(box):
    """(..., 4, 2) corners of boxes (x, y, w, h, angle in degrees)."""
    x, y, w, h, angle = (box[..., i] for i in range(5))
    angle = angle * (math.pi / 180)
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    sides = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]
    return jnp.stack([jnp.stack([x + a * cos - b * sin, y + a * sin + b * cos], -1) for a, b in sides], -2)


def _cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _common_area(p, q):
    """Area that convex quadrangles (..., 4, 2) have in common: the hull of corners inside the other and of crossings of edges."""

    def within(points, corners):
        edges = jnp.roll(corners, -1, -2) - corners
        turn = _cross(edges[..., None, :, :], points[..., :, None, :] - corners[..., None, :, :])
        return jnp.all(turn >= -1e-5, -1) | jnp.all(turn <= 1e-5, -1)

    p_edge, q_edge = jnp.roll(p, -1, -2) - p, jnp.roll(q, -1, -2) - q
    d, e = p_edge[..., :, None, :], q_edge[..., None, :, :]
    gap = q[..., None, :, :] - p[..., :, None, :]
    det = _cross(d, e)
    safe = jnp.where(jnp.abs(det) > 1e-9, det, 1)
    s, t = _cross(gap, e) / safe, _cross(gap, d) / safe
    crossing = (jnp.abs(det) > 1e-9) & (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1)
    places = (p[..., :, None, :] + s[..., None] * d).reshape(*p.shape[:-2], 16, 2)
    points = jnp.concatenate([p, q, places], -2)
    valid = jnp.concatenate([within(p, q), within(q, p), crossing.reshape(*p.shape[:-2], 16)], -1)
    count = jnp.sum(valid, -1)
    centre = jnp.sum(jnp.where(valid[..., None], points, 0), -2) / jnp.maximum(count, 1)[..., None]
    around = points - centre[..., None, :]
    order = jnp.argsort(jnp.where(valid, jnp.arctan2(around[..., 1], around[..., 0]), jnp.inf), -1)
    ring = jnp.take_along_axis(around, order[..., None], -2)
    ring = jnp.where(
        (jnp.arange(24) < count[..., None])[..., None], ring, ring[..., :1, :]
    )  # unused points repeat the first
    return jnp.where(count > 2, jnp.abs(jnp.sum(_cross(ring, jnp.roll(ring, -1, -2)), -1)) / 2, 0)


@op(ops=True)
def rotated_iou(
    boxes: Array,
    query_boxes: Array,
    trans: bool = False,
    mode: int = 0,
    is_cross: bool = True,
    v_threshold: Number = 0.0,
    e_threshold: Number = 0.0,
) -> Array:
    """Overlap of rotated boxes (B, 5, N) with others (B, 5, K): (B, N, K), or (B, N) of pairs without `is_cross`.

    Boxes may also be (B, N, 5), as in MindSpore's example, where N is not 5.
    A box is x1, y1, x2, y2, angle, or with `trans` x, y, w, h, angle, in degrees. mode 0: by the union, 1: by the box of `boxes`.
    """

    def centred(box):
        box = (jnp.swapaxes(box, 1, 2) if box.shape[1] == 5 else box).astype(jnp.float32)
        if trans:
            return box
        low, high = box[..., :2], box[..., 2:4]
        return jnp.concatenate([(low + high) / 2, high - low, box[..., 4:]], -1)

    a, b = centred(boxes), centred(query_boxes)
    a, b = (a[:, :, None], b[:, None]) if is_cross else (a, b)
    shape = jnp.broadcast_shapes(a.shape, b.shape)
    common = _common_area(_corners(jnp.broadcast_to(a, shape)), _corners(jnp.broadcast_to(b, shape)))
    area_a, area_b = a[..., 2] * a[..., 3], b[..., 2] * b[..., 3]
    return (common / jnp.maximum(area_a + area_b - common if mode == 0 else area_a, 1e-9)).astype(boxes.dtype)


# --- suppression
def _suppress(overlaps, threshold):
    """Mask of rows, in order of score, that overlap no kept row before them by more than the threshold."""
    n = overlaps.shape[0]

    def step(i, keep):
        return keep & ~(keep[i] & (overlaps[i] > threshold) & (jnp.arange(n) > i))

    return jax.lax.fori_loop(0, n, step, jnp.ones(n, bool))


@op(prim=Prim("NMSWithMask", inputs=("bboxes",)), ops=False)
def nms_with_mask(bboxes: Array, iou_threshold: Number = 0.5):
    """(boxes sorted by score, their indices, mask of the kept boxes) for boxes (n, 5) of x1, y1, x2, y2, score."""
    if bboxes.ndim != 2 or bboxes.shape[1] != 5:
        raise ValueError(f"For 'NMSWithMask', the 'bboxes' must have shape (n, 5), but got {tuple(bboxes.shape)}.")
    boxes = bboxes[jnp.argsort(-bboxes[:, 4])]
    common, a, b = _overlap(boxes[:, None], boxes[None], 0)
    return (
        boxes,
        jnp.arange(boxes.shape[0], dtype=jnp.int32),
        _suppress(common / jnp.maximum(a + b - common, 1e-12), iou_threshold),
    )


def _select(overlaps, scores, most, overlap_threshold, score_threshold):
    """Numbers of the boxes that stay, best first; values must be concrete."""
    order = jnp.argsort(-scores)
    keep = _suppress(overlaps[order][:, order], overlap_threshold) & (scores[order] > score_threshold)
    return order[np.flatnonzero(np.asarray(keep))[: int(most)]].astype(jnp.int32)


@op(prim=Prim("NonMaxSuppressionV3"), ops=False, dynamic=True)
def non_max_suppression_v3(
    boxes: Array, scores: Array, max_output_size: Any, iou_threshold: Operand, score_threshold: Operand
):
    """int32 numbers of at most `max_output_size` boxes (y1, x1, y2, x2), best score first, that overlap no better one beyond the threshold."""
    thresholds = {"iou_threshold": iou_threshold, "score_threshold": score_threshold}
    number_of_axes("NonMaxSuppressionV3", 0, **{name: jnp.shape(value) for name, value in thresholds.items()})
    corners = jnp.concatenate([jnp.minimum(boxes[:, :2], boxes[:, 2:]), jnp.maximum(boxes[:, :2], boxes[:, 2:])], 1)
    common, a, b = _overlap(corners[:, None], corners[None], 0)
    union = a + b - common
    return _select(
        jnp.where(union > 0, common / jnp.where(union > 0, union, 1), 0),
        scores,
        max_output_size,
        iou_threshold,
        score_threshold,
    )


@op(prim=Prim("NonMaxSuppressionWithOverlaps"), ops=False, dynamic=True)
def non_max_suppression_with_overlaps(
    overlaps: Array, scores: Array, max_output_size: Any, overlap_threshold: Operand, score_threshold: Operand
):
    """int32 numbers of at most `max_output_size` boxes, best score first, whose given overlap with no better one exceeds the threshold."""
    return _select(overlaps, scores, max_output_size, overlap_threshold, score_threshold)


@op(
    prim=Prim(
        "CombinedNonMaxSuppression",
        inputs=("boxes", "scores", "max_output_size_per_class", "max_total_size", "iou_threshold", "score_threshold"),
    ),
    ops=False,
)
def combined_non_max_suppression(
    boxes: Array,
    scores: Array,
    max_output_size_per_class: Static[Any],
    max_total_size: Static[Any],
    iou_threshold: Array,
    score_threshold: Array,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
):
    """(boxes, scores, classes, counts) that stay in each image, over all classes.

    boxes: (images, n, 1 or classes, 4); scores: (images, n, classes).
    """

    def one_class(boxes, scores):
        order = jnp.argsort(-scores)
        ranked = boxes[order]
        common, a, b = _overlap(ranked[:, None], ranked[None], 0)
        union = a + b - common
        keep = _suppress(jnp.where(union > 0, common / jnp.where(union > 0, union, 1), 0), iou_threshold) & (
            scores[order] > score_threshold
        )
        keep = keep & (jnp.cumsum(keep) <= max_output_size_per_class)
        return ranked, jnp.where(keep, scores[order], -jnp.inf)

    classes = scores.shape[2]
    boxes = jnp.broadcast_to(boxes, (*boxes.shape[:2], classes, 4))
    ranked, kept = jax.vmap(jax.vmap(one_class, (1, 1)))(boxes, scores)  # (images, classes, n, ...)
    images, n = scores.shape[:2]
    total = min(max_total_size, max_output_size_per_class * classes) if pad_per_class else max_total_size
    flat = kept.reshape(images, -1)
    top, place = jax.lax.top_k(
        jnp.pad(flat, ((0, 0), (0, max(total - flat.shape[1], 0))), constant_values=-jnp.inf), total
    )
    valid = top > -jnp.inf
    place = jnp.where(valid, place, 0)
    chosen = jnp.take_along_axis(ranked.reshape(images, -1, 4), place[..., None], 1)
    chosen = jnp.clip(chosen, 0, 1) if clip_boxes else chosen
    return (
        jnp.where(valid[..., None], chosen, 0),
        jnp.where(valid, top, 0),
        jnp.where(valid, place // n, 0).astype(jnp.float32),
        jnp.sum(valid, 1).astype(jnp.int32),
    )


@op(
    random=True,
    prim=Prim("SampleDistortedBoundingBoxV2", inputs=("image_size", "bounding_boxes", "min_object_covered")),
    ops=False,
)
def sample_distorted_bounding_box_v2(
    key: Key,
    image_size: Array,
    bounding_boxes: Array,
    min_object_covered: Array,
    seed: Seed = 0,
    seed2: Seed = 0,
    aspect_ratio_range: Any = (0.75, 1.33),
    area_range: Any = (0.05, 1.0),
    max_attempts: int = 100,
    use_image_if_no_bounding_boxes: bool = False,
):
    """(begin, size, box) of a random crop of an image (height, width, channels) that covers enough of one of the boxes; else the whole image.

    bounding_boxes: (images, n, 4) of y1, x1, y2, x2 in [0, 1].
    """
    boxes = bounding_boxes.reshape(-1, 4)
    if boxes.shape[0] == 0 and not use_image_if_no_bounding_boxes:
        raise ValueError(
            "For 'SampleDistortedBoundingBoxV2', without bounding boxes 'use_image_if_no_bounding_boxes' must be True."
        )
    size = image_size.astype(jnp.float32)
    height, width = size[0], size[1]
    keys = jax.random.split(key, 4)
    ratio = jax.random.uniform(keys[0], (max_attempts,), jnp.float32, *aspect_ratio_range)
    area = jax.random.uniform(keys[1], (max_attempts,), jnp.float32, *area_range) * height * width
    h, w = jnp.floor(jnp.sqrt(area / ratio)), jnp.floor(jnp.sqrt(area * ratio))
    y = jnp.floor(jax.random.uniform(keys[2], (max_attempts,), jnp.float32) * (height - h + 1))
    x = jnp.floor(jax.random.uniform(keys[3], (max_attempts,), jnp.float32) * (width - w + 1))
    fits = (h >= 1) & (w >= 1) & (h <= height) & (w <= width)
    if boxes.shape[0]:
        scaled = boxes * jnp.stack([height, width, height, width])
        crop = jnp.stack([y, x, y + h, x + w], -1)
        common, _, whole = _overlap(crop[:, None], scaled[None], 0)
        fits = fits & jnp.any(common >= min_object_covered.reshape(()) * whole, 1)
    first, found = jnp.argmax(fits), jnp.any(fits)
    y, x, h, w = (jnp.where(found, v[first], whole) for v, whole in ((y, 0.0), (x, 0.0), (h, height), (w, width)))
    begin = jnp.stack([y, x, jnp.zeros_like(y)]).astype(image_size.dtype)
    extent = jnp.stack([h, w, jnp.full_like(h, -1)]).astype(image_size.dtype)
    box = jnp.stack([y / height, x / width, (y + h) / height, (x + w) / width]).reshape(1, 1, 4)
    return begin, extent, box


# --- colours, channels last
def _to_hsv(rgb, coloured=lambda top: top != 0):
    """Hue, saturation and value; the saturation is 0 where the largest part of a colour is not `coloured`."""
    red, green, blue = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    top, low = jnp.max(rgb, -1), jnp.min(rgb, -1)
    span = top - low
    safe = jnp.where(span > 0, span, 1)
    hue = (
        jnp.where(
            red == top,
            (green - blue) / safe,
            jnp.where(green == top, 2 + (blue - red) / safe, 4 + (red - green) / safe),
        )
        / 6
    )
    hue = jnp.where(span > 0, hue - jnp.floor(hue), 0)
    return jnp.stack([hue, jnp.where(coloured(top), span / jnp.where(coloured(top), top, 1), 0), top], -1)


def _to_rgb(hsv):
    hue, saturation, value = hsv[..., 0], hsv[..., 1], hsv[..., 2]
    parts = [jnp.clip(jnp.abs(hue * 6 - a) * s - b, 0, 1) for a, s, b in ((3, 1, 1), (2, -1, -2), (4, -1, -2))]
    return jnp.stack([(1 - saturation + saturation * p) * value for p in parts], -1)


@op(prim=Prim("RGBToHSV"), ops=False)
def rgb_to_hsv(images: Array) -> Array:
    """Hue, saturation and value, each in [0, 1], of colours in [0, 1]."""
    number_of_axes("RGBToHSV", range(1, ANY), RuntimeError, images=images.shape)
    last_axis("RGBToHSV", 3, images=images.shape)
    return _to_hsv(images, lambda top: top > 0)


@op(prim=Prim("HSVToRGB"), ops=False)
def hsv_to_rgb(x: Array):
    """Colours in [0, 1] from hue, saturation and value."""
    number_of_axes("HSVToRGB", range(1, ANY), RuntimeError, x=x.shape)
    number_of_axes("HSVToRGB", 4, x=x.shape)
    last_axis("HSVToRGB", 3, x=x.shape)
    return _to_rgb(x)


def _check_colours(name, images):
    number_of_axes(name, range(3, ANY), images=images.shape)
    last_axis(name, 3, images=images.shape)


@op(prim=Prim("AdjustSaturation"), ops=False)
def adjust_saturation(image: Array, scale: Array):
    """RGB images with their saturation times `scale`."""
    _check_colours("AdjustSaturation", image)
    number_of_axes("AdjustSaturation", 0, scale=scale.shape)
    hsv = _to_hsv(image.astype(jnp.float32))
    return _to_rgb(hsv.at[..., 1].set(jnp.clip(hsv[..., 1] * scale, 0, 1))).astype(image.dtype)


@op(prim=Prim("AdjustHue"), ops=False)
def adjust_hue(images: Array, delta: Array):
    """RGB images with their hue turned by `delta` (1 is the whole circle)."""
    _check_colours("AdjustHue", images)
    number_of_axes("AdjustHue", 0, delta=delta.shape)
    hsv = _to_hsv(images.astype(jnp.float32))
    hue = hsv[..., 0] + delta
    return _to_rgb(hsv.at[..., 0].set(hue - jnp.floor(hue))).astype(images.dtype)
