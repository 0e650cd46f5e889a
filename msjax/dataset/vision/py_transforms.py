"""The operations of 1.x on Pillow images: `mindspore.dataset.vision.py_transforms`.

MindSpore 2 merged the two modules of 1.x. What it kept is the same operation here, bound to images of Pillow: behind a function of
the user that gives such an image, too, where the merged operation would compute on its array. What it dropped or changed is below.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Within
from ..check import check
from ..rules import Probability
from ..transforms import Compose, RandomApply, RandomChoice, RandomOrder
from . import erase, transforms, values
from . import py_transforms_util as pil
from .modes import Border, Implementation, Inter
from .operation import ImageOperation, bound, need_numpy
from .rules import check_lengths
from .transforms import *  # noqa: F403

if TYPE_CHECKING:
    from ...core.values.dtype import Type

__all__ = [
    *transforms.__all__,
    "Border",
    "Compose",
    "ComposeOp",
    "Cutout",
    "Inter",
    "RandomApply",
    "RandomChoice",
    "RandomOrder",
    "RgbToBgr",
]

ComposeOp = Compose  # its name in 0.x
globals().update(bound(transforms, Implementation.PY, __name__))


class Decode(values.Decode):
    """Decode an image file into a Pillow image.

    Raises:
        ValueError: the bytes are not an image.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> from msjax.dataset.vision import py_transforms
        >>> py_transforms.Decode()(vision.encode_png(np.zeros((8, 9, 3), np.uint8))).size
        (9, 8)
    """

    def __init__(self):
        super().__init__(to_pil=True)


class ToTensor(values.ToTensor):
    """Turn a Pillow image or an <H, W, C> array of bytes into a <C, H, W> array of values from 0 to 1.

    Args:
        output_type (Union[mindspore.dtype, numpy.dtype], optional): type of the result. Default: ``numpy.float32``.

    Examples:
        >>> from PIL import Image
        >>> from msjax.dataset.vision import py_transforms
        >>> py_transforms.ToTensor()(Image.new("RGB", (9, 8))).shape
        (3, 8, 9)
    """

    def apply(self, image: np.ndarray):
        return pil.to_tensor(image, self.output_type)


class ToType(transforms.ToType):
    """Change the type of the values.

    Args:
        output_type (Union[mindspore.dtype, numpy.dtype]): the type.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset.vision import py_transforms
        >>> py_transforms.ToType(np.float32)(np.array([1, 2])).dtype
        dtype('float32')
    """

    def __init__(self, output_type: "Type | np.dtype"):
        super().__init__(output_type)


class Normalize(ImageOperation):
    """Subtract a mean from each channel of a <C, H, W> float array and divide it by a standard deviation.

    Args:
        mean (sequence): the mean of each channel, from 0 to 1, or one for all.
        std (sequence): the standard deviation of each channel, above 0 and up to 1, or one for all.

    Raises:
        TypeError: an argument is of a wrong type, or the input is no <C, H, W> array.
        ValueError: `mean` and `std` differ in length, are out of range, or do not fit the channels.
        NotImplementedError: the array holds integers.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset.vision import py_transforms
        >>> py_transforms.Normalize([0.5], [0.5])(np.array([[[0.0, 1.0]]])).tolist()
        [[[-1.0, 1.0]]]
    """

    implementation = Implementation.PY
    elementwise = True
    pad_channel = False
    dtype = "float32"

    @checked
    def __init__(self, mean: Sequence[Probability], std: Sequence[Annotated[int | float, Within("(0, 1]")]]):
        check_lengths(mean, std)
        self.mean = mean
        self.std = std

    def apply(self, image: np.ndarray):
        return pil.normalize(image, self.mean, self.std, self.pad_channel, self.dtype)

    def apply_block(self, images: np.ndarray):
        """Normalize images stacked along a leading axis."""
        return np.stack([self.apply(image) for image in images])


class NormalizePad(Normalize):
    """Normalize a <C, H, W> float array and add a channel of zeros.

    Args:
        mean (sequence): the mean of each channel, from 0 to 1, or one for all.
        std (sequence): the standard deviation of each channel, above 0 and up to 1, or one for all.
        dtype (str, optional): type of the result, ``"float32"`` or ``"float16"``. Default: ``"float32"``.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset.vision import py_transforms
        >>> py_transforms.NormalizePad([0.5], [0.5])(np.array([[[0.0, 1.0]]])).tolist()
        [[[-1.0, 1.0]], [[0.0, 0.0]]]
    """

    elementwise = False
    pad_channel = True

    @checked
    def __init__(self, mean: Sequence, std: Sequence, dtype: Literal["float32", "float16"] = "float32"):
        super().__init__(mean, std)
        self.dtype = dtype


class CutOut(erase.CutOut):
    """Fill squares at random places of a <C, H, W> array with zeros.

    Args:
        length (int): side of a square, in pixels.
        num_patches (int, optional): the number of squares. Default: ``1``.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset.vision import py_transforms
        >>> py_transforms.CutOut(3)(np.zeros((3, 8, 9), np.uint8)).shape
        (3, 8, 9)
    """

    def __init__(self, length: int, num_patches: int = 1):
        super().__init__(length, num_patches, is_hwc=False)


Cutout = CutOut  # its name in 1.0 and 1.1


class RgbToBgr(ImageOperation):
    """Reverse the channels of an RGB array.

    Args:
        is_hwc (bool, optional): the arrays are <H, W, C> or <N, H, W, C>, else <C, H, W> or <N, C, H, W>.
            Default: ``False``.

    Raises:
        TypeError: `is_hwc` is not a bool, or the input is not an array of three channels.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset.vision import py_transforms
        >>> py_transforms.RgbToBgr(True)(np.array([[[1, 2, 3]]])).tolist()
        [[[3, 2, 1]]]
    """

    implementation = Implementation.PY

    @checked
    def __init__(self, is_hwc: bool = False):
        self.is_hwc = is_hwc

    def apply(self, image: np.ndarray):
        need_numpy(image)
        check(
            image.ndim in (3, 4),
            f"img shape should be (H, W, C)/(N, H, W, C)/(C, H, W)/(N, C, H, W). Got {image.shape}.",
            TypeError,
        )
        axis = -1 if self.is_hwc else -3
        check(image.shape[axis] == 3, f"img should be 3 channels RGB img. Got {image.shape[axis]} channels.", TypeError)
        return np.ascontiguousarray(np.flip(image, axis))
