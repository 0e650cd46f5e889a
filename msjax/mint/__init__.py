"""`mindspore.mint`: the operators under PyTorch's names and argument orders, each a face of a record in `msjax.ops`."""

import importlib as _importlib

from .. import ops as _ops  # noqa: F401  registers the operators
from ..alias.names import MissingNames as _MissingNames
from ..core.operators import namespaces as _spelling
from ..core.operators import record as _registry
from ..core.values.tensor import Tensor  # noqa: F401

_PACKAGES = ("distributed", "fft", "linalg", "nn", "optim", "special")
_missing = _MissingNames(__name__, "A missing operator can be defined from JAX code with msjax.register_op.")


_getattr, _dir = _spelling.spelled(__name__, _registry.mint_functions, missing=_missing)


def __getattr__(name):
    if name in _PACKAGES:
        return _importlib.import_module(f".{name}", __name__)
    if name == "functional":  # `mindspore.mint.functional` is `mint.nn.functional`
        return _importlib.import_module(".nn.functional", __name__)
    return _getattr(name)


def __dir__():
    return sorted({*_dir(), *_PACKAGES})
