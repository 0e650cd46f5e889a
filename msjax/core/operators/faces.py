"""Faces: `ops.sum`, `ops.ReduceSum()(x)`, `Tensor.sum`, `mint.sum`, made from the operator records when they are first asked for.

A face is a small generated function with MindSpore's own signature that calls its record with the arguments in the record's order.
"""

import ast
import inspect
import types

import numpy as np

from ..hints import unknown_keyword
from ..keywords import Signature, old_keywords
from ..syntax import parse
from ..values import dtype as mstype
from ..values.tensor import Tensor
from . import primitive_settings
from . import record as registry
from .primitive import Primitive

# Parameter names that mean the same in different faces.
_SYNONYMS = (
    {"axis", "dim", "axes", "dims", "axis1"},
    {"keepdim", "keepdims", "keep_dims"},
    {"dtype", "dst_type", "type"},
    {"input", "x", "input_x", "a", "tensor", "self", "inputs", "input_tensor", "x1", "logits", "arr", "m", "input_a"},
    {"other", "y", "input_y", "x2", "b", "input_other", "vec2", "mat2", "divisor", "tensor2"},
    {"split_size_or_sections", "split_size"},
    {"indices", "index", "idx"},
    {"shape", "size", "newshape", "input_shape"},
    {"depth", "num_classes"},
    {"alpha", "negative_slope"},
    {"ddof", "correction"},
    {"end", "stop"},
    {"min", "clip_value_min"},
    {"max", "clip_value_max"},
    {"dim0", "axis0"},
    {"dim1", "axis1"},
    {"tensors", "input_x", "inputs", "values"},
    {"value", "fill_value"},
    {"epsilon", "eps"},
    {"repeats", "multiples", "reps"},
    {"perm", "input_perm", "dims"},
    {"weights", "weight", "gamma"},
    {"bias", "beta"},
    {"pad", "padding", "padding_value"},
    {"group", "groups"},
    {"stride", "strides"},
    {"kernel_size", "ksize"},
    {"steps", "num"},
    {"mode", "interpolation_mode"},
    {"num_samples", "num_sample"},
    {"target", "label", "labels"},
    {"attn_mask", "atten_mask"},
    {"scale", "scale_value"},
)
_NAMES = {name: getattr(mstype, name) for name in mstype.__all__ if name not in ("int", "float", "bool")}
_NAMES["mindspore"] = types.SimpleNamespace(**_NAMES)  # defaults are spelt as in MindSpore: dtype=mindspore.int32


class Face:
    """A parsed face spec: `name(parameters)` or `Name(init parameters)(call parameters)`.

    Before the name of a Tensor face may stand `property` (no call brackets: `x.T`) or `reflected` (the Tensor is the second operand:
    `__radd__`).
    """

    def __init__(self, spec):
        self.is_property, self.is_reflected = spec.startswith("property "), spec.startswith("reflected ")
        spec = spec.removeprefix("property ").removeprefix("reflected ").strip()
        self.name, *groups = _groups(spec)
        self.groups = [_parameters(g) for g in groups]


def _groups(spec):
    """["sum", "axis=None"] of "sum(axis=None)"."""
    if "(" not in spec:
        return [spec]
    name, rest = spec.split("(", 1)
    parts, depth, start = [name.strip()], 1, 0
    for i, c in enumerate(rest):
        if c in "([":
            if depth == 0:
                start = i + 1
            depth += 1
        elif c in ")]":
            depth -= 1
            if depth == 0:
                parts.append(rest[start:i])
    return parts


def _parameters(text):
    """inspect.Parameters of the text between the brackets of a signature."""
    node = parse(f"lambda {text}: 0", mode="eval").body.args
    params = []
    positional = [*node.posonlyargs, *node.args]
    defaults = [inspect.Parameter.empty] * (len(positional) - len(node.defaults)) + [_value(d) for d in node.defaults]
    for arg, default in zip(positional, defaults):
        params.append(inspect.Parameter(arg.arg, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default))
    if node.vararg:
        params.append(inspect.Parameter(node.vararg.arg, inspect.Parameter.VAR_POSITIONAL))
    for arg, default in zip(node.kwonlyargs, node.kw_defaults):
        params.append(
            inspect.Parameter(
                arg.arg,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if default is None else _value(default),
            )
        )
    if node.kwarg:
        params.append(inspect.Parameter(node.kwarg.arg, inspect.Parameter.VAR_KEYWORD))
    return params


