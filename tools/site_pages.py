"""Pages of the documentation site that are made when it is built (a hook of mkdocs): the reference of each package, from the
docstrings of what `import mindspore` gives, and the matrix with a field to search it.
"""

import html
import inspect
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import msjax  # noqa: E402
from msjax.cli.info import differences  # noqa: E402
from msjax.cli.inventory import inventory, resolve  # noqa: E402
from msjax.cli.matrix import devices_of, spellings  # noqa: E402
from msjax.cli.parameters import plain_signature, rows  # noqa: E402
from msjax.core.spec.texts import written  # noqa: E402

msjax.install()
_OWN = "msjax"  # names that MindSpore does not have
_SECTION = re.compile(
    r"^(Args|Arguments|Inputs|Outputs|Returns|Raises|Attributes|Example|Examples|Source|Formula):[ \t]*(.*)$"
)
_FILTER = """
<div id="filter" style="display: flex; gap: .5em; flex-wrap: wrap">
<input id="wanted" type="search" placeholder="a name, such as ReduceSum" style="flex: 1; padding: .5em; border: 1px solid">
<select id="state" style="padding: .5em; border: 1px solid"><option value="">any state</option><option>supported</option><option>partial</option>
<option>missing</option></select>
<select id="device" style="padding: .5em; border: 1px solid"><option value="">any device</option><option>GPU</option><option>TPU</option>
<option value="-">neither is known</option></select>
</div>
<p id="count"></p>
<script>
document.addEventListener("input", filter);
document.addEventListener("DOMContentLoaded", filter);
function filter() {
  const [wanted, state, device] = ["wanted", "state", "device"].map(id => document.getElementById(id).value.toLowerCase());
  let shown = 0;
  for (const table of document.querySelectorAll("article table")) {
    const heads = [...table.querySelectorAll("th")].map(th => th.textContent.trim());
    const at = name => heads.indexOf(name);
    if (at("name") !== 0 || at("status") < 0) continue;  // other tables of the page stay
    let some = 0;
    for (const row of table.querySelectorAll("tbody tr")) {
      const cells = [...row.cells].map(cell => cell.textContent.toLowerCase());
      const chips = (cells[at("GPU, TPU")] || "").split(";").map(part => part.trim());
      const told = chips.some(chip => chip !== "");
      const takes = chips.some(chip => chip === device || chip === `${device} compiled`);
      const lowers = device === "-" ? !told : !device || takes;
      row.hidden = !(lowers && (!state || cells[at("status")].startsWith(state)) && (cells[0].includes(wanted) || cells[at("faces")].includes(wanted)));
      some += !row.hidden;
    }
    shown += some;
    const around = table.closest(".md-typeset__scrollwrap") || table;
    around.hidden = !some;
    if (around.previousElementSibling?.tagName === "H2") around.previousElementSibling.hidden = !some;
  }
  document.getElementById("count").textContent = `${shown} names`;
}
</script>
"""
_FIND = """
<input id="wanted" type="search" placeholder="a name, such as Conv2d" style="width: 100%; padding: .5em; border: 1px solid">
<ul id="found"></ul>
<script>
const names = NAMES;  // the shortest first: what is asked for stands before what it is a part of
document.addEventListener("input", () => {
  const wanted = document.getElementById("wanted").value.trim().toLowerCase();
  const list = document.getElementById("found");
  list.replaceChildren();
  if (!wanted) return;
  const begins = names.filter(([name]) => name.toLowerCase().startsWith(wanted));
  const inside = names.filter(([name]) => name.toLowerCase().indexOf(wanted) > 0);
  for (const [name, page, anchor] of [...begins, ...inside].slice(0, 30)) {
    const link = Object.assign(document.createElement("a"), {href: `../reference/${page}/#${anchor}`, textContent: `${page}.${name}`});
    list.append(Object.assign(document.createElement("li"), {}));
    list.lastChild.append(link);
  }
});
</script>
"""


def on_files(files, config):
    """Add the made pages; mkdocs calls it."""
    from mkdocs.structure.files import File

    def add(path, text):
        files.append(File.generated(config, path, content=text))

    listed, every = [], []
    for package, names in packages():
        every += [(name, package, name.lower()) for name, _ in names]
        page = f"reference/{package}.md"
        add(page, reference(package, names))
        listed.append(f"| [`{package}`]({package}.md) | {len(names)} |")
    add(
        "reference/index.md",
        "\n".join([_INDEX.replace("FIND", _FIND.replace("NAMES", json.dumps(ranked(every)))), *listed, ""]),
    )
    matrix = (ROOT / "compat_matrix.md").read_text()
    title, _, rest = matrix.partition("\n")
    add("matrix.md", f"{title}\n{_FILTER}\n{rest}")
    return files


_INDEX = """# Reference

What the names do here, from their docstrings. Parameters, defaults and results are MindSpore's; a name that differs from MindSpore
says so in the [matrix](../matrix.md).
FIND
| package | names |
|---|---:|"""


def ranked(names):
    """Names in the order in which a search gives them: a shorter one first, so that `Conv2d` stands before `Conv2dThor`."""
    return sorted(names, key=lambda row: (len(row[0]), row[0].lower(), row[1]))


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
            f"```python\n{name}{plain_signature(value)}\n```",
            "",
            *parameters(value),
            *also(package, name),
            text(written(value)),
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
            f"| `{name}{plain_signature(value)}`".replace("|", "\\|").replace("\\|", "|", 1) + f" | {escaped(first)} |"
        )
    return ["| method | |", "|---|---|", *rows, ""] if rows else []


def parameters(value):
    """The table of the parameters, from the annotations that are checked; [] where they say nothing."""
    found = rows(value)
    if not any(words for _, words, _ in found):
        return []
    lines = [
        f"| `{name}` | {escaped(words)} | {f'`{default}`'.replace('|', '&#124;') if default else 'required'} |"
        for name, words, default in found
    ]
    return ["| parameter | what it may be | default |", "|---|---|---|", *lines, ""]


_DEVICES = {
    "GPU; TPU": "lowers for GPU and TPU.",
    "GPU; TPU compiled": "lowers for GPU and TPU, and the compiler of TPUs takes it.",
}


def also(package, name):
    """The line of other spellings, and of the devices that it lowers for."""
    short = f"{package}.{name}".removeprefix("mindspore.")
    faces, devices = spellings().get(short, []), devices_of(short)
    parts = ["Also spelled " + ", ".join(f"`{face}`" for face in faces) + "."] if faces else []
    if devices:
        parts.append("Runs on CPU; " + (_DEVICES.get(devices, f"lowers for: {escaped(devices)}.")))
    return [" ".join(parts), ""] if parts else []


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
