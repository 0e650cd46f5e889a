"""Tensor: a small mutable box around one jax.Array (or, while JAX traces, one tracer).

The box is what makes `x[i] = v` and `assign` work on immutable arrays: they compute a new array and re-bind the box.
Operator methods (`+`, `.sum()`, indexing, ...) are attached by `msjax.ops` from its records; this file knows no operator.
"""

import abc
import numbers
import sys
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..above import above
from ..callers import is_users
from ..compat import Tracer
from ..errors import Unstageable, leaked_value, leaves_the_tape, of_program
from ..host import wide
from ..settings.execution_state import here
from . import dtype as mstype
from . import ranges
from .lazy import checked_init, shape_tuple
from .ownership import Held, content, hand_out
from .printing import lazy_text, shown_as_array, tensor_repr, tensor_str
from .promote import cast, host_as
from .tensor_state import Absent, TensorState, described, has_unknown_axes

Shape, Dtype = int | Sequence[int] | None, mstype.Type | None
_new = object.__new__
_PYTHON_NUMBERS = (bool, int, float, complex)


class Leaked:
    """The content of a Tensor whose trace is over; raises an explanation when it is used."""

    __slots__ = ("what",)

    def __init__(self, what: str):
        self.what = what

    def __getattr__(self, name):
        raise leaked_value(self.what)

    def __jax_array__(self):
        raise leaked_value(self.what)


class _TensorMeta(abc.ABCMeta):
    """The class of the class Tensor: libraries join it with others (`class Box(Tensor, ABC)`)."""

    # every operator asks what is a Tensor, and the question costs twice as much when it looks for registered classes
    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__

    def register(cls, subclass):
        """Refused: a class counts as a Tensor only if it is derived from it."""
        raise TypeError(f"{subclass.__name__} must be derived from {cls.__name__}: classes are not registered for it.")

    def __repr__(cls) -> str:
        """As MindSpore prints it."""
        home = vars(cls).get("_defined_in")
        return f"<class '{home}.{cls.__name__}'>" if home else super().__repr__()