def _value(node):
    return eval(
        compile(ast.Expression(node), "<face>", "eval"),
        {"__builtins__": {"float": float, "int": int, "bool": bool}},
        _NAMES,
    )


def _match(face_params, record_params, where):
    """({record parameter: face parameter}, face parameters that nothing takes)"""
    wanted = {p.name: p for p in record_params if p.kind is not p.VAR_KEYWORD}
    face_params = [p for p in face_params if p.kind is not p.VAR_KEYWORD]
    taken, left = {}, []
    for p in face_params:
        if p.name in wanted and p.name not in taken:
            taken[p.name] = p.name
        else:
            left.append(p)
    still = []
    for p in left:
        group = next((g for g in _SYNONYMS if p.name in g), ())
        target = next((n for n in wanted if n in group and n not in taken), None)
        if target:
            taken[target] = p.name
        else:
            still.append(p)
    extra = []
    free = [n for n, p in wanted.items() if n not in taken and p.default is p.empty]
    for p in still:
        if p.default is p.empty and free:
            taken[free.pop(0)] = p.name
        else:
            extra.append(p)
    missing = [
        n for n, p in wanted.items() if n not in taken and p.default is p.empty and p.kind is not p.VAR_POSITIONAL
    ]
    if missing:
        raise RuntimeError(f"The face {where} gives no value for {missing}.")
    return taken, extra


def _argument_list(params, namespace):
    """Text of a parameter list whose defaults are looked up in `namespace`."""
    parts, star = [], False
    for p in params:
        if p.kind is p.VAR_POSITIONAL:
            parts.append(f"*{p.name}")
            star = True
            continue
        if p.kind is p.VAR_KEYWORD:
            parts.append(f"**{p.name}")
            continue
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        if p.default is p.empty:
            parts.append(p.name)
        else:
            namespace[f"_default_{p.name}"] = p.default
            parts.append(f"{p.name}=_default_{p.name}")
    return ", ".join(parts)


def _call_text(record, source, namespace, params):
    """Text of the call of a record; `source` maps record parameters to expressions, `params` are those of the face."""
    more = next((p.name for p in params if p.kind is p.VAR_KEYWORD), None)
    parts = []
    variadic = any(p.kind is p.VAR_POSITIONAL for p in record.signature())
    for p in record.signature():
        expression = source.get(p.name)
        if p.kind is p.VAR_POSITIONAL:
            parts.append(f"*{expression}" if expression else "*()")
            continue
        if p.kind is p.VAR_KEYWORD:
            parts.append(f"**{more}" if more else "**{}")
            continue
        if expression is None:
            namespace[f"_default_{p.name}"] = p.default
            expression = f"_default_{p.name}"
        parts.append(
            f"{p.name}={expression}"
            if record.composite and (p.kind is p.KEYWORD_ONLY or not variadic) and p.kind is not p.POSITIONAL_ONLY
            else expression
        )
    namespace["_call"] = record.fn if record.composite else record
    return f"_call({', '.join(parts)})"


def _refuse_extra(extra, name, namespace):
    """Lines that refuse a value for a parameter that has no meaning here, unless it is the default."""
    lines = []
    for p in extra:
        if p.kind is p.VAR_POSITIONAL or p.default is p.empty:
            continue
        namespace["_refuse"] = _refuse
        lines.append(
            f"    if {p.name} is not _default_{p.name}: _refuse({name!r}, {p.name!r}, {p.name}, _default_{p.name})\n"
        )
    return "".join(lines)


_FLAGS = ("keepdim", "keepdims", "keep_dims")
_NUMPY_FLAGS = ("endpoint", "retstep", "rowvar", "sparse", "assume_unique", "return_indices", "equal_nan")


def _no_tensor(name, value):
    raise TypeError(f"descriptor '{name}' for 'Tensor' objects doesn't apply to a '{type(value).__name__}' object")


def _numpy_check(name, parameter):
    """Which check mindspore.numpy has for a parameter that is True or False: each of its functions was written on its own."""
    if parameter not in _FLAGS:
        return "_no_bool" if parameter in _NUMPY_FLAGS and name != "allclose" else None
    if name in ("sometrue", "nanmax", "nanmin"):
        return "_no_integer"
    return None if name.startswith("nan") else "_no_bool"


