"""Argument checks with MindSpore's exception types and wording; `mindspore._checkparam` means this module.

check_positive_int(kernel_size, "kernel_size", "Conv2d")
ValueError: For 'Conv2d', the 'kernel_size' must be int and must > 0, but got '0' with type 'int'.
"""

import enum
import functools
import inspect
import math
import operator
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..values import dtype as mstype

if TYPE_CHECKING:
    from ..values.dtype import Float, Int, Number

# relations to one value, to an interval, and to a collection
EQ, NE, LT, LE, GT, GE, INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH, IN, NOT_IN = range(1, 13)


class Rel(enum.IntEnum):
    """The relations under their MindSpore 1.x names: `Rel.INC_LEFT`."""

    EQ, NE, LT, LE, GT, GE, INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH, IN, NOT_IN = range(1, 13)


_BINARY = {
    EQ: (operator.eq, "= {}"),
    NE: (operator.ne, "!= {}"),
    LT: (operator.lt, "< {}"),
    LE: (operator.le, "<= {}"),
    GT: (operator.gt, "> {}"),
    GE: (operator.ge, ">= {}"),
    IN: (lambda a, b: a in b, "in {}"),
    NOT_IN: (lambda a, b: a not in b, "not in {}"),
}
_INTERVAL = {
    INC_NEITHER: (operator.lt, operator.lt, "({}, {})"),
    INC_LEFT: (operator.le, operator.lt, "[{}, {})"),
    INC_RIGHT: (operator.lt, operator.le, "({}, {}]"),
    INC_BOTH: (operator.le, operator.le, "[{}, {}]"),
}


def _subject(arg_name, prim_name):
    named = f"'{arg_name}'" if arg_name else "input value"
    return f"For '{prim_name}', the {named}" if prim_name else f"The {named}"


def _number(arg_value, value, rel, kind, arg_name=None, prim_name=None):
    """A number of the given Python type in the given relation to `value`."""
    subject = _subject(arg_name, prim_name)
    if not isinstance(arg_value, kind):
        raise TypeError(f"{subject} must be {kind.__name__}, but got '{type(arg_value).__name__}'")
    if math.isinf(arg_value) or math.isnan(arg_value):
        raise ValueError(f"{subject} must be a legal value, but got '{arg_value}'.")
    holds, text = _BINARY[rel]
    if isinstance(arg_value, bool) or not holds(arg_value, value):
        message = f"{subject} must be {kind.__name__} and must {text.format(value)}, but got '{arg_value}' with type '{type(arg_value).__name__}'."
        raise TypeError(message) if isinstance(arg_value, bool) else ValueError(message)
    return arg_value


def check_int(arg_value: Any, value: int | float, rel: int, arg_name: str | None = None, prim_name: str | None = None):
    """An int in the given relation to `value`."""
    return _number(arg_value, value, rel, int, arg_name, prim_name)


def check_float(arg_value: Any, value: Any, rel: int, arg_name: str | None = None, prim_name: str | None = None):
    """A float in the given relation to `value`."""
    return _number(arg_value, value, rel, float, arg_name, prim_name)


def _against_zero(kind, rel, doc):
    def checker(arg_value, arg_name=None, prim_name=None):
        return _number(arg_value, 0, rel, kind, arg_name, prim_name)

    def sequence_checker(sequence, arg_name=None, prim_name=None):
        for i, element in enumerate(sequence):
            _number(element, 0, rel, kind, f"{arg_name or 'arg_name'}[{i}]", prim_name)
        return sequence

    checker.__doc__ = f"A {doc}."
    sequence_checker.__doc__ = f"A sequence in which each element is a {doc}."
    return checker, sequence_checker


check_positive_int, check_positive_int_sequence = _against_zero(int, GT, "positive int")
check_negative_int, _ = _against_zero(int, LT, "negative int")
check_non_positive_int, _ = _against_zero(int, LE, "int <= 0")
check_non_negative_int, check_non_negative_int_sequence = _against_zero(int, GE, "int >= 0")
check_positive_float, check_positive_float_sequence = _against_zero(float, GT, "positive float")
check_negative_float, _ = _against_zero(float, LT, "negative float")
check_non_positive_float, _ = _against_zero(float, LE, "float <= 0")
check_non_negative_float, _ = _against_zero(float, GE, "float >= 0")
check_int_positive = check_positive_int


