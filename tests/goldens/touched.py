"""Which names of MindSpore have a recorded value that the tests compare: writes msjax/cli/tested.json, which compat_matrix.md shows.

    python tests/goldens/touched.py [--check]

A name counts only under the very spelling that a case uses: `ops.sum` says nothing of `Tensor.sum`. It is "golden" where values were
recorded and are compared; "shape" where only dtypes and shapes are (random numbers); "error" where only the type of an exception is. A case that
MindSpore's CPU build lacks the kernel for, or that was recorded from another name of the same definition, does not count.
"""

import argparse
import importlib
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TESTS, FILE = HERE.parent, HERE.parents[1] / "msjax" / "cli" / "tested.json"
_ALIASES = {
    "ops": "ops", "nn": "nn", "mint": "mint", "mnp": "numpy", "msp": "scipy", "ms": "", "Tensor": "Tensor", "F": "mint.nn.functional",
    "G": "ops.operations._grad_ops", "A": "ops.auto_generate", "vision": "dataset.vision", "audio": "dataset.audio",
    "text": "dataset.text", "transforms": "dataset.transforms", "ds": "dataset", "train": "train",
}  # fmt: skip
_DOTTED = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\.((?:\w+\.)*\w+)")
# Recorded values whose keys are the expressions of their cases: file, sections with values (None: all lines), and the package that bare names are of.
_EXPRESSIONS = (
    ("audio", ("outputs", "functions"), "dataset.audio"),
    ("text", ("values", "expressions"), "dataset.text"),
    ("vision", ("outputs",), "dataset.vision"),
    ("numpy", None, "numpy"),
    ("optim", None, "nn"),
    ("schedules", ("values",), "nn"),
    ("metrics", None, "train"),
)
# Code whose results are recorded as a whole.
_CODE = (
    "goldens/dataset_engine_cases.py", "goldens/source_formats_text.py", "goldens/source_formats_vision.py",
)  # fmt: skip
_WORDS = {"golden": 0, "shape": 1, "error": 2}


def _paths(text, aliases=_ALIASES):
    """The dotted names below `mindspore` that a piece of code spells."""
    for root, rest in _DOTTED.findall(text):
        if root in aliases:
            yield ".".join(part for part in (aliases[root], rest) if part)


def _spelled(case):
    """Names that a case of a table spells: the one that its expression is of, or all that its function mentions."""
    if isinstance(case.expression, str):
        return list(_paths(case.expression))[:1]
    import inspect

    return list(_paths(inspect.getsource(case.expression)))


def _of_record(case, record):
    if "lacks" in record or case.options.get("force") or "like" in case.options:
        return None
    if "error" in record:
        return "error"
    return "shape" if case.options.get("random") else "golden"


def touched():
    """{name below mindspore: "golden", "shape" or "error"}"""
    sys.path[:0] = [str(TESTS), str(HERE)]
    import golden_cases
    import golden_files

    found = {}

    def note(name, state):
        if state is not None and _WORDS[state] <= _WORDS.get(found.get(name), 3):
            found[name] = state

    modules = [f"cases_ops.{name}" for name in golden_cases.table_names()]
    modules += [p.stem for p in sorted(TESTS.glob("cases_layers*.py"))] + ["cases_initializers"]
    for name in modules:
        stem = name.replace("cases_ops.", "ops_").removeprefix("cases_")
        if not (HERE / f"{stem}.jsonl").exists():
            continue
        records = golden_files.read(stem)
        for case in golden_cases.table_of(importlib.import_module(name)):
            if case.id in records:
                for spelled in _spelled(case):
                    note(spelled, _of_record(case, records[case.id]))
    for stem, sections, package in _EXPRESSIONS:
        records = golden_files.read(stem)
        for key in records if sections is None else [key for section in sections for key in records[section]]:
            for spelled in _paths(key, {**_ALIASES, "np": "numpy", "experimental": "experimental.optim"}):
                note(spelled, "golden")
            for word in re.findall(r"[A-Za-z_][A-Za-z0-9]*(?:_[A-Za-z][A-Za-z0-9]*)*", key):
                note(f"{package}.{word}", "golden")
    for file in _CODE:
        for spelled in _paths((TESTS / file).read_text(encoding="utf-8"), {**_ALIASES, "T": "dataset.transforms"}):
            note(spelled, "golden")
    return dict(sorted(found.items()))


def main(argv=None):
    """Write the table, or compare it; the exit code is 1 where it differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    given = parser.parse_args(argv)
    import msjax

    msjax.install()
    from msjax.cli.inventory import inventory

    data = inventory()
    public = {f"{m}.{n}".removeprefix("mindspore.") for m, names in data["modules"].items() for n in names}
    public |= {
        f"{m}.{n}.{x}".removeprefix("mindspore.")
        for m, names in data["modules"].items()
        for n in names
        for x in names[n][2]
    }
    public |= {path.removeprefix("mindspore.") for path in data["old"]}
    text = json.dumps({name: state for name, state in touched().items() if name in public}, indent=0) + "\n"
    if not given.check:
        FILE.write_text(text, encoding="utf-8")
        return 0
    if FILE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{FILE} is out of date: python tests/goldens/touched.py")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
