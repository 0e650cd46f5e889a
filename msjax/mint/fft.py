"""`mindspore.mint.fft`: discrete Fourier transforms."""

from .. import ops as _ops  # noqa: F401  registers the operators
from ..alias.names import MissingNames as _MissingNames
from ..core.operators import namespaces as _spelling
from ..core.operators import record as _registry

__getattr__, __dir__ = _spelling.spelled(__name__, _registry.mint_functions, "fft.", missing=_MissingNames(__name__))