def _check_flags(name, params, namespace, module):
    """Lines that refuse what is no bool for parameters that are True or False."""
    namespace.update(_no_bool=_no_bool, _no_flag=_no_flag, _no_integer=_no_integer)
    lines = []
    for p in params:
        check = "_no_bool" if p.name in _FLAGS else "_no_flag"
        if module == "mindspore.numpy":
            check = _numpy_check(name, p.name)
        if check and type(p.default) is bool:
            lines.append(f"    if {p.name}.__class__ is not bool: {check}({name!r}, {p.name!r}, {p.name})\n")
    return "".join(lines)


def _no_bool(name, parameter, value):
    if not isinstance(value, np.bool_):
        raise TypeError(f"For '{name}', the type of '{parameter}' must be bool, but got {type(value).__name__}.")


def _no_integer(name, parameter, value):
    if not isinstance(value, int):
        _no_bool(name, parameter, value)


def _no_flag(name, parameter, value):
    """Functions take numbers and None for what is True or False, and nothing else."""
    if isinstance(value, (str, tuple, list, dict, float)):
        _no_bool(name, parameter, value)


def _refuse(name, parameter, value, default):
    if value != default:
        raise ValueError(f"For '{name}', '{parameter}' can only be {default!r} on this platform, but got {value!r}.")


def _renaming(name, params, namespace):
    """Parameter list and first lines of a function that also takes its parameters under their names in other faces (`axis=` for `dim=`)."""
    required = [p for p in params if p.default is p.empty]
    namespace.update(_required=_REQUIRED, _missing=_missing, _renamed=_renamed)
    text = _argument_list([p.replace(default=_REQUIRED) if p.default is p.empty else p for p in params], namespace)
    body = f"    if _named: return _renamed(_this, ({', '.join(p.name for p in params)},), _named)\n"
    if required:
        last = max(required, key=params.index)  # positional ones are given in order, so mostly one test is enough
        tests = {last.name: last, **{p.name: p for p in required if p.kind is p.KEYWORD_ONLY}}
        names = ", ".join(f"{p.name}={p.name}" for p in required)
        body += "".join(f"    if {n} is _required: _missing({name!r}, {names})\n" for n in tests)
    return f"{text}, **_named" if text else "**_named", body


def _counting(name, params, namespace):
    """Parameter list and first lines of the call of a Primitive, which counts what it is given, and knows its inputs by other names."""
    if any(p.kind is not p.POSITIONAL_OR_KEYWORD for p in params):
        return _argument_list(params, namespace), ""
    required = [p.name for p in params if p.default is p.empty]
    namespace.update(_required=_REQUIRED, _miscounted=_miscounted, _renamed=_renamed)
    text = _argument_list([p.replace(default=_REQUIRED) if p.default is p.empty else p for p in params[1:]], namespace)
    wrong = f"_more or {required[-1]} is _required" if len(required) > 1 else "_more"
    given = "".join(f"{p.name}, " for p in params[1:])
    own = params[0].name
    return (
        f"{own}, {text + ', ' if text else ''}*_more, **_named",
        f"    if _named: return _renamed(_this, ({own}, {given}), _named)\n"
        f"    if {wrong}: _miscounted({name!r}, ({given}), {len(required) - 1}, _more)\n",
    )


generated_classes = frozenset  # gives the names of Primitives that MindSpore generates; `ops` puts it here


def _miscounted(name, given, wanted, more):
    count = sum(v is not _REQUIRED for v in given) + len(more)
    kind = TypeError if name in generated_classes() else ValueError  # as MindSpore's two kinds of Primitives do
    raise kind(f"For primitive[{name}], the input number must be {wanted}, but got {count}.")


_REQUIRED = type("_Required", (), {"__repr__": lambda self: "<required>"})()


def _missing(function, /, **given):
    names = [n for n, v in given.items() if v is _REQUIRED]
    listed = " and ".join(repr(n) for n in names)
    raise TypeError(
        f"{function}() missing {len(names)} required positional argument{'s' if len(names) > 1 else ''}: {listed}"
    )


old_forms = {}  # (module, name of a function) -> {keyword that only MindSpore 1.x has there: what serves the call}


old_attributes = {}  # name of a Primitive -> the rules of `old_keywords` for the attributes that it has in MindSpore 1.x