def check_equal_int(arg_value: Any, value: int, arg_name: str | None = None, prim_name: str | None = None):
    """An int equal to `value`."""
    return _number(arg_value, value, EQ, int, arg_name, prim_name)


def check_is_number(arg_value: Any, arg_type: Any, arg_name: str | None = None, prim_name: str | None = None):
    """A finite number of the given Python type."""
    subject = f"For '{prim_name}', the" if prim_name else "The"
    named = f"'{arg_name}'" if arg_name else "input value"
    if not isinstance(arg_value, arg_type) or isinstance(arg_value, bool):
        raise TypeError(
            f"{subject} type of {named} must be '{arg_type.__name__}', but got '{type(arg_value).__name__}'."
        )
    if math.isinf(arg_value) or math.isnan(arg_value):
        raise ValueError(f"{subject} {named} must be a legal float, but got '{arg_value}'.")
    return arg_value


def check_is_int(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None):
    """An int."""
    return check_is_number(arg_value, int, arg_name, prim_name)


def check_is_float(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None):
    """A finite float."""
    return check_is_number(arg_value, float, arg_name, prim_name)


def check_number_range(
    arg_value: Any,
    lower_limit: int | float,
    upper_limit: int | float,
    rel: int,
    value_type: type,
    arg_name: str | None = None,
    prim_name: str | None = None,
):
    """A number of the given type between two limits."""
    subject = _subject(arg_name, prim_name)
    if not isinstance(arg_value, (np.ndarray, np.generic, value_type)) or isinstance(arg_value, bool):
        raise TypeError(f"{subject} must be '{value_type.__name__}',  but got '{type(arg_value).__name__}'.")
    above, below, text = _INTERVAL[rel]
    if not (above(lower_limit, arg_value) and below(arg_value, upper_limit)):
        raise ValueError(
            f"{subject} must be in range of {text.format(lower_limit, upper_limit)}, but got {arg_value} with type "
            f"'{type(arg_value).__name__}'."
        )
    return arg_value


def check_int_range(
    arg_value: Any,
    lower_limit: int | float,
    upper_limit: int | float,
    rel: int,
    arg_name: str | None = None,
    prim_name: str | None = None,
):
    """An int between two limits."""
    return check_number_range(arg_value, lower_limit, upper_limit, rel, int, arg_name, prim_name)


def check_float_range(
    arg_value: Any,
    lower_limit: int | float,
    upper_limit: int | float,
    rel: int,
    arg_name: str | None = None,
    prim_name: str | None = None,
):
    """A float between two limits."""
    return check_number_range(arg_value, lower_limit, upper_limit, rel, float, arg_name, prim_name)


def check(
    arg_name: str,
    arg_value: Any,
    value_name: str,
    value: Any,
    rel: int = EQ,
    prim_name: str | None = None,
    excp_cls: type = ValueError,
):
    """`arg_value` in the given relation to `value`, which the message calls `value_name`."""
    holds, text = _BINARY[rel]
    if not holds(arg_value, value):
        start = f"For '{prim_name}', the" if prim_name else "The"
        subject = f"{start} '{arg_name}'" if " " not in arg_name else f"{start} {arg_name}"
        raise excp_cls(f"{subject} should be {text.format(f'{value_name}: {value}')}, but got {arg_value}.")
    return arg_value


def check_number(arg_name: str, arg_value: Any, value: int | float, rel: int, prim_name: str):
    """`arg_value` in the given relation to `value`."""
    holds, text = _BINARY[rel]
    if not holds(arg_value, value):
        raise ValueError(
            f"For '{prim_name}', the argument '{arg_name}' must {text.format(value)}, but got {arg_value}."
        )
    return arg_value


def check_bool(arg_value: Any, arg_name: str | None = None, prim_name: str | None = None):
    """A bool."""
    if not isinstance(arg_value, bool):
        raise TypeError(f"{_subject(arg_name, prim_name)} must be a bool, but got {type(arg_value).__name__}.")
    return arg_value


def check_string(arg_value: Any, valid_values: list[str], arg_name: str | None = None, prim_name: str | None = None):
    """A str out of a collection."""
    if not (isinstance(arg_value, str) and arg_value in valid_values):
        start = f"For '{prim_name}', the" if prim_name else "The"
        raise ValueError(
            f"{start} '{arg_name or 'parameter'}' must be str and must be in '{valid_values}',"
            f" but got '{arg_value}' with type '{type(arg_value).__name__}'."
        )
    return arg_value


