"""Make a failing program smaller: statements are left out, bodies take the place of their `if` or `for`, as long as it fails alike."""

import ast


def shrink(case, fails, budget=80):
    """The smallest case found.

    Args:
        case: a dict with `source` and `steps`.
        fails: case -> whether it still fails in the same way.
        budget: how often `fails` may be asked.
    """
    changed = True
    while changed and budget > 0:
        changed = False
        for smaller in _smaller(case):
            budget -= 1
            if budget <= 0:
                break
            if fails(smaller):
                case, changed = smaller, True
                break
    return case


def _smaller(case):
    """Cases with one step or one statement less, the larger ones first."""
    steps = case["steps"]
    if len(steps) > 1:
        for i in range(len(steps)):
            yield {**case, "steps": steps[:i] + steps[i + 1 :]}
    if len(case.get("modes", "..")) > 1:
        for mode in ("pynative", "graph"):
            yield {**case, "modes": [mode]}
    count = len(_places(ast.parse(case["source"])))
    for i in range(count):
        for inline in (False, True):
            tree = ast.parse(case["source"])
            body, index = _places(tree)[i]
            node = body[index]
            inner = getattr(node, "body", None) if inline and isinstance(node, (ast.If, ast.For, ast.While)) else None
            if inline and inner is None:
                continue
            body[index : index + 1] = inner or []
            if not body:
                body.append(ast.Pass())
            text = ast.unparse(tree) + "\n"
            if text != case["source"]:
                yield {**case, "source": text}


def _places(tree):
    """[(list of statements, index)] of every statement, the longest first."""
    found = []
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            body = getattr(node, field, None)
            if isinstance(body, list):
                found += [(body, i) for i, s in enumerate(body) if not isinstance(s, ast.Pass)]
    return sorted(found, key=lambda place: -len(ast.unparse(place[0][place[1]])))
