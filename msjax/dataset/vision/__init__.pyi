"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
from msjax.dataset.transforms import not_random as not_random
from msjax.dataset.vision import c_transforms as c_transforms
from msjax.dataset.vision import py_transforms as py_transforms
from msjax.dataset.vision import transforms as transforms
from msjax.dataset.vision import utils as utils

from msjax.core.values.dtype import Type as Type
from msjax.dataset.operation import Operation as Operation
from msjax.dataset.vision.operation import DeviceOperation as DeviceOperation
from msjax.dataset.vision.operation import ImageOperation as ImageOperation
from msjax.dataset.vision.operation import WithChance as WithChance
import numpy as np
from msjax.dataset.text import IntEnum as IntEnum
from msjax.dataset.transforms import TypeCast as TypeCast
class AdjustBrightness(DeviceOperation):
    """Multiply the brightness of the image."""
    def __init__(self, brightness_factor: int | float) -> None: ...
    channels: Any
class AdjustContrast(DeviceOperation):
    """Multiply the distance of the image from its mean grey."""
    def __init__(self, contrast_factor: int | float) -> None: ...
    channels: Any
    dtypes: Any
    ranks: Any
class AdjustGamma(ImageOperation):
    """Raise the values of the image, as shares of the largest, to a power."""
    def __init__(self, gamma: int | float, gain: int | float | None=1) -> None: ...
    channels: Any
    stacked: Any
    gamma: Any
    gain: Any
class AdjustHue(DeviceOperation):
    """Move the hue of the image around the colour circle."""
    def __init__(self, hue_factor: int | float) -> None: ...
    channels: Any
    dtypes: Any
    ranks: Any
class AdjustSaturation(DeviceOperation):
    """Multiply the distance of the image from its grey version."""
    def __init__(self, saturation_factor: int | float) -> None: ...
    channels: Any
    dtypes: Any
    ranks: Any
class AdjustSharpness(DeviceOperation):
    """Multiply the distance of the image from its smoothed version."""
    def __init__(self, sharpness_factor: int | float) -> None: ...
    implementation: Any
    keeps_bools: Any
class Affine(DeviceOperation):
    """Turn, move, scale and shear the image about its middle."""
    def __init__(self, degrees: int | float, translate: Sequence[int | float], scale: int | float, shear, resample: Inter=..., fill_value: int | tuple[int, int, int]=0) -> None: ...
    ascend_interpolation: Any
    implementation: Any
    degrees: Any
    translate: Any
    scale_: Any
    shear: Any
    resample: Any
    fill_value: Any
class AutoAugment(ImageOperation):
    """Augment the image by one of the sub-policies that were learned for a data set."""
    def __init__(self, policy: AutoAugmentPolicy=..., interpolation: Inter=..., fill_value: int | tuple[int, int, int]=0) -> None: ...
    channels: Any
    deterministic: Any
    dtypes: Any
    implementation: Any
    ranks: Any
    policy: Any
    interpolation: Any
    fill_value: Any
class AutoAugmentPolicy(str):
    """The data set whose learned policy `AutoAugment` applies."""
    CIFAR10: Any
    IMAGENET: Any
    SVHN: Any
    @staticmethod
    def to_c_type(policy) -> Any: """Return the policy itself; raises RuntimeError where it is none."""
class AutoContrast(DeviceOperation):
    """Stretch each channel to the whole range of values."""
    def __init__(self, cutoff: int | float=0.0, ignore: int | Sequence[int] | None=None) -> None: ...
    channels: Any
    dtypes: Any
    keeps_bools: Any
    cutoff: Any
    ignore: Any
class Border(str):
    """The content of padded pixels."""
    CONSTANT: Any
    EDGE: Any
    REFLECT: Any
    SYMMETRIC: Any
    @staticmethod
    def to_c_type(border_type) -> Any: """Return the border itself; raises RuntimeError where it is none."""
    @staticmethod
    def to_python_type(border_type) -> Any: """Return the name that `numpy.pad` gives this border; raises RuntimeError where it is none."""
class BoundingBoxAugment(ImageOperation):
    """Run an image operation on the insides of randomly chosen bounding boxes."""
    def __init__(self, transform: Operation, ratio: int | float=0.3) -> None: ...
    def apply(self, *columns) -> Any: ...
    deterministic: Any
    implementation: Any
    transform: Any
    ratio: Any
