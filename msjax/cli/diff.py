"""`python -m msjax diff run.npz train.py`: a script's run here, number by number beside a recorded run of MindSpore."""

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..files.archives import read_npz
from . import msjax_record, tables
from .compiled_values import CompiledValues
from .error_picture import page
from .scripts import split_arguments, start

_EPSILON = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "float64": 2.0**-52}


@dataclasses.dataclass
class Row:
    """One event of two runs.

    absolute: largest difference of two elements. relative: that, by the largest magnitude in the recorded value (an element near
    zero has the error of the sum that made it, so its own magnitude says nothing). ulp: `relative` in units of the last place of
    the recorded dtype. inputs: `relative` of the inputs. wrong: beyond the tolerance. note: what cannot be said in numbers.
    """

    kind: str
    path: str
    number: int
    step: int
    line: str
    cell: str
    shape: tuple
    dtype: str
    absolute: float = 0.0
    relative: float = 0.0
    inputs: float = 0.0
    wrong: bool = False
    note: str = ""
    worst: str = ""

    @property
    def ulp(self):
        return self.relative / _EPSILON[self.dtype] if self.dtype in _EPSILON else 0.0


def compare(there: Any, here: Any, rtol: float = 1e-5, atol: float = 1e-5, any_dtype: bool = False):
    """Rows for all events of two Recordings, in the order of the first one.

    A value is wrong if an element differs by more than `atol` + `rtol` times the largest magnitude in the value.

    Args:
        there, here: the Recordings; `there` is the one that is right.
        rtol, atol: tolerances.
        any_dtype: a difference of dtypes alone is not an error (float32 beside bfloat16).

    Example:
        >>> compare(run, run)[0].wrong  # doctest: +SKIP
        False
    """
    events = {(e["kind"], e["path"], e["number"]): e for e in here.events}
    rows = []
    for event in there.events:
        values = event["outputs"] or [{"shape": [], "dtype": ""}]
        row = Row(
            event["kind"], event["path"], event["number"], event["step"], event["line"], event.get("cell", ""),
            tuple(values[0]["shape"]), values[0]["dtype"],
        )  # fmt: skip
        rows.append(row)
        other = events.get((row.kind, row.path, row.number))
        inner = event.get("inner", False)  # a part of a layer of the framework: another version may be built otherwise
        if other is None:
            row.wrong, row.note = not inner, "did not happen here"
            continue
        row.line = other["line"] or row.line
        if [v["shape"] for v in event["outputs"]] != [v["shape"] for v in other["outputs"]]:
            row.wrong, row.note = not inner, f"{_shapes(event)} there, {_shapes(other)} here"
            continue
        for a, b in zip(event["outputs"], other["outputs"]):
            _compare_values(row, there, here, a, b, rtol, atol, any_dtype)
        for a, b in zip(event["inputs"], other["inputs"]):
            if a["shape"] == b["shape"]:
                absolute, largest, _ = _difference(*_pair(there, here, a, b))
                row.inputs = max(row.inputs, absolute / largest if largest else absolute)
    return rows


def _compare_values(row, there, here, a, b, rtol, atol, any_dtype):
    if a["dtype"] != b["dtype"]:
        row.note = f"dtype {a['dtype']} there, {b['dtype']} here"
        row.wrong = row.wrong or not any_dtype
    first, second = _pair(there, here, a, b)
    absolute, largest, place = _difference(first, second)
    if absolute >= row.absolute and first.size:
        row.absolute, row.shape, row.dtype = absolute, tuple(a["shape"]), a["dtype"]
        row.worst = f"{first[place]:.9g} there, {second[place]:.9g} here"
        if not a.get("sampled"):
            row.worst = f"at {list(map(int, place))}: {row.worst}"
    row.relative = max(row.relative, absolute / largest if largest else absolute)
    row.wrong = row.wrong or not absolute <= atol + rtol * largest


def _shapes(event):
    """The shapes of an event's values, as text."""
    shapes = [str(tuple(v["shape"])) for v in event["outputs"]]
    return f"shape{'s' * (len(shapes) != 1)} {', '.join(shapes) or 'none'}"