class Tensor(TensorState, Held, metaclass=_TensorMeta):
    """Multi-dimensional array with MindSpore's dtypes, methods and printed form.

    Args:
        input_data: Tensor, NumPy array, number, bool, or a nested list or tuple of them. Always copied.
        dtype: mindspore dtype; by default that of `input_data` (a Python float gives float32, an int gives int64).
        shape, init: instead of `input_data`: a Tensor whose content an Initializer (or a number) makes when it is first needed.
            With axes of None (or a Symbol) and no `init`: a Tensor without content that describes an input (shape -1 there),
            for `Cell.set_inputs`.

    Raises:
        TypeError: `input_data` holds something that is not a number.
        ValueError: `shape` and `input_data` contradict each other.

    Example:
        >>> Tensor([1, 2], mindspore.float32)
        Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """

    # _data: the array (`Held`). _var: the tape's token for it in eager code; in a trace the Frame that owns the box. _links: see operators/views.py
    __slots__ = ("_var", "_links", "__dict__", "__weakref__")
    _defined_in = "mindspore.common.tensor"  # there, and as it is printed
    _through_frames = False

    def __init__(self, input_data: Any=None, dtype: Dtype=None, shape: Shape=None, init: Any=None, const_arg: bool=False, device: str | None=None):  # fmt: skip
        active = here().recorder
        self._var = active if active is not None and active.is_frame else None
        if init is not None:
            init = checked_init(input_data, dtype, shape, init)
            self.init, self._lazy_shape, self._lazy_dtype = init, shape_tuple(shape), mstype.of(dtype)
            return  # no _data yet: __getattr__ makes it on first use
        if input_data is None and dtype is not None and (shape is None or has_unknown_axes(shape)):
            self._data = described(shape, mstype.to_numpy(dtype))
            return
        self._data = to_array(input_data, dtype, shape)
        if isinstance(input_data, Tensor) and self._var is None:
            self._var = input_data._var  # a copy: gradients flow on through it

    # --- content made on first use
    def __getattr__(self, name):
        if name == "_data" or name == "_lent":
            if "_lazy_shape" in self.__dict__:
                self._make_content()
                self.__dict__["_made_on_use"] = True
            return hand_out(self) if name == "_data" else content(self)
        if name == "grad" and "param_info" in self.__dict__:
            return None  # a library's own class of Parameters, to which it gives gradients as torch does
        if name[0] != "_" and (p := above.sharer(self)) is not None and hasattr(type(p), name):
            return getattr(p, name)  # until MindSpore 2.2 `p.data` was p itself: `p.data.set_data(x)`
        raise NoAttribute(type(self), name)

    @property
    def has_init(self) -> bool:
        """Whether the content is still to be made by an initializer."""
        return "_lazy_shape" in self.__dict__

    def init_data(self, slice_index: int | None = None, shape: Shape = None, opt_shard_group: str | None = None):
        """Make the content of a Tensor built with `init=`, and return the Tensor."""
        if self.has_init:
            self._make_content(shape)
        elif not self.__dict__.pop("_made_on_use", False):
            raise TypeError("For 'Tensor.init_data', the Tensor must be made with 'init=', but it has content already.")
        return self

    def _make_content(self, shape=None):
        content = np.zeros(self._lazy_shape if shape is None else shape, mstype.to_numpy(self._lazy_dtype))
        self.__dict__["init"](content)
        self._data = device_array(content)
        shown_as_array(self)
        del self.__dict__["init"], self.__dict__["_lazy_shape"]

    to_tensor = init_data  # its name until 1.2

    # --- re-binding
    def _rebind_raw(self, array, owner):
        self._data, self._var = array, owner

    def _assign(self, array, var=None):
        """Make this box hold `array`, in the frame that is current."""
        active = here().recorder
        if active is not None and active.is_frame:
            if self._var is not active:
                active.note_rebind(self)
                self._var = active
            self._data = array
        else:
            self._data, self._var = array, var

    # --- shape and type
    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes, as a tuple of ints."""
        return self._lent.shape if "_lazy_shape" not in self.__dict__ else self._lazy_shape

    _shape = shape  # the C++ name

    @property
    def dtype(self) -> mstype.Type:
        """MindSpore dtype of the elements."""
        return mstype.from_numpy(self._lent.dtype) if "_lazy_shape" not in self.__dict__ else self._lazy_dtype

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        n = 1
        for length in self.shape:
            if length < 0:  # unknown: such a Tensor has no content
                return 0
            n *= length
        return n

    _count = size  # for what is below: libraries put a method of this name into Tensor, as torch has it

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return mstype.to_numpy(self.dtype).itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._count * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes to step along each axis, as NumPy has them for a contiguous array."""
        steps, step = [], self.itemsize
        for length in reversed(self.shape):
            steps.append(step)
            step *= length
        return tuple(reversed(steps))

    @property
    def data(self):
        """The Tensor itself, as in PyTorch code; for a Parameter its value. Assigning it replaces the content."""
        return self

    @data.setter
    def data(self, value: Any):
        self.assign_value(value)

    # --- to the host
    def asnumpy(self) -> np.ndarray:
        """Content as a NumPy array (float32 and friends; bfloat16 through ml_dtypes). A copy that may be written."""
        return np.array(host_array(self._lent))

    def numpy(self) -> np.ndarray:
        """Alias of `asnumpy`."""
        return self.asnumpy()

    def tolist(self):
        """Content as nested Python lists, or a Python number for a Tensor without axes."""
        return host_array(self._lent).tolist()

    # what MindSpore's Python has below these names in C++: classes of other frameworks that replace the public ones call them
    _tolist, _shape, _dtype, _size, _itemsize, _nbytes, _strides = tolist, shape, dtype, size, itemsize, nbytes, strides

    def __array__(self, dtype=None, copy=None):
        array = host_array(self._lent)
        return array.astype(dtype) if dtype is not None else np.array(array)

    def __jax_array__(self):
        _leave(self)
        return self._data

    @property
    def jax_array(self):
        """The JAX array itself. RuntimeError where a user asks for it while a gradient is recorded that depends on it."""
        array = self._data
        active = here().recorder
        if active is not None and not active.is_frame and is_users(sys._getframe(1)):
            _leave(self)
        return array

    def __dlpack__(self, **kwargs):
        _leave(self)
        return self._data.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self._data.__dlpack_device__()

    def __bool__(self):
        array = self._lent
        if isinstance(array, Tracer):
            return bool(array.reshape(()) if array.size == 1 else array)
        if self._count != 1:
            host_array(array)  # a Tensor without content says so
            raise ValueError(
                f"The tensor should have only one element, but got {self._count}, more than one element is ambiguous. "
                "The truth value of an array with several elements is not defined. "
                f"Use all() or any() on the Tensor of shape {self.shape}."
            )
        return bool(host_array(array).reshape(())[()])

    def _scalar(self, kind):
        array = self._lent
        if self._count != 1:
            raise ValueError(
                f"Only one element tensors can be converted to Python scalars, but got a Tensor of shape {self.shape}."
            )
        return kind(array.reshape(())) if isinstance(array, Tracer) else kind(host_array(array).reshape(())[()])

    def __int__(self) -> int:
        return self._scalar(int)

    def __float__(self) -> float:
        return self._scalar(float)

    def __complex__(self) -> complex:
        return self._scalar(complex)

    def __index__(self) -> int:
        if self._lent.dtype.kind not in "iub":
            raise ValueError(
                f"Only integer tensors of a single element can be converted to an index. The dtype here is {self.dtype}."
            )
        if self._count != 1:
            raise ValueError(
                f"Only integer tensors of a single element can be converted to an index. The shape here is {self.shape}."
            )
        return self._scalar(int)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("Not support len of a 0-D tensor")
        return self.shape[0]

    def __iter__(self):
        if not self.shape:
            raise TypeError("iteration over a 0-d tensor")
        return (self[i] for i in range(self.shape[0]))

    def __contains__(self, element):
        """Whether a number, or a Tensor with which this one is compared, occurs anywhere; never for anything else."""
        return isinstance(element, (Tensor, numbers.Number)) and bool((element == self).any())

    def __hash__(self) -> int:
        return id(self)

    def __format__(self, spec) -> str:
        return str(self) if not spec else object.__format__(self, spec)

    def _check_text(self):
        """The text of a traced Tensor needs its value: code of a compiled function that asks for it runs eagerly."""
        active = here().recorder
        if active is not None and active.is_frame and active.converting and isinstance(self._lent, Tracer):
            raise Unstageable(
                "the text of a traced Tensor is asked for (str, repr, format, an f-string, an error's message)"
            )

    def __repr__(self) -> str:
        if self.has_init:
            return lazy_text(self)
        self._check_text()
        return tensor_repr(self) if type(self._lent) is not Absent else self._lent.text(self.dtype)

    def __str__(self) -> str:
        if self.has_init:
            return lazy_text(self)
        self._check_text()
        return tensor_str(self)

    # --- copies
    def __copy__(self) -> "Tensor":
        return wrap(self._data, self._var)

    @wide
    def __deepcopy__(self, memo) -> "Tensor":
        array = self._lent
        twin = wrap(jnp.copy(array) if isinstance(array, jax.Array) else array.copy())
        memo[id(self)] = twin
        return twin

    def __reduce__(self):
        if type(self._lent) is Absent:
            return wrap, (self._lent,)
        return _from_host, (np.array(host_array(self._lent)),)

    # --- what scripts call on any Tensor
    def value(self) -> "Tensor":
        """A Tensor with the content of this one; for a Parameter its present value."""
        return wrap(self._data, self._var)

    def assign_value(self, value: Any):
        """Replace the content by that of `value` (a Tensor), and return this Tensor."""
        self._assign(value._data, value._var)
        return self

    assign_value_cpp = assign_value

    def set_const_arg(self, const_arg: bool = True):
        """Mark the Tensor as a constant of compiled functions. Constants are found by themselves here."""
        self.const_arg = const_arg

    def set_dtype(self, dtype: mstype.Type):
        """Change the dtype in place, and return the dtype."""
        self._assign(converted(jnp.asarray(self._data), dtype))
        return self.dtype

    def is_persistent_data(self):
        """Whether the memory outlives the step: always."""
        return True

    def flush_from_cache(self):
        """Write cached content back to the host: nothing to do, because msjax has no such cache."""

    def asnumpy_of_slice_persistent_data(self, param_key: int | str, slice_index: int):
        """Content of one slice; the whole Tensor is one slice here."""
        return self.asnumpy()

    def get_bytes(self) -> bytes:
        """Raw bytes of the content, in C order."""
        return host_array(self._lent).tobytes()

    @staticmethod
    def from_numpy(array: Any) -> "Tensor":
        """Tensor with the content of a NumPy array; TypeError for anything else."""
        if not isinstance(array, np.ndarray):
            raise TypeError(
                f"For 'from_numpy', the 'array' must be a numpy array, but got type {type(array).__name__}."
            )
        return shown_as_array(wrap(to_array(array)))

    @staticmethod
    def convert_bytes_to_tensor(data: bytes, shape: Shape = None, dtype: Dtype = None) -> "Tensor":
        """Tensor of the given bytes; by default one axis of uint8."""
        host = np.frombuffer(data, np.uint8 if dtype is None else mstype.to_numpy(dtype))
        return wrap(to_array(host if shape is None else host.reshape(shape_tuple(shape))))


