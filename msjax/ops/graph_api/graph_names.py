"""Names of MindSpore's graph compiler, with their Python meaning: iteration, predicates, shapes, registries.

What only has a meaning between the nodes of MindSpore's own graphs raises when it is called, and says what to use.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from ...core.compat import Tracer
from ...core.grad.recompute import recomputing
from ...core.operators import faces
from ...core.operators import record as _registry
from ...core.operators.primitive import Primitive
from ...core.operators.record import composite, records
from ...core.operators.rows import Prim
from ...core.spec import Array, Axis, Dtype, Ints
from ...core.spec.rules import OfType, That
from ...core.trace.call_structure import MutableContainer
from ...core.trace.control_flow import resolve
from ...core.trace.dynamic_sequence import DynamicLength
from ...core.trace.frame import current
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from .structures import HyperMap

__all__ = [
    "GetNext",
    "_add_attr",
    "_ms_pyfunc",
    "_ones_like_for_grad",
    "get_vm_impl_fn",
    "tensor_operator_registry",
    "vm_impl_registry",
]

# The numbers of MindSpore's types, by printed name (measured with MindSpore 2.10).
_TYPE_NUMBERS = {
    "TypeType": 4,
    "None": 7,
    "Null": 8,
    "Number": 11,
    "String": 12,
    "List": 13,
    "Tuple": 14,
    "Tensor": 17,
    "COOTensor": 19,
    "Undetermined": 20,
    "Func": 23,
    "SymType": 25,
    "EnvType": 26,
    "Object:RefKey": 27,
    "Bool": 30,
    "Int": 31,
    "Int8": 32,
    "Int16": 33,
    "Int32": 34,
    "Int64": 35,
    "UInt": 36,
    "UInt8": 37,
    "UInt16": 38,
    "UInt32": 39,
    "UInt64": 40,
    "Float": 41,
    "Float16": 42,
    "Float32": 43,
    "Float64": 44,
    "BFloat16": 45,
    "Float8E4M3FN": 46,
    "Float8E5M2": 47,
    "HiFloat8": 48,
    "Complex64": 51,
    "Complex128": 52,
    "Int4": 53,
    "CSRTensor": 60,
}


@composite(prim=Prim("DtypeToEnum"), ops=False, name="dtype_to_enum")
def dtype_to_enum(op_name: str, arg_name: str, dtype: Dtype):
    """MindSpore's number of a type. TypeError, which names the operator and the argument, for anything else.

    Example:
        >>> ops.DtypeToEnum()("cast", "dtype", mindspore.float32)
        43
    """
    if not isinstance(dtype, mstype.Type) or str(dtype) not in _TYPE_NUMBERS:
        raise TypeError(f"For '{op_name}', the input '{arg_name}' should be mindspore dtype, but got {dtype}.")
    return _TYPE_NUMBERS[str(dtype)]


# --- iteration
def _items(name, x):
    if isinstance(x, Tensor) and not x.ndim or not hasattr(x, "__getitem__") or not hasattr(x, "__len__"):
        raise TypeError(
            f"For '{name}', the input must be a tuple, list, str or Tensor with axes, but got {type(x).__name__}."
        )
    return x


@composite(ops=True)
def iter_converter(x: Any):
    """The items of a `for` loop: sequences and Tensors as they are, the keys of a dict as a tuple."""
    return tuple(x) if isinstance(x, dict) else _items("iter_converter", x)


@composite(ops=True)
def ms_hasnext(x: Any):
    """Whether an item is left."""
    return len(_items("ms_hasnext", x)) > 0


@composite(ops=True)
def ms_next(x: Any):
    """(the first item, the rest); IndexError for an empty sequence.

    Example:
        >>> ops.ms_next((1, 2, 3))
        (1, (2, 3))
    """
    if not ms_hasnext(x):
        raise IndexError("For 'ms_next', there is no item left.")
    return x[0], x[1:]


@composite(ops=True)
def zip_operation(*sequences: Any):
    """Tuples of the first items, of the second items, ...; as long as the shortest sequence.

    Example:
        >>> ops.zip_operation((1, 2), (3, 4))
        ((1, 3), (2, 4))
    """
    return tuple(zip(*[_items("zip_operation", s) for s in sequences]))


@composite(ops=True)
def switch_layer(index: Any, layers: Any):
    """The function or Cell at a position of a sequence; negative positions count from the end.

    Raises:
        IndexError: the position is out of range.

    Example:
        >>> ops.switch_layer(Tensor(1), (ops.relu, ops.neg))(Tensor([2.0]))
        Tensor(shape=[1], dtype=Float32, value= [-2.00000000e+00])
    """
    place, count = int(index), len(layers)
    if not -count <= place < count:
        raise IndexError(f"For 'switch_layer', the 'index' must be in [{-count}, {count}), but got {place}.")
    return layers[place]


@composite(ops="SliceGetItem", name="slice_get_item")
def slice_get_item(x: Any, name: str):
    """The "start", "stop" or "step" of a slice."""
    if not isinstance(x, slice) or name not in ("start", "stop", "step"):
        raise TypeError(f"For 'SliceGetItem', give a slice and 'start', 'stop' or 'step', but got {x!r} and {name!r}.")
    return getattr(x, name)


# --- what is known while a graph is compiled: everything but what is `mutable`
@composite(ops=True)
def is_sequence_value_unknown(x: Any):
    """Whether the items of a sequence are inputs: of a `mutable` one, or one that holds traced Tensors."""
    return isinstance(x, MutableContainer) or any(isinstance(v, Tensor) and isinstance(v.jax_array, Tracer) for v in x)


@composite(ops=True)
def is_sequence_shape_unknown(x: Any):
    """Whether the length of a sequence is unknown: of `mutable(..., dynamic_len=True)`."""
    return isinstance(x, DynamicLength)


@composite(ops=True)
def is_dynamic_sequence_element_unknown(x: OfType[DynamicLength]):
    """Whether the kind of the items of a sequence of dynamic length is unknown: it is empty. TypeError for another."""
    return not x


@composite(ops=True)
def is_tensor_bool_cond(x: Annotated[Tensor, That("of shape () or (1,)", lambda x: x.shape in ((), (1,)))]):
    """True if a Tensor can be a condition: shape () or (1,). ValueError otherwise."""
    return True


# --- shapes and numbers
@composite(ops=True)
def reduced_shape(x: Any, axis: Axis):
    """A shape with 1 at the given axes (at all, if none is given).

    Raises:
        ValueError: an axis is out of range.

    Example:
        >>> ops.reduced_shape((2, 3), (0,))
        (1, 3)
    """
    axes = [axis] if isinstance(axis, int) else list(axis)
    for a in axes:
        if not -len(x) <= a < len(x):
            raise ValueError(
                f"For 'reduced_shape', the 'axis' value should be in the range [{-len(x)}, {len(x)}), but got {a}."
            )
    axes = {a % len(x) for a in axes} or set(range(len(x)))
    return tuple(1 if i in axes else length for i, length in enumerate(x))


@composite(ops=True)
def broadcast_gradient_args(x: Any, y: Any):
    """The axes, counted in the common shape, that the gradients of two broadcast operands are summed over.

    Raises:
        ValueError: the shapes cannot be broadcast.

    Example:
        >>> ops.broadcast_gradient_args((2, 3), (3,))
        ((), (0,))
    """
    if tuple(x) == tuple(y):
        return (), ()
    rank = max(len(x), len(y))
    left, right = (1,) * (rank - len(x)) + tuple(x), (1,) * (rank - len(y)) + tuple(y)
    if any(a != b and 1 not in (a, b) for a, b in zip(left, right)):
        raise ValueError(f"Not compatible shape input for BroadcastGradientArgs: {tuple(x)} and {tuple(y)}.")
    return tuple(i for i, a in enumerate(left) if a == 1), tuple(i for i, b in enumerate(right) if b == 1)


@composite(ops=True)
def array_to_scalar(x: Any):
    """The Python number of a Tensor with one element. ValueError for more."""
    return x.item()


@composite(ops="reshape_", name="reshape_function")
def reshape_function(input: Any, shape: Any):
    """The elements in another shape: `ops.reshape`; the input keeps its own.

    Example:
        >>> ops.reshape_(Tensor([[1, 2]]), (2,))
        Tensor(shape=[2], dtype=Int64, value= [1, 2])
    """
    return records["reshape"](input, shape)


@composite(ops=True, name="tensor_slice")
def tensor_slice(input: Any, begin: Ints, size: Ints) -> Array:
    """The part of a Tensor that begins at `begin` and has `size`: `ops.slice`."""
    return records["slice_"](input, begin, size)


# --- functions of functions
@composite(ops=True)
def recompute_block(block: OfType[Callable]):
    """The function or Cell with its intermediate values computed again in the backward, instead of being kept.

    Raises:
        TypeError: `block` cannot be called.

    Example:
        >>> ops.recompute_block(ops.square)(Tensor([3.0]))
        Tensor(shape=[1], dtype=Float32, value= [ 9.00000000e+00])
    """

    def run(*args, **kwargs):
        return (recomputing(resolve(block)) if current() is not None else block)(*args, **kwargs)

    return run


def _add_attr(fn, **kwargs):
    """The function with attributes recorded on it (`.attrs`); XLA has no use for them.

    Raises:
        TypeError: `fn` is not a function, or is a Primitive.
    """
    if not callable(fn) or isinstance(fn, Primitive):
        raise TypeError(f"the parameter 'fn' must be callable type except Primitive, but got:{type(fn)}")

    def run(*args):
        return resolve(fn)(*args)

    run.attrs = dict(kwargs)
    return run


def _ms_pyfunc(infer_func):
    """Decorator that makes a function of Tensors a Primitive. Shapes follow from the function's results, not from
    `infer_func`.

    Raises:
        TypeError: something that is not a function.
    """

    def decorator(fn):
        for function in (infer_func, fn):
            if not callable(function):
                raise TypeError(f"For '_ms_pyfunc', a function must be given, but got {type(function).__name__}.")
        name = f"PyCallback_{fn.__name__}"
        return type(name, (Primitive,), {"__call__": lambda self, *args: resolve(fn)(*args), "__doc__": fn.__doc__})()

    return decorator


def _one_like(x):
    if isinstance(x, Tensor):
        return records["ones_like"](x, None)
    if x is None or isinstance(x, mstype.Type):
        return x
    if isinstance(x, (bool, int, float)):
        return type(x)(1)
    raise ValueError(
        f"For '_ones_like_for_grad', the input must be a Tensor, number or None, but got {type(x).__name__}."
    )


_ones_like_for_grad = HyperMap(_one_like)  # ones like the Tensors and numbers of a nested sequence


# --- registries
class _TensorOperators:
    """Operators by name, as MindSpore's Tensor finds them: `ops.tensor_operator_registry.get("add")`."""

    def register(self, name, operator):
        """Put an operator under a name."""
        setattr(self, name, operator)

    def get(self, name):
        """The operator of this name. TypeError: the name is not a str; AttributeError: no operator has this name."""
        if not isinstance(name, str):
            raise TypeError("key for tensor registry must be string.")
        return getattr(self, name)

    def __getattr__(self, name):
        if name in _registry.functions:
            return faces.function(_registry.functions, name, "mindspore.ops")
        if name in _registry.tensor_methods:
            return getattr(Tensor, name)
        raise AttributeError(f"'Registry' object has no attribute '{name}': there is no operator of this name.")


