"""TensorBoard event files, written without TensorFlow.

A file is a row of records: length (8 bytes, little endian), masked CRC-32C of the length, the data, its masked CRC-32C.
    The data is the
protocol buffer `Event {wall_time 1, step 2, file_version 3, summary 5}` of
https://github.com/tensorflow/tensorboard/blob/master/tensorboard/compat/proto/event.proto; field numbers stand beside
each call.
"""

import io
import struct
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..protobuf import field, number_field, varint

_POLYNOMIAL = 0x82F63B78
_TABLE = []
for _byte in range(256):
    for _ in range(8):
        _byte = _byte >> 1 ^ (_POLYNOMIAL if _byte & 1 else 0)
    _TABLE.append(_byte)


def masked_crc32c(data: Any):
    """The checksum of TFRecord files: CRC-32C, turned by 15 bits, plus a constant.

    Example:
        >>> from msjax.train.summary.event_file import masked_crc32c
        >>> hex(masked_crc32c(b"123456789"))
        '0xc42e0ae7'
    """
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(data: Any):
    """A record of an event file around some bytes."""
    head = struct.pack("<Q", len(data))
    return b"".join((head, struct.pack("<I", masked_crc32c(head)), data, struct.pack("<I", masked_crc32c(data))))


# --- protocol buffers: the numbers are those of the fields
def _double(number, value):
    return varint(number << 3 | 1) + struct.pack("<d", value)


def _message(number, *parts):
    return field(number, b"".join(parts))


def _text(number, value):
    return field(number, value.encode())


def version_event():
    """The first event of a file."""
    return _double(1, time.time()) + _text(3, "brain.Event:2")


def summary_event(step: Any, values: Sequence):
    """An event with summary values, as the functions below give them."""
    return b"".join((_double(1, time.time()), number_field(2, step), _message(5, *(_message(1, v) for v in values))))


def scalar(tag: str, array: Any):
    """A number: `Value {tag 1, simple_value 2}`."""
    return _text(1, tag) + varint(2 << 3 | 5) + struct.pack("<f", float(np.ravel(array)[0]))


def histogram(tag: str, array: Any):
    """The distribution of the finite elements: `HistogramProto {min 1, max 2, num 3, sum 4, sum_squares 5, bucket_limit
    6, bucket 7}`.
    """
    values = np.asarray(array, np.float64).ravel()
    values = values[np.isfinite(values)]
    low, high = (values.min(), values.max()) if values.size else (0.0, 0.0)
    counts, edges = np.histogram(
        values, bins=_bins(values.size), range=(low, high) if low < high else (low - 0.5, high + 0.5)
    )
    parts = [
        _double(number, float(value))
        for number, value in enumerate((low, high, values.size, values.sum(), (values * values).sum()), 1)
    ]
    parts += [field(number, np.asarray(packed, "<f8").tobytes()) for number, packed in ((6, edges[1:]), (7, counts))]
    return _text(1, tag) + _message(5, *parts)


def _bins(count):
    """How many buckets MindSpore makes of so many values."""
    if count <= 10:
        return 1 if count == 0 else 2 if count <= 5 else 3
    return min(count // 10 + 1, 90)


def image(tag: str, array: Any):
    """Images (N, C, H, W) side by side, up to eight in a row: `Image {height 1, width 2, colorspace 3,
    encoded_image_string 4}`.

    Raises:
        ValueError: the array does not have four axes, or not 1 or 3 channels, or is empty.
    """
    if array.ndim != 4 or array.shape[1] not in (1, 3) or array.size == 0:
        raise ValueError(f"An image summary must have the shape (N, 1, H, W) or (N, 3, H, W), but got {array.shape}.")
    pixels = _to_bytes(_tiled(array))
    from PIL import Image  # takes 50 ms to load

    file = io.BytesIO()
    Image.fromarray(pixels).save(file, format="PNG")
    height, width, channels = pixels.shape
    return _text(1, tag) + _message(
        4, number_field(1, height), number_field(2, width), number_field(3, channels), field(4, file.getvalue())
    )


def _tiled(images):
    images = np.repeat(images, 3, axis=1) if images.shape[1] == 1 else images
    count, _, height, width = images.shape
    columns = min(count, 8)
    rows = -(-count // columns)
    sheet = np.zeros((rows * columns, 3, height, width), images.dtype)
    sheet[:count] = images
    return (
        sheet.reshape(rows, columns, 3, height, width)
        .transpose(0, 3, 1, 4, 2)
        .reshape(rows * height, columns * width, 3)
    )


def _to_bytes(pixels):
    if pixels.dtype == np.uint8:
        return pixels
    pixels = np.nan_to_num(pixels.astype(np.float32))
    low, high = pixels.min(), pixels.max()
    if low >= 0 and high <= 1:
        return (pixels * 255).astype(np.uint8)
    return ((pixels - low) * (255 / (high - low + 1) if high != low else 1)).astype(np.uint8)


# `DataType` of TensorFlow's tensors
_TYPES = {
    "float32": 1,
    "float64": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 5,
    "int8": 6,
    "complex64": 8,
    "int64": 9,
    "bool": 10,
    "bfloat16": 14,
    "uint16": 17,
    "complex128": 18,
    "float16": 19,
    "uint32": 22,
    "uint64": 23,
}
_STRING = 7


def _plugin(name):
    return _message(9, _message(1, _text(1, name)))


def tensor(tag: str, array: Any):
    """A Tensor: `TensorProto {dtype 1, tensor_shape 2 {dim 2 {size 1}}, tensor_content 4}`."""
    if array.dtype.name not in _TYPES:
        raise TypeError(f"A tensor summary must have one of the types {', '.join(_TYPES)}, but got {array.dtype}.")
    shape = _message(2, *(_message(2, number_field(1, size)) for size in array.shape))
    content = np.ascontiguousarray(array).tobytes()
    return (
        _text(1, tag)
        + _message(8, number_field(1, _TYPES[array.dtype.name]), shape, field(4, content))
        + _plugin("tensor")
    )


def text(tag: str, value: Any):
    """A text, shown by TensorBoard as Markdown: a tensor of one string (`string_val` 8)."""
    one = _message(2, _message(2, number_field(1, 1)))
    return _text(1, tag) + _message(8, number_field(1, _STRING), one, _text(8, value)) + _plugin("text")


ENCODERS = {"scalar": scalar, "histogram": histogram, "image": image, "tensor": tensor, "text": text}
