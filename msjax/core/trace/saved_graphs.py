"""`set_context(save_graphs=True, save_graphs_path=...)`: the programs of compiled functions are written to files, as jaxprs.

MindSpore writes one file for each pass of its compiler, and `validate` is the last of them; here there is one program.
"""

import os
from typing import TYPE_CHECKING

from ..process import shared
from ..settings import context

if TYPE_CHECKING:
    import jax
    import jax.extend


def save(name: str, closed: "jax.extend.core.ClosedJaxpr"):
    """Write a program, where that is wanted."""
    if not context.get_context("save_graphs") and os.environ.get("MS_DEV_SAVE_GRAPHS", "0") in ("", "0"):
        return
    folder = os.environ.get("MS_DEV_SAVE_GRAPHS_PATH") or context.get_context("save_graphs_path") or "."
    os.makedirs(folder, exist_ok=True)
    safe = "".join(c if c.isalnum() else "_" for c in name)
    with open(os.path.join(folder, f"{next(shared.graphs):04d}_validate_{safe}.ir"), "w", encoding="utf-8") as file:
        file.write(f"# {name}\n{closed}\n")
