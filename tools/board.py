"""The board: what was run beside MindSpore, how much of it does here what it does there, and every failure by name: docs/board.md.

    python tools/board.py [--check]
    python tools/board.py --own-tests RESULTS.jsonl --asked ASKED.json [--aside NAMES.json]

Nothing is run here. Each source is a file that a command of its own writes; docs/board.json names them, and keeps the rates that each had, by
date, so that the board shows how they change. `--check` compares instead of writing.

MindSpore's own tests: RESULTS.jsonl has a line `{"file", "tests": {id: {"outcome", "exc", "msg"}}}` for each file of tests; ASKED.json is
`{"files": {file: {"passed": {test: ...}}}}`, those that pass on MindSpore itself; NAMES.json lists ids that are not asked. The counts and
the failures are kept in docs/board.json.
"""

import argparse
import collections
import datetime
import json
import pathlib
import re

import projects

ROOT = pathlib.Path(__file__).resolve().parents[1]
KEPT, PAGE = ROOT / "docs" / "board.json", ROOT / "docs" / "board.md"
AGREES = 1e-3  # how near a model's Parameters are after one step, relative to the largest


def _text(path):
    return (ROOT / path).read_text(encoding="utf-8")


# --- sources: (date, passed, asked, [(what, why)])
def own_tests(kept):
    """MindSpore's own tests, as they were kept; None before the first time."""
    found = kept.get("own tests")
    return found and (found["date"], found["passed"], found["asked"], [tuple(row) for row in found["failures"]])


def examples(kept):
    """Documented examples of MindSpore."""
    text = _text("docs/conformance.md")
    date, count = re.search(r"run on msjax, (.*?), on CPU.*?of (\d+)", text, re.DOTALL).groups()
    rows = re.findall(r"^\| (\S+) \| (wrong|error) \| (.*) \|$", text, re.MULTILINE)
    date = datetime.datetime.strptime(date, "%d %B %Y").date().isoformat()
    return date, int(count) - len(rows), int(count), [(name, f"{how}: {why}") for name, how, why in rows]


def tutorials(kept):
    """Blocks of the pages of MindSpore's tutorials; None before the first run."""
    path = ROOT / "docs" / "tutorials.json"
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    return found and (found["date"], found["passed"], found["asked"], [tuple(row) for row in found["failures"]])


def toolkits(kept):
    """Toolkits of which every module is imported."""
    rows = json.loads(_text("docs/toolkits.json"))["imports"]
    failures = []
    for name, row in rows.items():
        left = row["modules"] - row["imported"]
        if left:
            why = "; ".join(f"{error} ({times})" for error, times in row["errors"])
            failures.append((f"{name} {row['version']}", f"{left} of {row['modules']} modules: {why}"))
    return max(row["date"] for row in rows.values()), len(rows) - len(failures), len(rows), failures


def models(kept):
    """Models of toolkits that are trained a few steps."""
    trained = json.loads(_text("docs/toolkits.json"))["trained"]
    failures, dates = [], []
    for toolkit, found in trained.items():
        for name, row in found.items():
            dates.append(row["date"])
            for mode in ("pynative", "graph"):
                after = (row.get(mode) or {}).get("after", 0.0)
                if not after <= AGREES:
                    last = row.get("nudged")
                    failures.append(
                        (
                            f"{toolkit}: {name}",
                            f"{mode}: Parameters differ by {after:.0e} after a step" + _of_last_bit(last),
                        )
                    )
    return (
        max(dates),
        sum(map(len, trained.values())) - len({name for name, _ in failures}),
        sum(map(len, trained.values())),
        failures,
    )


def _of_last_bit(nudged):
    value = nudged.get("after") if isinstance(nudged, dict) else None
    return "" if value is None else f"; there by {value:.0e} when the last bit of the weights changes"


def whole_projects(kept):
    """Runs of whole public projects; those whose results are stale count as they are kept, and their page says so."""
    rows = json.loads(_text("docs/projects.json"))
    told = {path.stem: projects.manifest(path) for path in sorted(projects.MANIFESTS.glob("*.toml"))}
    runs = [(told[name], i, row) for name in sorted(rows) if name in told for i, row in enumerate(rows[name])]
    failures = [
        (f"{t['repository']}: `{row['command']}`", projects.cause(t, i, row))
        for t, i, row in runs
        if not row["here"]["good"]
    ]
    return max(row["date"] for *_, row in runs), len(runs) - len(failures), len(runs), failures


# (title, function, what is beside it, command that renews it, page)
SOURCES = (
    ("MindSpore's own tests", own_tests, "those that pass on MindSpore 2.10 on CPU", "python tools/board.py --own-tests", None),
    ("Documented examples", examples, "those that MindSpore 2.10 reproduces on CPU", "python -m msjax conformance", "conformance.md"),
    ("Blocks of its tutorials", tutorials, "those that run on MindSpore 2.10 on CPU", "python tools/tutorials.py", None),
    ("Toolkits, imported whole", toolkits, "every module of their wheels", "python tools/toolkits.py", "toolkits.md"),
    ("Models of toolkits, trained", models, f"Parameters within {AGREES:.0e} after a step", "python tools/toolkits.py --train", "toolkits.md"),
    ("Runs of whole projects", whole_projects, "what their manifests ask", "python tools/projects.py", "projects.md"),
)  # fmt: skip


