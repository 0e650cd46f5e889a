"""The enumerations and the functions for image and video files, under MindSpore's module name."""

from .files import (
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
from .modes import AutoAugmentPolicy, Border, ConvertMode, ImageBatchFormat, ImageReadMode, Inter, SliceMode
from .operation import parse_padding
from .video import DecodeParams, VideoDecoder, VideoFrameDvpp, read_video, read_video_timestamps

__all__ = [
    "AutoAugmentPolicy",
    "Border",
    "ConvertMode",
    "DecodeParams",
    "ImageBatchFormat",
    "ImageReadMode",
    "Inter",
    "SliceMode",
    "VideoDecoder",
    "VideoFrameDvpp",
    "encode_jpeg",
    "encode_png",
    "get_image_num_channels",
    "get_image_size",
    "parse_padding",
    "read_file",
    "read_image",
    "read_video",
    "read_video_timestamps",
    "write_file",
    "write_jpeg",
    "write_png",
]
