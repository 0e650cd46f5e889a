"""Pre-trained word vectors in text files: one line a token, followed by its numbers."""

import fnmatch
import os
from typing import Annotated, Any, TypeAlias

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import That
from ..check import check
from ..rules import NaturalInt32

__all__ = ["CharNGram", "FastText", "GloVe", "Vectors"]

_FORBIDDEN = set("\\/:*?\"<>|`&';")


def _base(path):
    return os.path.basename(os.path.realpath(path))


FileName: TypeAlias = Annotated[
    str,
    That("without \\/:*?\"<>|`&;' in the name of the file", lambda path: not set(_base(path)) & _FORBIDDEN),
    That("without spaces at the ends of that name", lambda path: _base(path) == _base(path).strip(" ")),
]


class Vectors:
    """A table of word vectors, read by `from_file`.

    Attributes:
        stoi (dict[str, int]): row of each token.
        vectors (numpy.ndarray): float32 of shape (tokens, dim).
        dim (int): length of a vector.
    """

    _file_names = "*"

    def __init__(self, stoi: dict[str, int], vectors: np.ndarray):
        self.stoi, self.vectors = stoi, vectors
        self.dim = vectors.shape[1]

    @classmethod
    @checked
    def from_file(cls, file_path: FileName, max_vectors: NaturalInt32 | None = None):
        r"""Reads a file of vectors.

        Args:
            file_path (str): the file, in UTF-8; a first line of two numbers is skipped.
            max_vectors (int, optional): number of vectors read; default all.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: `max_vectors` is negative.
            RuntimeError: the file does not exist, does not have the right name or the right form.

        Example:
            >>> from msjax.dataset.text import Vectors
            >>> with open("vectors.txt", "w") as file:
            ...     _ = file.write("happy 0.5 1.0\nsad 0.0 2.0\n")
            >>> vectors = Vectors.from_file("vectors.txt")
        """
        base = _base(file_path)
        name = cls.__name__
        check(
            fnmatch.fnmatchcase(base, cls._file_names),
            f"{name}: invalid file, can not find file '{cls._file_names}', but got: {file_path}",
            RuntimeError,
        )
        check(os.path.isfile(file_path), f"{name}: get real path failed, path: {file_path}", RuntimeError)
        stoi, rows, dim = {}, [], None
        with open(file_path, encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(lines, 1):
                token, *values = line.rstrip().split(" ")
                if number == 1 and len(values) == 1:
                    continue  # the number of tokens and the dimension
                check(
                    len(values) > 1,
                    f"{name}: token with {len(values)}-dimensional vector in line {number} of {file_path}.",
                    RuntimeError,
                )
                dim = len(values) if dim is None else dim
                check(
                    len(values) == dim,
                    f"{name}: all vectors must have the same number of dimensions, but got dim {len(values)} while "
                    f"expecting {dim}, in line {number} of {file_path}",
                    RuntimeError,
                )
                if token not in stoi:
                    try:
                        rows.append(np.array(values, np.float32))
                    except ValueError as error:
                        raise RuntimeError(
                            f"{name}: invalid number in line {number} of {file_path}: {error}"
                        ) from error
                    stoi[token] = len(stoi)
                if max_vectors and len(stoi) == max_vectors:
                    break
        check(rows, f"{name}: invalid file, file is empty.", RuntimeError)
        return cls(stoi, np.stack(rows))

    def lookup(self, token: str, unknown: Any, lower_case_backup: Any):
        """The vector of a token, in lower case if requested and needed; `unknown` for an unknown token."""
        row = self.stoi.get(token)
        if row is None and lower_case_backup:
            row = self.stoi.get(token.lower())
        return unknown if row is None else self.vectors[row]


class GloVe(Vectors):
    """GloVe vectors; the name of the file is like glove.6B.300d.txt."""

    _file_names = "glove.*.txt"


class FastText(Vectors):
    """FastText vectors; the name of the file ends in .vec."""

    _file_names = "*.vec"


class CharNGram(Vectors):
    """Vectors of character n-grams; the vector of a token is the mean of those of its 2-, 3- and 4-grams."""

    def lookup(self, token: str, unknown: Any, lower_case_backup: Any):
        """The mean vector of the n-grams of a token; `unknown` where there is none."""
        characters = ["#BEGIN#", *(token.lower() if lower_case_backup else token), "#END#"]
        grams = (f"{n}gram-{''.join(characters[i : i + n])}" for n in (2, 3, 4) for i in range(len(characters) - n + 1))
        found = [self.vectors[self.stoi[gram]] for gram in grams if gram in self.stoi]
        return np.mean(found, axis=0, dtype=np.float32) if found else unknown
