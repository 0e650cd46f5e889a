"""From the source of a function to its nodes: each statement that is not a plain call is taken apart into calls of one level.

    x = self.relu(self.fc1(x))      ->      fc1_var = self.fc1(x)
                                            x = self.relu(fc1_var)

Operands are taken out from left to right, so the order of evaluation stays; what may not be evaluated (the right side of `and`, the
branches of `a if c else b`, lambdas and comprehensions) is kept as it stands, as is each statement of another form (a Python node).
"""

import ast
import inspect
import textwrap
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..core import syntax
from ..core.operators.primitive import Primitive
from ..nn import Cell
from .node import Block, Node, call_text, kind_of_cell
from .values import NodeType, ScopedValue, ValueType

if TYPE_CHECKING:
    from .symbol_tree import SymbolTree

__all__ = ["Names", "Parser", "function_source"]

_BINARY = {
    ast.Add: ("add", "+"),
    ast.Sub: ("sub", "-"),
    ast.Mult: ("mult", "*"),
    ast.Div: ("div", "/"),
    ast.FloorDiv: ("floordiv", "//"),
    ast.Mod: ("mod", "%"),
    ast.Pow: ("pow", "**"),
    ast.LShift: ("lshift", "<<"),
    ast.RShift: ("rshift", ">>"),
    ast.BitOr: ("bitor", "|"),
    ast.BitXor: ("bitxor", "^"),
    ast.BitAnd: ("bitand", "&"),
    ast.MatMult: ("matmult", "@"),
}
_UNARY = {ast.UAdd: ("uadd", "+"), ast.USub: ("usub", "-"), ast.Not: ("not", "not "), ast.Invert: ("invert", "~")}
_COMPARE = {
    ast.Eq: ("eq", "=="),
    ast.NotEq: ("noteq", "!="),
    ast.Lt: ("lt", "<"),
    ast.LtE: ("lte", "<="),
    ast.Gt: ("gt", ">"),
    ast.GtE: ("gte", ">="),
    ast.Is: ("is", "is"),
    ast.IsNot: ("isnot", "is not"),
    ast.In: ("in", "in"),
    ast.NotIn: ("notin", "not in"),
}
_BOOL = {ast.And: "and", ast.Or: "or"}


class Names:
    """Names in use: `unique` gives a new one, `name`, `name_1`, `name_2`, ..."""

    def __init__(self, used: Sequence[str] = ()):
        self._used, self._next = set(used), {}

    def unique(self, name: str):
        wanted, number = name, self._next.get(name, 0)
        while wanted in self._used:
            number += 1
            wanted = f"{name}_{number}"
        self._next[name] = number
        self._used.add(wanted)
        return wanted

    def use(self, name: str):
        """Note a name that the source uses, so that no new variable gets it."""
        self._used.add(name)


class _OutOfClass(ast.NodeTransformer):
    """Syntax that has its meaning only within its class: `super()` and private names (`self.__x`)."""

    def __init__(self, owner):
        self.owner = owner

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            node.args = [ast.Name(self.owner.__name__), ast.Name("self")]
        return node

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if node.attr.startswith("__") and not node.attr.endswith("__"):
            node.attr = f"_{self.owner.__name__.lstrip('_')}{node.attr}"
        return node


def function_source(function: Callable, owner: Any = None):
    """The parsed definition of a function (of the class `owner`); None where it has no source of its own, such as a lambda."""
    try:
        tree = syntax.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return None
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef) or definition.decorator_list:
        return None
    return ast.fix_missing_locations(_OutOfClass(owner).visit(definition)) if owner is not None else definition


