"""The pages of MindSpore's own tutorials, block by block, on MindSpore and on msjax: docs/tutorials.json, which the board shows.

    python tools/tutorials.py CLONE [--revision REV ...] [--pages TEXT] --mindspore-python PYTHON

CLONE is a git clone of MindSpore's repository of documentation; it is read, and nothing of it is kept but names of pages. A page's blocks of
Python run one after the other, as a reader would run them; a block that can not be compiled is left out. Asked is each block that runs on
MindSpore: it must run here, and print the same, numbers to three digits. Numbers are not compared from where a page draws
any at random; "with numbers" counts the blocks of which they are.
"""

import argparse
import collections
import datetime
import hashlib
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
KEPT = ROOT / "docs" / "tutorials.json"
REVISIONS = ("master", "r2.3.1", "r2.2", "r2.0", "r1.10", "r1.8", "r1.6", "r1.3", "r1.1")
ELSEWHERE = re.compile(
    r"^docs/(?!mindspore/|programming_guide/|note/|faq/)|/api_python|resource/|/install/"
)  # other libraries
FENCED = re.compile(r"^( *)```\s*python\s*\n(.*?)^ *```", re.DOTALL | re.MULTILINE | re.IGNORECASE)
NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?|\bnan\b|\binf\b", re.IGNORECASE)
DRAWN = re.compile(
    r"rand|dropout|shuffle|normal|uniform|initializer|nn\.Dense|nn\.Conv|time\(\)|LeNet|\bimport time\b", re.IGNORECASE
)


def blocks_of(name, text):
    """The blocks of Python of a page of Markdown or a notebook, commands of the shell made comments."""
    found = []
    if name.endswith(".ipynb"):
        for cell in json.loads(text).get("cells", ()):
            content = "".join(cell["source"])
            found += [content] if cell["cell_type"] == "code" else [b for _, b in FENCED.findall(content)]
    else:
        found = ["\n".join(line.removeprefix(indent) for line in b.split("\n")) for indent, b in FENCED.findall(text)]
    found = [re.sub(r"^(\s*)([!%].*)$", r"\1pass  # \2", block, flags=re.MULTILINE).rstrip() for block in found]
    return [block for block in found if block and not block.lstrip().startswith(">>>") and _compiles(block)]


def _compiles(block):
    try:
        compile(block, "block", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def pages(clone, revisions, wanted=""):
    """{name: blocks} of the pages of which a third is new, revision by revision; a translation counts where there is no English page."""

    def git(*args):
        return subprocess.run(
            ["git", "-C", clone, *args], capture_output=True, check=True, text=True, errors="replace"
        ).stdout

    made, seen = {}, set()
    for revision in revisions:
        names = git("ls-tree", "-r", "--name-only", revision).split("\n")
        names = [n for n in names if n.endswith((".md", ".ipynb")) and wanted in n and not ELSEWHERE.search(n)]
        english = {n.replace("source_en", "").rsplit(".", 1)[0] for n in names if "source_en" in n}
        for name in names:
            if "source_en" not in name and (
                "zh_cn" not in name or name.replace("source_zh_cn", "").rsplit(".", 1)[0] in english
            ):
                continue
            blocks = blocks_of(name, git("show", f"{revision}:{name}"))
            keys = [hashlib.sha256(re.sub(r"\s|#.*", "", block).encode()).hexdigest() for block in blocks]
            new = set(keys) - seen
            if any("import" in block for block in blocks) and len(new) >= max(1, len(keys) // 3):
                seen |= new
                made[f"{revision}:{name}"] = blocks
    return made


def verdict(there, here, drawn):
    """None where a block is as on MindSpore, else what is not. there, here: {"error", "printed"}"""
    if here["error"]:
        return here["error"]
    if there["printed"] == here["printed"]:
        return None
    theirs, ours = ([float(n) for n in NUMBER.findall(side["printed"])] for side in (there, here))
    said = [
        re.sub(r"\s|\bmindspore[\w.]*|\bmsjax[\w.]*", "", NUMBER.sub("#", side["printed"])) for side in (there, here)
    ]
    if said[0] != said[1]:
        return None if drawn else _difference(there["printed"].strip(), here["printed"].strip())
    near = all(
        abs(a - b) <= 1e-3 * max(1, abs(a)) or a == b or a != a and b != b for a, b in zip(theirs, ours, strict=True)
    )
    return None if near or drawn else "other numbers"


def _difference(theirs, ours):
    """The first line that is another, without the paths of the machine that ran it."""
    pairs = itertools.zip_longest(theirs.split("\n"), ours.split("\n"), fillvalue="nothing")
    line, own = next((a, b) for a, b in pairs if a != b)
    return "prints other paths" if "/" in line + own else f"prints {own!r:.80} for {line!r:.80}"


def compared(texts, there, here):
    """{"asked", "passed", "with numbers", "by revision", "failures": [[page and block, why]]} of the results of both sides, by page."""
    asked, numbers, failures = collections.Counter(), 0, []
    for page in sorted(there):
        drawn = False
        for i, (block, theirs) in enumerate(zip(texts[page], there[page], strict=False)):
            drawn = drawn or bool(DRAWN.search(block))
            if theirs["error"]:
                continue
            asked[page.split(":")[0]] += 1
            numbers += not drawn and bool(NUMBER.search(theirs["printed"]))
            ours = here.get(page, ())
            why = verdict(theirs, ours[i], drawn) if i < len(ours) else "not reached in time"
            if why:
                failures.append([f"{page}, block {i + 1}", " ".join(why.split())[:200]])
    counts = {"asked": asked.total(), "passed": asked.total() - len(failures), "with numbers": numbers}
    return {**counts, "by revision": asked, "failures": failures}


def run(python, arguments, found, folder, side, seconds):
    """The results of one side, by page."""
    out = pathlib.Path(folder, f"{side}.jsonl")
    told = pathlib.Path(folder, "pages.json")
    told.write_text(json.dumps(found), encoding="utf-8")
    subprocess.run(
        [python, *arguments, ROOT / "tools" / "tutorial_pages.py", told, out, str(seconds)], check=True, cwd=folder
    )
    return {row["page"]: row["blocks"] for row in map(json.loads, out.read_text(encoding="utf-8").splitlines())}


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("clone", help="a git clone of MindSpore's documentation")
    parser.add_argument("--revision", action="append", help=f"branch or commit; without any: {', '.join(REVISIONS)}")
    parser.add_argument("--pages", default="", help="only pages with this text in their path; nothing is kept then")
    parser.add_argument("--mindspore-python", required=True, help="a Python in which MindSpore 2.10 is installed")
    parser.add_argument("--seconds", type=int, default=60, help="for one page")
    given = parser.parse_args(argv)
    found = pages(given.clone, given.revision or REVISIONS, given.pages)
    with tempfile.TemporaryDirectory() as folder:
        there = run(given.mindspore_python, (), found, folder, "there", given.seconds)
        here = run(sys.executable, ("-m", "msjax"), found, folder, "here", given.seconds)
    result = {"date": datetime.date.today().isoformat(), "pages": len(found), **compared(found, there, here)}
    print(f"{result['passed']:,} of {result['asked']:,} blocks of {len(found)} pages are as on MindSpore")
    for what, why in result["failures"]:
        print(f"  {what}: {why}")
    if not given.pages:
        KEPT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
