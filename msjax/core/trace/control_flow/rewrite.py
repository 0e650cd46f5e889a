"""Rewrite a function so that its `if`, `while`, `for`, `and`, calls, ... go through `staging`.

    if c:              def cf__then(): nonlocal y; y = x
        y = x          def cf__else(): nonlocal y; y = -x
    else:        ->    cf__.if_(c, cf__then, cf__else)
        y = -x

The blocks become closures over the function's own variables: `staging` reads and writes these through the closures'
cells, and with a concrete condition the function behaves as it always did. The new code keeps file name, lines and
columns of the old one, its globals and its closure cells; `cf__` (the module `runtime`) is one more free variable.
"""

import ast
import builtins
import copy
import types
import warnings

from . import source
from .jumps import PREFIX, SCOPES, CannotConvert, assign, at, load, lower, walk_scope
from .names import Mangle, stored

_FUTURE_FLAGS = 0x1FE0000  # the `from __future__` bits of co_flags
_GENERATES = 0x20
_OPTIMIZED = 0x01  # set for a function body, not for a class body
_SUSPENDS = 0x80 | 0x200  # coroutine, asynchronous generator
# Calls that look at no content of a Tensor and run no code of the user: not worth a look at run time.
_PLAIN_CALLS = {"issubclass", "callable", "len", "type", "id", "globals"}
# Methods that change a list, dict or set without a look at what is in it.
_BLIND_CHANGES = {"append", "extend", "update", "add", "appendleft", "extendleft", "clear"}
_BUILTINS = frozenset(vars(builtins))
_SEES_FRAME, _SEES_FRAME_BARE = {"locals", "eval", "exec"}, {"vars", "dir"}
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


def rewritten_code(code, module_globals):
    """New code object for a function's code, or None where it must stay as it is (no source, a generator, ...)."""
    if code.co_flags & _SUSPENDS:
        return None
    found = source.find(code, module_globals)
    if found is None:
        return None
    node, owner = copy.deepcopy(found[0]), found[1]
    try:
        if owner is not None:
            Mangle(owner).visit(node)
        kind = _Generator if code.co_flags & _GENERATES else _Function
        node = kind(bound=_bound_names(node)).top(node)
        name = code.co_name
        if not isinstance(node, ast.Lambda):
            node.name = name = PREFIX + "function"  # its own name must still mean what it means in the module
        factory = ast.FunctionDef(
            PREFIX + "factory",
            _arguments([PREFIX, *code.co_freevars]),
            [node if isinstance(node, ast.stmt) else ast.Expr(node)],
            [],
        )
        if "type_params" in ast.FunctionDef._fields:
            factory.type_params = []
        module = ast.Module([at(node, factory)], [])
        _shorten_calls(module)
        with warnings.catch_warnings():  # the user has seen them when the file was compiled
            warnings.simplefilter("ignore")
            compiled = compile(module, code.co_filename, "exec", flags=code.co_flags & _FUTURE_FLAGS, dont_inherit=True)
    except (CannotConvert, SyntaxError, RecursionError):
        return None
    inner = next(c for c in compiled.co_consts if isinstance(c, types.CodeType))
    new = next(c for c in inner.co_consts if isinstance(c, types.CodeType) and c.co_name == name)
    return _renamed(new, code.co_name, code.co_qualname)


def _shorten_calls(tree):
    """Let `cf__.name` end on the line where it starts: a method call gets the line on which the attribute ends."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == PREFIX:
            node.end_lineno, node.end_col_offset = node.lineno, node.col_offset + 1


def function_like(fn, code, runtime):
    """`fn` with other code: it shares globals, closure cells, defaults and attributes with `fn`."""
    cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or ()))
    cells[PREFIX] = types.CellType(runtime)
    new = types.FunctionType(
        code, fn.__globals__, fn.__name__, fn.__defaults__, tuple(cells[name] for name in code.co_freevars)
    )
    new.__kwdefaults__, new.__qualname__, new.__doc__, new.__module__ = (
        fn.__kwdefaults__,
        fn.__qualname__,
        fn.__doc__,
        fn.__module__,
    )
    new.__dict__.update(fn.__dict__)
    return new


def nested_codes(code):
    """The code objects of a rewritten function and its inner functions, but not of methods of inner classes."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and constant.co_flags & _OPTIMIZED:
            yield from nested_codes(constant)


