"""Imports go downwards only: each room of the package has a floor and imports from the floors below it."""

import ast
import functools
import pathlib
import re

import pytest

import msjax

PACKAGE = pathlib.Path(msjax.__file__).parent

FLOORS = {
    room: floor
    for floor, rooms in enumerate(
        (
            ("log", "multiprocessing", "files", "huge_pages"),
            ("alias",),
            ("core",),
            ("dataset", "mindrecord"),
            ("unsupported", "optim", "inner"),
            ("ops",),
            ("parallel",),
            ("nn",),
            ("mint", "numpy", "scipy", "experimental", "rewrite"),
            ("train",),
            ("hyper_parallel",),
            ("generation",),
            ("serving",),
            ("utils",),
            ("planning",),
            ("__init__",),
            ("cli",),
            ("__main__",),
        )
    )
    for room in rooms
}


@functools.cache
def imported(path, for_types=True):
    """(line, dotted name) of all that a file imports from the package; a `from` import names the imported thing too."""
    return list(_imported(path, for_types))


def _imported(path, for_types):
    module = ("msjax", *path.relative_to(PACKAGE).with_suffix("").parts)
    tree = ast.parse(path.read_text())
    if not for_types:  # what stands under `if TYPE_CHECKING:` is read by checkers and never runs
        tree.body = [n for n in tree.body if not (isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING")]
    for node in ast.walk(tree):
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


def test_the_page_for_contributors_names_the_rooms_from_the_top_down():
    text = (PACKAGE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text[text.index("| floor |") : text.index("`core` has floors")]
    named = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in table.splitlines() if line.startswith("| `")]
    rooms = [room for row in named for room in row]
    assert {*rooms, "huge_pages", "log", "multiprocessing", "__init__", "__main__"} == set(FLOORS)
    assert [FLOORS[room] for room in rooms] == sorted((FLOORS[room] for room in rooms), reverse=True)


# The floors of the engine.
CORE = {
    room: floor
    for floor, rooms in enumerate(
        (
            ("",),  # the files of `core` itself
            ("program",),
            ("settings",),  # and the state of what runs
            ("values",),
            ("spec",),
            ("operators",),
            ("trace",),
            ("grad",),
        )
    )
    for room in rooms
}


def room_in_core(name):
    """The entry of CORE for a dotted name below `msjax.core`: "settings", "values", ""."""
    parts = name.split(".")[2:]
    return parts[0] if parts and parts[0] in CORE else ""


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "core").rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_imports_in_core_go_downwards(path):
    own = room_in_core(".".join(("msjax", *path.relative_to(PACKAGE).with_suffix("").parts)))
    assert path.parent == PACKAGE / "core" or own, f"give the room {path.parent.name!r} a floor"
    wrong = [
        f"line {line}: {name}"
        for line, name in imported(path)
        if name.startswith("msjax.core.") and CORE[room_in_core(name)] > CORE[own]
    ]
    assert wrong == []


def test_the_rooms_of_core_are_told_apart():
    names = ("values.tensor.Tensor", "operators.record", "compat.Tracer", "settings")
    assert [room_in_core(f"msjax.core.{name}") for name in names] == ["values", "operators", "", "settings"]


def modules():
    """{dotted name: file} of all modules of the package."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = ("msjax", *path.relative_to(PACKAGE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def test_no_modules_import_each_other_in_a_circle():
    files = modules()

    def below(module):
        for _, name in imported(files[module], for_types=False):
            while name and name not in files:
                name = name.rpartition(".")[0]
            # A package that imports its own modules, and they what stands in it before, is Python's way; so is the package above.
            if name and name != module and not module.startswith(f"{name}."):
                yield name

    graph = {module: set(below(module)) for module in files}
    while leaves := [module for module, names in graph.items() if not names & graph.keys()]:
        for module in leaves:
            del graph[module]
    assert {module: sorted(names & graph.keys()) for module, names in graph.items()} == {}


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


def test_only_one_file_names_what_is_private_in_jax():
    """What is not public moves without a word: `core/compat.py` says why it is needed, and what happens when it is gone."""
    files = [p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "core" / "compat.py"]
    assert [str(p) for p in files if re.search(r"\bjax\._src|(import|from) jaxlib", p.read_text())] == []


LONGEST = 600


def _is_table(path):
    """Whether a file is data in the form of Python: assignments of literals, without a function or class."""
    tree = ast.parse(path.read_text())
    logic = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.For, ast.While, ast.With)
    return not any(isinstance(node, logic) for node in ast.walk(tree))


def _is_generated(path):
    return path.suffix == ".pyi" or "generated by" in path.read_text()[:200].lower()


def _stands_alone(path):
    """Whether a file says that it is copied to where the package is not, and keeps to it."""
    tree = ast.parse(path.read_text())
    own = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.level]
    return "stands alone" in (ast.get_docstring(tree) or "") and not own


def _too_long(folder):
    return [
        f"{path.relative_to(folder.parent)}: {count} lines"
        for path in sorted(folder.rglob("*.py"))
        if (count := len(path.read_text().splitlines())) > LONGEST
        and not (_is_generated(path) or _is_table(path) or _stands_alone(path))
    ]


@pytest.mark.parametrize("folder", [PACKAGE, PACKAGE.parent / "tools"], ids=lambda folder: folder.name)
def test_a_file_is_one_idea(folder):
    """A file that grows over the bound holds two ideas: cut it where they meet, and let the names say which is which."""
    assert _too_long(folder) == []


def test_the_bound_on_files_spares_tables_and_what_is_generated_alone(tmp_path):
    rows = "".join(f"    {i}: 'row',\n" for i in range(LONGEST))
    for name, text in {
        "table": f"ROWS = {{\n{rows}}}\n",
        "generated": '"""Generated by a script."""\n' + "def f(): pass\n" * LONGEST,
        "logic": f"ROWS = {{\n{rows}}}\ndef f(): pass\n",
        "short": "def f(): pass\n" * LONGEST,
    }.items():
        (tmp_path / f"{name}.py").write_text(text)
    assert _too_long(tmp_path) == [f"{tmp_path.name}/logic.py: {LONGEST + 3} lines"]


TESTS = pathlib.Path(__file__).parent


def _can_fail(test):
    """Whether a test function asserts, expects an exception or a warning, or calls something whose name says that it does."""
    for node in ast.walk(test):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            if name.startswith(("assert", "check")) or name in ("raises", "warns", "fail"):
                return True
    return False


@pytest.mark.parametrize("path", sorted(TESTS.rglob("test_*.py")), ids=lambda path: str(path.relative_to(TESTS)))
def test_every_test_says_what_it_expects(path):
    tests = [
        n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.FunctionDef) and n.name[:5] == "test_"
    ]
    assert [test.name for test in tests if not _can_fail(test)] == []


def _annotated_by_its_class(path):
    """(class, name) of annotations of methods that name another method: Python 3.14 reads them late, and finds the method."""
    for owner in ast.walk(ast.parse(path.read_text())):
        if isinstance(owner, ast.ClassDef):
            methods = [n for n in owner.body if isinstance(n, ast.FunctionDef)]
            arguments = [a for m in methods for a in ast.walk(m.args) if isinstance(a, ast.arg)]
            for annotation in filter(None, [*(a.annotation for a in arguments), *(m.returns for m in methods)]):
                named = {n.id for n in ast.walk(annotation) if isinstance(n, ast.Name)}
                yield from ((owner.name, name) for name in named & {m.name for m in methods})


def test_no_annotation_means_a_method_where_it_is_read_late():
    assert {str(p): found for p in PACKAGE.rglob("*.py") if (found := list(_annotated_by_its_class(p)))} == {}
