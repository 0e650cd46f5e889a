"""`python -m msjax LAUNCH.sh ARGS`: a project's launch script, in which `python` and `msrun` are msjax's. Nothing is installed for it."""

from __future__ import annotations

import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

from msjax.alias import children

# What a launch script calls, and what this Python is given before its arguments. Processes of this Python have the alias by `children.inherit`.
_COMMANDS = {"python": "", "python3": "", "msrun": "-m msjax run"}


def main(argv: list[str]) -> int:
    """Run a shell script.

    Args:
        argv: the script and its arguments.

    Returns:
        The exit code of the script; 127 if there is no bash.
    """
    children.inherit(script=True)
    with tempfile.TemporaryDirectory(prefix="msjax_") as folder:
        for name, arguments in _COMMANDS.items():
            command = pathlib.Path(folder, name)
            command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {arguments} "$@"\n')
            command.chmod(0o700)
        environment = {**os.environ, "PATH": os.pathsep.join([folder, os.environ.get("PATH", "")])}
        try:
            return subprocess.run(["bash", *argv], env=environment, check=False).returncode
        except FileNotFoundError:
            sys.stderr.write(f"msjax: {argv[0]} is a script for bash, and there is no bash here\n")
            return 127