def _renamed(code, name, qualname):
    """`code` under the name of the user's function, which blocks that became functions take too, for tracebacks."""
    constants = tuple(
        _renamed(
            c,
            name if c.co_name.startswith(PREFIX) else c.co_name,
            qualname if c.co_name.startswith(PREFIX) else c.co_qualname,
        )
        if isinstance(c, types.CodeType)
        else c
        for c in code.co_consts
    )
    return code.replace(co_name=name, co_qualname=qualname, co_consts=constants)


def _arguments(names):
    return ast.arguments([], [ast.arg(n) for n in names], None, [], [], None, [])


def _binds_here(node):
    """Whether an expression cannot move into a lambda: a walrus, `await` or `yield` belongs to the function around."""
    return any(isinstance(n, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for n in ast.walk(node))


def _bound_names(function):
    """Names that a function, or one inside it, binds: all others are those of its module or of functions around it."""
    names = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (*SCOPES, ast.ExceptHandler, ast.alias, ast.MatchAs, ast.MatchStar)):
            names.update({getattr(node, "name", None), getattr(node, "asname", None)})
    return names


def _static(test):
    """Whether a test is concrete whatever the Tensors hold."""
    if isinstance(test, ast.Constant):
        return True
    if isinstance(test, ast.Compare):
        return all(isinstance(o, (ast.Is, ast.IsNot)) for o in test.ops)
    if isinstance(test, ast.Call):
        return isinstance(test.func, ast.Name) and test.func.id in _STATIC_TESTS
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _static(test.operand)
    return isinstance(test, ast.BoolOp) and all(map(_static, test.values))


