"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.transforms.transforms import _COMPARE as _COMPARE
from msjax.dataset.transforms.transforms import _only_one as _only_one
from msjax.dataset.transforms.transforms import _text as _text
from msjax.dataset.transforms.transforms import column_type as column_type
from msjax.dataset.transforms.user_operations import PyTensorOperation as PyTensorOperation
from msjax.dataset.transforms.user_operations import TensorOperation as TensorOperation
from msjax.dataset.vision import AutoAugmentPolicy as AutoAugmentPolicy
from msjax.dataset.vision import Border as Border
from msjax.dataset.vision import ConvertMode as ConvertMode
from msjax.dataset.vision import ImageBatchFormat as ImageBatchFormat
from msjax.dataset.vision import ImageReadMode as ImageReadMode
from msjax.dataset.vision import Inter as Inter
from msjax.dataset.vision import SliceMode as SliceMode
from msjax.dataset.vision import VideoDecoder as VideoDecoder
from msjax.dataset.vision import encode_jpeg as encode_jpeg
from msjax.dataset.vision import encode_png as encode_png
from msjax.dataset.vision import get_image_num_channels as get_image_num_channels
from msjax.dataset.vision import get_image_size as get_image_size
from msjax.dataset.vision import read_file as read_file
from msjax.dataset.vision import read_image as read_image
from msjax.dataset.vision import read_video as read_video
from msjax.dataset.vision import read_video_timestamps as read_video_timestamps
from msjax.dataset.vision import write_file as write_file
from msjax.dataset.vision import write_jpeg as write_jpeg
from msjax.dataset.vision import write_png as write_png
from msjax.dataset.vision.utils import *
from msjax.dataset.vision import *
from msjax.dataset.transforms import *
from msjax.dataset.transforms.transforms import *
from msjax import *
from msjax import *
from msjax.dataset.transforms.transforms import *
from msjax.dataset.transforms import *
from msjax.dataset.vision import *
from msjax.dataset.vision.utils import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.transforms.transforms import _COMPARE as _COMPARE
from msjax.dataset.transforms.transforms import _only_one as _only_one
from msjax.dataset.transforms.transforms import _text as _text
from msjax.dataset.transforms.transforms import column_type as column_type
from msjax.dataset.transforms.user_operations import PyTensorOperation as PyTensorOperation
from msjax.dataset.transforms.user_operations import TensorOperation as TensorOperation
from msjax.dataset.vision import AutoAugmentPolicy as AutoAugmentPolicy
from msjax.dataset.vision import Border as Border
from msjax.dataset.vision import ConvertMode as ConvertMode
from msjax.dataset.vision import ImageBatchFormat as ImageBatchFormat
from msjax.dataset.vision import ImageReadMode as ImageReadMode
from msjax.dataset.vision import Inter as Inter
from msjax.dataset.vision import SliceMode as SliceMode
from msjax.dataset.vision import VideoDecoder as VideoDecoder
from msjax.dataset.vision import encode_jpeg as encode_jpeg
from msjax.dataset.vision import encode_png as encode_png
from msjax.dataset.vision import get_image_num_channels as get_image_num_channels
from msjax.dataset.vision import get_image_size as get_image_size
from msjax.dataset.vision import read_file as read_file
from msjax.dataset.vision import read_image as read_image
from msjax.dataset.vision import read_video as read_video
from msjax.dataset.vision import read_video_timestamps as read_video_timestamps
from msjax.dataset.vision import write_file as write_file
from msjax.dataset.vision import write_jpeg as write_jpeg
from msjax.dataset.vision import write_png as write_png
from typing import Any
def __getattr__(name: str) -> Any: ...
