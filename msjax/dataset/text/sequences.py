"""Operations on sequences of tokens: lookup, n-grams, windows, numbers, vectors, truncation."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import numpy as np

from ...core.constructor import keep, with_arguments
from ...core.spec.checking import checked, compare
from ...core.spec.rules import AsValue, Length, PositiveInt, Raises, Rank, That, Within
from ...core.values import dtype as mstype
from ..check import check, check_type
from ..rules import PositiveInt32
from .base import TextOperation, strings
from .vectors import Vectors
from .vocabulary import Vocab

if TYPE_CHECKING:
    pass

__all__ = ["AddToken", "Lookup", "Ngram", "SlidingWindow", "ToNumber", "ToVectors", "Truncate", "TruncateSequencePair"]


def _kind(data_type):
    """NumPy's letter for the kind of a MindSpore dtype; "O" for a type without array form."""
    try:
        return np.dtype(mstype.to_numpy(data_type)).kind
    except (TypeError, KeyError):
        return "O"


Padding = tuple[str, Annotated[int | bool, Within("[0, inf)")]]


class AddToken(TextOperation):
    """Adds a token at the beginning or the end of a sequence, or of each row.

    Args:
        token (str): the token.
        begin (bool): at the beginning, or at the end.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the input does not hold strings in one or two dimensions.

    Example:
        >>> import msjax.dataset.text as text
        >>> print(text.AddToken("<s>")(["a", "b"]))
        ['<s>' 'a' 'b']
    """

    ranks = (1, 2)

    @checked
    @with_arguments
    def __init__(self, token: str, begin: bool = True):
        keep(self)

    def compute(self, array: np.ndarray):
        token = np.full(array.shape[:-1] + (1,), self.token)
        return np.concatenate([token, array] if self.begin else [array, token], axis=-1)


class Lookup(TextOperation):
    """Turns tokens into ids.

    Args:
        vocab (Vocab): the vocabulary.
        unknown_token (str, optional): stands for tokens that `vocab` does not have; default: such a token is an error.
        data_type (mindspore.dtype): dtype of the result.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the input holds no strings, or a token is unknown.

    Example:
        >>> import msjax.dataset.text as text
        >>> vocab = text.Vocab.from_list(["<unk>", "we", "are"])
        >>> text.Lookup(vocab, "<unk>")(["we", "were"])
        array([1, 0], dtype=int32)
    """

    elementwise = True

    @checked
    @with_arguments
    def __init__(
        self,
        vocab: Annotated[Vocab, That("that has been built", lambda vocab: vocab._ids is not None, is_type=True)],
        unknown_token: str | None = None,
        data_type: mstype.Type = mstype.int32,
    ):
        keep(self)

    def compute(self, array: np.ndarray):
        table = self.vocab.table()
        check(
            _kind(self.data_type) in "biuf",
            "Lookup : The parameter data_type must be numeric including bool.",
            RuntimeError,
        )
        unknown = None
        if self.unknown_token is not None:
            unknown = table.get(self.unknown_token)
            check(unknown is not None, f'Lookup: "{self.unknown_token}" doesn\'t exist in vocab.', RuntimeError)
        ids = [table.get(token, unknown) for token in array.ravel().tolist()]
        if unknown is None and None in ids:
            missing = array.ravel()[ids.index(None)]
            raise RuntimeError(
                f'Lookup: invalid data, token: "{missing}" doesn\'t exist in vocab and no unknown token is specified.'
            )
        return np.array(ids, np.int32).astype(mstype.to_numpy(self.data_type)).reshape(array.shape)


Filled = Annotated[np.ndarray, That("that is not empty", lambda array: array.size > 0), Raises(value=RuntimeError)]


