"""In-place activation functions of `mint.nn.functional`: the Tensor holds the result, and is returned."""

import inspect

from ...core.operators.record import op, records
from ...core.operators.rows import Face, args
from ...core.spec import Array, Number
from ..linalg import matmul
from . import functions as activation

# the families that register what the table below names
_FAMILIES = (activation, matmul)

# operator, parameters after the Tensor, faces
_TABLE = (
    ("relu", (), "nn.functional.relu_"),
    ("elu_of", ("alpha",), Face("nn.functional.elu_", args("input", alpha=1.0))),
    ("hardtanh", ("min_val", "max_val"), Face("nn.functional.hardtanh_", args("input", min_val=-1, max_val=1))),
    ("sigmoid", (), "nn.functional.sigmoid_"),
    ("threshold", ("threshold", "value"), "nn.functional.threshold_"),
    ("addr", ("vec1", "vec2", "beta", "alpha"), Face("addr_", args("input", "vec1", "vec2", beta=1, alpha=1))),
)


def _register(record_name, names, face):
    source = records[record_name].fn

    def run(input, *settings):
        return source(input, *settings).astype(input.dtype)

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    tensors = ("input", "vec1", "vec2")
    run.__signature__ = inspect.Signature(
        [inspect.Parameter(n, kind, annotation=Array if n in tensors else Number) for n in ("input", *names)]
    )
    run.__doc__ = f"In-place form of `{record_name}`: the Tensor then holds the result, and is returned."
    op(run, name=f"inplace_{record_name}_function", ops=False, mint=face, writes=(0,))


for _row in _TABLE:
    _register(*_row)
