"""Changing brightness, contrast, saturation, hue and sharpness."""

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Length, Raises, That, Within
from ..operation import draws
from ..rules import RISING, NonNegativeReal32, Probability, Real32
from . import py_transforms_util as pil
from . import tone
from .modes import Implementation
from .operation import ALL_NUMBERS, DeviceOperation, ImageOperation, WithChance
from .rules import FactorRange, Number

_RGB = {"ranks": (3,), "channels": (3,), "dtypes": ("uint8", "float32")}
_DEEP = (*_RGB["dtypes"], "uint16")


class _Adjust(DeviceOperation):
    """Base of the operations with one factor."""

    def __init__(self, factor: float, name: str):
        setattr(self, name, factor)


class AdjustBrightness(_Adjust):
    """Multiply the brightness of the image.

    Args:
        brightness_factor (float): the factor; 0 gives black, 1 the image.

    Raises:
        TypeError: `brightness_factor` is not a number.
        ValueError: `brightness_factor` is negative.
        RuntimeError: the array is not <H, W> or <H, W, C> of one or three channels.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.AdjustBrightness(2.0)(np.array([[10, 200]], np.uint8)).tolist()
        [[20, 255]]
    """

    channels = (1, 3)

    @checked
    def __init__(self, brightness_factor: NonNegativeReal32):
        super().__init__(brightness_factor, "brightness_factor")

    def _array(self, image):
        return tone.brightness(image, self.brightness_factor)

    def _pillow(self, image):
        return pil.adjust_brightness(image, self.brightness_factor)


class AdjustContrast(_Adjust):
    """Multiply the distance of the image from its mean grey.

    Args:
        contrast_factor (float): the factor; 0 gives grey, 1 the image.

    Raises:
        TypeError: `contrast_factor` is not a number.
        ValueError: `contrast_factor` is negative.
        RuntimeError: the array is not <H, W, 3> of uint8 or float32.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.AdjustContrast(0.0)(np.array([[[10] * 3, [20] * 3]], np.uint8)).tolist()
        [[[15, 15, 15], [15, 15, 15]]]
    """

    ranks, channels, dtypes = (3,), (3,), _DEEP

    @checked
    def __init__(self, contrast_factor: NonNegativeReal32):
        super().__init__(contrast_factor, "contrast_factor")

    def _array(self, image):
        return tone.contrast(image, self.contrast_factor)

    def _pillow(self, image):
        return pil.adjust_contrast(image, self.contrast_factor)


class AdjustSaturation(_Adjust):
    """Multiply the distance of the image from its grey version.

    Args:
        saturation_factor (float): the factor; 0 gives grey, 1 the image.

    Raises:
        TypeError: `saturation_factor` is not a number.
        ValueError: `saturation_factor` is negative.
        RuntimeError: the array is not <H, W, 3> of uint8 or float32.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.AdjustSaturation(0.0)(np.array([[[10, 20, 30]]], np.uint8)).tolist()
        [[[18, 18, 18]]]
    """

    ranks, channels, dtypes = (3,), (3,), _DEEP

    @checked
    def __init__(self, saturation_factor: NonNegativeReal32):
        super().__init__(saturation_factor, "saturation_factor")

    def _array(self, image):
        return tone.saturation(image, self.saturation_factor)

    def _pillow(self, image):
        return pil.adjust_saturation(image, self.saturation_factor)


class AdjustHue(_Adjust):
    """Move the hue of the image around the colour circle.

    Args:
        hue_factor (float): the share of the circle, between -0.5 and 0.5.

    Raises:
        TypeError: `hue_factor` is not a number.
        ValueError: `hue_factor` is out of range.
        RuntimeError: the array is not <H, W, 3> of uint8 or float32.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.AdjustHue(0.5)(np.array([[[255, 0, 0]]], np.uint8)).tolist()
        [[[0, 255, 252]]]
    """

    ranks, channels, dtypes = _RGB.values()

    @checked
    def __init__(self, hue_factor: Annotated[int | float, Within("[-0.5, 0.5]")]):
        super().__init__(hue_factor, "hue_factor")

    def _array(self, image):
        return tone.hue(image, self.hue_factor)

    def _pillow(self, image):
        return pil.adjust_hue(image, self.hue_factor)