class CenterCrop(ImageOperation):
    """Cut out the middle of the image, padded with zeros if the image is smaller."""
    def __init__(self, size: int | Sequence[int]) -> None: ...
    stacked: Any
    size: Any
class ConvertColor(DeviceOperation):
    """Convert the image to another colour space."""
    def __init__(self, convert_mode: ConvertMode) -> None: ...
    implementation: Any
    convert_mode: Any
class ConvertMode(IntEnum):
    """The colour conversion that `ConvertColor` does; names read COLOR_<from>2<to>."""
    COLOR_BGR2BGRA: Any
    COLOR_BGR2GRAY: Any
    COLOR_BGR2RGB: Any
    COLOR_BGR2RGBA: Any
    COLOR_BGRA2BGR: Any
    COLOR_BGRA2GRAY: Any
    COLOR_BGRA2RGB: Any
    COLOR_BGRA2RGBA: Any
    COLOR_GRAY2BGR: Any
    COLOR_GRAY2BGRA: Any
    COLOR_GRAY2RGB: Any
    COLOR_GRAY2RGBA: Any
    COLOR_RGB2BGR: Any
    COLOR_RGB2BGRA: Any
    COLOR_RGB2GRAY: Any
    COLOR_RGB2RGBA: Any
    COLOR_RGBA2BGR: Any
    COLOR_RGBA2BGRA: Any
    COLOR_RGBA2GRAY: Any
    COLOR_RGBA2RGB: Any
    @staticmethod
    def to_c_type(mode) -> Any: """Return the conversion itself; raises RuntimeError where it is none."""
class Crop(DeviceOperation):
    """Cut a window out of the image."""
    def __init__(self, coordinates: Sequence[int], size: int | Sequence[int]) -> None: ...
    implementation: Any
    coordinates: Any
    size: Any
class CutMixBatch(ImageOperation):
    """Replace a window of each image of a batch by that of another, and mix the labels by the areas."""
    def __init__(self, image_batch_format: ImageBatchFormat, alpha: int | float=1.0, prob: int | float=1.0) -> None: ...
    def apply(self, *columns) -> tuple[Any, Any]: ...
    deterministic: Any
    implementation: Any
    image_batch_format: Any
    alpha: Any
    prob: Any
class CutOut(ImageOperation):
    """Fill squares at random places of the image with black."""
    def __init__(self, length: int, num_patches: int=1, is_hwc: bool=True) -> None: ...
    deterministic: Any
    dtypes: Any
    implementation: Any
    ranks: Any
    length: Any
    num_patches: Any
    is_hwc: Any
class Decode(DeviceOperation):
    """Decode an image file into <H, W, 3> RGB."""
    def __call__(self, img) -> Any: ...
    def __init__(self, to_pil: bool=False) -> None: ...
    def apply(self, img: np.ndarray) -> Any: ...
    def device(self, device_target: str='CPU') -> Any: """Choose the device that runs the operation and return the operation; Pillow images exist on the CPU only."""
    to_pil: Any
    implementation: Any
class DecodeVideo(ImageOperation):
    """Decode a video file into its frames, uint8 of <T, H, W, 3>, and its sound, <C, L>."""
    def __call__(self, data: np.ndarray) -> Any: ...
    def apply(self, data: np.ndarray) -> tuple[np.ndarray, Any]: ...
    implementation: Any
class Equalize(DeviceOperation):
    """Make the histogram of each channel even."""
    channels: Any
    dtypes: Any
    keeps_bools: Any
class Erase(DeviceOperation):
    """Fill a rectangle of the image with a colour; what of it lies outside is left away."""
    def __init__(self, top: int, left: int, height: int, width: int, value: int | float | tuple[int | float, int | float, int | float]=0.0, inplace: bool=False) -> None: ...
    channels: Any
    implementation: Any
    ranks: Any
    top: Any
    left: Any
    height: Any
    width: Any
    value: Any
    inplace: Any
class FiveCrop(ImageOperation):
    """Cut the four corners and the middle out of a Pillow image."""
    def __call__(self, img) -> Any: ...
    def __init__(self, size: int | Sequence[int]) -> None: ...
    implementation: Any
    size: Any
class GaussianBlur(DeviceOperation):
    """Blur the image with a Gaussian kernel."""
    def __init__(self, kernel_size: int | Sequence[int], sigma=None) -> None: ...
    def device(self, device_target: str='CPU') -> Self: """Choose the device that runs the operation and return the operation; Ascend has kernels of 1, 3 and 5 only."""
    implementation: Any
    keeps_bools: Any
    kernel_size: Any
    sigma: Any
