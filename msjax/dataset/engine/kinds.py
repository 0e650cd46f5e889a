"""Base classes that tell the kind of a source's data."""

from collections.abc import Sequence
from typing import Any

from .dataset import Dataset


class VisionBaseDataset(Dataset):
    """Base of image sources."""


class TextBaseDataset(Dataset):
    """Base of text sources."""

    def build_vocab(
        self,
        columns: str | Sequence[str],
        freq_range: Any,
        top_k: int | None,
        special_tokens: Sequence[str],
        special_first: Any,
    ):
        """The 1.x form of `text.Vocab.from_dataset`."""
        from ..text import Vocab  # here: it is loaded on demand only

        return Vocab.from_dataset(self, columns, freq_range, top_k, special_tokens, special_first)

    def build_sentencepiece_vocab(
        self,
        columns: str | Sequence[str],
        vocab_size: int,
        character_coverage: float,
        model_type: str,
        params: Sequence,
    ):
        """The 1.x form of `text.SentencePieceVocab.from_dataset`."""
        from ..text import SentencePieceVocab  # here: it is loaded on demand only

        return SentencePieceVocab.from_dataset(self, columns, vocab_size, character_coverage, model_type, params)


class AudioBaseDataset(Dataset):
    """Base of audio sources."""


class UnionBaseDataset(VisionBaseDataset, TextBaseDataset, AudioBaseDataset):
    """Base class of nodes for any kind of data: operations and user-defined sources."""
