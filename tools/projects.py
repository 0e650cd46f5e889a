"""Run whole public projects that are written for MindSpore by their own commands, on msjax and on MindSpore, and write docs/projects.md.

    python tools/projects.py [NAME ...] --scratch DIR [--mindspore-python PYTHON] [--trees DIR] [--slow 1]
    python tools/projects.py --page

NAME: manifests of tools/projects (all, if none is named). Each tells a repository and a commit, how its data is made small (by
`project_data.py`, in the format that the project reads), the project's own command, what it must print and reach. --trees: a folder in
which checkouts lie as OWNER+NAME; what is not there is cloned from GitHub. Every run gets a copy of the checkout; no line of it is changed.
--mindspore-python: one that has MindSpore 2.10 and what the projects import: the same command runs there first, with the same seeds and
weights (`project_start.py`), and the numbers that both print are compared. Results are kept in docs/projects.json.

A manifest (TOML):

    repository, commit, field, api      where it is; what it is about; the dialect that it is written in ("1.x", "2.x")
    cause                               why it does not train here, where that is known: one of CAUSES, a colon, and what happens;
                                        of a run, too
    [[run]]                             one or more of
      command                           as the project's documentation has it, without `python`
      folder                            where it is typed, from the root of the checkout (the root)
      data                              a list of {maker, path, ...}: functions of project_data.py, project_pictures.py, their arguments; path from the root
      numbers                           a regular expression with one group: the numbers that are compared with MindSpore's
      expect                            regular expressions that its output must contain
      reach                             a list of [regular expression with one group, "<" or ">", value]: of the last match
      paths                             folders of the checkout that its modules are found in, as its documentation says (PYTHONPATH)
      beside                            other repositories, OWNER/NAME, that it imports: their checkouts are put on PYTHONPATH
      environment                       variables
      still                             dropout is switched off on both sides
      there                             false: MindSpore 2.10 is not asked; a text: why
      minutes                           when it is stopped; what it must print by then counts (10)
"""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import selectors
import shlex
import shutil
import subprocess
import sys
import time
import tomllib

import project_data
import project_pictures

ROOT = pathlib.Path(__file__).resolve().parent.parent
MANIFESTS = ROOT / "tools" / "projects"
KEPT = ROOT / "docs" / "projects.json"
PAGE = ROOT / "docs" / "projects.md"
CAUSES = ("project", "data", "package", "MindSpore too", "msjax", "time")
KEYS = {"repository", "commit", "field", "api", "cause", "run"}
RUN_KEYS = {
    "cause",
    "command",
    "folder",
    "data",
    "numbers",
    "expect",
    "reach",
    "still",
    "there",
    "minutes",
    "paths",
    "beside",
    "environment",
}
COMPARED = 10  # of the numbers that a run prints: later ones drift with rounding


def manifest(path):
    """The manifest in a file, checked.

    Raises ValueError for a key that no one reads.
    """
    told = tomllib.loads(path.read_text())
    unknown = (set(told) - KEYS) | {key for run in told["run"] for key in set(run) - RUN_KEYS}
    if unknown:
        raise ValueError(
            f"{path.name}: unknown keys {sorted(unknown)}; a manifest has {sorted(KEYS)}, a run {sorted(RUN_KEYS)}"
        )
    for part in (told, *told["run"]):
        if "cause" in part and part["cause"].split(":")[0] not in CAUSES:
            raise ValueError(f"{path.name}: cause begins with one of {CAUSES}, got {part['cause']!r}")
    return told


def tree(told, trees):
    """The checkout of a project, cloned where it is not there."""
    return checkout(told["repository"], trees, told["commit"])


def checkout(repository, trees, commit="HEAD"):
    """The checkout of OWNER/NAME."""
    folder = trees / repository.replace("/", "+")
    if not folder.exists():
        subprocess.run(["git", "clone", "--quiet", f"https://github.com/{repository}", str(folder)], check=True)
        subprocess.run(["git", "-C", str(folder), "checkout", "--quiet", commit], check=True)
    return folder


