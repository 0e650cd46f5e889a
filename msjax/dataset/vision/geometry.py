"""Resizing, flipping, padding and slicing."""

import math
from collections.abc import Sequence
from typing import Annotated

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Length, Raises
from ..check import check
from ..operation import draws
from ..rules import Byte, NaturalInt32, PositiveInt32
from . import py_transforms_util as pil
from . import warp
from .modes import Border, Implementation, Inter, SliceMode
from .operation import (
    LINEAR_CUBIC_NEAREST,
    DeviceOperation,
    ImageOperation,
    WithChance,
    array_filter,
    colour,
    fix_form,
    pair,
    parse_padding,
    pillow_filter,
)
from .rules import Fill, Padding, Size


class Resize(DeviceOperation):
    """Resize the image to a size, or its shorter side to a length with the aspect ratio kept.

    Args:
        size (Union[int, Sequence[int]]): length of the shorter side, or (height, width), in pixels.
        interpolation (Inter, optional): how to sample between pixels. Default: ``Inter.LINEAR``.

    Raises:
        TypeError: `size` or `interpolation` is of a wrong type.
        ValueError: `size` is not positive.
        RuntimeError: the array is not <H, W> or <..., H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.Resize((5, 6))(np.zeros((20, 30, 3), np.uint8)).shape
        (5, 6, 3)
    """

    stacked = True
    ascend_interpolation = ("interpolation", LINEAR_CUBIC_NEAREST)

    @checked
    def __init__(self, size: Size, interpolation: Annotated[Inter, Raises(none=KeyError)] = Inter.LINEAR):
        self.size = size
        self.interpolation = interpolation
        fix_form(self, interpolation)

    def _array(self, image):
        size = warp.short_side(image.shape, self.size) if isinstance(self.size, int) else tuple(self.size)
        return warp.resize(image, size, array_filter(self.interpolation))

    def _pillow(self, image):
        return pil.resize(image, self.size, pillow_filter(self.interpolation))


class RandomResize(ImageOperation):
    """Resize the image with a randomly chosen interpolation.

    Args:
        size (Union[int, Sequence[int]]): length of the shorter side, or (height, width), in pixels.

    Raises:
        TypeError: `size` is of a wrong type.
        ValueError: `size` is not positive.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomResize(10)(np.zeros((20, 30, 3), np.uint8)).shape
        (10, 15, 3)
    """

    deterministic = False
    implementation = Implementation.C

    @checked
    def __init__(self, size: Size):
        self.size = size

    def apply(self, *columns: np.ndarray):
        mode = (Inter.LINEAR, Inter.NEAREST, Inter.CUBIC, Inter.AREA)[draws().below(4)]
        resize = Resize(self.size, mode)
        resized = tuple(resize.apply(np.asarray(image)) for image in columns)
        return resized[0] if len(resized) == 1 else resized


class HorizontalFlip(DeviceOperation):
    """Mirror the image left to right.

    Raises:
        RuntimeError: the array is not <H, W> or <..., H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.HorizontalFlip()(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[2, 1], [4, 3]]
    """

    implementation = Implementation.C
    stacked = True

    def _array(self, image):
        return warp.flip(image, 1)


class VerticalFlip(DeviceOperation):
    """Mirror the image top to bottom.

    Raises:
        RuntimeError: the array is not <H, W> or <..., H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.VerticalFlip()(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[3, 4], [1, 2]]
    """

    implementation = Implementation.C
    stacked = True

    def _array(self, image):
        return warp.flip(image, 0)


class RandomHorizontalFlip(WithChance):
    """Mirror the image left to right with a probability.

    Args:
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: `prob` is not a number.
        ValueError: `prob` is not between 0 and 1.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomHorizontalFlip(1.0)(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[2, 1], [4, 3]]
    """

    stacked = several = True
    _array = HorizontalFlip._array

    def _pillow(self, image):
        return pil.horizontal_flip(image)


class RandomVerticalFlip(WithChance):
    """Mirror the image top to bottom with a probability.

    Args:
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: `prob` is not a number.
        ValueError: `prob` is not between 0 and 1.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomVerticalFlip(1.0)(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[3, 4], [1, 2]]
    """

    several = True
    _array = VerticalFlip._array

    def _pillow(self, image):
        return pil.vertical_flip(image)


class Pad(DeviceOperation):
    """Add pixels at the four sides of the image.

    Args:
        padding (Union[int, Sequence[int]]): pixels at every side, at (left and right, top and bottom), or at
            (left, top, right, bottom).
        fill_value (Union[int, tuple[int]], optional): byte or (R, G, B) of a constant border. Default: ``0``.
        padding_mode (Border, optional): what fills the pixels. Default: ``Border.CONSTANT``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `padding` is negative or of another length, or `fill_value` is not a byte.
        RuntimeError: the array is not <H, W> or <H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.Pad((1, 0))(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
        [[0, 1, 2, 0], [0, 3, 4, 0]]
    """

    keeps_bools = False

    @checked
    def __init__(self, padding: Padding, fill_value: Fill = 0, padding_mode: Border = Border.CONSTANT):
        self.padding = parse_padding(padding)
        self.fill_value = colour(fill_value)
        self.padding_mode = padding_mode

    def _array(self, image):
        return warp.pad(image, *self.padding, self.fill_value, self.padding_mode)

    def _pillow(self, image):
        return pil.pad(image, self.padding, self.fill_value, Border.to_python_type(self.padding_mode))


