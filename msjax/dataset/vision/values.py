"""Decoding, changing the type, range and layout of pixel values, and going between arrays and Pillow images."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import That
from ...core.values import dtype as mstype
from ..check import check
from ..rules import Real32
from . import py_transforms_util as pil
from . import warp
from .files import decode_image
from .modes import Implementation
from .operation import ALL_NUMBERS, DeviceOperation, ImageOperation, is_pil, need_numpy
from .rules import Channel, PositiveChannel, check_lengths, is_square

if TYPE_CHECKING:
    from ...core.values.dtype import Type


class Decode(DeviceOperation):
    """Decode an image file into <H, W, 3> RGB.

    Args:
        to_pil (bool, optional): give a Pillow image instead of an array. Default: ``False``.

    Raises:
        TypeError: `to_pil` is not a bool, or the input is not the bytes of a file as a 1-D array.
        RuntimeError: the bytes are not an image (ValueError with `to_pil`).

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.Decode()(vision.encode_png(np.zeros((8, 9, 3), np.uint8))).shape
        (8, 9, 3)
    """

    @checked
    def __init__(self, to_pil: bool = False):
        self.to_pil = to_pil
        self.implementation = Implementation.PY if to_pil else Implementation.C

    def __call__(self, img: Any):
        img = np.frombuffer(img, np.uint8) if isinstance(img, bytes) else img
        check(
            isinstance(img, np.ndarray),
            f"The type of the encoded image should be {np.ndarray}, but got {type(img)}.",
            TypeError,
        )
        check(img.dtype.kind != "U", f"The data type of the encoded image can not be {img.dtype.type}.", TypeError)
        check(
            img.ndim == 1,
            f"The number of array dimensions of the encoded image should be 1, but got {img.ndim}.",
            TypeError,
        )
        return self.apply(img)

    def device(self, device_target: str = "CPU"):
        """Choose the device that runs the operation and return the operation; Pillow images exist on the CPU only."""
        check(
            device_target != "Ascend" or not self.to_pil,
            'The transform "Decode(to_pil=True)" cannot be performed on Ascend device, please set "to_pil=False".',
        )
        return super().device(device_target)

    def apply(self, img: np.ndarray):
        return pil.decode(bytes(img)) if self.to_pil else decode_image(img, "Decode")


class Rescale(ImageOperation):
    """Multiply the values and add to them: output = image * rescale + shift, as float32.

    Args:
        rescale (float): the factor.
        shift (float): the summand.

    Raises:
        TypeError: an argument is not a number.
        ValueError: an argument is beyond the integers of float32.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.Rescale(0.5, 1)(np.array([[2, 4]], np.uint8)).tolist()
        [[2.0, 3.0]]
    """

    implementation = Implementation.C
    elementwise = True
    ranks = None

    @checked
    def __init__(self, rescale: Real32, shift: Real32):
        self.rescale = rescale
        self.shift = shift

    def _array(self, image):
        # As OpenCV: the product and the sum of float32 numbers are rounded once.
        out = np.multiply(image, np.float32(self.rescale), dtype=np.float64)
        if self.shift:
            out += np.float32(self.shift)
        return out.astype(np.float32)


class Normalize(DeviceOperation):
    """Subtract a mean from each channel and divide it by a standard deviation; the result is float32.

    Args:
        mean (sequence): the mean of each channel, from 0 to 255, or one for all.
        std (sequence): the standard deviation of each channel, above 0 and up to 255, or one for all.
        is_hwc (bool, optional): the image is <H, W, C>, else <C, H, W>. Default: ``True``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `mean` and `std` differ in length, or are out of range.
        RuntimeError: the image has another number of channels.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.Normalize([2.0], [4.0])(np.array([[2, 4]], np.uint8)).tolist()
        [[0.0, 0.5]]
    """

    implementation = Implementation.C
    elementwise = True
    stacked = True

    dtypes = ALL_NUMBERS

    @checked
    def __init__(self, mean: Sequence[Channel], std: Sequence[PositiveChannel], is_hwc: bool = True):
        check_lengths(mean, std)
        self.mean = mean
        self.std = std
        self.is_hwc = is_hwc

    def _scaled(self, image, rank):
        """Return images of `rank` dimensions, whatever stands before these, normalized."""
        channels = 1 if rank == 2 else image.shape[-1 if self.is_hwc else -3]
        mean, std = np.float32(self.mean), np.float32(self.std)
        # One mean for a <C, H, W> array and for an <H, W, 1> one alike: MindSpore repeats it for every channel.
        if len(mean) not in (1, channels):
            raise RuntimeError(
                f"{type(self).__name__}: the number of channels of the image and the size of mean "
                f"and std should match, but got {channels} channels of shape {image.shape} and {len(mean)} values."
            )
        shape = image.shape
        if len(mean) == 1:
            mean, std = mean[0], std[0]
        elif self.is_hwc:  # whole rows at once: NumPy's loop over three channels takes six times as long
            mean, std = np.tile(mean, shape[-2]), np.tile(std, shape[-2])
            image = image.reshape(*shape[:-2], -1)
        else:
            mean, std = mean[:, None, None], std[:, None, None]
        out = np.subtract(image, mean, dtype=np.float32)
        out /= std
        return out.reshape(shape)

    def _array(self, image):
        return self._scaled(image, image.ndim)

    def apply(self, image: np.ndarray):
        image = np.asarray(image)
        return self._scaled(image, 3) if image.ndim > 3 else super().apply(image)

    def apply_block(self, images: np.ndarray):
        """Normalize images stacked along a leading axis."""
        return self._scaled(images, images.ndim - 1)

    def _with_next(self, following):
        """With HWC2CHW behind it, bytes are turned, a quarter of the memory, and whole planes are normalized."""
        return self._planes if self.is_hwc and type(following) is HWC2CHW else None

    def _planes(self, image):
        check(image.ndim == 3 and image.dtype == np.uint8, "no image of bytes", TypeError)
        return Normalize(self.mean, self.std, is_hwc=False)._scaled(warp.planes(image), 3)


class NormalizePad(ImageOperation):
    """Normalize the image and add a channel of zeros.

    Args:
        mean (sequence): the mean of each channel, from 0 to 255, or one for all.
        std (sequence): the standard deviation of each channel, above 0 and up to 255, or one for all.
        dtype (str, optional): type of the result, ``"float32"`` or ``"float16"``. Default: ``"float32"``.
        is_hwc (bool, optional): the image is <H, W, C>, else <C, H, W>. Default: ``True``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `mean` and `std` differ in length or are out of range, or `dtype` is another.
        RuntimeError: the image has another number of channels.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.NormalizePad([2.0], [4.0])(np.array([[2, 4]], np.uint8)).tolist()
        [[[0.0, 0.0], [0.5, 0.0]]]
    """

    implementation = Implementation.C

    dtypes = ALL_NUMBERS

    @checked
    def __init__(
        self,
        mean: Sequence[Channel],
        std: Sequence[PositiveChannel],
        dtype: Literal["float32", "float16"] = "float32",
        is_hwc: bool = True,
    ):
        check_lengths(mean, std)
        self.mean = mean
        self.std = std
        self.dtype = dtype
        self.is_hwc = is_hwc

    _scaled = Normalize._scaled

    def _array(self, image):
        axis = -1 if self.is_hwc else 0
        image = np.expand_dims(image, axis) if image.ndim == 2 else image
        out = self._scaled(image, 3).astype(self.dtype, copy=False)
        empty = np.zeros_like(out[..., :1] if self.is_hwc else out[:1])
        return np.concatenate([out, empty], axis)


class HWC2CHW(ImageOperation):
    """Turn an <H, W, C> image into <C, H, W>; <H, W> stays as it is.

    Raises:
        RuntimeError: the array has neither two nor three dimensions.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.HWC2CHW()(np.zeros((8, 9, 3), np.uint8)).shape
        (3, 8, 9)
    """

    implementation = Implementation.C
    elementwise = True

    def _array(self, image):
        return image if image.ndim == 2 else warp.planes(image)

    def apply_block(self, images: np.ndarray):
        """Turn images stacked along a leading axis."""
        return images if images.ndim == 3 else warp.planes(images)


class ToTensor(ImageOperation):
    """Turn an <H, W, C> or <H, W> image of bytes into a <C, H, W> array of values from 0 to 1.

    Args:
        output_type (Union[mindspore.dtype, numpy.dtype], optional): type of the result. Default: ``numpy.float32``.

    Raises:
        TypeError: `output_type` is not a type, or the input is neither an array nor a Pillow image.
        RuntimeError: the array has neither two nor three dimensions.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.ToTensor()(np.array([[51, 255]], np.uint8)).round(1).tolist()
        [[[0.20000000298023224, 1.0]]]
    """

    implementation = Implementation.C
    elementwise = True
    keeps_bools = False  # the type of the result is an argument

    def __init__(self, output_type: "Type | np.dtype | type" = np.float32):
        self.output_type = _type_name(output_type)

    def _array(self, image):
        return self._scaled(image[None] if image.ndim == 2 else warp.planes(image))

    def __call__(self, img: Any):
        # Called on an image of Pillow, MindSpore's Python layer divides; in a map its kernel multiplies.
        return pil.to_tensor(img, self.output_type) if is_pil(img) else super().__call__(img)

    def _scaled(self, image):
        # MindSpore scales in float32, whatever type it gives in the end.
        out = np.multiply(image, np.float32(1.0 / 255.0), dtype=np.float32)
        return out.astype(self.output_type, copy=False)

    def apply_block(self, images: np.ndarray):
        """Turn images stacked along a leading axis."""
        return self._scaled(images[:, None] if images.ndim == 3 else warp.planes(images))


def _type_name(output_type):
    """Return the name of a NumPy or MindSpore type; raises TypeError where it is neither."""
    try:
        if output_type is None:
            raise TypeError
        return np.dtype(mstype.to_numpy(output_type) if isinstance(output_type, mstype.Type) else output_type).name
    except (TypeError, ValueError):
        raise TypeError(
            f"Argument output_type with value {output_type} is not of type [mindspore.dtype, {np.dtype}], but got "
            f"{type(output_type)}."
        ) from None


class ToPIL(ImageOperation):
    """Turn an array into a Pillow image.

    Raises:
        TypeError: the input is neither an array nor a Pillow image, or is of a type that Pillow does not have.
        ValueError: the array has neither two nor three dimensions, or more than four channels.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.ToPIL()(np.zeros((8, 9, 3), np.uint8)).size
        (9, 8)
    """

    implementation = Implementation.PY

    def __call__(self, img: Any):
        return self.apply(img)

    def _pillow(self, image):
        return pil.to_pil(image)


class ToNumpy(ImageOperation):
    """Turn a Pillow image into an array.

    Examples:
        >>> from PIL import Image
        >>> from msjax.dataset import vision
        >>> vision.ToNumpy()(Image.new("RGB", (9, 8))).shape
        (8, 9, 3)
    """

    implementation = Implementation.C

    def __call__(self, img: Any):
        return self.apply(img)

    def apply(self, img: np.ndarray):
        return np.array(img)


class LinearTransformation(ImageOperation):
    """Subtract a mean from the flattened array and multiply it by a square matrix (whitening).

    Args:
        transformation_matrix (numpy.ndarray): <D, D>, D being C * H * W.
        mean_vector (numpy.ndarray): <D>.

    Raises:
        TypeError: an argument is not an array.
        ValueError: the shapes do not match.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.LinearTransformation(2 * np.eye(2), np.ones(2))(np.array([[[3.0, 4.0]]])).tolist()
        [[[4.0, 6.0]]]
    """

    implementation = Implementation.PY

    @checked
    def __init__(
        self, transformation_matrix: Annotated[np.ndarray, That("that is square", is_square)], mean_vector: np.ndarray
    ):
        shape = transformation_matrix.shape
        check(
            len(mean_vector) == shape[0],
            f"mean_vector length {len(mean_vector)} should match either one dimension of the square "
            f"transformation_matrix {shape}.",
        )
        self.transformation_matrix = transformation_matrix
        self.mean_vector = mean_vector

    def apply(self, image: np.ndarray):
        need_numpy(image)
        check(
            image.size == len(self.mean_vector),
            f"transformation_matrix shape {self.transformation_matrix.shape} not "
            f"compatible with Numpy image shape {image.shape}.",
        )
        return ((image.reshape(1, -1) - self.mean_vector) @ self.transformation_matrix).reshape(image.shape)
