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
