"""The enumerations that choose how an image operation works."""

import functools
from enum import Enum, IntEnum
from typing import Any

from ..operation import Implementation as Implementation  # one of the enumerations of this module


def _member(value, allowed, what):
    """Return the member of `allowed`, a dict of names to members, that `value` stands for, else raise RuntimeError."""
    if value not in allowed.values():
        *first, last = allowed
        raise RuntimeError(f"Unsupported {what}, only support {', '.join(first)} and {last}.")
    return type(next(iter(allowed.values())))(value)


@functools.cache
def _named(kind, *names):
    return {name: kind[name] for name in names or kind.__members__}


class AutoAugmentPolicy(str, Enum):  # noqa: UP042 - a StrEnum prints otherwise
    """The data set whose learned policy `AutoAugment` applies.

    Examples:
        >>> from msjax.dataset.vision import AutoAugmentPolicy
        >>> AutoAugmentPolicy.CIFAR10.value
        'cifar10'
    """

    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"

    @staticmethod
    def to_c_type(policy: Any):
        """Return the policy itself; raises RuntimeError where it is none."""
        return _member(policy, _named(AutoAugmentPolicy), "AutoAugmentPolicy")


class Border(str, Enum):  # noqa: UP042 - a StrEnum prints otherwise
    """The content of padded pixels.

    CONSTANT is one colour, EDGE repeats the last pixel, REFLECT mirrors without and SYMMETRIC with the last pixel.

    Examples:
        >>> from msjax.dataset.vision import Border
        >>> Border.EDGE.value
        'edge'
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"

    @staticmethod
    def to_python_type(border_type: Any):
        """Return the name that `numpy.pad` gives this border; raises RuntimeError where it is none."""
        return Border.to_c_type(border_type).value

    @staticmethod
    def to_c_type(border_type: Any):
        """Return the border itself; raises RuntimeError where it is none."""
        return _member(border_type, _named(Border), "Border type")


class ConvertMode(IntEnum):
    """The colour conversion that `ConvertColor` does; names read COLOR_<from>2<to>.

    Examples:
        >>> from msjax.dataset.vision import ConvertMode
        >>> ConvertMode.COLOR_RGB2BGR is ConvertMode.COLOR_BGR2RGB
        True
    """

    COLOR_BGR2BGRA = 0
    COLOR_RGB2RGBA = COLOR_BGR2BGRA
    COLOR_BGRA2BGR = 1
    COLOR_RGBA2RGB = COLOR_BGRA2BGR
    COLOR_BGR2RGBA = 2
    COLOR_RGB2BGRA = COLOR_BGR2RGBA
    COLOR_RGBA2BGR = 3
    COLOR_BGRA2RGB = COLOR_RGBA2BGR
    COLOR_BGR2RGB = 4
    COLOR_RGB2BGR = COLOR_BGR2RGB
    COLOR_BGRA2RGBA = 5
    COLOR_RGBA2BGRA = COLOR_BGRA2RGBA
    COLOR_BGR2GRAY = 6
    COLOR_RGB2GRAY = 7
    COLOR_GRAY2BGR = 8
    COLOR_GRAY2RGB = COLOR_GRAY2BGR
    COLOR_GRAY2BGRA = 9
    COLOR_GRAY2RGBA = COLOR_GRAY2BGRA
    COLOR_BGRA2GRAY = 10
    COLOR_RGBA2GRAY = 11

    @staticmethod
    def to_c_type(mode: Any):
        """Return the conversion itself; raises RuntimeError where it is none."""
        return _member(mode, _named(ConvertMode), "ConvertMode")


class ImageBatchFormat(IntEnum):
    """The order of the axes of a batch of images.

    Examples:
        >>> from msjax.dataset.vision import ImageBatchFormat
        >>> ImageBatchFormat.NCHW.value
        1
    """

    NHWC = 0
    NCHW = 1

    @staticmethod
    def to_c_type(image_batch_format: Any):
        """Return the format itself; raises RuntimeError where it is none."""
        return _member(image_batch_format, _named(ImageBatchFormat), "ImageBatchFormat")


class ImageReadMode(IntEnum):
    """The channels that `read_image` returns: those of the file, one, or three.

    Examples:
        >>> from msjax.dataset.vision import ImageReadMode
        >>> ImageReadMode.COLOR.value
        2
    """

    UNCHANGED = 0
    GRAYSCALE = 1
    COLOR = 2

    @staticmethod
    def to_c_type(image_read_mode: Any):
        """Return the mode itself; raises RuntimeError where it is none."""
        return _member(image_read_mode, _named(ImageReadMode), "ImageReadMode")


class Inter(IntEnum):
    """The interpolation of an operation that samples between pixels.

    AREA and PILCUBIC exist for arrays only, ANTIALIAS for Pillow images only.

    Examples:
        >>> from msjax.dataset.vision import Inter
        >>> Inter.LINEAR is Inter.BILINEAR
        True
    """

    NEAREST = 0
    ANTIALIAS = 1
    BILINEAR = LINEAR = 2
    BICUBIC = CUBIC = 3
    AREA = 4
    PILCUBIC = 5

    @staticmethod
    def to_python_type(inter_type: Any):
        """Return Pillow's constant of this interpolation; raises RuntimeError where Pillow has none."""
        from PIL import Image  # optional and slow to import

        allowed = _named(Inter, "NEAREST", "ANTIALIAS", "LINEAR", "CUBIC")
        return Image.Resampling(int(_member(inter_type, allowed, "interpolation")))

    @staticmethod
    def to_c_type(inter_type: Any):
        """Return the interpolation itself; raises RuntimeError where arrays have none."""
        allowed = _named(Inter, "NEAREST", "LINEAR", "CUBIC", "AREA", "PILCUBIC")
        return _member(inter_type, allowed, "interpolation")


class SliceMode(IntEnum):
    """The handling of an image that `SlicePatches` cannot divide evenly: PAD it, or DROP the rest.

    Examples:
        >>> from msjax.dataset.vision import SliceMode
        >>> SliceMode.DROP.value
        1
    """

    PAD = 0
    DROP = 1

    @staticmethod
    def to_c_type(mode: Any):
        """Return the mode itself; raises RuntimeError where it is none."""
        return _member(mode, _named(SliceMode), "SliceMode")