class Grayscale(ImageOperation):
    """Turn a Pillow image grey."""
    def __call__(self, img) -> Any: ...
    def __init__(self, num_output_channels: Literal[1, 3]=1) -> None: ...
    implementation: Any
    num_output_channels: Any
class HWC2CHW(ImageOperation):
    """Turn an <H, W, C> image into <C, H, W>; <H, W> stays as it is."""
    def apply_block(self, images: np.ndarray) -> Any: """Turn images stacked along a leading axis."""
    elementwise: Any
    implementation: Any
class HorizontalFlip(DeviceOperation):
    """Mirror the image left to right."""
    implementation: Any
    stacked: Any
class HsvToRgb(RgbToHsv):
    """Turn HSV arrays into RGB, as `colorsys` defines it for values from 0 to 1."""
class ImageBatchFormat(IntEnum):
    """The order of the axes of a batch of images."""
    NCHW: Any
    NHWC: Any
    @staticmethod
    def to_c_type(image_batch_format) -> Any: """Return the format itself; raises RuntimeError where it is none."""
class ImageReadMode(IntEnum):
    """The channels that `read_image` returns: those of the file, one, or three."""
    COLOR: Any
    GRAYSCALE: Any
    UNCHANGED: Any
    @staticmethod
    def to_c_type(image_read_mode) -> Any: """Return the mode itself; raises RuntimeError where it is none."""
class Inter(IntEnum):
    """The interpolation of an operation that samples between pixels."""
    ANTIALIAS: Any
    AREA: Any
    BICUBIC: Any
    BILINEAR: Any
    CUBIC: Any
    LINEAR: Any
    NEAREST: Any
    PILCUBIC: Any
    @staticmethod
    def to_c_type(inter_type) -> Any: """Return the interpolation itself; raises RuntimeError where arrays have none."""
    @staticmethod
    def to_python_type(inter_type) -> Any: """Return Pillow's constant of this interpolation; raises RuntimeError where Pillow has none."""
class Invert(DeviceOperation):
    """Give the negative of the image: 255 less each value."""
    channels: Any
    ranks: Any
class LinearTransformation(ImageOperation):
    """Subtract a mean from the flattened array and multiply it by a square matrix (whitening)."""
    def __init__(self, transformation_matrix: np.ndarray, mean_vector: np.ndarray) -> None: ...
    def apply(self, image: np.ndarray) -> Any: ...
    implementation: Any
    transformation_matrix: Any
    mean_vector: Any
class MixUp(ImageOperation):
    """Mix each image of a batch, and its label, with the next one or with that of the batch before."""
    def __call__(self, image, label) -> Any: ...
    def __init__(self, batch_size: int, alpha: int | float, is_single: bool=True) -> None: ...
    def apply(self, image: np.ndarray, label) -> tuple[Any, ...]: ...
    deterministic: Any
    implementation: Any
    batch_size: Any
    alpha: Any
    is_single: Any
    before: Any
class MixUpBatch(ImageOperation):
    """Mix each image of a batch, and its label, with another one."""
    def __init__(self, alpha: int | float=1.0) -> None: ...
    def apply(self, *columns) -> tuple[Any, Any]: ...
    deterministic: Any
    implementation: Any
    alpha: Any
class Normalize(DeviceOperation):
    """Subtract a mean from each channel and divide it by a standard deviation; the result is float32."""
    def __init__(self, mean: Sequence[int | float], std: Sequence[int | float], is_hwc: bool=True) -> None: ...
    def apply(self, image: np.ndarray) -> Any: ...
    def apply_block(self, images: np.ndarray) -> Any: """Normalize images stacked along a leading axis."""
    dtypes: Any
    elementwise: Any
    implementation: Any
    stacked: Any
    mean: Any
    std: Any
    is_hwc: Any
class NormalizePad(ImageOperation):
    """Normalize the image and add a channel of zeros."""
    def __init__(self, mean: Sequence[int | float], std: Sequence[int | float], dtype: Literal['float32', 'float16']='float32', is_hwc: bool=True) -> None: ...
    dtypes: Any
    implementation: Any
    mean: Any
    std: Any
    dtype: Any
    is_hwc: Any
