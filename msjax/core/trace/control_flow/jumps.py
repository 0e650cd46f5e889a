"""Lower `return`, `break` and `continue` to flags and nesting, so that each block of a function is left at its end.

    if c: return a            if c: ret = a
    rest; return b     ->     else: rest; ret = b
                              return ret

Where one side of an `if` always jumps, the statements after it move to the other side. Where a jump may or may not have
happened (a jump inside a nested `if`, or inside a loop), a flag is set, and what follows is guarded by `if not flag`.
Loop tests gain `not flag`; a `for` keeps that test in its attribute `go_on`.
"""

import ast
from collections.abc import Callable
from typing import Any

PREFIX = "cf__"
RESULT = PREFIX + "result"  # the value to return
RETURNED = PREFIX + "returned"  # whether a return has happened: then no variable of the function is read again,
RETURNED_SHARED = PREFIX + "returned_shared"  # unless it declares some `nonlocal`
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LOOPS = (ast.While, ast.For, ast.AsyncFor)


class CannotConvert(Exception):
    """The function contains a construct that is left to Python."""


def lower(body: list[object], fresh: Callable, shares_variables: bool = False):
    """The statements of a function body without jumps out of blocks. `fresh(kind)` makes a name."""
    nested_return = any(isinstance(n, ast.Return) for s in body if not isinstance(s, ast.Return) for n in walk_scope(s))
    if not nested_return and not any(
        isinstance(n, (ast.Break, ast.Continue)) or _test_binds(n) for s in body for n in walk_scope(s)
    ):
        return body
    returned = RETURNED_SHARED if shares_variables else RETURNED
    lowering = _Lowering(fresh, nested_return and returned)
    if nested_return and not _ends(body):
        body = [*body, at(body[-1], ast.Return(None))]
    out, _ = lowering.block(body, None)
    if nested_return:
        out = [at(body[0], assign(returned, False)), *out, at(body[-1], ast.Return(load(RESULT)))]
    return _drop_unread(out, lowering.flags)


def walk_scope(node: ast.AST):
    """All nodes below `node` that belong to the same function."""
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, SCOPES):
            todo.extend(ast.iter_child_nodes(node))


def at(origin: ast.AST, node: ast.AST):
    """`node` with the position of `origin`, down to its children."""
    return ast.fix_missing_locations(ast.copy_location(node, origin))


def load(name: str):
    return ast.Name(name, ast.Load())


def assign(name: str, value: Any):
    value = value if isinstance(value, ast.AST) else ast.Constant(value)
    return ast.Assign([ast.Name(name, ast.Store())], value)


class _Loop:
    """Flags of one loop."""

    def __init__(self, broken, continued):
        self.broken, self.continued = broken, continued


class _Lowering:
    """`returns` is the flag that a `return` sets, or False where returns stay as they are."""

    def __init__(self, fresh, returns):
        self.fresh, self.returns, self.flags = fresh, returns, {returns}

    def block(self, statements, loop):
        """(statements, flags that may be set in them)."""
        out, may = [], set()
        for position, s in enumerate(statements):
            rest = statements[position + 1 :]
            if isinstance(s, ast.Return) and self.returns:
                out += [at(s, assign(self.returns, True)), at(s, assign(RESULT, s.value or ast.Constant(None)))]
                return out, may | {self.returns}
            if isinstance(s, (ast.Break, ast.Continue)):
                flag = loop.broken if isinstance(s, ast.Break) else loop.continued
                return [*out, at(s, assign(flag, True))], may | {flag}
            if isinstance(s, ast.If) and _jumps([s], self.returns) and _ends(s.body) != _ends(s.orelse):
                # One side always leaves: the rest belongs to the other side, and no flag is asked.
                here, there = (s.body, s.orelse + rest) if _ends(s.body) else (s.body + rest, s.orelse)
                body, may_body = self.block(here, loop)
                orelse, may_orelse = self.block(there, loop)
                return [*out, at(s, ast.If(s.test, body or [at(s, ast.Pass())], orelse))], may | may_body | may_orelse
            lowered, flags = self.statement(s, loop)
            out += lowered
            may |= flags
            if flags and rest:
                if not _ends([s]):
                    after, may_after = self.block(rest, loop)
                    out.append(at(rest[0], ast.If(none_of(flags), after, [])))
                    may |= may_after
                return out, may
        return out, may

    def statement(self, s, loop):
        """(statements, flags) of one statement that is not a jump itself."""
        if not _jumps([s], self.returns) and not any(isinstance(n, _LOOPS) for n in walk_scope(s)):
            return [s], set()
        if isinstance(s, _LOOPS):
            return self.loop(s, loop)
        may = set()

        def inner(statements):
            new, flags = self.block(statements, loop)
            may.update(flags)
            return new or [at(s, ast.Pass())]

        if isinstance(s, ast.If):
            new = ast.If(s.test, inner(s.body), inner(s.orelse) if s.orelse else [])
        elif isinstance(s, (ast.With, ast.AsyncWith)):
            new = type(s)(s.items, inner(s.body))
        elif isinstance(s, ast.Match):
            new = ast.Match(s.subject, [ast.match_case(c.pattern, c.guard, inner(c.body)) for c in s.cases])
        elif isinstance(s, (ast.Try, ast.TryStar)):
            if _jumps(s.finalbody, self.returns):
                raise CannotConvert("a jump out of a finally block")
            body, flags = self.block(s.body, loop)
            orelse = inner(s.orelse) if s.orelse else []
            if flags and orelse:
                orelse = [at(orelse[0], ast.If(none_of(flags), orelse, []))]
            may |= flags
            handlers = [at(h, ast.ExceptHandler(h.type, h.name, inner(h.body))) for h in s.handlers]
            new = type(s)(body or [at(s, ast.Pass())], handlers, orelse, inner(s.finalbody) if s.finalbody else [])
        else:
            return [s], set()
        return [at(s, new)], may

    def loop(self, s, outer):
        if _test_binds(s) and not s.orelse:  # while (n := f()): ...  ->  while True: if not (n := f()): break; ...
            leave = at(s.test, ast.If(ast.UnaryOp(ast.Not(), s.test), [ast.Break()], []))
            s = at(s, ast.While(ast.Constant(True), [leave, *s.body], []))
        flags = _Loop(self.fresh("break"), self.fresh("continue"))
        self.flags |= {flags.broken, flags.continued}
        body, may_body = self.block(s.body, flags)
        stops = may_body - {flags.continued}
        out = [at(s, assign(flags.broken, False))] if flags.broken in stops else []
        if flags.continued in may_body:
            body = [at(s, assign(flags.continued, False)), *body]
        if isinstance(s, ast.While):
            new = ast.While(ast.BoolOp(ast.And(), [none_of(stops), s.test]) if stops else s.test, body, [])
        else:
            new = type(s)(s.target, s.iter, body, [])
            new.go_on = at(s, ast.Expr(none_of(stops))).value if stops else None
        out.append(at(s, new))
        may = stops - {flags.broken}
        if s.orelse:
            orelse, may_orelse = self.block(s.orelse, outer)
            out += [at(s.orelse[0], ast.If(none_of(stops), orelse, []))] if stops else orelse
            may |= may_orelse
        return out, may


