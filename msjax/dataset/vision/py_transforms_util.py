"""The operations on Pillow images, one function each, under the names that MindSpore's module of this name has."""

import io
import math
import numbers
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Length, Like, Raises
from ..check import check
from ..operation import numpy_draws, python_draws
from .modes import Inter
from .operation import is_pil as is_pil
from .operation import need_numpy, need_pil, pair, parse_padding, pillow
from .warp import middle_box

augment_error_message = "img should be PIL image. Got {}. Use Decode() for encoded data or ToPIL() for decoded data."


def is_numpy(img: np.ndarray):
    """Return whether `img` is a NumPy array."""
    return isinstance(img, np.ndarray)


# --- conversion -------------------------------------------------------------------------------------------------------


def decode(img: np.ndarray):
    """Return the image in an encoded file's bytes, as RGB."""
    try:
        return pillow().open(io.BytesIO(img)).convert("RGB")
    except OSError as error:
        raise ValueError(f"{error}\n: Failed to decode given image.") from error


def hwc_to_chw(img: np.ndarray):
    """Return an <H, W, C> array as <C, H, W>; <H, W> stays as it is."""
    check(is_numpy(img), f"img should be NumPy array. Got {type(img)}.", TypeError)
    check(img.ndim in (2, 3), f"img dimension should be 2 or 3. Got {img.ndim}.", TypeError)
    return img if img.ndim == 2 else img.transpose(2, 0, 1).copy()


def to_type(img: np.ndarray, output_type: Any):
    """Return the array in another type."""
    need_numpy(img)
    return img.astype(output_type)


def to_tensor(img: np.ndarray, output_type: Any):
    """Return an image as a <C, H, W> array of values from 0 to 1."""
    check(
        is_pil(img) or is_numpy(img),
        f"The input image should be of type numpy.ndarray or PIL.Image.Image. Got {type(img)}.",
        TypeError,
    )
    img = np.asarray(img)
    check(img.ndim in (2, 3), f"The dimension of input image should be 2 or 3. Got {img.ndim}.", TypeError)
    return to_type(hwc_to_chw(img[:, :, None] if img.ndim == 2 else img) / 255.0, output_type)


_ONE_CHANNEL_TYPES = ("bool", "int8", "int16", "int32", "uint8", "uint16", "uint32", "float32", "float64")


def to_pil(img: np.ndarray):
    """Return an array as a Pillow image."""
    if is_pil(img):
        return img
    check(
        is_numpy(img),
        f"The input image should be of type numpy.ndarray or PIL.Image.Image. Got {type(img)}.",
        TypeError,
    )
    check(img.ndim in (2, 3), f"The dimension of input image should be 2 or 3. Got {img.ndim}.")
    channels = 1 if img.ndim == 2 else img.shape[2]
    check(channels <= 4, f"The channel of input image should not exceed 4. Got {channels}.")
    if channels == 1:
        check(
            img.dtype.name in _ONE_CHANNEL_TYPES,
            f"The input image type {img.dtype} is not supported when image shape is [H, W] or [H, W, 1].",
            TypeError,
        )
        img = img if img.ndim == 2 else img[:, :, 0]
    else:
        check(
            img.dtype == np.uint8,
            f"The input image type {img.dtype} is not supported when image shape is [H, W, 2], [H, W, 3] or [H, W, 4].",
            TypeError,
        )
    return pillow().fromarray(img)


def normalize(
    img: np.ndarray, mean: Sequence[float], std: Sequence[float], pad_channel: bool = False, dtype: Any = "float32"
):
    """Return a <C, H, W> float array less `mean`, over `std`, with a channel of zeros added if asked."""
    need_numpy(img)
    check(img.ndim == 3, f"img dimension should be 3. Got {img.ndim}.", TypeError)
    check(
        not np.issubdtype(img.dtype, np.integer),
        f"Unsupported image datatype: [{img.dtype}], pls execute [ToTensor] before [Normalize].",
        NotImplementedError,
    )
    check(len(mean) == len(std), "Length of mean and std must be equal.")
    check(
        len(mean) in (1, len(img)),
        f"Length of mean and std must both be 1 or equal to the number of channels({len(img)}).",
    )
    mean, std = (np.array(v, img.dtype)[:, None, None] for v in (mean, std))
    img = (img - mean) / std
    if pad_channel:
        img = np.concatenate([img, np.zeros((1, *img.shape[1:]), np.float32)])
        img = img.astype(np.float16) if dtype == "float16" else img
    return img


