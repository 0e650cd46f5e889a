"""Writes the `.pyi` files: names and signatures for editors, which cannot see names that are made on first access.

python -m msjax stubs [--check]

They stand beside the modules; those of `import mindspore` are a package of their own, `mindspore-stubs` (PEP 561), in the checkout
beside `msjax`. Both are part of the wheel.
"""

import argparse
import functools
import inspect
import itertools
import keyword
import pathlib
import re
import sys
import warnings
from typing import Any

import jax
import numpy as np

import msjax
from msjax import COOTensor, CSRTensor, mint, numpy, ops
from msjax.core.keywords import documented
from msjax.core.operators import faces
from msjax.core.operators import record as registry
from msjax.core.operators.rows import Reflected
from msjax.core.values import tensor
from msjax.core.values.dtype import Type
from msjax.core.values.tensor import Tensor
from msjax.core.values.tensor_state import TensorState

from .alias_stubs import alias_stubs
from .package_stubs import bound_names, package_stubs
from .result_types import result_of, result_type
from .source_tree import need
from .stub_text import MADE, annotation, parameters, resolved, with_others

PACKAGE = pathlib.Path(msjax.__file__).parent
ALIAS = PACKAGE.parent / "mindspore-stubs"
_ABSTRACT = ("Callable", "Iterable", "Iterator", "Mapping", "Sequence", "ValuesView")


# classes of results, and where a stub takes them from that does not have them
_HOMES = {"COOTensor": "msjax", "CSRTensor": "msjax", "Type": "msjax.core.values.dtype"}


def _file(lines):
    """The text of a stub. A class of its own hides the abstract one of its name; what results are called is imported."""
    hidden = [n for n in _ABSTRACT if any(re.match(rf"class {n}\b", line) for line in lines)]
    text = "\n".join(lines)
    abstract = ", ".join(n for n in _ABSTRACT if n not in hidden)
    head = f"{MADE}\nfrom collections.abc import {abstract}\nfrom typing import Any, Literal, Self, TypeVar, overload\n"
    for name in hidden:
        text, found = re.subn(rf"-> {name}\[", f"-> _{name}[", text)
        head += f"from collections.abc import {name} as _{name}\n" if found else ""
    for name, home in _HOMES.items():
        known = re.search(rf"^(class {name}\b|{name}: |from .* import .*\b{name}\b)", text, re.MULTILINE)
        if not known and re.search(rf"\b{name}\b", text):
            head += f"from {home} import {name}\n"
    return f"{head}{text}\n"


@functools.cache
def _result(record):
    """The result type of a record: what it says, what its source shows, or what it gives for small arrays."""
    told = result_of(record)
    silent = inspect.signature(record.fn).return_annotation is inspect.Signature.empty
    return _of_shapes(record) if told is Any and silent and not record.composite else annotation(told, _NAMED.get)


# the classes of results that both stubs of operators can name
_NAMED = {
    Tensor: "Tensor",
    COOTensor: "COOTensor",
    CSRTensor: "CSRTensor",
    Type: "Type",
    np.ndarray: "np.ndarray",
    np.generic: "np.generic",
}


def _of_shapes(record):
    """What the operator gives for small arrays, unless it has an option for more or fewer results."""
    own = record.signature()
    if any(p.name.startswith(("return_", "with_")) or p.kind is p.VAR_POSITIONAL for p in own):
        return "Any"
    count = sum(p.default is p.empty for p in own)
    for shape, dtype in itertools.product(((2, 3), (3, 3), (1, 4, 3, 3)), ("float32", "int32")):
        try:
            with warnings.catch_warnings(action="ignore"):
                found = jax.eval_shape(record.fn, *[jax.ShapeDtypeStruct(shape, dtype)] * count)
        except Exception:  # whatever the operator says of such arrays
            continue
        if isinstance(found, (tuple, list)) and all(isinstance(one, jax.ShapeDtypeStruct) for one in found):
            return "tuple[Tensor, ...]"
        return "Tensor" if isinstance(found, jax.ShapeDtypeStruct) else "Any"
    return "Any"


_BUILTIN = re.compile(r"\b(bool|int|float|complex|str)\b")


