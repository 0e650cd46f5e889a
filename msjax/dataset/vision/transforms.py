"""Every image operation, under MindSpore's module name."""

from ..transforms import TypeCast, not_random
from .affine import Affine, Perspective, RandomAffine, RandomPerspective, RandomRotation, Rotate
from .augment import AutoAugment, RandAugment, RandomSelectSubpolicy, TrivialAugmentWide, UniformAugment
from .boxes import (
    BoundingBoxAugment,
    RandomCropWithBBox,
    RandomHorizontalFlipWithBBox,
    RandomResizedCropWithBBox,
    RandomResizeWithBBox,
    RandomVerticalFlipWithBBox,
    ResizeWithBBox,
)
from .color import (
    AdjustBrightness,
    AdjustContrast,
    AdjustGamma,
    AdjustHue,
    AdjustSaturation,
    AdjustSharpness,
    RandomAdjustSharpness,
    RandomColor,
    RandomColorAdjust,
    RandomLighting,
    RandomSharpness,
)
from .crop import (
    CenterCrop,
    Crop,
    FiveCrop,
    RandomCrop,
    RandomCropDecodeResize,
    RandomResizedCrop,
    ResizedCrop,
    TenCrop,
)
from .erase import CutOut, Erase, GaussianBlur, RandomErasing
from .geometry import (
    HorizontalFlip,
    Pad,
    PadToSize,
    RandomHorizontalFlip,
    RandomResize,
    RandomVerticalFlip,
    Resize,
    SlicePatches,
    VerticalFlip,
)
from .levels import (
    AutoContrast,
    Equalize,
    Invert,
    Posterize,
    RandomAutoContrast,
    RandomEqualize,
    RandomInvert,
    RandomPosterize,
    RandomSolarize,
    Solarize,
)
from .mix import CutMixBatch, MixUp, MixUpBatch
from .spaces import ConvertColor, Grayscale, HsvToRgb, RandomGrayscale, RgbToHsv
from .values import HWC2CHW, Decode, LinearTransformation, Normalize, NormalizePad, Rescale, ToNumpy, ToPIL, ToTensor
from .video import DecodeVideo

__all__ = [
    "AdjustBrightness",
    "AdjustContrast",
    "AdjustGamma",
    "AdjustHue",
    "AdjustSaturation",
    "AdjustSharpness",
    "Affine",
    "AutoAugment",
    "AutoContrast",
    "BoundingBoxAugment",
    "CenterCrop",
    "ConvertColor",
    "Crop",
    "CutMixBatch",
    "CutOut",
    "Decode",
    "DecodeVideo",
    "Equalize",
    "Erase",
    "FiveCrop",
    "GaussianBlur",
    "Grayscale",
    "HWC2CHW",
    "HorizontalFlip",
    "HsvToRgb",
    "Invert",
    "LinearTransformation",
    "MixUp",
    "MixUpBatch",
    "Normalize",
    "NormalizePad",
    "Pad",
    "PadToSize",
    "Perspective",
    "Posterize",
    "RandAugment",
    "RandomAdjustSharpness",
    "RandomAffine",
    "RandomAutoContrast",
    "RandomColor",
    "RandomColorAdjust",
    "RandomCrop",
    "RandomCropDecodeResize",
    "RandomCropWithBBox",
    "RandomEqualize",
    "RandomErasing",
    "RandomGrayscale",
    "RandomHorizontalFlip",
    "RandomHorizontalFlipWithBBox",
    "RandomInvert",
    "RandomLighting",
    "RandomPerspective",
    "RandomPosterize",
    "RandomResize",
    "RandomResizeWithBBox",
    "RandomResizedCrop",
    "RandomResizedCropWithBBox",
    "RandomRotation",
    "RandomSelectSubpolicy",
    "RandomSharpness",
    "RandomSolarize",
    "RandomVerticalFlip",
    "RandomVerticalFlipWithBBox",
    "Rescale",
    "Resize",
    "ResizeWithBBox",
    "ResizedCrop",
    "RgbToHsv",
    "Rotate",
    "SlicePatches",
    "Solarize",
    "TenCrop",
    "ToNumpy",
    "ToPIL",
    "ToTensor",
    "ToType",
    "TrivialAugmentWide",
    "UniformAugment",
    "VerticalFlip",
    "not_random",
]


class ToType(TypeCast):
    """Change the type of the values.

    Args:
        data_type (Union[mindspore.dtype, numpy.dtype]): the type.

    Raises:
        TypeError: `data_type` is not a type.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.ToType(np.float32)(np.array([1, 2])).dtype
        dtype('float32')
    """
