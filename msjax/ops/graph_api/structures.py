"""Functions over functions and structures: HyperMap, Map, MultitypeFuncGraph, partial; order, printing, assertions."""

import functools
import math
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ...core import host_calls
from ...core.compat import Tracer
from ...core.operators.primitive import Primitive
from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Dtype, Ints, Number, Operand, Real
from ...core.trace.call_structure import Mutable, MutableContainer
from ...core.trace.control_flow import resolve
from ...core.trace.frame import current
from ...core.values import dtype as mstype
from ...core.values.printing import kernel_text, tensor_repr
from ...core.values.tensor import Tensor, wrap
from ...core.values.tensor_trees import tensor_leaves

__all__ = ["HyperMap", "Map", "MultitypeFuncGraph", "core", "add_flags", "identity", "partial", "Partial"]

_NUMBER = (int, float, np.number)
# what a type name of `MultitypeFuncGraph.register` takes
_TESTS = {
    "Tensor": lambda v: isinstance(v, Tensor),
    "Ref[Tensor]": lambda v: isinstance(v, Tensor) and v._through_frames,
    "Number": lambda v: isinstance(v, _NUMBER),
    "Bool": lambda v: isinstance(v, (bool, np.bool_)),
    "Int": lambda v: isinstance(v, (int, np.integer)) and not isinstance(v, bool),
    "Float": lambda v: isinstance(v, (float, np.floating)),
    "UInt": lambda v: isinstance(v, np.unsignedinteger),
    "String": lambda v: isinstance(v, str),
    "Tuple": lambda v: isinstance(v, tuple),
    "List": lambda v: isinstance(v, list),
    "Dictionary": lambda v: isinstance(v, dict),
    "Function": callable,
    "None": lambda v: v is None,
    "Slice": lambda v: isinstance(v, slice),
    "Ellipsis": lambda v: v is Ellipsis,
    "Problem": lambda v: False,
    "Type": lambda v: isinstance(v, mstype.Type),
}
_SAME = {
    "NoneType": "None",
    "TypeNone": "None",
    "TypeType": "Type",
    "Func": "Function",
    "Dict": "Dictionary",
    "Str": "String",
    "Sequence": "Tuple",
}
_SPARSE = ("RowTensor", "COOTensor", "CSRTensor")


def _type_of(type_name):
    """The key of `entries` for a type that a body is registered for: MindSpore's type, or a plain name."""
    _test_of(type_name)
    try:
        return mstype.str_to_type(type_name) if isinstance(type_name, str) else type_name
    except (KeyError, TypeError, ValueError):
        return type_name


@functools.cache
def _test_of(type_name):
    """Function that says whether a value is of the named type."""
    if isinstance(type_name, mstype.Type):
        type_name = str(type_name)
    if not isinstance(type_name, str):
        raise TypeError(
            "For 'MultitypeFuncGraph', register only support str or mindspore dtype, but got 'type_input': "
            f"{type_name}."
        )
    name = _SAME.get(type_name, type_name)
    if isinstance(number := getattr(mstype, name, None), mstype.Number):  # "bool", "float32"
        name = str(number)
    if name in _SPARSE or name.endswith("Type") and name not in _TESTS:
        return lambda v: type(v).__name__ == type_name
    if name in _TESTS:
        return _TESTS[name]
    if name.startswith("Tensor["):
        return lambda v: isinstance(v, Tensor) and str(v.dtype) == name[7:-1]
    prefix = name.rstrip("0123456789")
    if prefix in ("Int", "Float", "UInt", "BFloat", "Complex"):  # "Float32": a number of that kind
        return _TESTS.get(prefix, lambda v: isinstance(v, complex))
    raise ValueError(f"For 'MultitypeFuncGraph', there is no type named {type_name!r}.")