class Pad(DeviceOperation):
    """Add pixels at the four sides of the image."""
    def __init__(self, padding: int | Sequence[int], fill_value: int | tuple[int, int, int]=0, padding_mode: Border=...) -> None: ...
    keeps_bools: Any
    padding: Any
    fill_value: Any
    padding_mode: Any
class PadToSize(ImageOperation):
    """Pad the image to a size."""
    def __init__(self, size: int | Sequence[int], offset: int | Sequence[int] | None=None, fill_value: int | tuple[int, int, int]=0, padding_mode: Border=...) -> None: ...
    implementation: Any
    keeps_bools: Any
    size: Any
    offset: Any
    fill_value: Any
    padding_mode: Any
class Perspective(DeviceOperation):
    """Warp the image so that four points move to four others."""
    def __init__(self, start_points: Sequence[Sequence[int]], end_points: Sequence[Sequence[int]], interpolation: Inter=...) -> None: ...
    ascend_interpolation: Any
    keeps_bools: Any
    start_points: Any
    end_points: Any
    interpolation: Any
class Posterize(DeviceOperation):
    """Keep the highest bits of each value."""
    def __init__(self, bits: int) -> None: ...
    dtypes: Any
    implementation: Any
    keeps_bools: Any
    bits: Any
class RandAugment(ImageOperation):
    """Augment the image by randomly chosen operations of one magnitude (arXiv:1909.13719)."""
    def __init__(self, num_ops: int=2, magnitude: int=9, num_magnitude_bins: int=31, interpolation: Inter=..., fill_value: int | tuple[int, int, int]=0) -> None: ...
    channels: Any
    deterministic: Any
    dtypes: Any
    implementation: Any
    ranks: Any
    num_ops: Any
    magnitude: Any
    num_magnitude_bins: Any
    interpolation: Any
    fill_value: Any
class RandomAdjustSharpness(WithChance):
    """Multiply the distance of the image from its smoothed version, with a probability."""
    def __init__(self, degree: int | float, prob: int | float=0.5) -> None: ...
    implementation: Any
    keeps_bools: Any
    degree: Any
class RandomAffine(ImageOperation):
    """Turn, move, scale and shear the image about its middle by random amounts."""
    def __init__(self, degrees: int | float | Sequence[int | float], translate: Sequence[int | float] | None=None, scale: Sequence[int | float] | None=None, shear=None, resample: Inter=..., fill_value: int | tuple[int, int, int] | None=0) -> None: ...
    def apply(self, image: np.ndarray) -> Any: ...
    deterministic: Any
    degrees: Any
    translate: Any
    scale_: Any
    shear: Any
    resample: Any
    fill_value: Any
class RandomAutoContrast(WithChance):
    """Stretch each channel to the whole range of values, with a probability."""
    def __init__(self, cutoff: int | float=0.0, ignore: int | Sequence[int] | None=None, prob: int | float=0.5) -> None: ...
    channels: Any
    dtypes: Any
    implementation: Any
    keeps_bools: Any
    cutoff: Any
    ignore: Any
class RandomColor(ImageOperation):
    """Multiply the distance of the image from its grey version by a random factor."""
    def __init__(self, degrees: Sequence[int | float] | None=...) -> None: ...
    channels: Any
    deterministic: Any
    dtypes: Any
    keeps_bools: Any
    ranks: Any
    degrees: Any
class RandomColorAdjust(ImageOperation):
    """Change brightness, contrast, saturation and hue by random factors."""
    def __init__(self, brightness: Any=(1, 1), contrast: Any=(1, 1), saturation: Any=(1, 1), hue: Any=(0, 0)) -> None: ...
    channels: Any
    deterministic: Any
    dtypes: Any
    ranks: Any
    brightness: Any
    contrast: Any
    saturation: Any
    hue: Any
class RandomCrop(ImageOperation):
    """Cut a window out of the image at a random place."""
    def __init__(self, size: int | Sequence[int], padding: int | Sequence[int] | None=None, pad_if_needed: bool=False, fill_value: int | tuple[int, int, int] | None=0, padding_mode: Border | None=...) -> None: ...
    def apply(self, *columns: np.ndarray) -> Any: ...
    channels: Any
    deterministic: Any
    keeps_bools: Any
    stacked: Any
    def window(self, shape: Sequence[int]) -> tuple[tuple[Any, Any, Any, Any], tuple[Any, Any]]: """Return the (left, top, right, bottom) padding of an image of `shape` and a random (top, left) in that."""
    size: Any
    padding: Any
    pad_if_needed: Any
    fill_value: Any
    padding_mode: Any
