"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
from msjax.dataset.text import base as base
from msjax.dataset.text import enums as enums
from msjax.dataset.text import jieba as jieba
from msjax.dataset.text import regex as regex
from msjax.dataset.text import scripts as scripts
from msjax.dataset.text import sentencepiece as sentencepiece
from msjax.dataset.text import sequences as sequences
from msjax.dataset.text import strings as strings
from msjax.dataset.text import tokenizers as tokenizers
from msjax.dataset.text import transforms as transforms
from msjax.dataset.text import utils as utils
from msjax.dataset.text import vectors as vectors
from msjax.dataset.text import vocabulary as vocabulary
from msjax.dataset.text import wordpiece as wordpiece

from msjax.core.values.dtype import Type as Type
from msjax.dataset.engine.dataset import Dataset as Dataset
from msjax.dataset.operation import Operation as Operation
import numpy as np
class AddToken(TextTensorOperation):
    """Adds a token at the beginning or the end of a sequence, or of each row."""
    def __init__(self, token: str, begin: bool=True) -> None: ...
    def compute(self, array: np.ndarray) -> np.ndarray: ...
    ranks: Any
class BasicTokenizer(TextTensorOperation):
    """Splits a string into words, punctuation marks and Chinese characters."""
    def __init__(self, lower_case: bool=False, keep_whitespace: bool=False, normalization_form: NormalizeForm=..., preserve_unused_token: bool=True, with_offsets: bool=False) -> None: ...
    def compute(self, array: np.ndarray) -> Any: ...
    def prepare(self, string: str) -> Any: ...
    ranks: Any
    def spans(self, string: str) -> Any: ...
    with_offsets: Any
class BertTokenizer(TextTensorOperation):
    """`BasicTokenizer` followed by `WordpieceTokenizer`."""
    def __init__(self, vocab: Vocab, suffix_indicator: str='##', max_bytes_per_token: int=100, unknown_token: str='[UNK]', lower_case: bool=False, keep_whitespace: bool=False, normalization_form: NormalizeForm=..., preserve_unused_token: bool=True, with_offsets: bool=False) -> None: ...
    def compute(self, array: np.ndarray) -> Any: ...
    ranks: Any
    wordpiece: Any
    basic: Any
class CaseFold(TextTensorOperation):
    """Folds strings to lower case, by the Unicode rules (NFKC_Casefold)."""
    def __init__(self) -> None: ...
    def compute(self, array: np.ndarray) -> np.ndarray: ...
    def convert(self, string: str) -> Any: ...
class CharNGram(Vectors):
    """Vectors of character n-grams; the vector of a token is the mean of those of its 2-, 3- and 4-grams."""
    def lookup(self, token: str, unknown, lower_case_backup) -> Any: """The mean vector of the n-grams of a token; `unknown` where there is none."""
class FastText(Vectors):
    """FastText vectors; the name of the file ends in .vec."""
class FilterWikipediaXML(TextTensorOperation):
    """Reduces a dump of Wikipedia to lower-case words with single spaces between them: no tags, digits spelled out."""
    def __init__(self) -> None: ...
    def compute(self, array: np.ndarray) -> np.ndarray: ...
    def convert(self, string: str) -> Any: ...
class GloVe(Vectors):
    """GloVe vectors; the name of the file is like glove.6B.300d.txt."""
class Implementation(IntEnum):
    """The library that runs an operation: OpenCV and NumPy on arrays (C), or Pillow on its images (PY)."""
    C: Any
    PY: Any
class IntEnum(int):
    """Enum where members are also (and must be) ints"""
class JiebaMode(IntEnum):
    """Segmentation of JiebaTokenizer: maximum probability and then the hidden Markov model, or one of the two."""
    HMM: Any
    MIX: Any
    MP: Any
class JiebaTokenizer(TextTensorOperation):
    """Splits Chinese text into words."""
    def __init__(self, hmm_path: str, mp_path: str, mode: JiebaMode=..., with_offsets: bool=False) -> None: ...
    def add_dict(self, user_dict: str | dict) -> None: """Adds words."""
    def add_word(self, word, freq: int | None=None) -> None: """Adds a word."""
    def compute(self, array: np.ndarray) -> Any: ...
    def prepare(self, string: str) -> str: """The string that is split."""
    ranks: Any
    def spans(self, string: str) -> Any: ...
    with_offsets: Any
    hmm_path: Any
    mp_path: Any
    mode: Any
    words: Any
class Lookup(TextTensorOperation):
    """Turns tokens into ids."""
    def __init__(self, vocab: Vocab, unknown_token: str | None=None, data_type: Type=...) -> None: ...
    def compute(self, array: np.ndarray) -> np.ndarray: ...
    elementwise: Any
