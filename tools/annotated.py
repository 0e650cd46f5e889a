"""How many parameters of public functions say their type: `python tools/annotated.py [--missing]`.

A function is public if neither its name nor its class's begins with `_`; `__init__`, `__new__` and `__call__` count, `self` and `cls` do
not. `Any` is counted apart: it is right only where any object is taken.
"""

import argparse
import ast
import collections
import pathlib

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "msjax"
_SPECIAL = ("__init__", "__new__", "__call__")


def parameters(tree):
    """(dotted name of the function, `ast.arg`) of each parameter of the public functions of a module."""

    def visit(body, prefix, in_class):
        for node in body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield from visit(node.body, f"{prefix}{node.name}.", True)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if node.name.startswith("_") and node.name not in _SPECIAL:
                    continue
                static = any(ast.unparse(d) == "staticmethod" for d in node.decorator_list)
                positional = [*node.args.posonlyargs, *node.args.args][in_class and not static :]
                for arg in (*positional, *node.args.kwonlyargs):
                    yield f"{prefix}{node.name}", arg

    return visit(tree.body, "", False)


def counts():
    """{room: Counter of "all", "annotated", "any"}, and [(place of a parameter without annotation)]."""
    rooms, missing = collections.defaultdict(collections.Counter), []
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE)
        room = rooms[file.parts[0].removesuffix(".py")]
        for function, arg in parameters(ast.parse(path.read_text(encoding="utf-8"))):
            room["all"] += 1
            if arg.annotation is None:
                missing.append(f"{file.as_posix()}:{arg.lineno}: {function}({arg.arg})")
            else:
                room["annotated"] += 1
                room["any"] += ast.unparse(arg.annotation) == "Any"
    return {room: found for room, found in rooms.items() if found}, missing


_PLAIN = {"str": str, "int": int, "float": (int, float), "bool": bool, "tuple": tuple, "list": list, "dict": dict}
_PLAIN["Sequence"], _PLAIN["None"] = (tuple, list, str), type(None)


def _fits(annotation, value):
    """Whether a default is of its annotation's type; True for annotations that are not made of plain types alone."""
    kinds = [ast.unparse(part).partition("[")[0] for part in _parts(annotation)]
    if not all(kind in _PLAIN for kind in kinds):
        return True
    number = isinstance(value, bool) and "bool" not in kinds
    return not number and any(isinstance(value, _PLAIN[kind]) for kind in kinds)


def _parts(annotation):
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = ast.parse(annotation.value, mode="eval").body
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return [*_parts(annotation.left), *_parts(annotation.right)]
    return [annotation]


def misfits(tree):
    """`function(parameter: annotation = default)` for each default that its annotation does not allow."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef):
            continue
        positional = [*node.args.posonlyargs, *node.args.args]
        first = len(positional) - len(node.args.defaults)
        pairs = [*zip(positional[first:], node.args.defaults), *zip(node.args.kwonlyargs, node.args.kw_defaults)]
        for arg, default in pairs:
            if arg.annotation is None or default is None:
                continue
            try:
                value = ast.literal_eval(default)
            except ValueError:
                continue
            if not _fits(arg.annotation, value):
                yield f"{node.name}({arg.arg}: {ast.unparse(arg.annotation)} = {ast.unparse(default)})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--missing", action="store_true", help="list the parameters without annotation")
    told = parser.parse_args()
    rooms, missing = counts()
    total = sum(rooms.values(), collections.Counter())
    for room, found in (*rooms.items(), ("all", total)):
        share = found["annotated"] / found["all"]
        print(f"{room:16} {found['all']:6} parameters, {share:6.1%} annotated, {found['any']:5} of them Any")
    if told.missing:
        print("\n".join(missing))


if __name__ == "__main__":
    main()
