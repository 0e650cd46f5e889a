"""`msjax scan PATH`: which MindSpore names, keywords and modules a project uses, and which of them msjax has. Nothing
of it is run.
"""

import argparse
import ast
import collections
import functools
import html
import importlib.util
import inspect
import json
import pathlib
import re
import sys
import warnings
from typing import Any

from ..core.hints import nearest
from .deviations import DEVIATIONS
from .inventory import inventory, refusal, resolve, status, takes

_ROOT = "mindspore"
_CREATORS = ("zeros", "ones", "full", "arange", "zeros_like", "ones_like")
_MAKE_TENSORS = {
    *("mindspore.Tensor", "mindspore.Parameter", "mindspore.common.tensor.Tensor"),
    *(f"mindspore.{module}.{name}" for module in ("ops", "mint") for name in _CREATORS),
}


class Uses(ast.NodeVisitor):
    """Collects (dotted name, line), (dotted name, keyword, line), (module path, line) of one file."""

    def __init__(self):
        self.aliases, self.names, self.keywords, self.modules = {}, [], [], []
        self.packages, self.words = [], set()  # other imports; all identifiers and strings
        self.once, self.tensors = set(), set()  # names that are bound once; those of them that hold Tensors

    def visit(self, node: ast.AST):
        for field in ("id", "attr", "arg", "name", "value"):
            word = getattr(node, field, None)
            if isinstance(word, str):
                self.words.add(word)
        return super().visit(node)

    def visit_Module(self, node: ast.AST):
        stored = (n.arg if isinstance(n, ast.arg) else n.id for n in ast.walk(node) if _binds(n))
        self.once = {name for name, count in collections.Counter(stored).items() if count == 1}
        self.generic_visit(node)

    def visit_Import(self, node: ast.AST):
        for item in node.names:
            self.packages.append((item.name.split(".")[0], node.lineno))
            if item.name.split(".")[0] == _ROOT:
                self.modules.append((item.name, node.lineno))
                self.aliases[item.asname or _ROOT] = item.name if item.asname else _ROOT

    def visit_ImportFrom(self, node: ast.AST):
        if node.level:
            return
        self.packages.append((node.module.split(".")[0], node.lineno))
        if node.module.split(".")[0] != _ROOT:
            return
        self.modules.append((node.module, node.lineno))
        for item in node.names:
            if item.name != "*":
                path = f"{node.module}.{item.name}"
                self.aliases[item.asname or item.name] = path
                self.names.append((path, node.lineno))

    def dotted(self, node: ast.AST):
        """The MindSpore path that an expression names, or None."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name) and node.id in self.aliases:
            return ".".join([self.aliases[node.id], *reversed(parts)])
        return None

    def visit_Assign(self, node: ast.AST):
        """Note names that are certainly Tensors: names bound once in the file, to the result of a constructor."""
        self.generic_visit(node)
        made = isinstance(node.value, ast.Call) and self.dotted(node.value.func) in _MAKE_TENSORS
        for target in node.targets:
            if made and isinstance(target, ast.Name) and target.id in self.once:
                self.tensors.add(target.id)

    def visit_Attribute(self, node: ast.AST):
        path = self.dotted(node)
        if path is None:
            held = isinstance(node.value, ast.Name) and node.value.id in self.tensors
            if held or isinstance(node.value, ast.Call) and self.dotted(node.value.func) in _MAKE_TENSORS:
                if isinstance(node.ctx, ast.Load):
                    self.names.append((f"mindspore.Tensor.{node.attr}", node.lineno))
            self.generic_visit(node)
        else:
            self.names.append((path, node.lineno))

    def visit_Name(self, node: ast.AST):
        path = self.aliases.get(node.id)
        if path is not None and isinstance(node.ctx, ast.Load) and path != _ROOT:
            self.names.append((path, node.lineno))

    def visit_Call(self, node: ast.AST):
        path = self.dotted(node.func)
        if path is not None:
            self.keywords += [(path, k.arg, node.lineno) for k in node.keywords if k.arg]
        self.generic_visit(node)


def _binds(node):
    """Whether a node binds a name: assigned, of a loop or a comprehension, or a parameter, a lambda's too."""
    return isinstance(node, ast.arg) or isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def sources(path: str):
    """(file name, text) of the Python files and notebook cells below a path."""
    path = pathlib.Path(path)
    files = (
        [path]
        if path.is_file()
        else sorted(p for p in path.rglob("*") if p.suffix in (".py", ".ipynb") and p.is_file())
    )
    for file in files:
        text = file.read_text(encoding="utf-8-sig", errors="replace")  # editors of Windows begin a file with a mark
        if file.suffix == ".ipynb":
            try:
                cells = json.loads(text).get("cells", [])
            except ValueError:
                yield str(file), None
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
            if text is None:
                raise ValueError("it is not a notebook")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # escapes of the scanned code
                yield file, ast.parse(text)
        except (SyntaxError, ValueError) as error:
            yield file, error