def _function(table, name, made, indent=""):
    record, row = table[name]
    known, documented_ = _known(record, row), documented(made)
    if indent:  # a method of Tensor, which has methods `int`, `float` and `bool`
        known = {given: _BUILTIN.sub(r"builtins.\1", kind) for given, kind in known.items()}
        if name.startswith("__"):
            known = {given: kind.replace("Tensor | builtins.complex", _BESIDE) for given, kind in known.items()}
    result = _result(record)
    if indent:
        result = _BUILTIN.sub(r"builtins.\1", _GIVEN.get(name, result) if result == "Any" else result)
    other, old = _other_keywords(made.__signature__.more, documented_, of_faces=bool(indent))
    known.update({new: known.get(target, "Any") for new, target in other.items()})
    lists = [form for own in (documented_, *old) for form in with_others(own, _of(own, other))]
    forms = [parameters(form, known=known) for form in lists]
    if table is registry.mint_functions and any(p.name == "size" and p.kind is p.VAR_POSITIONAL for p in documented_):
        forms.append(parameters([_as_keyword(p) for p in documented_], known=known))
    name = name.rsplit(".", 1)[-1]
    first = _FORMS.get(f"Tensor.{name}" if indent else name, ())
    forms = [*first, *((form, result) for form in forms)]
    lines = [f"{indent}def {name}({form}) -> {kind}: ..." for form, kind in forms]
    return lines[0] if len(lines) == 1 else "\n".join(line for one in lines for line in (f"{indent}@overload", one))


def _as_keyword(parameter):
    """A parameter that takes any number of arguments, as a keyword: `ones(size=(2, 3))`; others stay."""
    return parameter.replace(kind=parameter.KEYWORD_ONLY) if parameter.kind is parameter.VAR_POSITIONAL else parameter


def _other_keywords(others, own, of_faces):
    """({keyword that a face takes besides its documented parameters: the parameter that it stands for}, parameter lists of MindSpore 1.x)

    others: the face's `faces._OtherNames`. of_faces: whether names of other faces are told, or those of MindSpore 1.x alone.
    """
    names, old = {p.name for p in own}, faces.old_forms.get(others.form, {})
    of_others = others.of_faces() if of_faces else {}
    targets = {other: given[0] for other, given in of_others.items() if given[0] in names and given[0] != "self"}
    targets |= {other: target for other, target in old.items() if not callable(target)}
    forms = dict.fromkeys(target for target in old.values() if callable(target))
    return {other: target for other, target in targets.items() if other not in names}, [
        _old_form(f, old) for f in forms
    ]


def _of(own, other):
    """The other keywords of a function that stand for one of these parameters, and are none of them."""
    names = {p.name for p in own}
    return {new: target for new, target in other.items() if target in names and new not in names}


def _old_form(function, keywords):
    """The parameters of a form of MindSpore 1.x: what is new in it are keywords."""
    given = [p for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]
    new = [p.replace(kind=p.KEYWORD_ONLY) for p in given if p.name in keywords]
    return [*(p for p in given if p.name not in keywords), *new]


def _known(record, row):
    """{parameter of a face: text of the annotation of the record's parameter that it stands for}"""
    own = record.signature()
    if isinstance(row, Reflected):
        return {"other": annotation(own[0].annotation)}
    taken = row.resolved(own[1:] if row.is_method else own)[1]
    kinds = {p.name: p.annotation for p in own}
    known = {given: annotation(kinds[target]) for target, given in taken.items() if target in kinds}
    return known if row.in_place is None else {**known, row.in_place: "bool"}


# what the operators of Python take beside a Tensor
_BESIDE = "Tensor | builtins.complex | np.number | np.ndarray | COOTensor | CSRTensor"
_GIVEN = {
    "__eq__": "Tensor",
    "__ne__": "Tensor",
    "__getitem__": "Tensor",
    "detach": "Tensor",
    "index": "Tensor",
    "__iter__": "Iterator[Tensor]",
    "__round__": "Tensor",
}  # by operators below the record's