def _pair(there, here, a, b):
    first, second = there.arrays[a["at"]], here.arrays[b["at"]]
    if a.get("sampled") and not b.get("sampled"):
        second = msjax_record.sampled(second, first.size)
    elif b.get("sampled") and not a.get("sampled"):
        first = msjax_record.sampled(first, second.size)
    wide = np.complex128 if "c" in (first.dtype.kind, second.dtype.kind) else np.float64
    return first.astype(wide), second.astype(wide)


def _difference(first, second):
    """(largest difference, largest finite magnitude of `first`, place of the difference)"""
    if not first.size:
        return 0.0, 0.0, ()
    with np.errstate(invalid="ignore"):
        error = np.abs(first - second)
    error = np.where((first == second) | (np.isnan(first) & np.isnan(second)), 0.0, error)
    error = np.where(np.isnan(error), np.inf, error)
    place = np.unravel_index(np.argmax(error), error.shape)
    finite = np.abs(first[np.isfinite(first)])
    return float(error[place]), float(finite.max()) if finite.size else 0.0, place


def first_divergence(rows: Sequence):
    """The Row where the runs part, or None.

    Calls come in the order in which they ended, so the first wrong one is the innermost. Gradients are made from the loss
    backwards: of those of one step the last one counts.
    """
    for row in rows:
        if row.wrong:
            if row.kind != "gradient":
                return row
            return [r for r in rows if r.wrong and r.kind == "gradient" and r.step == row.step][-1]
    return None


def user_line(row: "Row", rows: Sequence):
    """The text "file:line" of the call behind a Row: for a gradient or a Parameter that of the Cell that owns it."""
    if row.kind == "call":
        return row.line
    owner = row.path.rpartition(".")[0]
    while owner:  # of `attention.out_proj.weight` the Cell `attention` is the nearest that is called
        for call in rows:
            if call.kind == "call" and (call.path == owner or call.path.endswith("." + owner)):
                return call.line
        owner = owner.rpartition(".")[0]
    return row.line


def told(row: "Row", rows: Sequence, rtol: float = 1e-5):
    """Sentences about the first divergence."""
    what = {"call": f"the output of {row.path}", "gradient": f"the gradient of {row.path}", "parameter": row.path}[
        row.kind
    ]
    kind = f" ({row.cell})" if row.cell else ""
    lines = [
        f"first divergence: {what}{kind}, step {row.step + (row.kind != 'parameter')}, called at {user_line(row, rows)}"
    ]
    if row.note:
        lines.append(f"  {row.note}")
    if row.worst:
        lines.append(f"  largest difference {row.worst}")
    if row.kind == "call" and row.inputs <= rtol:
        lines.append(f"  its inputs agree to {row.inputs:.1e}")
    elif row.kind == "call":
        before = [r for r in rows[: rows.index(row)] if r.kind == "call"]
        last = f" {before[-1].path} at {user_line(before[-1], rows)} still agrees," if before else ""
        lines.append(f"  its inputs differ already, by {row.inputs:.1e}:{last} look at what stands between Cells")
    return "\n".join(lines)


def by_path(rows: Sequence):
    """One Row for each path and kind: the worst of its calls, in order of first appearance; one for the optimizer's own state."""
    worst, trained = {}, {r.path for r in rows if r.kind == "gradient"}
    for row in rows:
        key = row.kind, row.path
        if row.kind == "parameter" and trained and row.path not in trained:
            key = "state", ""
        old = worst.get(key)
        if old is None or (row.wrong, row.relative) > (old.wrong, old.relative):
            worst[key] = row
    return list(worst.values())


