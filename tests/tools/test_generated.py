"""Generated files are what their generators give: compat_matrix.md and the stubs for editors."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("what", ["matrix", "stubs"])
def test_up_to_date(what):
    done = subprocess.run([sys.executable, "-m", "msjax", what, "--check"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"run `python -m msjax {what}`\n{done.stdout}{done.stderr[-2000:]}"
