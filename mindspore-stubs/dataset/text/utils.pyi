"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.text import CharNGram as CharNGram
from msjax.dataset.text import FastText as FastText
from msjax.dataset.text import GloVe as GloVe
from msjax.dataset.text import JiebaMode as JiebaMode
from msjax.dataset.text import NormalizeForm as NormalizeForm
from msjax.dataset.text import SPieceTokenizerLoadType as SPieceTokenizerLoadType
from msjax.dataset.text import SPieceTokenizerOutType as SPieceTokenizerOutType
from msjax.dataset.text import SentencePieceModel as SentencePieceModel
from msjax.dataset.text import SentencePieceVocab as SentencePieceVocab
from msjax.dataset.text import Vectors as Vectors
from msjax.dataset.text import Vocab as Vocab
from msjax.dataset.text import to_bytes as to_bytes
from msjax.dataset.text import to_str as to_str
from msjax.dataset.text.utils import *
from msjax.dataset.text import *
from msjax import *
from msjax import *
from msjax.dataset.text import *
from msjax.dataset.text.utils import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.text import CharNGram as CharNGram
from msjax.dataset.text import FastText as FastText
from msjax.dataset.text import GloVe as GloVe
from msjax.dataset.text import JiebaMode as JiebaMode
from msjax.dataset.text import NormalizeForm as NormalizeForm
from msjax.dataset.text import SPieceTokenizerLoadType as SPieceTokenizerLoadType
from msjax.dataset.text import SPieceTokenizerOutType as SPieceTokenizerOutType
from msjax.dataset.text import SentencePieceModel as SentencePieceModel
from msjax.dataset.text import SentencePieceVocab as SentencePieceVocab
from msjax.dataset.text import Vectors as Vectors
from msjax.dataset.text import Vocab as Vocab
from msjax.dataset.text import to_bytes as to_bytes
from msjax.dataset.text import to_str as to_str
from typing import Any
def __getattr__(name: str) -> Any: ...