def results(kept):
    """{title: what its function gives, or None where nothing is kept yet}"""
    return {title: found(kept) for title, found, *_ in SOURCES}


def remembered(kept, now):
    """The rates by date, with those of now: a source adds a row when its date or its rate is new."""
    history = [list(row) for row in kept.get("history", [])]
    for title, result in now.items():
        row = result and [title, *result[:3]]
        if row and row not in history:
            history.append(row)
    return sorted(history, key=lambda row: (row[0], row[1]))


def page(kept):
    """The text of docs/board.md."""
    now = results(kept)
    history = collections.defaultdict(list)
    for title, date, passed, asked in remembered(kept, now):
        history[title].append(f"{date}: {passed:,} of {asked:,}")
    lines = [
        "# Board", "",
        "What was run on CPU beside MindSpore 2.10 or by a project's own command, how much of it does here what is asked, and every failure by",
        "name. Made by `python tools/board.py` from the files that the commands below write; nothing is run for it.", "",
        "| what | asked | here | rate | when | renewed by | details |", "|---|---|---:|---:|---|---|---|",
    ]  # fmt: skip
    for title, found, beside, command, details in SOURCES:
        shown = f"[{pathlib.Path(details).stem}]({details})" if details else ""
        if now[title] is None:
            lines.append(f"| {title} | {beside} | not kept yet | | | `{command}` | {shown} |")
            continue
        date, passed, asked, _ = now[title]
        known = kept["own tests"].get("known", asked) if found is own_tests else asked
        if known > asked:
            beside += f"; {asked:,} of {known:,} were run"
        lines.append(
            f"| {title} | {beside} | {passed:,} of {asked:,} | {passed / asked:.1%} | {date} | `{command}` | {shown} |"
        )
    lines += ["", "## Kept over time", "", "| what | rates |", "|---|---|"]
    lines += [f"| {title} | {'; '.join(rows)} |" for title, rows in history.items()]
    for title, *_ in SOURCES:
        failures = now[title] and now[title][3]
        if failures:
            lines += ["", f"## {title}: {len(failures)} that fail", "", "| what | why |", "|---|---|"]
            lines += [f"| {_cell(what)} | {_cell(why)} |" for what, why in failures]
    return "\n".join(lines) + "\n"


def _cell(text):
    """Text as a cell of a table that shows it as it stands; what is between backquotes is code."""
    pieces = text.split("`") if text.count("`") % 2 == 0 else [text.replace("`", "'")]
    return "`".join(
        piece.replace("|", "\\|") if i % 2 else re.sub(r"([|<>\[\]*_])", r"\\\1", piece)
        for i, piece in enumerate(pieces)
    )


def take_own_tests(results_file, asked_file, aside_file):
    """What docs/board.json keeps of a run of MindSpore's own tests."""
    asked = json.loads(pathlib.Path(asked_file).read_text(encoding="utf-8"))["files"]
    aside = set(json.loads(pathlib.Path(aside_file).read_text(encoding="utf-8"))) if aside_file else set()
    passed, count, failures = 0, 0, []
    for line in pathlib.Path(results_file).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for test in asked.get(row["file"], {}).get("passed", {}):
            name = f"{row['file']}::{test}"
            if name in aside:
                continue
            got = row["tests"].get(name) or {}
            if got.get("outcome") in (
                None,
                "not_collected",
            ):  # NumPy 2 writes bool for bool_ in the ids of parametrised tests
                got = row["tests"].get(name.replace("bool_", "bool")) or got
            count += 1
            if got.get("outcome") == "passed":
                passed += 1
            else:
                why = (
                    f"{got['exc']}: {got.get('msg')}"
                    if got.get("exc")
                    else str(row.get("collect_errors") or got.get("outcome") or "not run")
                )
                failures.append([name, " ".join(why.split())[:200]])
    date = datetime.date.fromtimestamp(pathlib.Path(results_file).stat().st_mtime).isoformat()
    known = sum(f"{file}::{test}" not in aside for file, row in asked.items() for test in row["passed"])
    return {"date": date, "passed": passed, "asked": count, "known": known, "failures": sorted(failures)}


def main(argv=None):
    """Write the board, or compare it; the exit code is 1 where it differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--own-tests", metavar="RESULTS.jsonl", help="keep a run of MindSpore's own tests")
    parser.add_argument("--asked", metavar="ASKED.json", help="which of them pass on MindSpore")
    parser.add_argument("--aside", metavar="NAMES.json", help="which of them are not asked")
    given = parser.parse_args(argv)
    kept = json.loads(_text("docs/board.json")) if KEPT.exists() else {}
    if given.own_tests:
        if not given.asked:
            parser.error("--own-tests needs --asked: which tests pass on MindSpore")
        kept["own tests"] = take_own_tests(given.own_tests, given.asked, given.aside)
    if given.check:
        good = PAGE.exists() and PAGE.read_text(encoding="utf-8") == page(kept)
        print("" if good else "out of date: docs/board.md: python tools/board.py", end="" if good else "\n")
        return 0 if good else 1
    kept["history"] = remembered(kept, results(kept))
    KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(kept), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
