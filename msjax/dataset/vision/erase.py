"""Blurring images and blotting out parts of them."""

import math
from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Length, Raises, Rank, That, Within
from ..check import check
from ..operation import draws, numpy_draws, python_draws
from ..rules import Byte, NaturalInt32, PositiveInt32, Probability
from . import warp
from .modes import Implementation
from .operation import ALL_NUMBERS, DeviceOperation, ImageOperation
from .rules import Channel, Number, PositiveSize, Ratio, Scale

OddSize = Annotated[PositiveInt32, That("that is odd", lambda size: size % 2)]
Sigma = Annotated[Number, Within("[0, 16777216]")]


class GaussianBlur(DeviceOperation):
    """Blur the image with a Gaussian kernel.

    Args:
        kernel_size (Union[int, Sequence[int]]): odd side of the kernel, or (width, height), in pixels.
        sigma (Union[float, Sequence[float]], optional): standard deviation in pixels, or that along (x, y);
            0 stands for 0.15 * kernel_size + 0.35, of the width where one number is given. Default: ``None``, 0.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `kernel_size` is not odd and positive, or `sigma` is negative.
        RuntimeError: the array is not <H, W> or <H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.GaussianBlur(3)(np.full((4, 4), 9, np.uint8))[0].tolist()
        [9, 9, 9, 9]
    """

    implementation = Implementation.C

    keeps_bools = False

    @checked
    def __init__(
        self,
        kernel_size: Annotated[OddSize | Annotated[Sequence[OddSize], Length(2)], Raises(length=TypeError)],
        sigma: Annotated[Sigma | Annotated[Sequence[Sigma], Length(2)], Raises(length=TypeError)] | None = None,
    ):
        sizes = (kernel_size, kernel_size) if isinstance(kernel_size, int) else tuple(kernel_size)
        sigmas = tuple(sigma) if isinstance(sigma, (list, tuple)) else (sigma or 0,) * 2
        found = [sigma or size * 0.15 + 0.35 for sigma, size in zip(sigmas, sizes, strict=True)]
        self.kernel_size = sizes
        self.sigma = found if isinstance(sigma, (list, tuple)) else found[:1] * 2  # one number is that of the width

    def device(self, device_target: str = "CPU"):
        """Choose the device that runs the operation and return the operation; Ascend has kernels of 1, 3 and 5 only."""
        super().device(device_target)
        check(
            device_target == "CPU" or all(size in (1, 3, 5) for size in self.kernel_size),
            "When target is Ascend, `kernel_size` only supports values 1, 3, and 5.",
            RuntimeError,
        )
        return self

    def _array(self, image):
        return warp.gaussian_blur(image, self.kernel_size, self.sigma)


class Erase(DeviceOperation):
    """Fill a rectangle of the image with a colour; what of it lies outside is left away.

    Args:
        top (int): first row of the rectangle.
        left (int): first column of the rectangle.
        height (int): rows of the rectangle.
        width (int): columns of the rectangle.
        value (Union[int, Sequence[int, int, int]], optional): the byte or (R, G, B). Default: ``0``.
        inplace (bool, optional): fill the array itself, not a copy. Default: ``False``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the array is not <H, W, 3>, or the rectangle larger than it or beside it.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.Erase(0, 1, 1, 1, (7, 8, 9))(np.zeros((1, 2, 3), np.uint8)).tolist()
        [[[0, 0, 0], [7, 8, 9]]]
    """

    implementation = Implementation.C
    ranks, channels = (3,), (3,)

    @checked
    def __init__(
        self,
        top: NaturalInt32,
        left: NaturalInt32,
        height: PositiveInt32,
        width: PositiveInt32,
        value: Annotated[Channel | tuple[Channel, Channel, Channel], Raises(length=TypeError)] = 0.0,
        inplace: bool = False,
    ):
        values = (value,) * 3 if isinstance(value, (int, float)) else value
        self.top, self.left, self.height, self.width = top, left, height, width
        self.value = values
        self.inplace = inplace

    def _array(self, image):
        rows, columns = image.shape[:2]
        check(
            max(self.top, self.height) <= rows and max(self.left, self.width) <= columns,
            f"Erase: the rectangle of {self.height} x {self.width} at ({self.top}, {self.left}) is larger than the image of "
            f"{rows} x {columns}, or beside it.",
            RuntimeError,
        )
        out = image if self.inplace else image.copy()
        out[self.top : self.top + self.height, self.left : self.left + self.width] = self.value
        return out


