"""Find the syntax tree of a function from its code object: by file, line and, for lambdas, column.

The whole file is parsed once, so every node keeps the line and column that tracebacks of the original code show.
"""

import ast
import linecache
import re
import warnings
from typing import TYPE_CHECKING

from ...syntax import parse

if TYPE_CHECKING:
    import types

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_index_of_file = {}  # file name -> {first line: [(node, name of the enclosing class)]}


def find(code: "types.CodeType", module_globals: dict | None = None):
    """(node, enclosing class name or None) of a function's code object, or None where there is no source for it."""
    candidates = [
        (node, owner)
        for node, owner in _index(code.co_filename, module_globals).get(code.co_firstlineno, ())
        if _name(node) == code.co_name and _same_arguments(node, code)
    ]
    if len(candidates) > 1:
        candidates = [(node, owner) for node, owner in candidates if _covers(node, code)]
    if len(candidates) == 1 and _mentions_names_of(candidates[0][0], code):
        return candidates[0]
    return None


def _index(filename, module_globals):
    if filename not in _index_of_file:
        text = "".join(linecache.getlines(filename, module_globals))
        try:
            with warnings.catch_warnings():  # the user has seen them when the file was compiled
                warnings.simplefilter("ignore")
                tree = parse(text, filename)
        except (SyntaxError, ValueError):  # not Python text (a template, a binary), or none at all
            tree = ast.Module([], [])
        if "@jit.cond" in text:
            _note_conditions(tree, text.splitlines())
        index = {}
        _collect(tree, None, index)
        if not text:
            return index  # a cell of a notebook may get its text later
        _index_of_file[filename] = index
    return _index_of_file[filename]


_CONDITION = re.compile(r"(.*)#\s*@jit\.cond:\s*(True|False)\s*$")


def _note_conditions(tree, lines):
    """Give the test of each `if` with the comment `# @jit.cond: True` (or False) the attribute `known`: graphs take this value for it.

    The comment is behind the test, or alone on the line before.
    """
    found = {i: m for i, line in enumerate(lines, 1) if (m := _CONDITION.match(line))}
    for node in ast.walk(tree):
        if isinstance(node, ast.If):
            before = found.get(node.lineno - 1)
            alone = [before] if before and not before[1].strip() else []
            behind = [found[i] for i in range(node.lineno, node.test.end_lineno + 1) if i in found]
            if behind or alone:
                node.test.known = (behind or alone)[-1][2] == "True"


def _collect(node, owner, index):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _FUNCTIONS):
            decorators = getattr(child, "decorator_list", [])
            line = min([child.lineno] + [d.lineno for d in decorators])
            index.setdefault(line, []).append((child, owner))
        _collect(child, child.name if isinstance(child, ast.ClassDef) else owner, index)


def _name(node):
    return "<lambda>" if isinstance(node, ast.Lambda) else node.name


def _same_arguments(node, code):
    a = node.args
    last = [v for v in (a.vararg, a.kwarg) if v is not None]
    written = [v.arg for v in (*a.posonlyargs, *a.args, *a.kwonlyargs, *last)]
    count = code.co_argcount + code.co_kwonlyargcount + len(last)
    # A private argument `__x` of a method is stored under its mangled name.
    return (
        all(
            s == w or w.startswith("__") and s.endswith(w)
            for w, s in zip(written, code.co_varnames[:count], strict=True)
        )
        if len(written) == count <= len(code.co_varnames)
        else False
    )


def _mentions_names_of(node, code):
    """Whether the node has all names that the code uses. If not, the file was changed after the function was made."""
    names = set()
    for n in ast.walk(node):
        for field in ("id", "attr", "arg", "name", "asname", "module", "rest"):
            value = getattr(n, field, None)
            if isinstance(value, str):
                names.update((value, *value.split(".")))
        names.update(k for k in getattr(n, "kwd_attrs", ()))
    used = (n for n in (*code.co_names, *code.co_varnames) if n[0] not in "@.")  # pytest's and CPython's own
    return all(n in names or "__" in n and n[n.index("__", 1) :] in names for n in used)


def _covers(node, code):
    """Whether the instructions of `code` span just the body of `node` (tells lambdas on one line apart)."""
    body = node.body if isinstance(node, ast.Lambda) else node
    spots = [
        (line, col)
        for line, _, col, _ in code.co_positions()
        if line is not None and col is not None and (line, col) != (code.co_firstlineno, 0)
    ]
    ends = [(end, col) for _, end, _, col in code.co_positions() if end is not None and col is not None and col > 0]
    if not spots:
        return True
    return min(spots) == (body.lineno, body.col_offset) and max(ends) == (body.end_lineno, body.end_col_offset)