def maker(name):
    """The function of this name that makes data."""
    return next(getattr(module, name) for module in (project_data, project_pictures) if hasattr(module, name))


def prepared(told, run, trees, place):
    """A copy of the checkout at `place` with the run's data in it; the folder in which its command is typed."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(tree(told, trees), place, ignore=shutil.ignore_patterns(".git"))
    for row in run.get("data", ()):
        arguments = dict(row)
        make, path = maker(arguments.pop("maker")), place / arguments.pop("path")
        path.parent.mkdir(parents=True, exist_ok=True)
        make(path, **arguments)
    return place / run.get("folder", ".")


def run_command(command, folder, environment, seconds):
    """{exit code, None if it was stopped; lines as [seconds since the start, text]; peak memory in MB; seconds} of a process."""
    begin = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    os.set_blocking(process.stdout.fileno(), False)
    lines, rest, stopped = [], b"", False
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            left = seconds - (time.monotonic() - begin)
            if left <= 0:
                stopped = True
                os.killpg(process.pid, 9)
                break
            if not selector.select(timeout=left):
                continue
            data = process.stdout.read(65536)
            if data == b"":
                break
            now = round(time.monotonic() - begin, 2)
            *whole, rest = (rest + (data or b"")).replace(b"\r", b"\n").split(b"\n")
            lines += [[now, line.decode("utf-8", "replace")] for line in whole]
    if rest:
        lines.append([round(time.monotonic() - begin, 2), rest.decode("utf-8", "replace")])
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    return {
        "code": None if stopped else process.returncode,
        "lines": lines,
        "memory": used.ru_maxrss // 1024,
        "seconds": round(time.monotonic() - begin, 1),
    }


def judged(run, done):
    """What a run's output says: numbers, when they were printed, what is missing, the error."""
    text = "\n".join(line for _, line in done["lines"])
    row = {k: done[k] for k in ("code", "memory", "seconds")}
    if "numbers" in run:
        found = [(at, float(m)) for at, line in done["lines"] for m in re.findall(run["numbers"], line)]
        row["numbers"] = [value for _, value in found[:COMPARED]]
        row["last"] = found[-1][1] if found else None
        times = [at for at, _ in found]
        if times:
            row["first_at"] = times[0]
        if len(times) > 2:
            row["later"] = round((times[-1] - times[1]) / (len(times) - 2), 3)
    missing = [p for p in run.get("expect", ()) if not re.search(p, text)]
    for pattern, sign, bound in run.get("reach", ()):
        values = [float(m) for m in re.findall(pattern, text)]
        if not values or not (values[-1] < bound if sign == "<" else values[-1] > bound):
            missing.append(f"{pattern} {sign} {bound}, got {values[-1] if values else None}")
    row["missing"] = missing
    if done["code"] != 0:
        errors = [line for _, line in done["lines"] if re.match(r"(\w+\.)*\w*(Error|Exception|Interrupt|Exit)\b", line)]
        last = [line for _, line in done["lines"] if line.strip()][-1:]
        own = re.compile(r"(?<![\w.])/[\w./+-]+/(?=[\w.+-]+)")  # no path of this machine
        row["error"] = own.sub("", (errors or last or [""])[-1])[:300]
    row["good"] = not missing and (
        done["code"] == 0 or (done["code"] is None and bool(run.get("expect") or run.get("reach")))
    )
    return row


def difference(one, other):
    """The largest difference of two runs' numbers, relative to the larger of 1 and their size; None where one has none."""
    pairs = list(zip(one.get("numbers", ()), other.get("numbers", ()), strict=False))
    same = [a == b or (a != a and b != b) for a, b in pairs]
    return max(
        (0.0 if s else abs(a - b) / max(1.0, abs(a)) for s, (a, b) in zip(same, pairs, strict=True)), default=None
    )


