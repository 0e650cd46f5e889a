"""The documented examples of a MindSpore wheel: read from its sources, nothing of it is run or kept."""

import ast
import collections
import doctest
import pathlib
import textwrap
import zipfile

from .inventory import inventory

Example = collections.namedtuple("Example", "id module statements")  # statements: [(source, expected output)]


def sources(wheel: str):
    """(module path, text) of the Python files of MindSpore in a wheel, or in a folder that holds `mindspore/`.

    Raises:
        FileNotFoundError: there is none.
    """
    path = pathlib.Path(wheel)
    if path.is_dir():
        found = [
            (str(f.relative_to(path)), f.read_text(encoding="utf-8")) for f in sorted(path.glob("mindspore/**/*.py"))
        ]
    else:
        with zipfile.ZipFile(path) as archive:
            names = [n for n in archive.namelist() if n.startswith("mindspore/") and n.endswith(".py")]
            found = [(n, archive.read(n).decode("utf-8")) for n in sorted(names)]
    if not found:
        raise FileNotFoundError(f"there is no package mindspore in {wheel}")
    for name, text in found:
        yield name.removesuffix(".py").removesuffix("/__init__").replace("/", "."), text


def examples(wheel: str):
    """An Example for each public name whose text has one; an example that several names share is taken once."""
    texts, renamed = [], collections.defaultdict(list)
    for module, text in sources(wheel):
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        texts += [(module, name, doc) for name, doc in _documented(tree)]
        if module in inventory()["modules"]:  # `from ... import add_ext as add` makes a public name
            for node in ast.walk(tree):
                for item in node.names if isinstance(node, ast.ImportFrom) else ():
                    if item.asname and item.asname != item.name:
                        renamed[item.name].append(f"{module}.{item.asname}")
    seen, found = set(), {}
    for module, name, doc in texts:
        statements = _statements(doc)
        key = tuple(statements)
        for path in _public(module, name, renamed) if statements else ():
            if path not in found and (key, path.rpartition(".")[2]) not in seen:
                seen.add((key, path.rpartition(".")[2]))
                found[path] = Example(path, _module_of(path), statements)
    return [found[path] for path in sorted(found)]


def _documented(tree):
    """(name, docstring) of each function, class and method of a file, and of the texts attached to Tensor methods."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            if ast.get_docstring(node):
                yield node.name, ast.get_docstring(node)
            for part in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(part, ast.FunctionDef) and part.name[0] != "_" and ast.get_docstring(part):
                    yield f"{node.name}.{part.name}", ast.get_docstring(part)
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "attach_docstr" and len(call.args) == 2:
            if all(isinstance(a, ast.Constant) for a in call.args):
                yield f"Tensor.{call.args[0].value}", textwrap.dedent(call.args[1].value)


def _statements(doc):
    try:
        parsed = doctest.DocTestParser().get_examples(doc)
    except ValueError:  # unequal indentation: a few texts of MindSpore
        return []
    return [(e.source, e.want) for e in parsed]


def _public(module, name, renamed):
    """The public paths of a name that a file defines: the nearest module, and modules that import it under another
    name.
    """
    head, _, member = name.partition(".")
    found = [path + ("." + member if member else "") for path in renamed.get(head, ())]
    homes = [m for m, names in inventory()["modules"].items() if head in names and not names[head][0]]
    if homes:
        nearest = max(homes, key=lambda m: (_common(m, module), -m.count(".")))
        if member or nearest.split(".")[:2] == module.split(".")[:2] or nearest == "mindspore" or len(homes) == 1:
            found.append(f"{nearest}.{name}")
    return found


def _common(first, second):
    count = 0
    for a, b in zip(first.split("."), second.split(".")):
        if a != b:
            break
        count += 1
    return count


def _module_of(path):
    modules = inventory()["modules"]
    while path and path not in modules:
        path = path.rpartition(".")[0]
    return path
