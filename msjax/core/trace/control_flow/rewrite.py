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
from collections.abc import Callable

from . import source
from .expressions import parameters
from .jumps import PREFIX, SCOPES, CannotConvert, assign, at, load
from .names import Mangle, early_reads
from .statements import Function, Generator

_FUTURE_FLAGS = 0x1FE0000  # the `from __future__` bits of co_flags
_GENERATES = 0x20
_OPTIMIZED = 0x01  # set for a function body, not for a class body
_SUSPENDS = 0x80 | 0x200  # coroutine, asynchronous generator


def rewritten_code(code: types.CodeType, module_globals: dict):
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
        kind = Generator if code.co_flags & _GENERATES else Function
        outer = (
            []
            if isinstance(node, ast.Lambda)
            else [n for n in early_reads(node) if n in module_globals or hasattr(builtins, n)]
        )
        node = kind(bound=_bound_names(node)).top(node)
        if outer:
            node.body[_documents(node) : _documents(node)] = [s for n in outer for s in _from_module(n, node)]
        name = code.co_name
        if not isinstance(node, ast.Lambda):
            node.name = name = PREFIX + "function"  # its own name must still mean what it means in the module
        factory = ast.FunctionDef(
            PREFIX + "factory",
            parameters([PREFIX, *code.co_freevars]),
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


def _documents(function):
    """Number of statements that are the function's docstring."""
    return int(ast.get_docstring(function, clean=False) is not None)


def _from_module(name, function):
    """`z` of the module as the first value of a variable `z` that is read before it is bound, as in `z += 1`.

    MindSpore's graph compiler looks for a name where it is read: in the function as far as it was bound, then in the module.
    """
    reader = f"{PREFIX}module_{name}"
    found = ast.FunctionDef(reader, parameters(()), [ast.Global([name]), ast.Return(load(name))], [])
    if "type_params" in ast.FunctionDef._fields:
        found.type_params = []
    return [at(function, s) for s in (found, assign(name, ast.Call(load(reader), [], [])))]


def _shorten_calls(tree):
    """Let `cf__.name` end on the line where it starts: a method call gets the line on which the attribute ends."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == PREFIX:
            node.end_lineno, node.end_col_offset = node.lineno, node.col_offset + 1


def function_like(fn: Callable, code: types.CodeType, runtime: types.ModuleType):
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


def nested_codes(code: types.CodeType):
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


def _bound_names(function):
    """Names that a function or its inner functions bind; all others belong to its module or to functions around it."""
    names = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (*SCOPES, ast.ExceptHandler, ast.alias, ast.MatchAs, ast.MatchStar)):
            names.update({getattr(node, "name", None), getattr(node, "asname", None)})
    return names
