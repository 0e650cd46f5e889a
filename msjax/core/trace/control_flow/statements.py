"""Rewriting statements: blocks become closures, and control flow calls of `runtime` with them."""

import ast
import copy
from typing import Any

from .expressions import Expressions, is_static, parameters
from .jumps import PREFIX, SCOPES, CannotConvert, assign, at, load, lower, walk_scope
from .names import stored

_SEES_FRAME, _SEES_FRAME_BARE = {"locals", "eval", "exec"}, {"vars", "dir"}
_INPLACE = {
    ast.Add: "iadd",
    ast.Sub: "isub",
    ast.Mult: "imul",
    ast.MatMult: "imatmul",
    ast.Div: "itruediv",
    ast.FloorDiv: "ifloordiv",
    ast.Mod: "imod",
    ast.Pow: "ipow",
    ast.LShift: "ilshift",
    ast.RShift: "irshift",
    ast.BitOr: "ior",
    ast.BitXor: "ixor",
    ast.BitAnd: "iand",
}


class Function(Expressions):
    """Rewrites one function; inner functions get an instance of their own."""

    def __init__(self, counter: Any = None, bound: set = ()):
        self.counter = counter if counter is not None else [0]
        self.own_names = bound  # names that are not those of the module or of functions around the outermost function
        self.globals, self.nonlocals, self.bound, self.first_argument = set(), set(), {}, None

    # --- functions
    def top(self, node: ast.AST):
        """The function without its decorators, defaults and annotations, which run when it is defined."""
        a = node.args
        a.defaults, a.kw_defaults = [], [None] * len(a.kwonlyargs)
        if isinstance(node, ast.Lambda):
            self._arguments_of(a)
            return at(node, ast.Lambda(a, self.visit(node.body)))
        node.decorator_list, node.returns = [], None
        for arg in (*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg))):
            arg.annotation = None
        if getattr(node, "type_params", None):
            node.type_params = []
        return self._body(node)

    def _arguments_of(self, a):
        positional = [*a.posonlyargs, *a.args]
        self.first_argument = positional[0].arg if positional else None

    def _body(self, node):
        own = [n for s in node.body for n in walk_scope(s)]
        if any(isinstance(n, (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)) for n in own):
            raise CannotConvert("a generator or a coroutine")
        self._arguments_of(node.args)
        for n in own:
            if isinstance(n, ast.Global):
                self.globals.update(n.names)
            elif isinstance(n, ast.Nonlocal):
                self.nonlocals.update(n.names)
            elif (
                isinstance(n, ast.Call)
                and isinstance(n.func, ast.Name)
                and (n.func.id in _SEES_FRAME or n.func.id in _SEES_FRAME_BARE and not n.args)
            ):
                raise CannotConvert("it looks at its own frame")
        document = node.body[:1] if ast.get_docstring(node, clean=False) is not None else []
        rest = self._owned(node, node.body[len(document) :])
        body = self._block(lower(rest, self._fresh, bool(self.nonlocals))) if rest else []
        # Bind the blocks' variables in the function, without a value: `nonlocal` needs it.
        bound = [ast.Name(n, ast.Store()) for n in self.bound if n not in self.nonlocals]
        binding = [at(node, ast.If(ast.Constant(False), [ast.Assign(bound, ast.Constant(None))], []))] if bound else []
        head = [at(node, s) for s in self._declared(sorted(self.globals), sorted(self.nonlocals))]
        node.body = [*document, *head, *binding, *body] or [at(node, ast.Pass())]
        return node

    def _owned(self, function, statements):
        """The statements, with `x = x` before each `x[i] = v` of a variable of the function's own: x gets a Tensor that is no other's."""
        a = function.args
        given = {arg.arg for arg in (*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg)))}
        own = given | set(stored(function.body)) - self.globals - self.nonlocals
        return _Owning(own).block(statements)

    def _declared(self, module_names, outer_names):
        """`global` and `nonlocal` statements, and the note that these variables may change."""
        if not module_names and not outer_names:
            return []
        refer = ast.Lambda(parameters(()), ast.Tuple([load(n) for n in outer_names], ast.Load()))
        note = ast.Expr(self._runtime_call("touch_variables", refer, *map(ast.Constant, module_names)))
        return [
            *([ast.Global(module_names)] if module_names else []),
            *([ast.Nonlocal(outer_names)] if outer_names else []),
            note,
        ]

    def _fresh(self, kind):
        self.counter[0] += 1
        return f"{PREFIX}{kind}_{self.counter[0]}"

    def visit_FunctionDef(self, node: ast.AST):
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        try:
            return Function(self.counter, self.own_names)._body(copy.deepcopy(node))
        except CannotConvert:
            return Generator(self.counter, self.own_names)._body(node) if _yields(node) else node

    def visit_AsyncFunctionDef(self, node: ast.AST):
        return node

    def visit_ClassDef(self, node: ast.AST):
        return node  # its methods are converted when they are called

    def visit_Lambda(self, node: ast.AST):
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        if not any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(node.body)):
            inner = Function(self.counter, self.own_names)
            inner._arguments_of(node.args)
            node.body = inner.visit(node.body)
        return node

    # --- blocks
    def _block(self, statements):
        out = []
        for s in statements:
            new = self.visit(s)
            out += new if isinstance(new, list) else [new] if new is not None else []
        return out

    def _closure(self, origin, kind, nodes, body, arguments=(), extra=()):
        """(name, function definition) of a block that became a function. `nodes`: whose variables it shares."""
        names = [n for n in dict.fromkeys([*stored(nodes), *extra]) if n not in arguments]
        shared = [n for n in names if n not in self.globals]
        head = self._declared(sorted(set(names) & self.globals), [])
        if shared:
            head.append(ast.Nonlocal(shared))
            self.bound.update(dict.fromkeys(shared))
        name = self._fresh(kind)
        definition = ast.FunctionDef(name, parameters(arguments), [*head, *body] or [ast.Pass()], [])
        if "type_params" in ast.FunctionDef._fields:
            definition.type_params = []
        return name, at(origin, definition)

    def visit_If(self, node: ast.AST):
        if hasattr(node.test, "known"):
            node.test = at(node.test, ast.Constant(node.test.known))
        if is_static(node.test):
            node.test = self.visit(node.test)
            node.body, node.orelse = self._block(node.body) or [at(node, ast.Pass())], self._block(node.orelse)
            return node
        nodes = [*node.body, *node.orelse]
        names = stored(nodes)
        then, definition = self._closure(node, "then", (), self._block(node.body), extra=names)
        out, branches = [definition], [load(then)]
        if node.orelse:
            orelse, definition = self._closure(node, "else", (), self._block(node.orelse), extra=names)
            out.append(definition)
            branches.append(load(orelse))
        call = self._runtime_call("if_", self.visit(node.test), *branches)
        return [*out, at(node.test, ast.Expr(call))]

    def visit_While(self, node: ast.AST):
        nodes = [node.test, *node.body]
        names = stored(nodes)
        test, test_definition = self._closure(node, "test", (), [ast.Return(self.visit(node.test))], extra=names)
        body, definition = self._closure(node, "body", (), self._block(node.body), extra=names)
        call = self._runtime_call("while_", load(test), load(body))
        return [test_definition, definition, at(node.test, ast.Expr(call)), *self._block(node.orelse)]

    def visit_For(self, node: ast.AST):
        go_on = getattr(node, "go_on", None)
        ranged = (
            isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range"
        )
        if (
            go_on is None
            and not ranged
            and isinstance(node.target, (ast.Name, ast.Tuple, ast.List))
            and not _is_composite(node.target)
        ):
            node.iter = self.visit(node.iter)
            node.body, node.orelse = self._block(node.body), self._block(node.orelse)
            return node
        item = PREFIX + "item"
        take = at(node, ast.Assign([node.target], load(item)))
        nodes = [take, *node.body]
        names = stored(nodes)
        body, definition = self._closure(node, "body", (), self._block(nodes), (item,), extra=names)
        out, arguments = [definition], [self.visit(node.iter), load(body)]
        if go_on is not None:
            test, test_definition = self._closure(node, "test", (), [ast.Return(self.visit(go_on))], extra=names)
            out.append(test_definition)
            arguments.append(load(test))
        call = self._runtime_call("for_", *arguments)
        return [*out, at(node.iter, ast.Expr(call)), *self._block(node.orelse)]

    def visit_Try(self, node: ast.AST):
        self.generic_visit_blocks(node)
        if node.handlers:
            # What asks for staging must pass through the user's `except Exception`.
            node.handlers.insert(0, at(node, ast.ExceptHandler(self._runtime("PASS_THROUGH"), None, [ast.Raise()])))
        return node

    def generic_visit_blocks(self, node: ast.AST):
        for field in ("body", "orelse", "finalbody"):
            setattr(node, field, self._block(getattr(node, field)))
        for handler in node.handlers:
            handler.type = handler.type and self.visit(handler.type)
            handler.body = self._block(handler.body)
        return node

    visit_TryStar = generic_visit_blocks

    def visit_With(self, node: ast.AST):
        for item in node.items:
            item.context_expr = at(item.context_expr, self._runtime_call("enter", self.visit(item.context_expr)))
        node.body = self._block(node.body)
        return node

    def visit_Match(self, node: ast.AST):
        node.subject = self.visit(node.subject)
        for case in node.cases:
            case.guard = case.guard and self.visit(case.guard)
            case.body = self._block(case.body)
        return node

    def visit_Global(self, node: ast.AST):
        return None  # said once at the head of the function

    visit_Nonlocal = visit_Global

    def visit_Assert(self, node: ast.AST):
        test = self.visit(node.test)
        node.test = test if is_static(node.test) else self._runtime_call("truth", test)
        node.msg = node.msg and self.visit(node.msg)
        return at(node, node)

    # --- assignment
    def visit_Assign(self, node: ast.AST):
        if hasattr(node, "owning"):
            node.value = at(node, self._runtime_call("own", node.value))
            return node
        value = self.visit(node.value)
        if not any(_is_composite(t) for t in node.targets):
            node.value = value
            return node
        if len(node.targets) == 1 and isinstance(node.targets[0], (ast.Attribute, ast.Subscript)):
            return self._store(node, node.targets[0], value)
        name = self._fresh("value")
        out = [at(node, assign(name, value))]
        for target in node.targets:
            out += self._assign_to(node, target, load(name))
        return out

    def _assign_to(self, node, target, value):
        if isinstance(target, (ast.Attribute, ast.Subscript)):
            return [self._store(node, target, value)]
        if not _is_composite(target):
            return [at(node, ast.Assign([target], value))]
        parts, later = [], []  # a, (x.b, *c[0]) = value: take it apart into names, then store these
        for element in target.elts:
            starred = isinstance(element, ast.Starred)
            inner = element.value if starred else element
            if _is_composite(inner):
                name = self._fresh("part")
                later.append((inner, name))
                inner = ast.Name(name, ast.Store())
            parts.append(ast.Starred(inner, ast.Store()) if starred else inner)
        out = [at(node, ast.Assign([ast.Tuple(parts, ast.Store())], value))]
        for inner, name in later:
            out += self._assign_to(node, inner, load(name))
        return out

    def _store(self, node, target, value):
        if isinstance(target, ast.Attribute):
            call = self._runtime_call("setattr_", value, self.visit(target.value), ast.Constant(target.attr))
        else:
            call = self._store_item(target, value, self._reached(target.value), self._key(target.slice))
        return at(node, ast.Expr(call))  # the value comes first: Python computes it before the target's parts

    def _store_item(self, target, value, owner, key):
        """The call that stores an item; `x[i][j] = v` writes to x, too."""
        levels, above = 0, target.value
        while isinstance(above, ast.Subscript):
            levels, above = levels + 1, above.value
        if not levels:
            return self._runtime_call("setitem", value, owner, key)
        return self._runtime_call("setitem_through", value, owner, key, ast.Constant(levels))

    def visit_AnnAssign(self, node: ast.AST):
        # Without the annotation, which a `nonlocal` name must not have.
        return (
            self.visit_Assign(at(node, ast.Assign([node.target], node.value))) if node.value else at(node, ast.Pass())
        )

    def visit_AugAssign(self, node: ast.AST):
        value, target = self.visit(node.value), node.target
        operator = ast.Constant(_INPLACE[type(node.op)])
        if isinstance(target, ast.Name):
            old = load(target.id)
            if target.id in self.globals or target.id in self.nonlocals:
                old = self._runtime_call("reached", old)
            call = self._runtime_call("inplace_variable", operator, old, value)
            return at(node, assign(target.id, call))
        owner = self._fresh("owner")
        change = isinstance(target, ast.Subscript)
        out = [at(node, assign(owner, self._reached(target.value) if change else self.visit(target.value)))]
        if isinstance(target, ast.Attribute):
            old = self._runtime_call("load", load(owner), ast.Constant(target.attr), self._runtime("reached"))
            call = self._runtime_call(
                "setattr_", self._runtime_call("inplace", operator, old, value), load(owner), ast.Constant(target.attr)
            )
        else:
            key = self._fresh("key")
            out.append(at(node, assign(key, self._key(target.slice))))
            old = self._runtime_call("item", load(owner), load(key))
            call = self._store_item(target, self._runtime_call("inplace", operator, old, value), load(owner), load(key))
        return [*out, at(node, ast.Expr(call))]

    def visit_Delete(self, node: ast.AST):
        out = []
        for target in node.targets:
            if isinstance(target, ast.Attribute):
                call = self._runtime_call("delattr_", self.visit(target.value), ast.Constant(target.attr))
                out.append(at(node, ast.Expr(call)))
            elif isinstance(target, ast.Subscript):
                out.append(
                    at(node, ast.Expr(self._runtime_call("delitem", self.visit(target.value), self._key(target.slice))))
                )
            else:
                out.append(at(node, ast.Delete([target])))
        return out


