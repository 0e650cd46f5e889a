"""Arguments of types that a Tensor method does not take: TypeError in MindSpore 2.10, which looks at the types before anything else."""

import numpy as np
import pytest
from mindspore import Tensor

OTHER = object()
CALLS = [
    ("addmm", ("T", OTHER)),
    ("addr", ("T", "a")),
    ("bincount", ("a",)),
    ("bmm", (["a"],)),
    ("broadcast_to", ()),
    ("cholesky", ("a",)),
    ("cholesky_solve", (OTHER,)),
    ("dot", (["a"],)),
    ("flip", ()),
    ("gather_nd", (OTHER,)),
    ("histc", ("T", "a")),
    ("logical_and", (OTHER,)),
    ("masked_scatter", ("T", ["a"])),
    ("matmul", (OTHER,)),
    ("outer", ("a",)),
    ("scatter_add", ("T", "a")),
    ("svd", (["a"],)),
    ("tile", ()),
]


@pytest.mark.parametrize("name, given", CALLS, ids=[c[0] for c in CALLS])
def test_type_error(name, given):
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    with pytest.raises(TypeError):
        getattr(x, name)(*(x if isinstance(a, str) and a == "T" else a for a in given))
