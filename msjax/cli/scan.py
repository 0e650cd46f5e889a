"""`msjax scan PATH`: which MindSpore names, keywords and modules a project uses, and which of them msjax has. Nothing
of it is run.
"""

import argparse
import ast
import collections
import json
import pathlib

from .inventory import inventory, resolve, status, takes

_ROOT = "mindspore"


class Uses(ast.NodeVisitor):
    """Collects (dotted name, line), (dotted name, keyword, line), (module path, line) of one file."""

    def __init__(self):
        self.aliases, self.names, self.keywords, self.modules = {}, [], [], []

    def visit_Import(self, node):
        for item in node.names:
            if item.name.split(".")[0] == _ROOT:
                self.modules.append((item.name, node.lineno))
                self.aliases[item.asname or _ROOT] = item.name if item.asname else _ROOT

    def visit_ImportFrom(self, node):
        if node.level or (node.module or "").split(".")[0] != _ROOT:
            return
        self.modules.append((node.module, node.lineno))
        for item in node.names:
            if item.name != "*":
                path = f"{node.module}.{item.name}"
                self.aliases[item.asname or item.name] = path
                self.names.append((path, node.lineno))

    def dotted(self, node):
        """The MindSpore path that an expression names, or None."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name) and node.id in self.aliases:
            return ".".join([self.aliases[node.id], *reversed(parts)])
        return None

    def visit_Attribute(self, node):
        path = self.dotted(node)
        if path is None:
            self.generic_visit(node)
        else:
            self.names.append((path, node.lineno))

    def visit_Name(self, node):
        path = self.aliases.get(node.id)
        if path is not None and isinstance(node.ctx, ast.Load) and path != _ROOT:
            self.names.append((path, node.lineno))

    def visit_Call(self, node):
        path = self.dotted(node.func)
        if path is not None:
            self.keywords += [(path, k.arg, node.lineno) for k in node.keywords if k.arg]
        self.generic_visit(node)


def sources(path):
    """(file name, text) of the Python files and notebook cells below a path."""
    path = pathlib.Path(path)
    files = (
        [path]
        if path.is_file()
        else sorted(p for p in path.rglob("*") if p.suffix in (".py", ".ipynb") and p.is_file())
    )
    for file in files:
        text = file.read_text(encoding="utf-8", errors="replace")
        if file.suffix == ".ipynb":
            try:
                cells = json.loads(text).get("cells", [])
            except ValueError:
                continue
            text = "\n".join("".join(c.get("source", [])) for c in cells if c.get("cell_type") == "code")
            text = "\n".join(
                "pass" if line.lstrip()[:1] in ("!", "%") and line[:1] in ("!", "%") else line
                for line in text.splitlines()
            )
        yield str(file), text


def _parsed(path):
    for file, text in sources(path):
        try:
            yield file, ast.parse(text)
        except (SyntaxError, ValueError) as error:
            yield file, error


def scan(path):
    """What a project uses, as a dict.

    Args:
        path: a file or a folder.

    Returns:
        {"files", "unreadable", "names", "keywords", "modules", "coverage"}: the first two are counts and lists of
        files; each of the next three maps a name to {"status", "reason", "at": ["file:line", ...]}; coverage is in
        percent of all places.

    Example:
        >>> scan("train.py")["coverage"]  # doctest: +SKIP
    """
    wanted = {f"{m}.{n}": row[1] for m, names in inventory()["modules"].items() for n, row in names.items()}
    at = {
        "names": collections.defaultdict(list),
        "keywords": collections.defaultdict(list),
        "modules": collections.defaultdict(list),
    }
    files, unreadable = 0, []
    for file, tree in _parsed(path):
        if isinstance(tree, Exception):
            unreadable.append(f"{file}: {tree}")
            continue
        files += 1
        uses = Uses()
        uses.visit(tree)
        for name, line in dict.fromkeys(uses.names):
            at["names"][_known(name)].append(f"{file}:{line}")
        for name, keyword, line in dict.fromkeys(uses.keywords):
            at["keywords"][name, keyword].append(f"{file}:{line}")
        for name, line in dict.fromkeys(uses.modules):
            at["modules"][name].append(f"{file}:{line}")
    report = {"files": files, "unreadable": unreadable, "names": {}, "keywords": {}, "modules": {}}
    for name, places in sorted(at["names"].items()):
        state, reason = status(name, "")
        report["names"][name] = {"status": state, "reason": reason, "at": places}
    for (name, keyword), places in sorted(at["keywords"].items()):
        found = resolve(name)
        if found is None or found[1] < name.count(".") + 1:
            continue  # the name itself is reported, or it is no name of a module
        state = "supported" if takes(found[0], keyword) else "missing"
        known = keyword in wanted.get(name, "").split()
        reason = "" if state == "supported" else "" if known else "MindSpore 2.10 does not take it either"
        report["keywords"][f"{name}({keyword}=)"] = {"status": state, "reason": reason, "at": places}
    for name, places in sorted(at["modules"].items()):
        report["modules"][name] = {
            "status": "missing" if resolve(name) is None else "supported",
            "reason": "",
            "at": places,
        }
    rows = [r for part in ("names", "keywords", "modules") for r in report[part].values()]
    places = sum(len(r["at"]) for r in rows)
    good = sum(len(r["at"]) for r in rows if r["status"] != "missing")
    report["coverage"] = round(100 * good / places, 2) if places else 100.0
    return report


def _known(name):
    """The part of a path that is a name of a module or class: `mindspore.nn.Dense` of
    `mindspore.nn.Dense.construct.x`.
    """
    found = resolve(name)
    return name if found is None else ".".join(name.split(".")[: found[1]])


def _listed(report):
    """The lines for people."""
    for part, title in (("modules", "module paths"), ("names", "names"), ("keywords", "keywords")):
        rows = report[part]
        count = collections.Counter(r["status"] for r in rows.values())
        states = ", ".join(f"{count[state]} {state}" for state in ("supported", "partial", "missing"))
        yield f"{title}: {len(rows)} used, {states}"
        for state in ("missing", "partial"):
            for name, row in sorted(rows.items(), key=lambda item: (-len(item[1]["at"]), item[0])):
                if row["status"] == state:
                    more = f" and {len(row['at']) - 3} more" if len(row["at"]) > 3 else ""
                    reason = f": {row['reason']}" if row["reason"] else ""
                    yield f"  {state}  {name}{reason}\n           {', '.join(row['at'][:3])}{more}"
    for line in report["unreadable"]:
        yield f"not read: {line}"
    yield f"{report['files']} files; {report['coverage']} % of the places are served"


def main(argv):
    """Print what a project uses; the exit code is 1 if something is missing."""
    parser = argparse.ArgumentParser(
        prog="msjax scan", description="Which MindSpore names a project uses, and which msjax has."
    )
    parser.add_argument("path", help="a file or a folder")
    parser.add_argument("--json", action="store_true", help="all of it, as JSON")
    given = parser.parse_args(argv)
    if not pathlib.Path(given.path).exists():
        parser.error(f"there is no {given.path}")
    from msjax import install  # from here on `import mindspore` means msjax

    install()
    report = scan(given.path)
    print(json.dumps(report, indent=1) if given.json else "\n".join(_listed(report)))
    return (
        1
        if any(r["status"] == "missing" for part in ("names", "keywords", "modules") for r in report[part].values())
        else 0
    )
