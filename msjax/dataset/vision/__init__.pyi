"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, overload
from msjax.dataset.transforms import not_random as not_random
from msjax.dataset.vision import c_transforms as c_transforms
from msjax.dataset.vision import py_transforms as py_transforms
from msjax.dataset.vision import transforms as transforms
from msjax.dataset.vision import utils as utils

from msjax import Type as Type
from msjax.dataset.operation import Operation as Operation
import numpy as np
from msjax.dataset.text import IntEnum as IntEnum
from msjax.dataset.transforms import TypeCast as TypeCast
class AdjustBrightness:
    """Multiply the brightness of the image."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, brightness_factor: int | float) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class AdjustContrast:
    """Multiply the distance of the image from its mean grey."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, contrast_factor: int | float) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class AdjustGamma:
    """Raise the values of the image, as shares of the largest, to a power."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, gamma: int | float, gain: int | float | None=1) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class AdjustHue:
    """Move the hue of the image around the colour circle."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, hue_factor: int | float) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class AdjustSaturation:
    """Multiply the distance of the image from its grey version."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, saturation_factor: int | float) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class AdjustSharpness:
    """Multiply the distance of the image from its smoothed version."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, sharpness_factor: int | float) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class Affine:
    """Turn, move, scale and shear the image about its middle."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, degrees: int | float, translate: Sequence[int | float], scale: int | float, shear, resample: Inter=..., fill_value: int | tuple[int, int, int]=0) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class AutoAugment:
    """Augment the image by one of the sub-policies that were learned for a data set."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, policy: AutoAugmentPolicy=..., interpolation: Inter=..., fill_value: int | tuple[int, int, int]=0) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class AutoAugmentPolicy(str):
    """The data set whose learned policy `AutoAugment` applies."""
    CIFAR10: Any
    IMAGENET: Any
    SVHN: Any
    @staticmethod
    def to_c_type(policy): """Return the policy itself; raises RuntimeError where it is none."""
class AutoContrast:
    """Stretch each channel to the whole range of values."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, cutoff: int | float=0.0, ignore: int | Sequence[int] | None=None) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class Border(str):
    """The content of padded pixels."""
    CONSTANT: Any
    EDGE: Any
    REFLECT: Any
    SYMMETRIC: Any
    @staticmethod
    def to_c_type(border_type): """Return the border itself; raises RuntimeError where it is none."""
    @staticmethod
    def to_python_type(border_type): """Return the name that `numpy.pad` gives this border; raises RuntimeError where it is none."""
class BoundingBoxAugment:
    """Run an image operation on the insides of randomly chosen bounding boxes."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, transform: Operation, ratio: int | float=0.3) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class CenterCrop:
    """Cut out the middle of the image, padded with zeros if the image is smaller."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, size: int | Sequence[int]) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class ConvertColor:
    """Convert the image to another colour space."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, convert_mode: ConvertMode) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
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
    def to_c_type(mode): """Return the conversion itself; raises RuntimeError where it is none."""
class Crop:
    """Cut a window out of the image."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, coordinates: Sequence[int], size: int | Sequence[int]) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class CutMixBatch:
    """Replace a window of each image of a batch by that of another, and mix the labels by the areas."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, image_batch_format: ImageBatchFormat, alpha: int | float=1.0, prob: int | float=1.0) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class CutOut:
    """Fill squares at random places of the image with black."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, length: int, num_patches: int=1, is_hwc: bool=True) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class Decode:
    """Decode an image file into <H, W, 3> RGB."""
    def __call__(self, img): ...
    def __init__(self, to_pil: bool=False) -> None: ...
    def apply(self, img: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: str='CPU'): """Choose the device that runs the operation and return the operation; Pillow images exist on the CPU only."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class DecodeVideo:
    """Decode a video file into its frames, uint8 of <T, H, W, 3>, and its sound, <C, L>."""
    def __call__(self, data): ...
    def __init__(self) -> None: """Make an operation that has no parameters."""
    def apply(self, data): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class Equalize:
    """Make the histogram of each channel even."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self) -> None: """Make an operation that has no parameters."""
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class Erase:
    """Fill a rectangle of the image with a colour."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, top: int, left: int, height: int, width: int, value: int | float | tuple[int | float, int | float, int | float]=0.0, inplace: bool=False) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class FiveCrop:
    """Cut the four corners and the middle out of a Pillow image."""
    def __call__(self, img): ...
    def __init__(self, size: int | Sequence[int]) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class GaussianBlur:
    """Blur the image with a Gaussian kernel."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, kernel_size: int | Sequence[int], sigma=None) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: str='CPU'): """Choose the device that runs the operation and return the operation; Ascend has kernels of 1, 3 and 5 only."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class Grayscale:
    """Turn a Pillow image grey."""
    def __call__(self, img): ...
    def __init__(self, num_output_channels: Literal[1, 3]=1) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class HWC2CHW:
    """Turn an <H, W, C> image into <C, H, W>; <H, W> stays as it is."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self) -> None: """Make an operation that has no parameters."""
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, images: np.ndarray): """Turn images stacked along a leading axis."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class HorizontalFlip:
    """Mirror the image left to right."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self) -> None: """Make an operation that has no parameters."""
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class HsvToRgb(RgbToHsv):
    """Turn HSV arrays into RGB, as `colorsys` defines it for values from 0 to 1."""
class ImageBatchFormat(IntEnum):
    """The order of the axes of a batch of images."""
    NCHW: Any
    NHWC: Any
    @staticmethod
    def to_c_type(image_batch_format): """Return the format itself; raises RuntimeError where it is none."""
class ImageReadMode(IntEnum):
    """The channels that `read_image` returns: those of the file, one, or three."""
    COLOR: Any
    GRAYSCALE: Any
    UNCHANGED: Any
    @staticmethod
    def to_c_type(image_read_mode): """Return the mode itself; raises RuntimeError where it is none."""
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
    def to_c_type(inter_type): """Return the interpolation itself; raises RuntimeError where arrays have none."""
    @staticmethod
    def to_python_type(inter_type): """Return Pillow's constant of this interpolation; raises RuntimeError where Pillow has none."""
