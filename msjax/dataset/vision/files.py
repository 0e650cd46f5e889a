"""Image files: decoding and encoding, reading and writing."""

import os
from typing import Any

import numpy as np

from ...core.spec.checking import checked
from ..check import check
from .modes import ImageReadMode
from .operation import is_pil, opencv

# OpenCV's flags of imread, by value because importing it takes long
_UNCHANGED, _GRAYSCALE, _COLOR, _IGNORE_ORIENTATION = -1, 0, 1, 128
_IMREAD = {ImageReadMode.UNCHANGED: _UNCHANGED, ImageReadMode.GRAYSCALE: _GRAYSCALE, ImageReadMode.COLOR: _COLOR}


def _is_jpeg(file: str):
    """Return whether the bytes, a 1-D uint8 array, begin as a JPEG file does."""
    return len(file) > 3 and file[0] == 0xFF and file[1] == 0xD8 and file[2] == 0xFF


def decode_image(file: str, name: str):
    """Return the <H, W, 3> RGB image in the bytes of a file; `name` is for the error.

    As in MindSpore, the orientation that a camera wrote into the file is not applied.
    """
    cv2 = opencv()
    file = (
        np.frombuffer(file, np.uint8)
        if isinstance(file, bytes)
        else np.ascontiguousarray(file).reshape(-1).view(np.uint8)
    )
    if _claims_too_much(file):
        raise RuntimeError(f"{name}: failed to decode the image: a part of the PNG file is longer than the file.")
    # OpenCV 4.11 and newer decode JPEG files to RGB themselves.
    rgb = getattr(cv2, "IMREAD_COLOR_RGB", None) if _is_jpeg(file) else None
    image = cv2.imdecode(file, (_COLOR if rgb is None else rgb) | _IGNORE_ORIENTATION) if len(file) else None
    if image is None:
        raise RuntimeError(
            f"{name}: failed to decode the image: {len(file)} bytes that begin with {file[:8].tobytes()!r} "
            "are not a complete JPEG, PNG, BMP or TIFF file."
        )
    return cv2.cvtColor(image, cv2.COLOR_BGR2RGB) if rgb is None else image


def _claims_too_much(file):
    """Whether a PNG file has a part that claims to be longer than the file: OpenCV would set that much memory aside."""
    if file[:8].tobytes() != b"\x89PNG\r\n\x1a\n":
        return False
    at = 8
    while at + 8 <= len(file):
        length = int.from_bytes(file[at : at + 4].tobytes(), "big")
        if length > len(file):
            return True
        at += 12 + length
    return False


def _pixels(image):
    if hasattr(image, "asnumpy"):
        image = image.asnumpy()
    check(
        isinstance(image, np.ndarray),
        f"Input image is not of type {np.ndarray} or mindspore.Tensor, but got: {type(image)}.",
        TypeError,
    )
    return image


def _encode(image, extension, name, option, level, low, high):
    image = _pixels(image)
    name_ = f"encode_{extension}"
    check(
        low <= level <= high, f"{name_}: Invalid {name} {level}, should be in range of [{low}, {high}].", RuntimeError
    )
    check(
        image.dtype == np.uint8,
        f"{name_}: The type of the image data should be UINT8, but got {image.dtype}.",
        RuntimeError,
    )
    channels = image.shape[2] if image.ndim == 3 else 1
    check(
        image.ndim in (2, 3) and channels in (1, 3),
        f"{name_}: the image has invalid shape {image.shape}, it should be <H,W>, <H,W,1> or <H,W,3>.",
        RuntimeError,
    )
    cv2 = opencv()
    image = cv2.cvtColor(image, cv2.COLOR_RGB2BGR) if channels == 3 else image
    return cv2.imencode("." + extension, image, [getattr(cv2, option), level])[1].reshape(-1)