# Every program uses these: that a row mentions them says nothing.
_EVERYWHERE = {"Tensor", "Parameter", "Cell", "GRAPH_MODE", "PYNATIVE_MODE", "jit", "ops", "nn", "numpy"}
_CODE = re.compile(
    r"[A-Za-z_]\w*_\w*|(?<=\.)[A-Za-z_]\w*|[A-Za-z_]\w*(?=[=(])"
)  # words of a sentence that are a program's


def concerns(what: str, used: Any, words: Any, trees: Any = ()):
    """Whether a row of the deviations concerns a file: "certain", "maybe" (words of the row say when), or "" for no.

    Args:
        what: The row's first column: uses, separated by commas.
        used: Last words of the names of MindSpore that the file uses.
        words: Its identifiers and strings.
        trees: Its syntax, in which a use with indices or placeholders is looked for.
    """
    all_words = re.findall(r"[A-Za-z_]\w*", what)
    certain = all(w in words or w in used or w in _EVERYWHERE or w in _leaves() for w in all_words)
    found = ""
    for use in re.split(r", (?![^(\[]*[)\]])", what):
        named = [word for word in re.findall(r"[A-Za-z_]\w*", use) if word in used]
        if named and all(word in words or word in used for word in _CODE.findall(use)):
            if certain and (not _PLACEHOLDER.search(use) or _is_written(use, trees)):
                return "certain"
            found = "maybe"
    return found


_PLACEHOLDER = re.compile(r"\[|\b[a-z]\b")  # in `ops.assign(x[0], v)` x and v are any values, 0 is any index


def _is_written(use, trees):
    """Whether a use, an expression or a statement with placeholders, is found in the syntax of a file."""
    try:
        [pattern] = ast.parse(use).body
    except (SyntaxError, ValueError):
        return False
    pattern = pattern.value if isinstance(pattern, ast.Expr) else pattern
    return any(_alike(pattern, node) for tree in trees for node in ast.walk(tree))


def _alike(pattern, node):
    if isinstance(pattern, ast.Name) and len(pattern.id) == 1:
        return isinstance(node, ast.expr)
    if isinstance(pattern, (ast.Name, ast.Attribute)):  # a function has the name of its module before it, or has not
        return _leaf(pattern) == _leaf(node)
    if type(pattern) is not type(node):
        return False
    if isinstance(pattern, ast.Subscript):
        index = pattern.slice
        return _alike(pattern.value, node.value) and (isinstance(index, ast.Constant) or _alike(index, node.slice))
    if isinstance(pattern, ast.Call):
        given = {k.arg: k.value for k in node.keywords}
        return (
            _alike(pattern.func, node.func)
            and len(pattern.args) <= len(node.args)
            and all(map(_alike, pattern.args, node.args))
            and all(k.arg in given and _alike(k.value, given[k.arg]) for k in pattern.keywords)
        )
    return all(_same(value, getattr(node, field)) for field, value in ast.iter_fields(pattern) if field != "ctx")


def _same(pattern, value):
    if isinstance(pattern, list):
        return len(pattern) == len(value) and all(map(_same, pattern, value))
    return _alike(pattern, value) if isinstance(pattern, ast.AST) and isinstance(value, ast.AST) else pattern == value


def _leaf(node):
    return getattr(node, "attr", None) if isinstance(node, ast.Attribute) else getattr(node, "id", node)


@functools.cache
def _leaves():
    """The last words of all names of MindSpore, and its packages."""
    modules = inventory()["modules"]
    return {name for names in modules.values() for name in names} | {part for m in modules for part in m.split(".")}


