"""Which names and keywords of public projects are not served, and why: writes docs/coverage.md.

    python tools/coverage_page.py PROJECTS.json.gz [--mindspore-python PYTHON]

PROJECTS: {project: {"names": [...], "imports": [...], "kw": {name: [keywords]}}} as a scan of their sources gives it. With PYTHON, in
which MindSpore 2.10 is installed, the page says which of the names MindSpore itself has.
"""

import argparse
import collections
import datetime
import gzip
import importlib
import inspect
import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "coverage.md"


def meanings(name, known):
    """All that a dotted name can mean: a member, a module of that path, or both (`mindspore.common.tensor`)."""
    if name not in known:
        above, _, last = name.rpartition(".")
        found = (
            [getattr(a, last) for a in meanings(above, known) if getattr(a, last, None) is not None] if above else []
        )
        try:
            module = importlib.import_module(name)
        except Exception:
            module = None
        if module is not None and not any(module is f for f in found):
            found.append(module)
        known[name] = found
    return known[name]


def find(name, known):
    """What a dotted name means, or None."""
    return next(iter(meanings(name, known)), None)


def takes(target, keyword):
    """Whether a function or class has a parameter of that name."""
    try:
        parameters = inspect.signature(target.__init__ if inspect.isclass(target) else target).parameters
    except (TypeError, ValueError):
        return True
    return keyword in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def lacking(projects):
    """(served, served with keywords, {name: projects}, {"name(keyword=)": projects}) of the MindSpore that is imported."""
    known, names, keywords, served, whole = {}, collections.Counter(), collections.Counter(), 0, 0
    for project in projects.values():
        wanted = {n for n in [*project["names"], *project["imports"]] if n.startswith("mindspore")}
        missing = [n for n in wanted if find(n, known) is None]
        refused = [
            f"{name}({keyword}=)"
            for name, used in project["kw"].items()
            if (target := find(name, known)) is not None
            for keyword in used
            if keyword != "**" and not takes(target, keyword)
        ]
        names.update(missing)
        keywords.update(refused)
        served += not missing
        whole += not missing and not refused
    return served, whole, names, keywords


def reason(name):
    """What the message of the missing name says instead of it."""
    above, _, last = name.rpartition(".")
    try:
        getattr(importlib.import_module(above), last)
    except Exception as error:
        told = re.sub(r"^.*?has no attribute '\w+'[.;]?|A missing operator can be.*$", "", str(error)).strip(" .")
        return told or "a name of another framework"
    return "there, but None"


def page(projects, here, there):
    """docs/coverage.md"""
    served, whole, names, keywords = here
    count = len(projects)
    lines = [
        "# Names and keywords of public projects",
        "",
        f"Of {count} public projects written for MindSpore {served} ({100 * served / count:.1f} %) find every name that they use, and",
        f"{whole} ({100 * whole / count:.1f} %) every keyword, too, by its signature. Made by `tools/coverage_page.py` on",
        f"{datetime.date.today().isoformat()}; nothing of a project is run.",
    ]
    if there:
        lines += [
            f"MindSpore 2.10 serves {there['served']} ({100 * there['served'] / count:.1f} %) and {there['whole']} "
            f"({100 * there['whole'] / count:.1f} %)."
        ]
    lines += [
        "",
        "## Names that are not served",
        "",
        "MindSpore 2.10 has none of them, unless the last column says so: they are names of PyTorch or NumPy under MindSpore's, or",
        "misspelled. They stay missing, since libraries tell the two apart by them; the message of each says what there is instead.",
        "",
        "| name | projects | what the message says | MindSpore 2.10 |",
        "|---|---|---|---|",
    ]
    for name, projects_of_it in sorted(names.items(), key=lambda item: (-item[1], item[0])):
        known = "" if not there else "no" if name in there["names"] else "yes"
        lines.append(f"| `{name}` | {projects_of_it} | {reason(name)} | {known} |")
    lines += [
        "",
        "## Keywords that no signature shows",
        "",
        "Signatures hold every keyword that is taken: those of MindSpore 0.7 to 2.0 and the names that a parameter has in other",
        "spellings of the operator, too. What is left is another framework's (`bias` for `has_bias`) or misspelled, and is refused, as",
        "every MindSpore refuses it.",
        "",
        "| keyword | projects | MindSpore 2.10 takes it |",
        "|---|---|---|",
    ]
    for keyword, projects_of_it in sorted(keywords.items(), key=lambda item: (-item[1], item[0])):
        name = keyword.split("(")[0]
        known = (
            ""
            if not there
            else "no name"
            if name in there["names"]
            else "no"
            if keyword in there["keywords"]
            else "yes"
        )
        lines.append(f"| `{keyword}` | {projects_of_it} | {known} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects")
    parser.add_argument("--mindspore-python")
    parser.add_argument(
        "--mindspore", action="store_true", help=argparse.SUPPRESS
    )  # the second process: print what it lacks
    given = parser.parse_args()
    with gzip.open(given.projects, "rt") as file:
        projects = json.load(file)
    if given.mindspore:
        served, whole, names, keywords = lacking(projects)
        print("\n" + json.dumps({"served": served, "whole": whole, "names": list(names), "keywords": list(keywords)}))
        return
    import msjax

    msjax.install()
    there = None
    if given.mindspore_python:
        command = [given.mindspore_python, __file__, given.projects, "--mindspore"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        there = json.loads(done.stdout.strip().split("\n")[-1])
    PAGE.write_text(page(projects, lacking(projects), there))


if __name__ == "__main__":
    sys.exit(main())