class Invert:
    """Give the negative of the image: 255 less each value."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self) -> None: """Make an operation that has no parameters."""
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class LinearTransformation:
    """Subtract a mean from the flattened array and multiply it by a square matrix (whitening)."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, transformation_matrix: np.ndarray, mean_vector: np.ndarray) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class MixUp:
    """Mix each image of a batch, and its label, with the next one or with that of the batch before."""
    def __call__(self, image, label): ...
    def __init__(self, batch_size: int, alpha: int | float, is_single: bool=True) -> None: ...
    def apply(self, image: np.ndarray, label): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class MixUpBatch:
    """Mix each image of a batch, and its label, with another one."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, alpha: int | float=1.0) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class Normalize:
    """Subtract a mean from each channel and divide it by a standard deviation; the result is float32."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, mean: Sequence[int | float], std: Sequence[int | float], is_hwc: bool=True) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, images: np.ndarray): """Normalize images stacked along a leading axis."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class NormalizePad:
    """Normalize the image and add a channel of zeros."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, mean: Sequence[int | float], std: Sequence[int | float], dtype: Literal['float32', 'float16']='float32', is_hwc: bool=True) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class Pad:
    """Add pixels at the four sides of the image."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, padding: int | Sequence[int], fill_value: int | tuple[int, int, int]=0, padding_mode: Border=...) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class PadToSize:
    """Pad the image to a size."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, size: int | Sequence[int], offset: int | Sequence[int] | None=None, fill_value: int | tuple[int, int, int]=0, padding_mode: Border=...) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class Perspective:
    """Warp the image so that four points move to four others."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, start_points: Sequence[Sequence[int]], end_points: Sequence[Sequence[int]], interpolation: Inter=...) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class Posterize:
    """Keep the highest bits of each value."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, bits: int) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandAugment:
    """Augment the image by randomly chosen operations of one magnitude (arXiv:1909.13719)."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, num_ops: int=2, magnitude: int=9, num_magnitude_bins: int=31, interpolation: Inter=..., fill_value: int | tuple[int, int, int]=0) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomAdjustSharpness:
    """Multiply the distance of the image from its smoothed version, with a probability."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, degree: int | float, prob: int | float=0.5) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomAffine:
    """Turn, move, scale and shear the image about its middle by random amounts."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, degrees: int | float | Sequence[int | float], translate: Sequence[int | float] | None=None, scale: Sequence[int | float] | None=None, shear=None, resample: Inter=..., fill_value: int | tuple[int, int, int] | None=0) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomAutoContrast:
    """Stretch each channel to the whole range of values, with a probability."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, cutoff: int | float=0.0, ignore: int | Sequence[int] | None=None, prob: int | float=0.5) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomColor:
    """Multiply the distance of the image from its grey version by a random factor."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, degrees: Sequence[int | float] | None=...) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomColorAdjust:
    """Change brightness, contrast, saturation and hue by random factors."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, brightness: Any=(1, 1), contrast: Any=(1, 1), saturation: Any=(1, 1), hue: Any=(0, 0)) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomCrop:
    """Cut a window out of the image at a random place."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, size: int | Sequence[int], padding: int | Sequence[int] | None=None, pad_if_needed: bool=False, fill_value: int | tuple[int, int, int] | None=0, padding_mode: Border | None=...) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
    def window(self, shape: Sequence[int]): """Return the (left, top, right, bottom) padding of an image of `shape` and a random (top, left) in that."""