# Operators whose result goes by which arguments there are: (parameters, result) of the forms that come first.
_EXTREME = (
    ("self", "Tensor"),
    ("self, *, axis: builtins.int | Sequence[builtins.int] | None, keepdims: builtins.bool=False, initial: Any=..., where: Any=...", "Tensor"),
    ("self, dim: builtins.int, keepdim: builtins.bool=False", "tuple[Tensor, Tensor]"),
)  # fmt: skip
_FORMS = {
    "Tensor.to": (
        ("self, dtype: Any | None=None, non_blocking: builtins.bool=False, copy: builtins.bool=False", "Tensor"),
        (
            "self, device: builtins.str | None, dtype: Any | None=None, non_blocking: builtins.bool=False, copy: builtins.bool=False",
            "Tensor",
        ),
    ),
    "Tensor.max": _EXTREME, "Tensor.min": _EXTREME, "Tensor.nonzero": (("self", "Tensor"),), "nonzero": (("input: Tensor", "Tensor"),),
    "stop_gradient": (("value: Tensor", "Tensor"),),
    "clip_by_value": (("x: Tensor, clip_value_min: Any=None, clip_value_max: Any=None", "Tensor"),),
}  # fmt: skip


def _told(function, name=""):
    """The result type of a Tensor method, from its source; builtins are written with their module, because Tensor has
    methods of the same names.
    """
    told = annotation(resolved(result_type(function, tensor.Tensor), function, {}), _NAMED.get)
    return _GIVEN.get(name, told) if told == "Any" else _BUILTIN.sub(r"builtins.\1", told)


def _usable(name):
    return name.isidentifier() and not keyword.iskeyword(name)


def _module(module, table, prefix=""):
    """Lines of the stub of a module that offers the faces of a table."""
    lines, home = [], module.__name__.replace("msjax", "mindspore", 1)
    own = {k: k[len(prefix) :] for k in table if k.startswith(prefix) and "." not in k[len(prefix) :]}
    own |= {k: k for k in dir(module) if prefix and k in table and prefix + k not in table}  # names without the prefix
    for full, name in sorted(own.items()):
        if _usable(name):
            lines.append(_function(table, full, faces.function(table, full, home)))
    return lines


def _imported(module, skipped):
    """The import lines of names that a package takes from other modules of msjax."""
    lines = []
    for name in dir(module):  # with those that packages above serve
        value = getattr(module, name, None)
        home = getattr(value, "__module__", None)
        if (
            name.startswith("_")
            or name in skipped
            or inspect.ismodule(value)
            or not isinstance(home, str)
            or not home.startswith("msjax.")
        ):
            continue
        if (
            home != module.__name__
            and getattr(value, "__name__", None) == name
            and _usable(name)
            and hasattr(value, "__qualname__")
        ):
            seen = name in bound_names(sys.modules[home])
            lines.append(f"from {home} import {name} as {name}" if seen else f"{name}: Any")
    return lines


def _primitive(name):
    record, row = registry.primitives[name]
    own = record.signature()
    init, call = row.settings(own), row.inputs(own)
    known = _known(record, row)
    return [
        f"class {name}(Primitive):",
        f"    def __init__({parameters(init, ['self'], known)}) -> None: ...",
        f"    def __call__({parameters(call, ['self'], known)}) -> {_result(record)}: ...",
    ]


def ops_stub():
    """Text of msjax/ops/__init__.pyi."""
    functions, primitives = registry.functions, registry.primitives
    lines = _imported(ops, {*functions, *primitives}) + ["from msjax.core.values.tensor import Tensor as Tensor", ""]
    lines += _module(ops, functions)
    for name in sorted(primitives):
        lines += _primitive(name)
    return lines


