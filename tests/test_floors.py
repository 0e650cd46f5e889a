"""Imports go downwards only: each room of the package has a floor and imports from the floors below it."""

import ast
import pathlib
import re

import pytest

import msjax

PACKAGE = pathlib.Path(msjax.__file__).parent

FLOORS = {
    room: floor
    for floor, rooms in enumerate(
        (
            ("log", "multiprocessing"),
            ("alias",),
            ("core",),
            ("dataset", "mindrecord"),
            ("unsupported",),
            ("ops",),
            ("parallel",),
            ("nn",),
            ("mint", "numpy", "scipy", "experimental", "rewrite"),
            ("train",),
            ("utils",),
            ("__init__",),
            ("cli",),
            ("__main__",),
        )
    )
    for room in rooms
}


def imported(path):
    """(line, dotted name) of all that a file imports from the package; a `from` import names the imported thing too."""
    module = ("msjax", *path.relative_to(PACKAGE).with_suffix("").parts)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(module[: -node.level]) if node.level else ""
            base = ".".join(part for part in (base, node.module) if part)
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def room(name):
    """The room of a dotted name: "core" for "msjax.core.operators.record"; "__init__" for the package itself."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in FLOORS else "__init__"


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_downwards(path):
    own = path.relative_to(PACKAGE).with_suffix("").parts[0]
    assert own in FLOORS, f"give the room {own!r} a floor"
    wrong = []
    for line, name in imported(path):
        if name.split(".")[0] != "msjax" or room(name) == own:
            continue
        floor, other = FLOORS[own], FLOORS[room(name)]
        private = any(part.startswith("_") and not part.startswith("__") for part in name.split("."))
        if other > floor or (other == floor and private):
            wrong.append(f"line {line}: {name} ({room(name)} is on floor {other}, {own} on floor {floor})")
    assert wrong == []


def test_the_checker_sees_every_form_of_import(tmp_path, monkeypatch):
    monkeypatch.setattr("test_floors.PACKAGE", tmp_path)
    (tmp_path / "core").mkdir()
    file = tmp_path / "core" / "x.py"
    file.write_text(
        "import msjax.nn.cell.cell as c\nfrom ..train import Model\nfrom .operators import record\nfrom .. import _y\n"
        "def f():\n    from msjax import ops\n"
    )
    names = [name for _, name in imported(file)]
    assert names == ["msjax.nn.cell.cell", "msjax.train.Model", "msjax.core.operators.record", "msjax._y", "msjax.ops"]


def test_the_slot_of_a_tensor_is_cores_own():
    """Elsewhere the array of a Tensor is `jax_array`."""
    files = [p for p in PACKAGE.rglob("*.py") if p.relative_to(PACKAGE).parts[0] != "core"]
    assert [str(p) for p in files if re.search(r"\._data\b", p.read_text())] == []
