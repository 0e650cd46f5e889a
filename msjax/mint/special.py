"""`mindspore.mint.special`: special functions; they are those of `mindspore.mint`."""

from .. import ops as _ops  # noqa: F401  registers the operators
from ..alias.names import MissingNames as _MissingNames
from ..core.operators import namespaces as _spelling
from ..core.operators import record as _registry

__getattr__, __dir__ = _spelling.spelled(
    __name__,
    _registry.mint_functions,
    "special.",
    missing=_MissingNames(__name__),
    same_as=("erfc", "exp2", "expm1", "log1p", "log_softmax", "round", "sinc"),
)
