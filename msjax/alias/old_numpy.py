"""Names of NumPy 1 that scripts of their time use and NumPy 2, which JAX needs, no longer has; see `old_names`."""

from __future__ import annotations

import builtins
import functools
import sys
import warnings

# old name -> what it is in NumPy 2, as an expression; `np.bool`, `np.long` are NumPy's own again
_TODAY = {
    "int": "int", "float": "float", "complex": "complex", "object": "object", "str": "str", "unicode": "str",
    "float_": "float64", "complex_": "complex128", "cfloat": "complex128", "singlecomplex": "complex64",
    "longfloat": "longdouble", "longcomplex": "clongdouble", "clongfloat": "clongdouble",
    "bool8": "bool_", "byte0": "bytes_", "bytes0": "bytes_", "int0": "intp", "object0": "object_", "str0": "str_",
    "uint0": "uintp", "void0": "void", "string_": "bytes_", "unicode_": "str_",
    "Inf": "inf", "Infinity": "inf", "infty": "inf", "PINF": "inf", "NaN": "nan", "NAN": "nan",
    "alltrue": "all", "sometrue": "any", "product": "prod", "cumproduct": "cumprod", "round_": "round",
    "row_stack": "vstack", "trapz": "trapezoid", "mat": "asmatrix", "rank": "ndim",
    "issubclass_": "issubclass", "compare_chararrays": "char.compare_chararrays", "chararray": "char.chararray",
    "safe_eval": "ast.literal_eval", "math": "math", "DataSource": "lib.npyio.DataSource",
    "byte_bounds": "lib.array_utils.byte_bounds", "typeDict": "sctypeDict", "format_parser": "rec.format_parser",
    "AxisError": "exceptions.AxisError", "ComplexWarning": "exceptions.ComplexWarning",
    "DTypePromotionError": "exceptions.DTypePromotionError", "RankWarning": "exceptions.RankWarning",
    "ModuleDeprecationWarning": "exceptions.ModuleDeprecationWarning", "TooHardError": "exceptions.TooHardError",
    "VisibleDeprecationWarning": "exceptions.VisibleDeprecationWarning",
}  # fmt: skip
_NUMBERS = {"NINF": -float("inf"), "PZERO": 0.0, "NZERO": -0.0}


def _asfarray(a, dtype=float):
    """`a` as an array of a float type."""
    import numpy

    dtype = numpy.dtype(dtype)
    return numpy.asarray(a, dtype=dtype if numpy.issubdtype(dtype, numpy.inexact) else float)


def _asscalar(a):
    """The only element of an array as a Python number."""
    return a.item()


def _in1d(ar1, ar2, assume_unique=False, invert=False):
    """Whether the elements of the first array, flattened, are in the second."""
    import numpy

    return numpy.isin(numpy.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert)


def _alen(a):
    """Length of the first axis; 1 for a number."""
    import numpy

    return len(numpy.atleast_1d(a))


def _msort(a):
    """A copy sorted along the first axis."""
    import numpy

    return numpy.sort(a, axis=0)


def _find_common_type(array_types, scalar_types):
    """The dtype that arrays and numbers of these types have together: a number counts only if it is of a higher kind."""
    import numpy

    arrays = [numpy.dtype(t) for t in array_types]
    scalars = [numpy.dtype(t) for t in scalar_types]
    kinds = "buifcSUVO"
    array = numpy.result_type(*arrays) if arrays else None
    scalar = numpy.result_type(*scalars) if scalars else None
    if array is None or scalar is None:
        return scalar if array is None else array
    return scalar if kinds.index(scalar.kind) > kinds.index(array.kind) else array


def _issctype(rep):
    """Whether this is a type of NumPy numbers."""
    import numpy

    return isinstance(rep, (type, numpy.dtype)) and _obj2sctype(rep) not in (None, numpy.object_)


def _obj2sctype(rep, default=None):
    """The type of NumPy numbers that belongs to an object."""
    import numpy

    if isinstance(rep, type) and issubclass(rep, numpy.generic):
        return rep
    if isinstance(rep, numpy.ndarray):
        return rep.dtype.type
    try:
        return numpy.dtype(rep).type
    except TypeError:
        return default


def _sctype2char(sctype):
    """The letter of a dtype."""
    import numpy

    return numpy.dtype(sctype).char


def _maximum_sctype(t):
    """The widest type of the same kind."""
    import numpy

    widest = {"i": numpy.int64, "u": numpy.uint64, "f": numpy.longdouble, "c": numpy.clongdouble}
    return widest.get(numpy.dtype(t).kind, numpy.dtype(t).type)


def _issubsctype(arg1, arg2):
    """Whether one type of numbers is below another."""
    return issubclass(_obj2sctype(arg1), _obj2sctype(arg2))


def _disp(mesg, device=None, linefeed=True):
    """Write a message."""
    (device or sys.stdout).write(f"{mesg}\n" if linefeed else str(mesg))


class _Cast(dict):
    """`np.cast[dtype](x)`."""

    def __missing__(self, dtype):
        import numpy

        return lambda x: numpy.array(x).astype(dtype)


def _sctypes():
    """The types of numbers by kind."""
    import numpy

    return {
        "int": [numpy.int8, numpy.int16, numpy.int32, numpy.int64],
        "uint": [numpy.uint8, numpy.uint16, numpy.uint32, numpy.uint64],
        "float": [numpy.float16, numpy.float32, numpy.float64, numpy.longdouble],
        "complex": [numpy.complex64, numpy.complex128, numpy.clongdouble],
        "others": [bool, object, bytes, str, numpy.void],
    }


_FUNCTIONS = {
    "asfarray": _asfarray, "asscalar": _asscalar, "alen": _alen, "in1d": _in1d, "msort": _msort, "find_common_type": _find_common_type,
    "issctype": _issctype, "obj2sctype": _obj2sctype, "sctype2char": _sctype2char, "maximum_sctype": _maximum_sctype,
    "issubsctype": _issubsctype, "disp": _disp, "cast": _Cast(),
}  # fmt: skip
NAMES = frozenset({*_TODAY, *_NUMBERS, *_FUNCTIONS, "sctypes"})


def _made(name):
    """(value, how it is written today)"""
    import numpy

    if name in _NUMBERS:
        return _NUMBERS[name], repr(_NUMBERS[name])
    if name in _FUNCTIONS:
        return _FUNCTIONS[name], ""
    if name == "sctypes":
        return _sctypes(), ""
    path = _TODAY[name]
    if hasattr(builtins, path):
        return getattr(builtins, path), path
    if path in ("math", "ast.literal_eval"):
        import ast
        import math

        return (math, "math") if path == "math" else (ast.literal_eval, path)
    value = numpy
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a name that is on its way out where it is now
        for part in path.split("."):
            value = getattr(value, part)
    return value, f"np.{path}"


def array_of_numpy_1(plain, tell):
    """`np.array`, for which `copy=False` asks for no more copies than are needed, as in NumPy 1; in NumPy 2 it refuses where one is needed.

    `tell()` is called the first time that one is made.
    """

    @functools.wraps(plain)
    def array(*args, **kwargs):
        try:
            return plain(*args, **kwargs)
        except ValueError:
            if kwargs.get("copy", True) not in (False, 0):
                raise
        made = plain(*args, **{**kwargs, "copy": None})
        tell()
        return made

    return array


def find(name: str):
    """(the value of a name of NumPy 1, its spelling in NumPy 2), or None."""
    return _made(name) if name in NAMES else None
