"""Geometry of images that are NumPy arrays of <H, W> or <H, W, C>: resize, crop, pad, warp; OpenCV does the work."""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .modes import Border, Inter
from .operation import opencv, pillow
from .tone import saturate

# OpenCV's own numbers, so that no table needs the module imported
_INTERPOLATION = {Inter.NEAREST: 0, Inter.LINEAR: 1, Inter.CUBIC: 2, Inter.AREA: 3}
_BORDER = {Border.CONSTANT: 0, Border.EDGE: 1, Border.SYMMETRIC: 2, Border.REFLECT: 4}
# Sets of numpy.dtype, because asking one for its name takes as long as flipping a small image.
_SAMPLED_TYPES = {np.dtype(name) for name in ("uint8", "int8", "uint16", "int16", "float32", "float64")}
_COPIED_TYPES = _SAMPLED_TYPES | {np.dtype("int32")}
# What holds every value of a type that OpenCV cannot process itself.
_WIDER = {np.dtype("int32"): np.float64, np.dtype("float16"): np.float32, np.dtype("int8"): np.int16}


def kernel(types: Any, widened: Sequence = ()):
    """Make an OpenCV call on images of `types` keep a trailing axis of one channel.

    Images of the types in `widened` are processed in a wider type; others raise RuntimeError.
    """
    widened = {np.dtype(name) for name in widened}

    def wrap(function):
        @functools.wraps(function)
        def run(image, *args, **options):
            if image.dtype in widened:
                return saturate(run(image.astype(_WIDER[image.dtype]), *args, **options), image.dtype)
            if image.dtype not in types:
                known = ", ".join(sorted(kind.name for kind in types | widened))
                title = function.__name__.title().replace("_", "")
                raise RuntimeError(f"{title}: the type of the image should be one of {known}, but got {image.dtype}.")
            out = function(image, *args, **options)
            if out.ndim == 2 and image.ndim == 3 and image.shape[2] == 1:
                out = out[:, :, None]
            return out

        return run

    return wrap


# Types that OpenCV takes whole pixels of, but does not compute with -> a type of their size that it knows.
_SAME_SIZE = {np.dtype("int32"): np.float32, np.dtype("float16"): np.int16}


def resize(image: np.ndarray, size: int | Sequence[int], interpolation: Inter):
    """Return `image` resized to (height, width)."""
    known = _SAME_SIZE.get(image.dtype) if interpolation == Inter.NEAREST else None
    return (
        _resize(image, size, interpolation)
        if known is None
        else _resize(image.view(known), size, interpolation).view(image.dtype)
    )


@kernel(_SAMPLED_TYPES)
def _resize(image, size, interpolation):
    height, width = size
    if interpolation == Inter.PILCUBIC:
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
            raise RuntimeError(
                f"Resize: PILCUBIC needs an uint8 image of <H, W, 3>, but got {image.dtype} of shape {image.shape}."
            )
        return np.array(pillow().fromarray(image).resize((width, height), pillow().Resampling.BICUBIC))
    if (height, width) == image.shape[:2]:
        return image.copy()
    if not (height <= image.shape[0] * 1000 and width <= image.shape[1] * 1000):
        raise RuntimeError(
            "Resize: the resizing width or height is too big, it's up to 1000 times the original image, but got output "
            f"size {height} x {width} of an image of {image.shape[0]} x {image.shape[1]}."
        )
    return opencv().resize(image, (width, height), interpolation=_INTERPOLATION[interpolation])


def flip(image: np.ndarray, axis: int):
    """Return `image` mirrored top to bottom (axis 0) or left to right (axis 1); OpenCV is 30 times as fast as NumPy."""
    if image.dtype not in _COPIED_TYPES:
        return np.ascontiguousarray(np.flip(image, axis))
    return opencv().flip(image, axis).reshape(image.shape)


def planes(images: np.ndarray):
    """Return <..., H, W, C> images as contiguous <..., C, H, W> ones; OpenCV is 3 times as fast as NumPy."""
    *outer, height, width, channels = images.shape
    if channels == 1:
        return np.ascontiguousarray(images).reshape(*outer, 1, height, width)
    if images.dtype not in _SAMPLED_TYPES:
        return np.ascontiguousarray(np.moveaxis(images, -1, -3))
    out = np.empty((*outer, channels, height, width), images.dtype)
    for place in np.ndindex(*outer):
        opencv().split(images[place], list(out[place]))
    return out


def short_side(shape: Sequence[int], size: int | Sequence[int]):
    """Return the (height, width) that brings the shorter side of an image of `shape` to `size`."""
    height, width = shape[:2]
    if height < width:
        return size, int(math.floor(width / height * size))
    return int(math.floor(height / width * size)), size