class CutOut(ImageOperation):
    """Fill squares at random places of the image with black.

    Args:
        length (int): side of a square, in pixels.
        num_patches (int, optional): the number of squares. Default: ``1``.
        is_hwc (bool, optional): the image is <H, W, C>, else <C, H, W>. Default: ``True``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `length` or `num_patches` is not positive.
        RuntimeError: the array does not have three dimensions, or a square is larger than it.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.CutOut(3)(np.zeros((8, 9, 3), np.uint8)).shape
        (8, 9, 3)
    """

    deterministic = False
    implementation = Implementation.C
    ranks = (3,)

    dtypes = ALL_NUMBERS

    @checked
    def __init__(self, length: PositiveSize, num_patches: PositiveSize = 1, is_hwc: bool = True):
        self.length = length
        self.num_patches = num_patches
        self.is_hwc = is_hwc

    def _array(self, image):
        out, draw = image.copy(), draws()
        view = out if self.is_hwc else out.transpose(1, 2, 0)
        check(
            self.length <= min(view.shape[:2]),
            f"CutOut: box size is too large for image erase, got box size: {self.length}, "
            f"and image height: {view.shape[0]}, image width: {view.shape[1]}.",
            RuntimeError,
        )
        for _ in range(self.num_patches):  # a square may lie partly or wholly outside
            top, left = (draw.between(0, side + self.length) - self.length for side in view.shape[:2])
            view[max(top, 0) : max(top + self.length, 0), max(left, 0) : max(left + self.length, 0)] = 0
        return out


class RandomErasing(ImageOperation):
    """Fill a rectangle of random place, area and aspect ratio of a <C, H, W> array, with a probability.

    Args:
        prob (float, optional): the probability. Default: ``0.5``.
        scale (Sequence[float, float], optional): (min, max) of the share of the area. Default: ``(0.02, 0.33)``.
        ratio (Sequence[float, float], optional): (min, max) of width over height. Default: ``(0.3, 3.3)``.
        value (Union[int, str, Sequence[int, int, int]], optional): the value, one for each channel, or "random" for
            normal noise. Default: ``0``.
        inplace (bool, optional): fill the array itself, not a copy. Default: ``False``.
        max_attempts (int, optional): rectangles to try before the array is left as it is. Default: ``10``.

    Raises:
        TypeError: an argument is of a wrong type, or the input is not an array.
        ValueError: an argument is out of range.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> float(vision.RandomErasing(1.0)(np.ones((3, 8, 9), np.float32)).min())
        0.0
    """

    deterministic = False
    implementation = Implementation.PY

    @checked
    def __init__(
        self,
        prob: Probability = 0.5,
        scale: Scale = (0.02, 0.33),
        ratio: Ratio = (0.3, 3.3),
        value: Byte | Literal["random"] | Annotated[Sequence[Byte], Length(3)] = 0,
        inplace: bool = False,
        max_attempts: PositiveSize = 10,
    ):
        self.prob = prob
        self.scale = scale
        self.ratio = ratio
        self.value = value
        self.inplace = inplace
        self.max_attempts = max_attempts

    def __call__(self, np_img: np.ndarray):
        return self.apply(np_img)

    @checked
    def apply(self, image: Annotated[np.ndarray, Rank(3)]):
        random = python_draws()
        if random.random() >= self.prob:
            return image
        channels, rows, columns = image.shape
        for _ in range(self.max_attempts):
            area = random.uniform(*self.scale) * rows * columns
            aspect = random.uniform(*self.ratio)
            width = int(round(math.sqrt(area * aspect)))
            height = int(round(width / aspect))
            if height < rows and width < columns:
                top, left = random.randint(0, rows - height), random.randint(0, columns - width)
                break
        else:
            return image if self.inplace else image.copy()
        if self.value == "random":
            value = numpy_draws().normal(0.0, 1.0, (channels, height, width))
        else:
            value = self.value if isinstance(self.value, int) else np.array(self.value)[:, None, None]
        out = image if self.inplace else image.copy()
        out[:, top : top + height, left : left + width] = value
        return out