def check_str_by_regular(
    target: str, reg: str | None = None, flag: re.RegexFlag = re.ASCII, prim_name: str | None = None
):
    """A str that matches a pattern; by default a word, then letters, digits, _ and dots."""
    pattern = r"^\w+[0-9a-zA-Z\_\.]*$" if reg is None else reg
    if re.match(pattern, target, flag) is None:
        raise ValueError(
            f"{_the(prim_name)} '{target}' is illegal, it must be match regular'{pattern}' by flags'{flag}.'"
        )
    return True


def check_str_and_none_by_regular(
    target: str, reg: str | None = None, flag: re.RegexFlag = re.ASCII, prim_name: str | None = None
):
    """As check_str_by_regular; the str may be empty or have dashes, and None is taken."""
    pattern = r"^\w*[0-9a-zA-Z\_\.\-]*$" if reg is None else reg
    return True if target is None else check_str_by_regular(target, pattern, flag, prim_name)


def check_file_name_by_regular(target: str, reg: str | None = None, prim_name: str | None = None):
    """A str that can be the name of a file."""
    if not isinstance(target, str):
        raise TypeError(f"{_the(prim_name)} '{target}' must be string, but got {type(target)}.")
    if target.endswith(("\\", "/")):
        raise ValueError(f"{_the(prim_name)} '{target}' cannot be a directory path.")
    pattern = r"^[0-9a-zA-Z@\_\-\.\:\/\\]+$" if reg is None else reg
    if re.match(pattern, target) is None:
        raise ValueError(f"{_the(prim_name)} '{target}' is illegal, it must be match regular '{pattern}'.")
    return True


def _the(prim_name):
    return f"For '{prim_name}', the" if prim_name else "The"


def check_isinstance(arg_name: str, arg_value: Any, classes: Any):
    """An instance of one of the classes."""
    if not isinstance(arg_value, classes):
        raise ValueError(f"The parameter '{arg_name}' must be isinstance of {classes}, but got {arg_value}.")
    return arg_value


def check_value_type(arg_name: str, arg_value: Any, valid_types: list | type, prim_name: str | None = None):
    """An instance of one of the types; a bool counts as an int only where bool is named."""
    kinds = tuple(valid_types) if isinstance(valid_types, (list, tuple, set)) else (valid_types,)
    if (isinstance(arg_value, bool) and bool not in kinds) or not isinstance(arg_value, kinds):
        names = [k.__name__ for k in kinds]
        wanted = f"one of '[{', '.join(repr(n) for n in names)}]'" if len(names) > 1 else names[0]
        start = f"For '{prim_name}', the" if prim_name else "The"
        raise TypeError(
            f"{start} type of '{arg_name}' must be {wanted}, but got '{arg_value}' with type '{type(arg_value).__name__}'."
        )
    return arg_value


def check_type_name(arg_name: str, arg_type: "Float | Int", valid_types: tuple | list, prim_name: str):
    """A dtype out of a collection."""
    kinds = valid_types if isinstance(valid_types, (list, tuple, set)) else (valid_types,)
    if arg_type not in kinds:
        wanted = f"one of {[str(t) for t in kinds]}" if len(kinds) > 1 else str(next(iter(kinds)))
        start = f"For '{prim_name}', the" if prim_name else "The"
        if isinstance(arg_type, np.dtype):  # of an array, whose dtype may have the name of one that is taken
            raise TypeError(f"{start} '{arg_name}' must be a Tensor of {wanted}, but got a NumPy array of {arg_type}.")
        raise TypeError(f"{start} '{arg_name}' must be {wanted}, but got {arg_type}.")
    return arg_type


def check_tensor_dtype_valid(arg_name: str, arg_type: Any, valid_dtypes: Any, prim_name: str):
    """A Tensor's dtype out of a collection."""
    return check_type_name(arg_name, getattr(arg_type, "dtype", arg_type), valid_dtypes, prim_name)


