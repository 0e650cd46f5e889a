"""Going between colour spaces: grey, HSV, orders of channels."""

import colorsys
from typing import Annotated, Any, Literal

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Raises, Rank
from ..check import check
from ..operation import python_draws
from ..rules import Probability
from . import py_transforms_util as pil
from .modes import ConvertMode, Implementation
from .operation import DeviceOperation, ImageOperation, need_numpy, need_pil, opencv


class Grayscale(ImageOperation):
    """Turn a Pillow image grey.

    Args:
        num_output_channels (int, optional): channels of the result, 1 or 3. Default: ``1``.

    Raises:
        TypeError: `num_output_channels` is not an int, or the image is not a Pillow image.
        ValueError: `num_output_channels` is neither.

    Examples:
        >>> from PIL import Image
        >>> from msjax.dataset import vision
        >>> vision.Grayscale()(Image.new("RGB", (9, 8))).mode
        'L'
    """

    implementation = Implementation.PY

    @checked
    def __init__(self, num_output_channels: Literal[1, 3] = 1):
        self.num_output_channels = num_output_channels

    def __call__(self, img: Any):
        need_pil(img)
        return self.apply(img)

    def _pillow(self, image):
        return pil.grayscale(image, self.num_output_channels)


class RandomGrayscale(ImageOperation):
    """Turn a Pillow image grey with a probability; the number of its channels stays.

    Args:
        prob (float, optional): the probability. Default: ``0.1``.

    Raises:
        TypeError: `prob` is not a number, or the image is not a Pillow image.
        ValueError: `prob` is not between 0 and 1.

    Examples:
        >>> from PIL import Image
        >>> from msjax.dataset import vision
        >>> vision.RandomGrayscale(1.0)(Image.new("RGB", (9, 8))).mode
        'RGB'
    """

    deterministic = False
    implementation = Implementation.PY

    @checked
    def __init__(self, prob: Probability = 0.1):
        self.prob = prob

    def _pillow(self, image):
        need_pil(image)
        if python_draws().random() >= self.prob:
            return image
        return pil.grayscale(image, 1 if image.mode == "L" else 3)


class ConvertColor(DeviceOperation):
    """Convert the image to another colour space.

    Args:
        convert_mode (ConvertMode): from what to what.

    Raises:
        TypeError: `convert_mode` is not a `ConvertMode`.
        RuntimeError: the array is not <H, W> or <H, W, C> with the channels that the conversion starts from.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.ConvertColor(vision.ConvertMode.COLOR_RGB2BGR)(np.array([[[1, 2, 3]]], np.uint8)).tolist()
        [[[3, 2, 1]]]
    """

    implementation = Implementation.C

    @checked
    def __init__(self, convert_mode: ConvertMode):
        self.convert_mode = convert_mode

    def _array(self, image):
        cv2 = opencv()
        try:
            return cv2.cvtColor(image, int(self.convert_mode))  # the numbers are OpenCV's own
        except cv2.error as error:
            raise RuntimeError(
                f"ConvertColor: {self.convert_mode.name} cannot convert an image of shape {image.shape} and "
                f"type {image.dtype}."
            ) from error


class RgbToHsv(ImageOperation):
    """Turn RGB arrays into HSV, as `colorsys` defines it for values from 0 to 1.

    Args:
        is_hwc (bool, optional): the arrays are <H, W, C> or <N, H, W, C>, else <C, H, W> or <N, C, H, W>.
            Default: ``False``.

    Raises:
        TypeError: `is_hwc` is not a bool, or the input is not an array of three channels.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RgbToHsv(True)(np.array([[[0.0, 1.0, 0.0]]])).round(3).tolist()
        [[[0.333, 1.0, 1.0]]]
    """

    implementation = Implementation.PY
    _convert = staticmethod(np.vectorize(colorsys.rgb_to_hsv, otypes=[np.float64] * 3))

    @checked
    def __init__(self, is_hwc: bool = False):
        self.is_hwc = is_hwc

    def __call__(self, img: Any):
        return self.apply(img)

    @checked
    def apply(self, image: Annotated[np.ndarray, Rank(3, 4), Raises(value=TypeError)]):
        need_numpy(image)
        axis = -1 if self.is_hwc else -3
        check(image.shape[axis] == 3, f"img should be 3 channels RGB img. Got {image.shape[axis]} channels.", TypeError)
        return np.stack(self._convert(*np.moveaxis(image, axis, 0)), axis)


class HsvToRgb(RgbToHsv):
    """Turn HSV arrays into RGB, as `colorsys` defines it for values from 0 to 1.

    Args:
        is_hwc (bool, optional): the arrays are <H, W, C> or <N, H, W, C>, else <C, H, W> or <N, C, H, W>.
            Default: ``False``.

    Raises:
        TypeError: `is_hwc` is not a bool, or the input is not an array of three channels.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.HsvToRgb(True)(np.array([[[0.5, 1.0, 1.0]]])).tolist()
        [[[0.0, 1.0, 1.0]]]
    """

    _convert = staticmethod(np.vectorize(colorsys.hsv_to_rgb, otypes=[np.float64] * 3))