def _lacking(packages, path):
    """{package: places} of the imports that nothing here serves: not Python's, not installed, not the project's own."""
    root = pathlib.Path(path).resolve()
    folder = root if root.is_dir() else root.parent
    own = (
        {p.stem for p in folder.rglob("*.py")}
        | {p.name for p in folder.rglob("*") if p.is_dir()}
        | {root.name, root.stem}
    )
    lacking = {}
    for name, places in sorted(packages.items()):
        if name in own or name == _ROOT or name in sys.stdlib_module_names:
            continue
        try:
            found = importlib.util.find_spec(name)
        except (ImportError, ValueError, AttributeError):
            found = None
        if found is None:
            lacking[name] = places
    return lacking


def scan(path: str):
    """The MindSpore names, Tensor methods, keywords and packages that a project uses, as a dict.

    Args:
        path: a file or a folder.

    Returns:
        {"files", "unreadable", "names", "keywords", "modules", "packages", "deviations", "coverage"}: the first two are counts and lists of
        files; each of the next three maps a name to {"status", "reason", "at": ["file:line", ...]}; packages maps what is imported and
        is not installed to its places; deviations are the known differences of used names, each "certain" or not;
        coverage is in percent of all places, None where there is no name of MindSpore.

    Example:
        >>> from msjax.cli.scan import scan
        >>> with open("train.py", "w") as script:
        ...     _ = script.write("from mindspore import ops")
        >>> scan("train.py")["coverage"]
        100.0
    """
    wanted = {f"{m}.{n}": row[1] for m, names in inventory()["modules"].items() for n, row in names.items()}
    at = {
        "names": collections.defaultdict(list),
        "keywords": collections.defaultdict(list),
        "modules": collections.defaultdict(list),
    }
    files, unreadable, words, packages, trees = 0, [], set(), collections.defaultdict(list), []
    for file, tree in _parsed(path):
        if isinstance(tree, Exception):
            unreadable.append(f"{file}: {tree}")
            continue
        files += 1
        trees.append(tree)
        uses = Uses()
        uses.visit(tree)
        words |= uses.words
        for name, line in dict.fromkeys(uses.packages):
            packages[name].append(f"{file}:{line}")
        for name, line in dict.fromkeys(uses.names):
            at["names"][_known(name)].append(f"{file}:{line}")
        for name, keyword, line in dict.fromkeys(uses.keywords):
            at["keywords"][name, keyword].append(f"{file}:{line}")
        for name, line in dict.fromkeys(uses.modules):
            at["modules"][name].append(f"{file}:{line}")
    report = {"files": files, "unreadable": unreadable, "names": {}, "keywords": {}, "modules": {}, "deviations": []}
    report["packages"] = _lacking(packages, path)
    registered = {f"mindspore.ops.{name}" for tree in trees for name in _registered(tree)}
    for name, places in sorted(at["names"].items()):
        state, reason = ("supported", "") if name in registered else _status(name)
        report["names"][name] = {"status": state, "reason": reason, "at": places}
    for (name, keyword), places in sorted(at["keywords"].items()):
        found = resolve(name)
        if found is None or found[1] < name.count(".") + 1:
            continue  # the name itself is reported, or it is not a name of a module
        state = "supported" if takes(found[0], keyword) else "missing"
        known = keyword in wanted.get(name, "").split()
        reason = "" if state == "supported" else "" if known else "MindSpore 2.10 does not take it either"
        report["keywords"][f"{name}({keyword}=)"] = {"status": state, "reason": reason, "at": places}
    for name, places in sorted(at["modules"].items()):
        state = "missing" if resolve(name) is None else "supported"
        report["modules"][name] = {"status": state, "reason": "", "at": places}
    used = {
        name.rpartition(".")[2]: row["at"]
        for name, row in report["names"].items()
        if (found := resolve(name)) is not None and not inspect.ismodule(found[0])
        if name.rpartition(".")[2] not in _EVERYWHERE
    }
    for what, there, here in DEVIATIONS:
        concern = concerns(what, used, words, trees)
        if concern:
            at = next(used[word] for word in re.findall(r"[A-Za-z_]\w*", what) if word in used)
            row = {"what": what, "MindSpore": there, "here": here, "at": at, "certain": concern == "certain"}
            report["deviations"].append(row)
    report["deviations"].sort(key=lambda row: not row["certain"])
    rows = [r for part in PARTS for r in report[part].values()]
    places = sum(len(r["at"]) for r in rows)
    good = sum(len(r["at"]) for r in rows if r["status"] in ("supported", "partial"))
    report["coverage"] = round(100 * good / places, 2) if places else None
    return report


