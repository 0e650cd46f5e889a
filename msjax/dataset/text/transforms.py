"""The operations of `mindspore.dataset.text`, by name."""

from msjax.dataset.text.base import TextOperation as TextTensorOperation  # noqa: F401
from msjax.dataset.text.enums import *  # noqa: F403
from msjax.dataset.text.jieba import *  # noqa: F403
from msjax.dataset.text.sentencepiece import *  # noqa: F403
from msjax.dataset.text.sequences import *  # noqa: F403
from msjax.dataset.text.strings import *  # noqa: F403
from msjax.dataset.text.tokenizers import *  # noqa: F403
from msjax.dataset.text.utils import to_bytes, to_str  # noqa: F401
from msjax.dataset.text.wordpiece import *  # noqa: F403
from msjax.dataset.vision.modes import Implementation  # noqa: F401 - scripts import it from here