class Ngram(TextOperation):
    """Makes the n-grams of a sequence.

    Args:
        n (Union[int, list[int]]): length or lengths of the n-grams.
        left_pad (tuple[str, int]): token put in front, and how often (at most n - 1).
        right_pad (tuple[str, int]): token put behind, and how often (at most n - 1).
        separator (str): what joins the tokens.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a length is not positive, or a padding has the wrong form.
        RuntimeError: the input is not a sequence of strings.

    Example:
        >>> import msjax.dataset.text as text
        >>> print(text.Ngram(2, ("_", 1))(["a", "b"]))
        ['_ a' 'a b']
    """

    ranks = (1,)

    @checked
    @with_arguments
    def __init__(
        self,
        n: AsValue[int | bool | Annotated[list, Length(at_least=1)]],
        left_pad: AsValue[Padding] = ("", 0),
        right_pad: AsValue[Padding] = ("", 0),
        separator: str = " ",
    ):
        keep(self)
        self.ngrams = [n] if isinstance(n, int) else n
        for i, length in enumerate(self.ngrams):
            compare("Ngram", f"n[{i}]", length, PositiveInt)

    @checked
    def compute(self, array: Filled):
        tokens, grams = array.tolist(), []
        for n in self.ngrams:
            padded = (
                [self.left_pad[0]] * min(self.left_pad[1], n - 1)
                + tokens
                + [self.right_pad[0]] * min(self.right_pad[1], n - 1)
            )
            grams += [self.separator.join(padded[i : i + n]) for i in range(len(padded) - n + 1)] or [""]
        return strings(grams)


class SlidingWindow(TextOperation):
    """Makes all windows of a sequence.

    Args:
        width (int): width of a window.
        axis (int): the axis, 0 or -1.

    Raises:
        TypeError: an argument is not an int.
        ValueError: `width` is not positive.
        RuntimeError: the input does not have one dimension, or `axis` is neither 0 nor -1.

    Example:
        >>> import msjax.dataset.text as text
        >>> print(text.SlidingWindow(2)(["a", "b", "c"]))
        [['a' 'b']
         ['b' 'c']]
    """

    strings_only = False

    @checked
    @with_arguments
    def __init__(self, width: PositiveInt32, axis: int = 0):
        keep(self)

    @checked
    def compute(self, array: Annotated[np.ndarray, Rank(1), Raises(value=RuntimeError)]):
        check(
            self.axis in (0, -1),
            f"SlidingWindow: The parameter axis supports 0 or -1 only for now, but got {self.axis}.",
            RuntimeError,
        )
        if self.width > len(array):
            return array[:0]
        return np.lib.stride_tricks.sliding_window_view(array, self.width).copy()


_INTEGER = re.compile(r"\s*([+-]?\d+)")
_REAL = re.compile(
    r"\s*([+-]?(?:0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|nan|inf(?:inity)?))",
    re.IGNORECASE,
)


class ToNumber(TextOperation):
    """Turns strings into numbers; text after the number is ignored, as in C++.

    Args:
        data_type (mindspore.dtype): a numeric type.

    Raises:
        TypeError: `data_type` is not a numeric type.
        RuntimeError: a string is not a number, or one out of range.

    Example:
        >>> import mindspore as ms, msjax.dataset.text as text
        >>> text.ToNumber(ms.int8)(["1", "2"])
        array([1, 2], dtype=int8)
    """

    elementwise = True

    @checked
    def __init__(
        self, data_type: Annotated[mstype.Type, That("of numbers", lambda kind: _kind(kind) in "iuf", is_type=True)]
    ):
        self.data_type = data_type

    def compute(self, array: np.ndarray):
        data_type = np.dtype(mstype.to_numpy(self.data_type))
        convert = self._real if data_type.kind == "f" else self._integer
        return np.array([convert(text, data_type) for text in array.ravel().tolist()], data_type).reshape(array.shape)

    @staticmethod
    def _integer(text, data_type):
        match = _INTEGER.match(text)
        check(match, f"ToNumber: invalid string {text!r}, it can't be converted to {data_type}.", RuntimeError)
        number, bounds = int(match[1]), np.iinfo(data_type)
        check(
            bounds.min <= number <= bounds.max,
            f"ToNumber: string {text!r} is out of the range of {data_type}.",
            RuntimeError,
        )
        return number

    @staticmethod
    def _real(text, data_type):
        match = _REAL.match(text)
        check(match, f"ToNumber: invalid string {text!r}, it can't be converted to {data_type}.", RuntimeError)
        number = float.fromhex(match[1]) if "x" in match[1].lower() else float(match[1])
        check(
            not abs(number) > float(np.finfo(data_type).max),
            f"ToNumber: string {text!r} is out of the range of {data_type}.",
            RuntimeError,
        )
        return number


