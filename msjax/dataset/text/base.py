"""Shared code of the text operations: accepted arrays, and tokens as arrays."""

from typing import Any

import numpy as np

from ..check import check
from ..operation import Operation


class TextOperation(Operation):
    """Base of the text operations; a subclass defines `compute(array)`.

    Attributes:
        ranks: the numbers of dimensions accepted, None for any.
        strings_only: whether only strings are accepted.
    """

    ranks = None
    strings_only = True

    def apply(self, *columns):
        """Checks the input and computes."""
        if hasattr(self, "_execute_py"):  # an operation that a user wrote on this base
            return self._execute_py(*columns)
        name = type(self).__name__
        check(
            len(columns) == 1, f"{name}: the number of input columns should be 1, but got {len(columns)}.", RuntimeError
        )
        (array,) = columns
        check(
            not self.strings_only or array.dtype.kind == "U",
            f"{name}: the input datatype should be string, but got {array.dtype}.",
            RuntimeError,
        )
        check(
            self.ranks is None or array.ndim in self.ranks,
            f"{name}: the input should be of dimension {' or '.join(map(str, self.ranks or ()))}, "
            f"but got a tensor with rank: {array.ndim}.",
            RuntimeError,
        )
        return self.compute(array)

    def compute(self, array: np.ndarray):
        """The work on an accepted array."""
        raise NotImplementedError(f"{type(self).__name__} has to implement compute().")


class StringOperation(TextOperation):
    """Base of the operations that turn each string into another; a subclass defines `convert(string)`."""

    def compute(self, array: np.ndarray):
        return strings([self.convert(string) for string in array.ravel().tolist()]).reshape(array.shape)

    def convert(self, string: str):
        """The new string."""
        raise NotImplementedError(f"{type(self).__name__} has to implement convert().")


class Tokenizer(TextOperation):
    """Base of the tokenizers of one string; a subclass defines `spans(string)` and may set `text(string)`.

    With `with_offsets` the result is (tokens, start, limit): the last two are positions in the UTF-8 bytes, uint32.
    """

    ranks = (0,)
    with_offsets = False

    def compute(self, array: np.ndarray):
        string = self.prepare(array.item())
        return tokens_of(string, self.spans(string) or [(0, 0)], self.with_offsets)

    def prepare(self, string: str):
        """The string that is split."""
        return string

    def spans(self, string: str):
        """(start, limit) of each token, in characters."""
        raise NotImplementedError(f"{type(self).__name__} has to implement spans().")


def decoded(array: np.ndarray, encoding: str = "utf8"):
    """Bytes as strings; strings stay."""
    return array if array.dtype.kind == "U" else np.char.decode(array, encoding)


def strings(values: Any):
    """A NumPy array of Python strings."""
    return np.array(values, dtype=np.str_) if values else np.empty(0, "U1")


def tokens_of(string: str, spans: Any, with_offsets: bool):
    """The tokens at `spans`, with their byte positions where `with_offsets`."""
    tokens = strings([string[start:limit] for start, limit in spans])
    return (tokens, *byte_positions(string, spans)) if with_offsets else tokens


def byte_positions(string: str, spans: Any):
    """Where `spans` start and end in the UTF-8 bytes of the string: two uint32 arrays."""
    place = np.array(spans, np.uint32)
    if not string.isascii():
        sizes = [len(character.encode("utf-8", "surrogatepass")) for character in string]
        place = np.cumsum([0, *sizes], dtype=np.uint32)[place]
    return place[:, 0], place[:, 1]