def environment_of(side, run, root, trees):
    """The variables of a run whose checkout is at `root`."""
    chosen = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "MSJAX_PROJECT_STILL")}
    chosen |= {"PYTHONUNBUFFERED": "1", "MPLBACKEND": "Agg", "JAX_PLATFORMS": "cpu", "GLOG_v": "3"}
    paths = [str(root / p) for p in run.get("paths", ())] + [str(checkout(r, trees)) for r in run.get("beside", ())]
    chosen["PYTHONPATH"] = os.pathsep.join([*([str(ROOT)] if side == "here" else []), *paths])
    chosen |= run.get("environment", {})
    if run.get("still"):
        chosen["MSJAX_PROJECT_STILL"] = "1"
    return chosen


def run_project(name, told, given):
    """The rows of a manifest's runs."""
    rows = []
    for index, run in enumerate(told["run"]):
        place = given.scratch / f"{name}-{index}"
        shutil.rmtree(place, ignore_errors=True)
        row = {
            "command": run["command"],
            "date": datetime.date.today().isoformat(),
            "asked": asked(told, run),
            "tree": this_tree(),
        }
        sides = [("there", given.mindspore_python)] if given.mindspore_python and run.get("there", True) is True else []
        for side, python in [*sides, ("here", sys.executable)]:
            folder = prepared(told, run, given.trees, place / side)
            start = [python, str(ROOT / "tools" / "project_start.py"), side, str(place / "weights")]
            minutes = run.get("minutes", 10) * given.slow
            done = run_command(
                [*start, *shlex.split(run["command"])],
                folder,
                environment_of(side, run, place / side, given.trees),
                60 * minutes,
            )
            (place / f"{side}.log").write_text("".join(f"{at:8.2f} {line}\n" for at, line in done["lines"]))
            row[side] = judged(run, done)
            print(f"{name} {index} {side}: {json.dumps(row[side])}", flush=True)
        if "there" in row:
            row["difference"] = difference(row["there"], row["here"])
            print(f"{name} {index}: difference {row['difference']}", flush=True)
        rows.append(row)
    return rows


