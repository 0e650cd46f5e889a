"""Stubs of packages whose names are gathered from many modules: each class with its methods, each function, one line of text."""

import ast
import functools
import importlib
import inspect
import keyword
import operator
import sys
import textwrap
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, get_args, get_origin, get_overloads, get_type_hints

from ..core.keywords import documented, renamed
from ..core.settings import context, parallel_context
from ..core.settings.context import set_context
from ..core.spec.texts import own_text
from ..core.values.dtype import Type
from ..core.values.tensor import Tensor
from ..parallel import layout
from ..parallel.layout import set_algo_parameters
from .attributes import attribute_lines
from .result_types import result_type
from .stub_text import annotation, parameters, resolved, with_others

if TYPE_CHECKING:
    from ..nn.cell.cell import Cell

# Classes that are described beside their source, since code of any module takes and gives them: one class for all who name it.
HOMES = {
    "core.values.parameter": ("Parameter", "ParameterTuple"), "nn.cell.cell": ("Cell",), "nn.optim.optimizer": ("Optimizer",),
    "dataset.engine.dataset": ("Dataset",), "train.callback.base": ("Callback", "RunContext"), "experimental.optim.optimizer": ("Optimizer",),
}  # fmt: skip
_DESCRIBED_WHOLE = {name for names in HOMES.values() for name in names}
# Packages whose names are described where the package is, in this order: what an earlier one describes, a later one imports.
PACKAGES = (
    "nn", "parallel", "train.callback", "train.metrics", "train", "dataset.transforms", "dataset.vision", "dataset.text",
    "dataset.audio", "dataset", "mindrecord", "mint.nn", "mint.optim", "experimental.optim", "boost", "",
)  # fmt: skip
_ALIASES = {"boost": "train.boost"}
_ANY = {
    "__call__": "def __call__(self: _Constructs[_Inputs, _Result], *args: _Inputs.args, **kwargs: _Inputs.kwargs) -> _Result: ...",
    "construct": "def construct(self, *args: Any, **kwargs: Any) -> Any: ...",
    "__getattr__": "def __getattr__(self, name: str) -> Any: ...",
    "__setattr__": "def __setattr__(self, name: str, value: Any) -> None: ...",
}
# A Cell out of a list may be a list itself: `self.branches[0][1](x)`.
_OF_LISTS = (
    "def __getitem__(self, index: Any) -> Any: ...", "def __iter__(self) -> Iterator[Any]: ...", "def __len__(self) -> int: ...",
)  # fmt: skip
# A Cell gives what its `construct` gives: checkers see the return type of a user's own.
_CALLED = (
    "from typing import ParamSpec, Protocol, TypeVar", '_Inputs = ParamSpec("_Inputs")', '_Result = TypeVar("_Result", covariant=True)',
    "class _Constructs(Protocol[_Inputs, _Result]):",
    "    def construct(self, *args: _Inputs.args, **kwargs: _Inputs.kwargs) -> _Result: ...",
)  # fmt: skip
_SPECIAL = {
    "__init__", "__call__", "__getattr__", "__setattr__", "__len__", "__getitem__", "__setitem__", "__iter__", "__next__",
    "__enter__", "__exit__", "__contains__", "__add__",
    "_convert_data",  # of Metric, for metrics of users
}  # fmt: skip


# Modules whose classes annotations name as texts, since they import them for checkers alone.
_NAMED_LATE = (
    "core.values.tensor", "core.values.dtype", "core.values.parameter", "nn.cell.cell", "dataset.engine.dataset", "dataset.engine.cache",
    "dataset.engine.samplers", "train.callback.base", "parallel.places",
)  # fmt: skip


@functools.cache
def _named_late():
    return {
        n: v
        for m in _NAMED_LATE
        for n, v in vars(importlib.import_module(f"msjax.{m}")).items()
        if isinstance(v, type | types.UnionType)
    }


class Names:
    """The names of classes in one stub, and the imports that they need."""

    def __init__(self, home: str, described: Any):
        self.home, self.described, self.imports = home, described, set()

    def __call__(self, cls: type):
        if cls.__module__ == "numpy" and cls.__name__ in ("ndarray", "dtype"):
            self.imports.add("import numpy as np")
            return f"np.{cls.__name__}"
        where, name = self.described.get(cls, (cls.__module__.removeprefix("msjax."), cls.__name__))
        if where == self.home:
            return name
        if "." in cls.__qualname__ or name[0] == "_" or not cls.__module__.startswith("msjax."):
            return None
        self.imports.add(f"from {module_of(where)} import {name} as {name}")
        return name

    def text(self, kind: Any, function: Callable):
        """Text of an annotation of a function of ours; "Any" for none."""
        if isinstance(kind, TypeVar):
            self.imports.add(f'{kind.__name__} = TypeVar("{kind.__name__}")')
            return kind.__name__
        return "Any" if kind is inspect.Parameter.empty else annotation(resolved(kind, function, _named_late()), self)


