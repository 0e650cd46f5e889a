"""Every Python block of the documentation and of README runs; the pages' links lead somewhere."""

import os
import pathlib
import re

import pytest

import msjax

ROOT = pathlib.Path(msjax.__file__).parents[1]
PAGES = sorted([*ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])


def blocks():
    """(page, number, code) of each fenced Python block."""
    for page in PAGES:
        for number, code in enumerate(re.findall(r"^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)):
            yield pytest.param(code, id=f"{page.relative_to(ROOT)}:{number}")


@pytest.mark.parametrize("code", list(blocks()))
def test_block(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "block.py"
    file.write_text(code)
    names = {"__name__": "__main__"}
    exec(compile(code, str(file), "exec"), names)
    assert names.keys() - {"__name__", "__builtins__"}, "a block that makes nothing shows nothing"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links(page):
    for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert link.startswith("http") or os.path.exists(page.parent / link), link
