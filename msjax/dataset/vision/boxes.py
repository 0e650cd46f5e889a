"""Image operations that carry bounding boxes along.

Boxes are a float32 array of <N, 4 or more>: left, top, width and height in pixels, then whatever the caller likes.
"""

from typing import Annotated

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Raises
from ..check import check
from ..operation import Operation, draws, inside
from ..rules import Probability
from . import warp
from .crop import RandomCrop, RandomResizedCrop
from .modes import Implementation, Inter
from .operation import ImageOperation
from .rules import ArrayOperation, Size


def _check_boxes(image, boxes):
    check(
        boxes.ndim >= 2,
        f"BoundingBox: bounding boxes should have to be two-dimensional matrix at least, but got "
        f"{boxes.ndim} dimension.",
        RuntimeError,
    )
    check(
        boxes.shape[1] >= 4,
        f"BoundingBox: bounding boxes should be have at least 4 features, but got: {boxes.shape[1]}.",
        RuntimeError,
    )
    check(
        boxes.dtype == np.float32,
        f"BoundingBox: the type of bounding boxes should be float32, but got {boxes.dtype}.",
        RuntimeError,
    )
    check(len(boxes), "BoundingBox: there are no bounding boxes.", RuntimeError)
    right, bottom = (boxes[:, :2] + boxes[:, 2:4]).max(0)
    height, width = image.shape[:2]
    check(
        right <= width and bottom <= height,
        f"BoundingBox: bounding boxes is out of bounds of the image, as image width: "
        f"{width}, bbox width coordinate: {right}, and image height: {height}, bbox height coordinate: {bottom}.",
        RuntimeError,
    )
    check(
        boxes[:, :2].min() >= 0,
        "BoundingBox: the coordinates of the bounding boxes has negative value, got: "
        f"{tuple(boxes[:, :2].min(0).tolist())}.",
        RuntimeError,
    )


def _cropped(boxes, top, left, height, width):
    """Return the parts of the boxes in a window, in its coordinates; boxes that do not touch it are left out."""
    start, size = np.array([left, top], np.float32), np.array([width, height], np.float32)
    begin, end = boxes[:, :2] - start, boxes[:, :2] + boxes[:, 2:4] - start
    kept = ((begin <= size) & (end >= 0)).all(1)
    out, begin, end = boxes[kept].copy(), np.clip(begin[kept], 0, size), np.clip(end[kept], 0, size)
    out[:, :2], out[:, 2:4] = begin, end - begin
    return out


def _scaled(boxes, before, after):
    """Return the boxes of an image whose (height, width) changes."""
    out = boxes.copy()
    out[:, :4] *= np.array([after[1] / before[1], after[0] / before[0]] * 2, np.float32)
    return out


class _BoxOperation(ImageOperation):
    """Base of the operations on two columns, an image and its boxes."""

    implementation = Implementation.C

    def apply(self, *columns):
        check(
            len(columns) == 2,
            "BoundingBox: invalid input, size of input data should be 2 (including image and bounding "
            f"box), but got: {len(columns)}.",
            RuntimeError,
        )
        image, boxes = (np.asarray(column) for column in columns)
        if image.ndim in self.ranks:
            _check_boxes(image, boxes)
        return self._checked(image, boxes)


class ResizeWithBBox(_BoxOperation):
    """Resize the image and its bounding boxes.

    Args:
        size (Union[int, Sequence[int]]): length of the shorter side, or (height, width), in pixels.
        interpolation (Inter, optional): how to sample between pixels. Default: ``Inter.LINEAR``.

    Raises:
        TypeError: `size` or `interpolation` is of a wrong type.
        ValueError: `size` is not positive.
        RuntimeError: the columns are not an image and its boxes.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> image, boxes = np.zeros((8, 10, 3), np.uint8), np.array([[2, 2, 4, 4]], np.float32)
        >>> vision.ResizeWithBBox((4, 5))(image, boxes)[1].tolist()
        [[1.0, 1.0, 2.0, 2.0]]
    """

    @checked
    def __init__(self, size: Size, interpolation: Annotated[Inter, Raises(none=KeyError)] = Inter.LINEAR):
        self.size = size
        self.interpolation = interpolation

    def _array(self, image, boxes):
        return self._resized(image, boxes, self.interpolation)

    def _resized(self, image, boxes, interpolation):
        size = warp.short_side(image.shape, self.size) if isinstance(self.size, int) else tuple(self.size)
        return warp.resize(image, size, Inter.to_c_type(interpolation)), _scaled(boxes, image.shape, size)


class RandomResizeWithBBox(ResizeWithBBox):
    """Resize the image with a randomly chosen interpolation, and its bounding boxes.

    Args:
        size (Union[int, Sequence[int]]): length of the shorter side, or (height, width), in pixels.

    Raises:
        TypeError: `size` is of a wrong type.
        ValueError: `size` is not positive.
        RuntimeError: the columns are not an image and its boxes.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> image, boxes = np.zeros((8, 10, 3), np.uint8), np.array([[2, 2, 4, 4]], np.float32)
        >>> vision.RandomResizeWithBBox(4)(image, boxes)[1].tolist()
        [[1.0, 1.0, 2.0, 2.0]]
    """

    deterministic = False

    @checked
    def __init__(self, size: Size):
        super().__init__(size)

    def _array(self, image, boxes):
        return self._resized(image, boxes, (Inter.LINEAR, Inter.NEAREST, Inter.CUBIC, Inter.AREA)[draws().below(4)])


