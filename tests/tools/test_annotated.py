"""Parameters of public functions say their types, in every room of the package."""

import ast
import importlib.util
import pathlib

_spec = importlib.util.spec_from_file_location(
    "annotated", pathlib.Path(__file__).resolve().parents[2] / "tools" / "annotated.py"
)
annotated = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(annotated)


def test_parameters_of_public_functions_are_annotated():
    rooms, missing = annotated.counts()
    below = {
        room: f"{found['annotated']} of {found['all']}"
        for room, found in rooms.items()
        if found["annotated"] < 0.95 * found["all"]
    }
    assert below == {}, missing


def test_what_counts():
    tree = ast.parse(
        "def f(a: int, *, b): ...\ndef _g(c): ...\nclass C:\n    def __init__(self, d): ...\n    @staticmethod\n    def h(e): ...\n"
        "    def _i(self, j): ...\nclass _D:\n    def k(self, m): ...\n"
    )
    assert [(name, arg.arg) for name, arg in annotated.parameters(tree)] == [
        ("f", "a"), ("f", "b"), ("C.__init__", "d"), ("C.h", "e"),
    ]  # fmt: skip


def test_defaults_are_of_the_types_that_are_annotated():
    found = {
        str(path.relative_to(annotated.PACKAGE)): list(annotated.misfits(ast.parse(path.read_text(encoding="utf-8"))))
        for path in annotated.PACKAGE.rglob("*.py")
    }
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_what_fits():
    tree = ast.parse(
        "def f(a: int = 1.0, b: float = 1, c: str | None = None, d: int = True, e: list = (), g: X = 1, *, h: 'str' = 2): ..."
    )
    assert [line.partition(":")[0] for line in annotated.misfits(tree)] == ["f(a", "f(d", "f(e", "f(h"]
