"""Every test file says `import mindspore as ms` and gets msjax; mode, seed and context are fresh for each test."""
import os
import pathlib
import sys

import pytest

os.environ.setdefault("JAX_PLATFORMS", "cpu")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))  # helpers, golden_cases and the case tables
import msjax  # noqa: E402

msjax.install()
import mindspore as ms  # noqa: E402


@pytest.fixture(autouse=True)
def fresh_state():
    """PYNATIVE_MODE and seed 1 before each test; afterwards the mode is put back."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    ms.set_seed(1)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.fixture(params=["pynative", "graph"])
def mode(request):
    """Run the test in both modes; the value is the mode's name."""
    ms.set_context(mode=ms.GRAPH_MODE if request.param == "graph" else ms.PYNATIVE_MODE)
    return request.param