def wrap(array: Any, var: Any = None) -> "Tensor":
    """A Tensor around an array, without a copy or a check: the result of every operator."""
    box = _new(Tensor)
    box._data = array
    box._var = var
    return box


@wide
def device_array(array: Any):
    """A NumPy array as a jax.Array of its own memory, concrete even while JAX traces."""
    active = here().recorder
    if active is not None and active.is_frame:
        with jax.ensure_compile_time_eval():
            return on_device(np.array(array))
    if np.ndim(array) == 0:  # half the time of the other way, for one program that all share
        return jnp.array(array, copy=True)
    return on_device(np.array(array))


@wide
def on_device(array: Any):
    """A NumPy array that nobody writes any more as a jax.Array. `jnp.asarray` compiles a program for each new shape (jax 0.10)."""
    return jax.device_put(array)


def host_array(array: Any):
    """Read-only NumPy view of a jax.Array (no copy on CPU). Raises the pending range errors of earlier operators."""
    try:
        host = np.asarray(array if getattr(array, "is_fully_addressable", True) else above.remote_content(array))
    except jax.errors.JaxRuntimeError as error:  # programs run while Python goes on: this one has failed meanwhile
        raise of_program(error) from None
    if ranges.pending():
        ranges.look(wait=True)  # the results of one program are not ready all at once
    return host


