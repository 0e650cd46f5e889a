"""Names in a syntax tree: which ones statements bind, and how the compiler writes private ones."""

import ast
from collections.abc import Callable


class Mangle(ast.NodeTransformer):
    """Private names (`self.__x`) as the compiler writes them inside class `owner`."""

    def __init__(self, owner: str):
        self.prefix = "_" + owner.lstrip("_") if owner.strip("_") else None

    def name(self, text: str):
        private = self.prefix and text.startswith("__") and not text.endswith("__") and "." not in text
        return self.prefix + text if private else text

    def generic_visit(self, node: ast.AST):
        for field in ("id", "attr", "arg", "name", "rest", "asname"):
            if isinstance(getattr(node, field, None), str) and not (field == "name" and isinstance(node, ast.alias)):
                setattr(node, field, self.name(getattr(node, field)))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [self.name(n) for n in node.names]
        return super().generic_visit(node)

    def visit_ClassDef(self, node: ast.AST):  # an inner class mangles its own body
        return node


class _Stored(ast.NodeVisitor):
    """Names that statements bind in the scope of their function."""

    def __init__(self):
        self.names = {}  # a dict keeps the order

    def visit_Name(self, node):
        if not isinstance(node.ctx, ast.Load):
            self.names[node.id] = None

    def visit_FunctionDef(self, node):
        self.names[node.name] = None
        for part in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(part)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self.names[node.name] = None

    def visit_Lambda(self, node):
        for part in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(part)

    def visit_comprehension(self, node):  # its targets are its own; a walrus inside binds here
        self.visit(node.iter)
        for test in node.ifs:
            self.visit(test)

    def visit_alias(self, node):
        self.names[node.asname or node.name.split(".")[0]] = None

    def visit_ExceptHandler(self, node):
        if node.name:
            self.names[node.name] = None
        self.generic_visit(node)

    def visit_MatchAs(self, node):
        if node.name:
            self.names[node.name] = None
        self.generic_visit(node)

    visit_MatchStar = visit_MatchAs

    def visit_MatchMapping(self, node):
        if node.rest:
            self.names[node.rest] = None
        self.generic_visit(node)


def stored(nodes: list[object] | tuple):
    """Names that statements bind in the scope of their function, in order (the keys of a dict)."""
    visitor = _Stored()
    for node in nodes:
        visitor.visit(node)
    return visitor.names


class _Early(_Stored):
    """Names that are read before any statement has bound them."""

    def __init__(self):
        super().__init__()
        self.early = {}

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and node.id not in self.names:
            self.early[node.id] = None
        super().visit_Name(node)

    def visit_Assign(self, node):  # the value first, as it runs
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)

    visit_NamedExpr = visit_AnnAssign = lambda self, node: self._value_first(node)

    def visit_AugAssign(self, node):
        if isinstance(node.target, ast.Name) and node.target.id not in self.names:
            self.early[node.target.id] = None
        self._value_first(node)

    def visit_For(self, node):
        self.visit(node.iter)
        self.visit(node.target)
        for statement in (*node.body, *node.orelse):
            self.visit(statement)

    def _value_first(self, node):
        if node.value is not None:
            self.visit(node.value)
            self.visit(node.target)


def early_reads(function: Callable):
    """Variables of a function that its text reads before it binds them: an UnboundLocalError in Python."""
    a = function.args
    visitor = _Early()
    for node in function.body:
        visitor.visit(node)
    declared = {n for s in ast.walk(function) if isinstance(s, (ast.Global, ast.Nonlocal)) for n in s.names}
    given = {arg.arg for arg in (*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg)))}
    return [name for name in visitor.early if name in visitor.names and name not in declared | given]
