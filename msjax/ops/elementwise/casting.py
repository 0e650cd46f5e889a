"""Conversion of dtypes; copies; values that leave the gradient."""

from typing import Annotated, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.grad.no_gradient import no_gradient
from ...core.operators import views
from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Prim, args
from ...core.settings.execution_state import here
from ...core.spec import Array, Arrays, Dtype, MaybeArray, Operand, Real, Shown
from ...core.spec.rules import OfType, That
from ...core.trace.frame import current
from ...core.values import dtype as mstype
from ...core.values.promote import cast as converted
from ...core.values.tensor import Tensor


@op(prim=Prim("Cast", call=args("input_x", "dtype"), to={"input_x": "input"}), ops=True)
def cast(input: Operand, dtype: Dtype) -> Array:
    """The elements as another dtype: floats are cut towards zero, numbers other than 0 are True, complex ones give their real part.

    Example:
        >>> print(ops.cast(Tensor([1.6, -1.6]), mindspore.int32))
        [ 1 -1]
    """
    try:
        target = mstype.to_numpy(dtype)
    except (TypeError, ValueError, KeyError):
        raise TypeError(f"For 'Cast', the 'dtype' must be a mindspore dtype, but got {dtype!r}.") from None
    return converted(jnp.asarray(input), target)


_cast = records["cast"]


@composite(ops=False, tensor="astype")
def astype(self: Array, dtype: Dtype, copy: bool = True) -> Array:
    """A Tensor of another dtype; with copy=False the Tensor itself if it has that dtype already."""
    dtype = mstype.of(dtype)
    if not copy and self.dtype == dtype:
        return self
    return _method_cast(self, dtype)


def _method_cast(x, dtype):
    """The result of methods like `x.float()`: a Tensor of that dtype is returned as it is, but a view is copied, and in compiled code too.

    The result for elements that were looked up (`x[[0, 1]].float()`) shares their memory, and does not write to x. That for a Parameter
    shares its memory, too, and is none.
    """
    if x.dtype != dtype:
        return _cast(x, dtype)
    if views.copies() or views.is_part(x):
        return records["identity"](x)
    if type(x) is Tensor and not views.is_looked_up(x):
        return x
    return views.share(records["identity"], (x,), records["identity"](x), twin=True)


_DEVICES = ("cpu", "gpu", "cuda", "npu", "ascend", "tpu")


@composite(ops=False, tensor="to", name="to_method")
def to_method(
    self: Array,
    first: Any = None,
    second: Any = None,
    third: bool = False,
    fourth: bool = False,
    *,
    device: str | None = None,
    dtype: Dtype | None = None,
    other: MaybeArray = None,
    non_blocking: bool = False,
    copy: bool = False,
) -> Array:
    """to(dtype, non_blocking=False, copy=False), to(device, dtype, non_blocking=False, copy=False), or to(other): of its dtype.

    A device name leaves the Tensor where it is.

    Raises:
        ValueError: A name is no device's. Names of dtypes are not taken, as in MindSpore: `x.to(mindspore.float16)`.
    """
    if isinstance(first, str) or isinstance(second, (mstype.Type, type)):  # to(device, dtype, non_blocking, copy)
        device, dtype, copy = first, dtype if second is None else second, copy or fourth
    else:  # to(dtype or other, non_blocking, copy)
        dtype, copy = dtype if first is None else first, copy or third
    dtype = dtype if other is None else other
    if device is not None and not isinstance(device, str):
        raise TypeError(f"For 'Tensor.to', the 'device' must be str, but got {type(device).__name__}.")
    for name in (device, dtype):
        if isinstance(name, str) and name.lower() not in _DEVICES:
            raise ValueError(f"For 'Tensor.to', the 'device' must be one of {', '.join(_DEVICES)}, but got {name!r}.")
    if isinstance(dtype, Tensor):
        dtype = dtype.dtype
    if dtype is None or isinstance(dtype, str):
        return self.copy() if copy else self
    dtype = mstype.of(dtype)
    return self.copy() if copy and self.dtype == dtype else _method_cast(self, dtype)


@composite(ops=True, tensor="type_as")
def type_as(input: Array, other: Array) -> Array:
    """The elements in the dtype of another Tensor."""
    return _cast(input, other.dtype)


@composite(ops=False, tensor="type", name="type_method")
def type_method(self: Array, dtype: Dtype | None = None) -> Any:
    """A Tensor of another dtype; without one the name of the dtype."""
    return str(self.dtype) if dtype is None else _method_cast(self, mstype.of(dtype))


