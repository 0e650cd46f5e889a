"""Cutting windows out of images."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Holding, Length, Raises, Rank
from ..operation import draws
from ..rules import NaturalInt32, PositiveInt32
from . import py_transforms_util as pil
from . import warp
from .files import decode_image
from .modes import Border, Implementation, Inter
from .operation import (
    LINEAR_CUBIC_NEAREST,
    DeviceOperation,
    ImageOperation,
    array_filter,
    colour,
    fix_form,
    need_pil,
    pair,
    parse_padding,
    pillow_filter,
    same_size,
)
from .rules import CropSize, Fill, Padding, Ratio, Scale


class CenterCrop(ImageOperation):
    """Cut out the middle of the image, padded with zeros if the image is smaller.

    Args:
        size (Union[int, Sequence[int]]): side of the square, or (height, width), in pixels.

    Raises:
        TypeError: `size` is of a wrong type.
        ValueError: `size` is not positive.
        RuntimeError: the array is not <H, W> or <..., H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.CenterCrop(2)(np.arange(16, dtype=np.uint8).reshape(4, 4)).tolist()
        [[5, 6], [9, 10]]
    """

    stacked = True

    @checked
    def __init__(self, size: CropSize):
        self.size = pair(size)

    def _array(self, image):
        return warp.center_crop(image, *self.size)

    def _pillow(self, image):
        return pil.center_crop(image, self.size)


class Crop(DeviceOperation):
    """Cut a window out of the image.

    Args:
        coordinates (Sequence): (top, left) of the window, in pixels.
        size (Union[int, Sequence[int]]): side of the square, or (height, width), in pixels.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `coordinates` is negative or `size` not positive.
        RuntimeError: the window is not inside the image.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.Crop((0, 1), 2)(np.arange(9, dtype=np.uint8).reshape(3, 3)).tolist()
        [[1, 2], [4, 5]]
    """

    implementation = Implementation.C

    @checked
    def __init__(
        self, coordinates: Annotated[Sequence[NaturalInt32], Length(2), Raises(length=TypeError)], size: CropSize
    ):
        self.coordinates = tuple(coordinates)
        self.size = pair(size)

    def _array(self, image):
        return warp.crop(image, *self.coordinates, *self.size)


class ResizedCrop(DeviceOperation):
    """Cut a window out of the image and resize it.

    Args:
        top (int): first row of the window.
        left (int): first column of the window.
        height (int): rows of the window.
        width (int): columns of the window.
        size (Union[int, Sequence[int]]): side of the square, or (height, width), of the result in pixels.
        interpolation (Inter, optional): how to sample between pixels. Default: ``Inter.BILINEAR``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the window is not inside the image.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.ResizedCrop(0, 1, 4, 4, (2, 3))(np.zeros((8, 9, 3), np.uint8)).shape
        (2, 3, 3)
    """

    implementation = Implementation.C
    ascend_interpolation = ("interpolation", LINEAR_CUBIC_NEAREST)

    @checked
    def __init__(
        self,
        top: NaturalInt32,
        left: NaturalInt32,
        height: PositiveInt32,
        width: PositiveInt32,
        size: CropSize,
        interpolation: Inter = Inter.BILINEAR,
    ):
        self.top, self.left, self.height, self.width = top, left, height, width
        self.size = pair(size)
        self.interpolation = interpolation

    def _array(self, image):
        window = warp.crop(image, self.top, self.left, self.height, self.width)
        return warp.resize(window, self.size, Inter.to_c_type(self.interpolation))


class RandomCrop(ImageOperation):
    """Cut a window out of the image at a random place.

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
        RuntimeError: the window is larger than the array (ValueError for a Pillow image).

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomCrop((4, 5), padding=1)(np.zeros((8, 9, 3), np.uint8)).shape
        (4, 5, 3)
    """

    deterministic = False
    stacked = True  # each image of a stack gets a window of its own

    channels = (1, 3)
    keeps_bools = False

    @checked
    def __init__(
        self,
        size: CropSize,
        padding: Padding | None = None,
        pad_if_needed: bool = False,
        fill_value: Fill | None = 0,
        padding_mode: Border | None = Border.CONSTANT,
    ):
        self.size = pair(size)
        self.padding = parse_padding(padding or 0)
        self.pad_if_needed = pad_if_needed
        self.fill_value = colour(fill_value or 0)
        self.padding_mode = Border.CONSTANT if padding_mode is None else padding_mode

    def window(self, shape: Sequence[int]):
        """Return the (left, top, right, bottom) padding of an image of `shape` and a random (top, left) in that."""
        name, (height, width) = type(self).__name__, self.size
        left, top, right, bottom = self.padding
        rows, columns = shape[0] + top + bottom, shape[1] + left + right
        if self.pad_if_needed:
            down, across = max(height - rows, 0), max(width - columns, 0)
            left, top, right, bottom = left + across, top + down, right + across, bottom + down
            rows, columns = rows + 2 * down, columns + 2 * across
        if not (height <= rows and width <= columns):
            raise RuntimeError(
                f"{name}: the crop size {self.size} is greater than the image size {(rows, columns)} (with padding)."
            )
        if (rows, columns) == self.size:
            return (left, top, right, bottom), (0, 0)
        draw = draws()
        x = draw.between(0, columns - width)
        return (left, top, right, bottom), (draw.between(0, rows - height), x)

    def apply(self, *columns: np.ndarray):
        if len(columns) == 1:
            return super().apply(*columns)
        images = [np.asarray(column) for column in columns]
        same_size(self, images)
        frames = images[0].reshape(-1, *images[0].shape[-3:]) if images[0].ndim > 3 else images[:1]
        windows = [self.window(frame.shape) for frame in frames]  # the other columns get the last one
        if len(frames) > 1:
            first = np.stack([super(RandomCrop, self).apply(frame, window) for frame, window in zip(frames, windows)])
            first = first.reshape(*images[0].shape[:-3], *first.shape[1:])
        else:
            first = super().apply(images[0], windows[0])
        return first, *(super(RandomCrop, self).apply(image, windows[-1]) for image in images[1:])

    def _array(self, image, window=None):
        padding, place = window or self.window(image.shape)
        if any(padding):
            image = warp.pad(image, *padding, self.fill_value, self.padding_mode)
        return warp.crop(image, *place, *self.size)

    def _pillow(self, image):
        return pil.random_crop(
            image,
            self.size,
            self.padding,
            self.pad_if_needed,
            self.fill_value,
            Border.to_python_type(self.padding_mode),
        )


class RandomResizedCrop(ImageOperation):
    """Cut a window of random place, area and aspect ratio out of the image and resize it.

    Args:
        size (Union[int, Sequence[int]]): side of the square, or (height, width), of the result in pixels.
        scale (Union[list, tuple], optional): (min, max) of the share of the area. Default: ``(0.08, 1.0)``.
        ratio (Union[list, tuple], optional): (min, max) of width over height. Default: ``(3. / 4., 4. / 3.)``.
        interpolation (Inter, optional): how to sample between pixels. Default: ``Inter.BILINEAR``.
        max_attempts (int, optional): windows to try before the largest middle one is taken. Default: ``10``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the array is not <H, W> or <..., H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomResizedCrop((4, 5))(np.zeros((8, 9, 3), np.uint8)).shape
        (4, 5, 3)
    """

    deterministic = False
    stacked = True

    @checked
    def __init__(
        self,
        size: CropSize,
        scale: Scale | None = (0.08, 1.0),
        ratio: Ratio | None = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Inter | None = Inter.BILINEAR,
        max_attempts: PositiveInt32 | None = 10,
    ):
        self.size = pair(size)
        self.scale = (0.08, 1.0) if scale is None else tuple(scale)
        self.ratio = (3.0 / 4.0, 4.0 / 3.0) if ratio is None else tuple(ratio)
        self.interpolation = Inter.BILINEAR if interpolation is None else interpolation
        self.max_attempts = 10 if max_attempts is None else max_attempts
        if self.implementation is None:
            fix_form(self, interpolation)

    def window(self, shape: Sequence[int]):
        """Return a random (top, left, height, width) in an image of `shape`."""
        return warp.crop_box(shape, self.scale, self.ratio, self.max_attempts, draws())

    def apply(self, *columns: np.ndarray):
        if self._by_pillow(*columns):
            return super().apply(*columns)
        images = [np.asarray(column) for column in columns]
        window = self.window(same_size(self, images))
        cut = tuple(super(RandomResizedCrop, self).apply(image, window) for image in images)
        return cut[0] if len(cut) == 1 else cut

    def _cut(self, image, window):
        return warp.resize(warp.crop(image, *window), self.size, array_filter(self.interpolation))

    def _array(self, image, window):
        return self._cut(image, window)

    def _pillow(self, image):
        return pil.random_resize_crop(
            image, self.size, self.scale, self.ratio, pillow_filter(self.interpolation), self.max_attempts
        )


class RandomCropDecodeResize(RandomResizedCrop):
    """Decode an image file, cut a window of random place, area and aspect ratio out of it and resize it.

    Args:
        size (Union[int, Sequence[int]]): side of the square, or (height, width), of the result in pixels.
        scale (Union[list, tuple], optional): (min, max) of the share of the area. Default: ``(0.08, 1.0)``.
        ratio (Union[list, tuple], optional): (min, max) of width over height. Default: ``(3. / 4., 4. / 3.)``.
        interpolation (Inter, optional): how to sample between pixels. Default: ``Inter.BILINEAR``.
        max_attempts (int, optional): windows to try before the largest middle one is taken. Default: ``10``.

    Raises:
        TypeError: an argument is of a wrong type, or the input is not a 1-D uint8 array.
        ValueError: an argument is out of range.
        RuntimeError: the bytes are not an image.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> file = vision.encode_jpeg(np.zeros((8, 9, 3), np.uint8))
        >>> vision.RandomCropDecodeResize((4, 5))(file).shape
        (4, 5, 3)
    """

    implementation = Implementation.C

    @checked
    def __call__(self, img: Annotated[np.ndarray, Rank(1), Holding("uint8"), Raises(value=TypeError)]):
        return self._apply_anew(img)

    def apply(self, file: str):
        image = decode_image(file, "RandomCropDecodeResize")
        return self._cut(image, self.window(image.shape))


class FiveCrop(ImageOperation):
    """Cut the four corners and the middle out of a Pillow image.

    Args:
        size (Union[int, Sequence[int]]): side of the square, or (height, width), in pixels.

    Raises:
        TypeError: `size` is of a wrong type, or the image is not a Pillow image.
        ValueError: `size` is not positive or larger than the image.

    Examples:
        >>> from PIL import Image
        >>> from msjax.dataset import vision
        >>> [crop.size for crop in vision.FiveCrop(2)(Image.new("RGB", (9, 8)))]
        [(2, 2), (2, 2), (2, 2), (2, 2), (2, 2)]
    """

    implementation = Implementation.PY

    @checked
    def __init__(self, size: CropSize):
        self.size = size

    def __call__(self, img: Any):
        need_pil(img)
        return self.apply(img)

    def _pillow(self, image):
        return pil.five_crop(image, self.size)


class TenCrop(FiveCrop):
    """Cut the four corners and the middle out of a Pillow image and out of its mirror image.

    Args:
        size (Union[int, Sequence[int]]): side of the square, or (height, width), in pixels.
        use_vertical_flip (bool, optional): mirror top to bottom instead of left to right. Default: ``False``.

    Raises:
        TypeError: an argument is of a wrong type, or the image is not a Pillow image.
        ValueError: `size` is not positive or larger than the image.

    Examples:
        >>> from PIL import Image
        >>> from msjax.dataset import vision
        >>> len(vision.TenCrop((2, 3))(Image.new("RGB", (9, 8))))
        10
    """

    @checked
    def __init__(self, size: CropSize, use_vertical_flip: bool | None = False):
        super().__init__(pair(size) if isinstance(size, int) else size)
        self.use_vertical_flip = use_vertical_flip

    def _pillow(self, image):
        return pil.ten_crop(image, self.size, self.use_vertical_flip)