# --- geometry ---------------------------------------------------------------------------------------------------------


def horizontal_flip(img: np.ndarray):
    """Return the image mirrored left to right."""
    need_pil(img)
    return img.transpose(pillow().Transpose.FLIP_LEFT_RIGHT)


def vertical_flip(img: np.ndarray):
    """Return the image mirrored top to bottom."""
    need_pil(img)
    return img.transpose(pillow().Transpose.FLIP_TOP_BOTTOM)


def random_horizontal_flip(img: np.ndarray, prob: float):
    """Return the image, mirrored left to right with probability `prob`."""
    need_pil(img)
    return horizontal_flip(img) if python_draws().random() < prob else img


def random_vertical_flip(img: np.ndarray, prob: float):
    """Return the image, mirrored top to bottom with probability `prob`."""
    need_pil(img)
    return vertical_flip(img) if python_draws().random() < prob else img


def _fill(img, value):
    """Return a fill value as Pillow wants it for the image: as many bands as it has."""
    bands = len(img.getbands())
    if isinstance(value, numbers.Number):
        return value if bands == 1 else (value,) * min(bands, 3) + (255,) * (bands - 3)
    return value if isinstance(value, str) else value[0] if bands == 1 else tuple(value)


def crop(img: np.ndarray, top: int, left: int, height: int, width: int):
    """Return the window of the image; pixels outside of the image are black."""
    need_pil(img)
    return img.crop((left, top, left + width, top + height))


def resize(img: np.ndarray, size: int | Sequence[int], interpolation: Inter = Inter.BILINEAR):
    """Return the image resized to (height, width), or so that its shorter side is `size`."""
    need_pil(img)
    check(
        isinstance(size, int) or isinstance(size, (list, tuple)) and len(size) == 2,
        f"Size should be a single number or a list/tuple (h, w) of length 2.Got {size}.",
        TypeError,
    )
    if isinstance(size, int):
        width, height = img.size
        if min(width, height) == size:
            return img
        aspect = width / height
        size = (int(size / aspect), size) if width < height else (size, int(size * aspect))
    return img.resize(tuple(size)[::-1], interpolation)


def center_crop(img: np.ndarray, size: int | Sequence[int]):
    """Return the middle of the image."""
    need_pil(img)
    (width, height), (crop_height, crop_width) = img.size, pair(size)
    return crop(
        img, int(round((height - crop_height) / 2.0)), int(round((width - crop_width) / 2.0)), crop_height, crop_width
    )


def random_resize_crop(
    img: np.ndarray,
    size: int | Sequence[int],
    scale: float | Sequence[float],
    ratio: Any,
    interpolation: Inter = Inter.BILINEAR,
    max_attempts: int = 10,
):
    """Return a random window of the image, resized."""
    need_pil(img)
    check(scale[0] <= scale[1] and ratio[0] <= ratio[1], "Range should be in the order of (min, max).")
    window = _crop_box(img.size[::-1], scale, ratio, max_attempts)
    return resize(crop(img, *window), pair(size), interpolation)


def _crop_box(shape, scale, ratio, max_attempts):
    """Draw the (top, left, height, width) of a window: its share of the area is in `scale`, its aspect in `ratio`."""
    (rows, columns), random = shape, python_draws()
    for _ in range(max_attempts):
        area = random.uniform(*scale) * (rows * columns)
        aspect = math.exp(random.uniform(math.log(ratio[0]), math.log(ratio[1])))
        width = round(math.sqrt(area * aspect))
        height = round(width / aspect)
        if 0 < width <= columns and 0 < height <= rows:
            top = random.randint(0, rows - height)
            return top, random.randint(0, columns - width), height, width
    return middle_box(shape, ratio, round)