def _listed(rows, every):
    shown = rows if every else by_path(rows)
    first = first_divergence(rows)
    marks, table = {}, []
    for i, row in enumerate(shown):
        here = first is not None and (row is first or not every and (row.kind, row.path) == (first.kind, first.path))
        if row.wrong:
            marks[i] = "bold red" if here else "red"
        sign = "<- first divergence" if here else "differs" if row.wrong else ""
        table.append([
            row.kind, row.path, *([str(row.number + 1)] if every else []), row.cell, "x".join(map(str, row.shape)) or "scalar",
            row.dtype, f"{row.absolute:.1e}", f"{row.relative:.1e}", f"{row.ulp:.1f}", _short(user_line(row, rows)),
            "; ".join(filter(None, (sign, row.note))),
        ])  # fmt: skip
    heads = [
        "what",
        "path",
        *(["call:"] if every else []),
        "Cell",
        "shape",
        "dtype",
        "absolute:",
        "relative:",
        "ulp:",
        "line",
        "",
    ]
    tables.show(heads, table, marks)


def _short(line):
    path, _, number = line.rpartition(":")
    return f"{os.path.basename(path)}:{number}" if path else line


def run_here(script: str, args: Sequence[str], there: Any, graph: bool = False):
    """(Recording of a script's run on msjax from the values of a recorded one, the error that ended it or None)

    graph: GRAPH_MODE and `jit` stay as the script has them, and the values are taken out of the compiled functions.
    """
    meta, error = there.meta, None
    run = start(script, args)
    eager = meta["eager"] and not graph
    session = msjax_record.Session(there, meta["steps"], eager, meta["sample"], meta["formula"], CompiledValues())
    try:
        session.run(run)
    except Exception as raised:
        error = raised
    return session.recording, error


def main(argv: list[str] | None):
    """Compare; the exit code is 1 if something differs, 2 for wrong arguments or where nothing was compared."""
    parser = argparse.ArgumentParser(
        prog="msjax diff",
        description="Compare a script's run on msjax with a recorded one, or two recorded ones. Record under MindSpore with the "
        "file that `msjax record --copy msjax_record.py` writes.",
    )
    parser.add_argument("recorded", help="the recorded run (.npz)")
    parser.add_argument("other", help="the script, or another recorded run (.npz)")
    parser.add_argument(
        "--rtol", type=float, default=1e-5, help="tolerance, by the largest magnitude of a value (1e-5)"
    )
    parser.add_argument("--atol", type=float, default=1e-5, help="tolerance (1e-5)")
    parser.add_argument(
        "--graph", action="store_true", help="run the script's compiled functions compiled, and look into them"
    )
    parser.add_argument("--any-dtype", action="store_true", help="a difference of dtypes alone is not an error")
    parser.add_argument("--all", action="store_true", help="a line for every call, not the worst of each Cell")
    parser.add_argument("--html", metavar="FILE", help="write a page with a picture of the error along the network")
    parser.add_argument("--json", action="store_true", help="all rows as JSON")
    given, rest = split_arguments(parser, argv)
    for path in (given.recorded, given.other):
        if not os.path.exists(path):
            parser.error(f"there is no {path}")
    try:
        there = msjax_record.Recording.load(given.recorded, read_npz)
        here = msjax_record.Recording.load(given.other, read_npz) if given.other.endswith(".npz") else None
    except ValueError as error:
        parser.error(str(error))
    failure = None
    if here is None:
        here, failure = run_here(given.other, rest, there, given.graph)
    rows = compare(there, here, given.rtol, given.atol, given.any_dtype)
    first = first_divergence(rows)
    if given.html:
        with open(given.html, "w", encoding="utf-8") as file:
            file.write(page(rows, first, there.meta, here.meta, told(first, rows, given.rtol) if first else ""))
    if given.json:
        print(json.dumps([{**dataclasses.asdict(r), "ulp": r.ulp} for r in rows], indent=1))
    else:
        _listed(rows, given.all)
        wrong = sum(r.wrong for r in rows)
        tables.say(
            f"{len(rows)} values compared, {wrong} beyond rtol {given.rtol:g}, atol {given.atol:g}",
            "red" if wrong else "green",
        )
        if first:
            tables.say(told(first, rows, given.rtol), "bold red")
    if failure is not None:
        sys.stderr.write("the script ended with an error here; compared is what came before\n")
        raise failure
    if not rows:
        sys.stderr.write(
            f"msjax diff: nothing was compared: {given.recorded} holds {len(there.events)} events, {given.other} {len(here.events)}\n"
        )
        return 2
    return 1 if first else 0
