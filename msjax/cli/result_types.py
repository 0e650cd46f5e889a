"""What a function gives, for stubs: its own annotation, that of the method that it overrides, or what its source shows. Any, where none tells."""

import ast
import builtins
import contextlib
import functools
import inspect
import operator
import sys
import textwrap
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np

from ..core.operators.record import Record, records
from ..core.spec import kinds as spec
from ..core.values.tensor import Tensor

_OF_BUILTINS = {
    **dict.fromkeys(("len", "hash", "id", "ord", "int"), int), **dict.fromkeys(("repr", "str", "chr", "hex", "input"), str),
    **dict.fromkeys(("isinstance", "issubclass", "hasattr", "callable", "any", "all", "bool"), bool), "float": float, "complex": complex,
    "list": list[Any], "sorted": list[Any], "dict": dict[Any, Any], "tuple": tuple[Any, ...], "set": set[Any], "iter": Iterator[Any],
}  # fmt: skip
_ARRAYS = (
    "array",
    "asarray",
    "ascontiguousarray",
    "zeros",
    "ones",
    "full",
    "empty",
    "arange",
    "stack",
    "concatenate",
    "fromfile",
    "frombuffer",
)
# What methods of a text, and of an array, give.
_OF_TEXT = {
    **dict.fromkeys(("join", "format", "replace", "strip", "lower", "upper", "removeprefix", "removesuffix", "lstrip", "rstrip"), str),
    **dict.fromkeys(("split", "splitlines"), list[str]), **dict.fromkeys(("startswith", "endswith", "isidentifier"), bool),
}  # fmt: skip
_OF_ARRAY = (
    "astype",
    "reshape",
    "set",
    "add",
    "multiply",
    "transpose",
    "swapaxes",
    "sum",
    "mean",
    "max",
    "min",
    "squeeze",
    "flatten",
    "ravel",
)
# Functions of jax.numpy and jax.lax that give several arrays, or what their arguments are.
SEVERAL = (
    "meshgrid", "split", "array_split", "nonzero", "unique", "broadcast_arrays", "gradient", "while_loop", "cond", "scan", "top_k", "sort",
)  # fmt: skip
_PLAIN = (bool, int, float, complex, str)


def result_type(function: Callable, cls: type | None = None):
    """The annotation of what a function gives; of a method, if `cls` is its class."""
    told = _annotated(function)
    if told is None and cls is not None:
        told = next((t for t in map(_annotated, _overridden(function, cls)) if t is not None), None)
    return _shown(function, cls, False) if told is None else told


def kernel_result(function: Callable, arrays: bool):
    """What an operator gives: Tensor, a tuple of them, or what else its source shows.

    arrays: whether the function computes with JAX arrays, which users see as Tensors.
    """
    return _shown(function, None, arrays)


def result_of(record: Record):
    """What an operator gives: what it says, or what its source shows."""
    told = inspect.signature(record.fn).return_annotation
    if told is Any:
        return Any
    if told is inspect.Signature.empty:
        told = kernel_result(record.fn, not record.composite)
    parts = typing.get_args(told)
    if record.writes and not record.composite:
        return _beside_written(
            record, 1 if told in (spec.Array, Tensor) else len(parts) if parts and Ellipsis not in parts else None
        )
    if told is spec.Array or not record.composite and told in (bool, int, float):  # which JAX makes an array
        return Tensor
    if typing.get_origin(told) in (tuple, list) and (not record.composite or spec.Array in parts):
        return (
            tuple[Tensor, ...]
            if Ellipsis in parts or typing.get_origin(told) is list
            else tuple[(Tensor,) * len(parts)]
        )
    return told


def _beside_written(record, count):
    """What an operator gives that writes into its arguments: the outputs beside the written ones, or these, if there are no others.

    count: of the outputs of its function; None where that is not known.
    """
    if count is None:
        return Tensor if len(record.writes) == 1 else Any
    count = count - len(record.writes) or len(record.writes)
    return Tensor if count == 1 else tuple[(Tensor,) * count]


def _annotated(function):
    """The return annotation of a function, or None; what shows MindSpore's documented parameters shows no result."""
    plain = inspect.unwrap(function)
    if _is_context(function, plain):
        return contextlib.AbstractContextManager[Any]
    try:
        told = inspect.signature(function).return_annotation
    except (TypeError, ValueError):
        return None
    if told is inspect.Signature.empty:
        told = getattr(plain, "__annotations__", {}).get("return", told)
    return None if told is inspect.Signature.empty else told


def _is_context(function, plain):
    return inspect.isgeneratorfunction(plain) and not inspect.isgeneratorfunction(function)


def _overridden(function, cls):
    """The methods that a method of a class overrides, nearest first."""
    name = function.__name__
    found = (vars(c).get(name) for c in cls.__mro__[1:])
    found = (getattr(m, "fget", None) or getattr(m, "__func__", m) for m in found if m is not None)
    return [m for m in found if inspect.isfunction(m)]


