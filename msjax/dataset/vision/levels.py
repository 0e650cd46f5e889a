"""Looking pixel values up: contrast, histograms, negatives, fewer levels."""

from collections.abc import Sequence
from typing import Annotated

from ...core.spec.checking import checked
from ...core.spec.rules import Length, Raises, Within
from ..operation import draws
from ..rules import RISING, Byte, Probability
from . import py_transforms_util as pil
from . import tone
from .modes import Implementation
from .operation import DeviceOperation, ImageOperation, WithChance
from .rules import Channel, Cutoff, Ignored


def _listed(ignore):
    return [] if ignore is None else [ignore] if isinstance(ignore, int) else list(ignore)


class AutoContrast(DeviceOperation):
    """Stretch each channel to the whole range of values.

    Args:
        cutoff (float, optional): percent of the lightest and of the darkest pixels to leave out, from 0 up to,
            not including, 50. Default: ``0.0``.
        ignore (Union[int, sequence], optional): values that do not count. Default: ``None``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the array is not <H, W> or <H, W, C> of uint8.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.AutoContrast()(np.array([[10, 20, 30]], np.uint8)).tolist()
        [[0, 127, 255]]
    """

    channels = (1, 3)
    dtypes, keeps_bools = ("uint8", "bool"), False

    @checked
    def __init__(self, cutoff: Cutoff = 0.0, ignore: Ignored | None = None):
        self.cutoff = cutoff
        self.ignore = _listed(ignore)

    def _array(self, image):
        return tone.by_channel(image, lambda channel: tone.stretch_table(channel, self.cutoff, self.ignore))

    def _pillow(self, image):
        return pil.auto_contrast(image, self.cutoff, self.ignore)


class Equalize(DeviceOperation):
    """Make the histogram of each channel even.

    Raises:
        RuntimeError: the array is not <H, W> or <H, W, C> of uint8.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.Equalize()(np.full((2, 2), 7, np.uint8)).tolist()
        [[7, 7], [7, 7]]
    """

    channels = (1, 3)
    dtypes, keeps_bools = ("uint8", "bool"), False

    def _array(self, image):
        return tone.equalize(image)

    def _pillow(self, image):
        return pil.equalize(image)


class Invert(DeviceOperation):
    """Give the negative of the image: 255 less each value.

    Raises:
        RuntimeError: the array is not <H, W, 3>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.Invert()(np.array([[[0, 100, 255]]], np.uint8)).tolist()
        [[[255, 155, 0]]]
    """

    ranks, channels = (3,), (3,)

    def _array(self, image):
        return tone.invert(image)

    def _pillow(self, image):
        return pil.invert_color(image)


class Posterize(DeviceOperation):
    """Keep the highest bits of each value.

    Args:
        bits (int): the bits to keep, from 0 to 8.

    Raises:
        TypeError: `bits` is not an int.
        ValueError: `bits` is out of range.
        RuntimeError: the array is not <H, W> or <H, W, C> of uint8.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.Posterize(2)(np.array([[1, 100, 255]], np.uint8)).tolist()
        [[0, 64, 192]]
    """

    implementation = Implementation.C
    dtypes, keeps_bools = ("uint8", "bool"), False

    @checked
    def __init__(self, bits: Annotated[int, Within("[0, 8]")]):
        self.bits = bits

    def _array(self, image):
        return tone.posterize(image, self.bits)


class Solarize(DeviceOperation):
    """Invert the values within a range.

    Args:
        threshold (Union[float, Sequence[float, float]]): (min, max) of the values to invert, or the least of them.

    Raises:
        TypeError: `threshold` is of a wrong type.
        ValueError: `threshold` is out of range or not (min, max).
        RuntimeError: the array is not <H, W> or <H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.Solarize((50, 200))(np.array([[10, 100, 255]], np.uint8)).tolist()
        [[10, 155, 255]]
    """

    implementation = Implementation.C

    channels = (1, 3)

    @checked
    def __init__(
        self, threshold: Annotated[Channel | Annotated[Sequence[Channel], Length(2), RISING], Raises(length=TypeError)]
    ):
        threshold = (threshold, threshold) if isinstance(threshold, (int, float)) else tuple(threshold)
        self.threshold = threshold

    def _array(self, image):
        return tone.solarize(image, *self.threshold)


