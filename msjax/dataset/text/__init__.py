"""Operations on text, for `dataset.map` and for single strings: tokenizers, vocabularies, normalization, word vectors.

A string is a NumPy array of dtype str; tokens are an array of one dimension.
"""

from . import transforms, utils  # noqa: F401
from .transforms import *  # noqa: F403
from .utils import *  # noqa: F403
