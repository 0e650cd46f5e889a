"""All image operations in one place, under MindSpore's module name."""
from msjax.dataset.vision.crop import (
    CenterCrop,
    Crop,
    FiveCrop,
    RandomCrop,
    RandomCropDecodeResize,
    RandomResizedCrop,
    ResizedCrop,
    TenCrop,
)
from msjax.dataset.vision.geometry import (
    Affine,
    HorizontalFlip,
    Pad,
    PadToSize,
    Perspective,
    RandomAffine,
    RandomHorizontalFlip,
    RandomPerspective,
    RandomResize,
    RandomRotation,
    RandomVerticalFlip,
    Resize,
    Rotate,
    SlicePatches,
    VerticalFlip,
)
from msjax.dataset.vision.values import (
    Decode,
    HWC2CHW,
    LinearTransformation,
    Normalize,
    NormalizePad,
    Rescale,
    ToNumpy,
    ToPIL,
    ToTensor,
)
from msjax.dataset.vision.video import DecodeVideo

__all__ = [name for name, value in list(globals().items()) if isinstance(value, type)]