class Ngram(TextTensorOperation):
    """Makes the n-grams of a sequence."""
    def __init__(self, n: int | bool | list, left_pad: tuple[str, int | bool]=('', 0), right_pad: tuple[str, int | bool]=('', 0), separator: str=' ') -> None: ...
    def compute(self, array: np.ndarray) -> np.ndarray: ...
    ranks: Any
    ngrams: Any
class NormalizeForm(IntEnum):
    """Unicode normalization forms."""
    NFC: Any
    NFD: Any
    NFKC: Any
    NFKD: Any
    NONE: Any
class NormalizeUTF8(TextTensorOperation):
    """Brings strings into a Unicode normalization form."""
    def __init__(self, normalize_form: NormalizeForm=...) -> None: ...
    def compute(self, array: np.ndarray) -> np.ndarray: ...
    def convert(self, string: str) -> Any: ...
    normalize_form: Any
class PythonTokenizer:
    """Splits each string with a function of the user."""
    def __call__(self, in_array: np.ndarray) -> np.ndarray: """Splits each string of an array; the tokens make a new last dimension."""
    def __init__(self, tokenizer: Callable[..., Any]) -> None: ...
    random: Any
    def to_json(self) -> Any: """The name of the function, as JSON."""
    pyfunc: Any
class RegexReplace(TextTensorOperation):
    """Replaces the matches of a regular expression in ICU's syntax."""
    def __init__(self, pattern: str, replace: str, replace_all: bool=True) -> None: ...
    def compute(self, array: np.ndarray) -> np.ndarray: ...
    def convert(self, string: str) -> Any: ...
class RegexTokenizer(TextTensorOperation):
    """Splits a string at the matches of a regular expression in ICU's syntax."""
    def __init__(self, delim_pattern: str, keep_delim_pattern: str='', with_offsets: bool=False) -> None: ...
    def compute(self, array: np.ndarray) -> Any: ...
    def prepare(self, string: str) -> str: """The string that is split."""
    ranks: Any
    def spans(self, string: str) -> Any: ...
    with_offsets: Any
class SPieceTokenizerLoadType(IntEnum):
    """The source of SentencePieceTokenizer's model."""
    FILE: Any
    MODEL: Any
class SPieceTokenizerOutType(IntEnum):
    """The output type of SentencePieceTokenizer."""
    INT: Any
    STRING: Any
class SentencePieceModel(IntEnum):
    """Algorithms of SentencePiece."""
    BPE: Any
    CHAR: Any
    UNIGRAM: Any
    WORD: Any
class SentencePieceTokenizer(TextTensorOperation):
    """Splits a string into the subwords of a SentencePiece model."""
    def __init__(self, mode: str | SentencePieceVocab, out_type: SPieceTokenizerOutType) -> None: ...
    def compute(self, array: np.ndarray) -> np.ndarray: ...
    ranks: Any
class SentencePieceVocab:
    """A SentencePiece model, trained on files or on a dataset."""
    def __init__(self) -> None: ...
    @classmethod
    def from_dataset(cls, dataset: Dataset, col_names: Sequence[str] | None, vocab_size: int, character_coverage: float | None, model_type: str | SentencePieceModel | None, params: dict | None) -> Any: """Trains a model on the strings of a dataset."""
    @classmethod
    def from_file(cls, file_path: list | None, vocab_size: int | None, character_coverage: float | None, model_type: str | SentencePieceModel | None, params: dict | None) -> Any: """Trains a model on text files."""
    @classmethod
    def save_model(cls, vocab: SentencePieceVocab, path: str, filename: str) -> None: """Writes a model to a file, whole or not at all."""
    model: Any
class SlidingWindow(TextTensorOperation):
    """Makes all windows of a sequence."""
    def __init__(self, width: int, axis: int=0) -> None: ...
    def compute(self, array: np.ndarray) -> Any: ...
    strings_only: Any
class TextTensorOperation(Operation):
    """Base of the text operations; a subclass defines `compute(array)`."""
    def apply(self, *columns) -> Any: """Checks the input and computes."""
    def compute(self, array: np.ndarray) -> Any: """The work on an accepted array."""
    ranks: Any
    strings_only: Any
class ToNumber(TextTensorOperation):
    """Turns strings into numbers; text after the number is ignored, as in C++."""
    def __init__(self, data_type: Type) -> None: ...
    def compute(self, array: np.ndarray) -> np.ndarray: ...
    elementwise: Any
    data_type: Any
