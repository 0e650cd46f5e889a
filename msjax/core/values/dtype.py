"""MindSpore's dtypes, and how they map to NumPy's.

Everything here is NumPy only: the dataset package uses it and must not pull in JAX.
A numeric type knows its NumPy dtype; the other types (string, tuple, tensor, ...) exist because scripts name them.
"""

import builtins
import enum
import inspect
import sys
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

__all__ = [
    "Bool",
    "Float",
    "Int",
    "QuantDtype",
    "TensorType",
    "Type",
    "_NullType",
    "_null",
    "bfloat16",
    "bool_",
    "byte",
    "cdouble",
    "cfloat",
    "complex128",
    "complex64",
    "double",
    "dtype_to_nptype",
    "dtype_to_pytype",
    "float16",
    "float32",
    "float64",
    "float8_e4m3fn",
    "float8_e5m2",
    "float_",
    "get_py_obj_dtype",
    "half",
    "hifloat8",
    "int16",
    "int32",
    "int64",
    "int8",
    "int_",
    "intc",
    "intp",
    "list_",
    "long",
    "number",
    "pytype_to_dtype",
    "qint4x2",
    "short",
    "single",
    "string",
    "tensor_type",
    "to_numpy",
    "tuple_",
    "type_none",
    "ubyte",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintc",
    "uintp",
    "ushort",
]


class Type:
    """A MindSpore type: `repr` is its dotted name, `str` its printed name, equality is by that name."""

    __slots__ = ("_name", "_printed", "_np")

    def __init__(self, name: str, printed: str, np_dtype: Any = None):
        self._name, self._printed, self._np = name, printed, None if np_dtype is None else np.dtype(np_dtype)

    def __repr__(self):
        return f"mindspore.{self._name}"

    def __str__(self):
        return self._printed

    def __eq__(self, other):
        return self is other or (isinstance(other, Type) and other._printed == self._printed)

    def __hash__(self):
        return hash(self._printed)

    # Types are constants: copies and pickles are the same object again.
    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _by_printed, (self._printed,)


class Number(Type):
    """Type of numbers. `Int(32)` and `Float(16)` are int32 and float16, `Int()` is the type of Python's ints.

    Raises:
        TypeError: the number of bits is not an int. RuntimeError: there is no such type.
    """

    __slots__ = ()

    def __new__(cls, name: str | None = None, printed: str | None = None, np_dtype: Any = None):
        if printed is not None:
            return object.__new__(cls)
        if name is not None and (isinstance(name, builtins.bool) or not isinstance(name, builtins.int)):
            raise TypeError(f"For '{cls.__name__}', the number of bits must be int, but got {name!r}.")
        found = _ALL.get(cls.__name__ + ("" if name is None else str(name)))
        if found is None:
            raise RuntimeError(f"For {cls.__name__} there is no type of {name} bits; use 8, 16, 32 or 64.")
        return found

    def __init__(self, name: str | None = None, printed: str | None = None, np_dtype: Any = None):
        if printed is not None:
            super().__init__(name, printed, np_dtype)

    @property
    def is_signed(self):
        """Whether the type has negative numbers."""
        return not isinstance(self, (Bool, UInt))

    @property
    def is_floating_point(self):
        """Whether it is one of the real floats."""
        return isinstance(self, (Float, BFloat))

    @property
    def is_complex(self):
        """Whether it is one of the complex types."""
        return isinstance(self, Complex)

    def to_complex(self):
        """The complex type with parts of this type; TypeError if there is none."""
        found = {"Float32": complex64, "BFloat16": complex64, "Float64": complex128}.get(self._printed)
        if found is None and not isinstance(self, Complex):
            raise TypeError(f"Cannot convert type {self._name} to complex type.")
        return found or self

    def to_real(self):
        """The type of the parts of a complex type; any other type itself."""
        return {"Complex64": float32, "Complex128": float64}.get(self._printed, self)

    @property
    def itemsize(self):
        """Bytes of one element."""
        return self._np.itemsize


