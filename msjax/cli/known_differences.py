"""The rows of the table of deviations that are about one name."""

import functools
import re

from .deviations import DEVIATIONS


@functools.cache
def _by_word():
    """{last part of a name in the first column: [(the whole name, sentence)]}"""
    found = {}
    for what, there, here in DEVIATIONS:
        for word in {word.rstrip(".") for word in re.findall(r"[\w.]+", what)}:
            found.setdefault(word.rpartition(".")[2], []).append((word, f"{what}: {there} in MindSpore; {here}"))
    return found


def differences(name: str):
    """The sentences of the table about a name: of "ops.relu" those about `ops.relu` and `relu`, of "relu" also those about `x.relu`.

    Example:
        >>> from msjax.cli.known_differences import differences
        >>> differences("ops.masked_fill")[0].partition(":")[0]
        'masked_fill of an integer Tensor with a whole number'
    """
    package, _, leaf = name.rpartition(".")
    meant = (leaf, name)
    return [sentence for word, sentence in _by_word().get(leaf, ()) if not package or word in meant]
