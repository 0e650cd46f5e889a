"""Turning, shearing and warping."""

import numbers
from collections.abc import Sequence

import numpy as np

from ..check import check, check_integer, check_interval, check_list_of, check_type
from ..operation import random_state
from . import py_transforms_util as pil
from . import warp
from .check import (
    NUMBER,
    check_center,
    check_degrees,
    check_fill,
    check_flag,
    check_interpolation,
    check_number,
    check_ordered,
    check_positive,
)
from .modes import Implementation, Inter
from .operation import (
    LINEAR_NEAREST,
    DeviceOperation,
    ImageOperation,
    array_filter,
    colour,
    fix_form,
    is_pil,
    pillow_filter,
)


class Rotate(DeviceOperation):
    """Turn the image counter-clockwise.

    Args:
        degrees (Union[int, float]): the angle.
        resample (Inter, optional): how to sample between pixels. Default: ``Inter.NEAREST``.
        expand (bool, optional): make the frame large enough for the whole result. Default: ``False``.
        center (tuple, optional): the point (x, y) to turn about. Default: ``None``, the middle.
        fill_value (Union[int, tuple[int]], optional): byte or (R, G, B) of what lies outside. Default: ``0``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `fill_value` is not a byte, or `center` is not a pair.
        RuntimeError: the array is not <H, W> or <..., H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.Rotate(90)(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[2, 4], [1, 3]]
    """

    implementation = Implementation.C
    stacked = True
    ascend_interpolation = ("resample", LINEAR_NEAREST)

    def __init__(
        self,
        degrees: int | float,
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: tuple | None = None,
        fill_value: int | tuple[int, ...] = 0,
    ):
        check_number(degrees, "degrees")
        _check_turn(resample, expand, center, fill_value)
        self.degrees = degrees % 360
        self.resample = resample
        self.expand = expand
        self.center = center or ()
        self.fill_value = colour(fill_value)

    def _array(self, image):
        return warp.rotate(
            image, self.degrees, _warp_filter(self, self.resample), self.expand, self.center, self.fill_value
        )


class RandomRotation(ImageOperation):
    """Turn the image counter-clockwise by a random angle.

    Args:
        degrees (Union[int, float, Sequence[float]]): the largest angle either way, or (min, max).
        resample (Inter, optional): how to sample between pixels. Default: ``Inter.NEAREST``.
        expand (bool, optional): make the frame large enough for the whole result. Default: ``False``.
        center (tuple, optional): the point (x, y) to turn about. Default: ``None``, the middle.
        fill_value (Union[int, tuple[int]], optional): byte or (R, G, B) of what lies outside. Default: ``0``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `degrees` is negative or not (min, max), or `fill_value` is not a byte.
        RuntimeError: the array is not <H, W> or <H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomRotation((180, 180))(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[4, 3], [2, 1]]
    """

    deterministic = False

    def __init__(
        self,
        degrees: int | float | Sequence[float],
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: tuple | None = None,
        fill_value: int | tuple[int, ...] = 0,
    ):
        check_degrees(degrees)
        _check_turn(resample, expand, center, fill_value)
        if isinstance(degrees, NUMBER):
            self.degrees = (-(degrees % 360), degrees % 360)
        elif degrees[1] - degrees[0] >= 360:
            self.degrees = (-180, 180)
        else:
            low, high = degrees[0] % 360, degrees[1] % 360
            self.degrees = (low, high + 360 if low > high else high)
        self.resample = resample
        self.expand = expand
        self.center = center
        self.fill_value = colour(fill_value)
        fix_form(self, resample)

    def _array(self, image):
        return warp.rotate(
            image,
            random_state().uniform(*self.degrees),
            _warp_filter(self, self.resample),
            self.expand,
            self.center,
            self.fill_value,
        )

    def _pillow(self, image):
        return pil.random_rotation(
            image, self.degrees, pillow_filter(self.resample), self.expand, self.center, self.fill_value
        )


def _check_turn(resample, expand, center, fill_value):
    check_interpolation(resample, "resample")
    check_flag(expand, "expand")
    check_center(center)
    check_fill(fill_value)


def _warp_filter(operation, interpolation):
    """Return the `Inter` for a warp, which has no PILCUBIC."""
    mode = array_filter(interpolation) if operation.implementation is None else Inter.to_c_type(interpolation)
    check(
        mode != Inter.PILCUBIC,
        f"{type(operation).__name__}: Invalid InterpolationMode, PILCUBIC is not supported.",
        RuntimeError,
    )
    return mode