class AdjustSharpness(_Adjust):
    """Multiply the distance of the image from its smoothed version.

    Args:
        sharpness_factor (float): the factor; 0 gives the smoothed image, 1 the image.

    Raises:
        TypeError: `sharpness_factor` is not a number.
        ValueError: `sharpness_factor` is negative.
        RuntimeError: the array is not <H, W> or <H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.AdjustSharpness(2.0)(np.array([[0, 0, 0], [0, 26, 0], [0, 0, 0]], np.uint8))[1].tolist()
        [0, 42, 0]
    """

    implementation = Implementation.C

    keeps_bools = False

    @checked
    def __init__(self, sharpness_factor: NonNegativeReal32):
        super().__init__(sharpness_factor, "sharpness_factor")

    def _array(self, image):
        return tone.sharpness(image, self.sharpness_factor)


class AdjustGamma(ImageOperation):
    """Raise the values of the image, as shares of the largest, to a power.

    Args:
        gamma (float): the power, not negative; above 1 dark colours get darker.
        gain (float, optional): the factor of the result. Default: ``1``.

    Raises:
        TypeError: an argument is not a number.
        ValueError: `gamma` is negative.
        RuntimeError: the array is not <H, W> or <..., H, W, C> of one or three channels.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.AdjustGamma(2.0)(np.array([[0, 128, 255]], np.uint8)).tolist()
        [[0, 64, 255]]
    """

    stacked = True
    channels = (1, 3)

    @checked
    def __init__(self, gamma: NonNegativeReal32, gain: Real32 | None = 1):
        self.gamma = gamma
        self.gain = 1 if gain is None else gain

    def _array(self, image):
        return tone.gamma(image, self.gamma, self.gain)

    def _pillow(self, image):
        return pil.adjust_gamma(image, self.gamma, self.gain)


class RandomAdjustSharpness(WithChance):
    """Multiply the distance of the image from its smoothed version, with a probability.

    Args:
        degree (float): the factor; 0 gives the smoothed image, 1 the image.
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: an argument is not a number.
        ValueError: `degree` is negative or `prob` not between 0 and 1.
        RuntimeError: the array is not <H, W> or <H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomAdjustSharpness(2.0, 1.0)(np.zeros((8, 9, 3), np.uint8)).shape
        (8, 9, 3)
    """

    implementation = Implementation.C
    keeps_bools = False

    @checked
    def __init__(self, degree: NonNegativeReal32, prob: Probability = 0.5):
        super().__init__(prob)
        self.degree = degree

    def _array(self, image):
        return tone.sharpness(image, self.degree)


_STILL = 0.00195  # a factor so near to 1 changes no byte by half a step: MindSpore returns the image as it is


class RandomColor(ImageOperation):
    """Multiply the distance of the image from its grey version by a random factor.

    Args:
        degrees (Sequence[float], optional): (min, max) of the factor. Default: ``(0.1, 1.9)``.

    Raises:
        TypeError: `degrees` is not a sequence of numbers.
        ValueError: `degrees` is negative or not (min, max).
        RuntimeError: the array is not <H, W, 3>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomColor((0, 0))(np.array([[[10, 20, 30]]], np.uint8)).tolist()
        [[[18, 18, 18]]]
    """

    deterministic = False
    ranks, channels, dtypes, keeps_bools = (3,), (3,), (*_DEEP, "bool"), False

    @checked
    def __init__(self, degrees: FactorRange | None = (0.1, 1.9)):
        self.degrees = (0.1, 1.9) if degrees is None else tuple(degrees)

    def _array(self, image):
        factor = float(draws().uniform32(*self.degrees))
        return image if abs(factor - 1) < _STILL else tone.saturation(image, factor)

    def _pillow(self, image):
        return pil.random_color(image, self.degrees)


