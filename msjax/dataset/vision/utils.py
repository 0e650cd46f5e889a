"""Enumerations of `mindspore.dataset.vision` and its functions for image and video files."""

from __future__ import annotations

import numbers
from enum import Enum, IntEnum

from msjax.dataset.vision.files import (
    encode_jpeg,
    encode_png,
    get_image_num_channels,
    get_image_size,
    read_file,
    read_image,
    write_file,
    write_jpeg,
    write_png,
)
from msjax.dataset.vision.modes import ImageReadMode
from msjax.dataset.vision.video import VideoDecoder, read_video, read_video_timestamps

__all__ = [
    "AutoAugmentPolicy", "Border", "ConvertMode", "ImageBatchFormat", "ImageReadMode", "Inter", "SliceMode",
    "VideoDecoder", "encode_jpeg", "encode_png", "get_image_num_channels", "get_image_size", "parse_padding",
    "read_file", "read_image", "read_video", "read_video_timestamps", "write_file", "write_jpeg", "write_png",
]