class _Function(ast.NodeTransformer):
    """Rewrites one function; inner functions get an instance of their own."""

    def __init__(self, counter=None, bound=()):
        self.counter = counter if counter is not None else [0]
        self.own_names = bound  # names that are not those of the module or of functions around the outermost function
        self.globals, self.nonlocals, self.bound, self.first_argument = set(), set(), {}, None

    # --- functions
    def top(self, node):
        """The function itself, without what runs when it is defined."""
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
        rest = node.body[len(document) :]
        body = self._block(lower(rest, self._fresh, bool(self.nonlocals))) if rest else []
        # Bind the blocks' variables in the function, without a value: `nonlocal` needs it.
        bound = [ast.Name(n, ast.Store()) for n in self.bound if n not in self.nonlocals]
        binding = [at(node, ast.If(ast.Constant(False), [ast.Assign(bound, ast.Constant(None))], []))] if bound else []
        head = [at(node, s) for s in self._declared(sorted(self.globals), sorted(self.nonlocals))]
        node.body = [*document, *head, *binding, *body] or [at(node, ast.Pass())]
        return node

    def _declared(self, module_names, outer_names):
        """`global` and `nonlocal` statements, and the note that these variables may change."""
        if not module_names and not outer_names:
            return []
        refer = ast.Lambda(_arguments(()), ast.Tuple([load(n) for n in outer_names], ast.Load()))
        note = ast.Expr(self._runtime_call("touch_variables", refer, *map(ast.Constant, module_names)))
        return [
            *([ast.Global(module_names)] if module_names else []),
            *([ast.Nonlocal(outer_names)] if outer_names else []),
            note,
        ]

    def _fresh(self, kind):
        self.counter[0] += 1
        return f"{PREFIX}{kind}_{self.counter[0]}"

    def visit_FunctionDef(self, node):
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        try:
            return _Function(self.counter, self.own_names)._body(copy.deepcopy(node))
        except CannotConvert:
            return _Generator(self.counter, self.own_names)._body(node) if _yields(node) else node

    def visit_AsyncFunctionDef(self, node):
        return node

    def visit_ClassDef(self, node):
        return node  # its methods are converted when they are called

    def visit_Lambda(self, node):
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        if not any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(node.body)):
            inner = _Function(self.counter, self.own_names)
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
        definition = ast.FunctionDef(name, _arguments(arguments), [*head, *body] or [ast.Pass()], [])
        if "type_params" in ast.FunctionDef._fields:
            definition.type_params = []
        return name, at(origin, definition)

    def visit_If(self, node):
        if _static(node.test):
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

    def visit_While(self, node):
        nodes = [node.test, *node.body]
        names = stored(nodes)
        test, test_definition = self._closure(node, "test", (), [ast.Return(self.visit(node.test))], extra=names)
        body, definition = self._closure(node, "body", (), self._block(node.body), extra=names)
        call = self._runtime_call("while_", load(test), load(body))
        return [test_definition, definition, at(node.test, ast.Expr(call)), *self._block(node.orelse)]

    def visit_For(self, node):
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

    def visit_Try(self, node):
        self.generic_visit_blocks(node)
        if node.handlers:
            # What asks for staging must pass through the user's `except Exception`.
            node.handlers.insert(0, at(node, ast.ExceptHandler(self._runtime("PASS_THROUGH"), None, [ast.Raise()])))
        return node

    def generic_visit_blocks(self, node):
        for field in ("body", "orelse", "finalbody"):
            setattr(node, field, self._block(getattr(node, field)))
        for handler in node.handlers:
            handler.type = handler.type and self.visit(handler.type)
            handler.body = self._block(handler.body)
        return node

    visit_TryStar = generic_visit_blocks

    def visit_With(self, node):
        for item in node.items:
            item.context_expr = at(item.context_expr, self._runtime_call("enter", self.visit(item.context_expr)))
        node.body = self._block(node.body)
        return node

    def visit_Match(self, node):
        node.subject = self.visit(node.subject)
        for case in node.cases:
            case.guard = case.guard and self.visit(case.guard)
            case.body = self._block(case.body)
        return node

    def visit_Global(self, node):
        return None  # said once at the head of the function

    visit_Nonlocal = visit_Global

    def visit_Assert(self, node):
        test = self.visit(node.test)
        node.test = test if _static(node.test) else self._runtime_call("truth", test)
        node.msg = node.msg and self.visit(node.msg)
        return at(node, node)

    # --- assignment
    def visit_Assign(self, node):
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
            call = self._runtime_call("setitem", value, self._reached(target.value), self._key(target.slice))
        return at(node, ast.Expr(call))  # the value comes first: Python computes it before the target's parts

    def _key(self, key):
        """Expression for the key object of a subscript."""
        if isinstance(key, ast.Slice):
            bounds = [part and self.visit(part) or ast.Constant(None) for part in (key.lower, key.upper, key.step)]
            return self._runtime_call("slice", *bounds)
        if isinstance(key, ast.Tuple):
            return ast.Tuple([self._key(e) for e in key.elts], ast.Load())
        return self.visit(key)

    def visit_AnnAssign(self, node):
        # Without the annotation, which a `nonlocal` name must not have.
        return (
            self.visit_Assign(at(node, ast.Assign([node.target], node.value))) if node.value else at(node, ast.Pass())
        )

    def visit_AugAssign(self, node):
        value, target = self.visit(node.value), node.target
        if isinstance(target, ast.Name):
            node.value = value
            old = load(target.id)
            if target.id in self.globals or target.id in self.nonlocals:
                old = self._runtime_call("reached", old)
            return [at(node, ast.Expr(self._runtime_call("touch", old))), node]
        owner = self._fresh("owner")
        change = isinstance(target, ast.Subscript)
        out = [at(node, assign(owner, self._reached(target.value) if change else self.visit(target.value)))]
        operator = ast.Constant(_INPLACE[type(node.op)])
        if isinstance(target, ast.Attribute):
            old = self._runtime_call("load", load(owner), ast.Constant(target.attr), self._runtime("reached"))
            call = self._runtime_call(
                "setattr_", self._runtime_call("inplace", operator, old, value), load(owner), ast.Constant(target.attr)
            )
        else:
            key = self._fresh("key")
            out.append(at(node, assign(key, self._key(target.slice))))
            old = self._runtime_call("item", load(owner), load(key))
            call = self._runtime_call(
                "setitem", self._runtime_call("inplace", operator, old, value), load(owner), load(key)
            )
        return [*out, at(node, ast.Expr(call))]

    def visit_Delete(self, node):
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

    # --- expressions
    def _runtime(self, name):
        return ast.Attribute(load(PREFIX), name, ast.Load())

    def _runtime_call(self, name, *arguments):
        return ast.Call(self._runtime(name), list(arguments), [])

    def _thunk(self, expression):
        return at(expression, ast.Lambda(_arguments(()), expression))

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and self._is_outer(node.id):
            return at(node, self._runtime_call("seen", node))
        return node

    def _is_outer(self, name):
        return name not in self.own_names and name not in _BUILTINS and not name.startswith(PREFIX)

    def visit_Attribute(self, node):
        if not isinstance(node.ctx, ast.Load):
            return self.generic_visit(node)
        return at(node, self._runtime_call("load", self.visit(node.value), ast.Constant(node.attr)))

    def visit_Subscript(self, node):
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

    def visit_BoolOp(self, node):
        if _static(node) or _binds_here(node):
            return self.generic_visit(node)
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        return at(node, self._runtime_call(name, *[self._thunk(self.visit(v)) for v in node.values]))

    def visit_UnaryOp(self, node):
        if not isinstance(node.op, ast.Not) or _static(node):
            return self.generic_visit(node)
        return at(node, self._runtime_call("not_", self.visit(node.operand)))

    def visit_IfExp(self, node):
        if _static(node.test) or _binds_here(node.body) or _binds_here(node.orelse):
            return self.generic_visit(node)
        return at(
            node,
            self._runtime_call(
                "ifexp", self.visit(node.test), self._thunk(self.visit(node.body)), self._thunk(self.visit(node.orelse))
            ),
        )

    def visit_Compare(self, node):
        if (
            len(node.ops) == 1
            and not isinstance(node.ops[0], (ast.In, ast.NotIn))
            or _static(node)
            or _binds_here(node)
        ):
            return self.generic_visit(node)
        steps = []
        for op, right in zip(node.ops, node.comparators):
            steps += [ast.Constant(_COMPARE[type(op)]), self._thunk(self.visit(right))]
        return at(node, self._runtime_call("compare", self.visit(node.left), *steps))

    def visit_Call(self, node):
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

    def visit_List(self, node):
        self.generic_visit(node)
        return at(node, self._runtime_call("made", node)) if isinstance(node.ctx, ast.Load) else node

    def _display(self, node):
        self.generic_visit(node)
        return at(node, self._runtime_call("made", node))

    visit_Dict = visit_Set = visit_ListComp = visit_SetComp = visit_DictComp = _display


