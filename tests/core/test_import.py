"""Importing is cheap: no device is started, nothing heavy is loaded."""

import os
import subprocess
import sys

HEAVY = ("cv2", "PIL", "scipy", "matplotlib", "safetensors", "optax", "msjax.nn", "msjax.train", "msjax.dataset")


def run(code, **env):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **env})
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_import_loads_nothing_heavy():
    assert run(f"import sys, msjax; print(*[name for name in {HEAVY} if name in sys.modules])") == []


def test_no_package_starts_a_device():
    """With a platform that does not exist, the first use of a device would fail."""
    code = """
import msjax, msjax.nn, msjax.train, msjax.dataset, msjax.mint, msjax.numpy
try:
    msjax.Tensor(1)
except RuntimeError as error:
    print("device" if "no_such_platform" in str(error) else error)
"""
    assert run(code, JAX_PLATFORMS="no_such_platform") == ["device"]


def test_a_root_logger_that_asks_for_all_is_not_told_of_compilation():
    code = """
import io, logging
heard = io.StringIO()
logging.basicConfig(level=logging.DEBUG, stream=heard)
import msjax as ms
from msjax.core import host
host.own()  # as `python -m msjax` does
ms.jit(lambda x: x + 1)(ms.Tensor([1.0])).asnumpy()
print(sum("ompil" in line or "Finished" in line for line in heard.getvalue().splitlines()))
"""
    assert run(code, JAX_PLATFORMS="cpu") == ["0"]
    assert run(
        code.replace("import msjax", "logging.getLogger('jax').setLevel(logging.DEBUG)\nimport msjax"),
        JAX_PLATFORMS="cpu",
    ) != ["0"]