Bits = Annotated[int, Within("[1, 8]")]


class RandomPosterize(ImageOperation):
    """Keep a random number of the highest bits of each value.

    Args:
        bits (Union[int, Sequence[int]], optional): the bits to keep, or (min, max), from 1 to 8. Default: ``(8, 8)``.

    Raises:
        TypeError: `bits` is of a wrong type.
        ValueError: `bits` is out of range or not (min, max).
        RuntimeError: the array is not <H, W> or <H, W, C> of uint8.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomPosterize((2, 2))(np.array([[1, 100, 255]], np.uint8)).tolist()
        [[0, 64, 192]]
    """

    deterministic = False
    implementation = Implementation.C
    dtypes, keeps_bools = ("uint8", "bool"), False

    @checked
    def __init__(
        self, bits: Annotated[Bits | Annotated[Sequence[Bits], Length(2), RISING], Raises(length=TypeError)] = (8, 8)
    ):
        bits = (bits, bits) if isinstance(bits, int) else tuple(bits)
        self.bits = bits

    def _array(self, image):
        low, high = self.bits
        return tone.posterize(image, low if low == high else draws().between(low, high))


class RandomSolarize(ImageOperation):
    """Invert the values within a random range.

    Args:
        threshold (tuple, optional): (min, max) of the values among which the range lies. Default: ``(0, 255)``.

    Raises:
        TypeError: `threshold` is not a tuple of ints.
        ValueError: `threshold` is out of range or not (min, max).
        RuntimeError: the array is not <H, W> or <H, W, C>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomSolarize((100, 100))(np.array([[10, 100, 255]], np.uint8)).tolist()
        [[10, 155, 0]]
    """

    deterministic = False
    implementation = Implementation.C

    channels = (1, 3)

    @checked
    def __init__(self, threshold: Annotated[tuple[Byte, ...], Length(2), RISING] = (0, 255)):
        self.threshold = threshold

    def _array(self, image):
        low, high = self.threshold
        draw = draws()
        ends = sorted(draw.between(low, high) for _ in range(2))
        return tone.solarize(image, *ends)


class RandomAutoContrast(WithChance):
    """Stretch each channel to the whole range of values, with a probability.

    Args:
        cutoff (float, optional): percent of the lightest and of the darkest pixels to leave out, from 0 up to,
            not including, 50. Default: ``0.0``.
        ignore (Union[int, sequence], optional): values that do not count. Default: ``None``.
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the array is not <H, W> or <H, W, C> of uint8.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomAutoContrast(prob=1.0)(np.array([[10, 20, 30]], np.uint8)).tolist()
        [[0, 127, 255]]
    """

    implementation = Implementation.C
    channels = (1, 3)
    dtypes, keeps_bools = ("uint8", "bool"), False

    @checked
    def __init__(self, cutoff: Cutoff = 0.0, ignore: Ignored | None = None, prob: Probability = 0.5):
        super().__init__(prob)
        self.cutoff = cutoff
        self.ignore = _listed(ignore)

    _array = AutoContrast._array


class RandomEqualize(WithChance):
    """Make the histogram of each channel even, with a probability.

    Args:
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: `prob` is not a number.
        ValueError: `prob` is not between 0 and 1.
        RuntimeError: the array is not <H, W> or <H, W, C> of uint8.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomEqualize(1.0)(np.full((2, 2), 7, np.uint8)).tolist()
        [[7, 7], [7, 7]]
    """

    implementation = Implementation.C
    channels = (1, 3)
    dtypes = ("uint8",)
    _array = Equalize._array


class RandomInvert(WithChance):
    """Give the negative of the image, with a probability.

    Args:
        prob (float, optional): the probability. Default: ``0.5``.

    Raises:
        TypeError: `prob` is not a number.
        ValueError: `prob` is not between 0 and 1.
        RuntimeError: the array is not <H, W, 3>.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandomInvert(1.0)(np.array([[[0, 100, 255]]], np.uint8)).tolist()
        [[[255, 155, 0]]]
    """

    implementation = Implementation.C
    ranks, channels = (3,), (3,)
    _array = Invert._array