def asked(told, run):
    """What a run asks, in short: a result of another commit, command or condition is not its result."""
    run = {key: value for key, value in run.items() if key != "cause"}
    text = json.dumps([told["repository"], told["commit"], run], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def this_tree():
    """The commit of msjax that runs; with a + where files differ from it, results that this tool wrote aside."""
    asks = ["git", "rev-parse", "--short", "HEAD"], ["git", "status", "--porcelain"]
    commit, changed = (subprocess.run(a, cwd=ROOT, capture_output=True, text=True).stdout for a in asks)
    written = {str(path.relative_to(ROOT)) for path in (KEPT, PAGE)}
    other = [line for line in changed.splitlines() if line[3:] not in written]
    return commit.strip() + ("+" if other else "") or "no checkout"


def stale(told, rows):
    """Why the kept rows of a manifest are not its results, "" if they are."""
    if not rows:
        return "was not run yet"
    if any("asked" not in row for row in rows):
        return "was run from an unfinished tree, before results kept what was asked and by which tree"
    if [row["asked"] for row in rows] != [asked(told, run) for run in told["run"]]:
        return "asks for other runs than those that are kept"
    if any(row["tree"].endswith("+") for row in rows):
        return "was run from a tree with changes that are in no commit"
    return ""


def cause(told, number, row):
    """Why the run of this number is not good here, "" if it is."""
    if row["here"]["good"]:
        return ""
    known = {**told, **dict(enumerate(told["run"])).get(number, {})}.get("cause")
    if known:
        return known
    error = row["here"].get("error", "")
    if error.startswith("ModuleNotFoundError") and "mindspore" not in error:
        return f"package: {error}"
    there = row.get("there", {})
    if there and not there["good"] and there.get("error", "").split(":")[0] == error.split(":")[0] != "":
        return f"MindSpore too: {error}"
    if row["here"]["code"] is None:
        return f"time: stopped after {row['here']['seconds']:.0f} s"
    return f"msjax: {error or '; '.join(row['here']['missing'])}"


def page(kept):
    """docs/projects.md"""
    told = {p.stem: manifest(p) for p in sorted(MANIFESTS.glob("*.toml"))}
    rows = [(n, told[n], i, row) for n in sorted(kept) if n in told for i, row in enumerate(kept[n])]
    old = [(t["repository"], why) for n, t in told.items() if (why := stale(t, kept.get(n)))]
    good = sum(all(r["here"]["good"] for r in kept[n]) for n in kept if n in told)
    beside = [row["difference"] for *_, row in rows if row.get("difference") is not None]
    lines = [
        "# Whole projects",
        "",
        "Public projects, run by their own commands on small data that `tools/project_data.py` makes; no line of them is changed.",
        "`tools/projects/*.toml` tell repository, commit, data, command, and what must be printed and reached; `tools/projects.py` runs them",
        "and makes this page. [Porting](porting.md) says what a person had to do for them.",
        "",
        f"{len(old)} of {len(told)} manifests have no result that counts: [to be run again](#to-be-run-again).",
        "",
        f"{good} of {sum(n in told for n in kept)} projects do here what their manifest asks. {len(beside)} runs were compared with MindSpore 2.10 on",
        f"CPU (same seeds, same weights): the first {COMPARED} numbers that both print differ by less than 1e-4 in {sum(d < 1e-4 for d in beside)} of them",
        f"and by less than 1e-2 in {sum(d < 1e-2 for d in beside)} (relative to the larger of 1 and the number).",
        "",
        "*first* is the second in which the first of these numbers is printed, *later* the seconds between later ones, each MindSpore / here",
        "(on a busy machine of two cores: for orientation only); *MB* the peak memory.",
        "",
        "| project | field | API | command | here | difference | first | later | MB | seen |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for _, t, number, row in rows:
        here, there = row["here"], row.get("there", {})
        link = f"[{t['repository']}](https://github.com/{t['repository']}/tree/{t['commit'][:12]})"
        command = row["command"] if len(row["command"]) < 80 else row["command"][:77] + "..."
        found = row.get("difference")
        beside_ = (
            f"{found:.0e}" if found is not None else "MindSpore: " + there["error"][:60] if there.get("error") else ""
        )
        pairs = [f"{_cell(there.get(k))} / {_cell(here.get(k))}" for k in ("first_at", "later", "memory")]
        outcome = "runs" if here["good"] else "**" + cause(t, number, row).split(":")[0] + "**"
        cells = [
            link,
            t["field"],
            t["api"],
            f"`{command}`".replace("|", "\\|"),
            outcome,
            beside_.replace("|", "\\|"),
            *pairs,
            row["date"],
        ]
        lines.append("| " + " | ".join(cells) + " |")
    if old:
        lines += ["", "## To be run again", "", "What is said above of these is not to be relied on.", ""]
        lines += [f"- {repository} {why}." for repository, why in old]
    failed = [(t, cause(t, number, row)) for _, t, number, row in rows if not row["here"]["good"]]
    if failed:
        lines += ["", "## Why the others do not", ""]
        lines += [f"- {t['repository']}: {why}" for t, why in failed]
    return "\n".join(lines) + "\n"


def _cell(value):
    return "" if value is None else f"{value:g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--scratch", type=pathlib.Path)
    parser.add_argument("--trees", type=pathlib.Path)
    parser.add_argument("--mindspore-python")
    parser.add_argument(
        "--slow", type=float, default=1, help="how many times slower this machine is than two idle cores"
    )
    parser.add_argument("--page", action="store_true", help="only make the page of the results that are kept")
    given = parser.parse_args()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    if not given.page:
        if given.scratch is None:
            parser.error("--scratch: a folder for checkouts and runs")
        given.trees = given.trees or given.scratch / "trees"
        for name in given.names or [p.stem for p in sorted(MANIFESTS.glob("*.toml"))]:
            rows = run_project(name, manifest(MANIFESTS / f"{name}.toml"), given)
            kept = (
                json.loads(KEPT.read_text()) if KEPT.exists() else {}
            )  # another run of this tool may have added to it
            kept[name] = rows
            KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    PAGE.write_text(page(kept))


if __name__ == "__main__":
    main()
