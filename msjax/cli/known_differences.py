"""The rows of the table of deviations that are about one name."""

import functools
import re

from .deviations import DEVIATIONS

# Names of MindSpore that are words of plain English, or of Python: in a row they are such names only with a package or a parenthesis.
_ENGLISH = frozenset(
    "Cell Model Parameter Tensor all amp any arguments bool byte cast check data dataset depend device dtype dtypes empty equal "
    "experimental files float index init inner int item layer load log logit mean names negative number numpy ops padding range rank "
    "real seed shape shapes single size slice sources string sum summary t take to type value where zeros".split()
)
# A name, which is no keyword argument, no word in quotes and no part of a compound with a hyphen.
_NAME = re.compile(r"(?<![\w.'\"-])[A-Za-z_][\w.]*(?![\w\"=-]|'(?!s\b))(?P<call>\()?")


def _names(what):
    """The names that the first column of a row is about."""
    for found in _NAME.finditer(what):
        name = found.group().rstrip("(").rstrip(".")
        if name not in _ENGLISH or found["call"]:
            yield name


@functools.cache
def _by_word():
    """{last part of a name in the first column: [(the whole name, sentence)]}"""
    found = {}
    for what, there, here in DEVIATIONS:
        for name in dict.fromkeys(_names(what)):
            row = name, f"{what}. In MindSpore: {there}. Here: {here}"
            found.setdefault(name.rpartition(".")[2], []).append(row)
    return found


def differences(name: str):
    """What the table says about a name: of "ops.relu" those about `ops.relu` and `relu`, of "relu" also those about `x.relu`.

    Example:
        >>> from msjax.cli.known_differences import differences
        >>> differences("ops.masked_fill")[0].partition(".")[0]
        'masked_fill of an integer Tensor with a whole number'
    """
    package, _, leaf = name.rpartition(".")
    meant = (leaf, name)
    return [sentence for word, sentence in _by_word().get(leaf, ()) if not package or word in meant]
