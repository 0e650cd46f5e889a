"""`mindspore.mint.linalg`: linear algebra under PyTorch's names."""

from .. import ops as _ops  # noqa: F401  registers the operators
from ..alias.names import MissingNames as _MissingNames
from ..core.operators import namespaces as _spelling
from ..core.operators import record as _registry

__getattr__, __dir__ = _spelling.spelled(
    __name__, _registry.mint_functions, "linalg.", missing=_MissingNames(__name__), same_as=("inv",)
)