class Int(Number):
    __slots__ = ()


class UInt(Number):
    __slots__ = ()


class Float(Number):
    __slots__ = ()


class BFloat(Number):
    __slots__ = ()


class Complex(Number):
    __slots__ = ()


class Bool(Number):
    __slots__ = ()


class String(Type):
    __slots__ = ()


class List(Type):
    __slots__ = ()


class Tuple(Type):
    __slots__ = ()


class Dict(Type):
    """Type of dicts, with the names of the keys and the types of the values: `Dict(("a",), (mindspore.int64,))`."""

    __slots__ = ("_parts",)

    def __init__(self, keys: Sequence, types: Sequence):
        self._parts = tuple(keys), tuple(types)
        text = f"Dictionary[[{''.join(f'{key},' for key in keys)}],[{','.join(map(str, types))}]]"
        super().__init__(text, text)

    def __reduce__(self):
        return Dict, self._parts


class TensorType(Type):
    """Type of Tensors, with the dtype of their elements where it is known: `TensorType(mindspore.float32)`."""

    __slots__ = ("_element",)

    def __init__(self, element: Any = None):
        self._element = element
        if element is None:
            super().__init__("tensor", "Tensor")
        else:
            super().__init__(f"tensor[{element._name}]", f"Tensor[{element}]")

    def element_type(self):
        """dtype of the elements, or None."""
        return self._element

    def __reduce__(self):
        return TensorType, (self._element,)

    # In 1.x `tensor_type` is the class.
    def __call__(self, element: Any):
        return TensorType(element)

    def __instancecheck__(self, value):
        return isinstance(value, TensorType)


class FunctionType(Type):
    __slots__ = ()


bool_ = Bool("bool", "Bool", np.bool_)
int8 = byte = Int("int8", "Int8", np.int8)
int16 = short = Int("int16", "Int16", np.int16)
int32 = intc = Int("int32", "Int32", np.int32)
int64 = long = intp = Int("int64", "Int64", np.int64)
uint8 = ubyte = UInt("uint8", "UInt8", np.uint8)
uint16 = ushort = UInt("uint16", "UInt16", np.uint16)
uint32 = uintc = UInt("uint32", "UInt32", np.uint32)
uint64 = uintp = UInt("uint64", "UInt64", np.uint64)
float16 = half = Float("float16", "Float16", np.float16)
float32 = single = Float("float32", "Float32", np.float32)
float64 = double = Float("float64", "Float64", np.float64)
bfloat16 = BFloat("bfloat16", "BFloat16", ml_dtypes.bfloat16)
float8_e4m3fn = Float("float8_e4m3fn", "Float8E4M3FN", ml_dtypes.float8_e4m3fn)
float8_e5m2 = Float("float8_e5m2", "Float8E5M2", ml_dtypes.float8_e5m2)
hifloat8 = Float("hifloat8", "HiFloat8")
complex64 = cfloat = Complex("complex64", "Complex64", np.complex64)
complex128 = cdouble = Complex("complex128", "Complex128", np.complex128)
qint4x2 = Int("int4", "Int4", ml_dtypes.int4)

# Python's own number types as MindSpore sees them (a scalar, not yet an array).
int_ = Int("int", "Int")
uint = UInt("uint", "UInt")
float_ = Float("float", "Float")
number = Number("number", "Number")
string = String("string_", "String")
list_ = List("list_", "List")
tuple_ = Tuple("tuple_", "Tuple")
tensor_type = TensorType()
type_none = Type("type_none", "None")
type_type = Type("type_type", "TypeType")


class _NullType(Type):
    """The type of `_null`, which stands for an argument that is not given."""

    __slots__ = ()

    def __init__(self):
        super().__init__("Null", "Null")