class MultitypeFuncGraph:
    """One function of several bodies, chosen by the types of the arguments.

    Args:
        name: name for messages. read_value: accepted; arguments are always read here.

    Raises:
        ValueError: no body takes these types.

    Example:
        >>> add = ops.MultitypeFuncGraph("add")
        >>> @add.register("Tensor", "Number")
        ... def add_number(x, y):
        ...     return x + y
        >>> print(add(Tensor([1.0]), 2))
        [3.]
    """

    def __init__(self, name: str, read_value: Any = False):
        self.name, self.entries, self.default_func = name, [], None

    def register(self, *type_names):
        """Decorator: registers a body for arguments of these types (names such as "Tensor", "Number", "Tuple", or
        dtypes).
        """
        types = tuple(_type_of(t) for t in type_names)

        def add(fn):
            same = next((i for i, (known, _) in enumerate(self.entries) if known == types), None)
            if same is None:
                self.entries.append((types, fn))
            else:  # the last one counts
                self.entries[same] = types, fn
            return fn

        return add

    def _register_default(self, convert_to_interpret=True):
        def add(fn):
            self.default_func = fn
            return fn

        return add

    def __call__(self, *args) -> Any:
        if self.default_func is not None:
            return resolve(self.default_func)(*args)
        for a in args:
            if isinstance(a, np.ndarray):
                raise TypeError("For 'MultitypeFuncGraph', the input can not be numpy.ndarray")
        if len(self.entries) == 1:
            return resolve(self.entries[0][1])(*args)
        for types, fn in self.entries:
            if len(types) == len(args) and all(_test_of(t)(a) for t, a in zip(types, args)):
                return resolve(fn)(*args)
        known = "; ".join(str([str(t) for t in types]) for types, _ in self.entries)
        raise ValueError(
            f"For 'MultitypeFuncGraph', '{self.name}' has no function for arguments of the types "
            f"{[type(a).__name__ for a in args]}; registered are: {known}."
        )

    def set_doc_url(self, doc_url: str):
        """Record where the documentation is."""
        self.doc_url = doc_url

    def set_need_raise(self):
        """Missing types always raise here."""


class HyperMap:
    """Applies a function to every element of (nested) tuples and lists, and gives a (nested) tuple; in compiled code lists stay lists.

    Args:
        ops: the function (or Cell, Primitive, MultitypeFuncGraph); None: it is the first argument of the call.
        reverse: go through the elements from the last to the first; the result is in order.

    Example:
        >>> ops.HyperMap()(ops.square, (Tensor([1.0]), (Tensor([2.0]),)))
        (Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00]), (Tensor(shape=[1], dtype=Float32, value= [ 4.00000000e+00]),))
    """

    _nested = True

    def __init__(self, ops: Any = None, reverse: bool = False):
        if ops and not callable(ops):
            raise (RuntimeError if self._nested else TypeError)(
                f"For '{type(self).__name__}', the 'ops' must be a function or None, but got {type(ops).__name__}."
            )
        self.ops, self.reverse = ops, reverse

    def __call__(self, *args) -> Any:
        fn, args = (args[0], args[1:]) if self.ops is None else (self.ops, args)
        if not args:
            raise (IndexError if self._nested else TypeError)(
                f"For '{type(self).__name__}', there must be at least one sequence to map, but got none."
            )
        return self._map(resolve(fn), args)

    def _map(self, fn, args):
        first = args[0]
        if isinstance(first, dict):
            return {k: self._map(fn, [a[k] if isinstance(a, dict) else a for a in args]) for k in first}
        if not isinstance(first, (tuple, list)):
            return fn(*args)
        for i, a in enumerate(args):
            if not isinstance(a, (tuple, list)):
                raise TypeError(
                    f"For '{type(self).__name__}', the inputs must be sequences of one structure, but input {i} is "
                    f"{type(a).__name__}."
                )
        compiled = current() is not None
        if compiled:
            self._check_alike(args)
        rows = list(zip(*args))[:: -1 if self.reverse else 1]
        made = [self._element(fn, row) for row in rows][:: -1 if self.reverse else 1]
        return made if compiled and isinstance(first, list) else tuple(made)

    def _check_alike(self, args):
        """A graph maps sequences of one type and length; eagerly the shortest one counts, as for `zip`."""
        name, kinds = type(self).__name__, {isinstance(a, list) for a in args}
        if len(kinds) > 1:
            types = ", ".join(type(a).__name__ for a in args)
            where = "In a nonleaf situation, the" if self._nested else "The"
            raise RuntimeError(
                f"{where} types of arguments in {name} must be consistent, but the types of arguments are inconsistent. "
                f"There are {len(args)} inputs of `{name}`: {types}."
            )
        lengths = [len(a) for a in args]
        if len(set(lengths)) > 1:
            kind = "lists" if isinstance(args[0], list) else "tuples"
            text = f"The {kind} in {name} should have the same length."
            if not self._nested:
                text = f"For '{name}', the length of {kind} must be the same."
            raise RuntimeError(f"{text} They have {lengths} elements.")

    def _element(self, fn, row):
        return self._map(fn, row) if self._nested else fn(*row)


