"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.text import AddToken as AddToken
from msjax.dataset.text import BasicTokenizer as BasicTokenizer
from msjax.dataset.text import BertTokenizer as BertTokenizer
from msjax.dataset.text import CaseFold as CaseFold
from msjax.dataset.text import FilterWikipediaXML as FilterWikipediaXML
from msjax.dataset.text import Implementation as Implementation
from msjax.dataset.text import IntEnum as IntEnum
from msjax.dataset.text import JiebaMode as JiebaMode
from msjax.dataset.text import JiebaTokenizer as JiebaTokenizer
from msjax.dataset.text import Lookup as Lookup
from msjax.dataset.text import Ngram as Ngram
from msjax.dataset.text import NormalizeForm as NormalizeForm
from msjax.dataset.text import NormalizeUTF8 as NormalizeUTF8
from msjax.dataset.text import PythonTokenizer as PythonTokenizer
from msjax.dataset.text import RegexReplace as RegexReplace
from msjax.dataset.text import RegexTokenizer as RegexTokenizer
from msjax.dataset.text import SPieceTokenizerLoadType as SPieceTokenizerLoadType
from msjax.dataset.text import SPieceTokenizerOutType as SPieceTokenizerOutType
from msjax.dataset.text import SentencePieceModel as SentencePieceModel
from msjax.dataset.text import SentencePieceTokenizer as SentencePieceTokenizer
from msjax.dataset.text import SentencePieceVocab as SentencePieceVocab
from msjax.dataset.text import SlidingWindow as SlidingWindow
from msjax.dataset.text import TextTensorOperation as TextTensorOperation
from msjax.dataset.text import ToNumber as ToNumber
from msjax.dataset.text import ToVectors as ToVectors
from msjax.dataset.text import Truncate as Truncate
from msjax.dataset.text import TruncateSequencePair as TruncateSequencePair
from msjax.dataset.text import UnicodeCharTokenizer as UnicodeCharTokenizer
from msjax.dataset.text import UnicodeScriptTokenizer as UnicodeScriptTokenizer
from msjax.dataset.text import WhitespaceTokenizer as WhitespaceTokenizer
from msjax.dataset.text import WordpieceTokenizer as WordpieceTokenizer
from msjax.dataset.text import to_bytes as to_bytes
from msjax.dataset.text import to_str as to_str
from msjax.dataset.text.transforms import *
from msjax.dataset.text import *
from msjax import *
from msjax import *
from msjax.dataset.text import *
from msjax.dataset.text.transforms import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.text import AddToken as AddToken
from msjax.dataset.text import BasicTokenizer as BasicTokenizer
from msjax.dataset.text import BertTokenizer as BertTokenizer
from msjax.dataset.text import CaseFold as CaseFold
from msjax.dataset.text import FilterWikipediaXML as FilterWikipediaXML
from msjax.dataset.text import Implementation as Implementation
from msjax.dataset.text import IntEnum as IntEnum
from msjax.dataset.text import JiebaMode as JiebaMode
from msjax.dataset.text import JiebaTokenizer as JiebaTokenizer
from msjax.dataset.text import Lookup as Lookup
from msjax.dataset.text import Ngram as Ngram
from msjax.dataset.text import NormalizeForm as NormalizeForm
from msjax.dataset.text import NormalizeUTF8 as NormalizeUTF8
from msjax.dataset.text import PythonTokenizer as PythonTokenizer
from msjax.dataset.text import RegexReplace as RegexReplace
from msjax.dataset.text import RegexTokenizer as RegexTokenizer
from msjax.dataset.text import SPieceTokenizerLoadType as SPieceTokenizerLoadType
from msjax.dataset.text import SPieceTokenizerOutType as SPieceTokenizerOutType
from msjax.dataset.text import SentencePieceModel as SentencePieceModel
from msjax.dataset.text import SentencePieceTokenizer as SentencePieceTokenizer
from msjax.dataset.text import SentencePieceVocab as SentencePieceVocab
from msjax.dataset.text import SlidingWindow as SlidingWindow
from msjax.dataset.text import TextTensorOperation as TextTensorOperation
from msjax.dataset.text import ToNumber as ToNumber
from msjax.dataset.text import ToVectors as ToVectors
from msjax.dataset.text import Truncate as Truncate
from msjax.dataset.text import TruncateSequencePair as TruncateSequencePair
from msjax.dataset.text import UnicodeCharTokenizer as UnicodeCharTokenizer
from msjax.dataset.text import UnicodeScriptTokenizer as UnicodeScriptTokenizer
from msjax.dataset.text import WhitespaceTokenizer as WhitespaceTokenizer
from msjax.dataset.text import WordpieceTokenizer as WordpieceTokenizer
from msjax.dataset.text import to_bytes as to_bytes
from msjax.dataset.text import to_str as to_str
from typing import Any
def __getattr__(name: str) -> Any: ...