@functools.cache
def gathered():
    """({package: module}, {package: what `_own` says of it}, {class or function: (path below msjax, name) of its description})"""
    described, modules = {Tensor: ("core.values.tensor", "Tensor"), Type: ("core.values.dtype", "Type")}, {}
    for package in (*HOMES, *PACKAGES):
        modules[package] = importlib.import_module(module_of(_ALIASES.get(package, package)))
    own = {package: _own(package, module, described) for package, module in modules.items()}
    return modules, own, described


def package_stubs():
    """{path below msjax: lines} for all PACKAGES."""
    modules, own, described = gathered()
    return {_path(module): _package(package, *own[package], described) for package, module in modules.items()}


def _path(module):
    name = module.__name__.removeprefix("msjax").lstrip(".").replace(".", "/")
    return "/".join(filter(None, (name, "__init__.pyi"))) if hasattr(module, "__path__") else f"{name}.pyi"


def names_of(module: "Cell"):
    """The public names of a package: those of `import *`, or those of `dir`."""
    listed = getattr(module, "__all__", None)
    return sorted(
        n for n in {*(listed or ()), *(dir(module) if listed is None or module.__name__ == "msjax" else ())}
        if not n.startswith("_") and n.isidentifier() and not keyword.iskeyword(n) and n not in ("absolute_import", "annotations")
    )  # fmt: skip


def _own(package, module, described):
    """(import lines for names described in other stubs, [(name, class or function) that this stub describes])."""
    lines, own, home = [], [], _ALIASES.get(package, package)
    for name in HOMES.get(package) or names_of(module):
        try:
            value = getattr(module, name)
        except AttributeError:
            continue
        if inspect.ismodule(value):
            lines += _module_line(name, value)
        elif isinstance(value, type) or inspect.isroutine(value):
            where = described.get(value)
            if where is not None and where[0] != home:
                lines += import_lines(module_of(where[0]), where[1], name)
            elif where is not None:
                lines.append(f"{name} = {where[1]}")
            else:
                described[value] = (home, name)
                own.append((name, value))
        else:
            lines.append(f"{name}: {_named_value(value)}")
    return lines, own


def module_of(where: str):
    """The module at a path below msjax; "" is msjax itself."""
    return f"msjax.{where}" if where else "msjax"


def description_of(value: Any, described: Any):
    """(module, name) of the description of a class or function; None where a stub of a package has none."""
    place = described.get(value) if isinstance(value, type) or inspect.isroutine(value) else None
    return place and (module_of(place[0]), place[1])


def import_lines(module: str, name: str, given: str):
    """Lines of a stub that offer a name of a module as `given`: a stub offers what it imports only under the name that it has there."""
    if name == given:
        return [f"from {module} import {name} as {name}"]
    own = f"_{name}" if given != f"_{name}" else f"_{name}_"
    return [f"from {module} import {name} as {own}", f"{given} = {own}"]


def _named_value(value):
    return type(value).__name__ if type(value) in (bool, int, float, str) else "Any"


def _package(package, lines, own, described):
    names = Names(_ALIASES.get(package, package), described)
    text = []
    for name, value in own:
        text += class_lines(name, value, names) if isinstance(value, type) else function_lines(name, value, names)
    if package == "nn.cell.cell":
        text = [*_CALLED, *text]
    bases = _bases(own, described, names.home)
    if not package:
        text.append("__version__: str")
    if package in HOMES:
        lines = [*lines, *_other_lines(package, described)]
        text.append("def __getattr__(name: str) -> Any: ...")
    return [*_sorted_imports(lines), "", *sorted(names.imports.difference(lines, bases)), *bases, *text]


def _other_lines(package, described):
    """Lines for what else is in a module of HOMES: `import *` gives it, too."""
    module, lines = sys.modules[f"msjax.{package}"], []
    for name in sorted(n for n in vars(module) if n[0] != "_" and n not in HOMES[package] and n.isidentifier()):
        value = vars(module)[name]
        home, own = getattr(value, "__module__", None) or "", getattr(value, "__name__", "")
        place = description_of(value, described)
        if place is not None:
            lines += import_lines(*place, name)
        elif home.startswith("msjax.") and home != module.__name__ and vars(sys.modules[home]).get(own) is value:
            lines += import_lines(home, own, name)
        elif home == module.__name__:
            lines.append(f"{name}: Any")
    return lines