class RandomSharpness(ImageOperation):
    """Multiply the distance of the image from its smoothed version by a random factor.

    Args:
        degrees (Sequence[float], optional): (min, max) of the factor. Default: ``(0.1, 1.9)``.

    Raises:
        TypeError: `degrees` is not a sequence of numbers.
        ValueError: `degrees` is negative or not (min, max).
        RuntimeError: the array is not <H, W> or <H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomSharpness((0.2, 1.9))(np.zeros((8, 9, 3), np.uint8)).shape
        (8, 9, 3)
    """

    deterministic = False

    keeps_bools = False

    @checked
    def __init__(self, degrees: FactorRange | None = (0.1, 1.9)):
        self.degrees = (0.1, 1.9) if degrees is None else tuple(degrees)

    def _array(self, image):
        return tone.sharpness(image, float(draws().about_middle(*self.degrees)))

    def _pillow(self, image):
        return pil.random_sharpness(image, self.degrees)


def _pair_within(low, high):
    return That(f"within [{low}, {high}]", lambda values: low <= values[0] and values[1] <= high)


Factor: TypeAlias = Annotated[
    Annotated[Number, Within("[0, 16777215]")] | Annotated[Sequence, Length(2), RISING, _pair_within(0, 16777216)],
    Raises(length=TypeError),
]
Hue: TypeAlias = Annotated[
    Annotated[Number, Within("[0, 0.5]")] | Annotated[Sequence, Length(2), RISING, _pair_within(-0.5, 0.5)],
    Raises(length=TypeError),
]


class RandomColorAdjust(ImageOperation):
    """Change brightness, contrast, saturation and hue by random factors.

    Args:
        brightness (Union[float, Sequence[float]], optional): (min, max) of the factor, or how far it may be from 1.
            Default: ``(1, 1)``.
        contrast (Union[float, Sequence[float]], optional): the same for the contrast. Default: ``(1, 1)``.
        saturation (Union[float, Sequence[float]], optional): the same for the saturation. Default: ``(1, 1)``.
        hue (Union[float, Sequence[float]], optional): (min, max) of the move as a share of the colour circle, between
            -0.5 and 0.5, or its largest size. Default: ``(0, 0)``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range or not (min, max).
        RuntimeError: the array is not <H, W, 3>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomColorAdjust(brightness=(2, 2))(np.array([[[10, 20, 30]]], np.uint8)).tolist()
        [[[20, 40, 60]]]
    """

    deterministic = False
    ranks, channels = (3,), (3,)

    dtypes = ALL_NUMBERS

    @checked
    def __init__(
        self, brightness: Factor = (1, 1), contrast: Factor = (1, 1), saturation: Factor = (1, 1), hue: Hue = (0, 0)
    ):
        self.brightness = self._range(brightness)
        self.contrast = self._range(contrast)
        self.saturation = self._range(saturation)
        self.hue = self._range(hue, 0)

    @staticmethod
    def _range(value, center=1):
        if not isinstance(value, (list, tuple)):
            value = (max(0, center - value) if center else -value, center + value)
        return tuple(value)

    def _array(self, image):
        draw = draws()
        steps = [
            (tone.brightness, self.brightness, (1, 1)),
            (tone.contrast, self.contrast, (1, 1)),
            (tone.saturation, self.saturation, (1, 1)),
            (tone.hue, self.hue, (0, 0)),
        ]
        draw.shuffle(steps)
        for adjust, bounds, still in steps:
            if bounds != still:
                image = adjust(image, float(draw.uniform32(*bounds)))
        return image

    def _pillow(self, image):
        return pil.random_color_adjust(image, self.brightness, self.contrast, self.saturation, self.hue)


class RandomLighting(ImageOperation):
    """Add AlexNet's lighting noise: random multiples of the principal components of ImageNet's colours.

    Args:
        alpha (float, optional): standard deviation of the multiples. Default: ``0.05``.

    Raises:
        TypeError: `alpha` is not a number.
        ValueError: `alpha` is negative.
        RuntimeError: the array is not <H, W, 3>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomLighting(0.0)(np.array([[[10, 20, 30]]], np.uint8)).tolist()
        [[[10, 20, 30]]]
    """

    deterministic = False
    ranks, channels = (3,), (3,)

    @checked
    def __init__(self, alpha: NonNegativeReal32 = 0.05):
        self.alpha = alpha

    def _array(self, image):
        draw = draws()
        multiples = [draw.normals(draw) * np.float32(self.alpha) for _ in range(3)]
        return tone.lighting(image, pil.LIGHTING.astype(np.float32) @ np.array(multiples))

    def _pillow(self, image):
        return pil.random_lighting(image, self.alpha)
