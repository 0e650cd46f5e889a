"""Operators: `ops.sum(x)`, `ops.ReduceSum()(x)`, and the methods of Tensor.

Each file of a family registers its operators by being imported; the functions and classes here are made from the
records when they are first asked for (PEP 562).
"""

import importlib as _importlib
from typing import Any

from ..alias.names import MissingNames as _MissingNames
from ..core.above import above as _above
from ..core.operators import faces as _faces
from ..core.operators import record as _registry
from ..core.operators.primitive import Primitive, PrimitiveWithCheck, PrimitiveWithInfer, constexpr, prim_attr_register  # noqa: F401
from ..core.values.tensor import Tensor  # noqa: F401  public code writes ops.Tensor
from ..inner.common import _get_seed, _set_prim_op_user_data  # noqa: F401
from ..unsupported import inner as _unsupported
from . import generated as _generated
from . import old_forms as _old_forms  # noqa: F401
from .attention.multi_head import (  # noqa: F401
    _check_attn_mask_shape,
    _check_kpm_shape,
    _check_qkv_shape,
    _in_projection,
    _in_projection_packed,
    _inner_dropout,
    _inner_pad,
    linear,
)
from .custom import declared as _declared  # noqa: F401  answers for Primitives without a computation
from .custom.custom import *  # noqa: F401, F403  the names in its __all__
from .custom.extensions import CustomOpBuilder  # noqa: F401
from .custom.morph import DumpGradient, Morph  # noqa: F401
from .gradient.functions import (  # noqa: F401
    GradOperation,
    _Grad,
    _Vmap,
    get_grad,
    grad,
    jacfwd,
    jacrev,
    jvp,
    value_and_grad,
    vjp,
    vmap,
)
from .gradient.hooks import HookBackward, InsertGradientOf  # noqa: F401
from .gradient.taylor import derivative, jet, linearize  # noqa: F401
from .graph_api.graph_names import (  # noqa: F401
    GetNext,
    _add_attr,
    _ms_pyfunc,
    _ones_like_for_grad,
    get_vm_impl_fn,
    tensor_operator_registry,
    vm_impl_registry,
)
from .graph_api.inner import _check_same_type, _deconv_output_length, _expand, apply_global_norm, get_square_sum  # noqa: F401
from .graph_api.loops import ForiLoop, Scan, WhileLoop  # noqa: F401
from .graph_api.parser_names import (  # noqa: F401
    ConvertToAdapterTensor,
    ConvertToMsTensor,
    convert_to_adapter_tensor,
    convert_to_ms_tensor,
)
from .graph_api.structures import HyperMap, Map, MultitypeFuncGraph, Partial, add_flags, core, identity, partial  # noqa: F401
from .host_output import HistogramSummary, ImageSummary, ScalarSummary, TensorDump, TensorSummary, tensordump  # noqa: F401
from .image.resizing import _interploate_ext_make_tuple, _interpolate_ext_scale_factor_convert_size  # noqa: F401
from .inner_primitives import _VirtualDataset  # noqa: F401
from .quantization import FakeQuantParam  # noqa: F401
from .random.generator import Generator  # noqa: F401
from .state.host_tables import (  # noqa: F401
    BatchAssign,
    MapTensorErase,
    MapTensorGet,
    MapTensorGetData,
    MapTensorGetKeys,
    MapTensorGetValues,
    MapTensorPut,
    PriorityReplayBufferCreate,
    PriorityReplayBufferDestroy,
    PriorityReplayBufferPush,
    PriorityReplayBufferSample,
    PriorityReplayBufferUpdate,
    ReservoirReplayBufferCreate,
    ReservoirReplayBufferDestroy,
    ReservoirReplayBufferPush,
    ReservoirReplayBufferSample,
    TensorArray,
    TensorArrayClear,
    TensorArrayClose,
    TensorArrayGather,
    TensorArrayRead,
    TensorArraySize,
    TensorArrayStack,
    TensorArrayWrite,
    TensorsQueueClear,
    TensorsQueueClose,
    TensorsQueueCreate,
    TensorsQueueGet,
    TensorsQueuePut,
    TensorsQueueSize,
)
from .state.replay import BufferAppend, BufferGetItem, BufferSample  # noqa: F401

# The families: importing a module registers its operators. A package must not hide an operator of its name (`norm`,
# `sort`), so `ops` does not keep it as an attribute.
_FAMILIES = {
    "activation": ("functions", "in_place"),
    "attention": (
        "chains",
        "fused",
        "indexed",
        "inference",
        "key_value_cache",
        "multi_head",
        "native_sparse",
        "paged",
        "rotary",
        "token_routing",
    ),
    "conv": ("functions", "kernels", "patches"),
    "custom": (),
    "elementwise": ("arithmetic", "casting", "comparison", "functions_of_two", "math", "special"),
    "gradient": ("adjoints", "adjoint_formulas", "window_adjoints"),
    "graph_api": ("environment", "sequences"),
    "inner_primitives": (),
    "image": ("boxes", "grids", "resizing"),
    "index": ("elements", "embedding", "gathering", "indexing", "matching", "rows_of_array", "scattering", "segments"),
    "linalg": ("clipping", "decomposition", "diagonals", "distances", "grouped", "matmul", "quantized", "reflections"),
    "loss": ("classification", "ctc", "regression"),
    "norm": ("functions", "kernels"),
    "numpy_protocol": (),
    "optim": ("ada_factor", "sparse_updates", "updates"),
    "pool": ("adaptive", "fractional", "functions", "unpooling", "windows"),
    "quantization": (),
    "random": ("candidates", "categories", "dropout", "sampling"),
    "recurrent": ("cudnn", "layers", "primitives"),
    "reduce": ("cumulative", "deviation", "extremes", "reduction"),
    "shape": ("creation", "joining", "measuring", "padding", "rearranging", "shaping"),
    "sort": ("counting", "ordering", "searching"),
    "sparse": ("operators", "csr_parts", "coordinates", "batches"),
    "spectral": (),
    "state": ("assigning", "in_place", "overflow", "placement"),
    "views": (),
}
for _family, _files in _FAMILIES.items():
    for _file in _files or ("",):
        _importlib.import_module(f".{_family}.{_file}".rstrip("."), __name__)
    globals().pop(_family, None)
del _family, _files, _file

_faces.attach_methods()
globals().pop("generated", None)
_FROM_ABOVE = {}  # names of `mindspore.ops` that live in floors above this one -> what gives them


_above.generated_classes = lambda: _unsupported.generated_names()["classes"]


def serve_from_above(names: Any, module: Any):
    """Let `ops` offer names of a floor above it: communication between processes is `msjax.parallel`'s."""
    _FROM_ABOVE.update(dict.fromkeys(names, module))


_missing = _MissingNames(__name__, "A missing operator can be defined from JAX code with msjax.register_op.")


def __getattr__(name):
    if name in _registry.functions:
        made = _faces.function(_registry.functions, name, "mindspore.ops")
    elif name in _registry.primitives:
        made = _faces.primitive(name)
    elif name == "__all__":
        return [n for n in [*__dir__(), *_unsupported.names("ops")] if not n.startswith("_")]
    elif name in _FROM_ABOVE:
        made = getattr(_FROM_ABOVE[name], name)
    elif (made := _generated.by_rule(name)) is None:
        return _missing(name)
    globals()[name] = made
    return made


def __dir__():
    return sorted({*globals(), *_registry.functions, *_registry.primitives, *_FROM_ABOVE})
