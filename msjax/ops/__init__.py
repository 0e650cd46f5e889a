"""Operators: `ops.sum(x)`, `ops.ReduceSum()(x)`, and the methods of Tensor.

Each family file registers its operators by being imported; the functions and classes here are made from the records when they
are first asked for (PEP 562).
"""

import importlib as _importlib

from ..alias.names import MissingNames as _MissingNames
from ..core import faces as _faces
from ..core import op as _registry
from ..core.primitive import Primitive, PrimitiveWithCheck, PrimitiveWithInfer, constexpr, prim_attr_register  # noqa: F401
from ..core.tensor import Tensor  # noqa: F401  public code writes ops.Tensor
from . import communication as _communication
from . import generated as _generated
from .collectives import (  # noqa: F401
    Barrier,
    BatchISendIRecv,
    NeighborExchange,
    NeighborExchangeV2,
    Receive,
    ReduceOp,
    Reshard,
    Send,
)
from .custom import *  # noqa: F401, F403  the names in its __all__
from .dealing import gather_into_tensor, scatter_tensor  # noqa: F401
from .embedding_cache import Pull, Push  # noqa: F401
from .extensions import CustomOpBuilder  # noqa: F401
from .gradient import GradOperation, _Grad, _Vmap, get_grad, grad, jacfwd, jacrev, jvp, value_and_grad, vjp, vmap  # noqa: F401
from .graph_names import (  # noqa: F401
    GetNext,
    _add_attr,
    _ms_pyfunc,
    _ones_like_for_grad,
    get_vm_impl_fn,
    tensor_operator_registry,
    vm_impl_registry,
)
from .hooks import HookBackward, InsertGradientOf  # noqa: F401
from .loops import ForiLoop, Scan, WhileLoop  # noqa: F401
from .multi_head import (  # noqa: F401
    _check_attn_mask_shape,
    _check_kpm_shape,
    _check_qkv_shape,
    _in_projection,
    _in_projection_packed,
    _inner_dropout,
    _inner_pad,
    linear,
)
from .resizing import _interploate_ext_make_tuple, _interpolate_ext_scale_factor_convert_size  # noqa: F401
from .structures import HyperMap, Map, MultitypeFuncGraph, Partial, add_flags, core, partial  # noqa: F401
from .summary import HistogramSummary, ImageSummary, ScalarSummary, TensorDump, TensorSummary, tensordump  # noqa: F401
from .taylor import derivative, jet, linearize  # noqa: F401
from .wrapped import DumpGradient, Morph  # noqa: F401

# The families: importing one registers its operators. A family's module must not hide an operator of its name (`norm`, `sort`), so the
# package does not keep it as an attribute.
_FAMILIES = (
    "activation",
    "ada_factor",
    "arithmetic",
    "assigning",
    "attention",
    "boxes",
    "candidates",
    "casting",
    "collectives",
    "comparison",
    "conv",
    "convolution",
    "creation",
    "ctc",
    "cudnn",
    "cumulative",
    "decomposition",
    "diagonals",
    "distances",
    "dropout",
    "embedding",
    "embedding_cache",
    "environment",
    "expert_routing",
    "fractional",
    "gathering",
    "grids",
    "indexing",
    "inplace",
    "inplace_activation",
    "joining",
    "key_value_cache",
    "loss",
    "matching",
    "math",
    "matmul",
    "multi_head",
    "norm",
    "normalization",
    "ordering",
    "overflow",
    "padding",
    "patches",
    "placement",
    "pool",
    "pooling",
    "protocol",
    "rearranging",
    "recurrent",
    "recurrent_primitives",
    "reduction",
    "regression_loss",
    "resizing",
    "sampling",
    "scattering",
    "shaping",
    "sparse",
    "sparse_attention",
    "special",
    "spectral",
    "updates",
)
for _family in _FAMILIES:
    _importlib.import_module(f".{_family}", __name__)
    globals().pop(_family, None)
del _family

_faces.attach_methods()
globals().pop("generated", None)
_missing = _MissingNames(__name__, "A missing operator can be defined from JAX code with msjax.register_op.")


def __getattr__(name):
    if name in _registry.functions:
        made = _faces.function(_registry.functions, name, "mindspore.ops")
    elif name in _registry.primitives:
        made = _faces.primitive(name)
    elif name == "__all__":
        return [n for n in __dir__() if not n.startswith("_")]
    elif name in _communication.__all__:
        made = getattr(_communication, name)
    elif (made := _generated.find(name)) is None:
        return _missing(name)
    globals()[name] = made
    return made


def __dir__():
    return sorted({*globals(), *_registry.functions, *_registry.primitives, *_communication.__all__})
