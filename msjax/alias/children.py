"""Processes that a program starts itself (`subprocess.run([sys.executable, ...])`) have the alias, too, by their environment.

`MSJAX_PREFIX` names the Python installation in which it holds, PYTHONPATH starts with a folder whose `sitecustomize` looks at it.
`MSJAX=1` adds the old names of NumPy, as for the script itself. With the file that `python -m msjax autostart` writes, `MSJAX=1`
alone is enough, for any program.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

_STARTUP = str(Path(__file__).resolve().parent / "startup")


def _paths() -> list[str]:
    return [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]


def inherit(script: bool = False) -> None:
    """Let the processes that this one starts have the alias; `script`: and the old names of NumPy."""
    os.environ["MSJAX_PREFIX"] = sys.prefix
    if script:
        os.environ["MSJAX"] = "1"
    if _STARTUP not in _paths():
        os.environ["PYTHONPATH"] = os.pathsep.join([_STARTUP, *_paths()])


def leave() -> None:
    """Undo `inherit`."""
    os.environ.pop("MSJAX_PREFIX", None)
    os.environ.pop("MSJAX", None)
    rest = [path for path in _paths() if path != _STARTUP]
    if rest:
        os.environ["PYTHONPATH"] = os.pathsep.join(rest)
    else:
        os.environ.pop("PYTHONPATH", None)


def autostart_file() -> Path:
    """The .pth file in the site-packages of this Python that looks for MSJAX=1."""
    return Path(sysconfig.get_path("purelib")) / "msjax_autostart.pth"


def write_autostart() -> Path:
    """Write that file: from then on `MSJAX=1 python train.py` runs under msjax."""
    child = str(Path(__file__).resolve().parent / "child.py")
    path = autostart_file()
    path.write_text(
        f"import os; os.environ.get('MSJAX') == '1' and os.path.exists({child!r}) and "  # msjax may be uninstalled by then
        f"exec(compile(open({child!r}).read(), {child!r}, 'exec'), "
        f"{{'__name__': 'msjax_autostart', '__file__': {child!r}}})\n",
        encoding="utf-8",
    )
    return path