class Parser:
    """Reads one function into a Block.

    Args:
        tree: the SymbolTree. function: the function, with its globals. definition: its parsed source.
    """

    def __init__(self, tree: "SymbolTree", function: Callable, definition: ast.FunctionDef):
        self.tree, self.definition = tree, definition
        self.scope = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
        self.locals = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        self.locals |= {a.arg for a in ast.walk(definition.args) if isinstance(a, ast.arg)}
        for name in self.locals:
            tree.variables.use(name)

    def block(self, function: Callable | None = None):
        """The Block of the whole function: its arguments, then its statements. `function`: the function, None for `construct`."""
        block = Block(self.tree)
        block.function, block.definition = function, self.definition
        arguments = self.definition.args
        positional = [*arguments.posonlyargs, *arguments.args]
        for argument in [
            *positional,
            *filter(None, [arguments.vararg]),
            *arguments.kwonlyargs,
            *filter(None, [arguments.kwarg]),
        ]:
            if argument.arg != "self":
                target = ScopedValue.create_naming_value(argument.arg)
                self._add(block, NodeType.Input, f"input_{argument.arg}", [target])
        self._statements(block, self.definition.body)
        return block

    def _add(
        self, block, kind, name, targets=(), args=(), kwargs=None, instance=None, render=None, blocks=(), tree=None
    ):
        node = Node.make(kind, self.tree.names.unique(name), targets, args, kwargs, instance, render, blocks, tree)
        block.add(node)
        return node

    # --- statements
    def _statements(self, block, statements):
        for number, statement in enumerate(statements):
            if number == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue  # a docstring
            getattr(self, f"_{type(statement).__name__}", self._python)(block, statement)

    def _python(self, block, statement):
        text = ast.unparse(statement)
        self._add(block, NodeType.Python, type(statement).__name__, render=lambda a, k: text)

    def _Pass(self, block, statement):
        pass  # an empty block prints its own

    def _Assign(self, block, statement):
        targets = self._targets(statement.targets)
        if targets is None or not self._expression(block, statement.value, targets):
            self._python(block, statement)

    def _targets(self, targets):
        """ScopedValues of the left side; None where it is of another form than `a`, `a, b`, `self.a`, `a[i]`."""
        if len(targets) != 1:
            return None
        target = targets[0]
        if isinstance(target, ast.Tuple):
            return [_named(e) for e in target.elts] if all(_is_name(e) for e in target.elts) else None
        return [_named(target)] if _is_name(target) else [_kept(target)] if isinstance(target, ast.Subscript) else None

    def _Return(self, block, statement):
        args = [self._operand(block, statement.value)] if statement.value is not None else []
        self._add(block, NodeType.Output, "return", args=args, render=lambda a, k: " ".join(["return", *a]))

    def _If(self, block, statement):
        test = self._operand(block, statement.test)
        self._branch(block, "if_node", [test], lambda a, k: f"if {a[0]}:", statement.body)
        if statement.orelse:
            self._branch(block, "else_node", [test], lambda a, k: "else:", statement.orelse)

    def _For(self, block, statement):
        over, target = self._operand(block, statement.iter, containers=True), ast.unparse(statement.target)
        self._branch(block, "for_node", [over], lambda a, k: f"for {target} in {a[0]}:", statement.body)
        if statement.orelse:
            self._branch(block, "else_node", [over], lambda a, k: "else:", statement.orelse)

    def _While(self, block, statement):
        test = _kept(statement.test)  # evaluated again at each turn
        self._branch(block, "while_node", [test], lambda a, k: f"while {a[0]}:", statement.body)
        if statement.orelse:
            self._branch(block, "else_node", [test], lambda a, k: "else:", statement.orelse)

    def _branch(self, block, name, args, render, body):
        inner = Block(self.tree, block.root)
        self._statements(inner, body)
        self._add(block, NodeType.ControlFlow, name, args=args, render=render, blocks=[inner])

    # --- expressions
    def _operand(self, block, expression, containers=False):
        """The value of an expression: as it stands if it is a name or a constant, else the target of a new node."""
        if isinstance(expression, ast.Constant):
            return ScopedValue.create_variable_value(expression.value)
        if _is_name(expression) and not (containers and isinstance(self._resolve(expression), Cell)):
            return _named(expression)
        name = _temporary(expression)
        if name is None:
            return _kept(expression)
        target = ScopedValue.create_naming_value(self.tree.variables.unique(name))
        return target if self._expression(block, expression, [target]) else _kept(expression)

    def _expression(self, block, expression, targets):
        """Add the node `targets = expression`; False where it has to be kept as it stands."""
        read = getattr(self, f"_value_{type(expression).__name__}", None)
        return read is not None and read(block, expression, targets)

    def _value_Call(self, block, call, targets):
        if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
            return False
        function = call.func
        if isinstance(function, ast.Attribute) and not _is_name(function):
            receiver = self._operand(block, function.value)
            function = ast.Attribute(syntax.parse(receiver.source(), mode="eval").body, function.attr)
        elif not _is_name(function):
            function = syntax.parse(self._operand(block, function).source(), mode="eval").body
        callee = self._resolve(function)
        args = [self._operand(block, a) for a in call.args]
        kwargs = {k.arg: self._operand(block, k.value) for k in call.keywords}
        text = ast.unparse(function)
        name = function.attr if isinstance(function, ast.Attribute) else text
        kind, tree, blocks = NodeType.CallFunction, None, []
        if isinstance(callee, Cell):
            kind, tree, blocks = self._inside(callee, args, targets)
        elif isinstance(callee, Primitive):
            kind = NodeType.CallPrimitive
        else:
            blocks = self.tree.body_of(callee)
        node = self._add(block, kind, name, targets, args, kwargs, callee, None, blocks, tree)
        node.render = lambda a, k: call_text(node.function or text, a, k)
        return True

    def _cells(self, container, args, targets):
        """The Cells of a SequentialCell or CellList as nodes."""
        block = Block(self.tree)
        block.container = container
        for cell in container:
            kind, tree, inner = self._inside(cell, args, targets)
            name = type(cell).__name__
            self._add(
                block, kind, name, targets, args, None, cell, lambda a, k, name=name: call_text(name, a, k), inner, tree
            )
        return block

    def _inside(self, cell, args, targets):
        """(kind, SymbolTree or None, blocks) of the call of a Cell; a network without source is a plain call."""
        kind = kind_of_cell(cell)
        if kind is NodeType.Tree:
            tree = self.tree.subtree(cell)
            return (NodeType.CallCell if tree is None else kind), tree, []
        return kind, None, [self._cells(cell, args, targets)] if kind is NodeType.CellContainer else []

    def _value_Attribute(self, block, expression, targets):
        cell = self._resolve(expression)
        text = ast.unparse(expression)
        if isinstance(cell, Cell) and kind_of_cell(cell) is NodeType.CellContainer:
            cells = self._cells(cell, [], targets)
            self._add(
                block, NodeType.CellContainer, text, targets, instance=cell, render=lambda a, k: text, blocks=[cells]
            )
        else:
            self._add(
                block, NodeType.CallMethod, "attribute_assign", targets, [_named(expression)], render=lambda a, k: a[0]
            )
        return True

    def _value_Name(self, block, expression, targets):
        self._add(block, NodeType.CallMethod, "name_assign", targets, [_named(expression)], render=lambda a, k: a[0])
        return True

    def _value_Constant(self, block, expression, targets):
        value = ScopedValue.create_variable_value(expression.value)
        self._add(block, NodeType.CallMethod, "constant_assign", targets, [value], render=lambda a, k: a[0])
        return True

    def _value_BinOp(self, block, expression, targets):
        name, sign = _BINARY[type(expression.op)]
        args = [self._operand(block, expression.left), self._operand(block, expression.right)]
        self._add(block, NodeType.MathOps, f"binop_{name}", targets, args, render=_infix(sign))
        return True

    def _value_UnaryOp(self, block, expression, targets):
        name, sign = _UNARY[type(expression.op)]
        args = [self._operand(block, expression.operand)]
        self._add(block, NodeType.MathOps, f"unaryop_{name}", targets, args, render=lambda a, k: sign + _enclosed(a[0]))
        return True

    def _value_Compare(self, block, expression, targets):
        if len(expression.ops) != 1:
            return False
        name, sign = _COMPARE[type(expression.ops[0])]
        args = [self._operand(block, expression.left), self._operand(block, expression.comparators[0])]
        self._add(block, NodeType.MathOps, f"compare_{name}", targets, args, render=_infix(sign))
        return True

    def _value_BoolOp(self, block, expression, targets):
        sign = _BOOL[type(expression.op)]
        first, *rest = expression.values
        args = [self._operand(block, first)]
        args += [_named(e) if _is_name(e) else _kept(e) for e in rest]  # evaluated only if the first does not decide
        self._add(block, NodeType.MathOps, f"boolop_{sign}", targets, args, render=_infix(sign))
        return True

    def _value_Tuple(self, block, expression, targets, name="tuple", brackets="()"):
        if any(isinstance(e, ast.Starred) for e in expression.elts):
            return False
        args = [self._operand(block, e) for e in expression.elts]

        def render(a, k):
            return f"{brackets[0]}{', '.join(a)}{',' if brackets == '()' and len(a) == 1 else ''}{brackets[1]}"

        self._add(block, NodeType.CallMethod, name, targets, args, render=render)
        return True

    def _value_List(self, block, expression, targets):
        return self._value_Tuple(block, expression, targets, "list", "[]")

    def _value_Dict(self, block, expression, targets):
        keys = [k.value if isinstance(k, ast.Constant) else None for k in expression.keys]
        if not all(isinstance(k, str) for k in keys) or len(set(keys)) != len(keys):
            return False
        kwargs = {key: self._operand(block, value) for key, value in zip(keys, expression.values)}
        inside = lambda a, k: "{" + ", ".join(f"{key!r}: {text}" for key, text in k.items()) + "}"  # noqa: E731
        self._add(block, NodeType.CallMethod, "dict", targets, kwargs=kwargs, render=inside)
        return True

    def _value_Subscript(self, block, expression, targets):
        self._add(block, NodeType.CallMethod, "subscript_var", targets, [_kept(expression)], render=lambda a, k: a[0])
        return True

    def _resolve(self, expression):
        """The object that a name or an attribute means before the network runs; None where that is not known."""
        if isinstance(expression, ast.Name):
            if expression.id == "self":
                return self.tree.network
            return None if expression.id in self.locals else self.scope.get(expression.id)
        if isinstance(expression, ast.Attribute):
            owner = self._resolve(expression.value)
            return getattr(owner, expression.attr, None) if isinstance(owner, (Cell, types.ModuleType)) else None
        return None