class RandomHorizontalFlipWithBBox(_BoxOperation):
    """Mirror the image and its bounding boxes left to right with a probability.

    Args:
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: `prob` is not a number.
        ValueError: `prob` is not between 0 and 1.
        RuntimeError: the columns are not an image and its boxes.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> flip = vision.RandomHorizontalFlipWithBBox(1.0)
        >>> flip(np.zeros((8, 10, 3), np.uint8), np.array([[2, 2, 4, 4]], np.float32))[1].tolist()
        [[4.0, 2.0, 4.0, 4.0]]
    """

    deterministic = False
    axis = 1

    @checked
    def __init__(self, prob: Probability = 0.5):
        self.prob = prob

    def _array(self, image, boxes):
        if not draws().chance(self.prob):
            return image, boxes
        out, column = boxes.copy(), 1 - self.axis
        out[:, column] = image.shape[self.axis] - boxes[:, column] - boxes[:, column + 2]
        return warp.flip(image, self.axis), out


class RandomVerticalFlipWithBBox(RandomHorizontalFlipWithBBox):
    """Mirror the image and its bounding boxes top to bottom with a probability.

    Args:
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: `prob` is not a number.
        ValueError: `prob` is not between 0 and 1.
        RuntimeError: the columns are not an image and its boxes.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> flip = vision.RandomVerticalFlipWithBBox(1.0)
        >>> flip(np.zeros((8, 10, 3), np.uint8), np.array([[2, 1, 4, 4]], np.float32))[1].tolist()
        [[2.0, 3.0, 4.0, 4.0]]
    """

    axis = 0


class RandomCropWithBBox(_BoxOperation, RandomCrop):
    """Cut a window out of the image at a random place, and its bounding boxes with it.

    Args:
        size (Union[int, Sequence[int]]): side of the square, or (height, width), in pixels.
        padding (Union[int, Sequence[int]], optional): pixels to add first, at every side, at (left and right, top and
            bottom), or at (left, top, right, bottom). Default: ``None``.
        pad_if_needed (bool, optional): pad an image that is smaller than `size`. Default: ``False``.
        fill_value (Union[int, tuple[int]], optional): byte or (R, G, B) of a constant border. Default: ``0``.
        padding_mode (Border, optional): what fills the pixels. Default: ``Border.CONSTANT``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `size` is not positive, `padding` negative, or `fill_value` not a byte.
        RuntimeError: the window is larger than the image, or the columns are not an image and its boxes.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> crop = vision.RandomCropWithBBox((8, 10))
        >>> crop(np.zeros((8, 10, 3), np.uint8), np.array([[2, 2, 4, 4]], np.float32))[1].tolist()
        [[2.0, 2.0, 4.0, 4.0]]
    """

    deterministic = False

    def _array(self, image, boxes):
        padding, place = self.window(image.shape)
        if any(padding):
            image = warp.pad(image, *padding, self.fill_value, self.padding_mode)
            boxes = boxes.copy()
            boxes[:, :2] += padding[:2]
        return warp.crop(image, *place, *self.size), _cropped(boxes, *place, *self.size)


class RandomResizedCropWithBBox(_BoxOperation, RandomResizedCrop):
    """Cut a window of random place, area and aspect ratio out of the image, and resize it and its bounding boxes.

    Args:
        size (Union[int, Sequence[int]]): side of the square, or (height, width), of the result in pixels.
        scale (Union[list, tuple], optional): (min, max) of the share of the area. Default: ``(0.08, 1.0)``.
        ratio (Union[list, tuple], optional): (min, max) of width over height. Default: ``(3. / 4., 4. / 3.)``.
        interpolation (Inter, optional): how to sample between pixels. Default: ``Inter.BILINEAR``.
        max_attempts (int, optional): windows to try before the largest middle one is taken. Default: ``10``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the columns are not an image and its boxes.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> crop = vision.RandomResizedCropWithBBox(4)
        >>> crop(np.zeros((8, 10, 3), np.uint8), np.array([[0, 0, 10, 8]], np.float32))[0].shape
        (4, 4, 3)
    """

    deterministic = False

    def _array(self, image, boxes):
        window = self.window(image.shape)
        image = warp.resize(warp.crop(image, *window), self.size, Inter.to_c_type(self.interpolation))
        return image, _scaled(_cropped(boxes, *window), window[2:], self.size)


class BoundingBoxAugment(_BoxOperation):
    """Run an image operation on the insides of randomly chosen bounding boxes.

    Args:
        transform (TensorOperation): the operation, one that works on arrays.
        ratio (float, optional): the probability of each box. Default: ``0.3``.

    Raises:
        TypeError: `transform` is not such an operation, or `ratio` not a number.
        ValueError: `ratio` is not between 0 and 1.
        RuntimeError: the columns are not an image and its boxes.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> augment = vision.BoundingBoxAugment(vision.Invert(), 1.0)
        >>> int(augment(np.zeros((8, 10, 3), np.uint8), np.array([[2, 2, 4, 4]], np.float32))[0][:, :, 0].sum())
        4080
    """

    deterministic = False

    @checked
    def __init__(self, transform: Annotated[Operation, ArrayOperation], ratio: Probability = 0.3):
        self.transform = transform
        self.ratio = ratio

    def _array(self, image, boxes):
        draw, out = draws(), image.copy()
        for left, top, width, height in boxes[:, :4].astype(int):
            if draw.canonical32() < self.ratio and width and height:
                window = np.s_[top : top + height, left : left + width]
                with inside(0):
                    changed = np.asarray(self.transform.apply(np.ascontiguousarray(out[window])))
                if changed.shape[:2] != (height, width):
                    changed = warp.resize(changed, (int(height), int(width)), Inter.LINEAR)
                out[window] = changed
        return out, boxes