def check_types_same_and_valid(args: dict, valid_values: Any, prim_name: str):
    """dict of dtypes: all equal, and out of a collection."""
    kinds = list(args.values())
    for name, kind in args.items():
        check_type_name(name, kind, valid_values, prim_name)
        if kind != kinds[0]:
            raise TypeError(
                f"For '{prim_name}', the type of all arguments {list(args)} must be the same, but got {[str(k) for k in kinds]}."
            )
    return args


check_scalar_or_tensor_types_same = check_tensors_dtypes_same_and_valid = check_types_same_and_valid


def check_subclass(
    arg_name: str, type_: Any, template_types: "Number", prim_name: str, addition_error_info: str | None = None
):
    """A dtype of one of the given kinds."""
    kinds = template_types if isinstance(template_types, (list, tuple)) else (template_types,)
    if not any(mstype._issubclass_(type_, k) or type_ is k for k in kinds):
        more = f" {addition_error_info}" if addition_error_info else ""
        raise TypeError(
            f"For '{prim_name}', the type of '{arg_name}' must be {' or '.join(map(str, kinds))}, but got {type_}.{more}"
        )
    return type_


def check_input_format(input_param: str):
    """A list or tuple of ints, or an int."""
    if not isinstance(input_param, (int, list, tuple)):
        raise TypeError(f"The input format must be int, list or tuple, but got {type(input_param).__name__}.")
    return input_param


def check_axis_in_range(axis: int, ndim: int):
    """An axis within a number of axes, made non-negative."""
    if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)):
        raise TypeError(f"The axes must be integers, but got {type(axis)}")
    if not -ndim <= axis < ndim:
        raise ValueError(f"The 'axis' must be in the range of [{-ndim}, {ndim}), but got {axis}.")
    return axis % ndim


def check_and_canonicalize_axes(axes: int | Sequence[int], ndim: int):
    """Axes as a tuple of non-negative ints."""
    if isinstance(axes, (tuple, list)):
        made = tuple(check_axis_in_range(a, ndim) for a in axes)
        if len(set(made)) != len(made):
            raise ValueError(f"The element of parameter 'axis' can not be duplicate, but got {axes}.")
        return made
    return (check_axis_in_range(axes, ndim),)


def _repeated(n_dimensions, kinds, what, taken):
    """Function that repeats an int to a tuple of `n_dimensions`; it makes a tuple of so many ints of `kinds`."""

    def convert(value):
        if isinstance(value, bool) or not isinstance(value, (int, *kinds)):
            raise TypeError(
                f"When expanding an {taken[0]} to tuple, input type must be integer or {taken[1]}, but got {type(value)}"
            )
        if not isinstance(value, kinds):
            return (value,) * n_dimensions
        start = f"When expanding an {what[0]} to tuple,"
        if len(value) != n_dimensions:
            raise TypeError(f"{start} input {what[1]} dimension must be {n_dimensions}, but got {value}")
        for v in value:
            if isinstance(v, bool) or not isinstance(v, int):
                raise TypeError(
                    f"{start} the type of element in input {what[1]} must be an integer, but got {type(v)}."
                )
        return tuple(value)

    return convert


def _expand_tuple(n_dimensions):
    return _repeated(n_dimensions, (tuple,), ("int number", "tuple"), ("int number", "tuple[int]"))


def _expand_sequence(n_dimensions):
    return _repeated(n_dimensions, (tuple, list), ("sequence", "sequence"), ("input", "tuple[int]/list[int]"))


once, twice, triple = map(_expand_tuple, (1, 2, 3))
once_sequence, twice_sequence, triple_sequence = map(_expand_sequence, (1, 2, 3))


def check_input_data(*data, data_class: type):
    """TypeError unless all values, in lists, tuples and dicts too, are of a class (or one of several)."""
    kinds = data_class if isinstance(data_class, (tuple, list)) else (data_class,)
    for item in data:
        if isinstance(item, (list, tuple)):
            check_input_data(*item, data_class=data_class)
        elif isinstance(item, dict):
            check_input_data(*item.values(), data_class=data_class)
        elif not any(item is None if kind is None else isinstance(item, kind) for kind in kinds):
            allowed = ", ".join([str(getattr(kind, "__name__", kind)) for kind in kinds])
            raise TypeError(
                f"The types of input data must be in ({allowed}), or tuples, lists or dicts of them, "
                f"but got type {type(item).__name__}."
            )


