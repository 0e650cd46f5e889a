"""`%load_ext msjax`: from then on `import mindspore` in the notebook means msjax."""

from __future__ import annotations

from msjax.alias.finder import install, uninstall


def load_ipython_extension(ipython) -> None:
    """What IPython calls for `%load_ext msjax`; see `msjax.install`."""
    install()


def unload_ipython_extension(ipython) -> None:
    """What IPython calls for `%unload_ext msjax`; see `msjax.uninstall`."""
    uninstall()