def _short_method(name, dtype):
    def method(self: Array) -> Array:
        return _method_cast(self, dtype)

    method.__doc__ = f"The elements as {dtype}."
    composite(method, name=f"{name}_method", ops=False, tensor=name)


for _name, _dtype in (
    ("half", mstype.float16),
    ("float", mstype.float32),
    ("double", mstype.float64),
    ("bfloat16", mstype.bfloat16),
    ("int", mstype.int32),
    ("long", mstype.int64),
    ("short", mstype.int16),
    ("byte", mstype.uint8),
    ("bool", mstype.bool_),
):
    _short_method(_name, _dtype)


@op(name="view_dtype", ops=False)
def view_dtype(input: Array, dtype: Dtype):
    """The bits of the elements read as another dtype: of a smaller one there are more along the last axis, of a larger one fewer."""
    target = np.dtype(mstype.to_numpy(dtype))
    old, new = input.dtype.itemsize, target.itemsize
    if old == new and "c" not in (input.dtype.kind, target.kind) and bool not in (input.dtype, target):
        return lax.bitcast_convert_type(input, target)
    if old != new and not input.ndim:
        raise ValueError(
            f"For 'view', a Tensor without axes of {input.dtype} can not be read as {target}, whose size is another."
        )
    if old != new and input.shape[-1] * old % new:
        raise ValueError(
            f"For 'view', the last axis must hold whole elements of {target}, but got {input.shape[-1]} elements of {input.dtype}."
        )
    flat = jnp.stack([input.real, input.imag], -1) if input.dtype.kind == "c" else input
    flat = flat.astype(jnp.uint8) if flat.dtype == bool else lax.bitcast_convert_type(flat, jnp.uint8)
    length = input.shape[-1:] and (input.shape[-1] * old // new,)
    parts = (2, new // 2) if target.kind == "c" else (new,)
    units = flat.reshape(*input.shape[:-1], *length, *parts)
    if target == np.bool_:
        return units.reshape(units.shape[:-1]) != 0
    real = np.dtype(f"f{new // 2}") if target.kind == "c" else target
    read = lax.bitcast_convert_type(units if real.itemsize > 1 else units[..., 0], real)
    return lax.complex(read[..., 0], read[..., 1]) if target.kind == "c" else read


@op(
    prim=(Prim("Identity", call=args("x"), to={"x": "input"}), Prim("Reusing", call=args("x"), to={"x": "input"})),
    ops=Face("deepcopy", args("input_x"), to={"input_x": "input"}),
    tensor=("copy", "clone"),
    mint=("clone", "nn.functional.identity"),
    name="identity",
)
def identity(input: Array):
    """A Tensor with the same elements; gradients pass.

    Example:
        >>> print(ops.deepcopy(Tensor([1, 2])))
        [1 2]
    """
    return input


@op(
    prim=(
        Prim("ConvertToDynamic", inputs=("x",)),
        Prim("GpuConvertToDynamicShape", call=args("x")),
        Prim("ErrorOnDynamicShapeInput", call=args("x")),
    ),
    name="convert_to_dynamic",
    ops=Face("contiguous", args("input"), to={"input": "x"}),
)
def convert_to_dynamic(x: Array, is_dynamic_rank: bool = False):
    """The Tensor itself: shapes are known in every trace, and memory is contiguous."""
    return x


@op(prim=Prim("IdentityN"), ops=False)
def identity_n(x: Arrays):
    """The Tensors of a tuple, as they are."""
    if not isinstance(x, (list, tuple)):
        raise TypeError(f"For 'IdentityN', the 'x' must be a list or tuple of Tensors, but got {type(x).__name__}.")
    if not x:
        raise ValueError("For 'IdentityN', the length of 'x' must be at least 1, but got 0.")
    return tuple(x)


@op(ops=False)
def stop_gradient_array(value: Operand):
    """The Tensor as it is; the gradient ends here."""
    return jax.lax.stop_gradient(value)


@composite(
    prim=Prim("StopGradient", call=args("input_x"), to={"input_x": "value"}),
    ops=("stop_gradient", Face("stop_gradient_", args("input"), to={"input": "value"})),
    tensor="detach",
)
def stop_gradient(value: Any):
    """The Tensor as it is, or a tuple, list or dict with the Tensors of it; the gradient ends here. A value without a gradient is returned.

    Example:
        >>> print(ops.stop_gradient(Tensor([1.0])))
        [1.]
    """
    if isinstance(value, (tuple, list)):
        return type(value)(map(stop_gradient, value))
    if isinstance(value, dict):
        return {key: stop_gradient(one) for key, one in value.items()}
    if not isinstance(value, Tensor):
        return value
    stop = records["stop_gradient_array"]
    if current() is not None:
        return stop(value)
    with no_gradient():  # and no tape follows the result
        out = stop(value)
    # Shared while a gradient is computed, a write to the result would end the gradient of all of `value`.
    return out if here().recorder is not None else views.share(stop, (value,), out)


@op(prim=Prim("ScalarCast"), ops=True, composite=True)
def scalar_cast(input_x: Real, input_y: Dtype):
    """A Python number (or bool, or Tensor of one element) converted to the kind of a mindspore dtype."""
    kind = mstype.to_numpy(input_y).kind
    number = input_x.item() if isinstance(input_x, Tensor) else input_x
    return {"b": bool, "i": int, "u": int, "f": float, "c": complex}.get(kind, float)(number)


@composite(
    prim=Prim("ScalarToTensor", call=args("x", dtype=mstype.float32), to={"x": "input"}),
    ops=Face("scalar_to_tensor", args("input_x", dtype=mstype.float32), to={"input_x": "input"}),
)
def scalar_to_tensor(input: Real, dtype: Dtype = mstype.float32) -> Array:
    """A Tensor without axes of a number.

    Example:
        >>> print(ops.scalar_to_tensor(3, mindspore.int32))
        3
    """
    if isinstance(input, Tensor):
        return _cast(input, dtype)
    if not isinstance(input, (bool, int, float, np.number, np.bool_)):
        raise TypeError(
            f"For 'ScalarToTensor', the 'input_x' must be a number or bool, but got {type(input).__name__}."
        )
    target = mstype.to_numpy(dtype)
    if target.kind not in "iub":
        return Tensor(float(input), dtype)
    if (
        not -(1 << 63) <= int(input) < 1 << (64 if target == np.uint64 else 63)
    ):  # int() itself refuses NaN and infinities
        raise OverflowError(f"For 'ScalarToTensor', the 'input_x' must be a number of 64 bits, but got {input}.")
    return Tensor(input, dtype)


@composite(
    prim=Prim("ScalarToArray", call=args("x"), to={"x": "input"}),
    ops=Face("scalar_to_array", args("input_x"), to={"input_x": "input"}),
)
def scalar_to_array(input: Any):
    """A Tensor without axes of a number, in the number's own dtype."""
    return Tensor(input)


@composite(
    prim=Prim("TupleToArray", call=args("input_x"), to={"input_x": "input"}),
    ops=Face("tuple_to_array", args("input_x"), to={"input_x": "input"}),
)
def tuple_to_array(input: Annotated[OfType[tuple | list | range], Shown("Sequence[float]")]) -> Array:
    """A Tensor of the numbers of a tuple; ints give int32, floats float32.

    Example:
        >>> print(ops.tuple_to_array((1, 2, 3)))
        [1 2 3]
    """
    kinds = {
        next((k for k in (bool, int, float) if isinstance(v, k)), type(v)) for v in input
    }  # a mutable int is an int
    if len(kinds) > 1:
        raise TypeError(
            "For 'TupleToArray', all elements of 'input_x' must have the same type, but got "
            f"{sorted(k.__name__ for k in kinds)}."
        )
    return Tensor(np.array(input, np.int32 if kinds <= {int} else np.float32))


@composite(prim=Prim("TensorToTuple", call=args("x"), to={"x": "input"}), ops=False)
def tensor_to_tuple(input: Any):
    """The elements of a Tensor of one axis, as a tuple of Python numbers."""
    return tuple(input.tolist())


@composite(ops=True)
def is_tensor(obj: Any):
    """Whether an object is a Tensor.

    Example:
        >>> ops.is_tensor(Tensor([1]))
        True
    """
    return isinstance(obj, Tensor)


@composite(ops=True)
def is_nonzero(input: Annotated[Tensor, That("of one element", lambda tensor: tensor.size == 1)]):
    """Whether the one element of a Tensor is not 0: a bool; a bool Tensor in compiled code.

    Raises:
        TypeError: not a Tensor.
        ValueError: not one element.

    Example:
        >>> ops.is_nonzero(Tensor([1]))
        True
    """
    found = _cast(input, mstype.bool_).reshape(())
    return found if isinstance(found.jax_array, jax.core.Tracer) else bool(found)