class _Generator(_Function):
    """Rewrites a generator: what it reads and changes is noted, its control flow stays as it is."""

    def _body(self, node):
        self._arguments_of(node.args)
        self.globals, self.nonlocals = set(), set()
        for n in (n for s in node.body for n in walk_scope(s)):
            if isinstance(n, (ast.Global, ast.Nonlocal)):
                (self.globals if isinstance(n, ast.Global) else self.nonlocals).update(n.names)
        head = [at(node, s) for s in self._declared(sorted(self.globals), sorted(self.nonlocals))]
        node.body = [*head, *self._block(node.body)]
        return node

    def _block(self, statements):
        return super()._block(statements) or [at(statements[0], ast.Pass())] if statements else []

    def visit_If(self, node):
        node.test = self.visit(node.test)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        return node

    visit_While = visit_If

    def visit_For(self, node):
        node.iter = self.visit(node.iter)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        return node

    def _plain(self, node):
        return ast.NodeTransformer.generic_visit(self, node)

    visit_BoolOp = visit_UnaryOp = visit_IfExp = visit_Compare = visit_Assert = _plain


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _yields(function):
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for s in function.body for n in walk_scope(s))


def _is_composite(target):
    """Whether an assignment target is, or holds, an attribute or an item."""
    return any(isinstance(n, (ast.Attribute, ast.Subscript)) for n in ast.walk(target) if not isinstance(n, SCOPES))