@wide
def converted(array: Any, dtype: mstype.Type):
    """An array in another MindSpore dtype, outside of operators."""
    return cast(array, mstype.to_numpy(dtype))


@wide
def to_array(value: Any, dtype: Dtype = None, shape: Shape = None):
    """jax.Array of anything that `Tensor(...)` takes, by MindSpore's dtype rules; strings stay a NumPy array."""
    if dtype is not None:
        dtype = mstype.to_numpy(dtype)
    if isinstance(value, Tensor):
        value = value._data
        if dtype is None and getattr(value, "weak_type", False) and value.dtype == np.float64:
            dtype = np.dtype(np.float32)  # a Python float that a compiled program takes as an input
    if isinstance(value, jax.Array):
        array = value if dtype is None else cast(value, dtype)
        if array is value and not isinstance(value, Tracer):
            array = jnp.copy(value)
        return array.astype(array.dtype) if getattr(array, "weak_type", False) else array
    if value is None and shape is not None:
        return device_array(np.zeros(shape_tuple(shape), dtype or np.float32))
    host = _host_value(value, dtype)
    if shape is not None and tuple(shape_tuple(shape)) != host.shape:
        raise ValueError(
            f"For 'Tensor', when 'input_data' and 'shape' are both given they must agree, but got shape {shape} and data of shape {host.shape}."
        )
    if host.dtype.kind in "US":
        return host
    return device_array(host)


# What a list holds in the end: MindSpore does not ask whether Python's numbers, NumPy's or Tensors are in it.
_IN_LISTS = {np.dtype(np.float64): np.float32, np.dtype(np.int32): np.int64}