PARTS = ("modules", "names", "keywords")


def _registered(tree):
    """The names of operators that a file adds itself: `@msjax.register_op`, with or without a name."""
    for node in ast.walk(tree):
        for call in getattr(node, "decorator_list", ()):
            given = call.keywords if isinstance(call, ast.Call) else ()
            if _leaf(call.func if isinstance(call, ast.Call) else call) == "register_op":
                yield next(
                    (k.value.value for k in given if k.arg == "name" and isinstance(k.value, ast.Constant)), node.name
                )


def _status(name):
    """(status, reason) of a used name: also "refused", and for a missing one the nearest that there is."""
    state, reason = status(name)
    found = resolve(name)
    if found is not None and refusal(found[0]):
        return "refused", refusal(found[0])
    if state == "missing":
        head, _, leaf = name.rpartition(".")
        near = nearest(leaf, inventory()["modules"].get(head, ()))
        there = "" if _may_be_there(name) else "MindSpore 2.10 does not document it either"
        near = f"the nearest name is {head}.{near}" if near and near != leaf else ""
        return state, "; ".join(filter(None, (there, near)))
    return state, reason


def _may_be_there(name):
    """Whether MindSpore 2.10 documents a name, or has it undocumented as far as is known: below an inner module, or an inner name."""
    modules, parts = inventory()["modules"], name.split(".")
    known = max((i for i in range(1, len(parts)) if ".".join(parts[:i]) in modules), default=0)
    if not known or any(part.startswith("_") for part in parts):
        return True
    return parts[known] in modules[".".join(parts[:known])]


def _known(name):
    """The part of a path that is a name of a module or class: `mindspore.nn.Dense` of
    `mindspore.nn.Dense.construct.x`.
    """
    found, parts = resolve(name), name.split(".")
    if found is None:
        return name
    for i in range(2, found[1]):  # what is refused has no attributes to speak of
        part = resolve(".".join(parts[:i]))
        if part is not None and not inspect.ismodule(part[0]) and refusal(part[0]):
            return ".".join(parts[:i])
    return ".".join(parts[: found[1]])


def _listed(report, every=False):
    """The lines for people."""
    for part, title in (("modules", "module paths"), ("names", "names"), ("keywords", "keywords")):
        rows = report[part]
        count = collections.Counter(r["status"] for r in rows.values())
        states = ", ".join(f"{count[state]} {state}" for state in STATES)
        yield f"{title}: {len(rows)} used, {states}"
        for state in STATES[1:][::-1]:
            for name, row in sorted(rows.items(), key=lambda item: (-len(item[1]["at"]), item[0])):
                if row["status"] == state:
                    more = f" and {len(row['at']) - 3} more" if len(row["at"]) > 3 else ""
                    reason = f": {row['reason']}" if row["reason"] else ""
                    yield f"  {state}  {name}{reason}\n           {', '.join(row['at'][:3])}{more}"
    for name, places in report["packages"].items():
        yield f"  package  {name} is not installed: pip install it, or name its folder in PYTHONPATH\n           {', '.join(places[:3])}"
    shown = [row for row in report["deviations"] if every or row["certain"]]
    for row in shown:
        yield f"differs  {row['what']}: {row['here']}\n           {', '.join(row['at'][:3])}"
    if len(shown) < len(report["deviations"]):
        yield f"{len(report['deviations']) - len(shown)} more differences are of special uses of these names: --all lists them"
    for line in report["unreadable"]:
        yield f"not read: {line}"
    unread = f", {len(report['unreadable'])} more could not be read" if report["unreadable"] else ""
    if report["coverage"] is None:
        yield f"{report['files']} files{unread}; no name of MindSpore in them"
    else:
        yield f"{report['files']} files{unread}; {report['coverage']} % of the places are served"


STATES = ("supported", "partial", "refused", "missing")