class Map(HyperMap):
    """Applies a function to every element of sequences, and gives a tuple (of a list in compiled code a list); elements that are sequences are not opened.

    Args:
        ops, reverse: as for HyperMap.
    """

    _nested = False


def identity(*x) -> Any:
    """Its argument, a Tensor or anything else. `identity()` is this function: MindSpore's `ops.operations` has a class
    of this name, which is instantiated first (`self.identity = ops.operations.identity()`).
    """
    if len(x) > 1:
        raise TypeError(f"identity() takes 1 argument, but got {len(x)}.")
    return x[0] if x else identity


class partial(functools.partial):
    """A function with its first arguments (and keywords) given: `ops.partial(f, a)(b)` is `f(a, b)`.

    Example:
        >>> print(ops.partial(ops.mul, Tensor([2.0]))(Tensor([3.0])))
        [6.]
    """

    def __call__(self, *args, **kwargs) -> Any:
        return resolve(self.func)(*self.args, *args, **{**self.keywords, **kwargs})


class Partial(Primitive):
    """Primitive form of `partial`: `ops.Partial()(f, a)(b)` is `f(a, b)`."""

    def __call__(self, func: Callable, *args, **kwargs):
        return partial(func, *args, **kwargs)


def core(fn: Callable | None = None, **flags):
    """Decorator that records flags on a function; a function is compiled as it is here."""

    def mark(f):
        f.__dict__.setdefault("_func_graph_flags", {}).update({"core": True, **flags})
        return f

    return mark if fn is None else mark(fn)


def add_flags(fn: Callable | None = None, **flags):
    """Decorator that records flags on a function or Cell."""

    def mark(f):
        if hasattr(f, "add_flags"):
            return f.add_flags(**flags)
        f.__dict__.setdefault("_func_graph_flags", {}).update(flags)
        return f

    return mark if fn is None else mark(fn)


# --- order and effects
@composite(prim=Prim("Depend"), ops=True)
def depend(value: Any, expr: Any) -> Array:
    """`value`, after `expr` was computed. Python already keeps that order, eagerly and while it is traced.

    Example:
        >>> print(ops.depend(Tensor([1.0]), None))
        [1.]
    """
    return value


@composite(prim=Prim("ControlDepend", inputs=("src", "dst")), ops=Face("control_depend", args("src", "dst")))
def control_depend(src: Any, dst: Any, depend_mode: int = 0):
    """Nothing: in MindSpore 1.x it asked for `src` to run before `dst`, an order that Python keeps by itself."""


@composite(prim=Prim("UpdateState", call=args("value", "expr")), ops=False, name="update_state")
def update_state(value: Number, *expr: Any):
    """`value`, after the expressions were computed."""
    return value


@composite(prim=Prim("Print"), ops="print_", name="print_values")
def print_values(*input_x: Any):
    """Print Tensors and other values, one a line; inside compiled functions when the values are there.

    Example:
        >>> ops.print_("x =", Tensor([1.0]))
        x =
        Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """
    if current() is None and not any(isinstance(v, Tensor) and isinstance(v.jax_array, Tracer) for v in input_x):
        for v in input_x:
            print(tensor_repr(v) if isinstance(v, Tensor) else v, flush=True)
        return
    compiled = current() is not None  # else a gradient is being computed in PYNATIVE_MODE
    plain, arrays = [], []
    for v in _lines(input_x) if compiled else input_x:
        if isinstance(v, Tensor):
            plain.append(len(arrays))
            arrays.append(v.jax_array)
        else:
            plain.append(str(int(v) if compiled and isinstance(v, bool) else v))
    host_calls.tell(lambda *values: _print(plain, values, kernel_text if compiled else tensor_repr), *arrays)


def _lines(given):
    """What a compiled Print writes on lines of their own: what holds a Tensor is taken apart."""
    for value in given:
        held = list(value.values()) if isinstance(value, dict) else value
        yield from _lines(held) if isinstance(held, (tuple, list)) and tensor_leaves(held) else [value]


def _print(plain, arrays, text):
    for p in plain:
        print(text(wrap(jax.numpy.asarray(arrays[p]))) if isinstance(p, int) else p, flush=True)


@composite(prim=Prim("Assert", inputs=("condition", "input_data")), ops=False, name="assert_true")
def assert_true(condition: Array, input_data: Any, summarize: int = 3):
    """RuntimeError with the first elements of the given Tensors if the condition is False."""
    if not bool(condition):
        shown = ", ".join(str(t.asnumpy().reshape(-1)[:summarize]) for t in input_data)
        raise RuntimeError(f"For 'Assert', the condition must be True, but got False: {shown}")


