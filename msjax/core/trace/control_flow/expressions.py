"""Rewriting expressions: each becomes a call of `runtime`."""

import ast
import builtins
from collections.abc import Sequence
from typing import Any

from .jumps import PREFIX, at, load

# Calls that look at no content of a Tensor and run no code of the user: not worth a look at run time.
_PLAIN_CALLS = {"issubclass", "callable", "len", "type", "id", "globals"}
# Methods that change a list, dict or set without a look at what is in it.
_BLIND_CHANGES = {"append", "extend", "update", "add", "appendleft", "extendleft", "clear"}
_BUILTINS = frozenset(vars(builtins))
_STATIC_TESTS = {"isinstance", "issubclass", "hasattr", "callable"}
_COMPARE = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


def parameters(names: Sequence[str]):
    """The parameter list of a function that takes these by position."""
    return ast.arguments([], [ast.arg(n) for n in names], None, [], [], None, [])


def _binds_here(node):
    """Whether an expression cannot move into a lambda: a walrus, `await` or `yield` belongs to the function around."""
    return any(isinstance(n, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for n in ast.walk(node))


def is_static(test: Any):
    """Whether a test is concrete, whatever the values of Tensors."""
    if isinstance(test, ast.Constant):
        return True
    if isinstance(test, ast.Compare):
        return all(isinstance(o, (ast.Is, ast.IsNot)) for o in test.ops)
    if isinstance(test, ast.Call):
        return isinstance(test.func, ast.Name) and test.func.id in _STATIC_TESTS
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return is_static(test.operand)
    return isinstance(test, ast.BoolOp) and all(map(is_static, test.values))


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


class Expressions(ast.NodeTransformer):
    """Rewrites expressions. Subclasses set `own_names`, names that are not the module's, and the function's `first_argument`."""

    def _key(self, key):
        """Expression for the key object of a subscript."""
        if isinstance(key, ast.Slice):
            bounds = [part and self.visit(part) or ast.Constant(None) for part in (key.lower, key.upper, key.step)]
            return self._runtime_call("slice", *bounds)
        if isinstance(key, ast.Tuple):
            return ast.Tuple([self._key(e) for e in key.elts], ast.Load())
        return self.visit(key)

    # --- expressions
    def _runtime(self, name):
        return ast.Attribute(load(PREFIX), name, ast.Load())

    def _runtime_call(self, name, *arguments):
        return ast.Call(self._runtime(name), list(arguments), [])

    def _thunk(self, expression):
        return at(expression, ast.Lambda(parameters(()), expression))

    def visit_Name(self, node: ast.AST):
        if isinstance(node.ctx, ast.Load) and self._is_outer(node.id):
            return at(node, self._runtime_call("seen", node))
        return node

    def _is_outer(self, name):
        return name not in self.own_names and name not in _BUILTINS and not name.startswith(PREFIX)

    def visit_Attribute(self, node: ast.AST):
        if not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)
        return at(node, self._runtime_call("load", self.visit(node.value), ast.Constant(node.attr)))

    def visit_Subscript(self, node: ast.AST):
        if not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)
        return at(node, self._runtime_call("getitem", self.visit(node.value), self._key(node.slice)))

    def _reached(self, node):
        """The expression of a list, dict, ... that is changed without a look at its content."""
        if isinstance(node, ast.Name) and self._is_outer(node.id):
            return at(node, self._runtime_call("reached", node))
        if isinstance(node, ast.Attribute):
            reached = self._runtime("reached")
            return at(node, self._runtime_call("load", self.visit(node.value), ast.Constant(node.attr), reached))
        if isinstance(node, ast.Subscript):
            return at(node, self._runtime_call("item", self._reached(node.value), self._key(node.slice)))
        return self.visit(node)

    def visit_BoolOp(self, node: ast.AST):
        if is_static(node) or _binds_here(node):
            return self.generic_visit(node)
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        return at(node, self._runtime_call(name, *[self._thunk(self.visit(v)) for v in node.values]))

    def visit_UnaryOp(self, node: ast.AST):
        if not isinstance(node.op, ast.Not) or is_static(node):
            return self.generic_visit(node)
        return at(node, self._runtime_call("not_", self.visit(node.operand)))

    def visit_IfExp(self, node: ast.AST):
        if is_static(node.test) or _binds_here(node.body) or _binds_here(node.orelse):
            return self.generic_visit(node)
        return at(
            node,
            self._runtime_call(
                "ifexp", self.visit(node.test), self._thunk(self.visit(node.body)), self._thunk(self.visit(node.orelse))
            ),
        )

    def visit_Compare(self, node: ast.AST):
        if (
            len(node.ops) == 1
            and not isinstance(node.ops[0], (ast.In, ast.NotIn))
            or is_static(node)
            or _binds_here(node)
        ):
            return self.generic_visit(node)
        steps = []
        for op, right in zip(node.ops, node.comparators):
            steps += [ast.Constant(_COMPARE[type(op)]), self._thunk(self.visit(right))]
        return at(node, self._runtime_call("compare", self.visit(node.left), *steps))

    def visit_Call(self, node: ast.AST):
        if (
            isinstance(node.func, ast.Name)
            and node.func.id == "super"
            and not node.args
            and not node.keywords
            and self.first_argument
        ):
            # The block that holds this call may have become a function without arguments.
            return at(node, ast.Call(load("super"), [load("__class__"), load(self.first_argument)], []))
        prints = isinstance(node.func, ast.Name) and node.func.id == "print"
        node.args = [self._printed(a) if prints else self.visit(a) for a in node.args]
        node.keywords = [self.visit(k) for k in node.keywords]
        if isinstance(node.func, ast.Name) and node.func.id in _PLAIN_CALLS:
            return node
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr in _BLIND_CHANGES:
            changed = self._reached(func.value)
            func = at(func, self._runtime_call("load", changed, ast.Constant(func.attr)))
        else:
            func = self.visit(func)
        node.func = at(node.func, self._runtime_call("callee", func))
        return node

    def _printed(self, node):
        """An argument of `print`: a text that is made of values there waits until they are known."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and _is_text(node.left):
            return at(node, self._runtime_call("percent_text", node.left, self.visit(node.right)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            if _is_text(node.func.value):
                call = self._runtime_call("formatted_text", node.func.value, *map(self.visit, node.args))
                call.keywords = [self.visit(k) for k in node.keywords]
                return at(node, call)
        if not isinstance(node, ast.JoinedStr):
            return self.visit(node)
        parts = []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                spec = self.visit(part.format_spec) if part.format_spec else ast.Constant("")
                part = ast.Tuple([self.visit(part.value), ast.Constant(part.conversion), spec], ast.Load())
            parts.append(part)
        return at(node, self._runtime_call("joined_text", *parts))

    def visit_List(self, node: ast.AST):
        self.generic_visit(node)
        return at(node, self._runtime_call("made", node)) if isinstance(node.ctx, ast.Load) else node

    def _display(self, node):
        self.generic_visit(node)
        return at(node, self._runtime_call("made", node))

    visit_Dict = visit_Set = visit_ListComp = visit_SetComp = visit_DictComp = _display
