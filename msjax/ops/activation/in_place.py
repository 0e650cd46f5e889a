"""In-place activation functions of `mint.nn.functional`: the Tensor holds the result, and is returned."""

from ...core.operators.record import op, records
from ..linalg import matmul
from . import functions as activation

# the families that register what the table below names
_FAMILIES = (activation, matmul)

# operator, parameters after the Tensor, faces
_TABLE = (
    ("relu", (), "nn.functional.relu_(input)"),
    ("elu_of", ("alpha",), "nn.functional.elu_(input, alpha=1.0)"),
    ("hardtanh", ("min_val", "max_val"), "nn.functional.hardtanh_(input, min_val=-1, max_val=1)"),
    ("sigmoid", (), "nn.functional.sigmoid_(input)"),
    ("threshold", ("threshold", "value"), "nn.functional.threshold_(input, threshold, value)"),
    ("addr", ("vec1", "vec2", "beta", "alpha"), "addr_(input, vec1, vec2, beta=1, alpha=1)"),
)


def _register(record_name, names, spec):
    source = records[record_name].fn
    namespace = {"_fn": source}
    given = ", ".join(("input", *names))
    exec(
        compile(
            f"def run({given}):\n    return _fn({given}).astype(input.dtype)\n", f"<inplace {record_name}>", "exec"
        ),
        namespace,
    )
    run = namespace["run"]
    run.__doc__ = f"In-place form of `{record_name}`: the Tensor then holds the result, and is returned."
    tensors = tuple(n for n in ("input", *names) if n in ("input", "vec1", "vec2"))
    op(run, name=f"inplace_{record_name}_function", ops=False, mint=spec, writes=(0,), operands=tensors)


for _row in _TABLE:
    _register(*_row)