_null = _NullType()
function = FunctionType("function", "Func")
symbolic_key = Type("symbolic_key", "SymType")
env_type = Type("env_type", "EnvType")
type_refkey = Type("type_refkey", "Object:RefKey")
coo_tensor = Type("coo_tensor", "COOTensor")
csr_tensor = Type("csr_tensor", "CSRTensor")
undetermined = Type("undetermined", "Undetermined")

number_type = (
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    float32,
    float64,
    bfloat16,
    complex64,
    complex128,
    qint4x2,
)
int_type = (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
uint_type = (uint8, uint16, uint32, uint64)
signed_type = (int8, int16, int32, int64, float16, float32, float64)
float_type = (float16, float32, float64, bfloat16)
complex_type = (complex64, complex128)
all_types = (bool_, *number_type)

_ALL = {t._printed: t for t in list(globals().values()) if isinstance(t, Type)}
_FROM_NUMPY = {t._np: t for t in _ALL.values() if t._np is not None}
_FROM_NAME = {t._name: t for t in _ALL.values()} | {
    "bool_": bool_,
    "half": float16,
    "single": float32,
    "double": float64,
    "long": int64,
}
_FROM_PYTHON = {
    builtins.bool: bool_,
    builtins.int: int64,
    builtins.float: float64,
    complex: complex128,
    str: string,
    list: list_,
    tuple: tuple_,
    type(None): type_none,
}
_TO_PYTHON = {
    **dict.fromkeys(int_type, builtins.int),
    **dict.fromkeys(float_type, builtins.float),
    bool_: builtins.bool,
    list_: list,
    tuple_: tuple,
    string: str,
    type_none: type(None),
    complex64: complex,
    complex128: complex,
    int_: builtins.int,
    float_: builtins.float,
}


def _by_printed(printed):
    return _ALL[printed]


class QuantDtype(enum.Enum):
    """Quantised dtypes (INT1..INT16, UINT1..UINT16): names only, as in MindSpore."""

    INT1, INT2, INT3, INT4, INT5, INT6, INT7, INT8, INT9, INT10, INT11, INT12, INT13, INT14, INT15, INT16 = range(16)
    (
        UINT1,
        UINT2,
        UINT3,
        UINT4,
        UINT5,
        UINT6,
        UINT7,
        UINT8,
        UINT9,
        UINT10,
        UINT11,
        UINT12,
        UINT13,
        UINT14,
        UINT15,
        UINT16,
    ) = range(100, 116)

    def __str__(self):
        return f"{self.name}"

    def value(self):
        return self._value_

    @property
    def num_bits(self):
        """How many bits (a name of MindSpore 1.x, as the next two)."""
        return builtins.int(self.name.lstrip("UINT"))

    @staticmethod
    def is_signed(dtype: Any):
        """Whether the type has numbers below 0."""
        return dtype.name.startswith("INT")

    @staticmethod
    def switch_signed(dtype: Any):
        """The one of as many bits, with or without numbers below 0."""
        return QuantDtype[f"{'U' if QuantDtype.is_signed(dtype) else ''}INT{dtype.num_bits}"]


def to_numpy(dtype: Any):
    """NumPy dtype of a MindSpore type, a NumPy dtype or type, a Python number type, or a name.

    Raises TypeError for a type that has no array form (string, tuple, ...).
    """
    if isinstance(dtype, Type):
        if dtype._np is not None:
            return dtype._np
        if dtype is int_:
            return np.dtype(np.int64)
        if dtype is float_:
            return np.dtype(np.float32)
        if dtype is string:
            return np.dtype(np.str_)
    elif isinstance(dtype, str) and dtype in _FROM_NAME and _FROM_NAME[dtype]._np is not None:
        return _FROM_NAME[dtype]._np
    elif dtype is not None:
        try:
            return np.dtype(dtype)
        except TypeError:
            pass
    raise TypeError(
        f"The dtype must be a mindspore.dtype with an array form, such as mindspore.float32, but got {dtype!r}."
    )


def from_numpy(np_dtype: np.dtype) -> "Type":
    """MindSpore type of a NumPy dtype; TypeError where there is none."""
    found = _FROM_NUMPY.get(np_dtype)
    if found is None:
        np_dtype = np.dtype(np_dtype)
        found = _FROM_NUMPY.get(np_dtype)
        if found is None:
            if np_dtype.kind in "US":
                return string
            raise TypeError(
                f"MindSpore has no dtype for the NumPy dtype '{np_dtype}'; it has {', '.join(map(str, _FROM_NUMPY))}."
            )
    return found


def of(value: Any):
    """MindSpore type of a type-like value: a Type, a NumPy dtype, a Python number type or a name such as 'float32'."""
    if isinstance(value, Type):
        return value
    if value in (builtins.int, builtins.float, builtins.bool, complex):
        return _FROM_PYTHON[value]
    return from_numpy(to_numpy(value))


def dtype_to_nptype(type_: Any):
    """NumPy type that holds a MindSpore type.

    >>> from mindspore import dtype_to_nptype, int8
    >>> dtype_to_nptype(int8)
    <class 'numpy.int8'>
    """
    return to_numpy(type_).type


def dtype_to_pytype(type_: Any):
    """Python type of a MindSpore type: int, float, bool, complex, str, list, tuple."""
    return _TO_PYTHON[type_]


def pytype_to_dtype(obj: type):
    """MindSpore type of a Python type, a NumPy dtype or a MindSpore type; NotImplementedError for anything else."""
    if isinstance(obj, Type):
        return obj
    if isinstance(obj, np.dtype) or (isinstance(obj, type) and issubclass(obj, np.generic)):
        return from_numpy(np.dtype(obj))
    if isinstance(obj, type) and obj in _FROM_PYTHON:
        return _FROM_PYTHON[obj]
    raise NotImplementedError(f"The python type {obj} cannot be converted to MindSpore type.")


def get_py_obj_dtype(obj: "float"):
    """MindSpore type of a Python object: a Tensor's own type, `function`, or the type of a number, string or container."""
    if hasattr(obj, "asnumpy"):
        return TensorType(obj.dtype)
    if inspect.isfunction(obj) or inspect.ismethod(obj):
        return function
    if isinstance(obj, type):
        return pytype_to_dtype(obj)
    return pytype_to_dtype(type(obj))


def type_size_in_bytes(dtype: Any):
    """Bytes of one element of a numeric type."""
    return to_numpy(dtype).itemsize


def _issubclass_(type_, class_):
    """Whether a dtype, or a dtype class, is of the kind `class_`; MindSpore code uses it in checks."""
    cls = type_ if isinstance(type_, type) else type(type_)
    return issubclass(cls, class_ if isinstance(class_, (type, tuple)) else type(class_))


# `bool`, `int` and `float` are MindSpore's module-level names; they come last so that the builtins serve this file.
bool = bool_
int = int32
float = float32

# `dtype.typing.Float` and the like: MindSpore has the classes of types in a module of their own.
typing = sys.modules[__name__]

_NAMED = {
    "Tensor": tensor_type,
    "Number": number,
    "String": string,
    "Tuple": tuple_,
    "List": list_,
    "None": type_none,
    "Function": function,
    "Int": int_,
    "UInt": uint,
    "Float": float_,
    "EnvType": env_type,
    "COOTensor": coo_tensor,
    "CSRTensor": csr_tensor,
    **{name: type(name, (Type,), {})(name, name) for name in ("Slice", "Ellipsis", "Dictionary", "RowTensor")},
}


def str_to_type(name: str):
    """The type that MindSpore's inner code calls `name`: "Tensor", "Number", "Tuple", "Float32", ...; RuntimeError if none."""
    found = _NAMED.get(name) or globals().get(name.lower())
    if not isinstance(found, Type):
        raise RuntimeError(f"Unsupported type name: {name}!")
    return found
