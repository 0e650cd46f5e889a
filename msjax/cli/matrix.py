"""Writes compat_matrix.md: every public name of MindSpore, and how msjax serves it.

python -m msjax matrix [--check] [FILE]
"""

import argparse
import collections
import functools
import json
import pathlib
import re

from msjax.core.operators import record as registry

from ..core.spec import texts
from .deviations import TOPICS
from .inventory import inventory, resolve, status
from .source_tree import ROOT, need

_TABLES = (
    ("ops.", registry.functions),
    ("ops.", registry.primitives),
    ("Tensor.", registry.tensor_methods),
    ("mint.", registry.mint_functions),
    ("numpy.", registry.numpy_functions),
)
_INTRO = """# What of MindSpore this msjax has

Made by `python -m msjax matrix` from the operator records and the list of MindSpore {version}'s public names; a test
compares. It runs on JAX's devices; what was run is CPU.

- *supported*: the name is there and takes MindSpore's parameters. *partial*: with the reason. *missing*: not there.
- *faces*: the other spellings of the same operator.
- *tested*: "golden": values recorded from MindSpore under this very name are compared ({golden} names); "shape": dtypes and shapes of random
numbers are; "error": only the type of an exception; "named": the name stands in another test. Made by `tests/goldens/touched.py`.
- *GPU, TPU*: what lowers for them, as it was found by lowering a case of each name, forward and backward, in float32 and in float16 or
bfloat16 (`tests/lowering.py`; nothing was run there): {lowered} operators and layers. *compiled*: forward and backward, in both types, also by the
compiler of v5e: {compiled}. Otherwise why not; a blank was not looked at.
- A second name of the same object is not listed again.
"""


def _tested():
    """{name below mindspore: "golden", "shape" or "error"}, recorded by tests/goldens/touched.py."""
    return json.loads((pathlib.Path(__file__).parent / "tested.json").read_text(encoding="utf-8"))


def _words():
    """The identifiers of the tests."""
    text = "\n".join(p.read_text(encoding="utf-8") for p in sorted((ROOT / "tests").rglob("test_*.py")))
    return frozenset(re.findall(r"[A-Za-z_]\w*", text))


@functools.cache
def spellings():
    """{name below mindspore: other spellings of its record}"""
    spelled = collections.defaultdict(list)
    for prefix, table in _TABLES:
        for name, (record, _) in table.items():
            spelled[record.name].append(prefix + name)
    return {name: [n for n in names if n != name] for names in spelled.values() for name in names}


@functools.cache
def _recorded(name):
    return json.loads((pathlib.Path(__file__).parent / name).read_text(encoding="utf-8"))


def _lowered():
    """{record or layer: {platform: why it does not lower}}, recorded by tests/lowering.py."""
    return texts.lowered()


def _compiled():
    """{record or layer: why the compiler of v5e refuses it, or None}, recorded by tests/lowering.py."""
    return _recorded("compiled.json")


@functools.cache
def _records():
    """{name below mindspore: its record's name}"""
    return {prefix + name: record.name for prefix, table in _TABLES for name, (record, _) in table.items()}


def _devices(lowered, compiled, name):
    """Text of the column for GPU and TPU."""
    why, shown = lowered.get(name), []
    if why is not None:
        shown = [title if p not in why else f"{title}: {why[p]}" for p, title in (("cuda", "GPU"), ("tpu", "TPU"))]
    if name in compiled:
        refused = compiled[name]
        shown = [*shown[:1], f"TPU: its compiler refuses: {refused}" if refused else "TPU compiled"]
    return "; ".join(shown)


def devices_of(name: str):
    """The devices (GPU, TPU) that a name, written without `mindspore.`, lowers for, as text; "" if the name was not
    tested.
    """
    return _devices(_lowered(), _compiled(), _records().get(name, name))


def _rows():
    """{section: [(name, status, reason, faces, tested, devices)]}"""
    tested_as, named = _tested(), _words()
    faces, records, lowered, compiled = spellings(), _records(), _lowered(), _compiled()
    sections = collections.defaultdict(list)
    data = inventory()

    def add(section, path, wanted):
        name = path.removeprefix("mindspore.")
        state, reason = status(path, wanted)
        leaf = name.rsplit(".", 1)[-1]
        tested = "" if state == "missing" else tested_as.get(name, "named" if leaf in named else "")
        devices = _devices(lowered, compiled, records.get(name, name)) if state != "missing" else ""
        sections[section].append((name, state, reason, " ".join(faces.get(name, ())), tested, devices))

    for module, names in sorted(data["modules"].items()):
        for name, (alias, wanted, members) in sorted(names.items()):
            if alias:
                if (
                    alias.startswith("mindspore.")
                    and alias.rpartition(".")[0] in data["modules"]
                    and resolve(f"{module}.{name}") is not None
                ):
                    continue  # the same object, listed under its own name
                add(module, f"{module}.{name}", "")
                continue
            add(module, f"{module}.{name}", wanted)
            for member in members:
                add(f"{module}.{name}" if name == "Tensor" else module, f"{module}.{name}.{member}", "")
    for path in sorted(data["old"]):
        add("names of 1.x and inner names in use", path, "")
    return sections


def render():
    """The text of compat_matrix.md."""
    sections = _rows()
    lines = [
        _INTRO.format(
            version=inventory()["version"],
            lowered=sum(not why for why in _lowered().values()),
            compiled=sum(not why for why in _compiled().values()),
            golden=sum(state == "golden" for state in _tested().values()),
        ),
        "| section | names | supported | partial | missing |",
        "|---|---:|---:|---:|---:|",
    ]
    total = collections.Counter()
    for section, rows in sections.items():
        count = collections.Counter(state for _, state, *_ in rows)
        total.update(count)
        lines.append(f"| {section} | {len(rows)} | {count['supported']} | {count['partial']} | {count['missing']} |")
    lines.append(
        f"| **all** | {sum(total.values())} | {total['supported']} | {total['partial']} | {total['missing']} |"
    )
    lines += ["", "## Deviations"]
    for topic, rows in TOPICS.items():
        lines += ["", f"### {topic}", "", "| what | MindSpore | here |", "|---|---|---|"]
        lines += [f"| {_cell(what)} | {_cell(there)} | {_cell(here)} |" for what, there, here in rows]
    for section, rows in sections.items():
        lines += ["", f"## {section}", "", "| name | status | faces | tested | GPU, TPU |", "|---|---|---|---|---|"]
        for name, state, reason, faces, tested, devices in rows:
            lines.append(
                f"| {name} | {state}{': ' + _cell(reason) if reason else ''} | {faces} | {tested} | {devices} |"
            )
    return "\n".join(lines) + "\n"


def _cell(text):
    return text.replace("|", "\\|")


def main(argv: list[str] | None):
    """Write compat_matrix.md, or with `--check` compare it; the exit code is 1 if it differs."""
    parser = argparse.ArgumentParser(prog="msjax matrix", description="Write the table of supported names.")
    parser.add_argument("file", nargs="?", default=str(ROOT / "compat_matrix.md"))
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    given = parser.parse_args(argv)
    need(parser)
    from msjax import install  # from here on `import mindspore` means msjax

    install()
    text, path = render(), pathlib.Path(given.file)
    if not given.check:
        path.write_text(text, encoding="utf-8")
        return 0
    same = path.exists() and path.read_text(encoding="utf-8") == text
    if not same:
        print(f"{path} is out of date: python -m msjax matrix")
    return 0 if same else 1
