"""Tokenizers of BERT: words and punctuation, then pieces of words from a vocabulary."""

import re
import unicodedata
from collections.abc import Callable, Sequence

import numpy as np

from ...core.constructor import keep, with_arguments
from ...core.spec.checking import checked
from ...core.spec.rules import Given
from ..check import check
from ..rules import UInt32
from .base import TextOperation, Tokenizer, byte_positions, strings
from .enums import NormalizeForm
from .strings import fold, normalize
from .tokenizers import split
from .vocabulary import Vocab

__all__ = ["BasicTokenizer", "BertTokenizer", "WordpieceTokenizer"]

_HAN = (
    "\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f"
    "\U0002b740-\U0002b81f\U0002b820-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f"
)
_SPECIAL = r"\[(?:CLS|SEP|UNK|PAD|MASK)\]"
_UNUSED = r"\[unused\d+\]"
_REMEMBERED = 100_000  # words


class _Translation(dict):
    """A table for str.translate that a function fills, character by character, when they first appear."""

    def __init__(self, function: Callable):
        super().__init__()
        self.function = function

    def __missing__(self, code):
        result = self[code] = self.function(chr(code))
        return result


def _mark(character):
    """The text "!" for every punctuation mark and every ASCII symbol."""
    symbol = "!" <= character <= "~" and not character.isalnum()
    return "!" if symbol or unicodedata.category(character).startswith("P") else character


_MARKS = _Translation(_mark)
_NO_CONTROLS = _Translation(lambda character: " " if unicodedata.category(character) in ("Cc", "Cf") else character)
_NO_ACCENTS = _Translation(lambda character: "" if unicodedata.category(character) == "Mn" else character)


class BasicTokenizer(Tokenizer):
    """Splits a string into words, punctuation marks and Chinese characters.

    Args:
        lower_case (bool): fold to lower case and strip accents; otherwise only `normalization_form` is applied.
        keep_whitespace (bool): return whitespace as tokens too.
        normalization_form (NormalizeForm): Unicode normalization where not `lower_case`.
        preserve_unused_token (bool): keep [CLS], [SEP], [UNK], [PAD], [MASK] and [unused<n>] whole.
        with_offsets (bool): return (tokens, start, limit), with the byte positions of each token once normalized.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the input is not one string.

    Example:
        >>> import msjax.dataset.text as text
        >>> print(text.BasicTokenizer()("Welcome to 北京!"))
        ['Welcome' 'to' '北' '京' '!']
    """

    @checked
    @with_arguments
    def __init__(
        self,
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ):
        keep(self)

    def prepare(self, string: str):
        if not self.lower_case:
            string = normalize(string, self.normalization_form)
        elif self.preserve_unused_token:
            pieces = re.split(f"({_SPECIAL})", string)
            string = "".join(piece if i % 2 else _plain(piece) for i, piece in enumerate(pieces))
        else:
            string = _plain(string)
        return string if string.isprintable() else string.translate(_NO_CONTROLS)

    def spans(self, string: str):
        # the patterns run over a copy in which every punctuation mark is "!", so that they need no list of all marks
        marks = string.translate(_MARKS)
        common, result, start = _COMMON_SPACE if self.keep_whitespace else _COMMON, [], 0
        special = _SPECIALS.finditer(string) if self.preserve_unused_token else ()
        for match in special:
            result += _shifted(split(marks[start : match.start()], _DELIMITER, common), start)
            result.append(match.span())
            start = match.end()
        return result + _shifted(split(marks[start:], _DELIMITER, common), start)


_COMMON = re.compile(f"[!{_HAN}]")
_COMMON_SPACE = re.compile(f"\\s+|[!{_HAN}]")
_DELIMITER = _COMMON_SPACE
_SPECIALS = re.compile(f"{_SPECIAL}|{_UNUSED}")


def _shifted(spans, by):
    return [(start + by, limit + by) for start, limit in spans]


def _plain(string):
    """`string` in lower case and without accents."""
    folded = fold(string)
    return folded if folded.isascii() else unicodedata.normalize("NFD", folded).translate(_NO_ACCENTS)