# --- Python numbers and sequences under the names of graph code
def _scalar_function(name, fn, what):
    def of_numbers(x: Real, y: Real):
        return fn(x, y)

    of_numbers.__doc__ = f"{what} two Python numbers (or Tensors)."
    composite(of_numbers, name=name, ops=name)


for _name, _fn, _what in (
    ("augassign_add", lambda x, y: x + y, "Sum of"),
    ("augassign_sub", lambda x, y: x - y, "Difference of"),
    ("augassign_mul", lambda x, y: x * y, "Product of"),
    ("augassign_div", lambda x, y: x / y, "Quotient of"),
    ("augassign_floordiv", lambda x, y: x // y, "Quotient rounded down of"),
    ("augassign_mod", lambda x, y: x % y, "Remainder of"),
    ("scalar_add", lambda x, y: x + y, "Sum of"),
    ("scalar_sub", lambda x, y: x - y, "Difference of"),
    ("scalar_mul", lambda x, y: x * y, "Product of"),
    ("scalar_div", lambda x, y: x / y, "Quotient of"),
    ("scalar_floordiv", lambda x, y: x // y, "Quotient rounded down of"),
    ("scalar_mod", lambda x, y: x % y, "Remainder of"),
    ("scalar_pow", lambda x, y: x**y, "Power of"),
    ("scalar_eq", lambda x, y: x == y, "Equality of"),
    ("scalar_ne", lambda x, y: x != y, "Inequality of"),
    ("scalar_lt", lambda x, y: x < y, "Less-than of"),
    ("scalar_le", lambda x, y: x <= y, "Less-or-equal of"),
    ("scalar_gt", lambda x, y: x > y, "Greater-than of"),
    ("scalar_ge", lambda x, y: x >= y, "Greater-or-equal of"),
    ("bool_and", lambda x, y: x and y, "Logical and of"),
    ("bool_or", lambda x, y: x or y, "Logical or of"),
    ("bool_eq", lambda x, y: x == y, "Equality of"),
    ("string_eq", lambda x, y: x == y, "Equality of"),
    ("string_concat", lambda x, y: x + y, "Concatenation of"),
    ("tuple_getitem", lambda x, y: x[y], "Item at the second of"),
    ("list_getitem", lambda x, y: x[y], "Item at the second of"),
    ("dict_getitem", lambda x, y: x[y], "Item at the second of"),
    ("in_dict", lambda x, y: x in y, "Membership of"),
    ("not_in_dict", lambda x, y: x not in y, "Non-membership of"),
    ("scalar_max", max, "Larger of"),
    ("scalar_min", min, "Smaller of"),
    ("tuple_equal", lambda x, y: x == y, "Equality of"),
    ("list_equal", lambda x, y: x == y, "Equality of"),
    ("is_", lambda x, y: x is y, "Identity of"),
    ("is_not", lambda x, y: x is not y, "Non-identity of"),
):
    _scalar_function(_name, _fn, _what)


@composite(ops=True)
def make_tuple(*values: Any):
    """The arguments as a tuple."""
    return values


@composite(ops=True)
def make_list(*values: Any):
    """The arguments as a list."""
    return list(values)


@composite(ops=("tuple_len", "list_len"))
def tuple_len(x: Any):
    """Number of items."""
    return len(x)


@composite(ops=True)
def make_range(start: Any, stop: Any = None, step: int = 1):
    """The integers of a range, as a tuple.

    Example:
        >>> ops.make_range(0, 3)
        (0, 1, 2)
    """
    return tuple(range(start)) if stop is None else tuple(range(start, stop, step))


@composite(ops=True)
def make_slice(start: Any, stop: Any, step: Any):
    """A slice."""
    return slice(start, stop, step)


@composite(ops=True)
def make_dict(keys: Any, values: Any):
    """A dict of keys and values."""
    return dict(zip(keys, values))


@composite(ops=("tuple_setitem", "list_setitem"))
def tuple_setitem(data: Any, index: Any, value: Number):
    """A tuple or list with one item replaced."""
    items = list(data)
    items[index] = value
    return tuple(items) if isinstance(data, tuple) else items


@composite(ops=True)
def dict_setitem(data: Any, key: Any, value: Number):
    """A dict with one item replaced."""
    return {**data, key: value}


@composite(ops=True)
def tuple_div(x: Any, y: Any):
    """Quotients of the items of two tuples of ints, which must be whole.

    Raises:
        TypeError: an argument is not a tuple.
        RuntimeError: tuples of unlike lengths, items that are not ints, a divisor of 0, a quotient that is not whole.
    """
    for position, value in enumerate((x, y)):
        if not isinstance(value, tuple):
            raise TypeError(f"For 'tuple_div', input[{position}] should be Tuple, but got {type(value).__name__}.")
    if len(x) != len(y):
        raise RuntimeError(
            f"The size of inputs of 'tuple_div' operator must be the same, but got {len(x)} and {len(y)}."
        )
    for a, b in zip(x, y):
        if isinstance(a, float) or isinstance(b, float):
            raise RuntimeError(
                f"The data type of inputs of 'tuple_div' operator should be an int64 number, but got {a} and {b}."
            )
        if b == 0:
            raise RuntimeError(f"The divisor value should not be 0, but 'tuple_div' got {a} and {b}.")
        if a % b:
            raise RuntimeError(f"The inputs of 'tuple_div' operator should be divisible, but got {a} and {b}.")
    return tuple(a // b for a, b in zip(x, y))


@composite(ops=Face("shape_mul", args("input_data"), to={"input_data": "shape"}))
def shape_mul(shape: Ints):
    """Product of the items of a tuple."""
    return math.prod(shape)


@composite(ops=True)
def tail(x: Any):
    """The items but the first."""
    return x[1:]


@composite(ops=True)
def bool_not(x: Any):
    """Logical not of a Python bool."""
    return not x


@composite(ops=True)
def scalar_log(x: Real):
    """Natural logarithm of a Python number."""
    return math.log(x)


@composite(ops=True)
def scalar_uadd(x: Real):
    """A Python number as it is."""
    return +x


@composite(ops=True)
def scalar_usub(x: Real):
    """The negated Python number."""
    return -x


@composite(ops=True)
def switch(condition: Any, x: Any, y: Any):
    """x if the condition is True, else y; both are there already."""
    return x if condition else y


@composite(ops=True)
def isconstant(x: Any):
    """Whether a value is known while a function is compiled; eagerly all values are."""
    if isinstance(x, Tensor):
        return not isinstance(x.jax_array, Tracer)
    if current() is None:
        return True
    if isinstance(x, (Mutable, MutableContainer)):
        return False
    return not isinstance(x, (tuple, list)) or all(isconstant(v) for v in x)


@composite(ops=True)
def hastype(x: Any, dtype: Dtype):
    """Whether a value is of a mindspore type."""
    return typeof(x) == dtype


@composite(ops=Face("mixed_precision_cast", args("dst_dtype", "x"), to={"dst_dtype": "dtype"}))
def mixed_precision_cast(dtype: Dtype, x: Any):
    """Floating point Tensors (also inside tuples, lists and dicts) in another dtype; the rest as it is."""
    if isinstance(x, Tensor):
        return records["cast"](x, dtype) if records["is_floating_point"].fn(x) else x
    if isinstance(x, (tuple, list)):
        return type(x)(mixed_precision_cast(dtype, v) for v in x)
    if isinstance(x, dict):
        return {k: mixed_precision_cast(dtype, v) for k, v in x.items()}
    return x


@composite(ops=True)
def tuple_reversed(x: Any):
    """The items in reverse order."""
    return x[::-1]


@composite(ops=True)
def typeof(x: Any):
    """MindSpore's type of a value: `mindspore.tensor[float32]` of a Tensor, `mindspore.int64` of an int.

    Example:
        >>> ops.typeof(Tensor([1.0]))
        mindspore.tensor[float32]
    """
    if isinstance(x, dict):
        return mstype.Dict(x, [typeof(v) for v in x.values()])
    if isinstance(x, (mstype.Type, type)):
        return mstype.type_type
    if type(x) is float:
        return mstype.float32  # of a graph: Python's own floats are float32 there
    return mstype.function if callable(x) else mstype.get_py_obj_dtype(x)


@composite(ops=True)
def hyper_add(x: Any, y: Any) -> Array:
    """Sum of two Tensors, or of the elements of two nested sequences."""
    return HyperMap(records["add_two"])(x, y)


@op(ops=False, name="add_two")
def add_two(x: Array, y: Operand):
    """Sum of two Tensors."""
    return x + y