def random_crop(
    img: np.ndarray,
    size: int | Sequence[int],
    padding: int | Sequence[int],
    pad_if_needed: Any,
    fill_value: Any,
    padding_mode: Any,
):
    """Return a random window of the image, which is padded first."""
    need_pil(img)
    height, width = pair(size)
    if padding is not None:
        img = pad(img, padding, fill_value, padding_mode)
    if pad_if_needed and img.size[0] < width:
        img = pad(img, (width - img.size[0], 0), fill_value, padding_mode)
    if pad_if_needed and img.size[1] < height:
        img = pad(img, (0, height - img.size[1]), fill_value, padding_mode)
    columns, rows = img.size
    check(
        height <= rows and width <= columns,
        f"Crop size {(height, width)} is larger than input image size {(rows, columns)}.",
    )
    if (height, width) == (rows, columns):
        return crop(img, 0, 0, height, width)
    random = python_draws()
    top, left = random.randint(0, rows - height), random.randint(0, columns - width)
    return crop(img, top, left, height, width)


def five_crop(img: np.ndarray, size: int | Sequence[int]):
    """Return the four corners and the middle of the image: top left, top right, bottom left, bottom right, middle."""
    need_pil(img)
    (columns, rows), (height, width) = img.size, pair(size)
    check(
        height <= rows and width <= columns,
        f"Crop size {(height, width)} is larger than input image size {(rows, columns)}.",
    )
    corners = [crop(img, top, left, height, width) for top in (0, rows - height) for left in (0, columns - width)]
    return (*corners, center_crop(img, (height, width)))


def ten_crop(img: np.ndarray, size: int | Sequence[int], use_vertical_flip: bool = False):
    """Return the five crops of the image and those of its mirror image."""
    return five_crop(img, size) + five_crop(vertical_flip(img) if use_vertical_flip else horizontal_flip(img), size)


@checked
def pad(
    img: Like[np.ndarray],
    padding: Annotated[numbers.Number | Annotated[tuple | list, Length(2, 4)], Raises()],
    fill_value: numbers.Number | str | tuple | list,
    padding_mode: AsValue[Literal["constant", "edge", "reflect", "symmetric"]],
):
    """Return the image with pixels added at its four sides."""
    from PIL import ImageOps  # optional and slow to import

    need_pil(img)
    left, top, right, bottom = parse_padding(padding)
    palette = img.getpalette() if img.mode == "P" else None
    if padding_mode == "constant":
        out = ImageOps.expand(img, border=(left, top, right, bottom), fill=_fill(img, fill_value))
    else:
        array = np.asarray(img)
        widths = ((top, bottom), (left, right), (0, 0))[: array.ndim]
        out = pillow().fromarray(np.pad(array, widths, padding_mode))
    if palette:
        out.putpalette(palette)
    return out


def rotate(img: np.ndarray, angle: Any, resample: Inter, expand: bool, center: Any, fill_value: Any):
    """Return the image turned counter-clockwise by `angle` degrees."""
    need_pil(img)
    angle = angle % 360.0
    check(
        resample != Inter.ANTIALIAS or angle in (0, 90, 180, 270) and not center,
        "When using Inter.ANTIALIAS, center needs to be None and angle needs to be an integer multiple of 90.",
    )
    return img.rotate(angle, resample, expand, center, fillcolor=_fill(img, fill_value))


def random_rotation(
    img: np.ndarray, degrees: float | Sequence[float], resample: Inter, expand: bool, center: Any, fill_value: Any
):
    """Return the image turned by an angle between the two `degrees`."""
    need_pil(img)
    degrees = (-degrees, degrees) if isinstance(degrees, numbers.Number) else degrees
    return rotate(img, python_draws().uniform(degrees[0], degrees[1]), resample, expand, center, fill_value)