class WordpieceTokenizer(TextOperation):
    """Splits words into the longest pieces that a vocabulary has.

    Args:
        vocab (Vocab): the vocabulary.
        suffix_indicator (str): what marks a piece that does not begin a word.
        max_bytes_per_token (int): words with more bytes are unknown.
        unknown_token (str): stands for an unknown word; empty for the word itself.
        with_offsets (bool): return (tokens, start, limit), with the byte positions of each piece in its word. As in MindSpore,
            an unknown word has the positions of the pieces found before the search failed, too, so that there are more of them
            than tokens; a word that is too long has the length of the unknown token.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `vocab` is None, or `max_bytes_per_token` negative.
        RuntimeError: the input is neither a string nor a list of strings.

    Example:
        >>> import msjax.dataset.text as text
        >>> vocab = text.Vocab.from_list(["dur", "##ing", "the"])
        >>> print(text.WordpieceTokenizer(vocab)(["during", "the", "day"]))
        ['dur' '##ing' 'the' '[UNK]']
    """

    ranks = (0, 1)

    @checked
    @with_arguments
    def __init__(
        self,
        vocab: Given[Vocab],
        suffix_indicator: str = "##",
        max_bytes_per_token: UInt32 = 100,
        unknown_token: str = "[UNK]",
        with_offsets: bool = False,
    ):
        keep(self)
        self._known = {}

    def compute(self, array: np.ndarray):
        check(
            array.size,
            "WordpieceTokenizer: the input must hold one string or more, but it has no elements.",
            RuntimeError,
        )
        return self.cut([(word, 0) for word in array.ravel().tolist()])

    def cut(self, words: Sequence[str]):
        """Tokens, and offsets where asked for, of a list of (word, byte position)."""
        tokens, starts, limits = [], [], []
        for word, shift in words:
            pieces, places = self._pieces(word)
            tokens += pieces
            starts += [start + shift for start, _ in places]
            limits += [limit + shift for _, limit in places]
        if not tokens:
            tokens, starts, limits = [""], [0], [0]
        return (
            (strings(tokens), np.array(starts, np.uint32), np.array(limits, np.uint32))
            if self.with_offsets
            else strings(tokens)
        )

    def __getstate__(self):
        return {**self.__dict__, "_known": {}}

    def _pieces(self, word):
        """(tokens, [(start, limit), ...]) of the pieces of one word, in bytes; remembered, for words come again."""
        pieces = self._known.get(word)
        if pieces is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            pieces = self._known[word] = self._search(word)
        return pieces

    def _search(self, word):
        """The longest pieces of the vocabulary, from left to right; of an unknown word also the places of those before it ends."""
        table, size = self.vocab.table(), len(word.encode())
        unknown = [self.unknown_token or word]
        if size > self.max_bytes_per_token:
            return unknown, [(0, len(unknown[0].encode()))]
        pieces, places, start, at = [], [], 0, 0
        while start < len(word):
            prefix = self.suffix_indicator if start else ""
            for end in range(len(word), start, -1):
                piece = prefix + word[start:end]
                if piece in table:
                    break
            else:
                return unknown, [*places, (0, size)]
            limit = at + len(word[start:end].encode())
            pieces.append(piece)
            places.append((at, limit))
            start, at = end, limit
        return pieces, places


class BertTokenizer(TextOperation):
    """`BasicTokenizer` followed by `WordpieceTokenizer`.

    Args:
        vocab (Vocab): the vocabulary.
        suffix_indicator (str): what marks a piece that does not begin a word.
        max_bytes_per_token (int): words with more bytes are unknown.
        unknown_token (str): stands for an unknown word; empty for the word itself.
        lower_case (bool): fold to lower case and strip accents; otherwise only `normalization_form` is applied.
        keep_whitespace (bool): return whitespace as tokens too.
        normalization_form (NormalizeForm): Unicode normalization where not `lower_case`.
        preserve_unused_token (bool): keep [CLS], [SEP], [UNK], [PAD], [MASK] and [unused<n>] whole.
        with_offsets (bool): return (tokens, start, limit), with the byte positions of each token once normalized.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `vocab` is None, or `max_bytes_per_token` negative.
        RuntimeError: the input is not one string.

    Example:
        >>> import msjax.dataset.text as text
        >>> vocab = text.Vocab.from_list(["i", "am", "mak", "##ing", "!"])
        >>> print(text.BertTokenizer(vocab, lower_case=True)("I am making!"))
        ['i' 'am' 'mak' '##ing' '!']
    """

    ranks = (0,)

    @checked
    def __init__(
        self,
        vocab: Given[Vocab],
        suffix_indicator: str = "##",
        max_bytes_per_token: UInt32 = 100,
        unknown_token: str = "[UNK]",
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ):
        self.wordpiece = WordpieceTokenizer(vocab, suffix_indicator, max_bytes_per_token, unknown_token, with_offsets)
        self.basic = BasicTokenizer(lower_case, keep_whitespace, normalization_form, preserve_unused_token, True)

    def compute(self, array: np.ndarray):
        string = self.basic.prepare(array.item())
        spans = self.basic.spans(string)
        starts = [0] * len(spans)
        if self.wordpiece.with_offsets and spans:
            starts = byte_positions(string, spans)[0].tolist()
        return self.wordpiece.cut([(string[a:b], start) for (a, b), start in zip(spans, starts, strict=True)])
