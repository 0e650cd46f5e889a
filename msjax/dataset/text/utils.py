"""Vocabularies, word vectors and enumerations of the text operations, and the conversion between str and bytes."""

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Like
from .base import decoded
from .enums import JiebaMode, NormalizeForm, SentencePieceModel, SPieceTokenizerLoadType, SPieceTokenizerOutType
from .sentencepiece import SentencePieceVocab
from .vectors import CharNGram, FastText, GloVe, Vectors
from .vocabulary import Vocab

__all__ = [
    "CharNGram",
    "FastText",
    "GloVe",
    "JiebaMode",
    "NormalizeForm",
    "SPieceTokenizerLoadType",
    "SPieceTokenizerOutType",
    "SentencePieceModel",
    "SentencePieceVocab",
    "Vectors",
    "Vocab",
    "to_bytes",
    "to_str",
]


@checked
def to_bytes(array: AsValue[np.ndarray], encoding: Like[str] = "utf8"):
    """Encodes an array of str.

    Args:
        array (numpy.ndarray): the strings.
        encoding (str): the encoding.

    Returns:
        numpy.ndarray of bytes.

    Raises:
        ValueError: `array` is not an array.

    Example:
        >>> import numpy as np, msjax.dataset.text as text
        >>> text.to_bytes(np.array(["1", "2"]))
        array([b'1', b'2'], dtype='|S1')
    """
    return np.char.encode(array, encoding)


@checked
def to_str(array: np.ndarray, encoding: Like[str] = "utf8"):
    """Decodes an array of bytes.

    Args:
        array (numpy.ndarray): the bytes; an array of str is given back, for scripts of 1.x, whose pipelines gave bytes.
        encoding (str): the encoding.

    Returns:
        numpy.ndarray of str.

    Raises:
        TypeError: `array` is not an array.

    Example:
        >>> import numpy as np, msjax.dataset.text as text
        >>> text.to_str(np.array([b"1", b"2"]))
        array(['1', '2'], dtype='<U1')
    """
    return decoded(array, encoding)