@checked
def encode_jpeg(image: Any, quality: int = 75):
    """Return an image as the bytes of a JPEG file, a 1-D uint8 array.

    Args:
        image (Union[numpy.ndarray, mindspore.Tensor]): uint8 of <H, W>, <H, W, 1> or <H, W, 3> (RGB).
        quality (int, optional): from 1 to 100. Default: ``75``.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: the type or shape of `image`, or `quality`, is not one of these.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.encode_jpeg(np.zeros((8, 9, 3), np.uint8))[:2].tolist()
        [255, 216]
    """
    return _encode(image, "jpeg", "quality", "IMWRITE_JPEG_QUALITY", quality, 1, 100)


@checked
def encode_png(image: Any, compression_level: int = 6):
    r"""Return an image as the bytes of a PNG file, a 1-D uint8 array.

    Args:
        image (Union[numpy.ndarray, mindspore.Tensor]): uint8 of <H, W>, <H, W, 1> or <H, W, 3> (RGB).
        compression_level (int, optional): from 0 to 9. Default: ``6``.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: the type or shape of `image`, or `compression_level`, is not one of these.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.encode_png(np.zeros((8, 9, 3), np.uint8))[:4].tobytes()
        b'\x89PNG'
    """
    return _encode(image, "png", "compression_level", "IMWRITE_PNG_COMPRESSION", compression_level, 0, 9)


def need_file(name: str, filename: str, exc: type[Exception] = RuntimeError):
    """Raise where there is no file of that name; after the types of all arguments, as in MindSpore."""
    wrong = "is not a regular file" if os.path.exists(filename) else "does not exist"
    check(os.path.isfile(filename), f"{name}: Invalid file path, {filename} {wrong}.", exc)


@checked
def read_file(filename: str):
    """Return the bytes of a file, a 1-D uint8 array.

    Args:
        filename (str): path of the file.

    Raises:
        TypeError: `filename` is not a str.
        RuntimeError: there is no such file.

    Examples:
        >>> import numpy as np, tempfile, os
        >>> from msjax.dataset import vision
        >>> path = os.path.join(tempfile.mkdtemp(), "bytes")
        >>> vision.write_file(path, np.array([1, 2], np.uint8))
        >>> vision.read_file(path).tolist()
        [1, 2]
    """
    need_file("read_file", filename)
    return np.fromfile(filename, np.uint8)


@checked
def read_image(filename: str, mode: ImageReadMode = ImageReadMode.UNCHANGED):
    """Return the image in a file as <H, W, C>, C being 1 or 3 (RGB).

    Args:
        filename (str): path of a JPEG, PNG, BMP or TIFF file.
        mode (ImageReadMode, optional): the channels to give. Default: ``ImageReadMode.UNCHANGED``.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: there is no such file, or it holds no image.

    Examples:
        >>> import numpy as np, tempfile, os
        >>> from msjax.dataset import vision
        >>> path = os.path.join(tempfile.mkdtemp(), "image.png")
        >>> vision.write_png(path, np.zeros((8, 9, 3), np.uint8))
        >>> vision.read_image(path, vision.ImageReadMode.GRAYSCALE).shape
        (8, 9, 1)
    """
    need_file("read_image", filename)
    cv2 = opencv()
    image = cv2.imread(filename, _IMREAD[mode])
    check(
        image is not None,
        f"read_image: Failed to read file {filename}: it holds no JPEG, PNG, BMP or TIFF image.",
        RuntimeError,
    )
    if image.ndim == 2:
        return image[:, :, None]
    return cv2.cvtColor(image, cv2.COLOR_BGRA2RGB if image.shape[2] == 4 else cv2.COLOR_BGR2RGB)


