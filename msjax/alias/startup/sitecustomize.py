"""Run by Python at startup in each child process of a program under msjax: installs the alias there, too.

Only in the same Python installation: a child in which MindSpore itself is installed is left alone. Another `sitecustomize`, which
this one hides, runs as well.
"""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _hidden():
    """The file of the sitecustomize that is found behind this one."""
    from importlib.machinery import PathFinder

    others = [folder for folder in sys.path if os.path.abspath(folder or ".") != _HERE]
    spec = PathFinder.find_spec("sitecustomize", others)
    return spec.origin if spec is not None else None


def _run(path):
    with open(path, "rb") as file:
        exec(compile(file.read(), path, "exec"), {"__name__": "sitecustomize", "__file__": path})


if os.environ.get("MSJAX_PREFIX") == sys.prefix:
    _run(os.path.join(os.path.dirname(_HERE), "child.py"))
if _hidden() is not None:
    _run(_hidden())