tensor_operator_registry = _TensorOperators()


class _VmImplementations(dict):
    """Python functions that stand for Primitives when code is debugged: `vm_impl_registry.register("Name")`."""

    def register(self, prim):
        """Decorator: keep the function under a name, or under a Primitive class and its name."""

        def keep(fn):
            if isinstance(prim, type):
                self[id(prim)] = fn
            self[prim if isinstance(prim, str) else prim.__name__] = fn
            return fn

        return keep


vm_impl_registry = _VmImplementations()


def get_vm_impl_fn(prim: Any):
    """The function that was registered for a Primitive's name in `vm_impl_registry`, made for it; None if there is none.

    Example:
        >>> @ops.vm_impl_registry.register("Type")
        ... def implementation(prim):
        ...     return lambda x: type(x)
        >>> ops.get_vm_impl_fn("Type")(1.0)
        <class 'float'>
    """
    found = vm_impl_registry.get(prim)
    return None if found is None else found(prim)


# --- what only the nodes of MindSpore's graphs can do
def _no_node(name, use, kind=RuntimeError):
    raise kind(f"'{name}' is a node of MindSpore's own graphs, which do not exist here: {use}")


@composite(prim=Prim("GeSwitch"), ops=True)
def geswitch(data: Any, pred: Array):
    """NotImplementedError: a value that only one of two branches of a graph gets; use Python's if."""
    _no_node("GeSwitch", "use Python's if.", NotImplementedError)