class RandomCropDecodeResize(RandomResizedCrop):
    """Decode an image file, cut a window of random place, area and aspect ratio out of it and resize it."""
    def __call__(self, img: np.ndarray) -> Any: ...
    def apply(self, file: str) -> Any: ...
    implementation: Any
class RandomCropWithBBox(RandomCrop):
    """Cut a window out of the image at a random place, and its bounding boxes with it."""
    def apply(self, *columns) -> Any: ...
    deterministic: Any
    implementation: Any
class RandomEqualize(WithChance):
    """Make the histogram of each channel even, with a probability."""
    channels: Any
    dtypes: Any
    implementation: Any
class RandomErasing(ImageOperation):
    """Fill a rectangle of random place, area and aspect ratio of a <C, H, W> array, with a probability."""
    def __call__(self, np_img: np.ndarray) -> Any: ...
    def __init__(self, prob: int | float=0.5, scale: Sequence[int | float]=..., ratio: Sequence[int | float]=..., value: int | Literal['random'] | Sequence[int]=0, inplace: bool=False, max_attempts: int=10) -> None: ...
    def apply(self, image: np.ndarray) -> Any: ...
    deterministic: Any
    implementation: Any
    prob: Any
    scale: Any
    ratio: Any
    value: Any
    inplace: Any
    max_attempts: Any
class RandomGrayscale(ImageOperation):
    """Turn a Pillow image grey with a probability; the number of its channels stays."""
    def __init__(self, prob: int | float=0.1) -> None: ...
    deterministic: Any
    implementation: Any
    prob: Any
class RandomHorizontalFlip(WithChance):
    """Mirror the image left to right with a probability."""
    several: Any
    stacked: Any
class RandomHorizontalFlipWithBBox(ImageOperation):
    """Mirror the image and its bounding boxes left to right with a probability."""
    def __init__(self, prob: int | float=0.5) -> None: ...
    def apply(self, *columns) -> Any: ...
    axis: Any
    deterministic: Any
    implementation: Any
    prob: Any
class RandomInvert(WithChance):
    """Give the negative of the image, with a probability."""
    channels: Any
    implementation: Any
    ranks: Any
class RandomLighting(ImageOperation):
    """Add AlexNet's lighting noise: random multiples of the principal components of ImageNet's colours."""
    def __init__(self, alpha: int | float=0.05) -> None: ...
    channels: Any
    deterministic: Any
    ranks: Any
    alpha: Any
class RandomPerspective(ImageOperation):
    """Warp a Pillow image by moving its corners at random, with a probability."""
    def __init__(self, distortion_scale: float=0.5, prob: float=0.5, interpolation: Inter=...) -> None: ...
    deterministic: Any
    implementation: Any
    distortion_scale: Any
    prob: Any
    interpolation: Any
class RandomPosterize(ImageOperation):
    """Keep a random number of the highest bits of each value."""
    def __init__(self, bits: int | Sequence[int]=(8, 8)) -> None: ...
    deterministic: Any
    dtypes: Any
    implementation: Any
    keeps_bools: Any
    bits: Any
class RandomResize(ImageOperation):
    """Resize the image with a randomly chosen interpolation."""
    def __init__(self, size: int | bool | Sequence[int]) -> None: ...
    def apply(self, *columns: np.ndarray) -> Any: ...
    deterministic: Any
    implementation: Any
    size: Any
class RandomResizeWithBBox(ResizeWithBBox):
    """Resize the image with a randomly chosen interpolation, and its bounding boxes."""
    def __init__(self, size: int | bool | Sequence[int]) -> None: ...
    deterministic: Any
class RandomResizedCrop(ImageOperation):
    """Cut a window of random place, area and aspect ratio out of the image and resize it."""
    def __init__(self, size: int | Sequence[int], scale: Sequence[int | float] | None=..., ratio: Sequence[int | float] | None=..., interpolation: Inter | None=..., max_attempts: int | None=10) -> None: ...
    def apply(self, *columns: np.ndarray) -> Any: ...
    deterministic: Any
    stacked: Any
    def window(self, shape: Sequence[int]) -> tuple[Any, Any, Any, Any]: """Return a random (top, left, height, width) in an image of `shape`."""
    size: Any
    scale: Any
    ratio: Any
    interpolation: Any
    max_attempts: Any