class Affine(DeviceOperation):
    """Turn, move, scale and shear the image about its middle.

    Args:
        degrees (float): the angle, clockwise, between -180 and 180.
        translate (Sequence[float]): moves to the right and down as shares of width and height, between -1 and 1.
        scale (float): the factor of scale.
        shear (Union[float, Sequence[float]]): shear along x, or along (x, y), in degrees between -180 and 180.
        resample (Inter, optional): how to sample between pixels. Default: ``Inter.NEAREST``.
        fill_value (Union[int, tuple[int]], optional): byte or (R, G, B) of what lies outside. Default: ``0``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the array is not <H, W> or <H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.Affine(0, (0.5, 0), 1.0, 0)(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[0, 1], [0, 3]]
    """

    implementation = Implementation.C
    ascend_interpolation = ("resample", LINEAR_NEAREST)

    def __init__(
        self,
        degrees: float,
        translate: Sequence[float],
        scale: float,
        shear: float | Sequence[float],
        resample: Inter = Inter.NEAREST,
        fill_value: int | tuple[int, ...] = 0,
    ):
        check_number(degrees, "degrees", -180, 180)
        check_type(translate, (list, tuple), "translate")
        check(len(translate) == 2, "The length of translate should be 2.", TypeError)
        for i, value in enumerate(translate):
            check_number(value, f"translate[{i}]", -1.0, 1.0)
        check_type(scale, NUMBER, "scale")
        check_positive(scale, "scale")
        check_type(shear, (numbers.Number, tuple, list), "shear")
        if isinstance(shear, (list, tuple)):
            check(len(shear) == 2, "The length of shear should be 2.", TypeError)
            for i, value in enumerate(shear):
                check_number(value, f"shear[{i}]", -180, 180)
        else:
            check_interval(shear, -180, 180, "shear")
        check_interpolation(resample, "resample")
        check_fill(fill_value)
        self.degrees = degrees
        self.translate = tuple(translate)
        self.scale_ = scale
        self.shear = (shear, 0.0) if isinstance(shear, numbers.Number) else tuple(shear)
        self.resample = resample
        self.fill_value = colour(fill_value)

    def _array(self, image):
        move = (self.translate[0] * image.shape[1], self.translate[1] * image.shape[0])
        return warp.affine(
            image, self.degrees, move, self.scale_, self.shear, _warp_filter(self, self.resample), self.fill_value
        )


class RandomAffine(ImageOperation):
    """Turn, move, scale and shear the image about its middle by random amounts.

    Args:
        degrees (Union[int, float, Sequence[float]]): the largest angle either way, or (min, max).
        translate (Sequence[float], optional): (min, max) of the move along x as a share of the width, or
            (min x, max x, min y, max y), between -1 and 1. A pair for a Pillow image is the largest move either way
            along x and y, as in MindSpore. Default: ``None``, no move.
        scale (Sequence[float], optional): (min, max) of the factor of scale. Default: ``None``, no scaling.
        shear (Union[float, Sequence[float]], optional): the largest shear along x either way in degrees, its
            (min, max), or (min x, max x, min y, max y). Default: ``None``, no shear.
        resample (Inter, optional): how to sample between pixels. Default: ``Inter.NEAREST``.
        fill_value (Union[int, tuple[int]], optional): byte or (R, G, B) of what lies outside. Default: ``0``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the array is not <H, W> or <H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomAffine(15, (-0.1, 0.1), (0.9, 1.1))(np.zeros((8, 9, 3), np.uint8)).shape
        (8, 9, 3)
    """

    deterministic = False

    def __init__(
        self,
        degrees: int | float | Sequence[float],
        translate: Sequence[float] | None = None,
        scale: Sequence[float] | None = None,
        shear: float | Sequence[float] | None = None,
        resample: Inter = Inter.NEAREST,
        fill_value: int | tuple[int, ...] = 0,
    ):
        check_degrees(degrees)
        if translate is not None:
            check_list_of(translate, NUMBER, "translate")
            check(len(translate) in (2, 4), "translate should be a list or tuple of length 2 or 4.", TypeError)
            for i, value in enumerate(translate):
                check_interval(value, -1.0, 1.0, f"translate at {i}")
        if scale is not None:
            check_list_of(scale, NUMBER, "scale")
            check(len(scale) == 2, "scale should be a list or tuple of length 2.", TypeError)
            check(scale[0] <= scale[1], "Input scale[1] must be equal to or greater than scale[0].")
            check_ordered(scale, "scale")
            check_positive(scale[1], "scale[1]")
        if shear is not None:
            check_type(shear, (numbers.Number, tuple, list), "shear")
            if isinstance(shear, numbers.Number):
                check_positive(shear, "shear")
                shear = (-shear, shear)
            check_list_of(shear, NUMBER, "shear")
            check(len(shear) in (2, 4), "shear must be of length 2 or 4.", TypeError)
            check(
                all(shear[i] <= shear[i + 1] for i in range(0, len(shear), 2)),
                "Input shear[1] must be equal to or greater than shear[0] and shear[3] must be equal to or greater "
                "than shear[2].",
            )
        check_interpolation(resample, "resample")
        if fill_value is not None:
            check_fill(fill_value)
        self.degrees = (-degrees, degrees) if isinstance(degrees, NUMBER) else tuple(degrees)
        self.translate = (0.0, 0.0, 0.0, 0.0) if translate is None else tuple(translate)
        self.scale_ = (1.0, 1.0) if scale is None else tuple(scale)
        self.shear = (tuple(shear or ()) + (0.0,) * 4)[:4]
        self.resample = resample
        self.fill_value = colour(0 if fill_value is None else fill_value)
        fix_form(self, resample)

    def _array(self, image):
        random, bounds = random_state(), (*self.translate, 0.0, 0.0)[:4]  # a pair moves along x only
        check(
            bounds[0] <= bounds[1] and bounds[2] <= bounds[3],
            f"RandomAffine: minimum of translation range {bounds} is greater than maximum.",
            RuntimeError,
        )
        moves = [random.uniform(*bounds[i : i + 2]) * image.shape[axis] for i, axis in ((0, 1), (2, 0))]
        shear = [random.uniform(*self.shear[i : i + 2]) for i in (0, 2)]
        return warp.affine(
            image,
            random.uniform(*self.degrees),
            moves,
            random.uniform(*self.scale_),
            shear,
            _warp_filter(self, self.resample),
            self.fill_value,
        )

    def _pillow(self, image):
        return pil.random_affine(
            image, self.degrees, self.translate, self.scale_, self.shear, pillow_filter(self.resample), self.fill_value
        )

    def apply(self, image: np.ndarray):
        check(self.implementation != Implementation.PY or is_pil(image), "Input image should be a Pillow image.")
        return super().apply(image)


