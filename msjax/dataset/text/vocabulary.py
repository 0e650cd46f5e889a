"""Vocab: the mapping between tokens and ids."""

import collections
import os
from typing import TYPE_CHECKING, Annotated, TypeAlias

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Length, That, Within
from ..check import check
from ..rules import NaturalInt32
from .base import decoded

if TYPE_CHECKING:
    from ..engine.dataset import Dataset

__all__ = ["Vocab"]


Words = Annotated[list[str], That("without a word that appears twice", lambda words: len({*words}) == len(words))]
Frequency = Annotated[int | bool, Within("[0, inf)")] | None
Frequencies: TypeAlias = Annotated[
    tuple, Length(2),
    That("each an int or None", lambda pair: all(bound is None or isinstance(bound, int) for bound in pair)),
    That("in rising order from 0 on", lambda pair: None in pair or 0 <= pair[0] <= pair[1]),
]  # fmt: skip
Count = Annotated[int, Within("[1, inf)")]
Index = Annotated[int | np.int64, Within("[0, 2147483647]")]


class Vocab:
    """The tokens of a corpus and their ids; built by one of the class methods.

    Example:
        >>> from msjax.dataset.text import Vocab
        >>> vocab = Vocab.from_list(["home", "behind"], special_tokens=["<unk>"])
        >>> vocab.tokens_to_ids(["home", "<unk>"])
        [1, 0]
    """

    def __init__(self):
        self._ids = None  # token -> id
        self._tokens = None  # id -> token

    @classmethod
    def _build(cls, ids):
        vocab = cls()
        vocab._ids = ids
        vocab._tokens = {number: token for token, number in ids.items()}
        return vocab

    @classmethod
    def _from_words(cls, words, special_tokens, special_first):
        special = list(special_tokens or [])
        both = special + words if special_first else words + special
        return cls._build({token: i for i, token in enumerate(both)})

    @classmethod
    @checked
    def from_dataset(
        cls,
        dataset: "Dataset",
        columns: str | list | None = None,
        freq_range: Frequencies | None = None,
        top_k: Count | None = None,
        special_tokens: Words | None = None,
        special_first: bool = True,
    ):
        """Collects the tokens of a dataset, the most frequent first, equally frequent ones by the alphabet.

        Args:
            dataset (Dataset): the corpus.
            columns (Union[str, list[str]], optional): the columns with tokens; default all.
            freq_range (tuple, optional): least and greatest frequency of the tokens kept, None for no bound.
            top_k (int, optional): number of tokens kept; default all.
            special_tokens (list[str], optional): tokens added, which the corpus must not have.
            special_first (bool): add them in front, or behind.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: an argument is out of range, or a special token appears twice.
            RuntimeError: a column does not exist or holds no strings, or a special token is in the corpus.

        Example:
            >>> import msjax.dataset as ds
            >>> corpus = ds.NumpySlicesDataset(["b", "a", "b"], column_names="text")
            >>> sorted(ds.text.Vocab.from_dataset(corpus).vocab().items())
            [('a', 1), ('b', 0)]
        """
        columns = [columns] if isinstance(columns, str) else columns
        check(
            all(bound is None or bound >= 0 for bound in freq_range or ()),
            f"BuildVocabNode: frequency_range [a,b] violates 0 <= a <= b (a,b are inclusive), but got {freq_range}",
            RuntimeError,
        )
        special = set(special_tokens or ())
        names = dataset.get_col_names()
        for column in columns or ():
            check(
                column in names,
                f"Invalid column name, column name: {column} does not exist, check existed column with dataset API "
                f"'get_col_names'",
                RuntimeError,
            )
        counts = collections.Counter()
        for row in dataset.create_tuple_iterator(columns=columns, num_epochs=1, output_numpy=True):
            for array in row:
                check(
                    array.dtype.kind in "US",
                    "Invalid datatype, 'build_vocab' only supports string type of input, but got numeric type: "
                    f"{array.dtype}",
                    RuntimeError,
                )
                counts.update(decoded(array).ravel().tolist())
        known = special & set(counts)
        check(
            not known,
            f"Invalid special words, these special words are already in the vocab: {' '.join(sorted(known))}.",
            RuntimeError,
        )
        low, high = freq_range or (None, None)
        words = [
            word for word, count in counts.items() if (low is None or count >= low) and (high is None or count <= high)
        ]
        words.sort(key=lambda word: (-counts[word], word.encode()))
        return cls._from_words(words[:top_k], special_tokens, special_first)

    @classmethod
    @checked
    def from_list(cls, word_list: Words, special_tokens: Words | None = None, special_first: bool = True):
        """Takes the tokens of a list.

        Args:
            word_list (list[str]): the tokens.
            special_tokens (list[str], optional): tokens added.
            special_first (bool): add them in front, or behind.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: a token appears twice.

        Example:
            >>> from msjax.dataset.text import Vocab
            >>> Vocab.from_list(["a", "b"]).vocab()
            {'a': 0, 'b': 1}
        """
        common = {*word_list} & {*(special_tokens or ())}
        check(not common, f"special_tokens and word_list contain duplicate word :{common}.")
        return cls._from_words(word_list, special_tokens, special_first)

    @classmethod
    @checked
    def from_file(
        cls,
        file_path: str,
        delimiter: str = "",
        vocab_size: Count | bool | np.integer | None = None,
        special_tokens: Words | None = None,
        special_first: bool = True,
    ):
        r"""Takes a token from each line of a file.

        Args:
            file_path (str): the file, in UTF-8.
            delimiter (str): a token ends here; default at the end of the line.
            vocab_size (int, optional): number of lines read; default all.
            special_tokens (list[str], optional): tokens added.
            special_first (bool): add them in front, or behind.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: `vocab_size` is not positive, or a special token appears twice.
            RuntimeError: the file does not exist, or a token appears twice.

        Example:
            >>> from msjax.dataset.text import Vocab
            >>> with open("vocab.txt", "w") as file:
            ...     _ = file.write("one,1\ntwo,2\n")
            >>> Vocab.from_file("vocab.txt", ",").vocab()
            {'one': 0, 'two': 1}
        """
        special = set(special_tokens or ())
        check(os.path.isfile(file_path), f"from_file: Get real path failed, path={file_path}", RuntimeError)
        words, seen = [], set()
        with open(file_path, encoding="utf-8", newline="\n") as lines:
            for line in lines:
                if vocab_size is not None and len(words) == vocab_size:
                    break
                word = line.rstrip("\n").rstrip("\r")
                word = word.split(delimiter, 1)[0] if delimiter else word
                check(word not in seen, f"from_file: word_list contains duplicate word:{word}", RuntimeError)
                check(
                    word not in special,
                    f"from_file: special_tokens and word_list contain duplicate word:{word}",
                    RuntimeError,
                )
                seen.add(word)
                words.append(word)
        return cls._from_words(words, special_tokens, special_first)

    @classmethod
    @checked
    def from_dict(cls, word_dict: dict[str, NaturalInt32]):
        """Takes tokens and ids from a dict.

        Args:
            word_dict (dict[str, int]): id of each token.

        Raises:
            TypeError: `word_dict` is not a dict from str to int.
            ValueError: an id is negative.

        Example:
            >>> from msjax.dataset.text import Vocab
            >>> Vocab.from_dict({"home": 3, "behind": 2}).ids_to_tokens([2, 3])
            ['behind', 'home']
        """
        return cls._build(dict(word_dict))

    def table(self):
        """The dict from token to id itself; RuntimeError where nothing was built."""
        check(
            self._ids is not None,
            f"The Vocab has not built yet, got type {type(None)}. Use Vocab.from_dataset(), Vocab.from_list(), "
            f"Vocab.from_file() or Vocab.from_dict() to build a Vocab.",
            RuntimeError,
        )
        return self._ids

    def vocab(self):
        """A dict from token to id.

        Example:
            >>> from msjax.dataset.text import Vocab
            >>> Vocab.from_list(["a", "b"]).vocab()
            {'a': 0, 'b': 1}
        """
        return dict(self.table())

    @checked
    def tokens_to_ids(self, tokens: str | list[str] | np.ndarray):
        """The id of a token, or a list of ids; -1 for an unknown token.

        Args:
            tokens (Union[str, list[str], numpy.ndarray]): token or tokens.

        Raises:
            TypeError: `tokens` has the wrong type.

        Example:
            >>> from msjax.dataset.text import Vocab
            >>> Vocab.from_list(["a", "b"]).tokens_to_ids(["b", "c"])
            [1, -1]
        """
        return _map(tokens, self.table(), -1)

    @checked
    def ids_to_tokens(self, ids: NaturalInt32 | list[Index] | np.ndarray):
        """The token of an id, or a list of tokens; an empty string for an unknown id.

        Args:
            ids (Union[int, list[int], numpy.ndarray]): id or ids.

        Raises:
            TypeError: `ids` has the wrong type.
            ValueError: an id is negative.

        Example:
            >>> from msjax.dataset.text import Vocab
            >>> Vocab.from_list(["a", "b"]).ids_to_tokens(1)
            'b'
        """
        self.table()
        return _map(ids, self._tokens, "")


def _map(keys, table, missing):
    """`table` applied to one key or to a sequence of them; a single one gives a single value."""
    keys = keys.tolist() if isinstance(keys, np.ndarray) else keys
    keys = keys if isinstance(keys, list) else [keys]
    values = [table.get(key, missing) for key in keys]
    return values[0] if len(values) == 1 else values
