"""Colour of images that are NumPy arrays of <H, W> or <H, W, C>: brightness, contrast, hue, lookup tables."""

from typing import Any

import numpy as np

from .operation import opencv


def saturate(values: Any, dtype: Any):
    """Return float values in another type: rounded half to even and kept within its range, as OpenCV does."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return values.astype(dtype, copy=False)
    limits = np.iinfo(dtype)
    return np.clip(np.rint(values), limits.min, limits.max).astype(dtype)


def lookup(image: np.ndarray, table: Any):
    """Return a uint8 `image` with its values looked up in a table of 256 of them."""
    return opencv().LUT(image, table).reshape(image.shape)


def blend(first: Any, weight: float, second: Any, other: Any):
    """Return `first` * `weight` + `second` * `other`; OpenCV works in float32 and rounds the second product."""
    return opencv().addWeighted(first, weight, second, other, 0).reshape(first.shape)


def _shares(factor):
    """Return `factor` and 1 - `factor`, as float32 numbers like MindSpore's."""
    factor = np.float32(factor)
    return float(factor), float(np.float32(1) - factor)


def brightness(image: np.ndarray, factor: float):
    """Return `image`, `factor` times as bright."""
    if image.dtype == np.uint8:
        return lookup(image, saturate(np.arange(256, dtype=np.float32) * np.float32(factor), np.uint8))
    wide = np.float32 if image.dtype.itemsize <= 2 or image.dtype == np.float32 else np.float64
    return saturate(np.multiply(image, wide(factor), dtype=wide), image.dtype)


def contrast(image: np.ndarray, factor: float):
    """Return `image` with its distance from the mean grey multiplied by `factor`."""
    cv2 = opencv()
    mean = cv2.mean(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY))[0]
    level = saturate(np.float64(mean), image.dtype)
    share, rest = _shares(factor)
    return blend(np.full_like(image, level), rest, image, share)


def saturation(image: np.ndarray, factor: float):
    """Return `image` with its distance from its grey version multiplied by `factor`."""
    cv2 = opencv()
    gray = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    share, rest = _shares(factor)
    return blend(gray, rest, image, share)


def hue(image: np.ndarray, factor: float):
    """Return `image` with its hue moved by `factor` of the circle."""
    cv2 = opencv()
    hsv = cv2.cvtColor(image, cv2.COLOR_RGB2HSV_FULL)
    if image.dtype == np.uint8:
        same = np.arange(256)
        hsv = cv2.LUT(hsv, np.stack([(same + int(factor * 255)) % 256, same, same], -1).astype(np.uint8)[None])
    else:
        hsv[..., 0] = (hsv[..., 0] + factor * 360) % 360
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB_FULL)


_SMOOTH = np.array([[1, 1, 1], [1, 5, 1], [1, 1, 1]], np.float32) / np.float32(13)


def sharpness(image: np.ndarray, factor: float):
    """Return `image` with its distance from its smoothed version multiplied by `factor`; the outermost pixels stay."""
    smooth = opencv().filter2D(image, -1, _SMOOTH).reshape(image.shape)
    for edge in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        smooth[edge] = image[edge]
    share, rest = _shares(factor)
    return blend(image, share, smooth, rest)


def gamma(image: np.ndarray, power: float, gain: float):
    """Return `image`, its values as shares of the largest raised to `power` and multiplied by `gain`."""
    if image.dtype.kind == "f":
        return np.clip(np.power(image, np.float32(power), dtype=np.float32) * np.float32(gain), 0, 1).astype(np.float32)
    shares = np.arange(256) / 255.0
    table = np.clip(np.floor((256 - 0.001) * gain * shares**power), 0, 255).astype(np.uint8)
    return lookup(image.astype(np.uint8), table).astype(image.dtype)


def by_channel(image: np.ndarray, table_of: Any):
    """Return a uint8 `image` with each channel looked up in the table that `table_of(channel)` makes for it."""
    if image.ndim == 2:
        return lookup(image, table_of(image))
    tables = np.stack([table_of(image[..., c]) for c in range(image.shape[2])], -1)
    return opencv().LUT(image, tables[None]).reshape(image.shape)


def stretch_table(channel: Any, cutoff: Any, ignore: Any):
    """Return the table that stretches a channel, less `cutoff` whole percent of its pixels at both ends, to 256 values."""
    counts = np.bincount(channel.reshape(-1), minlength=256)
    counts[list(ignore)] = 0
    if cutoff:
        cut = counts.sum() * int(cutoff) // 100  # MindSpore cuts fractions of a percent off
        for order in (counts, counts[::-1]):
            taken = np.cumsum(order)
            order -= np.clip(cut - (taken - order), 0, order).astype(order.dtype)
    present = np.flatnonzero(counts)
    low, high = (present[0], present[-1]) if len(present) else (0, 0)
    if high <= low:
        return np.arange(256, dtype=np.uint8)
    scale = np.float32(255) / np.float32(high - low)
    values = np.arange(256, dtype=np.float32) * scale + np.float32(-low) * scale
    return np.clip(values.astype(int), 0, 255).astype(np.uint8)


def equalize(image: np.ndarray):
    """Return a uint8 `image` with the histogram of each channel made even."""
    channels = image.reshape(*image.shape[:2], -1)
    even = [opencv().equalizeHist(np.ascontiguousarray(channels[..., c])) for c in range(channels.shape[2])]
    return np.stack(even, -1).reshape(image.shape)


def invert(image: np.ndarray):
    """Return the negative of `image`."""
    return 255 - image if image.dtype == np.uint8 else saturate(255 - image.astype(np.float64), image.dtype)


def posterize(image: np.ndarray, bits: int):
    """Return a uint8 `image` with the highest `bits` of each value kept."""
    return image & np.uint8(256 - (1 << 8 - bits))


def solarize(image: np.ndarray, low: float, high: float):
    """Return `image` with its values between `low` and `high` inverted; those from `low` on where the two are equal."""
    if image.dtype == np.uint8:
        values = np.arange(256)
        chosen = values >= low if low == high else (values >= low) & (values <= high)
        return lookup(image, np.where(chosen, 255 - values, values).astype(np.uint8))
    chosen = image >= low if low == high else (image >= low) & (image <= high)
    return np.where(chosen, invert(image), image)


def lighting(image: np.ndarray, shift: Any):
    """Return `image` with (R, G, B) of `shift` added."""
    return saturate(image + shift, image.dtype)