class Perspective(DeviceOperation):
    """Warp the image so that four points move to four others.

    Args:
        start_points (Sequence[Sequence[int, int]]): top left, top right, bottom right, bottom left (x, y).
        end_points (Sequence[Sequence[int, int]]): where these come to lie.
        interpolation (Inter, optional): how to sample between pixels. Default: ``Inter.BILINEAR``.

    Raises:
        TypeError: an argument is of a wrong type or length.
        ValueError: a coordinate is not a 32-bit integer.
        RuntimeError: the array is not <H, W> or <H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> corners = [[0, 0], [8, 0], [8, 7], [0, 7]]
        >>> vision.Perspective(corners, corners)(np.zeros((8, 9, 3), np.uint8)).shape
        (8, 9, 3)
    """

    ascend_interpolation = ("interpolation", LINEAR_NEAREST)

    def __init__(
        self,
        start_points: Sequence[Sequence[int]],
        end_points: Sequence[Sequence[int]],
        interpolation: Inter = Inter.BILINEAR,
    ):
        for points, name in ((start_points, "start_points"), (end_points, "end_points")):
            check_list_of(points, (list, tuple), name)
            check(len(points) == 4, f"{name} should be a list or tuple of length 4.", TypeError)
            for i, point in enumerate(points):
                check(len(point) == 2, f"{name}[{i}] should be a list or tuple of length 2.", TypeError)
                for k in (0, 1):
                    check_integer(point[k], f"{name}[{i}][{k}]")
        check_interpolation(interpolation)
        self.start_points = start_points
        self.end_points = end_points
        self.interpolation = interpolation
        fix_form(self, interpolation)

    def _array(self, image):
        return warp.perspective(image, self.start_points, self.end_points, _warp_filter(self, self.interpolation))

    def _pillow(self, image):
        return pil.perspective(image, self.start_points, self.end_points, pillow_filter(self.interpolation))


class RandomPerspective(ImageOperation):
    """Warp a Pillow image by moving its corners at random, with a probability.

    Args:
        distortion_scale (float, optional): how far, from 0 to 1 (half the image). Default: ``0.5``.
        prob (float, optional): the probability. Default: ``0.5``.
        interpolation (Inter, optional): how to sample between pixels. Default: ``Inter.BICUBIC``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `distortion_scale` or `prob` is not between 0 and 1, or the image is not a Pillow image.

    Examples:
        >>> from PIL import Image
        >>> from msjax.dataset import vision
        >>> vision.RandomPerspective(0.5, 1.0)(Image.new("RGB", (9, 8))).size
        (9, 8)
    """

    deterministic = False
    implementation = Implementation.PY

    def __init__(self, distortion_scale: float = 0.5, prob: float = 0.5, interpolation: Inter = Inter.BICUBIC):
        check_type(distortion_scale, float, "distortion_scale")
        check_type(prob, float, "prob")
        check_interval(distortion_scale, 0.0, 1.0, "distortion_scale")
        check_interval(prob, 0.0, 1.0, "prob")
        check_interpolation(interpolation)
        self.distortion_scale = distortion_scale
        self.prob = prob
        self.interpolation = interpolation

    def _pillow(self, image):
        check(is_pil(image), "Input image should be a Pillow image.")
        if random_state().random() >= self.prob:
            return image
        points = pil.get_perspective_params(image, self.distortion_scale)
        return pil.perspective(image, *points, pillow_filter(self.interpolation))
