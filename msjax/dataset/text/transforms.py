"""The operations of `mindspore.dataset.text`, by name."""

from ..vision.modes import Implementation  # noqa: F401 - scripts import it from here
from .base import TextOperation as TextTensorOperation  # noqa: F401
from .enums import *  # noqa: F403
from .jieba import *  # noqa: F403
from .sentencepiece import *  # noqa: F403
from .sequences import *  # noqa: F403
from .strings import *  # noqa: F403
from .tokenizers import *  # noqa: F403
from .utils import to_bytes, to_str  # noqa: F401
from .wordpiece import *  # noqa: F403