class ToVectors(TextOperation):
    r"""Turns tokens into vectors.

    Args:
        vectors (Vectors): the table of vectors.
        unk_init (sequence, optional): the vector of unknown tokens; default zeros.
        lower_case_backup (bool): look up the token in lower case where it is not found as it is.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the input holds no strings, or `unk_init` has the wrong length.

    Example:
        >>> import msjax.dataset.text as text
        >>> with open("vectors.txt", "w") as file:
        ...     _ = file.write("happy 0.5 1.0\nsad 0.0 2.0\n")
        >>> vectors = text.Vectors.from_file("vectors.txt")
        >>> text.ToVectors(vectors)(["happy"])
        array([0.5, 1. ], dtype=float32)
    """

    @checked
    @with_arguments
    def __init__(
        self, vectors: Vectors, unk_init: Sequence[int | float] | None = None, lower_case_backup: bool = False
    ):
        keep(self)

    def compute(self, array: np.ndarray):
        dim = self.vectors.dim
        unknown = np.array(self.unk_init, np.float32) if self.unk_init else np.zeros(dim, np.float32)
        check(
            len(unknown) == dim,
            f"ToVectors: unk_init must be the same length as vectors, but got unk_init: {len(unknown)} and vectors: "
            f"{dim}",
            RuntimeError,
        )
        found = [self.vectors.lookup(token, unknown, self.lower_case_backup) for token in array.ravel().tolist()]
        return (
            np.array(found[0]) if len(found) == 1 else np.stack(found)
        )  # one token, also one in a list, gives one vector


class Truncate(TextOperation):
    """Cuts a sequence, or each row, at a greatest length.

    Args:
        max_seq_len (int): the greatest length.

    Raises:
        TypeError: `max_seq_len` is not an int.
        ValueError: `max_seq_len` is not positive.
        RuntimeError: the input does not have one or two dimensions.

    Example:
        >>> import msjax.dataset.text as text
        >>> print(text.Truncate(2)(["a", "b", "c"]))
        ['a' 'b']
    """

    ranks = (1, 2)
    strings_only = False

    @checked
    @with_arguments
    def __init__(self, max_seq_len: PositiveInt32):
        keep(self)

    def compute(self, array: np.ndarray):
        check(
            array.dtype.kind in "biufU",
            f"Truncate: the input should be of type bool, int, float, double or string, but got {array.dtype}.",
            RuntimeError,
        )
        return tight(array[..., : self.max_seq_len])


class TruncateSequencePair(TextOperation):
    """Cuts two sequences, always the longer one, until together they have a greatest length.

    Args:
        max_length (int): the greatest length of both together.

    Raises:
        TypeError: `max_length` is not an int.
        RuntimeError: there are not two sequences of one dimension each.

    Example:
        >>> import msjax.dataset.text as text
        >>> text.TruncateSequencePair(4)([1, 2, 3], [4, 5])
        (array([1, 2]), array([4, 5]))
    """

    def __init__(self, max_length: int):
        self.max_length = max_length

    def apply(self, *columns):
        """Cuts the two columns."""
        check_type(self.max_length, int, "max_length")
        check(
            len(columns) == 2,
            f"TruncateSequencePair: Expected two inputs, but got {len(columns)} inputs.",
            RuntimeError,
        )
        check(
            self.max_length >= 0,
            f"TruncateSequencePair : The parameter max_length must be greater than or equal to 0: {self.max_length}",
            RuntimeError,
        )
        first, second = columns
        check(
            first.ndim == 1 and second.ndim == 1,
            "TruncateSequencePair: both data column should be of rank 1.",
            RuntimeError,
        )
        one, two = len(first), len(second)
        over = max(one + two - self.max_length, 0)
        shorten = min(over, abs(one - two))  # first make them equally long, then cut both in turn, the second first
        one, two = (one - shorten, two) if one > two else (one, two - shorten)
        rest = over - shorten
        return tight(first[: one - rest // 2]), tight(second[: two - (rest + 1) // 2])


def tight(array: np.ndarray):
    """Strings in the narrowest dtype that holds them; other arrays as they are."""
    return strings(array.ravel().tolist()).reshape(array.shape) if array.dtype.kind == "U" else array