class RandomResizedCropWithBBox(RandomResizedCrop):
    """Cut a window of random place, area and aspect ratio out of the image, and resize it and its bounding boxes."""
    def apply(self, *columns) -> Any: ...
    deterministic: Any
    implementation: Any
class RandomRotation(ImageOperation):
    """Turn the image counter-clockwise by a random angle."""
    def __init__(self, degrees: int | float | Sequence[int | float], resample: Inter=..., expand: bool=False, center: tuple[int | float, int | float] | None=None, fill_value: int | tuple[int, int, int]=0) -> None: ...
    deterministic: Any
    @property
    def keeps_bools(self) -> bool: ...
    resample: Any
    expand: Any
    center: Any
    fill_value: Any
    degrees: Any
class RandomSelectSubpolicy(ImageOperation):
    """Run a randomly chosen sub-policy, each of its operations with its probability."""
    def __init__(self, policy: list[list[Any]]) -> None: ...
    def apply(self, *columns) -> Any: ...
    deterministic: Any
    implementation: Any
    policy: Any
class RandomSharpness(ImageOperation):
    """Multiply the distance of the image from its smoothed version by a random factor."""
    def __init__(self, degrees: Sequence[int | float] | None=...) -> None: ...
    deterministic: Any
    keeps_bools: Any
    degrees: Any
class RandomSolarize(ImageOperation):
    """Invert the values within a random range."""
    def __init__(self, threshold: tuple[int, ...]=(0, 255)) -> None: ...
    channels: Any
    deterministic: Any
    implementation: Any
    threshold: Any
class RandomVerticalFlip(WithChance):
    """Mirror the image top to bottom with a probability."""
    several: Any
class RandomVerticalFlipWithBBox(RandomHorizontalFlipWithBBox):
    """Mirror the image and its bounding boxes top to bottom with a probability."""
    axis: Any
class Rescale(ImageOperation):
    """Multiply the values and add to them: output = image * rescale + shift, as float32."""
    def __init__(self, rescale: int | float, shift: int | float) -> None: ...
    elementwise: Any
    implementation: Any
    ranks: Any
    rescale: Any
    shift: Any
class Resize(DeviceOperation):
    """Resize the image to a size, or its shorter side to a length with the aspect ratio kept."""
    def __init__(self, size: int | bool | Sequence[int], interpolation: Inter=...) -> None: ...
    ascend_interpolation: Any
    stacked: Any
    size: Any
    interpolation: Any
class ResizeWithBBox(ImageOperation):
    """Resize the image and its bounding boxes."""
    def __init__(self, size: int | bool | Sequence[int], interpolation: Inter=...) -> None: ...
    def apply(self, *columns) -> Any: ...
    implementation: Any
    size: Any
    interpolation: Any
class ResizedCrop(DeviceOperation):
    """Cut a window out of the image and resize it."""
    def __init__(self, top: int, left: int, height: int, width: int, size: int | Sequence[int], interpolation: Inter=...) -> None: ...
    ascend_interpolation: Any
    implementation: Any
    top: Any
    left: Any
    height: Any
    width: Any
    size: Any
    interpolation: Any
class RgbToHsv(ImageOperation):
    """Turn RGB arrays into HSV, as `colorsys` defines it for values from 0 to 1."""
    def __call__(self, img) -> Any: ...
    def __init__(self, is_hwc: bool=False) -> None: ...
    def apply(self, image: np.ndarray) -> np.ndarray: ...
    implementation: Any
    is_hwc: Any
class Rotate(DeviceOperation):
    """Turn the image counter-clockwise."""
    def __init__(self, degrees: int | float, resample: Inter=..., expand: bool=False, center: tuple[int | float, int | float] | None=None, fill_value: int | tuple[int, int, int]=0) -> None: ...
    ascend_interpolation: Any
    implementation: Any
    @property
    def keeps_bools(self) -> bool: ...
    stacked: Any
    degrees: Any
    resample: Any
    expand: Any
    center: Any
    fill_value: Any
class SliceMode(IntEnum):
    """The handling of an image that `SlicePatches` cannot divide evenly: PAD it, or DROP the rest."""
    DROP: Any
    PAD: Any
    @staticmethod
    def to_c_type(mode) -> Any: """Return the mode itself; raises RuntimeError where it is none."""