@checked
def write_file(filename: str, data: Any):
    """Write a 1-D uint8 array to a file.

    Args:
        filename (str): path of the file.
        data (Union[numpy.ndarray, mindspore.Tensor]): the bytes.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: the file cannot be written, or `data` is not 1-D uint8.

    Examples:
        >>> import numpy as np, tempfile, os
        >>> from msjax.dataset import vision
        >>> vision.write_file(os.path.join(tempfile.mkdtemp(), "bytes"), np.array([1, 2], np.uint8))
    """
    data = data.asnumpy() if hasattr(data, "asnumpy") else data
    check(
        isinstance(data, np.ndarray),
        f"Input data is not of type {np.ndarray} or mindspore.Tensor, but got: {type(data)}.",
        TypeError,
    )
    check(
        data.dtype == np.uint8,
        f"write_file: The type of the elements of data should be UINT8, but got {data.dtype}.",
        RuntimeError,
    )
    check(
        data.ndim == 1,
        f"write_file: The data has invalid dimensions. It should have only one dimension, but got {data.ndim}.",
        RuntimeError,
    )
    try:
        data.tofile(filename)
    except OSError as error:
        raise RuntimeError(f"write_file: Invalid file path, {filename} failed to open for writing: {error}") from error


@checked
def write_jpeg(filename: str, image: Any, quality: int = 75):
    """Write an image to a JPEG file.

    Args:
        filename (str): path of the file.
        image (Union[numpy.ndarray, mindspore.Tensor]): uint8 of <H, W>, <H, W, 1> or <H, W, 3> (RGB).
        quality (int, optional): from 1 to 100. Default: ``75``.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: the file cannot be written, or an argument is out of range.

    Examples:
        >>> import numpy as np, tempfile, os
        >>> from msjax.dataset import vision
        >>> vision.write_jpeg(os.path.join(tempfile.mkdtemp(), "image.jpg"), np.zeros((8, 9, 3), np.uint8))
    """
    write_file(filename, encode_jpeg(image, quality))


@checked
def write_png(filename: str, image: Any, compression_level: int = 6):
    """Write an image to a PNG file.

    Args:
        filename (str): path of the file.
        image (Union[numpy.ndarray, mindspore.Tensor]): uint8 of <H, W>, <H, W, 1> or <H, W, 3> (RGB).
        compression_level (int, optional): from 0 to 9. Default: ``6``.

    Raises:
        TypeError: an argument is of a wrong type.
        RuntimeError: the file cannot be written, or an argument is out of range.

    Examples:
        >>> import numpy as np, tempfile, os
        >>> from msjax.dataset import vision
        >>> vision.write_png(os.path.join(tempfile.mkdtemp(), "image.png"), np.zeros((8, 9, 3), np.uint8))
    """
    write_file(filename, encode_png(image, compression_level))


def _shape(image):
    if is_pil(image):
        return image.size[1], image.size[0], len(image.getbands())
    check(
        isinstance(image, np.ndarray),
        f"Input image is not of type {np.ndarray} or PIL.Image.Image, but got: {type(image)}.",
        TypeError,
    )
    check(image.ndim >= 2, f"The image should have at least two dimensions, but got shape {image.shape}.", RuntimeError)
    return (*image.shape, 1) if image.ndim == 2 else image.shape[-3:]


def get_image_num_channels(image: Any):
    """Return the number of channels of an image.

    Args:
        image (Union[numpy.ndarray, PIL.Image.Image]): <H, W>, <..., H, W, C> or a Pillow image.

    Raises:
        TypeError: `image` is neither.
        RuntimeError: `image` has fewer than two dimensions.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.get_image_num_channels(np.zeros((8, 9, 3), np.uint8))
        3
    """
    return _shape(image)[2]


def get_image_size(image: Any):
    """Return [height, width] of an image.

    Args:
        image (Union[numpy.ndarray, PIL.Image.Image]): <H, W>, <..., H, W, C> or a Pillow image.

    Raises:
        TypeError: `image` is neither.
        RuntimeError: `image` has fewer than two dimensions.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.get_image_size(np.zeros((8, 9, 3), np.uint8))
        [8, 9]
    """
    return list(_shape(image)[:2])
