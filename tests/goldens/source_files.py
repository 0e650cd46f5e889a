"""Small files in real formats, made from a seed: what the source tests read and what the oracle read for the
goldens.
"""

import io
import os
import struct
import zlib

import numpy as np


def put(folder, name, data):
    """Write one file (bytes, or text as UTF-8) below a folder, making the folders on the way."""
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as stream:
        stream.write(data.encode("utf-8") if isinstance(data, str) else data)
    return path


def fill(value, folder):
    """A value of the tables with the folder in the place of each "{}"."""
    if isinstance(value, str):
        return value.replace("{}", folder)
    if isinstance(value, list):
        return [fill(item, folder) for item in value]
    return {name: fill(item, folder) for name, item in value.items()} if isinstance(value, dict) else value


def describe_rows(rows):
    """Rows as something that JSON can hold: type, shape and values of each column; a checksum of more than 16
    values.
    """
    return [[_describe(np.asarray(value)) for value in row] for row in rows]


def _describe(value):
    kind = value.dtype.str if value.dtype.kind not in "US" else value.dtype.kind
    if value.dtype.kind == "S":
        content = [item.hex() for item in value.reshape(-1).tolist()]
    elif value.size > 16:
        content = zlib.crc32(np.ascontiguousarray(value).tobytes())
    else:
        content = [repr(item) if isinstance(item, float) else item for item in value.reshape(-1).tolist()]
    return [kind, list(value.shape), content]


def pixels(seed, height=3, width=4, channels=3):
    """A random uint8 image."""
    shape = (height, width, channels) if channels > 1 else (height, width)
    return np.random.RandomState(seed).randint(0, 256, shape).astype(np.uint8)


def image(seed, height=3, width=4, channels=3, kind="PNG"):
    """An encoded image. PNG is lossless and every decoder finds out by the content what it is."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(pixels(seed, height, width, channels)).save(out, kind)
    return out.getvalue()


def idx(array):
    """An IDX file (MNIST's format) of a uint8 or int32 array."""
    code = {"uint8": 8, "int32": 12}[array.dtype.name]
    head = struct.pack(">BBBB", 0, 0, code, array.ndim) + struct.pack(f">{array.ndim}I", *array.shape)
    return head + array.astype(array.dtype.newbyteorder(">")).tobytes()


def mat(**values):
    """A MATLAB file."""
    from scipy.io import savemat

    out = io.BytesIO()
    savemat(out, values)
    return out.getvalue()


def wav(seed, frames=20, rate=16000, channels=1, width=2):
    """A WAV file of random samples, `width` bytes each."""
    import wave

    rng, out = np.random.RandomState(seed), io.BytesIO()
    with wave.open(out, "wb") as stream:
        stream.setparams((channels, width, rate, 0, "NONE", "none"))
        stream.writeframes(rng.bytes(frames * channels * width))
    return out.getvalue()


def sphere(seed, frames=40, rate=16000):
    """A NIST SPHERE file of random 16 bit samples."""
    samples = np.random.RandomState(seed).randint(-32768, 32768, frames).astype("<i2")
    head = (
        f"NIST_1A\n   1024\nchannel_count -i 1\nsample_count -i {frames}\nsample_rate -i {rate}\n"
        f"sample_n_bytes -i 2\nsample_byte_format -s2 01\nsample_coding -s3 pcm\nend_head\n"
    )
    return head.encode().ljust(1024, b"\0") + samples.tobytes()


# --- TFRecord ---------------------------------------------------------------------------------------------------------


def _crc_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_CRC = _crc_table()


def _masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _CRC[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def _varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def _sized(number, data):
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def example(**features):
    """An Example message: lists of int, float or bytes (str as UTF-8)."""
    entries = b""
    for name, values in features.items():
        values = values if isinstance(values, list) else [values]
        if all(isinstance(value, int) for value in values):
            feature = _sized(3, _sized(1, b"".join(map(_varint, values))))
        elif all(isinstance(value, float) for value in values):
            feature = _sized(2, _sized(1, struct.pack(f"<{len(values)}f", *values)))
        else:
            feature = _sized(1, b"".join(_sized(1, v.encode() if isinstance(v, str) else v) for v in values))
        entries += _sized(1, _sized(1, name.encode()) + _sized(2, feature))
    return _sized(1, entries)


def tfrecord(*records):
    """A TFRecord file of messages."""
    out = b""
    for record in records:
        length = struct.pack("<Q", len(record))
        out += length + struct.pack("<I", _masked_crc(length)) + record + struct.pack("<I", _masked_crc(record))
    return out