class RandomCropDecodeResize(RandomResizedCrop):
    """Decode an image file, cut a window of random place, area and aspect ratio out of it and resize it."""
    def __call__(self, img: np.ndarray): ...
    def apply(self, file: str): ...
    implementation: Any
class RandomCropWithBBox(RandomCrop):
    """Cut a window out of the image at a random place, and its bounding boxes with it."""
    def apply(self, *columns): ...
    deterministic: Any
    implementation: Any
class RandomEqualize:
    """Make the histogram of each channel even, with a probability."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, prob: int | float=0.5) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomErasing:
    """Fill a rectangle of random place, area and aspect ratio of a <C, H, W> array, with a probability."""
    def __call__(self, np_img: np.ndarray): ...
    def __init__(self, prob: int | float=0.5, scale: Sequence[int | float]=..., ratio: Sequence[int | float]=..., value: int | Literal['random'] | Sequence[int]=0, inplace: bool=False, max_attempts: int=10) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomGrayscale:
    """Turn a Pillow image grey with a probability; the number of its channels stays."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, prob: int | float=0.1) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomHorizontalFlip:
    """Mirror the image left to right with a probability."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, prob: int | float=0.5) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomHorizontalFlipWithBBox:
    """Mirror the image and its bounding boxes left to right with a probability."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, prob: int | float=0.5) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    axis: Any
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomInvert:
    """Give the negative of the image, with a probability."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, prob: int | float=0.5) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomLighting:
    """Add AlexNet's lighting noise: random multiples of the principal components of ImageNet's colours."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, alpha: int | float=0.05) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomPerspective:
    """Warp a Pillow image by moving its corners at random, with a probability."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, distortion_scale: float=0.5, prob: float=0.5, interpolation: Inter=...) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomPosterize:
    """Keep a random number of the highest bits of each value."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, bits: int | Sequence[int]=(8, 8)) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomResize:
    """Resize the image with a randomly chosen interpolation."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, size: int | bool | Sequence[int]) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomResizeWithBBox(ResizeWithBBox):
    """Resize the image with a randomly chosen interpolation, and its bounding boxes."""
    def __init__(self, size: int | bool | Sequence[int]) -> None: ...
    deterministic: Any
class RandomResizedCrop:
    """Cut a window of random place, area and aspect ratio out of the image and resize it."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, size: int | Sequence[int], scale: Sequence[int | float] | None=..., ratio: Sequence[int | float] | None=..., interpolation: Inter | None=..., max_attempts: int | None=10) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
    def window(self, shape: Sequence[int]): """Return a random (top, left, height, width) in an image of `shape`."""
class RandomResizedCropWithBBox(RandomResizedCrop):
    """Cut a window of random place, area and aspect ratio out of the image, and resize it and its bounding boxes."""
    def apply(self, *columns): ...
    deterministic: Any
    implementation: Any
class RandomRotation:
    """Turn the image counter-clockwise by a random angle."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, degrees: int | float | Sequence[int | float], resample: Inter=..., expand: bool=False, center: tuple[int | float, int | float] | None=None, fill_value: int | tuple[int, int, int]=0) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    @property
    def keeps_bools(self) -> Any: ...
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomSelectSubpolicy:
    """Run a randomly chosen sub-policy, each of its operations with its probability."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, policy: list[list[Any]]) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomSharpness:
    """Multiply the distance of the image from its smoothed version by a random factor."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, degrees: Sequence[int | float] | None=...) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomSolarize:
    """Invert the values within a random range."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, threshold: tuple[int, ...]=(0, 255)) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomVerticalFlip:
    """Mirror the image top to bottom with a probability."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, prob: int | float=0.5) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RandomVerticalFlipWithBBox(RandomHorizontalFlipWithBBox):
    """Mirror the image and its bounding boxes top to bottom with a probability."""
    axis: Any
class Rescale:
    """Multiply the values and add to them: output = image * rescale + shift, as float32."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, rescale: int | float, shift: int | float) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class Resize:
    """Resize the image to a size, or its shorter side to a length with the aspect ratio kept."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, size: int | bool | Sequence[int], interpolation: Inter=...) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class ResizeWithBBox:
    """Resize the image and its bounding boxes."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, size: int | bool | Sequence[int], interpolation: Inter=...) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class ResizedCrop:
    """Cut a window out of the image and resize it."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, top: int, left: int, height: int, width: int, size: int | Sequence[int], interpolation: Inter=...) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class RgbToHsv:
    """Turn RGB arrays into HSV, as `colorsys` defines it for values from 0 to 1."""
    def __call__(self, img): ...
    def __init__(self, is_hwc: bool=False) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class Rotate:
    """Turn the image counter-clockwise."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, degrees: int | float, resample: Inter=..., expand: bool=False, center: tuple[int | float, int | float] | None=None, fill_value: int | tuple[int, int, int]=0) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    @property
    def keeps_bools(self) -> Any: ...
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class SliceMode(IntEnum):
    """The handling of an image that `SlicePatches` cannot divide evenly: PAD it, or DROP the rest."""
    DROP: Any
    PAD: Any
    @staticmethod
    def to_c_type(mode): """Return the mode itself; raises RuntimeError where it is none."""
