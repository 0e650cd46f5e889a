"""Turning, shearing and warping."""

import math
from collections.abc import Sequence
from typing import Annotated, TypeAlias

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Length, Raises, That, Within
from ..check import check
from ..operation import draws, python_draws
from ..rules import Int32, Real32
from . import py_transforms_util as pil
from . import warp
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
from .rules import Center, Degrees, Fill, Number, Scale, Turn

Share = Annotated[int | float, Within("[-1, 1]")]
_BOTH_RISING = That(
    "each two in rising order", lambda values: all(values[i] <= values[i + 1] for i in range(0, len(values), 2))
)
Shear: TypeAlias = Annotated[
    Annotated[Number, Within("(0, inf]")] | Annotated[Sequence[int | float], Length(2, 4), _BOTH_RISING],
    Raises(length=TypeError),
]
Point: TypeAlias = Annotated[Sequence[Int32], Length(2)]
Points: TypeAlias = Annotated[Sequence[Point], Length(4), Raises(length=TypeError)]


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

    @checked
    def __init__(
        self,
        degrees: Real32,
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: Center | None = None,
        fill_value: Fill = 0,
    ):
        self.degrees = degrees % 360
        self.resample = resample
        self.expand = expand
        self.center = center or ()
        self.fill_value = colour(fill_value)

    @property
    def keeps_bools(self):
        """A frame that is enlarged goes through OpenCV's border, which gives bytes."""
        return not self.expand

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
    keeps_bools = Rotate.keeps_bools

    @checked
    def __init__(
        self,
        degrees: Degrees,
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: Center | None = None,
        fill_value: Fill = 0,
    ):
        if isinstance(degrees, (int, float)):
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
            float(draws().about_middle(*self.degrees)),
            _warp_filter(self, self.resample),
            self.expand,
            self.center,
            self.fill_value,
        )

    def _pillow(self, image):
        return pil.random_rotation(
            image, self.degrees, pillow_filter(self.resample), self.expand, self.center, self.fill_value
        )


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

    @checked
    def __init__(
        self,
        degrees: Turn,
        translate: Annotated[Sequence[Share], Length(2), Raises(length=TypeError)],
        scale: Annotated[int | float, Within("(0, inf]")],
        shear: Annotated[
            Annotated[Number, Within("[-180, 180]")] | Annotated[Sequence[Turn], Length(2)], Raises(length=TypeError)
        ],
        resample: Inter = Inter.NEAREST,
        fill_value: Fill = 0,
    ):
        self.degrees = degrees
        self.translate = tuple(translate)
        self.scale_ = scale
        self.shear = tuple(shear) if isinstance(shear, (list, tuple)) else (shear, 0.0)
        self.resample = resample
        self.fill_value = colour(fill_value)

    def _array(self, image):
        move = [np.float32(share) * np.float32(image.shape[axis]) for share, axis in zip(self.translate, (1, 0))]
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

    @checked
    def __init__(
        self,
        degrees: Degrees,
        translate: Annotated[Sequence[Share], Length(2, 4), Raises(length=TypeError)] | None = None,
        scale: Scale | None = None,
        shear: Shear | None = None,
        resample: Inter = Inter.NEAREST,
        fill_value: Fill | None = 0,
    ):
        if shear is not None:
            shear = tuple(shear) if isinstance(shear, (list, tuple)) else (-shear, shear)
        self.degrees = (-degrees, degrees) if isinstance(degrees, (int, float)) else tuple(degrees)
        self.translate = (0.0, 0.0, 0.0, 0.0) if translate is None else tuple(translate)
        self.scale_ = (1.0, 1.0) if scale is None else tuple(scale)
        self.shear = ((shear or ()) + (0.0,) * 4)[:4]
        self.resample = resample
        self.fill_value = colour(0 if fill_value is None else fill_value)
        fix_form(self, resample)

    def _array(self, image):
        draw, bounds = draws(), (*self.translate, 0.0, 0.0)[:4]  # a pair moves along x only
        check(
            bounds[0] <= bounds[1] and bounds[2] <= bounds[3],
            f"RandomAffine: minimum of translation range {bounds} is greater than maximum.",
            RuntimeError,
        )
        pixels = [np.float32(bound) * np.float32(image.shape[axis]) for bound, axis in zip(bounds, (1, 1, 0, 0))]
        ranges = (self.degrees, pixels[:2], pixels[2:], self.scale_, self.shear[:2], self.shear[2:])
        degrees, across, down, scale, shear_x, shear_y = (float(draw.uniform32(*ends)) for ends in ranges)
        return warp.affine(
            image,
            math.fmod(degrees, 360.0),
            (across, down),
            scale,
            (shear_x, shear_y),
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

    keeps_bools = False

    @checked
    def __init__(self, start_points: Points, end_points: Points, interpolation: Inter = Inter.BILINEAR):
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

    @checked
    def __init__(
        self,
        distortion_scale: Annotated[float, Within("[0, 1]")] = 0.5,
        prob: Annotated[float, Within("[0, 1]")] = 0.5,
        interpolation: Inter = Inter.BICUBIC,
    ):
        self.distortion_scale = distortion_scale
        self.prob = prob
        self.interpolation = interpolation

    def _pillow(self, image):
        check(is_pil(image), "Input image should be a Pillow image.")
        if python_draws().random() >= self.prob:
            return image
        points = pil.get_perspective_params(image, self.distortion_scale)
        return pil.perspective(image, *points, pillow_filter(self.interpolation))