def check_input_dataset(*dataset, dataset_type: type):
    """Whether a dataset is given, and each one is of this type."""
    return bool(dataset) and all(isinstance(item, dataset_type) for item in dataset)


def check_output_data(data: Any):
    """RuntimeError for None."""
    if data is None:
        raise RuntimeError("The output data can not be None, please check your net or input data.")


def check_hook_fn(hook_fn: Callable):
    """TypeError for a hook that is not callable."""
    if not callable(hook_fn):
        raise TypeError(f"Expected a callable hook function, but got {type(hook_fn).__name__}.")


def _check_3d_int_or_tuple(
    arg_name,
    arg_value,
    prim_name,
    allow_five=False,
    ret_five=False,
    greater_zero=True,
    third_one=False,
    three_input=False,
    pad_value=1,
):
    """Three ints from an int, three ints, or (`allow_five`) five with two in front."""
    check_value_type(arg_name, arg_value, (int, tuple), prim_name)
    values = (arg_value,) * 3 if isinstance(arg_value, int) else arg_value
    if len(values) not in ((3, 5) if allow_five and not three_input else (3,)):
        raise ValueError(
            f"For '{prim_name}', the parameter '{arg_name}' must be an positive integer or a tuple of three "
            f"{'or five ' if allow_five else ''}positive integer, but got {arg_value}"
        )
    for v in values:
        if isinstance(v, bool) or not isinstance(v, int) or v < (1 if greater_zero else 0):
            raise ValueError(
                f"For '{prim_name}', the parameter '{arg_name}' must be an positive integer or a tuple of three "
                f"{'or five ' if allow_five else ''}positive integer, but got {arg_value}"
            )
    if third_one and values[-3] != 1:
        raise ValueError(f"For '{prim_name}', the depth of parameter '{arg_name}' must be 1, but got {values[-3]}.")
    return (
        (*(values[:2] if len(values) == 5 else (pad_value, pad_value)), *values[-3:])
        if ret_five
        else tuple(values[-3:])
    )


def is_stub_tensor(tensor: Any):
    """Whether a Tensor is a placeholder for a result still being computed: never, since msjax has no such placeholders."""
    return False


def args_type_check(*type_args, **type_kwargs):
    """Decorator that checks the types of a function's arguments: `@args_type_check(path=str, size=(int, tuple))`."""

    def wrap(fn):
        signature = inspect.signature(fn)
        wanted = signature.bind_partial(*type_args, **type_kwargs).arguments
        wanted = wanted.get(
            "kwargs", wanted
        )  # where there are further keywords only those are checked, as in MindSpore

        @functools.wraps(fn)
        def checked(*args, **kwargs):
            given = signature.bind(*args, **kwargs).arguments
            for name, value in given.get("kwargs", given).items():
                if name in wanted and value is not None and not isinstance(value, wanted[name]):
                    raise TypeError(f"The parameter '{name}' must be {wanted[name]}, but got {type(value)}")
            return fn(*args, **kwargs)

        return checked

    return wrap


def check_integer(arg_name, arg_value, value, rel, prim_name=None):
    """An int in the given relation to `value`: MindSpore 0.x's `check_int`, which takes the name first."""
    return check_int(arg_value, value, rel, arg_name, prim_name)


def check_float_positive(arg_name, arg_value, prim_name=None):
    """A positive float: MindSpore 0.x's `check_positive_float`, which takes the name first."""
    return check_positive_float(arg_value, arg_name, prim_name)


def check_float_legal_value(arg_name, arg_value, prim_name=None):
    """A finite float: MindSpore 0.x's `check_is_float`, which takes the name first."""
    return check_is_float(arg_value, arg_name, prim_name)


_STATIC = ("check", "twice", "_check_3d", "_expand_tuple", "args_type_check")
# made of what is above, so for a type checker it may have any name; scripts that take this class, or in MindSpore 2 the module, ask it for `EQ`
Validator: Any = type("Validator", (), {
    "__doc__": 'The checks as static methods, as MindSpore 1.x has them: `Validator.check_positive_int(n, "n", self.cls_name)`.',
    "__module__": __name__,
    **{n: staticmethod(v) for n, v in list(globals().items()) if n.startswith(_STATIC) and inspect.isfunction(v)},
    **{n: globals()[n] for n in Rel.__members__},
})  # fmt: skip