def old_form(name, *keywords, module="mindspore.ops"):
    """Decorator of what serves a call of `ops.name` with one of these keywords, which only MindSpore 1.x has there.

    The function gets what was given under the names of today, by position or keyword, and the old keywords.
    """

    def register(fn):
        old_forms.setdefault((module, name), {}).update(dict.fromkeys(keywords, fn))
        return fn

    return register


def old_names(name, module="mindspore.ops", **renamed):
    """Names that parameters of `ops.name` have in MindSpore 1.x, old="today's", where they are none of those in other faces."""
    old_forms.setdefault((module, name), {}).update(renamed)


def _other_names(own, form):
    """Keywords that `_renamed` serves."""
    return {n for g in _SYNONYMS if not g.isdisjoint(own) for n in g}.union(old_forms.get(form, ()))


def _renamed(this, values, named):
    """Call a face again with the keywords of other faces under its own names."""
    own = this.__signature__.documented()
    given = dict(zip(own, values))
    form = old_forms.get((this.__module__, this.__name__), {})
    named = {n if callable(form.get(n, n)) else form.get(n, n): v for n, v in named.items()}
    old = {name: value for name, value in named.items() if name in form}
    defaults = {n: _REQUIRED if p.default is p.empty else p.default for n, p in own.items()}
    for name, value in named.items():
        if name in old:
            continue
        group = (name,) if name in given else next((g for g in _SYNONYMS if name in g), ())
        target = next((n for n in given if n in group and given[n] is defaults[n]), None)
        if target is None:
            raise unknown_keyword(
                f"{this.__qualname__.removeprefix('Tensor.')}()", name, [n for n in given if n != "self"]
            )
        given[target] = value
    if old:
        serve = form[next(iter(old))]
        return serve(**{n: v for n, v in given.items() if v is not defaults[n]}, **old)
    return this(**{n: v for n, v in given.items() if v is not _REQUIRED})


# Operators with a class on the other side that has its own, as sparse Tensors have, leave it to that class.
_MEET_OTHERS = ("__add__", "__sub__", "__mul__", "__truediv__")
_FOREIGN = inspect.Parameter("other", inspect.Parameter.VAR_POSITIONAL)
foreign_operands = set()  # such classes


def _build(name, params, record, source, extra, module, qualifier="", counted=None):
    """The function of a face. counted: the Primitive whose call it is, with a word of its own for a wrong number of arguments."""
    namespace = {"__name__": __name__}  # no function of the user's
    renames = (
        bool(params)
        and not name.startswith("__")
        and all(p.kind is p.POSITIONAL_OR_KEYWORD or p.kind is p.KEYWORD_ONLY for p in params)
    )
    if renames:
        text, body = _renaming(name, params, namespace)
    elif counted:
        text, body = _counting(counted, params, namespace)
    else:
        text, body = _argument_list(params, namespace), ""
    body += _refuse_extra([p for p in extra if p.name != "inplace"], name, namespace)
    if qualifier == "Tensor." and not name.startswith("__"):
        namespace.update(_Tensor=Tensor, _no_tensor=_no_tensor)
        body += f"    if not isinstance({params[0].name}, _Tensor): _no_tensor({name!r}, {params[0].name})\n"
    if _FOREIGN in extra:
        namespace["_foreign"] = foreign_operands
        body += "    if type(other) in _foreign: return NotImplemented\n"
    body += _check_flags(name, params, namespace, module)
    call = _call_text(record, source, namespace, params)
    if any(p.name == "inplace" for p in extra):
        body += f"    if inplace: return {params[0].name}.assign_value({call})\n"
    body += f"    return {call}\n"
    exec(compile(f"def {name}({text}):\n{body}", f"<face {module}.{name}>", "exec"), namespace)
    made = namespace["_this"] = namespace[name]
    if renames or counted:
        made.__signature__ = Signature.of(params, lambda own: _other_names(own, (module, name)))
    made.__module__, made.__doc__, made.__qualname__ = module, record.fn.__doc__, qualifier + name
    made._record = record
    return made


def function(table, name, module):
    """The function face `name` of a table (`registry.functions`, `mint_functions`, `numpy_functions`)."""
    record, spec = table[name]
    face = Face(spec)
    params = face.groups[0] if face.groups else record.signature()
    taken, extra = _match(params, record.signature(), f"{module}.{name}")
    return _build(name.rsplit(".", 1)[-1], params, record, taken, extra, module)