class ToVectors(TextTensorOperation):
    """Turns tokens into vectors."""
    def __init__(self, vectors: Vectors, unk_init: Sequence[int | float] | None=None, lower_case_backup: bool=False) -> None: ...
    def compute(self, array: np.ndarray) -> np.ndarray: ...
class Truncate(TextTensorOperation):
    """Cuts a sequence, or each row, at a greatest length."""
    def __init__(self, max_seq_len: int) -> None: ...
    def compute(self, array: np.ndarray) -> Any: ...
    ranks: Any
    strings_only: Any
class TruncateSequencePair(TextTensorOperation):
    """Cuts two sequences, always the longer one, until together they have a greatest length."""
    def __init__(self, max_length: int) -> None: ...
    def apply(self, *columns) -> tuple[Any, Any]: """Cuts the two columns."""
    max_length: Any
class UnicodeCharTokenizer(TextTensorOperation):
    """Splits a string into its characters."""
    def __init__(self, with_offsets: bool=False) -> None: ...
    def compute(self, array: np.ndarray) -> Any: ...
    def prepare(self, string: str) -> str: """The string that is split."""
    ranks: Any
    def spans(self, string: str) -> list[Any]: ...
    with_offsets: Any
class UnicodeScriptTokenizer(TextTensorOperation):
    """Splits a string where the script (Latin, Han, ...) changes, and around whitespace."""
    def __init__(self, keep_whitespace: bool=False, with_offsets: bool=False) -> None: ...
    def compute(self, array: np.ndarray) -> Any: ...
    def prepare(self, string: str) -> str: """The string that is split."""
    ranks: Any
    def spans(self, string: str) -> Any: ...
    with_offsets: Any
class Vectors:
    """A table of word vectors, read by `from_file`."""
    def __init__(self, stoi: dict[str, int], vectors: np.ndarray) -> None: ...
    @classmethod
    def from_file(cls, file_path: str, max_vectors: int | None=None) -> Self: """Reads a file of vectors."""
    def lookup(self, token: str, unknown, lower_case_backup) -> Any: """The vector of a token, in lower case if requested and needed; `unknown` for an unknown token."""
    stoi: Any
    vectors: Any
    dim: Any
class Vocab:
    """The tokens of a corpus and their ids; built by one of the class methods."""
    def __init__(self) -> None: ...
    @classmethod
    def from_dataset(cls, dataset: Dataset, columns: str | list | None=None, freq_range: tuple | None=None, top_k: int | None=None, special_tokens: list[str] | None=None, special_first: bool=True) -> Any: """Collects the tokens of a dataset, the most frequent first, equally frequent ones by the alphabet."""
    @classmethod
    def from_dict(cls, word_dict: dict[str, int]) -> Any: """Takes tokens and ids from a dict."""
    @classmethod
    def from_file(cls, file_path: str, delimiter: str='', vocab_size=None, special_tokens: list[str] | None=None, special_first: bool=True) -> Any: """Takes a token from each line of a file."""
    @classmethod
    def from_list(cls, word_list: list[str], special_tokens: list[str] | None=None, special_first: bool=True) -> Any: """Takes the tokens of a list."""
    def ids_to_tokens(self, ids: int | list[Any] | np.ndarray) -> Any: """The token of an id, or a list of tokens; an empty string for an unknown id."""
    def table(self) -> Any: """The dict from token to id itself; RuntimeError where nothing was built."""
    def tokens_to_ids(self, tokens: str | list[str] | np.ndarray) -> Any: """The id of a token, or a list of ids; -1 for an unknown token."""
    def vocab(self) -> dict[Any, Any]: """A dict from token to id."""
class WhitespaceTokenizer(TextTensorOperation):
    """Splits a string at whitespace."""
    def __init__(self, with_offsets: bool=False) -> None: ...
    def compute(self, array: np.ndarray) -> Any: ...
    def prepare(self, string: str) -> str: """The string that is split."""
    ranks: Any
    def spans(self, string: str) -> list[Any]: ...
    with_offsets: Any
class WordpieceTokenizer(TextTensorOperation):
    """Splits words into the longest pieces that a vocabulary has."""
    def __init__(self, vocab: Vocab, suffix_indicator: str='##', max_bytes_per_token: int=100, unknown_token: str='[UNK]', with_offsets: bool=False) -> None: ...
    def compute(self, array: np.ndarray) -> Any: ...
    def cut(self, words: Sequence[str]) -> Any: """Tokens, and offsets where asked for, of a list of (word, byte position)."""
    ranks: Any
def to_bytes(array: np.ndarray, encoding: str='utf8') -> Any: """Encodes an array of str."""
def to_str(array: np.ndarray, encoding: str='utf8') -> Any: """Decodes an array of bytes."""
