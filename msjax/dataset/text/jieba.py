"""JiebaTokenizer: segmentation of Chinese by a dictionary (maximum probability) and by a hidden Markov model.

The algorithms and the two files are those of cppjieba, https://github.com/yanyiwu/cppjieba.
"""

import functools
import math
import os
import re
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Given
from ..check import check
from ..rules import NOT_NONE, Existing, UInt32
from .base import Tokenizer, strings, tokens_of
from .enums import JiebaMode

__all__ = ["JiebaTokenizer"]

_IMPOSSIBLE = -3.14e100  # logarithm of probability 0
_SEPARATORS = re.compile("[ \t\n，。]")
_ASCII_WORD = re.compile(r"[a-zA-Z][a-zA-Z0-9]*|[0-9][0-9.]*|[\x00-\x7f]")
_BEGIN, _END, _MIDDLE, _SINGLE = range(4)  # place of a character in its word
_USER_LINE = re.compile(r"^\s*([^\s*]+?)\s*([0-9]+)?\s*$")


class _Dictionary:
    """Words and the logarithms of their probabilities."""

    def __init__(self, path: str):
        counts = {}
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                fields = line.split()
                if len(fields) >= 2:
                    counts[fields[0]] = float(fields[1])
        check(counts, f"JiebaTokenizer: the dictionary {path} holds no words.", RuntimeError)
        self.total = sum(counts.values())
        self.weight = {word: math.log(count / self.total) for word, count in counts.items()}
        ranked = sorted(self.weight.values())
        self.least, self.median = ranked[0], ranked[len(ranked) // 2]
        self.longest = max(map(len, self.weight))

    def with_words(self, words: Sequence[str]):
        """A copy with a user's (word, frequency); frequency 0 means the median of the dictionary."""
        other = object.__new__(_Dictionary)
        other.total, other.least, other.median = self.total, self.least, self.median
        other.weight = {
            **self.weight,
            **{word: math.log(count / self.total) if count else self.median for word, count in words},
        }
        other.longest = max([self.longest, *(len(word) for word, _ in words)])
        return other

    def cut(self, text: str):
        """The lengths of the words of the most probable segmentation."""
        count = len(text)
        best, length = [0.0] * (count + 1), [1] * count
        for start in range(count - 1, -1, -1):
            top = self.weight.get(text[start], self.least) + best[start + 1]
            for size in range(2, min(self.longest, count - start) + 1):
                weight = self.weight.get(text[start : start + size])
                if weight is not None and weight + best[start + size] > top:
                    top, length[start] = weight + best[start + size], size
            best[start] = top
        result, start = [], 0
        while start < count:
            result.append(length[start])
            start += length[start]
        return result


class _Markov:
    """The hidden Markov model of word boundaries: states Begin, End, Middle, Single."""

    def __init__(self, path: str):
        with open(path, encoding="utf-8") as lines:
            rows = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
        try:
            self.start = [float(x) for x in rows[0].split()]
            self.step = [[float(x) for x in row.split()] for row in rows[1:5]]
            self.emit = [{pair[0]: float(pair[2:]) for pair in row.split(",")} for row in rows[5:9]]
            valid = len(self.start) == 4 and all(len(row) == 4 for row in self.step) and len(self.emit) == 4
        except (IndexError, ValueError):
            valid = False
        check(valid, f"JiebaTokenizer: {path} is not a hidden Markov model of jieba.", RuntimeError)

    def cut(self, text: str):
        """The lengths of the words; runs of ASCII letters and digits stay whole."""
        result, start = [], 0
        while start < len(text):
            match = _ASCII_WORD.match(text, start)
            if match:
                result.append(match.end() - start)
                start = match.end()
                continue
            end = start
            while end < len(text) and text[end] >= "\x80":
                end += 1
            result += self._viterbi(text[start:end])
            start = end
        return result

    def _viterbi(self, text):
        weight = [self.start[state] + self.emit[state].get(text[0], _IMPOSSIBLE) for state in range(4)]
        paths = []
        for character in text[1:]:
            new, path = [], []
            for state in range(4):
                emit = self.emit[state].get(character, _IMPOSSIBLE)
                top, origin = _IMPOSSIBLE, _END
                for before in range(4):
                    value = weight[before] + self.step[before][state] + emit
                    if value > top:
                        top, origin = value, before
                new.append(top)
                path.append(origin)
            weight = new
            paths.append(path)
        state = _END if weight[_END] >= weight[_SINGLE] else _SINGLE
        states = [state]
        for path in reversed(paths):
            state = path[state]
            states.append(state)
        result, size = [], 0
        for state in reversed(states):
            size += 1
            if state in (_END, _SINGLE):
                result.append(size)
                size = 0
        return result


@functools.lru_cache(4)
def _load(kind, path, stamp):
    """A model read once; `stamp` is the time of the file's last change."""
    return kind(path)


class JiebaTokenizer(Tokenizer):
    """Splits Chinese text into words.

    Args:
        hmm_path (str): the hidden Markov model, the file hmm_model.utf8 of cppjieba.
        mp_path (str): the dictionary, the file jieba.dict.utf8 of cppjieba.
        mode (JiebaMode): the algorithm.
        with_offsets (bool): return (tokens, start, limit), with the byte positions of each token.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a path is None or does not exist.
        RuntimeError: the input is not one string, or a file has the wrong form.

    Example:
        >>> import msjax.dataset.text as text
        >>> tokenizer = text.JiebaTokenizer("hmm_model.utf8", "jieba.dict.utf8")  # doctest: +SKIP
        >>> tokenizer("今天天气太好了")  # doctest: +SKIP
        array(['今天天气', '太好了'], dtype='<U4')
    """

    @checked
    def __init__(
        self,
        hmm_path: Given[Existing],
        mp_path: Given[Existing],
        mode: JiebaMode = JiebaMode.MIX,
        with_offsets: bool = False,
    ):
        self.hmm_path, self.mp_path, self.mode, self.with_offsets = hmm_path, mp_path, mode, with_offsets
        self.words = []

    @checked
    def add_word(self, word: Given[Annotated[Any, NOT_NONE]], freq: UInt32 | None = None):
        """Adds a word.

        Args:
            word (str): the word.
            freq (int, optional): its frequency; default the median of the dictionary.

        Raises:
            TypeError: `freq` is not an int.
            ValueError: `word` is None, or `freq` out of range.
        """
        self.words.append((word, freq or 0))

    @checked
    def add_dict(self, user_dict: Existing | dict):
        """Adds words.

        Args:
            user_dict (Union[str, dict[str, int]]): frequency of each word, or a file of such lines.

        Raises:
            TypeError: `user_dict` is neither.
            ValueError: the file does not exist or is not in UTF-8.
        """
        if isinstance(user_dict, dict):
            for word, freq in user_dict.items():
                self.add_word(word, freq)
            return
        with open(user_dict, encoding="utf-8-sig") as lines:
            try:
                found = [_USER_LINE.match(line.strip()) for line in lines]
            except UnicodeDecodeError as error:
                raise ValueError("user dict file must be utf8 format.") from error
        for match in filter(None, found):
            self.add_word(match[1], int(match[2] or 0))

    def _models(self):
        markov, words = (
            _load(kind, path, os.stat(path).st_mtime_ns)
            for kind, path in ((_Markov, self.hmm_path), (_Dictionary, self.mp_path))
        )
        if self.words and getattr(self, "_user", (None, None))[0] != len(self.words):
            self._user = (len(self.words), words.with_words(self.words))
        return markov, self._user[1] if self.words else words

    def compute(self, array: np.ndarray):
        string = array.item()
        spans = self.spans(string)
        if not spans and self.with_offsets:
            return strings([""]), np.empty(0, np.uint32), np.empty(0, np.uint32)
        return tokens_of(string, spans or [(0, 0)], self.with_offsets)

    def spans(self, string: str):
        result, start = [], 0
        for separator in [*_SEPARATORS.finditer(string), None]:
            end = separator.start() if separator else len(string)
            for size in self._cut(string[start:end]) if end > start else ():
                result.append((start, start + size))
                start += size
            if separator:
                result.append(separator.span())
                start = separator.end()
        return result

    def _cut(self, text):
        """The lengths of the words of a text without separators."""
        markov, words = self._models()
        if self.mode == JiebaMode.HMM:
            return markov.cut(text)
        sizes = words.cut(text)
        if self.mode == JiebaMode.MP:
            return sizes
        result, start, run = [], 0, 0  # `run` single characters in a row end at `start`
        for size in [*sizes, None]:
            if size == 1:
                run += 1
            else:
                result += markov.cut(text[start - run : start]) if run else []
                run = 0
                result += [size] if size else []
            start += size or 0
        return result