def page(report: Any, path: str):
    """The report as a page of its own."""
    sections = []
    for part in PARTS:
        body = "".join(
            f'<tr class="{row["status"]}"><td>{row["status"]}<td>{html.escape(name)}<td>{html.escape(row["reason"])}'
            f"<td>{html.escape(', '.join(row['at'][:5]))}{' …' if len(row['at']) > 5 else ''}"
            for name, row in sorted(report[part].items(), key=lambda item: (-STATES.index(item[1]["status"]), item[0]))
        )
        sections.append(f"<h2>{part}</h2><table><tr><th>status<th>what<th>reason<th>where{body}</table>")
    differs = "".join(
        f"<tr><td>{html.escape(r['what'])}<td>{html.escape(r['MindSpore'])}<td>{html.escape(r['here'])}<td>{html.escape(', '.join(r['at'][:5]))}"
        for r in report["deviations"]
    )
    unread = "".join(f"<li>{html.escape(line)}" for line in report["unreadable"])
    served = (
        "no name of MindSpore" if report["coverage"] is None else f"{report['coverage']} % of the places are served"
    )
    return (
        "<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'><title>msjax scan</title>"
        "<style>body{font:14px/1.4 system-ui,sans-serif;margin:2em;overflow-wrap:anywhere}td{min-width:3em}"
        "@media(max-width:700px){body{margin:1em}table,tr,td{display:block}th{display:none}td:first-child{font-weight:600}}"
        "td,th{padding:2px 10px;text-align:left;border-bottom:1px solid #eee;vertical-align:top}table{border-collapse:collapse}"
        ".missing td:first-child,.refused td:first-child{color:#c53030}.partial td:first-child{color:#b7791f}"
        ".supported td:first-child{color:#2f855a}</style>"
        f"<h1>{html.escape(str(path))}</h1><p>{report['files']} files; {served}.</p>"
        + (f"<h2>not read</h2><ul>{unread}</ul>" if unread else "")
        + (
            f"<h2>deviations that may apply</h2><table><tr><th>what<th>MindSpore<th>here<th>where{differs}</table>"
            if differs
            else ""
        )
        + "".join(sections)
        + "\n"
    )


def sarif(report: Any):
    """The report in the format of code scanners, SARIF 2.1.0."""
    results = []
    for part in PARTS:
        for name, row in report[part].items():
            if row["status"] == "supported":
                continue
            for place in row["at"]:
                file, _, line = place.rpartition(":")
                results.append(
                    {
                        "ruleId": row["status"],
                        "level": "error" if row["status"] in ("missing", "refused") else "warning",
                        "message": {"text": f"{name} is {row['status']} in msjax. {row['reason']}".strip()},
                        "locations": [
                            {
                                "physicalLocation": {
                                    "artifactLocation": {"uri": pathlib.Path(file).as_posix()},
                                    "region": {"startLine": int(line)},
                                }
                            }
                        ],
                    }
                )
    rules = [
        {"id": state, "shortDescription": {"text": f"a name of MindSpore that is {state}"}} for state in STATES[1:]
    ]
    driver = {"name": "msjax scan", "version": inventory()["version"], "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def main(argv: list[str] | None):
    """Print the MindSpore names that a project uses; exit code 1 if a name is missing or refused or a file is
    unreadable, 2 without a file.
    """
    parser = argparse.ArgumentParser(
        prog="msjax scan", description="Which MindSpore names a project uses, and which msjax has."
    )
    parser.add_argument("path", help="a file or a folder")
    parser.add_argument("--all", action="store_true", help="also differences that a special use of a name would meet")
    parser.add_argument("--json", action="store_true", help="all of it, as JSON")
    parser.add_argument("--html", metavar="FILE", help="write a page")
    parser.add_argument("--sarif", metavar="FILE", help="write the format of code scanners")
    given = parser.parse_args(argv)
    if not pathlib.Path(given.path).exists():
        parser.error(f"there is no {given.path}")
    from msjax import install  # from here on `import mindspore` means msjax

    install()
    report = scan(given.path)
    if not report["files"] and not report["unreadable"]:
        parser.error(f"there are no Python files or notebooks in {given.path}")
    if given.html:
        pathlib.Path(given.html).write_text(page(report, given.path), encoding="utf-8")
    if given.sarif:
        pathlib.Path(given.sarif).write_text(json.dumps(sarif(report), indent=1), encoding="utf-8")
    print(json.dumps(report, indent=1) if given.json else "\n".join(_listed(report, given.all)))
    bad = any(r["status"] in ("missing", "refused") for part in PARTS for r in report[part].values())
    return 1 if bad or report["unreadable"] else 0