@composite(prim=Prim("Merge"), ops=True)
def merge(inputs: Any):
    """NotImplementedError: the value of the branch of a graph that ran; use Python's if."""
    _no_node("Merge", "use Python's if.", NotImplementedError)


def _refused(name, use):
    def refuse(*args: Any):
        _no_node(name, use)

    refuse.__doc__ = f"RuntimeError: it is a node of MindSpore's own graphs; {use}"
    composite(refuse, name=name.lower(), ops=name)


for _name, _use in (
    ("J", "use ops.vjp or ops.grad."),
    ("array_reduce", "use ops.ReduceSum or functools.reduce."),
    ("distribute", "use ops.reshard or Primitive.shard."),
    ("make_map_parameter", "use mindspore.experimental.MapParameter(key_tensor=..., value_tensor=...)."),
):
    _refused(_name, _use)


class GetNext(Primitive):
    """The next batch of a queue that MindSpore's dataset fills on the device. msjax has no such queue: calling it
    raises RuntimeError.

    Args:
        types, shapes: lists of the outputs' dtypes and shapes. output_num: their number. shared_name: name of the queue.

    Raises:
        TypeError, ValueError: arguments of the wrong kind, or of different lengths.
    """

    def __init__(self, types: Sequence, shapes: Sequence, output_num: int, shared_name: str):
        super().__init__("GetNext")
        for name, value in (("types", types), ("shapes", shapes)):
            if not isinstance(value, (list, tuple)):
                raise TypeError(
                    f"For 'GetNext', the type of '{name}' should be one of list, tuple, but got {type(value).__name__}."
                )
        if isinstance(output_num, bool) or not isinstance(output_num, int):
            raise TypeError(
                f"For 'GetNext', the type of 'output_num' should be int, but got {type(output_num).__name__}."
            )
        if len(types) != len(shapes):
            raise ValueError(
                f"For 'GetNext', 'types' and 'shapes' must have one length, but got {len(types)} and {len(shapes)}."
            )
        self.types, self.shapes, self.output_num, self.shared_name = types, shapes, output_num, shared_name

    def __call__(self):
        raise RuntimeError(
            f"For 'GetNext', there is no queue '{self.shared_name}' on the device: iterate the dataset "
            "(dataset.create_tuple_iterator()), or use Model.train or mindspore.data_sink."
        )
