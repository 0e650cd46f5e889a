"""MindSpore's implicit type conversion between operands.

Not NumPy's: a Python float leaves float16 alone and makes float32 of integers, int64 with float16 is float16, and the unsigned
types from 16 bits on mix with nothing but bool. The whole table is recorded from MindSpore and checked by the tests.
A Python scalar is a Python number or, inside a jitted operator, a weakly typed array: it never decides between float widths.
"""

from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from . import dtype as mstype

if TYPE_CHECKING:
    import types

    import jax


_SIGNED = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}
_BF16 = mstype.to_numpy(mstype.bfloat16)
_KIND_BOOL, _KIND_INT, _KIND_FLOAT, _KIND_COMPLEX = range(4)
_memo = {}


def kind_of(dtype: np.dtype):
    """0 bool, 1 integer, 2 float (bfloat16 and float8 too), 3 complex."""
    return {"b": _KIND_BOOL, "i": _KIND_INT, "u": _KIND_INT, "f": _KIND_FLOAT, "c": _KIND_COMPLEX}.get(
        dtype.kind, _KIND_FLOAT
    )


def numpy_or(dtype: Any, default: Any = np.float32):
    """NumPy dtype of a MindSpore type; that of `default` for None."""
    return np.dtype(default) if dtype is None else mstype.to_numpy(dtype)


def numpy_among(name: str, dtype: Any, allowed: str):
    """NumPy dtype of a MindSpore type that an operator takes as an argument.

    Args:
        name: the operator, for the message.
        dtype: the type.
        allowed: the names of the types that the operator takes, such as "int32 int64".

    Raises:
        TypeError: `dtype` is none of them.
    """
    if dtype not in [getattr(mstype, known) for known in allowed.split()]:
        raise TypeError(f"For '{name}', the 'dtype' must be one of {', '.join(allowed.split())}, but got {dtype}.")
    return mstype.to_numpy(dtype)


def is_scalar(value: Any):
    """Whether an operand counts as a Python scalar."""
    return getattr(value, "weak_type", None) is True or isinstance(value, (bool, int, float, complex, np.generic))


def _mixes_with_nothing(dtype):
    return dtype.kind == "u" and dtype.itemsize > 1


def _refuse(a, b):
    return TypeError(
        f"Type implicit conversion between {mstype.from_numpy(a)} and {mstype.from_numpy(b)} is not supported."
    )


def _pair(a, b):
    """dtype of two arrays."""
    if a == b:
        return a
    ka, kb = kind_of(a), kind_of(b)
    if ka == _KIND_BOOL or kb == _KIND_BOOL:
        return b if ka == _KIND_BOOL else a
    if _mixes_with_nothing(a) or _mixes_with_nothing(b):
        raise _refuse(a, b)
    if ka == kb == _KIND_INT:
        if a.kind == b.kind:
            return max(a, b, key=lambda d: d.itemsize)
        signed = a if a.kind == "i" else b
        return np.dtype(_SIGNED[max(signed.itemsize, 2)])  # uint8 with intN
    if ka != kb:
        low, high = (a, b) if ka < kb else (b, a)
        if high.kind == "c" and low == np.float64:
            return np.dtype(np.complex128)
        return high
    if a.itemsize == b.itemsize:
        return np.dtype(np.float32)  # float16 with bfloat16
    return max(a, b, key=lambda d: d.itemsize)


def _with_scalar(dtype, scalar_kind):
    """dtype of an array with a Python scalar of the given kind."""
    kind = kind_of(dtype)
    if scalar_kind == _KIND_COMPLEX:
        return dtype if kind == _KIND_COMPLEX else np.dtype(np.complex128 if dtype == np.float64 else np.complex64)
    if kind >= scalar_kind:
        return dtype
    if scalar_kind == _KIND_INT:
        return np.dtype(np.int64)
    return np.dtype(np.float32)


def result_dtype(*operands):
    """Common dtype of operands: arrays and Python scalars."""
    try:
        arrays = [x.dtype for x in operands if not is_scalar(x)]
    except AttributeError:
        if any(isinstance(x, (list, tuple)) for x in operands):
            return result_dtype(*[_from_list(x) for x in operands])
        odd = next(x for x in operands if not is_scalar(x) and not hasattr(x, "dtype"))
        raise TypeError(
            f"unsupported operand type: an operand must be a Tensor or a number, but got {type(odd).__name__}."
        ) from None
    kinds = [kind_of(np.result_type(x) if not hasattr(x, "dtype") else x.dtype) for x in operands if is_scalar(x)]
    key = (tuple(arrays), max(kinds, default=-1))
    found = _memo.get(key)
    if found is None:
        if not arrays:
            found = np.dtype([np.bool_, np.int64, np.float32, np.complex64][key[1]])
        else:
            found = arrays[0]
            for dtype in arrays[1:]:
                found = _pair(found, dtype)
            if kinds:
                found = _with_scalar(found, key[1])
        _memo[key] = found
    return found


def check_stays(variable, value, *names):
    """Refuse a value that is written into a variable whose type it would change.

    names: what the two are called.

    Raises:
        TypeError: both together would have another type than the variable: a float for an integer, float64 for float32.
    """
    if value.dtype != variable.dtype and result_dtype(variable, value) != variable.dtype:
        raise TypeError(
            "Data type conversion is not supported for a 'Parameter', nor for the input tensor of an in-place operator: "
            f"'{names[0]}' has the type {mstype.from_numpy(variable.dtype)}, but '{names[1]}' {mstype.from_numpy(value.dtype)}."
        )


