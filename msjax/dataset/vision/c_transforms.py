"""The operations of 1.x on arrays: `mindspore.dataset.vision.c_transforms`.

MindSpore 2 merged the two modules of 1.x. What it kept is the same operation here, bound to arrays: an image of Pillow becomes one.
What it dropped or changed is below.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Like, Raises, That
from . import transforms, values
from .crop import RandomCropDecodeResize
from .geometry import Resize
from .modes import Border, ConvertMode, ImageBatchFormat, Implementation, Inter, SliceMode
from .operation import bound
from .transforms import *  # noqa: F403

__all__ = [
    *transforms.__all__,
    "Border",
    "ConvertMode",
    "ImageBatchFormat",
    "Inter",
    "SliceMode",
    "SoftDvppDecodeRandomCropResizeJpeg",
    "SoftDvppDecodeResizeJpeg",
]
globals().update(bound(transforms, Implementation.C, __name__))


class Decode(values.Decode):
    """Decode an image file into <H, W, 3> RGB.

    Args:
        rgb (bool, optional): must be True; MindSpore never decoded to another order. Default: ``True``.

    Raises:
        TypeError: `rgb` is not a bool.
        RuntimeError: `rgb` is False, or the bytes are not an image.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> from msjax.dataset.vision import c_transforms
        >>> c_transforms.Decode()(vision.encode_png(np.zeros((8, 9, 3), np.uint8))).shape
        (8, 9, 3)
    """

    @checked
    def __init__(
        self,
        rgb: Annotated[Like[bool], That("True: images are decoded as RGB", bool), Raises(value=RuntimeError)] = True,
    ):
        super().__init__()


class SoftDvppDecodeRandomCropResizeJpeg(RandomCropDecodeResize):
    """Decode a JPEG file, cut a random window out of it and resize it, as `RandomCropDecodeResize` does.

    Args:
        size (Union[int, Sequence[int]]): side of the square, or (height, width), of the result in pixels.
        scale (Sequence[float], optional): (min, max) of the share of the area. Default: ``(0.08, 1.0)``.
        ratio (Sequence[float], optional): (min, max) of width over height. Default: ``(3. / 4., 4. / 3.)``.
        max_attempts (int, optional): windows to try before the largest middle one is taken. Default: ``10``.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> from msjax.dataset.vision import c_transforms
        >>> file = vision.encode_jpeg(np.zeros((8, 9, 3), np.uint8))
        >>> c_transforms.SoftDvppDecodeRandomCropResizeJpeg(4)(file).shape
        (4, 4, 3)
    """

    def __init__(
        self,
        size: int | Sequence[int],
        scale: Sequence[float] = (0.08, 1.0),
        ratio: Sequence[float] = (3.0 / 4.0, 4.0 / 3.0),
        max_attempts: int = 10,
    ):
        super().__init__(size, scale, ratio, Inter.BILINEAR, max_attempts)


class SoftDvppDecodeResizeJpeg(values.Decode):
    """Decode a JPEG file and resize it.

    Args:
        size (Union[int, Sequence[int]]): length of the shorter side, or (height, width), in pixels.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> from msjax.dataset.vision import c_transforms
        >>> file = vision.encode_jpeg(np.zeros((8, 10, 3), np.uint8))
        >>> c_transforms.SoftDvppDecodeResizeJpeg(4)(file).shape
        (4, 5, 3)
    """

    def __init__(self, size: int | Sequence[int]):
        super().__init__()
        self.resize = Resize(size)

    def apply(self, img: np.ndarray):
        return self.resize.apply(super().apply(img))
