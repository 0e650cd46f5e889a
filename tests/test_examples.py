"""The examples in the texts of public functions and classes run, and print what they say.

Only on request: MSJAX_TEST_EXAMPLES=some takes one example of each file (the first whose text says what it prints, else
the first), MSJAX_TEST_EXAMPLES=all every one. An example without output only has to run.
"""

import ast
import doctest
import os
import pathlib

import pytest

import msjax
from msjax.cli import example_worker

PACKAGE = pathlib.Path(msjax.__file__).parent
pytestmark = pytest.mark.skipif(
    "MSJAX_TEST_EXAMPLES" not in os.environ, reason="examples in texts run on request: MSJAX_TEST_EXAMPLES=some or all"
)
EVERY = os.environ.get("MSJAX_TEST_EXAMPLES") == "all"


def examples_of(path):
    """[(name, statements)] of a file."""
    found = []

    def visit(node, prefix):
        for child in getattr(node, "body", ()):
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)) and not child.name.startswith("_"):
                text = ast.get_docstring(child) or ""
                if ">>>" in text and "+SKIP" not in text:
                    statements = [(e.source, e.want) for e in doctest.DocTestParser().get_examples(text)]
                    found.append((f"{prefix}{child.name}", statements))
                visit(child, f"{prefix}{child.name}.")

    visit(ast.parse(path.read_text(encoding="utf-8")), "")
    return found


def chosen():
    """(file, name, statements) of what this run looks at."""
    for path in sorted(PACKAGE.rglob("*.py")):
        found = examples_of(path)
        if found and not EVERY:
            found = [next((e for e in found if any(want for _, want in e[1])), found[0])]
        for name, statements in found:
            yield pytest.param(statements, id=f"{path.relative_to(PACKAGE)}:{name}")


@pytest.mark.parametrize("statements", list(chosen()) if "MSJAX_TEST_EXAMPLES" in os.environ else [()])
def test_example(statements, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = example_worker.run_example(statements)
    assert result["status"] in ("pass", "runs"), result
