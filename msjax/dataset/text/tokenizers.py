"""Tokenizers that split a string by characters, scripts, whitespace or regular expressions, and a user's own."""

import functools
import itertools
import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.constructor import keep, with_arguments
from ...core.spec.checking import checked
from ...core.spec.rules import Given
from .base import Tokenizer
from .regex import compile_pattern
from .scripts import script_of

__all__ = ["PythonTokenizer", "RegexTokenizer", "UnicodeCharTokenizer", "UnicodeScriptTokenizer", "WhitespaceTokenizer"]

_WORDS = re.compile(r"(?:\S|[\x1c-\x1f])+")  # the four separators are not whitespace for Unicode
_SPACE = re.compile(r"[^\S\x1c-\x1f]")


class UnicodeCharTokenizer(Tokenizer):
    """Splits a string into its characters.

    Args:
        with_offsets (bool): return (tokens, start, limit), with the byte positions of each token.

    Raises:
        TypeError: `with_offsets` is not a bool.
        RuntimeError: the input is not one string.

    Example:
        >>> import msjax.dataset.text as text
        >>> print(text.UnicodeCharTokenizer()("a 你"))
        ['a' ' ' '你']
    """

    @checked
    @with_arguments
    def __init__(self, with_offsets: bool = False):
        keep(self)

    def spans(self, string: str):
        return [(i, i + 1) for i in range(len(string))]


class WhitespaceTokenizer(Tokenizer):
    """Splits a string at whitespace.

    Args:
        with_offsets (bool): return (tokens, start, limit), with the byte positions of each token.

    Raises:
        TypeError: `with_offsets` is not a bool.
        RuntimeError: the input is not one string.

    Example:
        >>> import msjax.dataset.text as text
        >>> print(text.WhitespaceTokenizer()("Welcome   to China"))
        ['Welcome' 'to' 'China']
    """

    @checked
    @with_arguments
    def __init__(self, with_offsets: bool = False):
        keep(self)

    def spans(self, string: str):
        return [match.span() for match in _WORDS.finditer(string)]


@functools.lru_cache(1 << 16)
def _run(character):
    """The shared property of a token's characters: the script, or being whitespace."""
    return " " if _SPACE.match(character) else script_of(character)


class UnicodeScriptTokenizer(Tokenizer):
    """Splits a string where the script (Latin, Han, ...) changes, and around whitespace.

    Args:
        keep_whitespace (bool): return whitespace as tokens too.
        with_offsets (bool): return (tokens, start, limit), with the byte positions of each token.

    Raises:
        TypeError: an argument is not a bool.
        RuntimeError: the input is not one string.

    Example:
        >>> import msjax.dataset.text as text
        >>> print(text.UnicodeScriptTokenizer()("北京 is big"))
        ['北京' 'is' 'big']
    """

    @checked
    @with_arguments
    def __init__(self, keep_whitespace: bool = False, with_offsets: bool = False):
        keep(self)

    def spans(self, string: str):
        result, start = [], 0
        for key, run in itertools.groupby(string, key=_run):
            limit = start + sum(1 for _ in run)
            if key != " " or self.keep_whitespace:
                result.append((start, limit))
            start = limit
        return result


class RegexTokenizer(Tokenizer):
    """Splits a string at the matches of a regular expression in ICU's syntax.

    Args:
        delim_pattern (str): the regular expression of the delimiters.
        keep_delim_pattern (str): delimiters that match it become tokens; empty for none.
        with_offsets (bool): return (tokens, start, limit), with the byte positions of each token.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the input is not one string, or a pattern is wrong.

    Example:
        >>> import msjax.dataset.text as text
        >>> print(text.RegexTokenizer(r"[, ]", r",")("Welcome, you"))
        ['Welcome' ',' 'you']
    """

    @checked
    @with_arguments
    def __init__(self, delim_pattern: Given[str], keep_delim_pattern: str = "", with_offsets: bool = False):
        keep(self)

    def spans(self, string: str):
        kept = compile_pattern(self.keep_delim_pattern, "RegexTokenizer") if self.keep_delim_pattern else None
        return split(string, compile_pattern(self.delim_pattern, "RegexTokenizer"), kept)


def split(string: str, delimiter: Any, kept: Any):
    """Spans between the matches of `delimiter`, and of those matches that `kept` matches as a whole."""
    result, start = [], 0
    for match in delimiter.finditer(string):
        if match.start() > start:
            result.append((start, match.start()))
        if kept is not None and match[0] and kept.fullmatch(match[0]):
            result.append(match.span())
        start = match.end()
    if start < len(string):
        result.append((start, len(string)))
    return result


class PythonTokenizer:
    """Splits each string with a function of the user.

    Args:
        tokenizer (Callable): takes a str and returns a list of str.

    Raises:
        TypeError: `tokenizer` is not callable, or the input not an array.
        RuntimeError: the function raised.

    Example:
        >>> import numpy as np, msjax.dataset.text as text
        >>> print(text.PythonTokenizer(lambda line: line.split())(np.array("Welcome to China")))
        ['Welcome' 'to' 'China']
    """

    random = False

    @checked
    def __init__(self, tokenizer: Callable):
        self.pyfunc = tokenizer

    @checked
    def __call__(self, in_array: np.ndarray):
        """Splits each string of an array; the tokens make a new last dimension."""
        if in_array.dtype.kind == "S":
            in_array = np.char.decode(in_array, "utf8")
        try:
            tokens = [np.array(self.pyfunc(string), dtype=np.str_) for string in in_array.ravel().tolist()]
            return np.stack(tokens).reshape(in_array.shape + tokens[0].shape)
        except Exception as error:
            name = getattr(self.pyfunc, "__name__", type(self.pyfunc).__name__)
            raise RuntimeError(f"Error occurred in Pyfunc [{name}], error message: {error}") from error

    def to_json(self):
        """The name of the function, as JSON."""
        return json.dumps({"tensor_op_name": self.pyfunc.__name__, "python_module": type(self).__module__})
