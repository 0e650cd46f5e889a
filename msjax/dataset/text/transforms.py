"""The operations of `mindspore.dataset.text`, by name."""

from ..vision.modes import Implementation as Implementation  # scripts import it from here
from .base import TextOperation as TextTensorOperation  # noqa: F401 - operations that users write are of MindSpore's name
from .enums import *  # noqa: F403
from .jieba import *  # noqa: F403
from .sentencepiece import *  # noqa: F403
from .sequences import *  # noqa: F403
from .strings import *  # noqa: F403
from .tokenizers import *  # noqa: F403
from .utils import to_bytes as to_bytes
from .utils import to_str as to_str
from .wordpiece import *  # noqa: F403