def crop(image: np.ndarray, top: int, left: int, height: int, width: int):
    """Return the window of `image`; raises RuntimeError where it is not inside."""
    if not (0 <= top and 0 <= left and top + height <= image.shape[0] and left + width <= image.shape[1]):
        raise RuntimeError(
            f"Crop: the window of {height} x {width} at ({top}, {left}) is not inside the image of {image.shape[0]} x "
            f"{image.shape[1]}."
        )
    return np.ascontiguousarray(image[top : top + height, left : left + width])


@kernel(_COPIED_TYPES, ["float16"])
def pad(
    image: np.ndarray,
    left: int,
    top: int,
    right: int,
    bottom: int,
    fill: Any = (0, 0, 0),
    border: Border = Border.CONSTANT,
):
    """Return `image` with pixels added at its four sides."""
    if not (image.ndim == 2 or image.shape[2] in (1, 3)):
        raise RuntimeError(f"Pad: the number of channels should be 1 or 3, but got shape {image.shape}.")
    value = fill if image.ndim == 3 and image.shape[2] == 3 else fill[0]
    return opencv().copyMakeBorder(image, top, bottom, left, right, _BORDER[Border(border)], value=value)


def center_crop(image: np.ndarray, height: int, width: int):
    """Return the middle of `image`, padded with zeros if it is smaller."""
    extra_rows, extra_columns = max(height - image.shape[0], 0), max(width - image.shape[1], 0)
    if extra_rows or extra_columns:
        image = pad(
            image, extra_columns - extra_columns // 2, extra_rows - extra_rows // 2, extra_columns // 2, extra_rows // 2
        )
    return crop(image, (image.shape[0] - height) // 2, (image.shape[1] - width) // 2, height, width)


# The maps below are those of OpenCV 4, MindSpore's library: source coordinates in 1/32 pixel. OpenCV 5 warps with exact
# coordinates, whose results differ by several levels; its `remap` of such maps still gives the same pixels.
_FRACTION_BITS = 5


def _remap(image, x, y, interpolation, fill):
    """Return `image` sampled at the int32 `x`, `y`: pixels for NEAREST, else 1/32 pixels."""
    bits = 0 if interpolation == Inter.NEAREST else _FRACTION_BITS
    limit = (2**15 - 1) << bits  # OpenCV keeps whole pixels in 16 bits
    whole = np.empty((*x.shape, 2), np.int16)
    for axis, place in enumerate((x, y)):
        inside = -limit <= place.min() and place.max() <= limit
        whole[..., axis] = (place if inside else place.clip(-limit, limit)) >> bits
    part = ((y & 31) << bits | (x & 31)).astype(np.uint16) if bits else None
    mode = _INTERPOLATION[Inter.LINEAR if interpolation == Inter.AREA else interpolation]
    return opencv().remap(image, whole, part, mode, borderValue=fill)


@kernel(_SAMPLED_TYPES, ["int32", "int8"])
def warp_affine(image: np.ndarray, matrix: Any, size: int | Sequence[int], interpolation: Inter, fill: Any):
    """Return `image` under the 2 x 3 `matrix` (source to target), in a frame of (height, width)."""
    rows, columns = np.arange(size[0]), np.arange(size[1])
    shift = 10 if interpolation == Inter.NEAREST else 10 - _FRACTION_BITS

    def fixed(values):  # 22.10 fixed-point numbers
        return np.rint(values * 1024).clip(-(2**30), 2**30 - 2**10).astype(np.int32)

    x, y = (
        (fixed(q * rows + t) + (1 << shift - 1))[:, None] + fixed(p * columns) >> shift
        for p, q, t in opencv().invertAffineTransform(np.asarray(matrix, np.float64))
    )
    return _remap(image, x, y, interpolation, fill)


def _frame(middle, size, angle):
    """(width, height) around a rectangle of `size` that is turned by `angle` (radians) about its `middle`.

    In the float32 steps of OpenCV's `RotatedRect`: how the size is rounded decides which pixels are taken.
    """
    down, across = np.float32(math.cos(angle)) / 2, np.float32(math.sin(angle)) / 2
    one = middle + size[1] * np.array([-across, down]) - size[0] * np.array([down, across])
    other = middle + size[1] * np.array([across, -down]) - size[0] * np.array([down, across])
    corners = np.array([one, other, 2 * middle - one, 2 * middle - other])
    return corners.max(0) - corners.min(0)


def rotate(
    image: np.ndarray, degrees: float | Sequence[float], interpolation: Inter, expand: bool, center: Any, fill: Any
):
    """Return `image` turned counter-clockwise by `degrees` about `center` (x, y), its middle if that is empty."""
    cv2 = opencv()
    height, width = image.shape[:2]
    degrees = float(np.float32(degrees))
    middle = center or ((width - 1) / 2.0, (height - 1) / 2.0)
    matrix = cv2.getRotationMatrix2D(middle, degrees, 1.0)
    if expand:
        around = _frame(np.asarray(middle, np.float32), np.array([width, height], np.float32), math.radians(degrees))
        matrix[:, 2] += around / 2.0 - np.array([width, height]) / 2.0
        width, height = np.rint(around).astype(int).tolist()
    return warp_affine(image, matrix, (height, width), interpolation, fill)


def affine(
    image: np.ndarray,
    degrees: float | Sequence[float],
    translate: Any,
    scale: float | Sequence[float],
    shear: Any,
    interpolation: Inter,
    fill: Any,
):
    """Return `image` turned, sheared (degrees), scaled about its middle and moved (pixels)."""
    single = np.float32  # the steps that MindSpore rounds to float32: a pixel's source may lie on the edge between two
    angle, shear_x, shear_y = (single(math.pi * float(single(v)) / 180.0) for v in (degrees, shear[0], -shear[1]))
    scale, turned = float(single(scale)), float(angle + shear_y)
    a = single(scale * math.cos(turned) / math.cos(shear_y))
    b = single(scale * (-math.cos(turned) * math.tan(shear_x) / math.cos(shear_y) - math.sin(angle)))
    c = single(scale * math.sin(turned) / math.cos(shear_y))
    d = single(scale * (-math.sin(turned) * math.tan(shear_x) / math.cos(shear_y) + math.cos(angle)))
    height, width = image.shape[:2]
    x, y = single((width - 1) / 2.0), single((height - 1) / 2.0)
    across, down = map(single, translate)
    matrix = [[a, b, (single(1) - a) * x - b * y + across], [c, d, (single(1) - d) * y - c * x + down]]
    return warp_affine(image, matrix, (height, width), interpolation, fill)


@kernel(_SAMPLED_TYPES, ["int32", "int8"])
def perspective(image: np.ndarray, start: int, end: Any, interpolation: Inter):
    """Return `image` warped so that the four `start` points (x, y) move to the `end` points."""
    cv2 = opencv()
    matrix = cv2.getPerspectiveTransform(np.asarray(start, np.float32), np.asarray(end, np.float32))
    height, width = image.shape[:2]
    columns, rows = np.arange(width), np.arange(height)[:, None]
    across, down, depth = (m[0] * columns + (m[1] * rows + m[2]) for m in cv2.invert(matrix)[1])
    unit = 1 if interpolation == Inter.NEAREST else 1 << _FRACTION_BITS
    factor = np.divide(unit, depth, out=np.zeros_like(depth), where=depth != 0)
    x, y = (np.rint((side * factor).clip(-(2**31), 2**31 - 1)).astype(np.int32) for side in (across, down))
    return _remap(image, x, y, interpolation, (0, 0, 0))


def half_up(value: Any):
    """Return the nearest integer, halves away from zero as in C."""
    return int(math.floor(value + 0.5))


def crop_box(shape: Sequence[int], scale: Sequence[float], ratio: Sequence[float], attempts: int, draw: Any):
    """Draw the (top, left, height, width) of a window: its share of the area is in `scale`, its aspect in `ratio`.

    After `attempts` windows that do not fit it is the largest middle window whose ratio is in range. draw: a MersenneTwister.
    """
    rows, columns = shape[:2]
    for _ in range(attempts):
        share = float(draw.uniform32(*scale))
        aspect = math.exp(draw.uniform32(math.log(ratio[0]), math.log(ratio[1])))
        width = max(half_up(math.sqrt(rows * columns * share * aspect)), 1)
        height = max(half_up(width / aspect), 1)
        if width <= columns and height <= rows:
            left = draw.between(0, columns - width)
            return draw.between(0, rows - height), left, height, width
    return middle_box(shape, ratio, half_up)


def middle_box(shape: Sequence[int], ratio: Sequence[float], nearest: Callable):
    """The (top, left, height, width) of the largest middle window whose ratio is in range; `nearest` rounds."""
    rows, columns = shape[:2]
    height, width = rows, columns
    if columns / rows < ratio[0]:
        height = nearest(width / ratio[0])
    elif columns / rows > ratio[1]:
        width = nearest(height * ratio[1])
    height, width = max(height, 1), max(width, 1)
    return nearest((rows - height) / 2), nearest((columns - width) / 2), height, width


@kernel(_SAMPLED_TYPES)
def gaussian_blur(image: np.ndarray, size: int | Sequence[int], sigma: float):
    """Return `image` blurred by a Gaussian kernel of (width, height) `size` and (x, y) `sigma` in pixels."""
    return opencv().GaussianBlur(image, size, sigmaX=sigma[0], sigmaY=sigma[1])