class PadToSize(ImageOperation):
    """Pad the image to a size.

    Args:
        size (Union[int, Sequence[int]]): side of the square, or (height, width), of the result in pixels.
        offset (Union[int, Sequence[int]], optional): rows and columns before the image, or (top, left).
            Default: ``None``, the image in the middle.
        fill_value (Union[int, tuple[int]], optional): byte or (R, G, B) of a constant border. Default: ``0``.
        padding_mode (Border, optional): what fills the pixels. Default: ``Border.CONSTANT``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `size` is not positive, `offset` is negative, or `fill_value` is not a byte.
        RuntimeError: the image does not fit.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.PadToSize((2, 4), (0, 1))(np.array([[1, 2]], np.uint8)).tolist()
        [[0, 1, 2, 0], [0, 0, 0, 0]]
    """

    implementation = Implementation.C

    keeps_bools = False

    @checked
    def __init__(
        self,
        size: PositiveInt32 | Annotated[Sequence[PositiveInt32], Length(2)],
        offset: NaturalInt32 | Annotated[Sequence[NaturalInt32], Length(0, 2)] | None = None,
        fill_value: Fill = 0,
        padding_mode: Border = Border.CONSTANT,
    ):
        self.size = pair(size)
        self.offset = () if offset is None else pair(offset)
        self.fill_value = colour(fill_value)
        self.padding_mode = padding_mode

    def _array(self, image):
        rows, columns = (want - have for want, have in zip(self.size, image.shape, strict=False))
        top, left = self.offset or (rows // 2, columns // 2)
        check(
            rows >= 0 and columns >= 0,
            f"PadToSize: the target size {self.size} should be no smaller than the image size {image.shape[:2]}.",
            RuntimeError,
        )
        check(
            top <= rows and left <= columns,
            f"PadToSize: the sum of offset {(top, left)} and image size "
            f"{image.shape[:2]} should be no more than the target size {self.size}.",
            RuntimeError,
        )
        return warp.pad(image, left, top, columns - left, rows - top, self.fill_value, self.padding_mode)


class SlicePatches(ImageOperation):
    """Cut the image into patches, row by row; each is a column of its own.

    Args:
        num_height (int, optional): the patches down. Default: ``1``.
        num_width (int, optional): the patches across. Default: ``1``.
        slice_mode (SliceMode, optional): pad the image to a multiple, or drop the rest. Default: ``SliceMode.PAD``.
        fill_value (int, optional): the byte to pad with. Default: ``0``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: a number of patches is not positive, or `fill_value` is not a byte.
        RuntimeError: the array is not <H, W> or <H, W, C>, or there are more patches than pixels.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> [patch.shape for patch in vision.SlicePatches(1, 2)(np.zeros((4, 5, 3), np.uint8))]
        [(4, 3, 3), (4, 3, 3)]
    """

    implementation = Implementation.C

    keeps_bools = False

    @checked
    def __init__(
        self,
        num_height: PositiveInt32 | None = 1,
        num_width: PositiveInt32 | None = 1,
        slice_mode: SliceMode | None = SliceMode.PAD,
        fill_value: Byte | None = 0,
    ):
        self.num_height = 1 if num_height is None else num_height
        self.num_width = 1 if num_width is None else num_width
        self.slice_mode = SliceMode.PAD if slice_mode is None else slice_mode
        self.fill_value = fill_value or 0

    def _array(self, image):
        counts, shape = (self.num_height, self.num_width), image.shape[:2]
        check(
            counts[0] <= shape[0] and counts[1] <= shape[1],
            f"SlicePatches: the number of patches {counts} should be no more than the image size {shape}.",
            RuntimeError,
        )
        if counts == (1, 1):
            return image
        round_up = math.ceil if self.slice_mode == SliceMode.PAD else math.floor
        height, width = (round_up(side / count) for side, count in zip(shape, counts, strict=True))
        if self.slice_mode == SliceMode.PAD:
            below, right = height * counts[0] - shape[0], width * counts[1] - shape[1]
            borders = [(0, below), (0, right), *[(0, 0)] * (image.ndim - 2)]  # any number of channels
            image = np.pad(image, borders, constant_values=self.fill_value)
        return tuple(
            warp.crop(image, i * height, j * width, height, width) for i in range(counts[0]) for j in range(counts[1])
        )