class SlicePatches:
    """Cut the image into patches, row by row; each is a column of its own."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, num_height: int | None=1, num_width: int | None=1, slice_mode: SliceMode | None=..., fill_value: int | None=0) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class Solarize:
    """Invert the values within a range."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, threshold: int | float | Sequence[int | float]) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class TenCrop(FiveCrop):
    """Cut the four corners and the middle out of a Pillow image and out of its mirror image."""
    def __init__(self, size: int | Sequence[int], use_vertical_flip: bool | None=False) -> None: ...
class ToNumpy:
    """Turn a Pillow image into an array."""
    def __call__(self, img): ...
    def __init__(self) -> None: """Make an operation that has no parameters."""
    def apply(self, img: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class ToPIL:
    """Turn an array into a Pillow image."""
    def __call__(self, img): ...
    def __init__(self) -> None: """Make an operation that has no parameters."""
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class ToTensor:
    """Turn an <H, W, C> or <H, W> image of bytes into a <C, H, W> array of values from 0 to 1."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, output_type: Type | np.dtype | type=...) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, images: np.ndarray): """Turn images stacked along a leading axis."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class ToType(TypeCast):
    """Change the type of the values."""
class TrivialAugmentWide:
    """Augment the image by one randomly chosen operation of a random magnitude (arXiv:2103.10158)."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, num_magnitude_bins: int=31, interpolation: Inter=..., fill_value: int | tuple[int, int, int]=0) -> None: ...
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class UniformAugment:
    """Run some randomly chosen operations, each with probability 1/2."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self, transforms: Sequence[Callable[..., Any]], num_ops: int=2) -> None: ...
    def apply(self, image: np.ndarray): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    channels: Any
    deterministic: Any
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    def parse_transforms(self): """Return the operations to choose among."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class VerticalFlip:
    """Mirror the image top to bottom."""
    def __call__(self, *columns): """Run the operation on the columns of one row and return an array, a Pillow image or a tuple of them."""
    def __init__(self) -> None: """Make an operation that has no parameters."""
    def apply(self, *columns): """Run the form that fits the columns."""
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    ascend_interpolation: Any
    channels: Any
    deterministic: Any
    def device(self, device_target: Literal['CPU', 'Ascend']='CPU'): """Choose the device that runs the operation and return the operation."""
    device_target: Any
    dtypes: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """Return the operation whose parameters are in a JSON text."""
    implementation: Any
    keeps_bools: Any
    def parse(self): """Return the object that runs the operation: the operation itself."""
    ranks: Any
    stacked: Any
    def to_json(self): """Return the operation as a JSON text; `from_json` reads its 'tensor_op_params'."""
class VideoDecoder:
    """Give single frames of a video file."""
    def __init__(self, source: str) -> None: ...
    def get_frames_at(self, indices: list[int]): """Return the frames of the given numbers, uint8 of <N, H, W, 3>."""
    @property
    def metadata(self) -> Any: ...
def encode_jpeg(image, quality: int=75): """Return an image as the bytes of a JPEG file, a 1-D uint8 array."""
def encode_png(image, compression_level: int=6): """Return an image as the bytes of a PNG file, a 1-D uint8 array."""
def get_image_num_channels(image): """Return the number of channels of an image."""
def get_image_size(image): """Return [height, width] of an image."""
def read_file(filename: str): """Return the bytes of a file, a 1-D uint8 array."""
def read_image(filename: str, mode: ImageReadMode=...): """Return the image in a file as <H, W, C>, C being 1 or 3 (RGB)."""
def read_video(filename: str, start_pts: Any=0, end_pts=None, pts_unit: Literal['pts', 'sec']='pts'): """Return the pictures, the sound and the rates of a video file."""
def read_video_timestamps(filename: str, pts_unit: Literal['pts', 'sec']='pts'): """Return the time stamps of the frames of a video file and its frames a second."""
def write_file(filename: str, data): """Write a 1-D uint8 array to a file."""
def write_jpeg(filename: str, image, quality: int=75): """Write an image to a JPEG file."""
def write_png(filename: str, image, compression_level: int=6): """Write an image to a PNG file."""