def tensor_stub():
    """Text of msjax/core/values/tensor.pyi."""
    lines = [
        "import builtins",
        "import numpy as np",
        "from msjax import COOTensor as COOTensor, CSRTensor as CSRTensor",
        "from msjax.core.values.dtype import Type as Type",
        "class Tensor:",
        "    def __init__(self, input_data=None, dtype=None, shape=None, init=None, "
        "const_arg=False, device=None) -> None: ...",
    ]
    methods = registry.tensor_methods
    own = {name: value for kind in (TensorState, tensor.Tensor) for name, value in vars(kind).items()}
    for name, value in sorted(own.items()):
        if (
            name in methods
            or name in ("__init__", "__slots__", "__module__", "__doc__", "__dict__", "__weakref__", "__getattr__")
            or name.startswith("_")
            and not name.startswith("__")
        ):
            continue
        if isinstance(value, property):
            lines += ["    @property", f"    def {name}(self) -> {_told(value.fget)}: ..."]
            lines += (
                [f"    @{name}.setter", f"    def {name}(self, value) -> None: ..."] if value.fset is not None else []
            )
        elif isinstance(value, staticmethod):
            lines += [
                "    @staticmethod",
                f"    def {name}({parameters(inspect.signature(value.__func__).parameters.values())}) -> {_told(value.__func__)}: ...",
            ]
        elif inspect.isfunction(value):
            lines.append(
                f"    def {name}({parameters(inspect.signature(value).parameters.values())}) -> {_told(value, name)}: ..."
            )
    for name in sorted(methods):
        made = faces.method(name)
        if isinstance(made, property):
            kind = _BUILTIN.sub(r"builtins.\1", _result(methods[name][0]))
            lines += ["    @property", f"    def {name}(self) -> {kind}: ..."]
        elif _usable(name):
            lines.append(_function(methods, name, made, "    "))
    lines += ["", "class Leaked:", "    def __init__(self, what: Any) -> None: ...", ""]
    for name, value in sorted(vars(tensor).items()):
        if inspect.isfunction(value) and value.__module__ == tensor.__name__:
            lines.append(
                f"def {name}({parameters(inspect.signature(value).parameters.values())}) -> {_told(value)}: ..."
            )
    return lines


def _spelled(module, table, prefix="", packages=()):
    lines = [f"from msjax.{module.__name__.removeprefix('msjax.')} import {p} as {p}" for p in packages]
    return [
        *lines,
        *_imported(module, ()),
        "from msjax.core.values.tensor import Tensor as Tensor",
        "",
        *_module(module, table, prefix),
    ]


@functools.cache
def stubs():
    """{path below the package: text}"""
    mint_table, numpy_table = registry.mint_functions, registry.numpy_functions
    made = {
        "ops/__init__.pyi": ops_stub(),
        "core/values/tensor.pyi": tensor_stub(),
        "mint/__init__.pyi": _spelled(mint, mint_table, packages=mint._PACKAGES),
        "mint/nn/functional.pyi": _spelled(mint.nn.functional, mint_table, "nn.functional."),
        "mint/linalg.pyi": _spelled(mint.linalg, mint_table, "linalg."),
        "mint/special.pyi": _spelled(mint.special, mint_table, "special."),
        "mint/fft.pyi": _spelled(mint.fft, mint_table, "fft."),
        "numpy/__init__.pyi": _spelled(numpy, numpy_table) + _constants(numpy),
    }
    for path, lines in made.items():
        if path not in ("ops/__init__.pyi", "core/values/tensor.pyi"):  # classes may have lines alike
            made[path] = list(dict.fromkeys(lines))
    return {path: _file(lines) for path, lines in {**made, **package_stubs()}.items()}


def files():
    """{path: text} of everything that is made: the stubs beside the modules, and the package for `import mindspore`."""
    own = stubs()
    return {
        **{PACKAGE / name: text for name, text in own.items()},
        **{ALIAS / name: text for name, text in alias_stubs(own).items()},
    }


def _constants(module):
    """Lines for numbers and dtypes that a module holds."""
    return [
        f"{n}: {'float' if isinstance(v, float) else 'Any'}"
        for n, v in sorted(vars(module).items())
        if not n.startswith("_") and not inspect.ismodule(v) and not callable(v) and n not in registry.numpy_functions
    ]


def main(argv: list[str] | None):
    """Write the stubs, or with `--check` compare them; the exit code is 1 if one differs."""
    parser = argparse.ArgumentParser(prog="msjax stubs", description="Write the .pyi files for editors.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    given = parser.parse_args(argv)
    need(parser)
    made = files()
    left = [path for path in ALIAS.rglob("*.pyi") if path not in made]
    if given.check:
        wrong = [p for p, text in made.items() if not p.exists() or p.read_text(encoding="utf-8") != text]
        for path in [*wrong, *left]:
            print(f"{path.relative_to(PACKAGE.parent)} is out of date: python -m msjax stubs")
        return 1 if wrong or left else 0
    for path in left:
        path.unlink()
    for path, text in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0