def _from_list(value):
    """A list of numbers counts as a scalar of their kind: it takes the dtype of the Tensor beside it."""
    if not isinstance(value, (list, tuple)):
        return value
    if any(hasattr(v, "dtype") and not isinstance(v, np.generic) for v in value):  # Tensors in a list make a Tensor
        return jnp.stack([jnp.asarray(v) for v in value])
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"unsupported operand type: a list operand must hold numbers, but got {value!r}.")
    return array.reshape(-1)[0].item() if array.size else 0.0


def whole(x: "jax.Array | np.ndarray", dtype: np.dtype, xp: "types.ModuleType"):
    """Floats as integers, as C converts them on the machines of MindSpore's CPU build: cut towards zero.

    What does not fit (NaN and infinities, too) is the least number of 32 bits, or of 64 for 64 bits and uint32; 8 and 16 bits are the low
    bits of that. C leaves it open, XLA takes the nearest number that fits, and other processors do otherwise: so it is written out.

    Args:
        x: a NumPy array or a jax.Array of floats.
        dtype: NumPy dtype of integers.
        xp: `numpy` or `jax.numpy`, as x is.
    """
    if x.dtype.itemsize < 4:
        x = x.astype(np.float32)
    wide = np.dtype(np.int64 if dtype.itemsize == 8 or dtype == np.uint32 else np.int32)
    limit = 2.0 ** (8 * wide.itemsize - 1)
    least = xp.asarray(np.iinfo(wide).min, wide)

    def converted(x):
        fits = (x >= -limit) & (x < limit)
        return xp.where(fits, xp.where(fits, x, 0).astype(wide), least)

    found = converted(x)
    if dtype == np.uint64:  # above the numbers of int64 the rest is converted, and the top bit set
        found = xp.where(x >= limit, converted(x - limit) ^ least, found)
    return found.astype(dtype)


def number_as(value: Any, dtype: np.dtype):
    """NumPy number of a Python number or NumPy value in another dtype: integers wrap round, floats as `whole` says.

    Raises:
        RuntimeError: an integer beyond 64 bits, of which MindSpore makes no Tensor.
    """
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        raise RuntimeError(f"a number of at most 64 bits is needed for a Tensor, but got {value}.")
    return host_as(np.asarray(value), dtype)


def host_as(array: np.ndarray, dtype: np.dtype):
    """A NumPy array in another dtype, converted as `cast` converts arrays."""
    if array.dtype == dtype:
        return array
    if array.dtype.kind == "c" and dtype.kind not in "cb":
        array = array.real
    if dtype.kind in "iu" and kind_of(array.dtype) == _KIND_FLOAT:
        return whole(array, dtype, np)
    with np.errstate(over="ignore"):  # 1e300 is an infinity in float32
        return array.astype(dtype)


def cast(value: Any, dtype: np.dtype):
    """Array of the given dtype, strongly typed: floats to integers as `whole` says, complex to real keeps the real part.

    Numbers other than 0 are True. Scalars out of range wrap round as C does.
    """
    if isinstance(value, (bool, int, float, complex, np.generic)):
        return jnp.asarray(number_as(value, dtype))
    if isinstance(value, (list, tuple)):
        if any(hasattr(v, "dtype") for v in value):
            return jnp.stack([cast(jnp.asarray(v), dtype) for v in value])
        return jnp.asarray(host_as(np.asarray(value), dtype))
    if value.dtype == dtype and not getattr(value, "weak_type", False):
        return value
    if value.dtype.kind == "c" and dtype.kind != "c":
        if dtype.kind == "b":
            return value != 0
        value = lax.real(value)
    if dtype.kind in "iu" and kind_of(value.dtype) == _KIND_FLOAT:
        return whole(value, dtype, jnp)
    if value.dtype == np.bool_ and kind_of(dtype) >= _KIND_FLOAT:
        # XLA takes the product with a converted bool for a choice: infinity * False would be 0 (docs/compiler_bugs.md)
        value = lax.convert_element_type(value, np.uint8)
    return lax.convert_element_type(value, dtype)


def written(value: Any, dtype: np.dtype, refusal: type = TypeError):
    """The value that is written into elements of the given dtype, converted as by `cast`.

    Raises:
        refusal: a complex number is to be written into elements that are not complex.
    """
    if is_scalar(value) and dtype.kind != "c" and np.result_type(value).kind == "c":
        raise refusal(
            f"a complex number can not be written into a Tensor of dtype {mstype.from_numpy(dtype)}, which has no place for its "
            "imaginary part; take its real part."
        )
    return cast(value, dtype)


def promote(*operands):
    """The operands as arrays of their common dtype."""
    dtype = result_dtype(*operands)
    return [cast(x, dtype) for x in operands]


def _without_small_change(x, y):
    """For products and quotients: a Tensor without axes follows the other one's dtype within its kind (float16[n] * float32[] is float16)."""
    for one, other in ((x, y), (y, x)):
        plain = not is_scalar(one) and not is_scalar(other) and hasattr(one, "dtype") and hasattr(other, "dtype")
        if (
            plain
            and one.ndim == 0
            and other.ndim > 0
            and kind_of(one.dtype) == kind_of(other.dtype)
            and one.dtype != other.dtype
        ):
            return [cast(v, other.dtype) for v in (x, y)]
    return [x, y]


def promote_product(x: "jax.Array", y: "int | float | jax.Array"):
    """As `promote`, for * : see `_without_small_change`."""
    return promote(*_without_small_change(x, y))


def promote_quotient(x: "jax.Array", y: "int | float | jax.Array"):
    """As `promote_float`, for / : see `_without_small_change`."""
    return promote_float(*_without_small_change(x, y))


def promote_float(*operands):
    """As `promote`, but integers and bools become float32: for division and functions such as sqrt."""
    dtype = result_dtype(*operands)
    if kind_of(dtype) <= _KIND_INT:
        dtype = np.dtype(np.float32)
    return [cast(x, dtype) for x in operands]