def _host_value(value, dtype):
    """NumPy array of a Python value; Python floats are float32, Python ints int64, as in MindSpore."""
    if isinstance(value, (list, tuple)):
        if any(isinstance(v, Tensor) for v in _leaves(value)):
            value = _tensors_to_numpy(value)
        try:
            host = np.array(value)
            if host.dtype.kind in "US":
                raise TypeError(f"For Tensor, the input_data is {_short(value)} that contain unsupported element.")
        except ValueError as error:
            raise TypeError(
                f"For Tensor, the input_data is {_short(value)} that contain unsupported element. Its rows have unequal lengths."
            ) from error
        if dtype is None:
            dtype = _IN_LISTS.get(host.dtype)
    elif isinstance(value, (np.ndarray, np.generic)):
        host = np.asarray(value)
    elif isinstance(value, _PYTHON_NUMBERS):
        host = np.asarray(value)
        if dtype is None and host.dtype == np.float64:
            dtype = np.float32
    elif isinstance(value, bytes) or (hasattr(value, "__array__") and not isinstance(value, str)):
        host = np.asarray(value)
    else:
        raise TypeError(
            "For 'Tensor', the type of 'input_data' should be one of '['Tensor', 'ndarray', 'str_', 'list', 'tuple', 'float', 'int', 'bool', "
            f"'complex', 'bytes']', but got type '{type(value).__name__}'."
        )
    if host.dtype.kind not in "biufcVUS" or (host.dtype.kind == "V" and host.dtype not in mstype._FROM_NUMPY):
        if isinstance(value, int):
            raise RuntimeError(f"For Tensor, a whole number must fit 64 bits, but got {_short(value)}.")
        what = "initializing tensor by numpy array failed: " if isinstance(value, np.ndarray) else ""
        raise TypeError(
            f"For Tensor, {what}the input_data is {_short(value)} that contain unsupported element "
            f"{host.dtype.type} (NumPy dtype {host.dtype})."
        )
    return host if dtype is None else host_as(host, np.dtype(dtype))


def _leaves(value):
    for v in value:
        if isinstance(v, (list, tuple)):
            yield from _leaves(v)
        else:
            yield v


def _tensors_to_numpy(value):
    if isinstance(value, (list, tuple)):
        return [_tensors_to_numpy(v) for v in value]
    return host_array(value._data) if isinstance(value, Tensor) else value


def _short(value):
    return text if len(text := repr(value)) < 200 else text[:200] + "..."


def _from_host(array):
    return Tensor(array)


class NoAttribute(AttributeError):
    """A Tensor or Cell lacks an attribute. The message is made when it is shown: `hasattr` asks too, and should not wait 5 ms for it."""

    def __init__(self, kind: Any, attribute: str, family: tuple = ("Tensor",), start: str = "'{kind}' object "):
        super().__init__(attribute)
        self.kind, self.attribute, self.family, self.start = kind, attribute, family, start

    def __reduce__(self):
        return AttributeError, (str(self),)

    def __str__(self) -> str:
        from ..hints import for_attribute  # only when something went wrong

        said = for_attribute(self.family, self.attribute, dir(self.kind))
        return f"{self.start.format(kind=self.kind.__name__)}has no attribute '{self.attribute}'.{said}"


NoAttribute.__name__ = NoAttribute.__qualname__ = "AttributeError"  # as it is shown
NoAttribute.__module__ = "builtins"


def is_tracing(value: Any):
    """Whether a Tensor or array is a traced value, one without content yet."""
    return isinstance(getattr(value, "_lent", value), Tracer)


def _leave(box):
    """A function of JAX takes the array of a Tensor: RuntimeError where a tape follows it, for the tape cannot follow the array.

    In a trace there is nothing to refuse: the array is a tracer, and JAX itself takes the gradient.
    """
    active = here().recorder
    if active is not None and not active.is_frame and active.follows(box):
        raise leaves_the_tape(box)


def flatten(box: Tensor):
    """A Tensor or Parameter as a node of JAX's trees: (children, nothing else)."""
    _leave(box)
    return (box._data,), None


def unflatten(_: Any, children: tuple[jax.Array, ...]):
    """The Tensor of a tree's node."""
    return wrap(children[0])


jax.tree_util.register_pytree_node(Tensor, flatten, unflatten)

__all__ = ["Leaked", "Tensor", "device_array", "flatten", "host_array", "is_tracing", "to_array", "unflatten", "wrap"]
