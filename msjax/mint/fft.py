"""`mindspore.mint.fft`: discrete Fourier transforms."""

from .. import ops as _ops  # noqa: F401  registers the operators
from ..alias.names import MissingNames as _MissingNames
from ..core import op as _registry
from ..core import spelling as _spelling

__getattr__, __dir__ = _spelling.spelled(__name__, _registry.mint_functions, "fft.", missing=_MissingNames(__name__))