def _is_name(expression):
    """Whether it is a name or attributes of a name: `x`, `self.fc`, `ops.abs`."""
    while isinstance(expression, ast.Attribute):
        expression = expression.value
    return isinstance(expression, ast.Name)


def _named(expression):
    scope, _, name = ast.unparse(expression).rpartition(".")
    return ScopedValue.create_naming_value(name, scope)


def _kept(expression):
    return ScopedValue(ValueType.UnsupportedValue, "", ast.unparse(expression))


def _enclosed(text):
    """In brackets if it is more than one term, so that an operator beside it binds as it did."""
    return (
        text
        if isinstance(syntax.parse(text, mode="eval").body, (ast.Name, ast.Attribute, ast.Constant, ast.Subscript))
        else f"({text})"
    )


def _infix(sign):
    return lambda a, k: f" {sign} ".join(_enclosed(text) for text in a)


def _temporary(expression):
    """The name of the variable for the value of an inner expression; None where the expression is kept as it stands."""
    if isinstance(expression, ast.Call):
        function = expression.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "function")
        return f"{name}_var"
    if isinstance(expression, ast.BinOp):
        return f"{_BINARY[type(expression.op)][0]}_var"
    if isinstance(expression, ast.UnaryOp):
        return f"{_UNARY[type(expression.op)][0]}_var"
    if isinstance(expression, ast.BoolOp):
        return f"{_BOOL[type(expression.op)]}_var"
    if isinstance(expression, ast.Attribute):
        return ast.unparse(expression).replace(".", "_") if _is_name(expression) else None
    kinds = {ast.Compare: "compare", ast.Tuple: "tuple", ast.List: "list", ast.Dict: "dict", ast.Subscript: "subscript"}
    kind = kinds.get(type(expression))
    return f"{kind}_var" if kind else None