def _test_binds(s):
    """Whether the test of a `while` sets a variable."""
    return isinstance(s, ast.While) and any(isinstance(n, ast.NamedExpr) for n in walk_scope(s.test))


def none_of(flags: set):
    """Expression: no flag is set."""
    flags = [load(f) for f in sorted(flags)]
    return ast.UnaryOp(ast.Not(), flags[0] if len(flags) == 1 else ast.BoolOp(ast.Or(), flags))


def _jumps(statements, returns, in_loop=False):
    """Whether the statements hold a `return` (if these are lowered), or a jump of the loop around them."""
    for s in statements:
        if isinstance(s, ast.Return) and returns or isinstance(s, (ast.Break, ast.Continue)) and not in_loop:
            return True
        if isinstance(s, SCOPES) or not isinstance(s, ast.stmt):
            continue
        if isinstance(s, _LOOPS):
            if _jumps(s.body, returns, True) or _jumps(s.orelse, returns, in_loop):
                return True
        elif any(_jumps(block, returns, in_loop) for block in _blocks(s)):
            return True
    return False


def _blocks(s):
    """The statement lists inside a compound statement that is not a loop."""
    for field in ("body", "orelse", "finalbody"):
        yield getattr(s, field, [])
    for part in (*getattr(s, "handlers", ()), *getattr(s, "cases", ())):
        yield part.body


def _ends(statements):
    """Whether control never passes the end of the statements."""
    for s in statements:
        if isinstance(s, (ast.Return, ast.Break, ast.Continue, ast.Raise)):
            return True
        if isinstance(s, ast.If) and s.orelse and _ends(s.body) and _ends(s.orelse):
            return True
        if isinstance(s, ast.While) and isinstance(s.test, ast.Constant) and s.test.value and not _breaks(s.body):
            return True
    return False


def _breaks(statements):
    """Whether a `break` of the loop around the statements occurs in them."""
    for s in statements:
        if isinstance(s, ast.Break):
            return True
        if isinstance(s, SCOPES):
            continue
        inner = [s.orelse] if isinstance(s, _LOOPS) else _blocks(s)
        if any(_breaks(block) for block in inner):
            return True
    return False


def _drop_unread(body, flags):
    """Without the assignments to flags that no test reads."""
    read = {n.id for s in body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    read |= {
        n.id
        for s in body
        for f in ast.walk(s)
        if getattr(f, "go_on", None)
        for n in ast.walk(f.go_on)
        if isinstance(n, ast.Name)
    }
    unread = flags - read

    class Drop(ast.NodeTransformer):
        def visit_Assign(self, node):
            return None if isinstance(node.targets[0], ast.Name) and node.targets[0].id in unread else node

    dropped = [new for s in body if (new := Drop().visit(s)) is not None]
    for s in dropped:
        for node in ast.walk(s):
            if (
                isinstance(getattr(node, "body", None), list)
                and not node.body
                and isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case))
            ):
                node.body = [ast.copy_location(ast.Pass(), node if hasattr(node, "lineno") else s)]
    return dropped
