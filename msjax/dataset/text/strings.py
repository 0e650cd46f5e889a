"""Operations from a string to a string."""

import re
import unicodedata
from typing import Any

from ...core.constructor import keep, with_arguments
from ...core.spec.checking import checked
from .base import StringOperation
from .enums import NormalizeForm
from .regex import compile_pattern, replacement

__all__ = ["CaseFold", "FilterWikipediaXML", "NormalizeUTF8", "RegexReplace"]

# Default_Ignorable_Code_Point of the Unicode Character Database: what NFKC_Casefold removes
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def fold(text: str):
    """The Unicode mapping NFKC_Casefold: lower case, compatible forms, no ignorable characters."""
    if text.isascii():
        return text.lower()
    text = _IGNORABLE.sub("", unicodedata.normalize("NFD", text)).casefold()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def normalize(text: str, form: Any):
    """`text` in a Unicode normalization form."""
    return text if form == NormalizeForm.NONE else unicodedata.normalize(form.name, text)


class CaseFold(StringOperation):
    """Folds strings to lower case, by the Unicode rules (NFKC_Casefold).

    Raises:
        RuntimeError: the input is not a string.

    Example:
        >>> import msjax.dataset.text as text
        >>> print(text.CaseFold()("Welcome To BEIJING!"))
        welcome to beijing!
    """

    def __init__(self):
        super().__init__()

    def convert(self, string: str):
        return fold(string)


class NormalizeUTF8(StringOperation):
    """Brings strings into a Unicode normalization form.

    Args:
        normalize_form (NormalizeForm): the form.

    Raises:
        TypeError: `normalize_form` is not a NormalizeForm.
        RuntimeError: the input is not a string.

    Example:
        >>> import msjax.dataset.text as text
        >>> print(text.NormalizeUTF8(text.NormalizeForm.NFKC)(["2⁵", "ﬁ"]))
        ['25' 'fi']
    """

    @checked
    def __init__(self, normalize_form: NormalizeForm = NormalizeForm.NFKC):
        self.normalize_form = normalize_form

    def convert(self, string: str):
        return normalize(string, self.normalize_form)


class RegexReplace(StringOperation):
    """Replaces the matches of a regular expression in ICU's syntax.

    Args:
        pattern (str): the regular expression.
        replace (str): the replacement; ``$1`` stands for the first group.
        replace_all (bool): replace every match, or the first one.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the input is not a string, or the pattern is wrong.

    Example:
        >>> import msjax.dataset.text as text
        >>> print(text.RegexReplace("(a)p+", "$1m")("apple"))
        amle
    """

    @checked
    @with_arguments
    def __init__(self, pattern: str, replace: str, replace_all: bool = True):
        keep(self)

    def convert(self, string: str):
        pattern = compile_pattern(self.pattern, "RegexReplace")
        try:
            parts = replacement(self.replace, pattern.groups)
            return pattern.sub(
                lambda match: "".join(p if isinstance(p, str) else match[p[0]] or "" for p in parts),
                string,
                count=0 if self.replace_all else 1,
            )
        except (ValueError, IndexError) as error:
            raise RuntimeError(f"RegexReplace: RegexReplace failed: {error}") from error


_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_WIKIPEDIA = [
    (re.compile(pattern), replace)
    for pattern, replace in (
        (r"<.*>", ""),
        (r"&[^;]*;", " "),
        (r"[A-Z]", lambda match: match[0].lower()),
        (r"[0-9]", lambda match: f" {_DIGITS[int(match[0])]} "),
        (r"[^a-z\n]+", " "),
        (r"\n ", ""),
        (r"\s+", " "),
    )
]


class FilterWikipediaXML(StringOperation):
    """Reduces a dump of Wikipedia to lower-case words with single spaces between them: no tags, digits spelled out.

    After M. Mahoney's filter, http://mattmahoney.net/dc/textdata.

    Raises:
        RuntimeError: the input is not a string.

    Example:
        >>> import msjax.dataset.text as text
        >>> print(text.FilterWikipediaXML()("Welcome <b>to</b> China 1"))
        welcome china one
    """

    def __init__(self):
        super().__init__()

    def convert(self, string: str):
        for pattern, replace in _WIKIPEDIA:
            string = pattern.sub(replace, string)
        return string.strip()