def method(name):
    """The Tensor method or property `name`."""
    record, spec = registry.tensor_methods[name]
    face = Face(spec)
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    first = record.signature()[0]
    if face.is_reflected:
        second = record.signature()[1]
        params = [own, inspect.Parameter("other", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        return _build(
            name,
            params,
            record,
            {first.name: "other", second.name: "self"},
            [],
            "mindspore.Tensor",
            qualifier="Tensor.",
        )
    if face.groups:
        taken, extra = _match(face.groups[0], [p for p in record.signature() if p.name != first.name], f"Tensor.{name}")
        taken[first.name] = "self"
        params = [own, *face.groups[0]]
    else:
        params = [own, *[p for p in record.signature() if p.name != first.name]]
        taken, extra = {p.name: p.name for p in params[1:]}, []
        taken[first.name] = "self"
    if first.kind is first.VAR_POSITIONAL:
        taken[first.name] = "(self,)"
    if name in _MEET_OTHERS:
        extra = [*extra, _FOREIGN]
    made = _build(name, params, record, taken, extra, "mindspore.Tensor", qualifier="Tensor.")
    return property(made, doc=made.__doc__) if face.is_property else made


def primitive(name):
    """The Primitive class `name`."""
    record, spec = registry.primitives[name]
    face = Face(spec)
    init = face.groups[0] if len(face.groups) > 1 else []
    call = face.groups[-1] if face.groups else record.signature()
    taken, extra = _match([*init, *call], record.signature(), f"ops.{name}")
    init_names = {p.name for p in init}
    both = init_names & {p.name for p in call}
    if both:
        raise RuntimeError(f"The face {name} names {sorted(both)} twice.")
    source = {target: f"self.{given}" if given in init_names else given for target, given in taken.items()}
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    run = _build(
        "__call__",
        [own, *call],
        record,
        source,
        [p for p in extra if p.name not in init_names],
        f"mindspore.ops.{name}",
        qualifier=f"{name}.",
        counted=name,
    )
    namespace = {"__name__": __name__, "_init": Primitive.__init__}
    text = _argument_list([own, *init], namespace)
    body = "".join(f"    self.{p.name} = {p.name}\n" for p in init) + _refuse_extra(
        [p for p in extra if p.name in init_names], name, namespace
    )
    refused = primitive_settings.refused(name) if init else {}
    if refused:
        namespace |= {"_check": primitive_settings.check, "_refused": refused}
        given = ", ".join(f"{k!r}: {k}" for k in refused)
        body = f"    _check({name!r}, _refused, {{{given}}})\n" + body
    exec(compile(f"def __init__({text}):\n    _init(self)\n{body}", f"<face ops.{name}>", "exec"), namespace)
    old = old_attributes.get(name)
    if old:
        namespace["__init__"].__qualname__ = f"{name}.__init__"
        namespace["__init__"] = old_keywords(**old)(namespace["__init__"])
    return type(
        name,
        (Primitive,),
        {
            "__init__": namespace["__init__"],
            "__call__": run,
            "__doc__": record.fn.__doc__,
            "__module__": "mindspore.ops",
            "_record": record,
            "_attributes": tuple(p.name for p in init),
            "_writes": record.writes,
        },
    )


class LazyMethod:
    """Stands for a Tensor method until it is first used."""

    def __set_name__(self, owner, name):
        self.name = name

    def __init__(self, name):
        self.name = name

    def __get__(self, instance, owner):
        made = method(self.name)
        setattr(Tensor, self.name, made)
        return made.__get__(instance, owner)


def attach_methods(names=None):
    """Give Tensor a method for every record that names one, or for the given names."""
    for name in registry.tensor_methods if names is None else names:
        if name in Tensor.__dict__ and not isinstance(Tensor.__dict__[name], LazyMethod):
            if name not in _REPLACEABLE:
                raise RuntimeError(
                    f"Tensor.{name} is defined in core/values/tensor.py and by the operator '{registry.tensor_methods[name][0].name}'."
                )
        setattr(Tensor, name, LazyMethod(name))


_REPLACEABLE = ("__eq__", "__ne__", "__hash__", "__lt__", "__le__", "__gt__", "__ge__")
