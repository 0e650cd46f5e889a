"""Every Python block of the documentation and of README runs; the pages' links lead somewhere."""

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


MADE = {
    ROOT / "docs" / "matrix.md",
    ROOT / "docs" / "reference" / "index.md",
}  # when the site is built (tools/site_pages.py)


def anchors(page):
    """The anchors of a page's headings, as the site and GitHub make them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", h.replace("`", "")).strip().lower()) for h in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists() or there in MADE, link
        assert not anchor or there.suffix != ".md" or there in MADE or anchor in anchors(there), link


def test_every_page_is_in_the_navigation():
    listed = set(re.findall(r": ([\w/]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    made = {str(page.relative_to(ROOT / "docs")) for page in MADE}
    assert {str(p.relative_to(ROOT / "docs")) for p in ROOT.glob("docs/**/*.md")} == listed - made
