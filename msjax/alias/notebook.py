"""`%load_ext msjax`: from then on `import mindspore` in the notebook means msjax."""

from __future__ import annotations

from typing import Any

from msjax.alias import children, old_names, tracebacks
from msjax.alias.finder import install, uninstall


def load_ipython_extension(ipython: Any) -> None:
    """Entry point of `%load_ext msjax`: installs the alias and NumPy's old names, and shortens tracebacks to the cells'
    frames.
    """
    install()
    old_names.give_back()
    children.inherit(script=True)
    ipython.set_custom_exc((Exception,), _show)


def _show(shell, kind, error, traceback, tb_offset=None) -> None:
    tidied = tracebacks.tidy(error)
    shell.showtraceback((kind, tidied, tidied.__traceback__), tb_offset=tb_offset)


def unload_ipython_extension(ipython: Any) -> None:
    """Entry point of `%unload_ext msjax`; see `msjax.uninstall`."""
    ipython.set_custom_exc((), None)
    uninstall()
