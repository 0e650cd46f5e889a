"""What is claimed of msjax, the figure, and the command that shows it: writes docs/status.md, and the figures that README quotes.

    python tools/status_page.py [--check]

Each figure is read from a file that its command writes; nothing is run here. `--check` compares instead of writing.
"""

import argparse
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE, README = ROOT / "docs" / "status.md", ROOT / "README.md"
_BEGIN, _END = "<!-- status: made by tools/status_page.py -->", "<!-- end of status -->"


def _text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def _found(pattern, path):
    found = re.search(pattern, _text(path), re.DOTALL)
    if found is None:
        raise ValueError(f"{path} has no '{pattern}'.")
    return found.groups()


def _matrix():
    total, supported, partial, missing = _found(
        r"\| \*\*all\*\* \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", "compat_matrix.md"
    )
    return f"{int(supported):,} of {int(total):,} ({partial} in part, {missing} missing)", "as of this tree"


def _good_of(path):
    """The figure of a file of {operator or layer: why not, or nothing}."""
    table = json.loads(_text(path))
    return f"{sum(not why for why in table.values()):,} of {len(table):,}"


def _lowering():
    return _good_of("msjax/cli/lowering.json"), "as of this tree"


def _compiled():
    return _good_of("msjax/cli/compiled.json"), "2026-11-23 to 2026-11-29"


def _conformance():
    date, rate, count = _found(r"run on msjax, (.*?), on CPU.*?\*\*([\d.]+ %)\*\* of (\d+)", "docs/conformance.md")
    return f"{rate} of {int(count):,}", date


def _coverage():
    count, names, _, keywords, date = _found(
        r"Of (\d+) public projects written for MindSpore \d+ \(([\d.]+ %)\).*?(\d+) \(([\d.]+ %)\) every keyword.*?on\s(\S+);",
        "docs/coverage.md",
    )
    return f"{names} of {count} find every name, {keywords} every keyword", date


def _toolkits():
    imports = json.loads(_text("docs/toolkits.json"))["imports"].values()
    whole = sum(row["imported"] == row["modules"] for row in imports)
    foreign = sum(row["imported"] + row["foreign"] == row["modules"] for row in imports) - whole
    dates = sorted(row["date"] for row in imports)
    return (
        f"{whole} of {len(imports)} whole, {foreign} more but for modules that need a package which is not there",
        f"{dates[0]} to {dates[-1]}",
    )


def _models():
    trained = json.loads(_text("docs/toolkits.json"))["trained"]
    return f"{sum(map(len, trained.values())):,} models of {len(trained)} toolkits", "see the page"


# (what is claimed, where its figure comes from, the command that shows it, the page with the details)
CLAIMS = (
    (
        "Names of MindSpore 2.10, and older ones in use, that are there with their parameters",
        _matrix,
        "python -m msjax matrix --check",
        "compat_matrix.md",
    ),
    (
        "Documented examples of MindSpore that give the documented output",
        _conformance,
        "python -m msjax conformance --wheel WHEEL",
        "docs/conformance.md",
    ),
    (
        "Public projects whose names are served (by their sources; nothing is run)",
        _coverage,
        "python tools/coverage_page.py PROJECTS.json.gz",
        "docs/coverage.md",
    ),
    ("Toolkits of which every module is imported", _toolkits, "python tools/toolkits.py", "docs/toolkits.md"),
    (
        "Models of toolkits trained a few steps beside MindSpore or PyTorch",
        _models,
        "python tools/toolkits.py --train",
        "docs/toolkits.md",
    ),
    (
        "Operators and layers that lower for GPU and TPU (nothing was run there)",
        _lowering,
        "MSJAX_TEST_LOWERING=1 python -m pytest tests/core/test_lowering.py",
        "compat_matrix.md",
    ),
    (
        "Operators and layers that the compiler of a TPU v5e takes, forward and backward (nothing was run there)",
        _compiled,
        "python tests/lowering.py --compile v5e 0 1 FILE",
        "compat_matrix.md",
    ),
)


def rows():
    """(claim, figure, date, command, page)"""
    return [(claim, *figure(), command, page) for claim, figure, command, page in CLAIMS]


def page():
    """The text of docs/status.md."""
    lines = [
        "# Status",
        "",
        "What is claimed of msjax, and the command that shows it. Made by `python tools/status_page.py` from the files that these commands write; "
        "they run in the source tree.",
        "Everything was run on CPUs; no GPU and no TPU has run msjax yet.",
        "",
        "| claim | figure | when | command | details |",
        "|---|---|---|---|---|",
    ]
    for claim, figure, date, command, details in rows():
        shown = (
            f"[{pathlib.Path(details).stem}]({pathlib.Path(details).name})"
            if details.startswith("docs/")
            else f"`{details}`"
        )
        lines.append(f"| {claim} | {figure} | {date} | `{command}` | {shown} |")
    return "\n".join(lines) + "\n"


def quoted():
    """README with its figures."""
    before, _, rest = _text("README.md").partition(_BEGIN)
    _, found, after = rest.partition(_END)
    if not found:
        raise ValueError(f"README.md has no lines {_BEGIN} and {_END}.")
    lines = ["", "| | |", "|---|---|", *(f"| {claim} | {figure} |" for claim, figure, *_ in rows()), ""]
    return before + _BEGIN + "\n".join(lines) + _END + after


def main(argv=None):
    """Write the page and README's figures, or compare them; the exit code is 1 where they differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    wanted = {PAGE: page(), README: quoted()}
    if not parser.parse_args(argv).check:
        for path, text in wanted.items():
            path.write_text(text, encoding="utf-8")
        return 0
    stale = [str(p) for p, text in wanted.items() if not p.exists() or p.read_text(encoding="utf-8") != text]
    if stale:
        print(f"out of date: {', '.join(stale)}: python tools/status_page.py")
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