@functools.cache
def bound_names(module: Any):
    """The names that the source of a module binds: those that a checker sees."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError):  # made while the package runs
        return frozenset()
    nodes = list(ast.walk(tree))
    return frozenset(
        {n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef)}
        | {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        | {(n.asname or n.name).split(".")[0] for n in nodes if isinstance(n, ast.alias)}
    )


def _sorted_imports(lines):
    return sorted(lines, key=lambda line: (not line.startswith("from"), " = " in line, line))


def _module_line(name, value):
    path = value.__name__
    if not path.startswith("msjax"):
        return []
    parent, _, leaf = path.rpartition(".")
    return [f"from {parent} import {leaf} as {name}"] if parent else []


def _bases(classes, described, home):
    """Imports of the classes that the described ones extend."""
    needed = set()
    for _, value in classes:
        base = _base(value, described) if isinstance(value, type) else None
        if base is not None and described[base][0] != home:
            where, name = described[base]
            needed.add(f"from {module_of(where)} import {name} as {name}")
    return sorted(needed)


def _base(cls, described):
    """The nearest class above that a stub describes."""
    return next((c for c in cls.__mro__[1:] if c in described), None)


def _source_base(cls, names):
    """The nearest public class of msjax above one that has no described class above it."""
    return next((c for c in cls.__mro__[1:] if c.__module__.startswith("msjax.") and names(c)), None)


def _cell():
    from ..nn.cell.cell import Cell  # loads the layers

    return Cell


@functools.cache
def _assigned(cls):
    """The public names that methods of a class assign on `self`."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    except (OSError, TypeError, SyntaxError):
        return ()
    targets = [t for node in ast.walk(tree) if isinstance(node, ast.Assign) for t in node.targets]
    targets += [node.target for node in ast.walk(tree) if isinstance(node, ast.AnnAssign)]
    flat = [part for t in targets for part in (t.elts if isinstance(t, ast.Tuple) else [t])]
    return tuple(
        t.attr
        for t in flat
        if isinstance(t, ast.Attribute) and isinstance(t.value, ast.Name) and t.value.id == "self" and t.attr[0] != "_"
    )


def class_lines(name: str, cls: type, names: Any):
    """The lines of a class: the members that it adds to its nearest described base class."""
    described = names.described
    base = _base(cls, described)
    # its members are read where it is written; those of the classes of HOMES are all described
    source = None if base is not None or cls.__name__ in _DESCRIBED_WHOLE else _source_base(cls, names)
    builtin = next((c for c in cls.__mro__[1:] if c.__module__ == "builtins" and c is not object), None)
    if base is not None:
        above = described[base][1]
    elif source is not None:
        above = names(source)
    else:
        above = _builtin_text(cls, builtin, names) if builtin is not None else ""
    members, typed, parts = _own_members(cls, (base, source, builtin, object), names)
    lines = [f"class {name}{f'({above})' if above else ''}:", *_text(cls, "    ")]
    for member, value in sorted(members.items()):
        if member in _ANY and cls.__name__ == "Cell":
            lines.append(f"    {_ANY[member]}")
        elif _is_described(member, value):
            lines += [f"    {line}" for line in _member(member, value, names, cls)]
    if not issubclass(cls, _cell()):  # a Cell has any attribute
        given = (name for part in parts for name in _assigned(part) if name not in members and name not in typed)
        lines += [f"    {name}: Any" for name in dict.fromkeys(given)]
    if cls.__name__ == "Cell":
        lines += [f"    {line}" for line in _OF_LISTS]
    told = functools.partial(names.text, function=cls.__init__)
    lines += [f"    {line}" for line in (*typed.values(), *attribute_lines(cls, base, told, names))]
    return lines if len(lines) > 1 else [f"{lines[0]} ..."]


def _own_members(cls, above, names):
    """(members, lines of annotated attributes, classes that they are of) of a class up to those of `above`, which are described elsewhere."""
    members, typed, parts = {}, {}, []
    for part in cls.__mro__:
        if part in above or part.__module__ in ("abc", "contextlib", "typing"):
            break
        parts.append(part)
        for member, value in vars(part).items():
            members.setdefault(member, value)
        for member, kind in inspect.get_annotations(part).items():
            if not member.startswith("_") and isinstance(kind, type) and (told := names(kind)):
                typed[member] = f"{member}: {told}"
    return members, typed, parts


