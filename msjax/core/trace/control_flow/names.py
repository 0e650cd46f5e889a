"""Names in a syntax tree: which ones statements bind, and how the compiler writes private ones."""

import ast


class Mangle(ast.NodeTransformer):
    """Private names (`self.__x`) as the compiler writes them inside class `owner`."""

    def __init__(self, owner):
        self.prefix = "_" + owner.lstrip("_") if owner.strip("_") else None

    def name(self, text):
        private = self.prefix and text.startswith("__") and not text.endswith("__") and "." not in text
        return self.prefix + text if private else text

    def generic_visit(self, node):
        for field in ("id", "attr", "arg", "name", "rest", "asname"):
            if isinstance(getattr(node, field, None), str) and not (field == "name" and isinstance(node, ast.alias)):
                setattr(node, field, self.name(getattr(node, field)))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [self.name(n) for n in node.names]
        return super().generic_visit(node)

    def visit_ClassDef(self, node):  # an inner class mangles its own body
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


def stored(nodes):
    """Names that statements bind in the scope of their function, in order (the keys of a dict)."""
    visitor = _Stored()
    for node in nodes:
        visitor.visit(node)
    return visitor.names