class Generator(Function):
    """Rewrites a generator: its reads and changes are noted, its control flow stays as it is."""

    def _body(self, node):
        self._arguments_of(node.args)
        self.globals, self.nonlocals = set(), set()
        for n in (n for s in node.body for n in walk_scope(s)):
            if isinstance(n, (ast.Global, ast.Nonlocal)):
                (self.globals if isinstance(n, ast.Global) else self.nonlocals).update(n.names)
        head = [at(node, s) for s in self._declared(sorted(self.globals), sorted(self.nonlocals))]
        node.body = [*head, *self._block(self._owned(node, node.body))]
        return node

    def _block(self, statements):
        return super()._block(statements) or [at(statements[0], ast.Pass())] if statements else []

    def visit_If(self, node: ast.AST):
        node.test = self.visit(node.test)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        return node

    visit_While = visit_If

    def visit_For(self, node: ast.AST):
        node.iter = self.visit(node.iter)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        return node

    def _plain(self, node):
        return ast.NodeTransformer.generic_visit(self, node)

    visit_BoolOp = visit_UnaryOp = visit_IfExp = visit_Compare = visit_Assert = _plain


class _Owning:
    """Puts `x = x`, marked as `owning`, before each statement that stores an item of x, one of these variables."""

    def __init__(self, variables: set):
        self.variables = variables

    def block(self, statements):
        return [new for s in statements for new in self._statement(s)]

    def _statement(self, node):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
        )
        names = dict.fromkeys(n for t in targets for n in _changed_names(t) if n in self.variables)
        for name in names:
            note = at(node, assign(name, load(name)))
            note.owning = True
            yield note
        if not isinstance(node, SCOPES):
            for part in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                for field in ("body", "orelse", "finalbody"):
                    if isinstance(getattr(part, field, None), list):
                        setattr(part, field, self.block(getattr(part, field)))
        yield node


def _changed_names(target):
    """The variables whose items an assignment target names: x of `x[i]` and of `x[i][j]`."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return [n for t in target.elts for n in _changed_names(t)]
    if isinstance(target, ast.Starred):
        return _changed_names(target.value)
    changed = isinstance(target, ast.Subscript)
    while isinstance(target, ast.Subscript):
        target = target.value
    return [target.id] if changed and isinstance(target, ast.Name) else []


def _yields(function):
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for s in function.body for n in walk_scope(s))


def _is_composite(target):
    """Whether an assignment target is, or holds, an attribute or an item."""
    return any(isinstance(n, (ast.Attribute, ast.Subscript)) for n in ast.walk(target) if not isinstance(n, SCOPES))