class SlicePatches(ImageOperation):
    """Cut the image into patches, row by row; each is a column of its own."""
    def __init__(self, num_height: int | None=1, num_width: int | None=1, slice_mode: SliceMode | None=..., fill_value: int | None=0) -> None: ...
    implementation: Any
    keeps_bools: Any
    num_height: Any
    num_width: Any
    slice_mode: Any
    fill_value: Any
class Solarize(DeviceOperation):
    """Invert the values within a range."""
    def __init__(self, threshold: int | float | Sequence[int | float]) -> None: ...
    channels: Any
    implementation: Any
    threshold: Any
class TenCrop(FiveCrop):
    """Cut the four corners and the middle out of a Pillow image and out of its mirror image."""
    def __init__(self, size: int | Sequence[int], use_vertical_flip: bool | None=False) -> None: ...
    use_vertical_flip: Any
class ToNumpy(ImageOperation):
    """Turn a Pillow image into an array."""
    def __call__(self, img) -> Any: ...
    def apply(self, img: np.ndarray) -> np.ndarray: ...
    implementation: Any
class ToPIL(ImageOperation):
    """Turn an array into a Pillow image."""
    def __call__(self, img) -> Any: ...
    implementation: Any
class ToTensor(ImageOperation):
    """Turn an <H, W, C> or <H, W> image of bytes into a <C, H, W> array of values from 0 to 1."""
    def __call__(self, img) -> Any: ...
    def __init__(self, output_type: Type | np.dtype | type=...) -> None: ...
    def apply_block(self, images: np.ndarray) -> Any: """Turn images stacked along a leading axis."""
    elementwise: Any
    implementation: Any
    keeps_bools: Any
    output_type: Any
class ToType(TypeCast):
    """Change the type of the values."""
class TrivialAugmentWide(ImageOperation):
    """Augment the image by one randomly chosen operation of a random magnitude (arXiv:2103.10158)."""
    def __init__(self, num_magnitude_bins: int=31, interpolation: Inter=..., fill_value: int | tuple[int, int, int]=0) -> None: ...
    channels: Any
    deterministic: Any
    dtypes: Any
    implementation: Any
    ranks: Any
    num_magnitude_bins: Any
    interpolation: Any
    fill_value: Any
class UniformAugment(ImageOperation):
    """Run some randomly chosen operations, each with probability 1/2."""
    def __init__(self, transforms: Sequence[Callable[..., Any]], num_ops: int=2) -> None: ...
    def apply(self, image: np.ndarray) -> Any: ...
    deterministic: Any
    dtypes: Any
    def parse_transforms(self) -> list[Any]: """Return the operations to choose among."""
    transforms: Any
    num_ops: Any
class VerticalFlip(DeviceOperation):
    """Mirror the image top to bottom."""
    implementation: Any
    stacked: Any
class VideoDecoder:
    """Give single frames of a video file."""
    def __init__(self, source: str) -> None: ...
    def get_frames_at(self, indices: list[int]) -> np.ndarray: """Return the frames of the given numbers, uint8 of <N, H, W, 3>."""
    @property
    def metadata(self) -> dict[str, Any]: ...
    source: Any
def encode_jpeg(image, quality: int=75) -> Any: """Return an image as the bytes of a JPEG file, a 1-D uint8 array."""
def encode_png(image, compression_level: int=6) -> Any: """Return an image as the bytes of a PNG file, a 1-D uint8 array."""
def get_image_num_channels(image) -> Any: """Return the number of channels of an image."""
def get_image_size(image) -> list[Any]: """Return [height, width] of an image."""
def read_file(filename: str) -> np.ndarray: """Return the bytes of a file, a 1-D uint8 array."""
def read_image(filename: str, mode: ImageReadMode=...) -> Any: """Return the image in a file as <H, W, C>, C being 1 or 3 (RGB)."""
def read_video(filename: str, start_pts: Any=0, end_pts=None, pts_unit: Literal['pts', 'sec']='pts') -> tuple[np.ndarray, Any, Any]: """Return the pictures, the sound and the rates of a video file."""
def read_video_timestamps(filename: str, pts_unit: Literal['pts', 'sec']='pts') -> tuple[Any, Any]: """Return the time stamps of the frames of a video file and its frames a second."""
def write_file(filename: str, data) -> None: """Write a 1-D uint8 array to a file."""
def write_jpeg(filename: str, image, quality: int=75) -> None: """Write an image to a JPEG file."""
def write_png(filename: str, image, compression_level: int=6) -> None: """Write an image to a PNG file."""