def get_perspective_params(img: np.ndarray, distortion_scale: Any):
    """Return the corners of the image and four random points near them."""
    random = python_draws()
    width, height = img.size
    x, y = int(width / 2 * distortion_scale), int(height / 2 * distortion_scale)
    start, end = [], []
    for right, bottom in ((0, 0), (1, 0), (1, 1), (0, 1)):
        low_x, low_y = right * (width - x - 1), bottom * (height - y - 1)
        start.append((right * (width - 1), bottom * (height - 1)))
        end.append((random.randint(low_x, low_x + x), random.randint(low_y, low_y + y)))
    return start, end


def perspective(img: np.ndarray, start_points: Any, end_points: Any, interpolation: Inter = Inter.BICUBIC):
    """Return the image warped so that the start points (x, y) move to the end points."""
    need_pil(img)
    rows = []
    for (x, y), (u, v) in zip(end_points, start_points, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    target = np.array(start_points, float).reshape(8)
    coefficients = np.linalg.lstsq(np.array(rows, float), target, rcond=None)[0].tolist()
    return img.transform(img.size, pillow().Transform.PERSPECTIVE, coefficients, interpolation)


def random_affine(
    img: np.ndarray,
    angle: Any,
    translations: Sequence[float],
    scale: float | Sequence[float],
    shear: Any,
    resample: Inter,
    fill_value: Any = 0,
):
    """Return the image turned, moved, scaled and sheared by random amounts within the ranges."""
    check(is_pil(img), "Input image should be a Pillow image.")
    random = python_draws()
    angle = math.radians(random.uniform(angle[0], angle[1]))
    move = (0, 0)
    if translations is not None:
        low_x, high_x, low_y, high_y = (
            translations
            if len(translations) == 4
            else (-translations[0], translations[0], -translations[1], translations[1])
        )
        move = [
            np.round(random.uniform(low, high) * side)
            for low, high, side in zip((low_x, low_y), (high_x, high_y), img.size, strict=True)
        ]
    factor = 1.0 / (random.uniform(scale[0], scale[1]) if scale is not None else 1.0)
    shear = (0.0,) * 4 if shear is None else tuple(shear) + (0.0,) * (4 - len(shear))
    shear_x, shear_y = (math.radians(random.uniform(shear[i], shear[i + 1])) for i in (0, 2))
    x, y = (side * 0.5 + 0.5 for side in img.size)
    cos, sin = math.cos, math.sin
    scaled = factor / (cos(angle + shear_x) * cos(angle + shear_y) + sin(angle + shear_x) * sin(angle + shear_y))
    a, b = scaled * cos(angle + shear_x), scaled * sin(angle + shear_x)
    c, d = -scaled * sin(angle + shear_y), scaled * cos(angle + shear_y)
    matrix = [a, b, x - a * (x + move[0]) - b * (y + move[1]), c, d, y - c * (x + move[0]) - d * (y + move[1])]
    return img.transform(img.size, pillow().Transform.AFFINE, matrix, resample, fillcolor=_fill(img, fill_value))


# --- colour -----------------------------------------------------------------------------------------------------------


def _enhance(kind, img, factor):
    from PIL import ImageEnhance  # optional and slow to import

    need_pil(img)
    return getattr(ImageEnhance, kind)(img).enhance(factor)


def adjust_brightness(img: np.ndarray, brightness_factor: float):
    """Return the image, `brightness_factor` times as bright."""
    return _enhance("Brightness", img, brightness_factor)


def adjust_contrast(img: np.ndarray, contrast_factor: float):
    """Return the image with its distance from the mean grey multiplied."""
    return _enhance("Contrast", img, contrast_factor)


def adjust_saturation(img: np.ndarray, saturation_factor: float):
    """Return the image with its distance from its grey version multiplied."""
    return _enhance("Color", img, saturation_factor)


def adjust_sharpness(img: np.ndarray, sharpness_factor: float):
    """Return the image with its distance from its smoothed version multiplied."""
    return _enhance("Sharpness", img, sharpness_factor)


def adjust_hue(img: np.ndarray, hue_factor: float):
    """Return the image with its hue moved by `hue_factor` of the circle."""
    check(-0.5 <= hue_factor <= 0.5, f"image_hue_factor {hue_factor} is not in [-0.5, 0.5].")
    need_pil(img)
    if img.mode in ("L", "1", "I", "F"):
        return img
    hue, saturation, value = img.convert("HSV").split()
    moved = (np.array(hue, np.int64) + int(hue_factor * 255)) % 256
    hue = pillow().fromarray(moved.astype(np.uint8))
    return pillow().merge("HSV", (hue, saturation, value)).convert(img.mode)


def adjust_gamma(img: np.ndarray, gamma: float, gain: float):
    """Return the image with each value raised to `gamma` and multiplied by `gain`."""
    check(is_pil(img), f"img should be PIL image. Got {type(img)}.", TypeError)
    bands = len(img.getbands())
    table = [int((255 + 1 - 0.001) * gain * pow(x / 255.0, gamma)) for x in range(256)]
    return img.point(table * bands) if bands in (1, 3) else img


def _between(degrees):
    return (degrees[1] - degrees[0]) * python_draws().random() + degrees[0]


def random_color(img: np.ndarray, degrees: float | Sequence[float]):
    """Return the image with a random saturation between the two `degrees`."""
    need_pil(img)
    return adjust_saturation(img, _between(degrees))


def random_sharpness(img: np.ndarray, degrees: float | Sequence[float]):
    """Return the image with a random sharpness between the two `degrees`."""
    need_pil(img)
    return adjust_sharpness(img, _between(degrees))


def random_color_adjust(img: np.ndarray, brightness: Any, contrast: Any, saturation: Any, hue: float):
    """Return the image with brightness, contrast, saturation and hue changed by random amounts, in random order."""
    need_pil(img)
    random = python_draws()
    ranges = (
        (adjust_brightness, brightness),
        (adjust_contrast, contrast),
        (adjust_saturation, saturation),
        (adjust_hue, hue),
    )
    steps = [(adjust, random.uniform(*bounds)) for adjust, bounds in ranges]
    random.shuffle(steps)
    for adjust, factor in steps:
        img = adjust(img, factor)
    return img


# The eigenvectors of ImageNet's colours times their eigenvalues, as AlexNet's lighting noise uses them.
LIGHTING = np.array(
    [
        [55.46 * -0.5675, 4.794 * 0.7192, 1.148 * 0.4009],
        [55.46 * -0.5808, 4.794 * -0.0045, 1.148 * -0.8140],
        [55.46 * -0.5836, 4.794 * -0.6948, 1.148 * 0.4203],
    ]
)


def random_lighting(img: np.ndarray, alpha: float):
    """Return the image with AlexNet's lighting noise of standard deviation `alpha`."""
    need_pil(img)
    shift = LIGHTING @ numpy_draws().normal(0.0, alpha, 3)
    array = np.array(img.convert("RGB"), np.float64) + shift
    return pillow().fromarray(np.clip(array, 0, 255).astype(np.uint8))


def grayscale(img: np.ndarray, num_output_channels: Any):
    """Return the image in grey, with one or three channels."""
    need_pil(img)
    check(num_output_channels in (1, 3), f"num_output_channels should be either 1 or 3. Got {num_output_channels}.")
    gray = img.convert("L")
    return gray if num_output_channels == 1 else pillow().merge("RGB", (gray,) * 3)


def auto_contrast(img: np.ndarray, cutoff: Any, ignore: Any):
    """Return the image stretched to the whole range of values."""
    from PIL import ImageOps  # optional and slow to import

    need_pil(img)
    return ImageOps.autocontrast(img, cutoff, ignore)


def invert_color(img: np.ndarray):
    """Return the negative of the image."""
    from PIL import ImageOps  # optional and slow to import

    need_pil(img)
    return ImageOps.invert(img)


def equalize(img: np.ndarray):
    """Return the image with its histogram made even."""
    from PIL import ImageOps  # optional and slow to import

    need_pil(img)
    return ImageOps.equalize(img)
