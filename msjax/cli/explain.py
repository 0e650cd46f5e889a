"""`python -m msjax explain SCRIPT`: runs a script, then lists compiled functions, reasons for recompilation, fallbacks
and costs.
"""

import argparse
import html
import json
import pathlib
import sys
import time
from collections.abc import Sequence
from typing import Any

from . import tables
from .scripts import script_arguments, start

try:
    import resource
except ImportError:  # on Windows
    resource = None


def collect():
    """The facts about each compiled function, a list of dicts, the longest compilation first."""
    from msjax.core.trace import compile as tracing
    from msjax.core.trace.explain import Explanation

    rows = []
    for compiled in tracing.instances():
        if not compiled.history:
            continue
        told = Explanation(compiled)
        entries = [entry for _, entry in told.signatures if not entry.fallback]
        rows.append(
            {
                "name": compiled.name,
                "traces": len(told.reasons),
                "calls": sum(entry.calls for _, entry in told.signatures),
                "trace_seconds": sum(entry.trace_seconds for entry in entries),
                "first_call_seconds": sum(entry.first_seconds for entry in entries),
                "reasons": told.reasons[1:],
                "fallbacks": told.fallbacks,
                "text": str(told),
            }
        )
    return sorted(rows, key=lambda row: -(row["trace_seconds"] + row["first_call_seconds"]))


def page(rows: Sequence, seconds: float, megabytes: float, script: str):
    """The report as a page of its own."""
    body = "".join(
        f"<h2>{html.escape(row['name'])}</h2><p>{row['traces']} traces, {row['calls']} calls; tracing "
        f"{row['trace_seconds']:.2f} s, first calls {row['first_call_seconds']:.2f} s</p><pre>{html.escape(row['text'])}</pre>"
        for row in rows
    )
    return (
        "<!doctype html><meta charset=utf-8><title>msjax explain</title><style>body{font:14px/1.4 system-ui,sans-serif;"
        "margin:2em}pre{background:#f7fafc;padding:1em;overflow-x:auto}</style>"
        f"<h1>{html.escape(script)}</h1><p>{seconds:.1f} s in all, at most {megabytes:.0f} MB</p>{body}\n"
    )


def main(argv: list[str] | None):
    """Run the script and report on stderr; the exit code is the script's."""
    parser = argparse.ArgumentParser(prog="msjax explain", description=__doc__)
    parser.add_argument("--html", metavar="FILE", help="write a page")
    parser.add_argument("--json", metavar="FILE", help="write the figures")
    given, rest = script_arguments(parser, argv)
    started, code = time.perf_counter(), 0
    try:
        start(given.script, rest)()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0 if left.code is None else 1
    finally:
        report(given, time.perf_counter() - started)
    return code


def _most_megabytes():
    """The most memory that this process has had; macOS counts it in bytes, other systems in kilobytes, Windows does not tell."""
    if resource is None:
        return float("nan")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)


def report(given: Any, seconds: float):
    """Print the report, and write the requested files."""
    rows, megabytes = collect(), _most_megabytes()
    if given.html:
        pathlib.Path(given.html).write_text(page(rows, seconds, megabytes, given.script), encoding="utf-8")
    if given.json:
        figures = {"seconds": seconds, "megabytes": megabytes, "functions": rows}
        pathlib.Path(given.json).write_text(json.dumps(figures, indent=1), encoding="utf-8")
    sys.stdout.flush()
    heads = ["function", "traces:", "calls:", "tracing, s:", "first calls, s:", "runs eagerly"]
    tables.show(
        heads,
        [
            [
                row["name"],
                row["traces"],
                row["calls"],
                f"{row['trace_seconds']:.2f}",
                f"{row['first_call_seconds']:.2f}",
                "; ".join(row["fallbacks"]),
            ]
            for row in rows
        ],
    )
    for row in rows:
        for reason in row["reasons"]:
            print(f"{row['name']} was traced again: {reason}")
    print(f"{seconds:.1f} s in all, at most {megabytes:.0f} MB")
