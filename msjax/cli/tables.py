"""Tables for people: by `rich` in a terminal where it is installed, in plain columns everywhere else."""

import sys
from collections.abc import Sequence
from typing import Any


def show(columns: Sequence, rows: Sequence, marks: Any = None, title: str = ""):
    """Print a table.

    Args:
        columns: list of headings; one that ends in ":" is aligned to the right, without the colon.
        rows: lists of values, printed by `str`.
        marks: dict from the number of a row to its colour ("red", "yellow", "green").
        title: line above it.
    """
    rows = [[str(v) for v in row] for row in rows]
    right = [c.endswith(":") for c in columns]
    heads = [c.rstrip(":") for c in columns]
    console = coloured()
    if console is None:
        print("\n".join(plain(heads, right, rows, title)))
        return
    from rich.table import Table

    table = Table(title=title or None, title_justify="left", box=None, header_style="bold", pad_edge=False)
    for head, at_right in zip(heads, right):
        table.add_column(head, justify="right" if at_right else "left", overflow="fold")
    for i, row in enumerate(rows):
        table.add_row(*row, style=(marks or {}).get(i))
    console.print(table, markup=False, highlight=False)


def plain(heads: Sequence[str], right: Any, rows: Sequence, title: str = ""):
    """The lines of a table, columns two spaces apart."""
    widths = [max(len(r[i]) for r in [heads, *rows]) for i in range(len(heads))]

    def line(row):
        return "  ".join(v.rjust(w) if r else v.ljust(w) for v, w, r in zip(row, widths, right)).rstrip()

    return [*([title] if title else []), line(heads), *map(line, rows)]


def say(text: str, style: str | None = None):
    """Print a line, coloured in a terminal."""
    console = coloured()
    if console is None:
        print(text)
    else:
        console.print(text, style=style, markup=False, highlight=False)


def coloured():
    """The console of `rich`, or None where it is not installed or the output goes into a file or pipe."""
    if not sys.stdout.isatty():
        return None
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console()
