"""`python -m msjax LAUNCH.sh`: python and msrun of the script are msjax's."""

import os
import shutil
import subprocess
import sys

import pytest


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_a_launch_script_finds_msjax(tmp_path):
    script = tmp_path / "launch.sh"
    script.write_text(
        'python -c "import mindspore; print(mindspore.nn.Dense.__module__)" && echo "$1, $(cat "$(command -v msrun)")"; exit 3\n'
    )
    clean = {k: v for k, v in os.environ.items() if k not in ("MSJAX", "MSJAX_PREFIX")}
    done = subprocess.run(
        [sys.executable, "-m", "msjax", str(script), "an argument"], capture_output=True, text=True, env=clean
    )
    assert done.returncode == 3, done.stderr
    imported, rest = done.stdout.split("\n", 1)
    assert imported.startswith("msjax") or imported.startswith("mindspore.nn")
    assert rest.startswith("an argument, #!/bin/sh") and "-m msjax run" in rest
