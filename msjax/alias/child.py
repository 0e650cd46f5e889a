"""Startup code of a child process, run by path: it makes `import mindspore` mean msjax there too.

It must import nothing of msjax: that starts with the first `import mindspore` in the child, if there is one. A worker
that only loads images never pays for JAX.
"""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import types


class FirstImport:
    """Waits on `sys.meta_path` for the first import of mindspore, then makes way for the real finder."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: "types.ModuleType | None" = None):
        """Switch the alias on and let it answer."""
        if name != "mindspore" and not name.startswith("mindspore."):
            return None
        import importlib.util

        sys.meta_path.remove(self)
        if importlib.util.find_spec("msjax") is None:
            # the parent ran from the source tree, this process runs elsewhere
            sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
        from msjax.alias.finder import FINDER, install  # see above

        install()
        if os.environ.get("MSJAX") == "1":  # started by `python -m msjax`
            from msjax.alias import old_names

            old_names.give_back()
        return FINDER.find_spec(name, path, target)


if "mindspore" not in sys.modules and not any(type(finder).__name__ == "FirstImport" for finder in sys.meta_path):
    sys.meta_path.insert(0, FirstImport())