def _is_described(member, value):
    """Whether a member has a line: it is public, and no `construct` of a layer, since users call the layer."""
    if member == "construct" and inspect.signature(value).return_annotation is inspect.Signature.empty:
        return False
    public = not member.startswith("_") or member in _SPECIAL
    return public and member.isidentifier() and not keyword.iskeyword(member)


def _builtin_text(cls, builtin, names):
    """A builtin base class, with the types of its items where the class says them."""
    told = next((b for b in getattr(cls, "__orig_bases__", ()) if get_origin(b) is builtin), builtin)
    return annotation(told, names)


def _member(name, value, names, cls):
    if isinstance(value, property):
        setter = [f"@{name}.setter", f"def {name}(self, value) -> None: ..."] if value.fset is not None else []
        return ["@property", f"def {name}(self){_result(value.fget, names, cls)}: ...", *setter]
    if isinstance(value, (staticmethod, classmethod)):
        return [f"@{type(value).__name__}", *function_lines(name, value.__func__, names, cls)]
    if inspect.isfunction(value):
        return function_lines(name, value, names, cls)
    return [f"{name}: Any"] if name not in _SPECIAL else []


def function_lines(name: str, function: Callable, names: Any, cls: type | None = None):
    """`def name(parameters): ...` with the first line of its text; its overloads, if its source has them."""
    versions = get_overloads(inspect.unwrap(function)) if inspect.isfunction(function) else []
    lines = [line for one in versions or [function] for line in _function_lines(name, one, names, cls)]
    return lines if len(lines) == 1 else [text for line in lines for text in ("@overload", line)]


def _function_lines(name, function, names, cls):
    """A line for each form of the parameters: keywords of MindSpore 1.x in place of required ones make one more."""
    try:
        own, old = _with_keywords(function, documented(function)), renamed(function)
        known = {p.name: names.text(p.annotation, function) for p in own}
        known |= {new: known.get(target, "Any") for new, target in old.items()}
        forms = [parameters(form, known=known) for form in with_others(own, old)]
    except (TypeError, ValueError):
        forms = ["*args: Any, **kwargs: Any"]
    text = _text(function, "")
    result = " -> None" if name == "__init__" else _result(function, names, cls)
    return [f"def {name}({taken}){result}: {text[0] if text else '...'}" for taken in forms]


def _with_keywords(function, own):
    """The parameters of a function; the keywords that a table or `**kwargs: Unpack[a TypedDict]` says, instead of `**kwargs`."""
    named, rest = [p for p in own if p.kind is not p.VAR_KEYWORD], [p for p in own if p.kind is p.VAR_KEYWORD]
    keywords = _tables().get(function)
    if keywords is None and rest and get_origin(rest[0].annotation) is Unpack:
        keywords = get_type_hints(get_args(rest[0].annotation)[0], include_extras=True)
    if keywords is None:
        return own
    kind = inspect.Parameter.KEYWORD_ONLY
    return [*named, *(inspect.Parameter(name, kind, default=..., annotation=keywords[name]) for name in keywords)]


@functools.cache
def _tables():
    """{function: {keyword: type}} of those whose settings are a table."""
    given, meant = parallel_context.SETTINGS, parallel_context._SAME
    typed = {
        set_context: context.KEYWORDS,
        parallel_context.set_auto_parallel_context: given | {name: given[own] for name, own in meant.items()},
    }
    of_defaults = {set_algo_parameters: layout._DEFAULTS, context.set_ps_context: context._PS_DEFAULTS}
    return {
        **{
            function: {name: _setting(kinds) for name, (_, kinds) in table.items()} for function, table in typed.items()
        },
        **{function: {name: type(value) for name, value in table.items()} for function, table in of_defaults.items()},
    }


def _setting(kinds):
    """The annotation for a class or a tuple of classes of values; None, which some settings take, is left to the call."""
    return functools.reduce(operator.or_, kinds if isinstance(kinds, tuple) else (kinds,)) | None


def _result(function, names, cls):
    """` -> type`: what a function gives, or Any."""
    return f" -> {names.text(result_type(function, cls), function)}"


def _text(value, indent):
    own = own_text(value) if isinstance(value, type) else getattr(value, "__doc__", None)
    first = inspect.cleandoc(own or "").partition("\n")[0].replace("\\", "").replace('"', "'").strip()
    return [f'{indent}"""{first}"""'] if first else []
