"""Pages of the documentation site that are made when it is built (a hook of mkdocs): the reference of each package, from the
docstrings of what `import mindspore` gives, and the matrix with a field to search it.
"""

import html
import inspect
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import msjax  # noqa: E402
from msjax.cli.info import differences  # noqa: E402
from msjax.cli.inventory import inventory, resolve  # noqa: E402

msjax.install()
_OWN = "msjax"  # names that MindSpore does not have
_SECTION = re.compile(
    r"^(Args|Arguments|Inputs|Outputs|Returns|Raises|Attributes|Example|Examples|Source|Formula):[ \t]*(.*)$"
)
_FILTER = """
<input id="wanted" type="search" placeholder="a name, such as ReduceSum" style="width: 100%; padding: .5em; border: 1px solid"
 oninput="for (const row of document.querySelectorAll('tbody tr'))
  row.hidden = !row.textContent.toLowerCase().includes(this.value.toLowerCase())">
"""


def on_files(files, config):
    """Add the made pages; mkdocs calls it."""
    from mkdocs.structure.files import File

    def add(path, text):
        files.append(File.generated(config, path, content=text))

    listed = []
    for package, names in packages():
        page = f"reference/{package}.md"
        add(page, reference(package, names))
        listed.append(f"| [`{package}`]({package}.md) | {len(names)} |")
    add("reference/index.md", "\n".join([_INDEX, *listed, ""]))
    matrix = (ROOT / "compat_matrix.md").read_text()
    title, _, rest = matrix.partition("\n")
    add("matrix.md", f"{title}\n{_FILTER}\n{rest}")
    return files


_INDEX = """# Reference

What the names do here, from their docstrings. Parameters, defaults and results are MindSpore's; a name that differs from MindSpore
says so in the [matrix](../matrix.md).

| package | names |
|---|---:|"""


def packages():
    """(package, [(name, object)]): the public packages of MindSpore and msjax's own names; each object on one page, where it is first."""
    seen = set()
    own = [
        (name, getattr(msjax, name))
        for name in sorted(msjax.__all__)
        if name not in inventory()["modules"]["mindspore"]
    ]
    yield _OWN, [(name, value) for name, value in own if callable(value)]
    for module, names in sorted(inventory()["modules"].items()):
        found = []
        for name in sorted(names):
            value = resolve(f"{module}.{name}")
            if value is None or not callable(value[0]) or id(value[0]) in seen:
                continue
            seen.add(id(value[0]))
            found.append((name, value[0]))
        if found:
            yield module, found


def reference(package, names):
    """The Markdown page of one package."""
    parts = [f"# {package}", ""]
    for name, value in names:
        parts += [
            f"## {name}",
            "",
            f"```python\n{name}{signature(value)}\n```",
            "",
            text(inspect.getdoc(value) or ""),
            "",
        ]
        if package != _OWN:
            parts += [f"!!! note\n    {html.escape(row)}\n" for row in differences(name)]
        if inspect.isclass(value):
            parts += members(value)
    return "\n".join(parts)


def members(cls):
    """Methods of a class that it defines itself and that are documented."""
    rows = []
    for name, value in sorted(vars(cls).items()):
        if name.startswith("_") or not callable(value) or not inspect.getdoc(value):
            continue
        first = " ".join(inspect.getdoc(value).partition("\n\n")[0].split())
        rows.append(
            f"| `{name}{signature(value)}`".replace("|", "\\|").replace("\\|", "|", 1) + f" | {escaped(first)} |"
        )
    return ["| method | |", "|---|---|", *rows, ""] if rows else []


def signature(value):
    """Its parameters as text; "" where it has none that can be read."""
    try:
        return re.sub(r" at 0x[0-9a-f]+", "", str(inspect.signature(value)))
    except (TypeError, ValueError):
        return ""


def escaped(line):
    """A line of a docstring as Markdown that shows it as it stands."""
    pieces = line.split("`")
    return "`".join(piece if i % 2 else re.sub(r"([\\*_\[\]<|#])", r"\\\1", piece) for i, piece in enumerate(pieces))


def text(doc):
    """A docstring as Markdown: sections in bold, what is indented below them as text, examples as code."""
    lines, out, block = doc.split("\n"), [], []

    def flush():
        if any(block):
            body = inspect.cleandoc("\n".join(["", *block]))
            code = body.lstrip().startswith(">>>")
            out.extend(["", "```pycon", body, "```", ""] if code else ["", *map(escaped, body.split("\n")), ""])
        block.clear()

    for line in lines:
        section = _SECTION.match(line)
        if section:
            flush()
            out.extend(["", f"**{section[1]}**", ""])
            if section[2]:
                out.append(escaped(section[2]))
        elif line.startswith("    "):
            block.append(line)
        elif not line.strip() and block:
            block.append("")
        else:
            flush()
            out.append(escaped(line))
    flush()
    return "\n".join(out)
