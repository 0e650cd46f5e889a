"""Enumerations of the text operations."""

from enum import IntEnum


class JiebaMode(IntEnum):
    """Segmentation of JiebaTokenizer: maximum probability and then the hidden Markov model, or one of the two."""

    MIX = 0
    MP = 1
    HMM = 2


class NormalizeForm(IntEnum):
    """Unicode normalization forms."""

    NONE = 0
    NFC = 1
    NFKC = 2
    NFD = 3
    NFKD = 4


class SentencePieceModel(IntEnum):
    """Algorithms of SentencePiece."""

    UNIGRAM = 0
    BPE = 1
    CHAR = 2
    WORD = 3


class SPieceTokenizerLoadType(IntEnum):
    """The source of SentencePieceTokenizer's model."""

    FILE = 0
    MODEL = 1


class SPieceTokenizerOutType(IntEnum):
    """The output type of SentencePieceTokenizer."""

    STRING = 0
    INT = 1
