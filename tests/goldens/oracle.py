"""What the recording scripts of this folder share. Needs MindSpore itself (see README.md here)."""

import os
import pathlib
import sys
import tempfile
import time

os.environ.setdefault("GLOG_v", "4")
import mindspore as ms  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent)]  # the case tables
assert "msjax" not in sys.modules and ms.__file__ and "msjax" not in ms.__file__, "goldens come from MindSpore itself"
os.chdir(tempfile.mkdtemp())  # a failed compilation leaves rank_0/om/analyze_fail.ir where it runs
ms.runtime.launch_blocking()  # PYNATIVE runs ahead otherwise, and an error surfaces at some later statement


def settle():
    """Run a harmless operator until none of the errors of an earlier statement is left."""
    for _ in range(1000):
        try:
            (ms.Tensor([1.0], ms.float32) + 1).asnumpy()
            return
        except Exception:
            time.sleep(0.001)
    raise RuntimeError("MindSpore does not recover from the last error")


def set_mode(graph):
    """Switch between GRAPH_MODE and PYNATIVE_MODE."""
    ms.set_context(mode=ms.GRAPH_MODE if graph else ms.PYNATIVE_MODE)


def as_numpy(tensor):
    """The values of a Tensor; bfloat16, which this NumPy lacks, as float32."""
    if tensor.dtype == ms.bfloat16:
        tensor = tensor.astype(ms.float32)
    return tensor.asnumpy()
