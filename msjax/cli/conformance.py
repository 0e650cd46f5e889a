"""`python -m msjax conformance --wheel WHEEL`: which documented examples of MindSpore give their documented output here.

The examples are read from a MindSpore wheel (or an installed copy) that the user has; none is part of msjax. Each runs in a
process of its own. Counted are those that MindSpore 2.10's own CPU build reproduces, by a list of their names that was made with it
(`reproduced.json.gz`); `--all` runs the others, too, for which the documentation is the only reference.
"""

import argparse
import collections
import datetime
import gzip
import importlib.resources
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence

from . import documented, example_worker, tables
from .source_tree import ROOT


def reproduced():
    """Names whose example MindSpore's own CPU build reproduces."""
    packed = importlib.resources.files(__package__).joinpath("reproduced.json.gz").read_bytes()
    return frozenset(json.loads(gzip.decompress(packed)))


def run(
    examples: Sequence,
    python: str = sys.executable,
    backend: str = "msjax",
    jobs: int = 1,
    seconds: float = 60,
    told: Callable | None = None,
):
    """{name: result of `example_worker`} for examples.

    python, backend: where they run: msjax in this Python, or "mindspore" in one that has it. jobs: processes at a time. seconds: limit
    for each. told: called with each result.
    """
    waiting, results, lock = queue.SimpleQueue(), {}, threading.Lock()
    for example in examples:
        waiting.put(example)

    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])] if backend == "msjax" else []

    def ask(worker, example):
        try:
            worker.stdin.write(json.dumps({"id": example.id, "statements": example.statements}) + "\n")
            worker.stdin.flush()
            line = worker.stdout.readline()
        except OSError:
            line = ""
        return json.loads(line) if line else {"id": example.id, "status": "error", "got": "the worker ended"}

    def serve():
        with subprocess.Popen(
            [python, example_worker.__file__, backend, str(seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        ) as worker:
            while True:
                try:
                    example = waiting.get_nowait()
                except queue.Empty:
                    break
                result = ask(worker, example)
                with lock:
                    results[result.pop("id")] = result
                    if told is not None:
                        told(example.id, result)
            try:
                worker.stdin.close()
            except OSError:
                worker.kill()

    threads = [threading.Thread(target=serve) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def summary(examples: Sequence, results: Sequence):
    """[(module, examples, with documented output, runs without one, wrong, error)], by module, and a last row for all."""
    count = collections.defaultdict(collections.Counter)
    for example in examples:
        if example.id in results:
            count[example.module][results[example.id]["status"]] += 1
    rows = [
        (module, sum(c.values()), c["pass"], c["runs"], c["wrong"], c["error"]) for module, c in sorted(count.items())
    ]
    return [*rows, ("all", *(sum(row[i] for row in rows) for i in range(1, 6)))]


def share(rows: Sequence):
    """Percent of the examples that print the documented output, among those that document one."""
    _, count, good, runs, _, _ = rows[-1]
    return 100.0 * (good + runs) / count if count else 100.0


def markdown(examples: Sequence, results: Sequence, version: str):
    """The page: figures by module, and each example that does not give its output."""
    rows = summary(examples, results)
    lines = [
        "# Conformance", "",
        f"Documented examples of MindSpore {version} run on msjax, {datetime.date.today():%d %B %Y}, on CPU: those that MindSpore's own "
        f"CPU build reproduces. **{share(rows):.1f} %** of {rows[-1][1]} give the documented output, or run where none is documented.",
        "", "Made by `python -m msjax conformance --wheel WHEEL --markdown FILE`.", "",
        "| module | examples | documented output | run, none documented | other output | error |", "|---|---:|---:|---:|---:|---:|",
        *("| " + " | ".join(map(str, row)) + " |" for row in rows), "", "## Not as documented", "",
        "| example | here | reason |", "|---|---|---|",
    ]  # fmt: skip
    for name, result in sorted(results.items()):
        if result["status"] in ("wrong", "error"):
            lines.append(f"| {name} | {result['status']} | {_reason(name, result)} |")
    return "\n".join(lines) + "\n"


def _reason(name, result):
    from .deviations import DEVIATIONS, PARTIAL

    short, leaf = name.removeprefix("mindspore."), name.rpartition(".")[2]
    if short in PARTIAL:
        text = PARTIAL[short]
    else:
        known = [here for what, _, here in DEVIATIONS if leaf in what.replace(",", " ").replace("(", " ").split()]
        text = known[0] if known else " ".join(result["got"].split())[:160]
    return text.replace("|", "\\|")


def main(argv: list[str] | None):
    """Run the examples; the exit code is 1 if fewer than `--at-least` percent give their output, 2 for wrong arguments."""
    parser = argparse.ArgumentParser(prog="msjax conformance", description=__doc__.split("\n")[0])
    parser.add_argument(
        "--wheel", required=True, help="a MindSpore wheel, or a folder that holds the package mindspore"
    )
    parser.add_argument("--module", help="only names that begin so: ops, nn, Tensor, ops.ReduceSum")
    parser.add_argument(
        "--all", action="store_true", help="also examples that MindSpore's CPU build does not reproduce"
    )
    parser.add_argument("--mindspore-python", metavar="PYTHON", help="ask the MindSpore there which it reproduces")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time (1)")
    parser.add_argument("--seconds", type=int, default=120, help="limit for one example (120)")
    parser.add_argument("--keep", metavar="FILE", help="append each result; what is in it already is not run again")
    parser.add_argument("--json", action="store_true", help="print all results as JSON")
    parser.add_argument("--markdown", metavar="FILE", help="write the page")
    parser.add_argument("--at-least", type=float, default=0.0, metavar="PERCENT", help="less is an error")
    given = parser.parse_args(argv)
    try:
        examples = documented.examples(given.wheel)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if given.module:
        prefix = "mindspore." + given.module.removeprefix("mindspore.")
        examples = [e for e in examples if f"{e.id}.".startswith(f"{prefix}.")]
    if given.mindspore_python:
        there = run(examples, given.mindspore_python, "mindspore", given.jobs, given.seconds)
        examples = [e for e in examples if there[e.id]["status"] in ("pass", "runs")]
    elif not given.all:
        examples = [e for e in examples if e.id in reproduced()]
    kept = _kept(given.keep)
    fresh = [e for e in examples if e.id not in kept]
    results = run(fresh, jobs=given.jobs, seconds=given.seconds, told=_progress(len(fresh), given.keep))
    results.update((e.id, kept[e.id]) for e in examples if e.id in kept)
    rows = summary(examples, results)
    if given.markdown:
        from .inventory import inventory

        with open(given.markdown, "w", encoding="utf-8") as file:
            file.write(markdown(examples, results, inventory()["version"]))
    if given.json:
        print(json.dumps({"percent": share(rows), "results": results}, indent=1))
    else:
        heads = ["module", "examples:", "documented output:", "run, none documented:", "other output:", "error:"]
        tables.show(heads, rows)
        for name, result in sorted(results.items()):
            if result["status"] in ("wrong", "error"):
                tables.say(f"{name}: {result['status']}: {' '.join(result['got'].split())[:200]}", "red")
        print(f"{share(rows):.1f} % of {rows[-1][1]} examples")
    return 1 if share(rows) < given.at_least else 0


def _kept(path):
    """The results of an earlier run."""
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return dict(json.loads(line) for line in file)


def _progress(total, keep):
    """A counter on stderr, in a terminal; each result into the file `keep`."""
    done = iter(range(1, total + 1))

    def told(name, result):
        if keep:
            with open(keep, "a", encoding="utf-8") as file:
                file.write(json.dumps([name, result]) + "\n")
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{next(done)}/{total} {name:60.60}")

    return told