@functools.cache
def _tree(function):
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    return tree if isinstance(tree, ast.FunctionDef) else None


def _within(body):
    """The nodes of statements, but not those of functions and classes among them."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda | ast.AsyncFunctionDef):
            yield from _within(ast.iter_child_nodes(node))


_open = set()  # functions whose source is read now: what one gives that calls itself is not known by it


@functools.cache
def _shown(function, cls, arrays):
    plain = inspect.unwrap(function)
    tree = _tree(plain)
    if tree is None or plain in _open:
        return Any
    nodes = list(_within(tree.body))
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in nodes):
        return Iterator[Any]
    values = [n.value for n in nodes if isinstance(n, ast.Return)]
    if not any(values):  # what always raises is for others to override
        return Any if isinstance(tree.body[-1], ast.Raise) else None
    if not _ends(tree.body):
        return Any
    _open.add(plain)
    try:
        return joined([_Scope(plain, tree, cls, nodes, arrays).kind(v) for v in values])
    finally:
        _open.discard(plain)


def _ends(body):
    """Whether statements surely return or raise."""
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and _ends(last.body) and _ends(last.orelse)
    if isinstance(last, ast.With):
        return _ends(last.body)
    if isinstance(last, ast.Try):
        return (
            _ends(last.finalbody or [last])
            if last.finalbody
            else _ends(last.orelse or last.body) and all(_ends(h.body) for h in last.handlers)
        )
    return isinstance(last, ast.Return | ast.Raise)


def joined(kinds: list):
    """One type for several. Any where one is not known, or where they are of unlike use: who calls would have to ask each time."""
    different = list(dict.fromkeys(type(None) if k is None else k for k in kinds))
    if len(different) == 1:
        return different[0]
    if all(k in _PLAIN for k in different):
        return functools.reduce(operator.or_, different)
    origins, parts = {typing.get_origin(k) for k in different}, [typing.get_args(k) for k in different]
    if origins == {tuple}:
        alike = len({len(p) for p in parts}) == 1 and not any(Ellipsis in p for p in parts)
        return tuple[tuple(joined(list(p)) for p in zip(*parts))] if alike else tuple[Any, ...]
    return {frozenset((list,)): list[Any], frozenset((dict,)): dict[Any, Any]}.get(frozenset(origins), Any)


def vars_of(cls, function):
    """How a class holds a function: itself, or in a staticmethod or classmethod."""
    return inspect.getattr_static(cls, function.__name__, None)


class _Scope:
    """The names of a function, and the types of expressions in it."""

    def __init__(self, function, tree, cls, nodes, arrays):
        self.function, self.cls, self.arrays, self.told = function, cls, arrays, {}
        module = sys.modules.get(function.__module__)
        self.globals = {**vars(module), **inspect.getclosurevars(function).nonlocals} if module is not None else {}
        self.given = {p.name: p for p in inspect.signature(function).parameters.values()}
        self.first = (
            next(iter(self.given), None)
            if cls is not None and not isinstance(vars_of(cls, function), staticmethod)
            else None
        )
        self.inner = {n.name for n in nodes if isinstance(n, ast.FunctionDef)}
        assigned = {id(t): n.value for n in nodes if isinstance(n, ast.Assign) for t in n.targets}
        self.bound = {}  # {name: what is assigned to it, None where that is a part of something}
        for n in nodes:
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                self.bound.setdefault(n.id, []).append(assigned.get(id(n)))

    def kind(self, node):
        """The type of an expression; Any where it is not told."""
        method = getattr(self, f"_{type(node).__name__}", None)
        return type(None) if node is None else Any if method is None else method(node)

    def _Constant(self, node):
        return type(node.value)

    def _JoinedStr(self, node):
        return str

    def _Compare(self, node):
        if all(isinstance(o, ast.Is | ast.IsNot | ast.In | ast.NotIn) for o in node.ops):
            return bool
        kind = self.kind(node.left)
        return bool if kind in _PLAIN else Tensor if self.arrays else Any

    def _UnaryOp(self, node):
        return bool if isinstance(node.op, ast.Not) else self.kind(node.operand) if not self.arrays else Tensor

    def _BinOp(self, node):
        if self.arrays:
            return Tensor
        left, right = self.kind(node.left), self.kind(node.right)
        if left is str and isinstance(node.op, ast.Mod):
            return str
        if Tensor in (left, right):
            return Tensor if {left, right} <= {Tensor, *_PLAIN} else Any
        same = left == right and (left in (int, float) and not isinstance(node.op, ast.Div | ast.Pow) or left is str)
        return left if same else Any

    def _BoolOp(self, node):
        return joined([self.kind(v) for v in node.values])

    def _IfExp(self, node):
        return joined([self.kind(node.body), self.kind(node.orelse)])

    def _List(self, node):
        return list[joined([self.kind(e) for e in node.elts]) if node.elts else Any]

    def _ListComp(self, node):
        return list[Any]

    def _Tuple(self, node):
        if any(isinstance(e, ast.Starred) for e in node.elts) or not 0 < len(node.elts) < 6:
            return tuple[Tensor if self.arrays else Any, ...]
        return tuple[tuple(self.kind(e) for e in node.elts)]

    def _Dict(self, node):
        texts = node.keys and all(isinstance(k, ast.Constant) and isinstance(k.value, str) for k in node.keys)
        return dict[str if texts else Any, Any]

    def _DictComp(self, node):
        return dict[Any, Any]

    def _Set(self, node):
        return set[Any]

    _SetComp = _Set

    def _Lambda(self, node):
        return Callable[..., Any]

    def _Name(self, node):
        name = node.id
        if name in self.inner:
            return Callable[..., Any]
        if name in self.told:
            return self.told[name]
        self.told[name] = Any  # of a name that is made of itself
        kinds = [self.kind(v) if v is not None else Any for v in self.bound.get(name, ())]
        if name in self.given:
            kinds.append(self._of_parameter(name))
        if not kinds and type(self.globals.get(name)) in _PLAIN:
            kinds = [type(self.globals[name])]
        self.told[name] = joined(kinds) if kinds else Any
        return self.told[name]

    def _of_parameter(self, name):
        given = self.given[name]
        if name == self.first:
            return type[Self] if name == "cls" else Self
        if given.kind in (given.VAR_POSITIONAL, given.VAR_KEYWORD):
            return tuple[Any, ...] if given.kind is given.VAR_POSITIONAL else dict[str, Any]
        told = given.annotation
        if spec.ARRAY in getattr(told, "__metadata__", ()):
            return Tensor
        return told if told in _PLAIN or told is Tensor else Any

    def _object(self, node):
        """The object that a dotted name of the module is, or None."""
        if isinstance(node, ast.Name):
            bound = node.id in self.bound or node.id in self.given or node.id in self.inner
            return None if bound else self.globals.get(node.id, getattr(builtins, node.id, None))
        if isinstance(node, ast.Attribute):
            above = self._object(node.value)
            return getattr(above, node.attr, None) if isinstance(above, types.ModuleType | type) else None
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Constant)
            and self._object(node.value) is records
        ):
            return records.get(node.slice.value)
        return None

    def _member(self, node):
        """(class, member) that an attribute of an object of a known class is."""
        kind = self.kind(node.value)
        cls = self.cls if kind is Self else kind
        if not isinstance(cls, type) or not cls.__module__.startswith("msjax."):
            return None, None
        return cls, inspect.getattr_static(cls, node.attr, None)

    def _Attribute(self, node):
        cls, member = self._member(node)
        if isinstance(member, property):
            return self._own(result_type(member.fget, cls), cls, member.fget)
        return Tensor if self.arrays and node.attr in ("T", "mT", "real", "imag") else Any

    def _own(self, told, cls, function):
        """A result type as it reads here: that of another class is no Self, a text is looked up."""
        told = _looked_up(told, function)
        return cls if told is Self and cls is not self.cls else told

    def _Call(self, node):
        if self.kind(node.func) == type[Self]:
            return Self
        found = self._object(node.func)
        if found is not None:
            return self._of_call(found, node)
        if isinstance(node.func, ast.Attribute):
            cls, member = self._member(node.func)
            member = getattr(member, "__func__", member)
            if inspect.isfunction(member):
                return self._own(result_type(member, cls), cls, member)
            kind, name = self.kind(node.func.value), node.func.attr
            if kind is str:
                return _OF_TEXT.get(name, Any)
            if (self.arrays or kind in (Tensor, np.ndarray)) and name in _OF_ARRAY:
                return Tensor if self.arrays else kind
        return Any

    def _of_call(self, found, node):
        if isinstance(found, Record):
            return result_of(found)
        name, home = getattr(found, "__name__", ""), getattr(found, "__module__", "") or ""
        if found is type and len(node.args) == 1 and self.kind(node.args[0]) is Self:
            return type[Self]
        if home == "builtins":
            return _OF_BUILTINS.get(name, Any)
        if found is getattr(np, name, None):
            return np.ndarray if name in _ARRAYS and not self.arrays else Tensor if name in _ARRAYS else Any
        if self.arrays and ast.unparse(node.func).rpartition(".")[0] in ("jnp", "lax", "jax.nn", "jax.lax"):
            return Any if name in SEVERAL else Tensor
        if isinstance(found, type):
            return found if home.startswith("msjax.") and type(found) is type else Any
        if inspect.isfunction(found) and home.startswith("msjax."):
            told = _annotated(found)
            return _looked_up(_shown(found, None, self.arrays) if told is None else told, found)
        return Any


def _looked_up(told, function):
    """An annotation as a type: one that is a text is evaluated in its module; Any for what holds type variables."""
    if isinstance(told, str):
        try:
            told = eval(told, dict(vars(sys.modules[inspect.unwrap(function).__module__])))  # our own source
        except NameError:
            return Any
    return Any if _is_variable(told) else told


def _is_variable(kind):
    return isinstance(kind, typing.TypeVar) or any(map(_is_variable, typing.get_args(kind)))
